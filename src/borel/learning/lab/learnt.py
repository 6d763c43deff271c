"""What a pair has learnt, for people: tables of shape and strength, and rules read off by trees, as a `.bid` file.

The thesis has a commercial program read rules off its openings (9.1) and doubts that a player can use them. Here each
sequence of calls that the pair uses gets a small tree of lengths and points, grown by what the calls are worth; a leaf
is a rule. The opponents' part is silent: where they bid, the system says nothing and passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS
from borel.learning.lab.openings import STRENGTHS, shape_name
from borel.learning.lab.pairs import PairDeals
from borel.learning.lab.qtable import QPair
from borel.learning.lab.trees import Ranges, Tree, grow, leaves

__all__ = ["Situation", "matrix", "situations", "written_system"]

NO_CALL = 255
FEATURES = ("S", "H", "D", "C", "hcp")
EVERYTHING: Ranges = {0: (0, 13), 1: (0, 13), 2: (0, 13), 3: (0, 13), 4: (0, 37)}
DEPTH = 8  # of a situation's tree, at most


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


def situations(pair: QPair, *, deals: int = 5_000, least: float = 0.0002) -> list[Situation]:
    """The sequences that come up at least so often when the pair bids as well as it knows; the most frequent first."""
    some = pair.training.of(slice(0, deals))
    _, bid = pair.table.evaluate(*some.results)
    hands, bid = _renamed_hands(pair, some).reshape(-1, 2), bid.reshape(len(some) * 24, -1)
    keys, values = pair.table.dump()
    order, learners = np.argsort(keys), pair.learners
    found = []
    for position in range(pair.settings.calls):
        active = bid[:, position] != NO_CALL
        sequence = np.ones(len(bid), np.uint64)
        for earlier in range(position):
            sequence = sequence << np.uint64(6) | bid[:, earlier].astype(np.uint64)
        for one in np.unique(sequence[active]):
            rows = active & (sequence == one)
            if rows.sum() < least * len(bid):
                continue
            met, counts = np.unique(hands[rows, position % 2], return_counts=True)
            classes = learners[position % 2][met].astype(np.uint64)
            wanted = classes << np.uint64(44) | one
            place = order[np.searchsorted(keys, wanted, sorter=order).clip(max=len(keys) - 1)]
            known = keys[place] == wanted
            if known.sum() < 2:
                continue
            found.append(
                _situation(pair, int(one), position, met[known], counts[known] / len(bid), values[place[known]])
            )
    return sorted(found, key=lambda one: -one.weight)


def _situation(
    pair: QPair,
    sequence: int,
    position: int,
    hands: NDArray[np.int64],
    weights: NDArray[np.float64],
    values: NDArray[np.float32],
) -> Situation:
    calls = tuple(sequence >> 6 * (position - 1 - earlier) & 63 for earlier in range(position))
    last = max(calls, default=0)
    options = (0, *range(max(3, last + 1), 38))[: pair.settings.bids]
    return Situation(calls, hands, weights, values[:, : len(options)].astype(np.float64), options)


def _renamed_hands(pair: QPair, deals: PairDeals) -> NDArray[np.int64]:
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


def written_system(pair: QPair, found: list[Situation], *, name: str = "learnt", worth: float = 0.0005) -> str:
    """The system as rules: a block for each situation. A tree's split must gain ``worth`` points a deal."""
    lines = [
        f'system {name} "Learnt from results alone"',
        "# Read off the tables of a pair that learnt without opponents; where they bid, it passes.",
        "",
    ]
    for situation in sorted(found, key=lambda one: (len(one.calls), one.calls)):
        if len(situation.calls) == 0 and not _is_learnt(pair):
            continue
        tree = grow(*_seen(pair, situation), situation.weights, worth=worth, depth=DEPTH)
        lines += [_header(situation.calls), *_rules(tree, situation), ""]
    if not _is_learnt(pair):
        lines += _openings(pair, worth)
    return "\n".join(lines).rstrip() + "\n"


def _seen(pair: QPair, situation: Situation) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Features and values of the hands of a situation."""
    shapes = np.array(pair.shapes)[situation.hands // STRENGTHS]
    return np.concatenate([shapes, (situation.hands % STRENGTHS)[:, None]], axis=1), situation.values


def _is_learnt(pair: QPair) -> bool:
    return bool((pair.openings.openings(pair.shapes) == NO_CALL).all())


def _openings(pair: QPair, worth: float) -> list[str]:
    """The given openings, as rules: a tree that is wrong nowhere that matters."""
    openings = pair.openings.openings(pair.shapes).astype(np.int64)
    hands, counts = np.unique(pair.training.hands[:, 0], return_counts=True)
    options = tuple(np.unique(openings[hands]).tolist())
    values = (openings[hands][:, None] == np.array(options)[None, :]) * 100.0
    situation = Situation((), hands.astype(np.int64), counts / counts.sum(), values, options)
    tree = grow(*_seen(pair, situation), situation.weights, worth=worth, depth=2 * DEPTH)
    return ["open unless partner.passed", *_rules(tree, situation)]


def _header(calls: tuple[int, ...]) -> str:
    passed = bool(calls) and calls[0] == 0
    mine = len(calls) % 2 == 0  # opener is to call
    who = "" if not calls else "passed" if mine else "partner.passed"
    bids = " ".join(_name(call) for call in calls[passed:])
    where = f"after {bids}" if bids else "open"
    if not calls:
        return "open unless partner.passed"
    return f"{where} {'when' if passed else 'unless'} {who}"


def _rules(tree: Tree, situation: Situation) -> Iterator[str]:
    found = sorted(leaves(tree, EVERYTHING), key=lambda one: situation.options[one[1].action])
    for ranges, leaf in found:
        call = situation.options[leaf.action]
        words = ", ".join(
            _condition(feature, *limits) for feature, limits in ranges.items() if limits != EVERYTHING[feature]
        )
        yield f"  {_name(call) if call else 'pass':<5} {words or 'hcp >= 0'}"


def _condition(feature: int, low: int, high: int) -> str:
    least, most = EVERYTHING[feature]
    amount = (
        f"{low}+" if high == most else f"<={high}" if low == least else str(low) if low == high else f"{low}-{high}"
    )
    return f"{amount} {FEATURES[feature]}"


def _name(call: int) -> str:
    return str(ALL_CALLS[call])
