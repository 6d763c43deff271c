"""Errors of the rule language: the file, the line, the column, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from borel.errors import BridgeError

__all__ = ["Place", "SystemFileError", "suggestion"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a system file; lines and columns count from 1."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class SystemFileError(BridgeError):
    """A system file that cannot be read.

    >>> raise SystemFileError("no measure is called 'hpc'", Place("my.bid", 3, 14), hint="hcp")
    Traceback (most recent call last):
    borel.systems.errors.SystemFileError: my.bid:3:14: no measure is called 'hpc' (did you mean hcp?)
    """

    def __init__(self, what: str, place: Place | None = None, *, hint: str = "") -> None:
        self.what, self.place, self.hint = what, place, hint
        where = f"{place}: " if place else ""
        super().__init__(f"{where}{what}" + (f" (did you mean {hint}?)" if hint else ""))


def suggestion(word: str, known: Iterable[str]) -> str:
    """The known word most like this one, or nothing.

    >>> suggestion("quallity", ["hcp", "quality", "points"])
    'quality'
    """
    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return close[0] if close else ""
