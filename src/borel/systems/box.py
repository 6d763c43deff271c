"""What a seat has shown, as a range for every feature: a box around the hands it can have."""

from __future__ import annotations

from borel.systems.constraints import ANYTHING, All, Constraint, Either, Range, step_of
from borel.systems.hand import BASE, HCP, INDEX, LENGTHS, POINTS, RANGES

__all__ = ["Box"]

_BALANCED, _SEMI, _OPENING = INDEX["balanced"], INDEX["semibalanced"], INDEX["opening"]
_SUPPORT = tuple(INDEX[f"points({suit})"] for suit in "CDHS")
_LONGEST = tuple(INDEX[f"longest({suit})"] for suit in "CDHS")
_ACES, _KINGS = INDEX["aces"], INDEX["kings"]


class Box:
    """Lowest and highest value of every base feature; of the others anything is possible.

    Points, high cards and lengths keep each other consistent.

    >>> box = Box().narrowed(Range(((INDEX["balanced"], 1.0),), 1, 1))
    >>> box.low[LENGTHS[3]], box.high[LENGTHS[3]]
    (2, 5)
    """

    __slots__ = ("high", "low")

    def __init__(self, low: list[float] | None = None, high: list[float] | None = None) -> None:
        self.low = [float(a) for a, _ in RANGES[:BASE]] if low is None else low
        self.high = [float(b) for _, b in RANGES[:BASE]] if high is None else high

    def copy(self) -> Box:
        """A box of its own."""
        return Box(self.low[:], self.high[:])

    @property
    def is_empty(self) -> bool:
        """Whether no hand is left."""
        return any(a > b for a, b in zip(self.low, self.high, strict=True))

    def narrowed(self, constraint: Constraint) -> Box | None:
        """The box around the hands that also satisfy the condition; None when there are none."""
        if constraint is ANYTHING:
            return self
        box = self.copy()
        for _ in range(2):  # a second round lets one part use what another found
            if not box._apply(constraint) or not box._settle():
                return None
        return box

    def _apply(self, constraint: Constraint) -> bool:
        if isinstance(constraint, Range):
            return self._apply_range(constraint)
        if isinstance(constraint, All):
            return all(self._apply(part) for part in constraint.parts)
        return self._apply_either(constraint)

    def _apply_either(self, constraint: Either) -> bool:
        boxes = []
        for part in constraint.parts:
            box = self.copy()
            if box._apply(part) and box._settle():
                boxes.append(box)
        if not boxes:
            return False
        joined = hull(boxes)
        self.low, self.high = joined.low, joined.high
        return True

    def _apply_range(self, constraint: Range) -> bool:
        low, high, terms = self.low, self.high, constraint.terms
        if terms[-1][0] >= BASE:
            return self._possible(constraint)
        if len(terms) == 1:
            index = terms[0][0]
            low[index], high[index] = max(low[index], constraint.low), min(high[index], constraint.high)
            return low[index] <= high[index]
        least = sum(w * (low[i] if w > 0 else high[i]) for i, w in terms)
        most = sum(w * (high[i] if w > 0 else low[i]) for i, w in terms)
        if least > constraint.high or most < constraint.low:
            return False
        for i, w in terms:  # what the others cannot provide, this one must
            rest_least = least - w * (low[i] if w > 0 else high[i])
            rest_most = most - w * (high[i] if w > 0 else low[i])
            a, b = (constraint.low - rest_most) / w, (constraint.high - rest_least) / w
            a, b = (a, b) if w > 0 else (b, a)
            low[i], high[i] = max(low[i], a), min(high[i], b)
        return True

    def _reach(self, constraint: Range) -> tuple[float, float]:
        """The least and greatest sum that hands of the box may have."""
        low, high = self.low, self.high
        least = most = 0.0
        for i, w in constraint.terms:
            a, b = (low[i], high[i]) if i < BASE else RANGES[i]
            least += w * (a if w > 0 else b)
            most += w * (b if w > 0 else a)
        return least, most

    def _possible(self, constraint: Range) -> bool:
        """Whether some hand of the box may satisfy a condition of which the box can keep nothing."""
        least, most = self._reach(constraint)
        return least <= constraint.high and most >= constraint.low

    def _settle(self) -> bool:
        """Let the features that depend on one another agree."""
        low, high = self.low, self.high
        if low[_BALANCED] >= 1 or low[_SEMI] >= 1:
            longest = 5 if low[_BALANCED] >= 1 else 6
            for i in LENGTHS:
                low[i], high[i] = max(low[i], 2), min(high[i], longest)
        for suit, i in enumerate(LENGTHS):
            if low[_LONGEST[suit]] >= 1:
                low[i] = max(low[i], 4)
        least, most = sum(low[i] for i in LENGTHS), sum(high[i] for i in LENGTHS)
        for i in LENGTHS:
            a, b = 13 - (most - high[i]), 13 - (least - low[i])
            low[i], high[i] = max(low[i], a), min(high[i], b)
            if low[i] > high[i]:
                return False
        return self._settle_strength()

    def _settle_strength(self) -> bool:
        """High cards and points: long suits are worth one point a card over four; support points read as points."""
        low, high = self.low, self.high
        for i in (*_SUPPORT, _OPENING):
            low[POINTS] = max(low[POINTS], low[i] - (1 if i == _OPENING else 0))
            high[POINTS] = min(high[POINTS], high[i])
            high[HCP] = min(high[HCP], high[i])
        least = sum(max(0.0, low[i] - 4) for i in LENGTHS)
        most = max(least + 1, min(3.0, sum(max(0.0, high[i] - 4) for i in LENGTHS)))
        if low[_BALANCED] >= 1:
            most = 1.0
        low[POINTS] = max(low[POINTS], low[HCP] + least)
        high[POINTS] = min(high[POINTS], high[HCP] + most)
        low[HCP] = max(low[HCP], low[POINTS] - most - (2 if most > 1 else 0))
        high[HCP] = min(high[HCP], high[POINTS] - (least if high[POINTS] < 37 else 0))
        return low[HCP] <= high[HCP] and low[POINTS] <= high[POINTS]

    def common(self, other: Box) -> Box | None:
        """The part that two boxes share, if any."""
        low = [max(a, b) for a, b in zip(self.low, other.low, strict=True)]
        high = [min(a, b) for a, b in zip(self.high, other.high, strict=True)]
        box = Box(low, high)
        return None if box.is_empty else box

    def implies(self, constraint: Constraint) -> bool:
        """Whether every hand in the box surely satisfies the condition."""
        if isinstance(constraint, All):
            return all(self.implies(part) for part in constraint.parts)
        if isinstance(constraint, Either):
            return any(self.implies(part) for part in constraint.parts)
        least, most = self._reach(constraint)
        return constraint.low <= least and most <= constraint.high

    def without(self, constraint: Constraint) -> Box | None:
        """The box less the hands of a condition, as far as a box can say: where one feature alone decides."""
        parts = constraint.parts if isinstance(constraint, All) else (constraint,)
        open_parts = [part for part in parts if not self.implies(part)]
        if not open_parts:
            return None
        (part, *more) = open_parts
        if more or not isinstance(part, Range) or len(part.terms) != 1 or part.terms[0][0] >= BASE:
            return self
        index, step = part.terms[0][0], step_of(part.terms)
        a, b = self.low[index], self.high[index]
        if part.low <= a <= part.high:
            a = part.high + step
        elif part.low <= b <= part.high:
            b = part.low - step
        else:
            return self
        box = self.copy()
        box.low[index], box.high[index] = a, b
        return box if a <= b and box._settle() else None


def hull(boxes: list[Box]) -> Box:
    """The smallest box around several."""
    low = [min(values) for values in zip(*(box.low for box in boxes), strict=True)]
    high = [max(values) for values in zip(*(box.high for box in boxes), strict=True)]
    return Box(low, high)
