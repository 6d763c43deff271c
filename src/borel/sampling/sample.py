"""A sample of layouts with its weights, and how much it is worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.cards import Hand, Seat
from borel.deal import Deal
from borel.errors import ImpossibleError

__all__ = ["Sample", "effective_size"]


def effective_size(weights: NDArray[np.float64]) -> float:
    """(Σw)² / Σw²: the number of equally weighted layouts that would be worth as much.

    >>> effective_size(np.array([1.0, 1.0, 0.0, 2.0]))
    2.6666666666666665
    """
    squares = float((weights**2).sum())
    return float(weights.sum()) ** 2 / squares if squares else 0.0


@dataclass(frozen=True, slots=True)
class Sample:
    """Layouts of the four hands, and what it took to find them.

    ``inconsistency`` is zero for a layout in which everybody would have called as they did. Where nothing better was
    found within the limit it says how far off the nearest are: calls unexplained, or distance from what was shown.
    """

    hands: NDArray[np.uint64]  # [n, 4]: sets of cards, N E S W
    weights: NDArray[np.float64]  # [n], adding up to one
    inconsistency: NDArray[np.float64]  # [n]
    instances: int  # layouts generated to find these
    accepted: int  # of those, the ones that fit entirely
    seconds: float

    @classmethod
    def of(
        cls,
        hands: NDArray[np.uint64],
        weights: NDArray[np.float64],
        inconsistency: NDArray[np.float64],
        *,
        instances: int,
        accepted: int,
        seconds: float,
    ) -> Sample:
        """A sample whose weights are made to add up to one; an empty one is an error of its maker."""
        total = float(weights.sum())
        if not len(hands) or total <= 0:
            raise ImpossibleError("a sample has at least one layout of positive weight")
        return cls(hands, weights / total, inconsistency, instances, accepted, seconds)

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def is_consistent(self) -> bool:
        """Whether every layout explains every call."""
        return not self.inconsistency.any()

    @property
    def effective_size(self) -> float:
        """How many equally weighted layouts this sample is worth."""
        return effective_size(self.weights)

    def hand(self, seat: Seat) -> NDArray[np.uint64]:
        """[n]: one seat's hand in each layout."""
        return self.hands[:, seat]

    def deals(self) -> list[Deal]:
        """The layouts as deals."""
        return [Deal(tuple(Hand(int(mask)) for mask in row)) for row in self.hands]  # type: ignore[arg-type]

    def mean(self, values: NDArray[np.float64]) -> float:
        """The weighted mean of one value a layout."""
        return float(self.weights @ values)

    def standard_error(self, values: NDArray[np.float64]) -> float:
        """Of the weighted mean: √Σ w² (v - mean)², with the small-sample correction."""
        size = self.effective_size
        if size <= 1:
            return float("inf")
        spread = float((self.weights**2) @ (values - self.mean(values)) ** 2)
        return float(np.sqrt(spread * size / (size - 1)))

    def resampled(self, count: int, rng: Random) -> Sample:
        """So many layouts of equal weight, drawn in proportion to the weights (systematically: least noise)."""
        places = (np.arange(count) + rng.random()) / count
        rows = np.minimum(np.searchsorted(np.cumsum(self.weights), places, side="right"), len(self) - 1)
        return replace(
            self,
            hands=self.hands[rows],
            weights=np.full(count, 1 / count),
            inconsistency=self.inconsistency[rows],
        )

    def trimmed(self, count: int, rng: Random) -> Sample:
        """About so many layouts, none of them twice: light ones are dropped by lot and those kept made heavier.

        Rejection control (Liu, Chen and Wong 1998): a layout of weight w stays with probability min(1, w / c) and then
        weighs max(w, c), so that every mean stays unbiased.
        """
        if len(self) <= count:
            return self
        bar = threshold(self.weights, count)
        draws = np.array([rng.random() for _ in range(len(self))])
        kept = draws * bar < self.weights
        if not kept.any():
            kept[int(np.argmax(self.weights))] = True
        weights = np.maximum(self.weights[kept], bar)
        return replace(
            self,
            hands=self.hands[kept],
            weights=weights / weights.sum(),
            inconsistency=self.inconsistency[kept],
        )


def threshold(weights: NDArray[np.float64], count: int) -> float:
    """The c for which Σ min(1, w / c) is ``count``.

    >>> threshold(np.array([0.4, 0.2, 0.2, 0.2]), 2)
    0.5
    """
    ordered = np.sort(weights)[::-1]
    below = ordered[::-1].cumsum()[::-1]  # the weight of this one and of all lighter ones
    for heavy in range(min(count, len(ordered))):
        bar = float(below[heavy]) / (count - heavy)
        if bar >= ordered[heavy]:
            return bar
    return float(ordered[min(count, len(ordered)) - 1])
