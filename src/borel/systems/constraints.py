"""Conditions on a hand, compiled: ranges of weighted sums of features, joined by and / or.

One object chooses (``admits``), explains (``words``) and limits sampling (``admits_batch``, ``narrow``).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from borel.systems.hand import BASE, FEATURES, RANGES, name_of

__all__ = ["ANYTHING", "NOTHING", "All", "Constraint", "Either", "Range", "all_of", "any_of", "met_by", "negated"]

INFINITY = float("inf")


@dataclass(frozen=True, slots=True)
class Range:
    """``low <= sum of weight * feature <= high``; most have one feature of weight one."""

    terms: tuple[tuple[int, float], ...]
    low: float
    high: float

    def admits(self, hand: list[float]) -> bool:
        """Whether a hand's feature vector satisfies the condition."""
        terms = self.terms
        if len(terms) == 1:
            value = hand[terms[0][0]] * terms[0][1]
        else:
            value = 0.0
            for index, weight in terms:
                value += hand[index] * weight
        return self.low <= value <= self.high

    def admits_batch(self, hands: NDArray[np.float32]) -> NDArray[np.bool_]:
        """[n]: whether each of [n, features] hands satisfies it."""
        (index, weight), *rest = self.terms
        value = hands[:, index] if weight == 1 else hands[:, index] * weight
        for index, weight in rest:
            value = value + hands[:, index] * weight
        if self.low == self.high:
            return np.asarray(value == self.low)
        if self.high == INFINITY:
            return np.asarray(value >= self.low)
        if self.low == -INFINITY:
            return np.asarray(value <= self.high)
        return np.asarray((value >= self.low) & (value <= self.high))

    def __str__(self) -> str:
        total = " + ".join(name_of(i) if w == 1 else f"{w:g} {name_of(i)}" for i, w in self.terms)
        return f"{self.low:g} <= {total} <= {self.high:g}"


@dataclass(frozen=True, slots=True)
class All:
    """Every part must hold; no parts: any hand."""

    parts: tuple[Constraint, ...]

    def admits(self, hand: list[float]) -> bool:
        """Whether a hand's feature vector satisfies every part."""
        for part in self.parts:  # noqa: SIM110 - the loop is twice as fast as all()
            if not part.admits(hand):
                return False
        return True

    def admits_batch(self, hands: NDArray[np.float32]) -> NDArray[np.bool_]:
        """[n]: whether each hand satisfies every part."""
        result = np.ones(len(hands), dtype=np.bool_)
        for part in self.parts:
            result &= part.admits_batch(hands)
        return result

    def __str__(self) -> str:
        return " and ".join(map(str, self.parts)) or "any hand"


@dataclass(frozen=True, slots=True)
class Either:
    """One part must hold; no parts: no hand."""

    parts: tuple[Constraint, ...]

    def admits(self, hand: list[float]) -> bool:
        """Whether a hand's feature vector satisfies some part."""
        for part in self.parts:  # noqa: SIM110
            if part.admits(hand):
                return True
        return False

    def admits_batch(self, hands: NDArray[np.float32]) -> NDArray[np.bool_]:
        """[n]: whether each hand satisfies some part."""
        result = np.zeros(len(hands), dtype=np.bool_)
        for part in self.parts:
            result |= part.admits_batch(hands)
        return result

    def __str__(self) -> str:
        return "(" + " or ".join(map(str, self.parts)) + ")" if self.parts else "no hand"


Constraint = Range | All | Either
ANYTHING, NOTHING = All(()), Either(())


def all_of(parts: list[Constraint]) -> Constraint:
    """The conjunction, flattened and simplified. There is one ANYTHING and one NOTHING: compare with ``is``."""
    flat: list[Constraint] = []
    for part in parts:
        if part is NOTHING:
            return NOTHING
        flat += part.parts if isinstance(part, All) else (part,)
    if not flat:
        return ANYTHING
    return flat[0] if len(flat) == 1 else All(tuple(dict.fromkeys(flat)))


def any_of(parts: list[Constraint]) -> Constraint:
    """The disjunction, flattened and simplified."""
    flat: list[Constraint] = []
    for part in parts:
        if part is ANYTHING:
            return ANYTHING
        flat += part.parts if isinstance(part, Either) else (part,)
    if not flat:
        return NOTHING
    return flat[0] if len(flat) == 1 else Either(tuple(dict.fromkeys(flat)))


def in_range(terms: dict[int, float], low: float, high: float) -> Constraint:
    """A range condition; constant where no feature is left, or where the features' own ranges decide it."""
    kept = {index: weight for index, weight in terms.items() if weight}
    if not kept:
        return ANYTHING if low <= 0 <= high else NOTHING
    if len(kept) == 1:
        ((index, weight),) = kept.items()
        low, high = (low / weight, high / weight) if weight > 0 else (high / weight, low / weight)
        kept = {index: 1.0}
    low, high = _rounded(kept, low, high)
    least = sum(min(w * RANGES[i][0], w * RANGES[i][1]) for i, w in kept.items())
    most = sum(max(w * RANGES[i][0], w * RANGES[i][1]) for i, w in kept.items())
    if low > most or high < least or low > high:
        return NOTHING
    if low <= least and high >= most:
        return ANYTHING
    return Range(tuple(sorted(kept.items())), low, high)


def _rounded(terms: dict[int, float], low: float, high: float) -> tuple[float, float]:
    """The ends drawn in to values that the sum can have; a sum of unlike fractions keeps its ends."""
    if len(terms) > 1 and any(index >= BASE for index in terms):
        return low, high
    step, slip = step_of(terms), 1e-9  # 14.65 points are not 14.650000000000002
    return (
        ceil(low / step - slip) * step if low > -INFINITY else low,
        floor(high / step + slip) * step if high < INFINITY else high,
    )


HALVES = frozenset(i for i, name in enumerate(FEATURES) if name.startswith(("quick", "playing")))


def step_of(terms: dict[int, float] | tuple[tuple[int, float], ...]) -> float:
    """The smallest step of a sum: quick and playing tricks come in halves, all else in whole numbers.

    Numbers of the registry are whole too, and weighted by what they are worth.
    """
    items = terms.items() if isinstance(terms, dict) else terms
    return min(0.5 if index in HALVES else abs(weight) if index >= BASE else 1.0 for index, weight in items)


def negated(constraint: Constraint) -> Constraint:
    """The hands that do not satisfy a condition, again as ranges."""
    if isinstance(constraint, All):
        return any_of([negated(part) for part in constraint.parts])
    if isinstance(constraint, Either):
        return all_of([negated(part) for part in constraint.parts])
    step = step_of(constraint.terms)
    sides: list[Constraint] = []
    if constraint.low > -INFINITY:
        sides.append(in_range(dict(constraint.terms), -INFINITY, constraint.low - step))
    if constraint.high < INFINITY:
        sides.append(in_range(dict(constraint.terms), constraint.high + step, INFINITY))
    return any_of(sides)


def met_by(constraint: Constraint, hand: list[float]) -> Constraint:
    """What a hand satisfies a condition by: of alternatives the first that it has, of ranges their overlap.

    Alternatives of one quantity (three clubs or five, any shape but one) say more together and stay whole.
    """
    if isinstance(constraint, Either):
        if len({part.terms if isinstance(part, Range) else part for part in constraint.parts}) == 1:
            return any_of([part for part in constraint.parts if not _within_another(part, constraint.parts)])
        return next((met_by(part, hand) for part in constraint.parts if part.admits(hand)), constraint)
    if isinstance(constraint, Range):
        return constraint
    met = all_of([met_by(part, hand) for part in constraint.parts])
    ranges: dict[object, Constraint] = {}
    for part in met.parts if isinstance(met, All) else (met,):
        key = part.terms if isinstance(part, Range) else part
        known = ranges.get(key)
        if isinstance(part, Range) and isinstance(known, Range):
            part = Range(part.terms, max(part.low, known.low), min(part.high, known.high))
        ranges[key] = part
    return all_of(list(ranges.values()))


def _within_another(part: Constraint, others: tuple[Constraint, ...]) -> bool:
    """Whether a range lies within another range, of the same quantity and wider."""
    return isinstance(part, Range) and any(
        isinstance(other, Range) and other != part and other.low <= part.low and part.high <= other.high
        for other in others
    )
