"""Hands sought for a rule: how far a hand is from a condition, and that what is found follows the rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from borel import Auction, Vulnerability
from borel.dealing import Dealer
from borel.learning.seeking import distance, seek
from borel.sampling.rules import RuleModel
from borel.systems.hand import features_of_batch

MODEL = RuleModel("sayc")
STOCK = np.concatenate(list(Dealer(3).blocks(500))).reshape(-1)
FEATURES = features_of_batch(STOCK, wide=MODEL.ns.wide)


def position_after(text: str):
    return MODEL.position(Auction.parse("N", text), Vulnerability.NONE)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(["", "1H P", "1NT P 2C P", "1S X", "2C P 2D P", "1D 1S X P", "1H P 2NT P"]))
def test_a_hand_is_nowhere_from_a_condition_just_where_it_meets_it(text):
    for option in position_after(text).options:
        far = distance(option.constraint, FEATURES)
        np.testing.assert_array_equal(far == 0, option.constraint.admits_batch(FEATURES))
        assert (far >= 0).all()


@pytest.mark.parametrize("text", ["2C P 2D P", "1H P 2NT P", "1S P 4NT P"])
def test_hands_that_are_found_have_bid_so_and_call_as_the_rule_says(text):
    """Even where no hand of the stock has bid so."""
    auction, position, wide = Auction.parse("N", text), position_after(text), MODEL.ns.wide
    own = range(len(auction) % 4, len(auction), 4)
    made = tuple((position_after(" ".join(map(str, auction.calls[:i]))), auction.calls[i].index) for i in own)
    _, options = position.options_of_batch(FEATURES[:1])
    found_some = 0
    for place, option in list(enumerate(options))[::3]:
        hands = seek(position, option, made, STOCK, 20, np.random.default_rng(place), wide=wide).hands
        features = features_of_batch(hands, wide=wide)
        found_some += bool(len(hands))
        assert all(int(hand).bit_count() == 13 for hand in hands)
        assert option.constraint.admits_batch(features).all()
        assert (position.calls_of_batch(features) == option.call).all()
        chosen, among = position.options_of_batch(features)
        assert all(among[place].rule is option.rule for place in chosen)
        for before, call in made:
            assert (before.calls_of_batch(features) == call).all()
    assert found_some >= 2
