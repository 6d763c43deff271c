"""How many aces or keycards neither hand has: partner's answer read together with one's own hand.

An answer such as "one or four" has two meanings. What this hand holds itself excludes one (nobody has four opposite
two); where it does not, partner's strength decides.
"""

from __future__ import annotations

from itertools import pairwise

from borel.systems.box import Box
from borel.systems.constraints import NOTHING, Constraint, Range, any_of, in_range
from borel.systems.hand import HCP

__all__ = ["believed", "merged"]

AMBIGUOUS = 3  # answers such as one or four, none or three


def believed(partner: Box, index: int, most: int) -> int:
    """How many partner has, as far as he has told: at most so many are left over.

    Of two meanings the higher is believed only from a hand that has shown four points for each but a point.
    """
    low, high = int(partner.low[index]), int(partner.high[index])
    if high - low >= AMBIGUOUS and high <= most and partner.low[HCP] >= 4 * high - 1:
        return high
    return low


def merged(parts: list[Constraint], index: int) -> Constraint:
    """One condition for all numbers held; where every number alone decides, a plain range of them."""
    left = [part for part in parts if part != NOTHING]
    ends = [part for part in left if isinstance(part, Range) and part.terms == ((index, 1.0),)]
    if left and len(ends) == len(left) and all(a.high + 1 == b.low for a, b in pairwise(ends)):
        return in_range({index: 1.0}, ends[0].low, ends[-1].high)
    return any_of(left)
