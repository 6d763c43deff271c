"""The features of `borel.features` as words of rules; what partner has told about controls and keycards."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from borel.auction import Auction
from borel.cards import Hand, Seat
from borel.deal import Vulnerability
from borel.errors import BridgeError
from borel.features import values
from borel.policies.rules import RuleBidder
from borel.sampling.rules import RuleModel
from borel.systems.hand import BASE, REGISTRY, WIDTH, features_of, features_of_batch, index_of, name_of, scale_of
from borel.systems.loader import load_system, read_system
from borel.view import BiddingView


def random_masks(count: int, seed: int = 1) -> np.ndarray:
    random = Random(seed)
    return np.array([sum(1 << card for card in random.sample(range(52), 13)) for _ in range(count)], dtype=np.uint64)


def call(system, hand: str, auction: str = "") -> str:
    heard = Auction.parse(Seat.N, auction)
    view = BiddingView(heard.turn, Hand.parse(hand), heard, Vulnerability.NONE)
    return str(RuleBidder(system).decide(view, rng=Random(0)).choice)


# what the rules call by a name of their own, and the registry's name for it
SAME = {
    "hcp": "hcp", "aces": "aces", "kings": "kings", "queens": "queens", "tens": "tens", "controls": "controls",
    "quick": "quick_tricks", "losers": "losers", "balanced": "balanced", "semibalanced": "semi_balanced",
    "points": "total_points", "longest": "longest_length", "shortest": "shortest_length", "suits": "suits",
    "second-suit": "second_length", "rule20": "rule_of_20", "rule15": "rule_of_15",
}  # fmt: skip
SAME_OF_SUIT = {
    "length": "length", "hcp": "hcp", "ace": "aces", "king": "kings", "controls": "controls", "quick": "quick_tricks",
    "losers": "losers", "top3": "top3", "honors": "honours", "keycards": "keycards", "longest": "longest",
    "points": "support_points",
}  # fmt: skip


def test_rules_and_registry_mean_the_same_where_their_words_do():
    masks = random_masks(3000)
    vectors = features_of_batch(masks)
    for own, registered in SAME.items():
        assert np.array_equal(vectors[:, index_of(own)], values(masks, [registered])[:, 0]), own
    for own, registered in SAME_OF_SUIT.items():
        for suit, letter in enumerate("CDHS"):
            got, want = vectors[:, index_of(own, suit)], values(masks, [f"{registered}({letter})"])[:, 0]
            assert np.array_equal(got, want), f"{own}({letter})"


def test_a_wide_vector_has_every_feature_of_the_registry_after_the_others():
    masks = random_masks(50)
    wide = features_of_batch(masks, wide=True)
    assert wide.shape == (50, WIDTH)
    assert np.array_equal(wide[:, :BASE], features_of_batch(masks))
    wanted = values(masks, REGISTRY)
    scales = np.array([scale_of(BASE + i) for i in range(len(REGISTRY))])
    assert np.allclose(wide[:, BASE:] / scales, wanted, atol=1e-4)
    assert features_of(int(masks[0]), wide=True) == [float(x) for x in wide[0]]
    assert name_of(BASE) == str(REGISTRY[0])


WORDS = """
open
  1NT   kaplan_rubens >= 14.65, balanced       "by Kaplan and Rubens"
  1C    new_losers <= 6.5                      "by new losers"
  2C    rule_of_22 >= 22                       "rule of 22"
  1D    3+ new_losers(S), zar >= 26            "Zar points"
  pass  otherwise
after 1C
  4S    law_level(S, 5) >= 4                   "total tricks"
  pass  otherwise
"""


@pytest.mark.parametrize(
    ("hand", "auction", "wanted"),
    [
        ("AQ5.KJ92.87.AT43", "", "1NT"),  # 14.65 by Kaplan and Rubens: just enough
        ("AQ5.KJ92.87.A743", "", "2C"),  # a little less
        ("AKQJ5.A987.K4.32", "", "1C"),
        ("2.543.A987.65432", "", "P"),
        ("AJ985.32.K765.43", "1C P", "4S"),
        ("AJ98.532.K765.43", "1C P", "P"),
    ],
)
def test_any_feature_of_the_registry_is_a_word(hand, auction, wanted):
    system = read_system(WORDS)
    assert system.wide
    assert call(system, hand, auction) == wanted


def test_a_word_of_the_registry_is_explained_and_sampled_like_any_other():
    system = read_system(WORDS)
    bidder = RuleBidder(system)
    decision = bidder.decide(
        BiddingView(Seat.N, Hand.parse("AQ5.KJ92.87.AT43"), Auction(Seat.N), Vulnerability.NONE), rng=Random(0)
    )
    assert "14.65+ kaplan rubens" in decision.why
    model, masks = RuleModel(system), random_masks(500)
    calls = model.calls(model.encode(masks), Auction(Seat.N), Vulnerability.NONE)
    opening = Auction(Seat.N)
    alone = [
        bidder.decide(BiddingView(Seat.N, Hand(int(m)), opening, Vulnerability.NONE), rng=Random(0)) for m in masks
    ]
    assert [d.choice.index for d in alone] == list(calls)
    assert not load_system("sayc").wide  # nothing is computed that no rule asks for


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1C  kaplan_ruben >= 12", "did you mean kaplan_rubens?"),
        ("1C  law_level(S, H) >= 2", "argument 2 of law_level is a length from 0 to 13"),
        ("1C  law_level(S, 14) >= 2", "argument 2 of law_level is a length from 0 to 13"),
        ("1C  zar(S) >= 20", "zar"),
    ],
)
def test_a_registry_word_with_wrong_arguments_is_an_error_with_its_place(line, message):
    with pytest.raises(BridgeError, match=r"my.bid:2:\d+: .*") as caught:
        read_system(f"open\n  {line}", "my.bid")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


KEYCARDS = """
open
  1H    18-21 hcp, 5+ H            "strong"       forcing
  1S    5+ S, 6-12 hcp             "ordinary"
  pass  otherwise
after 1H or 1S
  4NT   10+ hcp, 3+ any H S        "keycards?"    asks, convention ask, agrees H, when partner.showed(H)
  4NT   10+ hcp, 3+ any H S        "keycards?"    asks, convention ask, agrees S, when partner.showed(S)
  pass  otherwise
after 1M 4NT using ask
  5C    keycards(M) = 1            "one or four"
  5C    keycards(M) = 4            "one or four"
  5D    keycards(M) = 0            "none or three"
  5D    keycards(M) = 3            "none or three"
  5H    otherwise                  "two or five"
after 1M 4NT 5C using ask
  7M    missing.keycards(M) = 0    "all there"
  6M    missing.keycards(M) <= 1   "one at most"
  pass  otherwise                  "too few"
"""


@pytest.mark.parametrize(
    ("hand", "auction", "wanted", "why"),
    [
        ("A82.K87.K765.AQ3", "1S P 4NT P 5C P", "P", "opposite one: two are missing, for four and two are six"),
        ("AQ2.K87.A765.A32", "1S P 4NT P 5C P", "6S", "opposite one: one is missing"),
        ("Q82.A87.KQ65.KQ3", "1S P 4NT P 5C P", "P", "6-12 points cannot hold four: it is one"),
        ("Q82.Q87.KQ65.AQ3", "1H P 4NT P 5C P", "7H", "18-21 points: four is believed, and all are there"),
        ("A82.K87.K765.AQ3", "1H P 4NT P 5C P", "6H", "three here: it can only be one, and one is missing"),
    ],
)
def test_an_answer_of_two_meanings_is_read_with_ones_own_hand_and_partners_strength(hand, auction, wanted, why):
    assert call(read_system(KEYCARDS), hand, auction) == wanted, why


CONTROLS = """
open
  1S    5+ S, 12+ hcp              "spades"
after 1S
  3S    4+ S                       "raise"        agrees S
after 1S 3S
  4C    ace(C)                     "control of clubs"    forcing
  4D    ace(D)                     "control of diamonds"    forcing
  4S    otherwise
after 1S 3S 4C/4D
  6S    controlled(C), second(D)   "clubs are partner's, diamonds mine"
  5S    controlled(D)              "diamonds are partner's"
  4S    otherwise
"""


def test_a_control_that_partner_has_shown_is_a_fact():
    system = read_system(CONTROLS)
    assert call(system, "KQ87.543.A76.432", "1S P 3S P 4C P") == "6S"
    assert call(system, "KQ87.543.976.A32", "1S P 3S P 4C P") == "4S"
    assert call(system, "KQ87.543.976.A32", "1S P 3S P 4D P") == "5S"
