"""What a system would call with other hands at the points of auctions that some boards have come to.

To read a point of an auction takes thousands of times as long as to ask what one more hand would call there, so the
teacher is asked about many: hands that would have bid as the seat to call has bid so far. (Measured on 20,000 boards of
sayc: see docs/training.md.)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel.bidding.tables import LONGEST, Tables
from borel.learning.runs import load_arrays, save_arrays

__all__ = ["OtherHands", "Where", "answers_at", "load_others", "save_others"]


Where = tuple[tuple[bool, bool], tuple[int, ...]]  # who is vulnerable (dealer's side, the other), and the calls
_NOTHING = np.zeros((0, 4), np.uint64), np.zeros(0, np.int8), np.zeros((0, 2), np.bool_)


@dataclass(frozen=True, slots=True)
class OtherHands:
    """Points of auctions as ``points`` (of whose hands none is known), and for each answer its point, hand and call."""

    points: Tables
    places: NDArray[np.int64]
    hands: NDArray[np.uint64]
    calls: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.places)

    def example(self, chosen: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.int32]]:
        """What was seen, what was legal and what was called in some of the answers."""
        tables, rows = self.points.take(self.places[chosen]), np.arange(len(chosen))
        tables.hands[rows, tables.turn(rows)] = self.hands[chosen]
        return tables.inputs(rows).astype(np.uint8), tables.legal(rows), self.calls[chosen].astype(np.int32)

    @classmethod
    def joined(cls, parts: list[OtherHands]) -> OtherHands:
        """Several as one."""
        if not parts:
            return cls(Tables.start(*_NOTHING), np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, np.uint8))
        firsts = np.cumsum([0, *(len(part.points) for part in parts)])
        points = Tables.joined([part.points for part in parts])
        places = np.concatenate([part.places + first for part, first in zip(parts, firsts, strict=False)])
        hands, calls = (np.concatenate([getattr(part, name) for part in parts]) for name in ("hands", "calls"))
        return cls(points, places, hands, calls)


def answers_at(where: list[Where], answers: list[tuple[NDArray[np.uint64], NDArray[np.int64]]]) -> OtherHands:
    """Hands and their calls, asked at points of auctions, one pair of arrays for each."""
    count = len(where)
    vulnerable = np.array([vulnerable for vulnerable, _ in where], dtype=np.bool_).reshape(-1, 2)
    points = Tables.start(np.zeros((count, 4), np.uint64), np.zeros(count, np.int8), vulnerable)
    for row, (_, calls) in enumerate(where):
        points.calls[row, : len(calls)] = calls
        points.lengths[row] = len(calls)
    places = np.repeat(np.arange(count), [len(hands) for hands, _ in answers])
    hands = np.concatenate([*(hands for hands, _ in answers), np.zeros(0, np.uint64)])
    calls_made = np.concatenate([*(made for _, made in answers), np.zeros(0, np.int64)])
    return OtherHands(points, places, hands, calls_made.astype(np.uint8))


def save_others(path: Path, others: OtherHands) -> None:
    """Write answers to a file, as small as they are."""
    points = others.points
    longest = max(1, int(points.lengths.max(initial=0)))
    save_arrays(
        path,
        {
            "places": others.places.astype(np.int32),
            "hands": others.hands,
            "calls": others.calls,
            "dealer": points.dealer,
            "vulnerable": points.vulnerable,
            "lengths": points.lengths,
            "before": points.calls[:, :longest],
        },
    )


def load_others(path: Path) -> OtherHands:
    """Read answers from a file."""
    kept = load_arrays(path)
    count, longest = kept["before"].shape
    before = np.zeros((count, LONGEST), np.uint8)
    before[:, :longest] = kept["before"]
    points = Tables(np.zeros((count, 4), np.uint64), kept["dealer"], kept["vulnerable"], before, kept["lengths"])
    return OtherHands(points, kept["places"].astype(np.int64), kept["hands"], kept["calls"])
