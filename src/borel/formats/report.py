"""What happened while reading: bad records, repairs, the place; and the lines of a text within stated limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from borel.errors import BridgeError, ParseError, RecordError

__all__ = ["MAX_LINE", "MAX_RECORD_LINES", "MAX_RECORD_TEXT", "Lines", "Report", "TextReader", "TextWriter"]

# Limits, so that an absurd input gives an error and not a full memory. Real boards have some 2,000 characters.
MAX_LINE = 1_000_000  # characters in a line
MAX_RECORD_LINES = 5_000  # lines in a record
MAX_RECORD_TEXT = 2_000_000  # characters in a record


class TextReader(Protocol):
    """What a loader needs of a text handle: an open file, `sys.stdin`, `io.StringIO`."""

    def readline(self, size: int = -1, /) -> str:
        """The next line with its end, or at most so many characters of it; an empty text at the end."""
        ...


class TextWriter(Protocol):
    """What a dumper needs of a text handle."""

    def write(self, text: str, /) -> object:
        """Write a text."""
        ...


@dataclass(slots=True)
class Report:
    """Collects what a loader has to say. Without ``on_bad`` the first bad record raises; with it, reading goes on.

    >>> report = Report(on_bad=print)
    >>> report.bad(RecordError("no contract", line=7))
    no contract (line 7)
    >>> report.repair("tags inherited"); report.bad_records, dict(report.repairs)
    (1, {'tags inherited': 1})
    """

    on_bad: Callable[[BridgeError], None] | None = None
    repairs: Counter[str] = field(default_factory=Counter)
    losses: Counter[str] = field(default_factory=Counter)
    records: int = 0
    bad_records: int = 0
    line: int = 0  # where the record that was read last begins

    def bad(self, error: BridgeError, line: int | None = None) -> None:
        """Report a bad record, with the line where it is if the error does not say so itself."""
        located = with_line(error, line)
        self.bad_records += 1
        if self.on_bad is None:
            raise located from error
        self.on_bad(located)

    def unwritable(self, error: BridgeError) -> None:
        """Report a record that was read and cannot be written."""
        self.records -= self.records > 0
        self.bad(error, self.line or None)

    def repair(self, kind: str, count: int = 1) -> None:
        """Count a repair: something that the source left out or wrote differently, and that has only one meaning."""
        self.repairs[kind] += count

    def loss(self, kind: str, count: int = 1) -> None:
        """Count something that the target format cannot hold."""
        self.losses[kind] += count

    def good(self, line: int) -> None:
        """Count a record that begins at a line."""
        self.records += 1
        self.line = line


def with_line(error: BridgeError, line: int | None) -> BridgeError:
    """The error with its place: unchanged if it has one, otherwise a RecordError that says the same at a line."""
    if line is None or getattr(error, "line", None) is not None:
        return error
    if isinstance(error, ParseError):
        return ParseError(error.what, error.text, why=error.why, line=line)
    return RecordError(error.what if isinstance(error, RecordError) else str(error), line=line)


class Lines:
    """The lines of a handle without their ends, counted from 1; of a line beyond the limit only the beginning."""

    def __init__(self, handle: TextReader) -> None:
        self._readline = handle.readline
        self.number = 0
        self.too_long = False  # whether the line given last was cut

    def __iter__(self) -> Iterator[str]:
        readline, first = self._readline, True
        while line := readline(MAX_LINE + 1):
            self.number += 1
            if first:
                line, first = line.removeprefix("\ufeff"), False
            self.too_long = len(line) > MAX_LINE and line[-1] != "\n"
            if self.too_long:
                while (rest := readline(MAX_LINE)) and rest[-1] != "\n":
                    pass
            yield line.rstrip("\r\n")

    def length_error(self) -> RecordError:
        """The error for the line given last, which was too long."""
        return RecordError(f"a line of more than {MAX_LINE:,} characters", line=self.number)


def clean(text: str) -> str:
    """The text with a space for every control character, which no format allows inside a value."""
    return (
        text
        if text.isprintable()
        else "".join(" " if c < " " or c == "\x7f" or "\ud800" <= c <= "\udfff" else c for c in text)
    )
