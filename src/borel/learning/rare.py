"""Rare auctions, which hardly come up in dealt boards, so that a network learns every rule of its system.

The tree of auctions is walked with companies of hands instead of boards: each seat has the hands that would have bid as
it has. Passes are followed as often as hands make them (or every auction would be contested), other calls the more
often the less their rules have been heard. A walk has a budget of points to read; each branch gets its part of what is
left, and where that is only enough for one auction, one is followed to its end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.bidding.tables import LONGEST, Tables
from borel.learning.other_hands import OtherHands
from borel.sampling.rules import last_resort
from borel.systems import Position, Situation, System
from borel.systems.errors import Place
from borel.systems.hand import features_of_batch

__all__ = ["ENOUGH", "RareAuctions"]

Rows = NDArray[np.int64]
Company = tuple[Rows, Rows, Rows, Rows]
ENOUGH = 500  # times that every rule is to be heard
ASKED = 32  # hands asked about at one point of an auction, at most
ONE_AUCTION = 12.0  # points: what it takes to follow one to its end
FEWEST, PER_POINT = 4096, 64  # hands that are looked at with a budget of one point, and for each point more


@dataclass
class RareAuctions:
    """Answers of a system at points of auctions chosen for their rules; ``heard`` counts how often each rule spoke."""

    system: System
    heard: Counter[Place] = field(default_factory=Counter)
    _points: list[tuple[tuple[bool, bool], tuple[int, ...]]] = field(default_factory=list)
    _answers: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = field(default_factory=list)

    def walk(self, hands: NDArray[np.uint64], points: int, rng: np.random.Generator) -> OtherHands:
        """Read about so many points with a stock of hands; what was heard there."""
        stock = _Stock(hands, features_of_batch(hands, wide=self.system.wide), rng)
        everyone = np.arange(len(hands))
        self._points, self._answers = [], []
        for vulnerable in ((False, False), (True, False), (False, True), (True, True)):
            start = Situation((self.system, self.system), vulnerable).start()
            company = tuple(rng.permutation(everyone) for _ in range(4))
            self._go_on(start, vulnerable, (), company, points / 4, stock)  # type: ignore[arg-type]
        return self._collected()

    def _go_on(
        self,
        position: Position,
        vulnerable: tuple[bool, bool],
        calls: tuple[int, ...],
        company: Company,
        budget: float,
        stock: _Stock,
    ) -> None:
        turn = len(calls) % 4
        along = company[turn][: int(FEWEST + PER_POINT * budget)]
        chosen, options = position.options_of_batch(stock.features[along])
        made = np.array([*(option.call for option in options), last_resort(position)])[chosen]
        made = np.where(_legal(calls)[made], made, 0)
        rules = [option.rule.place for option in options]
        self._ask(stock, along, chosen, made, rules)
        self._points.append((vulnerable, calls))
        for call, share in self._branches(chosen, made, rules, budget - 1, stock.rng):
            following, seats = (*calls, call), [*company]
            seats[turn] = along[made == call]
            if len(following) < LONGEST and not _is_over(following) and len(seats[len(following) % 4]):
                self._go_on(position.after(call), vulnerable, following, tuple(seats), share, stock)  # type: ignore[arg-type]
                position._after.clear()

    def _branches(
        self, chosen: Rows, made: Rows, rules: list[Place], budget: float, rng: np.random.Generator
    ) -> list[tuple[int, float]]:
        """The calls to follow, each with its part of the budget; what is enough for one auction only is drawn for."""
        times = np.array([*(self.heard[rule] for rule in rules), ENOUGH])
        bids = np.bincount(made, (made > 0) / np.sqrt(1 + times[chosen]), minlength=38)
        weights = bids * (np.mean(made > 0) / max(bids.sum(), 1e-9))
        weights[0] = max(0.0, 1 - weights.sum())
        weights /= weights.sum()
        if budget < ONE_AUCTION:
            return [(int(rng.choice(38, p=weights)), 0.0)]
        shares = budget * weights
        taken = np.flatnonzero(rng.random(38) < shares / ONE_AUCTION)
        return [(int(call), max(float(shares[call]), ONE_AUCTION)) for call in taken]

    def _ask(self, stock: _Stock, along: Rows, chosen: Rows, made: Rows, rules: list[Place]) -> None:
        """Note down what the rules say with some of the hands, rarer rules more often than they come."""
        if len(along) > ASKED:
            times = np.array([*(self.heard[rule] for rule in rules), ENOUGH])
            chances = 1 / np.sqrt(np.bincount(chosen + 1)[chosen + 1] * (1 + times[chosen]))
            some = stock.rng.choice(len(along), ASKED, replace=False, p=chances / chances.sum())
            along, chosen, made = along[some], chosen[some], made[some]
        self.heard.update(rules[i] for i in chosen if i >= 0)
        self._answers.append((stock.hands[along], made))

    def _collected(self) -> OtherHands:
        count = len(self._points)
        points = Tables.start(
            np.zeros((count, 4), np.uint64),
            np.zeros(count, np.int8),
            np.array([vulnerable for vulnerable, _ in self._points], dtype=np.bool_).reshape(-1, 2),
        )
        for row, (_, calls) in enumerate(self._points):
            points.calls[row, : len(calls)] = calls
            points.lengths[row] = len(calls)
        places = np.repeat(np.arange(count), [len(hands) for hands, _ in self._answers])
        hands = np.concatenate([*(hands for hands, _ in self._answers), np.zeros(0, np.uint64)])
        answers = np.concatenate([*(made for _, made in self._answers), np.zeros(0, np.int64)])
        return OtherHands(points, places, hands, answers.astype(np.uint8))


@dataclass(frozen=True, slots=True)
class _Stock:
    hands: NDArray[np.uint64]
    features: NDArray[np.float32]
    rng: np.random.Generator


def _legal(calls: tuple[int, ...]) -> NDArray[np.bool_]:
    legal: NDArray[np.bool_] = _core.legal_calls(np.array([[*calls, 0]], np.uint8), np.array([len(calls)], np.int32))[0]
    return legal


def _is_over(calls: tuple[int, ...]) -> bool:
    """Three passes in a row after some call (Law 22)."""
    return len(calls) > 3 and not any(calls[-3:])
