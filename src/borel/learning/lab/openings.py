"""Hands as the thesis sees them, shape and strength, and the table of openings that a pair is given (Prorok 2003, 9.1).

The table is text: the first line names the lowest points of each class of strength, each further line a shape (spades
first) and its call in each class. A dot is the call to the left of it; a question mark leaves the opening to be learnt.

    shape  0   4   7   9  10  11  12
    6331   P  3S  2D   .   .  1S   .
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from borel.auction import Call
from borel.errors import BridgeError

__all__ = ["STRENGTHS", "TO_LEARN", "OpeningTable", "OpeningTableError", "natural_openings", "shapes_of"]

STRENGTHS = 38  # high-card points 0..37
CLASSES = (0, 4, 7, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 25, 28)  # the lowest points of each (9.1)
COMMON = ("4333", "4432", "4441", "5332", "5422", "5431", "5521", "6322", "6331", "6421")  # 128 shapes, 91% of hands
TO_LEARN = 255
SUIT_LETTERS = "SHDC"

Shape = tuple[int, int, int, int]  # spades, hearts, diamonds, clubs


class OpeningTableError(BridgeError):
    """A table of openings that cannot be read."""


def shapes_of(count: int) -> list[Shape]:
    """All 560 shapes, or the 128 most common; most spades first."""
    if count not in (128, 560):
        raise BridgeError(f"there are tables of 128 and of 560 shapes, not of {count}")
    found = [(s, h, d, 13 - s - h - d) for s in range(14) for h in range(14 - s) for d in range(14 - s - h)]
    if count == 128:
        common = {tuple(shape) for pattern in COMMON for shape in permutations(map(int, pattern))}
        found = [shape for shape in found if shape in common]
    return sorted(found, reverse=True)


def shape_name(shape: Shape) -> str:
    """Spades first; suits of ten and more cards are letters.

    >>> shape_name((6, 4, 2, 1)), shape_name((13, 0, 0, 0))
    ('6421', 'd000')
    """
    return "".join(f"{length:x}" for length in shape)


@dataclass(frozen=True, slots=True)
class OpeningTable:
    """The opening of each shape in each class of strength; None is to be learnt."""

    bounds: tuple[int, ...]
    rows: dict[Shape, tuple[Call | None, ...]]

    @classmethod
    def parse(cls, text: str, shapes: list[Shape]) -> OpeningTable:
        """Read a table that has a row for each of these shapes (and may have others)."""
        bounds: tuple[int, ...] | None = None
        rows: dict[Shape, tuple[Call | None, ...]] = {}
        for number, words in _lines(text):
            if bounds is None:
                bounds = _read_bounds(words, number)
                continue
            shape = _read_shape(words[0], number)
            if shape in rows:
                raise OpeningTableError(f"line {number}: shape {words[0]} a second time")
            rows[shape] = _read_calls(words, len(bounds), number)
        if bounds is None:
            raise OpeningTableError("an empty table of openings")
        missing = [shape_name(shape) for shape in shapes if shape not in rows]
        if missing:
            raise OpeningTableError(f"no line for {len(missing)} of {len(shapes)} shapes, the first is {missing[0]}")
        return cls(bounds, rows)

    def __str__(self) -> str:
        lines = ["shape " + " ".join(f"{bound:>3}" for bound in self.bounds)]
        for shape, calls in self.rows.items():
            cells = [_cell(call) for call in calls]
            short = [cells[0], *("." if cell == left else cell for left, cell in pairwise(cells))]
            lines.append(f"{shape_name(shape)}  " + " ".join(f"{cell:>3}" for cell in short))
        return "\n".join(lines) + "\n"

    def class_of(self, points: int) -> int:
        """The class of strength of so many points."""
        return int(np.searchsorted(self.bounds, points, side="right")) - 1

    def openings(self, shapes: list[Shape]) -> NDArray[np.uint8]:
        """[38 * shapes]: the number of each hand's opening, or 255."""
        return np.array(
            [
                TO_LEARN if call is None else call.index
                for shape in shapes
                for call in (self.rows[shape][self.class_of(points)] for points in range(STRENGTHS))
            ],
            np.uint8,
        )


def natural_openings(shapes: list[Shape], bounds: tuple[int, ...] = CLASSES) -> OpeningTable:
    """The system the thesis gives its pair: four-card suits, 15-17 notrump, Multi, weak threes, strong twos (9.1).

    It prints only some lines of the spades; the others are made alike.
    """
    return OpeningTable(
        bounds, {shape: tuple(Call.parse(_natural(shape, bound)) for bound in bounds) for shape in shapes}
    )


def learnt_openings(shapes: list[Shape], bounds: tuple[int, ...] = CLASSES) -> OpeningTable:
    """A table that leaves every opening to be learnt."""
    return OpeningTable(bounds, {shape: (None,) * len(bounds) for shape in shapes})


def _natural(shape: Shape, points: int) -> str:
    order = sorted(shape, reverse=True)
    suit = _suit_to_open(shape)
    balanced = order[3] >= 2 and order[0] <= 5 and sorted(order)[:2] != [2, 2]
    if balanced and points >= 15:
        if points < 20:
            return "1NT" if points < 18 else f"1{suit}"
        if points < 25:
            return "2C" if points < 22 else "2NT"
        return f"2{suit}" if order[0] == 5 and points < 28 else "2C"
    long_and_short = order[0] >= 6 and order[3] <= 1
    if points >= (20 if long_and_short or order[1] >= 5 else 22):
        return f"2{suit}"
    if points >= (10 if order[0] + order[1] >= 10 else 11 if order[0] >= 6 or (order[0], order[3]) == (5, 1) else 12):
        return f"1{suit}"
    return _weak(order, suit, points)


def _weak(order: list[int], suit: str, points: int) -> str:
    if order[0] < 6 or order[1] >= 4 or points < 4:
        return "P"
    if order[0] >= 7:
        return f"{3 if order[0] == 7 else 4}{suit}"
    if points < 7:
        return f"3{suit}" if suit in "HS" else "P"
    return "2D" if suit in "HS" else f"3{suit}"


def _suit_to_open(shape: Shape) -> str:
    longest = max(shape)
    suits = [letter for letter, length in zip(SUIT_LETTERS, shape, strict=True) if length == longest]
    return suits[0] if longest >= 5 else suits[-1]  # the higher of five, the cheapest of four


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            yield number, words


def _read_bounds(words: list[str], number: int) -> tuple[int, ...]:
    bounds = tuple(int(word) for word in words[1:] if word.isdecimal())
    if words[0].lower() != "shape" or len(bounds) != len(words) - 1 or not bounds:
        raise OpeningTableError(f"line {number}: not 'shape' and the lowest points of each class: {' '.join(words)!r}")
    if bounds[0] != 0 or list(bounds) != sorted(set(bounds)) or bounds[-1] >= STRENGTHS:
        raise OpeningTableError(f"line {number}: classes begin at 0 and rise to 37 at most, not {bounds}")
    return bounds


def _read_shape(word: str, number: int) -> Shape:
    try:
        lengths = [int(letter, 14) for letter in word]
    except ValueError:
        lengths = []
    if len(lengths) != 4 or sum(lengths) != 13:
        raise OpeningTableError(f"line {number}: not a shape of 13 cards, spades first: {word[:20]!r}")
    return lengths[0], lengths[1], lengths[2], lengths[3]


def _read_calls(words: list[str], count: int, number: int) -> tuple[Call | None, ...]:
    if len(words) != count + 1:
        raise OpeningTableError(f"line {number}: {len(words) - 1} calls for {count} classes of strength")
    calls: list[Call | None] = []
    for word in words[1:]:
        if word == "." and calls:
            calls.append(calls[-1])
        elif word == "?":
            calls.append(None)
        else:
            calls.append(_read_call(word, number))
    return tuple(calls)


def _read_call(word: str, number: int) -> Call:
    try:
        call = Call.parse(word)
    except BridgeError:
        call = None
    if call is None or call.index in (1, 2):
        raise OpeningTableError(f"line {number}: not an opening (P, 1C to 7NT, ? or .): {word[:20]!r}")
    return call


def _cell(call: Call | None) -> str:
    return "?" if call is None else str(call)
