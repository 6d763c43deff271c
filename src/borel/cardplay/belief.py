"""Whether a player's calls are believed: not, when the cards that have been seen speak too strongly against them.

Calls are read by the system that a side discloses, and people have agreements that are not in it. Two explanations
compete: the calls mean what the system says, or they tell nothing. The cards seen decide between them by Bayes' rule:
if they make the calls much less likely than these were before any card was seen, the calls are not believed.

So declarer, who hears little from the defenders. A defender, who hears much, hedges: many of his layouts are dealt as
if a player bid as people do, not as the system says. How people bid is a network tuned on experts' auctions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from borel.auction import Auction, Call
from borel.cards import Hand, Seat
from borel.deal import Vulnerability
from borel.decision import CallModel
from borel.errors import ImpossibleError
from borel.policies.network import load_network
from borel.policies.neural import NeuralModel
from borel.sampling import Knowledge, knowledge_of
from borel.sampling.evidence import Evidence, evidence_of
from borel.sampling.limits import HandLimits
from borel.sampling.rules import RuleModel
from borel.view import BiddingView, PlayView, Systems

__all__ = ["DOUBT", "WithFloor", "contradicted", "disbelieved", "model_of", "people"]

FOREIGN = 0.05  # of the auctions of a pair are not by the system that is disclosed: a judgement, not a fit
# How likely a hidden player bids as people do, for a defender: from where the unseen cards really were, of experts and
# of WBridge5, which bids by the system (benchmarks/fit_belief.py; what is seen of his partner's bidding does not help).
DOUBT = 0.7
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


def contradicted(view: PlayView, shown: Shown) -> tuple[Seat, ...]:
    """The hidden seats that can have no hand, not even a point or a card apart, which goes with their calls."""
    knowledge = knowledge_of(view)
    found = []
    for seat in knowledge.hidden:
        near = [limits.widened(SLACK) for limits in shown[seat]]
        if knowledge.limited({seat: near}).layouts().is_empty:
            found.append(seat)
    return tuple(found)


@cache
def people() -> CallModel:
    """How people bid, whatever they have agreed on (benchmarks/fit_people.py)."""
    with as_file(files("borel.cardplay").joinpath("people.safetensors")) as found:
        return NeuralModel(load_network(found))


@dataclass(frozen=True, slots=True)
class WithFloor:
    """A system's player who makes any call now and then."""

    model: RuleModel
    floor: float

    def encode(self, hands: NDArray[np.uint64]) -> NDArray[np.float32]:
        """[n, features]: as the system's."""
        return self.model.encode(hands)

    def probabilities(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability
    ) -> NDArray[np.float64]:
        """[n, 38]: no call is less likely than the floor."""
        return np.maximum(self.model.probabilities(rows, auction, vulnerability), self.floor)

    def chance(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability, call: Call
    ) -> NDArray[np.float64]:
        """[n]: the same for one call."""
        return np.maximum(self.model.chance(rows, auction, vulnerability, call), self.floor)


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
