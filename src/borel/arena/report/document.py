"""A report before it has a form: a title, the result in one line, and parts that are texts, tables or plots."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Bars", "Curve", "Document", "Histogram", "Part", "Plot", "Table", "Text"]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings; cells that are numbers are set to the right."""

    title: str
    headings: tuple[str, ...]
    rows: Sequence[tuple[str | int | float, ...]]


@dataclass(frozen=True, slots=True)
class Curve:
    """A value against another, with a band of what it may be."""

    title: str
    across: str
    up: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Histogram:
    """How often each whole number occurs."""

    title: str
    across: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Bars:
    """A value for each of a few names, with its error."""

    title: str
    up: str
    names: Sequence[str]
    values: Sequence[float]
    errors: Sequence[float] = ()


Plot = Curve | Histogram | Bars
Part = Text | Table | Plot


@dataclass(frozen=True, slots=True)
class Document:
    """A report.

    >>> print(Document("A - B", "+1.0", (Table("Swings", ("board", "imps"), [(7, -12), (31, 9)]),)))
    A - B
    +1.0
    <BLANKLINE>
    Swings
    board  imps
        7   -12
       31     9
    """

    title: str
    lead: str
    parts: tuple[Part, ...] = ()

    def __str__(self) -> str:
        return "\n".join([self.title, self.lead, *(line for part in self.parts for line in _lines(part))])


def cell(value: str | int | float) -> str:
    """A cell of a table as text."""
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _lines(part: Part) -> Iterator[str]:
    """A part as lines of text; plots are for the page."""
    if isinstance(part, Text):
        yield from ("", part.text)
    elif isinstance(part, Table):
        yield from ("", part.title)
        columns = list(zip(part.headings, *([cell(value) for value in row] for row in part.rows), strict=True))
        widths = [max(map(_width, column)) for column in columns]
        right = [bool(part.rows) and not isinstance(part.rows[0][i], str) for i in range(len(part.headings))]
        for row in zip(*columns, strict=True):
            padded = (_pad(text, width, right=at) for text, width, at in zip(row, widths, right, strict=True))
            yield "  ".join(padded).rstrip()


def _width(text: str) -> int:
    return sum(0 if unicodedata.combining(letter) else 1 for letter in text)


def _pad(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space
