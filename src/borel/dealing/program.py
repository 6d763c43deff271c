"""The pieces a compiled condition is made of: instructions, code that leaves a number, words not yet understood."""

from __future__ import annotations

from dataclasses import dataclass

from lark import Token

from borel import _core

__all__ = ["BINARY", "OPS", "WHOLE_HAND", "Code", "Item", "Row", "Word", "place", "row"]

OPS = {name: number for number, name in enumerate(_core.condition_operations())}
BINARY = {
    "==": "EQUAL", "!=": "UNEQUAL", "<": "LESS", "<=": "AT_MOST", ">": "GREATER", ">=": "AT_LEAST",
    "+": "ADD", "-": "SUBTRACT", "*": "MULTIPLY", "/": "DIVIDE", "%": "MODULO",
}  # fmt: skip
WHOLE_HAND = 4

Row = tuple[int, int, int, int, int]


def row(op: str, seat: int = 0, x: int = 0, y: int = 0, z: int = 0) -> Row:
    """One instruction."""
    return OPS[op], seat, x, y, z


def place(token: Token) -> tuple[int, int]:
    """Line and column of a token."""
    return token.line or 1, token.column or 1


@dataclass(slots=True)
class Code:
    """Instructions that leave one number on the stack, and how high the stack grows meanwhile."""

    rows: list[Row]
    place: tuple[int, int]
    height: int = 1

    def then(self, middle: list[Row], other: Code, *, kept: int) -> Code:
        """Add some instructions, then another code while `kept` numbers wait; in place, so long chains are cheap."""
        self.rows += middle
        self.rows += other.rows
        self.height = max(self.height, kept + other.height)
        return self


@dataclass(slots=True)
class Word:
    """A name whose meaning depends on where it stands: a seat, a suit, a variable."""

    token: Token

    @property
    def name(self) -> str:
        """The name in small letters."""
        return self.token.lower()

    @property
    def place(self) -> tuple[int, int]:
        """Line and column."""
        return place(self.token)


Item = Code | Word
