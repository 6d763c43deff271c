"""How far calls are believed: a defender thinks it likely that people do not bid by the system."""

from random import Random

import numpy as np
import pytest

from borel import Auction, Board, Call, Deal, Hand, Play, PlayView, Seat, Vulnerability
from borel.arena.table import Table
from borel.cardplay.belief import DOUBT, people
from borel.cardplay.hidden import HiddenHands, imagine
from borel.cardplay.monte_carlo import hedged
from borel.view import Systems

OPENER = "AQ84.K63.A75.A52"  # South's 1NT: 17 points
NORTH, EAST, WEST = "KJ3.Q84.K962.Q74", "95.AJ752.Q84.K83", "T762.T9.JT3.JT96"


DEAL = f"N:{NORTH} {EAST} {OPENER} {WEST}"


def view_at(seat: Seat, cards: str, hands: str = DEAL, calls: str = "1NT P 3NT P P P") -> PlayView:
    deal, auction = Deal.parse(hands), Auction.parse("S", calls)
    contract = auction.contract
    assert contract is not None
    play = Play(deal, contract)
    for card in cards.split():
        play = play.after(card)
    board = Board(deal, Seat.S, Vulnerability.NONE)
    return Table({}, {}, systems=Systems("sayc", "sayc")).play_view(board, auction, play, ("",) * len(auction), seat)


def view_after_the_lead(seat: Seat) -> PlayView:
    return view_at(seat, "CJ C4")


def points_of_opener(view: PlayView, layouts: int, doubts: dict[Seat, float] | None = None) -> np.ndarray:
    hidden = imagine(view, view.known_play(), layouts, rng=Random(1), doubts=doubts)
    points = np.array([Hand(int(row[Seat.S])).hcp for row in hidden.hands])
    return np.array([hidden.weights[points == n].sum() for n in range(41)])


def test_a_defender_imagines_hands_that_the_system_excludes_but_people_bid_so():
    """Opposite so many points 94% of the hands are out of 15 to 17, were it not for the calls; people open some 1NT."""
    view = view_after_the_lead(Seat.E)
    shares = {doubt: 1 - points_of_opener(view, 400, {Seat.S: doubt, Seat.W: 0.0})[15:18].sum() for doubt in (0.0, 1.0)}
    assert shares[0.0] < 0.1  # a call that the system would not make keeps a little of its weight
    assert 0.3 < shares[1.0] < 0.7
    hedged = 1 - points_of_opener(view, 400, dict.fromkeys((Seat.S, Seat.W), DOUBT))[15:18].sum()
    assert hedged == pytest.approx(DOUBT * shares[1.0] + (1 - DOUBT) * shares[0.0], abs=0.05)
    assert 1 - points_of_opener(view, 400)[15:18].sum() == pytest.approx(hedged, abs=1e-9)


@pytest.mark.parametrize("cards", ["", "S2 S3"])
def test_a_defender_whose_cards_contradict_declarers_calls_is_told_so(cards):
    """East, or West on lead, has so much that declarer cannot have fifteen points; the play goes on all the same."""
    strong, weak = "AKQ9.AKJ75.AKQ.K", "T762.T92.JT3.JT9"
    seat = Seat.E if cards else Seat.W
    hands = {seat: strong, seat.partner: weak, Seat.N: "J3.Q84.9642.Q743", Seat.S: "854.63.875.A8652"}
    view = view_at(seat, cards, "N:" + " ".join(hands[each] for each in Seat), "1NT P P P")
    hidden = imagine(view, view.known_play(), 30, rng=Random(1))
    assert len(hidden) > 0
    assert hidden.note.endswith("contradict one another: no hand goes with South's calls")
    usual = view_after_the_lead(Seat.E)
    assert not imagine(usual, usual.known_play(), 30, rng=Random(1)).note


def test_people_open_one_notrump_with_balanced_hands_of_some_fifteen_points():
    hands = ["AQ84.K63.A75.K52", "AQ84.K63.K75.Q52", "Q984.763.K75.Q52", "AQJ984.3.AK75.K2"]
    model, start = people(), Auction.parse("S", "")
    rows = model.encode(np.array([Hand.parse(hand).mask for hand in hands], np.uint64))
    strong, less, weak, wild = model.probabilities(rows, start, Vulnerability.NONE)[:, Call.parse("1NT").index]
    assert strong > 0.7
    assert 0.1 < less < strong  # fourteen points: some do
    assert max(weak, wild) < 0.1


def test_declarer_reads_defenders_by_the_system_alone():
    """What people bid was measured for defenders; a declarer believes a call or does not."""
    view = view_after_the_lead(Seat.S)
    assert view.seat is view.contract.declarer
    doubted = dict.fromkeys((Seat.E, Seat.W), 1.0)
    play = view.known_play()
    free = imagine(view, play, 50, rng=Random(1), doubts=doubted)
    assert np.ptp(free.weights) == pytest.approx(0)  # the calls tell nothing: every layout is as likely


def test_what_partner_says_counts_in_part_only():
    hidden = HiddenHands.of(np.zeros((2, 4), np.uint64), np.array([0.5, 0.5]))
    factors = hedged(hidden, np.array([0.9, 0.1]))
    assert factors[0] / factors[1] < 9
    assert factors.tolist() == pytest.approx([(1 - DOUBT) * 1.8 + DOUBT, (1 - DOUBT) * 0.2 + DOUBT])


def strange_openers(hidden: HiddenHands) -> np.ndarray:
    """Which layouts have an opener out of the system's 15 to 17 points."""
    return np.array([not 15 <= Hand(int(row[Seat.S])).hcp <= 17 for row in hidden.hands])


def test_whoever_leads_first_hedges_as_well():
    view = view_at(Seat.W, "")
    shares = {}
    for doubt in (0.0, 1.0):
        doubts = dict.fromkeys((Seat.N, Seat.E, Seat.S), doubt)
        hidden = imagine(view, view.known_play(), 200, rng=Random(1), doubts=doubts)
        shares[doubt] = hidden.chance(strange_openers(hidden))
    both = imagine(view, view.known_play(), 200, rng=Random(1))
    assert shares[0.0] < 0.05 < shares[1.0]
    assert shares[0.0] < both.chance(strange_openers(both)) < shares[1.0]


def test_the_layouts_that_come_first_are_a_fair_sample():
    """Time may end before all are solved: then those by the system must not be all that counts."""
    view = view_after_the_lead(Seat.E)
    hidden = imagine(view, view.known_play(), 400, rng=Random(1))
    first = hidden.rows(np.arange(len(hidden) // 4))
    assert first.chance(strange_openers(first)) == pytest.approx(hidden.chance(strange_openers(hidden)), abs=0.12)
