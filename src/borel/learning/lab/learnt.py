"""What a pair has learnt, for people: the sequences of calls that it uses, as tables of shape and strength."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS
from borel.learning.lab.openings import STRENGTHS, shape_name
from borel.learning.lab.pairs import PairDeals
from borel.learning.lab.qtable import QPair

__all__ = ["NO_CALL", "Situation", "Values", "matrix", "renamed_hands", "situations"]

NO_CALL = 255


@dataclass(frozen=True, slots=True)
class Situation:
    """A sequence of calls that the pair uses: hands [n] that meet it, how often, and the values of their calls."""

    calls: tuple[int, ...]
    hands: NDArray[np.int64]
    weights: NDArray[np.float64]
    values: NDArray[np.float64]
    options: tuple[int, ...]

    @property
    def weight(self) -> float:
        """How often it is met, of all the deals looked at."""
        return float(self.weights.sum())


class Values:
    """The rows of a pair's table by class and sequence of calls."""

    def __init__(self, pair: QPair) -> None:
        self.pair, self.learners = pair, pair.learners
        self.keys, self.values = pair.table.dump()
        self.order = np.argsort(self.keys)

    def situation(
        self, calls: tuple[int, ...], hands: NDArray[np.int64], counts: NDArray[np.int64], total: int
    ) -> Situation:
        """What the table knows of some hands, met so often of ``total``, after these calls of the pair."""
        sequence = 1
        for call in calls:
            sequence = sequence << 6 | call
        wanted = self.learners[len(calls) % 2][hands].astype(np.uint64) << np.uint64(44) | np.uint64(sequence)
        place = self.order[np.searchsorted(self.keys, wanted, sorter=self.order).clip(max=len(self.keys) - 1)]
        known = self.keys[place] == wanted
        options = (0, *range(max(3, max(calls, default=0) + 1), 38))[: self.pair.settings.bids]
        values = self.values[place[known]][:, : len(options)].astype(np.float64)
        return Situation(calls, hands[known], counts[known] / total, values, options)


def situations(pair: QPair, *, deals: int = 5_000, least: float = 0.0002) -> list[Situation]:
    """The sequences that come up at least so often when the pair bids as well as it knows; the most frequent first."""
    some = pair.training.of(slice(0, deals))
    _, bid = pair.table.evaluate(*some.results)
    hands, bid = renamed_hands(pair, some).reshape(-1, 2), bid.reshape(len(some) * 24, -1)
    table, found = Values(pair), []
    for position in range(pair.settings.calls):
        active = np.flatnonzero(bid[:, position] != NO_CALL)
        sequences, which = np.unique(bid[active, :position], axis=0, return_inverse=True)
        for number, sequence in enumerate(sequences.tolist()):
            rows = active[which.reshape(-1) == number]
            if len(rows) < least * len(bid):
                continue
            met, counts = np.unique(hands[rows, position % 2], return_counts=True)
            one = table.situation(tuple(sequence), met, counts, len(bid))
            if len(one.hands) > 1:
                found.append(one)
    return sorted(found, key=lambda one: -one.weight)


def renamed_hands(pair: QPair, deals: PairDeals) -> NDArray[np.int64]:
    """[n, 24, 2]: the hands in every renaming of the suits, in the core's order."""
    numbers = {shape: number for number, shape in enumerate(pair.shapes)}
    renamed = np.zeros((24, len(pair.shapes)), np.int64)
    for renaming, order in enumerate(permutations(range(4))):
        for number, shape in enumerate(pair.shapes):
            other = [0, 0, 0, 0]
            for suit in range(4):
                other[order[suit]] = shape[3 - suit]
            renamed[renaming, number] = numbers[other[3], other[2], other[1], other[0]]
    hands = deals.hands.astype(np.int64)
    return renamed[:, hands // STRENGTHS].transpose(1, 0, 2) * STRENGTHS + (hands % STRENGTHS)[:, None, :]


def matrix(pair: QPair, situation: Situation) -> str:
    """The calls of a situation by shape and points, as the thesis prints its systems; a dot where no hand was met."""
    best = {
        int(hand): situation.options[row.argmax()] for hand, row in zip(situation.hands, situation.values, strict=True)
    }
    points = sorted({hand % STRENGTHS for hand in best})
    lines = [" ".join(["after", *map(_name, situation.calls)]), "shape  " + " ".join(f"{one:>3}" for one in points)]
    for number, shape in enumerate(pair.shapes):
        row = [best.get(number * STRENGTHS + one) for one in points]
        if any(call is not None for call in row):
            lines.append(
                f"{shape_name(shape)}   " + " ".join(f"{'.' if call is None else _name(call):>3}" for call in row)
            )
    return "\n".join(lines) + "\n"


def _name(call: int) -> str:
    return str(ALL_CALLS[call])
