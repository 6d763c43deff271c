"""Which hands make a call: against counting by the rules, and the drift of a meaning."""

import numpy as np
import pytest

from borel import Auction, BridgeError, Vulnerability
from borel.sampling.callers import Callers, callers_of, hands_that_call, random_hands
from borel.sampling.rules import RuleModel

HANDS = random_hands(4000, seed=3)


def test_the_hands_of_a_strong_notrump_are_balanced_and_strong():
    callers = callers_of(RuleModel("sayc"), Auction.parse("N", "1NT"), Vulnerability.NONE, HANDS)
    shares = callers.distributions()
    assert 0.02 < callers.frequency < 0.07
    assert set(shares["hcp"]) <= {14, 15, 16, 17}  # an upgrade is possible
    assert set(shares["spades"]) <= {2, 3, 4, 5}
    assert callers.worth == pytest.approx((callers.chances > 0).sum())


def test_earlier_calls_of_the_same_player_count():
    model = RuleModel("sayc")
    opener = callers_of(model, Auction.parse("N", "1H"), Vulnerability.NONE, HANDS)
    rebidder = callers_of(model, Auction.parse("N", "1H P 1S P 2H"), Vulnerability.NONE, HANDS)
    assert rebidder.frequency < opener.frequency
    assert (opener.chances[rebidder.chances > 0] > 0).all()
    assert all(sum(card.suit.word == "hearts" for card in hand) >= 5 for hand in rebidder.examples())


def test_a_meaning_is_not_apart_from_itself_and_wholly_from_its_opposite():
    chances = (np.arange(len(HANDS)) % 2).astype(np.float64)
    odd, even = Callers(HANDS, chances), Callers(HANDS, 1 - chances)
    assert odd.apart(odd) == 0
    assert odd.apart(even) == pytest.approx(1)
    assert Callers(HANDS, np.zeros(len(HANDS))).words() == "none of 4,000 hands calls so"


def test_what_lies_beyond_another_meaning_are_the_hands_that_it_does_not_have():
    model = RuleModel("sayc")
    one, two = (
        callers_of(model, Auction.parse("N", auction), Vulnerability.NONE, HANDS) for auction in ("1NT P 2C", "1S P 2C")
    )
    only = one.beyond(two)
    assert ((only.chances > 0) == (one.chances > two.chances)).all()
    assert one.beyond(one).worth == 0
    assert only.frequency - two.beyond(one).frequency == pytest.approx(one.frequency - two.frequency)


def test_an_auction_without_calls_has_no_callers():
    with pytest.raises(BridgeError, match="nobody has called"):
        callers_of(RuleModel("sayc"), Auction.parse("N", ""), Vulnerability.NONE, HANDS)


def test_a_call_is_told_by_the_hands_that_make_it_and_hardly_any_tell_nothing():
    model, opened = RuleModel("sayc"), Auction.parse("N", "1NT")
    told = hands_that_call(model, opened, Vulnerability.NONE, 4000)
    assert told.startswith("15-17 (mean 15.")
    assert told.endswith("% of all hands)")
    assert hands_that_call(model, opened, Vulnerability.NONE, 0) == ""
    assert hands_that_call(model, Auction.parse("N", "7NT"), Vulnerability.NONE, 4000) == ""
