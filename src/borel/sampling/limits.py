"""What a hidden hand may be, as ranges of its suit lengths and high-card points: what a call by agreement shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel.cards import Hand, Suit

__all__ = ["ANY_HAND", "HandLimits", "nearest"]

Range = tuple[int, int]
_ANY_LENGTHS: tuple[Range, Range, Range, Range] = ((0, 13), (0, 13), (0, 13), (0, 13))


@dataclass(frozen=True, slots=True)
class HandLimits:
    """Ranges, both ends included: lengths in the order C D H S, and high-card points.

    >>> notrump = HandLimits.of(hcp=(15, 17), C=(2, 5), D=(2, 5), H=(2, 5), S=(2, 5))
    >>> notrump.admits(Hand.parse("AQ5.KJ92.K7.A1043")), notrump.admits(Hand.parse("AQ5.KJ92.7.AK1043"))
    (True, False)
    >>> print(notrump)
    15-17 hcp, 2-5 ♠, 2-5 ♥, 2-5 ♦, 2-5 ♣
    """

    lengths: tuple[Range, Range, Range, Range] = _ANY_LENGTHS
    hcp: Range = (0, 37)

    @classmethod
    def of(cls, *, hcp: Range = (0, 37), **lengths: Range) -> HandLimits:
        """Limits by the letters of the suits: ``HandLimits.of(S=(5, 13), hcp=(12, 21))``."""
        c, d, h, s = (lengths.get(suit.name, (0, 13)) for suit in Suit)
        return cls((c, d, h, s), hcp)

    @property
    def is_empty(self) -> bool:
        """Whether no hand can satisfy the ranges."""
        shortest, longest = sum(low for low, _ in self.lengths), sum(high for _, high in self.lengths)
        return shortest > 13 or longest < 13 or any(low > high for low, high in (*self.lengths, self.hcp))

    def admits(self, hand: Hand) -> bool:
        """Whether a hand is within every range."""
        lengths = zip(hand.lengths, self.lengths, strict=True)
        return all(low <= n <= high for n, (low, high) in lengths) and self.hcp[0] <= hand.hcp <= self.hcp[1]

    def both(self, other: HandLimits) -> HandLimits:
        """The hands within both limits."""
        c, d, h, s = ((max(a, c), min(b, d)) for (a, b), (c, d) in zip(self.lengths, other.lengths, strict=True))
        return HandLimits((c, d, h, s), (max(self.hcp[0], other.hcp[0]), min(self.hcp[1], other.hcp[1])))

    def widened(self, slack: int) -> HandLimits:
        """Every range longer at both ends: room for the whims of people."""
        c, d, h, s = ((max(0, a - slack), min(13, b + slack)) for a, b in self.lengths)
        return HandLimits((c, d, h, s), (max(0, self.hcp[0] - slack), min(37, self.hcp[1] + slack)))

    def numbers(self) -> list[int]:
        """The ten numbers that the core reads: shortest, longest (C D H S), fewest and most points."""
        return [*(low for low, _ in self.lengths), *(high for _, high in self.lengths), *self.hcp]

    def distances(self, numbers: NDArray[np.int8]) -> NDArray[np.int64]:
        """[n]: how many cards and points each hand is outside the ranges; ``numbers`` are of `_core.hand_numbers`."""
        low = np.array([*(low for low, _ in self.lengths), self.hcp[0]])
        high = np.array([*(high for _, high in self.lengths), self.hcp[1]])
        outside = np.maximum(low - numbers, 0) + np.maximum(numbers - high, 0)
        return np.asarray(outside.sum(axis=1), dtype=np.int64)

    def __str__(self) -> str:
        parts = [f"{_range(self.hcp, 37)} hcp"] if self.hcp != (0, 37) else []
        ranges = zip(reversed(Suit), reversed(self.lengths), strict=True)
        parts += [f"{_range(lengths, 13)} {suit.symbol}" for suit, lengths in ranges if lengths != (0, 13)]
        return ", ".join(parts) or "any hand"


ANY_HAND = HandLimits()


def _range(values: Range, highest: int) -> str:
    low, high = values
    if low == high:
        return str(low)
    return f"{low}+" if high >= highest else f"at most {high}" if low == 0 else f"{low}-{high}"


def nearest(alternatives: Iterable[HandLimits], numbers: NDArray[np.int8]) -> NDArray[np.int64]:
    """[n]: the distance of each hand from the alternative that it is nearest to."""
    every = np.array([limits.distances(numbers) for limits in alternatives])
    return np.asarray(every.min(axis=0), dtype=np.int64)
