"""Comparing candidates on common layouts: IMPs or matchpoints, paired differences, and when enough is enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from borel.auction import Call
from borel.scoring import _IMP_STEPS, Scoring

__all__ = ["Comparison", "gains", "imps_of"]

FEW = 16.0  # layouts: with so many, twice the trust is asked for
_STEPS = np.array(_IMP_STEPS, dtype=np.float64)


def imps_of(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """IMPs for differences in points, whatever the shape (Law 78B).

    >>> imps_of(np.array([430.0, 10.0, -4000.0])).tolist()
    [10.0, 0.0, -24.0]
    """
    return np.asarray(np.sign(differences) * np.searchsorted(_STEPS, np.abs(differences), side="right"))


def gains(scoring: Scoring, ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> NDArray[np.float64]:
    """What one row of points gains on another: IMPs, or 1, 0 and -1 for a comparison won, tied or lost."""
    if scoring is Scoring.IMPS:
        return imps_of(ours - theirs)
    if scoring is Scoring.MATCHPOINTS:
        return np.asarray(np.sign(ours - theirs), dtype=np.float64)
    return ours - theirs


@dataclass(slots=True)
class Comparison:
    """Points of each candidate in each layout, [candidates, layouts], and the weights of the layouts.

    ``strange``: how many margins more than one a call must be better by, for partner would hardly expect it.
    """

    calls: list[Call]
    points: NDArray[np.float64]
    weights: NDArray[np.float64]
    scoring: Scoring
    strange: Mapping[Call, float] = field(default_factory=dict)

    @property
    def size(self) -> float:
        """How many layouts of equal weight this is worth."""
        return float(self.weights.sum() ** 2 / (self.weights**2).sum())

    def drop(self, i: int) -> None:
        """Leave a candidate out from now on."""
        del self.calls[i]
        self.points = np.delete(self.points, i, axis=0)

    def mean(self, values: NDArray[np.float64]) -> float:
        """The weighted mean of a value a layout."""
        return float(values @ self.weights / self.weights.sum())

    def error(self, values: NDArray[np.float64]) -> float:
        """The standard error of that mean."""
        weights = self.weights / self.weights.sum()
        spread = float((weights**2) @ (values - values @ weights) ** 2)
        return float(np.sqrt(spread * self.size / max(self.size - 1, 1e-9)))

    def expected_points(self, i: int) -> tuple[float, float]:
        """A candidate's mean score and its standard error."""
        return self.mean(self.points[i]), self.error(self.points[i])

    def value(self, i: int) -> tuple[float, float]:
        """A candidate's gain against the datum, the mean of all candidates in each layout; with its standard error."""
        gained = gains(self.scoring, self.points[i], self.points.mean(axis=0))
        return self.mean(gained), self.error(gained)

    def against(self, i: int, j: int) -> tuple[float, float]:
        """What candidate i gains on j, layout by layout, and its standard error: far smaller than of separate means."""
        gained = gains(self.scoring, self.points[i], self.points[j])
        return self.mean(gained), self.error(gained)

    def share_best(self, i: int) -> float:
        """In how many of the layouts, by weight, no other candidate scores more; ties count for all who share them."""
        return self.mean((self.points[i] >= self.points.max(axis=0)).astype(np.float64))

    def leader(self, margin: float, trust: float) -> int:
        """The candidate to choose: the first (the rules' own) unless another is better by a margin and surely so.

        More is asked of few layouts: their error is hardly known, and the best of several is looked at. (In a match of
        620 boards decided mostly on 16 layouts, leads of less than two errors gained -0.2 ± 1.3 IMPs: nothing to see.)
        """
        best, lead = 0, 0.0
        trust *= 1 + FEW / self.size
        for i in range(1, len(self.calls)):
            mean, error = self.against(i, 0)
            if mean - trust * error > self.needed(i, margin) and mean > lead:
                best, lead = i, mean
        return best

    def needed(self, i: int, margin: float) -> float:
        """By how much candidate i must be better than the first."""
        return margin * (1 + self.strange.get(self.calls[i], 0.0))

    def is_clear(self, margin: float, sure: float = 2.5) -> bool:
        """Whether more layouts would hardly change the choice: every rival is clearly behind, or surely no better."""
        leader = self.leader(margin, 0.0)
        for i in range(len(self.calls)):
            if i == leader:
                continue
            mean, error = self.against(leader, i)
            ahead = self.needed(leader, margin) if i == 0 else -self.needed(i, margin)
            if mean - sure * error <= ahead:
                return False
        return True
