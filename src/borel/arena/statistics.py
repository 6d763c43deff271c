"""Means with error bars, and a test that may be looked at after every board.

`Estimate` is for a number of boards that was fixed beforehand. Who looks at it after every board and stops when he
likes what he sees is fooled far more often than one time in twenty; `Sequence` is for that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, isfinite, log, sqrt
from statistics import NormalDist
from typing import Any

__all__ = ["Estimate", "Sequence"]

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of some values with its standard error.

    >>> print(Estimate.of([3, -1, 0, 5, 2, -4]))
    +0.83 ± 2.55 (95%)
    """

    count: int
    mean: float
    standard_error: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Estimate:
        """From the values themselves."""
        listed = list(values)
        count = len(listed)
        if count == 0:
            return cls(0, 0.0, inf)
        mean = sum(listed) / count
        if count == 1:
            return cls(1, mean, inf)
        variance = sum((value - mean) ** 2 for value in listed) / (count - 1)
        return cls(count, mean, sqrt(variance / count))

    def half_width(self, confidence: float = CONFIDENCE) -> float:
        """Half the width of the normal interval; it is too narrow below some thirty values."""
        return NormalDist().inv_cdf(0.5 + confidence / 2) * self.standard_error

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The interval around the mean."""
        half = self.half_width(confidence)
        return self.mean - half, self.mean + half

    def json(self) -> dict[str, Any]:
        """The estimate for programs; what is unknown is null."""
        low, high = self.interval()
        return {
            "mean": self.mean,
            "standard_error": finite(self.standard_error),
            "interval": [finite(low), finite(high)],
            "count": self.count,
        }

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.half_width():.2f} (95%)"


def finite(value: float) -> float | None:
    """A number that JSON can hold."""
    return value if isfinite(value) else None


@dataclass(frozen=True, slots=True)
class Sequence:
    """A confidence sequence: intervals after 1, 2, 3, ... boards that *all* hold the true mean with 95% probability.

    So a match may be stopped as soon as the interval leaves out zero, and the wrong side is named in at most 5% of
    matches however long they go on. It is the asymptotic sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas
    ("Time-uniform central limit theory and asymptotic confidence sequences", 2021), Robbins' normal mixture with the
    sample's own deviation. ``tuned_for`` is the number of boards at which it is tightest; ``least`` the boards before
    which nothing is concluded, because the deviation is not yet known.
    """

    alpha: float = 1 - CONFIDENCE
    tuned_for: int = 300
    least: int = 40

    def half_width(self, estimate: Estimate) -> float:
        """Half the width of the interval after the boards of the estimate."""
        n = estimate.count
        if n < self.least:
            return inf
        mixture = (-2 * log(self.alpha) + log(-2 * log(self.alpha)) + 1) / self.tuned_for  # rho squared
        deviation = estimate.standard_error * sqrt(n)
        grown = n * mixture + 1
        return deviation * sqrt(2 * grown / (n * n * mixture) * log(sqrt(grown) / self.alpha))

    def interval(self, estimate: Estimate) -> tuple[float, float]:
        """The interval after the boards of the estimate."""
        half = self.half_width(estimate)
        return estimate.mean - half, estimate.mean + half

    def is_decided(self, estimate: Estimate, *, margin: float = 0.0) -> bool:
        """Whether zero is left out; with a margin, also whether the difference is surely smaller than the margin."""
        low, high = self.interval(estimate)
        return low > 0 or high < 0 or (-margin < low and high < margin)


class Running:
    """A mean and deviation that take one value at a time (Welford), for looking after every board.

    >>> running = Running()
    >>> for value in [3, -1, 0, 5, 2, -4]:
    ...     running.add(value)
    >>> print(running.estimate)
    +0.83 ± 2.55 (95%)
    """

    def __init__(self) -> None:
        self.count, self.mean, self.squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        """Take one more value."""
        self.count += 1
        change = value - self.mean
        self.mean += change / self.count
        self.squares += change * (value - self.mean)

    @property
    def estimate(self) -> Estimate:
        """The estimate so far."""
        if self.count < 2:
            return Estimate(self.count, self.mean, inf)
        return Estimate(self.count, self.mean, sqrt(self.squares / (self.count - 1) / self.count))
