"""Sets of shapes: which suit lengths ``any 4333 + 5xxx - 5431`` admits."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import permutations, product

__all__ = ["SHAPES", "shape_index", "shape_set"]

SHAPES: tuple[tuple[int, int, int, int], ...] = tuple(
    (s, h, d, 13 - s - h - d) for s, h, d in product(range(14), repeat=3) if s + h + d <= 13
)
"""All 560 ways of dividing thirteen cards: spades, hearts, diamonds, clubs."""


def shape_index(shape: tuple[int, int, int, int]) -> int:
    """The place of a shape in the core's sets; clubs follow from the rest."""
    spades, hearts, diamonds, _ = shape
    return spades * 196 + hearts * 14 + diamonds


@lru_cache(maxsize=1024)
def _matching(pattern: str, *, any_order: bool) -> frozenset[tuple[int, int, int, int]]:
    """The shapes that a pattern of digits and x's describes."""
    orders = set(permutations(pattern)) if any_order else {tuple(pattern)}
    return frozenset(
        shape
        for shape in SHAPES
        if any(all(p in ("x", str(n)) for p, n in zip(order, shape, strict=True)) for order in orders)
    )


def shape_set(terms: Iterable[tuple[str, str, bool]]) -> bytes:
    """The set for the core, of terms (sign, pattern, whether in any order) applied from left to right.

    >>> balanced = shape_set([("+", "4333", True), ("+", "4432", True), ("+", "5332", True)])
    >>> sum(balanced), balanced[shape_index((3, 4, 3, 3))], balanced[shape_index((5, 4, 2, 2))]
    (28, 1, 0)
    """
    shapes: set[tuple[int, int, int, int]] = set()
    for sign, pattern, any_order in terms:
        if sign == "+":
            shapes |= _matching(pattern, any_order=any_order)
        else:
            shapes -= _matching(pattern, any_order=any_order)
    table = bytearray(14**3)
    for shape in shapes:
        table[shape_index(shape)] = 1
    return bytes(table)
