"""The last look: hands that partner can have keep us out of a misfit; what is sane, asked for or insisted on stays."""

from __future__ import annotations

import gc
from dataclasses import replace
from functools import cache
from random import Random
from weakref import ref

import numpy as np
import pytest

from borel.auction import Auction, Call
from borel.cards import Hand, Seat
from borel.deal import Vulnerability
from borel.policies.rules import RuleBidder
from borel.systems import Situation, load_system
from borel.systems.hand import features_of
from borel.systems.population import bank
from borel.view import BiddingView


@cache
def bidder(*, looks: bool = True) -> RuleBidder:
    system = load_system("sayc")
    if not looks:
        system = replace(system, switches=system.switches | {"last_look": (False, "")})
    return RuleBidder(system)


def decide(auction: str, hand: str, *, looks: bool = True) -> tuple[Call, str]:
    so_far = Auction.parse(Seat.N, auction)
    view = BiddingView(so_far.turn, Hand.parse(hand), so_far, Vulnerability.NONE)
    decision = bidder(looks=looks).decide(view, rng=Random(0))
    return decision.choice, decision.why


@pytest.mark.parametrize(
    ("auction", "hand", "rules", "looked"),
    [
        ("2D P 3C P 3D P", "AQ754.Q74..AKQ84", "P", "3NT"),  # a void in the suit that partner rebids
        ("1D P 2NT 3S P P X P 4H P", "Q95.J7.A632.AJ96", "P", "5D"),  # a doubleton in the suit partner bids at last
        ("P P P 1C 2S P P X P", "Q96.542.KJ96.JT7", "3D", "3C"),  # opener's own suit, not the longest
        ("3C 3H P 3S P", "7.AQT7432.JT54.A", "P", "4H"),  # seven good cards, one of partner's
        ("1NT P 4C P 4S X", "7.KQJ65432.AJT6.", "P", "5H"),  # partner's answer was doubled: it is no place to play
        ("1D 2NT P", "QJ98763.Q.K764.6", "3C", "3S"),  # a singleton in both suits that partner has shown
    ],
)
def test_a_misfit_is_left_for_a_better_place(auction, hand, rules, looked):
    assert str(decide(auction, hand, looks=False)[0]) == rules
    call, why = decide(auction, hand)
    assert str(call) == looked
    assert (why.startswith("last look")) == (rules != looked)


@pytest.mark.parametrize(
    ("auction", "hand"),
    [
        ("1S P 1NT P 3S P", "4.KJ542.Q872.J93"),  # seven trumps are enough
        ("3H P", "A754..KQ82.97653"),  # a preempt has seven cards
        ("1S 3D P P 3S P 4H P 4S P", ".J97432.K432.J76"),  # partner insists
        ("1S P 2S P 4S P", "J65.Q92.K873.654"),
        ("1S P 1NT 2H 2S P P 3H P 4D P", "A7.AQ9632.4.KQ98"),  # partner ran from hearts: he has long diamonds
    ],
)
def test_a_sane_end_stays(auction, hand):
    assert decide(auction, hand) == decide(auction, hand, looks=False)
    assert decide(auction, hand)[0] == Call.parse("P")


def test_a_slam_off_two_aces_is_not_bid():
    """Partner has shown no ace: a slam with one is stopped below, with three it is bid."""
    look = bidder().position(Auction.parse(Seat.N, "1S P 3S P 4NT P 5C P"), Vulnerability.NONE, Seat.N.side)._look
    slam, game = Call.parse("6S").index, Call.parse("5S").index
    assert look.revised(slam, features_of(Hand.parse("KQJ976.KQJ.KQ.AK").mask)) == game
    assert look.revised(slam, features_of(Hand.parse("AKJ976.KQJ.AK.AK").mask)) == slam


def test_batches_see_what_single_decisions_see():
    rows, changed = bank().features[:400], 0
    for text in (
        "2D P 3C P 3D P",
        "3C 3H P 3S P",
        "1S P 1NT P 3S P",
        "2S X P",
        "1H P 2D P 2H P",
        "1S P 3S P 4NT P 5C P",
    ):
        auction = Auction.parse(Seat.N, text)
        position = bidder().position(auction, Vulnerability.NONE, auction.turn.side)
        plain = bidder(looks=False).position(auction, Vulnerability.NONE, auction.turn.side)
        calls = position.calls_of_batch(rows)
        for row, mask in enumerate(bank().masks[:400]):
            options = position.choose(features_of(int(mask)))
            assert calls[row] == (options[0].call if options else -1)
        changed += int(np.count_nonzero(calls != plain.calls_of_batch(rows)))
    assert changed > 0


def test_a_point_that_was_looked_at_is_freed_when_it_is_let_go():
    """Reading makes no circles of objects, so long walks may do without a search for garbage (`clock.uncollected`)."""
    system = load_system("sayc")
    position = Situation((system, system)).start().follow(tuple(Call.parse(c).index for c in "1S P 3S P".split()))
    hands = bank().features[:200]
    position.calls_of_batch(hands)
    assert "_look" in vars(position)
    gc.disable()
    try:
        kept = ref(position)
        del position
        assert kept() is None
    finally:
        gc.enable()
