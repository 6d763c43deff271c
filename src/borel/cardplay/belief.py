"""Whether a player's calls are believed: not, when the cards that have been seen speak too strongly against them.

Calls are read by the system that a side discloses, and people have agreements that are not in it. Two explanations
compete: the calls mean what the system says, or they tell nothing. The cards seen decide between them by Bayes' rule:
if they make the calls much less likely than these were before any card was seen, the calls are not believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from borel.auction import Auction
from borel.cards import Hand, Seat
from borel.deal import Vulnerability
from borel.errors import ImpossibleError
from borel.sampling import Knowledge, knowledge_of
from borel.sampling.evidence import Evidence, evidence_of
from borel.sampling.limits import HandLimits
from borel.sampling.rules import RuleModel
from borel.view import BiddingView, PlayView, Systems

__all__ = ["disbelieved", "model_of"]

FOREIGN = 0.05  # of the auctions of a pair are not by the system that is disclosed: a judgement, not a fit
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
    """The chance of one seat's calls: how many layouts are within what they show, and how many of those bid so."""
    mine = replace(evidence, heard=tuple(heard for heard in evidence.heard if heard.seat is seat))
    if not mine.heard:
        return 1.0
    within = knowledge.limited({seat: [limits.widened(SLACK) for limits in shown[seat]]}).layouts()
    if within.is_empty:
        return WHIM
    share = min(1.0, within.count() / knowledge.layouts().count())
    try:
        chances = mine.weights(within.draw(DRAWS, seed=1))
    except ImpossibleError:
        return WHIM
    return share * float(chances.mean()) + (1 - share) * WHIM
