"""Cards read by habit, and the position that showed the want of it."""

from random import Random

import numpy as np
import pytest
from test_judgement import view_at

from borel import Auction, Card, Contract, Deal, Hand, Play, PlayView, Seat, Suit
from borel.cardplay.agreements import STANDARD
from borel.cardplay.clock import Clock
from borel.cardplay.habit_weights import WEIGHTS
from borel.cardplay.habits import kind_and_notes, log_chance, read_habits
from borel.cardplay.hidden import HiddenHands
from borel.cardplay.moments import moments
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
    ("cards", "likely", "unlikely"),
    [
        ("D7 D2 DA DK", "K", "K9"),  # the nine would have been played under the ace
        ("D7 D2 D5 DK", "K6", "K96"),  # the nine wins as well
        ("D7 D2 DT D6", "96", "K6"),  # the king would have won
    ],
)
def test_cards_are_less_likely_from_holdings_that_would_have_played_another(cards, likely, unlikely):
    view, play = after(cards, deal=OTHER)
    assert factor(view, play, Seat.S, unlikely) < 0.4 * factor(view, play, Seat.S, likely)


def test_third_hand_plays_the_lowest_of_equals():
    view, play = after("D7 D2 DQ DK", Seat.W, OTHER)
    assert factor(view, play, Seat.E, "QJ5") < 0.4 * factor(view, play, Seat.E, "Q95")  # third hand high


def test_a_discard_is_likelier_from_length_than_from_a_guarded_honour():
    cards = "D7 D2 DA DK H4 H7 H8 H2 D6 D3 DQ C6"  # South, whose king was alone, throws a club on the third diamond
    view, play = after(cards)
    assert view.dummy is not None
    ((place, moment),) = [
        (i, turn)
        for i, turn in moments(view.contract, view.auction, play.cards, view.dummy, [Seat.S])
        if i == len(play.cards) - 1
    ]
    kind, notes = kind_and_notes(moment, follows=False)
    score = {
        holding: sum(WEIGHTS[kind].get(name, 0) for name in notes(moment, Suit.C, Hand.parse(f"...{holding}").mask)[4])
        for holding in ("K6", "T96")
    }
    assert place == 11
    assert kind == "discard, declarer"
    assert score["K6"] < score["T96"]


@pytest.mark.parametrize("cards", ["D7 D2 DA DK H4 H7 H8 H2", "D7 D2 DA DK H4 HA H8 H2 SA S2 S7 D5"])
def test_the_chances_of_all_cards_of_a_hand_add_up_to_one(cards):
    played = [Card.parse(card) for card in cards.split()]
    play = Play(DEAL, Contract.parse("4S by S"), tuple(played))
    for i, moment in moments(play.contract, Auction(Seat.S), play.cards, DEAL.hand(Seat.N), [Seat.E, Seat.S, Seat.W]):
        before = Play(DEAL, play.contract, play.cards[:i])
        hand = np.array([before.held(moment.seat).mask], np.uint64)
        chances = [np.exp(log_chance(moment, card, hand))[0] for card in before.legal_cards()]
        assert sum(chances) == pytest.approx(1)
