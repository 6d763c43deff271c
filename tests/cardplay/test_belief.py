"""How far calls are believed: a defender hedges, the more so where a hand that he sees did not bid by the system."""

from random import Random

import numpy as np
import pytest

from borel import Auction, Board, Deal, Hand, Play, PlayView, Seat, Vulnerability
from borel.arena.table import Table
from borel.cardplay.belief import FINE, ODD, foreign
from borel.cardplay.hidden import imagine
from borel.view import Systems

OPENER = "AQ84.K63.A75.A52"  # South's 1NT: 17 points
WEST, EAST = "T762.T9.JT3.JT96", "95.AJ752.Q84.K83"
BY_THE_SYSTEM, TOO_WEAK = "KJ3.Q84.K962.Q74", "KJ3.QT4.9862.Q74"  # North's raise to three notrump


def view_after_the_lead(seat: Seat, dummy: str = BY_THE_SYSTEM) -> PlayView:
    west = WEST if dummy == BY_THE_SYSTEM else "T762.98.KJT.JT96"
    east = EAST if dummy == BY_THE_SYSTEM else "95.AJ752.Q43.K83"
    deal = Deal.parse(f"N:{dummy} {east} {OPENER} {west}")
    auction = Auction.parse("S", "1NT P 3NT P P P")
    contract = auction.contract
    assert contract is not None
    play = Play(deal, contract).after("CJ").after("C4")
    board = Board(deal, Seat.S, Vulnerability.NONE)
    return Table({}, {}, systems=Systems("sayc", "sayc")).play_view(board, auction, play, ("",) * 6, seat)


def points_of_opener(view: PlayView, layouts: int, doubts: dict[Seat, float] | None = None) -> np.ndarray:
    hidden = imagine(view, view.known_play(), layouts, rng=Random(1), doubts=doubts)
    points = np.array([Hand(int(row[Seat.S])).hcp for row in hidden.hands])
    return np.array([hidden.weights[points == n].sum() for n in range(41)])


def test_calls_are_doubted_more_where_the_hand_that_is_seen_did_not_bid_by_the_system():
    fine, odd = view_after_the_lead(Seat.E), view_after_the_lead(Seat.E, TOO_WEAK)
    assert (foreign(fine, Seat.S), foreign(fine, Seat.W)) == (FINE, FINE)
    assert (foreign(odd, Seat.S), foreign(odd, Seat.W)) == (ODD, FINE)  # East's own passes are as they should be


def test_a_defender_imagines_some_hands_that_the_calls_exclude():
    """Half of South's points are out of 15 to 17 when the opening says nothing; believed, hardly any."""
    view = view_after_the_lead(Seat.E)
    shares = {doubt: 1 - points_of_opener(view, 400, {Seat.S: doubt, Seat.W: 0.0})[15:18].sum() for doubt in (0.0, 1.0)}
    assert shares[0.0] < 0.1  # a call that the system would not make keeps a little of its weight
    assert shares[1.0] > 0.4
    hedged = 1 - points_of_opener(view, 400)[15:18].sum()
    assert hedged == pytest.approx(FINE * shares[1.0] + (1 - FINE) * shares[0.0], abs=0.05)
    assert 1 - points_of_opener(view_after_the_lead(Seat.E, TOO_WEAK), 400)[15:18].sum() > hedged
