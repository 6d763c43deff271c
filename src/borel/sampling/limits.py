"""What a hidden hand may be, as ranges of its suit lengths and high-card points: what a call by agreement shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel.cards import Hand, Rank, Suit

__all__ = ["ANY_HAND", "HandLimits", "nearest"]

Range = tuple[int, int]
_MOST = (13, 13, 13, 13, 37, 4, 4)
_ANY_LENGTHS: tuple[Range, Range, Range, Range] = ((0, 13), (0, 13), (0, 13), (0, 13))


@dataclass(frozen=True, slots=True)
class HandLimits:
    """Ranges, both ends included: lengths in the order C D H S, high-card points, aces and kings.

    >>> notrump = HandLimits.of(hcp=(15, 17), C=(2, 5), D=(2, 5), H=(2, 5), S=(2, 5))
    >>> notrump.admits(Hand.parse("AQ5.KJ92.K7.A1043")), notrump.admits(Hand.parse("AQ5.KJ92.7.AK1043"))
    (True, False)
    >>> print(notrump)
    15-17 hcp, 2-5 ♠, 2-5 ♥, 2-5 ♦, 2-5 ♣
    """

    lengths: tuple[Range, Range, Range, Range] = _ANY_LENGTHS
    hcp: Range = (0, 37)
    aces: Range = (0, 4)
    kings: Range = (0, 4)

    @classmethod
    def of(cls, *, hcp: Range = (0, 37), aces: Range = (0, 4), kings: Range = (0, 4), **lengths: Range) -> HandLimits:
        """Limits by the letters of the suits: ``HandLimits.of(S=(5, 13), hcp=(12, 21))``."""
        c, d, h, s = (lengths.get(suit.name, (0, 13)) for suit in Suit)
        return cls((c, d, h, s), hcp, aces, kings)

    @property
    def ranges(self) -> tuple[Range, ...]:
        """All of them, in the order of the core's numbers of a hand."""
        return (*self.lengths, self.hcp, self.aces, self.kings)

    @classmethod
    def of_ranges(cls, ranges: Iterable[Range]) -> HandLimits:
        """The limits with these ranges."""
        c, d, h, s, hcp, aces, kings = ranges
        return cls((c, d, h, s), hcp, aces, kings)

    @property
    def is_empty(self) -> bool:
        """Whether no hand can satisfy the ranges."""
        shortest, longest = sum(low for low, _ in self.lengths), sum(high for _, high in self.lengths)
        return shortest > 13 or longest < 13 or any(low > high for low, high in self.ranges)

    def admits(self, hand: Hand) -> bool:
        """Whether a hand is within every range."""
        aces, kings = (sum(hand.mask >> 13 * suit + rank & 1 for suit in Suit) for rank in (Rank.ACE, Rank.KING))
        numbers = (*hand.lengths, hand.hcp, aces, kings)
        return all(low <= n <= high for n, (low, high) in zip(numbers, self.ranges, strict=True))

    def both(self, other: HandLimits) -> HandLimits:
        """The hands within both limits."""
        pairs = zip(self.ranges, other.ranges, strict=True)
        return HandLimits.of_ranges((max(a, c), min(b, d)) for (a, b), (c, d) in pairs)

    def widened(self, slack: int) -> HandLimits:
        """Lengths and points longer at both ends: room for the whims of people."""
        ranges = [(max(0, a - slack), min(most, b + slack)) for (a, b), most in zip(self.ranges, _MOST, strict=True)]
        return HandLimits.of_ranges((*ranges[:5], self.aces, self.kings))

    def with_any_honours(self) -> HandLimits:
        """The same lengths and points, with whatever aces and kings."""
        return HandLimits(self.lengths, self.hcp)

    def numbers(self) -> list[int]:
        """The numbers that the core reads: shortest, longest (C D H S), fewest and most points, aces, kings."""
        lows, highs = ([pair[end] for pair in self.lengths] for end in (0, 1))
        return [*lows, *highs, *self.hcp, *self.aces, *self.kings]

    def distances(self, numbers: NDArray[np.int8]) -> NDArray[np.int64]:
        """[n]: how many cards and points each hand is outside the ranges; ``numbers`` are of `_core.hand_numbers`."""
        low, high = (np.array([pair[end] for pair in self.ranges]) for end in (0, 1))
        outside = np.maximum(low - numbers, 0) + np.maximum(numbers - high, 0)
        return np.asarray(outside.sum(axis=1), dtype=np.int64)

    def __str__(self) -> str:
        parts = [f"{_range(self.hcp, 37)} hcp"] if self.hcp != (0, 37) else []
        ranges = zip(reversed(Suit), reversed(self.lengths), strict=True)
        parts += [f"{_range(lengths, 13)} {suit.symbol}" for suit, lengths in ranges if lengths != (0, 13)]
        for name, held in (("aces", self.aces), ("kings", self.kings)):
            parts += [f"{_range(held, 4)} {name}"] if held != (0, 4) else []
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
