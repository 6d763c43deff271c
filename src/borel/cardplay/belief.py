"""Whether a player's calls are believed: not, when the cards that have been seen speak too strongly against them.

Calls are read by the system that a side discloses, and people have agreements that are not in it. Two explanations
compete: the calls mean what the system says, or they tell nothing. The cards seen decide between them by Bayes' rule:
if they make the calls much less likely than these were before any card was seen, the calls are not believed.

So declarer, who hears little from the defenders. A defender, who hears much, hedges: some of his layouts are dealt as
if a player's calls told nothing. He sees one hand of each pair; where its calls are not those of the system, its
partner's are doubted more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

import numpy as np

from borel.auction import Auction
from borel.cards import Hand, Seat
from borel.deal import Vulnerability
from borel.errors import ImpossibleError
from borel.sampling import Knowledge, knowledge_of
from borel.sampling.evidence import Evidence, evidence_of
from borel.sampling.limits import HandLimits
from borel.sampling.rules import RuleModel
from borel.view import BiddingView, PlayView, Systems

__all__ = ["disbelieved", "foreign", "model_of"]

FOREIGN = 0.05  # of the auctions of a pair are not by the system that is disclosed: a judgement, not a fit
# The same for a defender, if the hand that he sees of the pair made the calls of the system, and if it did not: from
# where the unseen cards really were (benchmarks/fit_belief.py; 0.2 and 0.4 do as well). What the cards seen say
# against the calls does not help there.
FINE, ODD = 0.15, 0.35
WHIM = 0.002  # the chance of a call that the system would not make
DRAWS = 128
SLACK = 1

Shown = Mapping[Seat, Sequence[HandLimits]]


def disbelieved(view: PlayView, shown: Shown) -> tuple[Seat, ...]:
    """The hidden seats whose calls do not go with the cards that were seen; none before the opening lead."""
    if not view.played:
        return ()
    knowledge = knowledge_of(view)
    evidence = evidence_of(view, model_of(view.systems), WHIM)
    found = []
    for seat in knowledge.hidden:
        now = _chance_of_calls(knowledge, evidence, seat, shown)
        before = _chance_before(view.seat, view.hand, view.auction, view.vulnerability, view.systems, seat)
        if now * (1 - FOREIGN) < before * FOREIGN:
            found.append(seat)
    return tuple(found)


def foreign(view: PlayView, seat: Seat) -> float:
    """How likely the calls of a seat hidden from a defender do not mean what the system says."""
    hand = view.hand if seat is view.seat.partner else view.dummy
    fine = hand is None or _by_the_system(hand, view.auction, view.vulnerability, view.systems, seat.partner)
    return FINE if fine else ODD


@lru_cache(maxsize=64)
def _by_the_system(hand: Hand, auction: Auction, vulnerability: Vulnerability, systems: Systems, seat: Seat) -> bool:
    """Whether a seat with this hand made the calls that its system makes with it."""
    model = model_of(systems)
    row = model.encode(np.array([hand.mask], np.uint64))
    return all(
        model.chance(row, Auction(auction.dealer, auction.calls[:i]), vulnerability, call)[0] > 0
        for i, call in enumerate(auction.calls)
        if auction.seat_of(i) is seat
    )


@lru_cache(maxsize=8)
def model_of(systems: Systems) -> RuleModel:
    """The model by which everybody's calls are read."""
    return RuleModel.of_view(systems)


@lru_cache(maxsize=64)
def _chance_before(
    own: Seat, hand: Hand, auction: Auction, vulnerability: Vulnerability, systems: Systems, seat: Seat
) -> float:
    """How likely a seat's calls were for a player who sees his own hand only."""
    view = BiddingView(own, hand, auction, vulnerability, systems=systems)
    model = model_of(systems)
    return _chance_of_calls(
        knowledge_of(view), evidence_of(view, model, WHIM), seat, model.shown(auction, vulnerability)
    )


def _chance_of_calls(knowledge: Knowledge, evidence: Evidence, seat: Seat, shown: Shown) -> float:
    """The chance of one seat's calls by hands within what they show, and by all others.

    The first may be rare and are drawn apart; the others make such calls by whim.
    """
    mine = replace(evidence, heard=tuple(heard for heard in evidence.heard if heard.seat is seat))
    if not mine.heard:
        return 1.0
    every = knowledge.layouts()
    within = knowledge.limited({seat: [limits.widened(SLACK) for limits in shown[seat]]}).layouts()
    share = min(1.0, within.count() / every.count()) if not every.is_empty else 0.0
    chances = [0.0, 0.0]
    for i, layouts in enumerate((within, every)):
        if not layouts.is_empty:
            with suppress(ImpossibleError):  # suit lengths fit, but never with the aces and kings asked for
                chances[i] = float(mine.weights(layouts.draw(DRAWS, seed=1)).mean())
    return share * chances[0] + (1 - share) * chances[1]
