"""One family of errors. Each names the rule, quotes the text and, where there is one, gives the place.

`ParseError` is about spelling (this is not a card), the others are about the game (this card may not be played now).
"""

from __future__ import annotations

__all__ = [
    "BridgeError",
    "ConditionError",
    "DealError",
    "IllegalCallError",
    "IllegalCardError",
    "ImpossibleError",
    "ParseError",
    "RecordError",
]

_QUOTED = 80  # characters of the offending text that an error repeats


def quote(text: str) -> str:
    """Quote at most 80 characters of a text, so that an absurd input gives a readable error."""
    return repr(text) if len(text) <= _QUOTED else repr(text[:_QUOTED]) + f"… ({len(text)} characters)"


class BridgeError(ValueError):
    """The base of every error that Borel raises on purpose."""


class ParseError(BridgeError):
    """A text that is not what it should be.

    >>> raise ParseError("card", "S1")
    Traceback (most recent call last):
    borel.errors.ParseError: not a card: 'S1'
    """

    def __init__(self, what: str, text: str, *, why: str = "", line: int | None = None) -> None:
        self.what, self.text, self.why, self.line = what, text, why, line
        place = f" (line {line})" if line is not None else ""
        super().__init__(f"not a {what}: {quote(text)}" + (f": {why}" if why else "") + place)


class DealError(BridgeError):
    """Cards that cannot make a deal: one held twice, a hand of more than thirteen."""


class IllegalCallError(BridgeError):
    """A call that the Laws do not allow at this point (Laws 18, 19, 22)."""


class IllegalCardError(BridgeError):
    """A card that is not held, or would be a revoke (Laws 44, 61)."""


class RecordError(BridgeError):
    """A record of a board whose parts contradict one another. Carries the place in its file."""

    def __init__(self, what: str, *, line: int | None = None, source: str = "") -> None:
        self.what, self.line, self.source = what, line, source
        place = ":".join(part for part in (source, str(line) if line is not None else "") if part)
        super().__init__(f"{place}: {what}" if source else what + (f" (line {line})" if line is not None else ""))


class ConditionError(BridgeError):
    """A dealing condition that cannot be read. Carries the column, counted from 1."""

    def __init__(self, what: str, text: str, *, column: int | None = None) -> None:
        self.what, self.text, self.column = what, text, column
        place = f" (column {column})" if column is not None else ""
        super().__init__(f"{what} in condition {quote(text)}{place}")


class ImpossibleError(BridgeError):
    """What was asked for was not found within the stated limit."""
