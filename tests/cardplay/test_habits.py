"""The first tricks read by habit, and the position that showed the want of it."""

from random import Random

import numpy as np
import pytest
from test_judgement import view_at

from borel import Contract, Deal, Hand, Play, PlayView, Seat, Suit
from borel.cardplay.agreements import STANDARD
from borel.cardplay.clock import Clock
from borel.cardplay.habits import DEAR, DECLINED, WASTED, read_habits
from borel.cardplay.hidden import HiddenHands
from borel.cardplay.monte_carlo import imagined

DEAL = Deal.parse("N:QJT7.32.8432.AJ3 -.QJ654.AQJT5.Q98 AK43.AKT7.K.KT76 98652.98.976.542")
OTHER = Deal.parse("N:QJT7.32.8432.AJ3 -.QJ654.AQJT5.Q98 AK43.AKT7.K96.T7 98652.98.7.K6542")


def after(cards: str, seat: Seat = Seat.E, deal: Deal = DEAL) -> tuple[PlayView, Play]:
    play = Play(deal, Contract.parse("4S by S"))
    for card in cards.split():
        play = play.after(card)
    view = view_at(play, seat)
    return view, view.known_play()


def factor(view: PlayView, play: Play, seat: Seat, diamonds: str) -> float:
    """How likely the cards are if a hidden hand was dealt these diamonds."""
    hands = np.array([[DEAL.hand(s).mask for s in Seat]], np.uint64)
    hands[0, seat] = Hand.parse(f"..{diamonds}.").mask
    return float(read_habits(view, play, HiddenHands.of(hands, np.ones(1)))[0])


def test_a_king_that_falls_under_the_ace_was_alone():
    """The defender had played on diamonds as if declarer, who had dropped the king, were to follow again."""
    view, play = after("D7 D2 DA DK")
    alone = {}
    for agreements in (STANDARD, None):
        hidden = imagined(view, play, 300, clock=Clock(None), agreements=agreements, rng=Random(1))
        diamonds = hidden.held[:, Seat.S] >> np.uint64(13 * Suit.D) & np.uint64(0x1FFF)
        alone[agreements] = hidden.chance(diamonds == 0)
    assert alone[None] < 0.3
    assert alone[STANDARD] > 0.4


@pytest.mark.parametrize(
    ("cards", "seat", "diamonds", "expected"),
    [
        ("D7 D2 DA DK", Seat.S, "K", 1.0),
        ("D7 D2 DA DK", Seat.S, "K9", WASTED),
        ("D7 D2 D5 DK", Seat.S, "K96", DEAR),  # the nine wins as well
        ("D7 D2 D5 DK", Seat.S, "K6", 1.0),
        ("D7 D2 DT D6", Seat.S, "K6", DECLINED),
        ("D7 D2 DT D6", Seat.S, "96", 1.0),
    ],
)
def test_cards_are_less_likely_from_holdings_that_would_have_played_another(cards, seat, diamonds, expected):
    view, play = after(cards, deal=OTHER)
    assert factor(view, play, seat, diamonds) == pytest.approx(expected)


def test_third_hand_plays_the_lowest_of_equals():
    view, play = after("D7 D2 DQ DK", Seat.W, OTHER)
    assert factor(view, play, Seat.E, "QJ5") == pytest.approx(DEAR)
    assert factor(view, play, Seat.E, "Q95") == pytest.approx(1.0)  # third hand high
