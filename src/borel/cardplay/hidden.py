"""The hidden hands as a card player imagines them: dealt in agreement with the auction and the cards played."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.cards import DECK, Seat
from borel.decision import Limit
from borel.play import Play
from borel.sampling import Knowledge, directed, knowledge_of
from borel.sampling.rules import RuleModel
from borel.view import PlayView

__all__ = ["HiddenHands", "imagine"]

FLOOR = 0.02  # people bid oddly: a call that the system would not make keeps this much of its weight
INSTANCES = 6_000  # layouts generated for one decision; a sample of 50 seldom needs as many


@dataclass(frozen=True, slots=True)
class HiddenHands:
    """Layouts of the cards still held, uint64[n, 4], with weights that add up to one."""

    held: NDArray[np.uint64]
    weights: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.weights)

    def chance(self, where: NDArray[np.bool_]) -> float:
        """The weight of some of the layouts."""
        return float(self.weights[where].sum())


def imagine(view: PlayView, play: Play, layouts: int, *, rng: Random) -> HiddenHands:
    """So many layouts that agree with the cards played and, as far as the systems are known, with the auction."""
    if view.systems.ns and view.systems.ew and len(view.auction):
        model = RuleModel.of_view(view.systems)
        shown = model.shown(view.auction, view.vulnerability)
        sample = directed(
            view, model, layouts=layouts, shown=shown, limit=Limit(instances=INSTANCES), floor=FLOOR, slack=1, rng=rng
        ).trimmed(layouts, rng)
        hands, weights = sample.hands, sample.weights
    else:
        hands, weights = _uniform(knowledge_of(view), layouts, rng)
    played = np.uint64(DECK & ~sum(card.mask for card in view.played))
    return HiddenHands(np.ascontiguousarray(hands & played), weights)


def _uniform(knowledge: Knowledge, layouts: int, rng: Random) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Layouts that the cards played allow, each as likely as another."""
    hands = knowledge.layouts().draw(layouts, rng.getrandbits(64))
    return hands, np.full(len(hands), 1 / len(hands))


def hidden_seats(view: PlayView) -> tuple[Seat, ...]:
    """The seats whose cards the player does not see."""
    seen = {view.seat} | ({view.contract.dummy} if view.dummy is not None else set())
    return tuple(seat for seat in Seat if seat not in seen)
