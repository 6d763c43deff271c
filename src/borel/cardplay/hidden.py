"""The hidden hands as a card player imagines them: dealt in agreement with the auction and the cards played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.cardplay.belief import disbelieved, model_of
from borel.cardplay.clock import Clock
from borel.cards import DECK, Seat
from borel.decision import Limit
from borel.errors import ImpossibleError
from borel.play import Play
from borel.sampling import Knowledge, Sample, directed, effective_size, knowledge_of
from borel.view import PlayView

__all__ = ["REVOKE", "HiddenHands", "hidden_seats", "imagine"]

FLOOR = 0.02  # people bid oddly: a call that the system would not make keeps this much of its weight
INSTANCES = 3_000  # layouts generated for one decision at most, about a tenth of a second
LEAD_INSTANCES = 12_000  # with three hands hidden few layouts explain every call, and each takes long to solve
LEAST_EFFECTIVE = 8.0  # layouts that a sample should be worth, else calls are read less strictly
CONTRADICTION = "the auction and the play contradict one another: no call is believed"
REVOKE = "no layout fits the cards played (a revoke?): suits shown out of are disbelieved"
SHARE = 0.25  # of the time, at most, for dealing


@dataclass(frozen=True, slots=True)
class HiddenHands:
    """Layouts of the cards, uint64[n, 4], with weights that add up to one.

    ``hands`` are as dealt, ``held`` are the cards not yet played; ``note`` says what had to be disbelieved.
    """

    hands: NDArray[np.uint64]
    held: NDArray[np.uint64]
    weights: NDArray[np.float64]
    note: str = ""

    @classmethod
    def of(
        cls, hands: NDArray[np.uint64], weights: NDArray[np.float64], played: int = 0, note: str = ""
    ) -> HiddenHands:
        """Layouts as dealt, of which some cards have been played since."""
        left = np.uint64(DECK & ~played)
        return cls(hands, np.ascontiguousarray(hands & left), weights / weights.sum(), note)

    def __len__(self) -> int:
        return len(self.weights)

    def chance(self, where: NDArray[np.bool_]) -> float:
        """The weight of some of the layouts."""
        return float(self.weights[where].sum())

    def weighted(self, factors: NDArray[np.float64]) -> HiddenHands:
        """With every weight multiplied; factors that leave nothing are not believed."""
        weights = self.weights * factors
        total = float(weights.sum())
        return replace(self, weights=weights / total) if total > 0 else self

    def rows(self, chosen: NDArray[np.int64]) -> HiddenHands:
        """Some of the layouts, in this order."""
        weights = self.weights[chosen]
        held = np.ascontiguousarray(self.held[chosen])
        return HiddenHands(self.hands[chosen], held, weights / weights.sum(), self.note)

    def trimmed(self, count: int, rng: Random) -> HiddenHands:
        """About so many layouts: light ones are dropped by lot, and those kept made heavier, so means stay unbiased."""
        if len(self) <= count:
            return self
        n = len(self)
        sample = Sample(self.hands, self.weights, np.arange(n, dtype=np.float64), n, n, 0.0).trimmed(count, rng)
        kept = sample.inconsistency.astype(np.int64)  # carries the row numbers
        return HiddenHands(self.hands[kept], np.ascontiguousarray(self.held[kept]), sample.weights, self.note)


def imagine(view: PlayView, play: Play, layouts: int, *, rng: Random, clock: Clock | None = None) -> HiddenHands:
    """So many layouts that agree with the cards played and, as far as the systems are known, with the auction."""
    clock = clock or Clock(None)
    note = ""
    try:
        hands, weights, note = _agreeing(view, layouts, rng, clock)
    except ImpossibleError:
        hands, weights = _uniform(_without_show_outs(view), layouts, rng)
        note = REVOKE
    return HiddenHands.of(hands, weights, sum(card.mask for card in play.cards), note).trimmed(layouts, rng)


Agreeing = tuple[NDArray[np.uint64], NDArray[np.float64], str]


def _agreeing(view: PlayView, layouts: int, rng: Random, clock: Clock) -> Agreeing:
    """By the auction where both systems are known, else by the cards alone."""
    if not (view.systems.ns and view.systems.ew and len(view.auction)):
        return (*_uniform(knowledge_of(view), layouts, rng), "")
    model = model_of(view.systems)
    shown = model.shown(view.auction, view.vulnerability)
    odd = disbelieved(view, shown)
    seats = [seat for seat in Seat if seat not in odd]
    instances = INSTANCES if view.played else LEAD_INSTANCES
    limit = Limit(instances=instances, seconds=None if clock.seconds is None else SHARE * clock.seconds)
    try:
        sample = directed(
            view, dict.fromkeys(seats, model), layouts=layouts, shown={seat: shown[seat] for seat in seats},
            limit=limit, floor=FLOOR, slack=1, rng=rng,
        )  # fmt: skip
    except ImpossibleError:  # what was bid cannot be held together with what was played: the cards are believed
        return (*_uniform(knowledge_of(view), layouts, rng), CONTRADICTION)
    return sample.hands, tempered(sample.weights), _odd_calls(odd)


def tempered(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights made more alike, as little as it takes that the sample does not hang on a handful of layouts.

    >>> tempered(np.array([1.0, *[0.001] * 40])).round(3)[:2].tolist()
    [0.284, 0.018]
    """
    for power in (1.0, 0.8, 0.6, 0.4, 0.2):
        changed = weights**power
        if effective_size(changed) >= min(LEAST_EFFECTIVE, len(weights) / 2):
            break
    return np.asarray(changed / changed.sum())


def _odd_calls(seats: tuple[Seat, ...]) -> str:
    """What is said of players whose calls do not go with the cards that were seen."""
    if not seats:
        return ""
    names = " and ".join(f"{seat.word}'s" for seat in seats)
    return f"the auction and the play contradict one another: {names} calls are not believed"


def _uniform(knowledge: Knowledge, layouts: int, rng: Random) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Layouts that the cards played allow, each as likely as another."""
    hands = knowledge.layouts().draw(layouts, rng.getrandbits(64))
    return hands, np.full(len(hands), 1 / len(hands))


def _without_show_outs(view: PlayView) -> Knowledge:
    """The cards that were seen, and nothing else."""
    return Knowledge.of(view.known_play().deal)


def hidden_seats(view: PlayView) -> tuple[Seat, ...]:
    """The seats whose cards the player does not see."""
    seen = {view.seat} | ({view.contract.dummy} if view.dummy is not None else set())
    return tuple(seat for seat in Seat if seat not in seen)
