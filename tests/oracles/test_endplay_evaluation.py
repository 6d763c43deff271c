"""Hand features against endplay's evaluation, where both have the same measure."""

from random import Random

import pytest
from endplay import evaluate
from endplay.types import Denom
from endplay.types import Hand as EndplayHand

from borel import ALL_CARDS, Hand, Suit
from borel.features import value

DENOMS = {Suit.S: Denom.spades, Suit.H: Denom.hearts, Suit.D: Denom.diamonds, Suit.C: Denom.clubs}
RANDOM = Random(5)
HANDS = [Hand.of(RANDOM.sample(ALL_CARDS, 13)) for _ in range(400)]

SAME = {
    "hcp": evaluate.hcp,
    "controls": evaluate.controls,
    "losers": evaluate.losers,
    "rule_of_20": evaluate.rule_of_n,
    "balanced": evaluate.is_balanced,
    "length_points": lambda hand: evaluate.dist_points(hand, evaluate.length_dist_scale),
    "top3": lambda hand: evaluate.top_honours(hand, 3),
    "honours": lambda hand: evaluate.top_honours(hand, 5),
    "one_suiter": lambda hand: evaluate.is_single_suited(hand, no_side_suit=True),
    "three_suiter": evaluate.is_three_suited,
}


@pytest.mark.parametrize("name", SAME)
def test_the_measure_is_the_same(name):
    for hand in HANDS:
        assert value(hand, name) == SAME[name](EndplayHand(str(hand))), str(hand)


def has_three_honours_with_nine_and_a_neighbour(hand: Hand) -> bool:
    """Where endplay counts the nine twice: its test for "neither ten nor eight" asks "not both"."""
    for suit in Suit:
        cards = hand.holding(suit)
        tops = sum(rank in cards for rank in "AKQJ")
        if 4 <= len(cards) <= 6 and "9" in cards and tops == 3 and ("T" in cards) != ("8" in cards):
            return True
    return False


def test_kaplan_and_rubens_count_is_the_same():
    for hand in HANDS:
        if not has_three_honours_with_nine_and_a_neighbour(hand):
            assert value(hand, "kaplan_rubens") == pytest.approx(evaluate.cccc(EndplayHand(str(hand)))), str(hand)


@pytest.mark.parametrize("trump", Suit)
def test_points_for_shortness_are_the_same(trump):
    for hand in HANDS:
        theirs = evaluate.dist_points(EndplayHand(str(hand)), exclude=[DENOMS[trump]])
        assert value(hand, f"short_points({trump})") == theirs
