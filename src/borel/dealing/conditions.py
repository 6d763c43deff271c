"""Conditions on a deal, in the language of the classic `dealer` program, compiled for the core.

The language is Hans van Staveren's: ``hcp(north) >= 15 && shape(north, any 4333 + any 4432 + any 5332)``. Text becomes
a syntax tree (script.py), the tree becomes a small stack program, and the core runs the program for every deal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from lark.exceptions import VisitError

from borel import _core
from borel.cards import Hand, Seat
from borel.deal import Deal, Vulnerability
from borel.dealing.compiler import Compiler
from borel.dealing.script import parse_script
from borel.errors import BridgeError, ConditionError

__all__ = ["Condition", "compile_condition", "read_condition"]

Row = tuple[int, int, int, int, int]


@dataclass(frozen=True)
class Condition:
    """A compiled condition, with what else a dealer script asks for.

    >>> condition = compile_condition("hearts(south) >= 5 and hcp(south) < 10")
    >>> deal = Deal.parse("N:AKQ.AKQ.AKQ.AKQJ .JT9.JT98765.T98 JT98.8765432.4.2 765432..32.76543")
    >>> condition.holds(deal)
    True
    """

    text: str
    programs: tuple[tuple[Row, ...], ...] = field(repr=False)
    shapes: tuple[bytes, ...] = field(repr=False, default=())
    scales: tuple[tuple[int, ...], ...] = field(repr=False, default=())
    tables: tuple[tuple[int, ...], ...] = field(repr=False, default=())
    predealt: Deal = field(default=Deal((Hand(0), Hand(0), Hand(0), Hand(0))))
    produce: int | None = None
    seed: int | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None
    notes: tuple[str, ...] = ()
    """What the script asks for and we leave out, one line each."""

    @cached_property
    def core(self) -> _core.Condition:
        """The program in the core."""
        return _core.Condition(
            [list(program) for program in self.programs],
            list(self.shapes),
            [list(scale) for scale in self.scales],
            [list(table) for table in self.tables],
        )

    @property
    def is_trivial(self) -> bool:
        """Whether every deal satisfies the condition because nothing was asked."""
        return self.programs[-1] == Compiler.ALWAYS

    def value(self, deal: Deal) -> int:
        """The value of the condition's expression for one deal; 0 is false."""
        import numpy as np

        try:
            return int(_core.evaluate_condition(self.core, np.array([deal.masks], dtype=np.uint64))[0])
        except ValueError as error:
            raise ConditionError(str(error), self.text) from None

    def holds(self, deal: Deal) -> bool:
        """Whether a deal satisfies the condition."""
        return self.value(deal) != 0


def compile_condition(text: str) -> Condition:
    """Compile a condition, or a whole script with variables, predealt cards and other statements.

    >>> compile_condition("hpc(north) >= 15")
    Traceback (most recent call last):
    borel.errors.ConditionError: unknown function 'hpc'; did you mean "hcp"? in condition 'hpc(north) >= 15' (column 1)
    """
    tree, notes = parse_script(text)
    compiler = Compiler(text)
    try:
        compiler.transform(tree)
    except VisitError as error:
        if isinstance(error.orig_exc, BridgeError):
            raise error.orig_exc from None
        raise
    return Condition(
        text=text,
        programs=compiler.programs(),
        shapes=tuple(compiler.shape_sets),
        scales=tuple(compiler.scales),
        tables=tuple(compiler.tables),
        predealt=compiler.predealt_deal(),
        notes=notes + tuple(compiler.notes),
        **compiler.settings,
    )


def read_condition(text: str) -> Condition:
    """Compile a condition given as on the command line: the text itself, or ``@FILE`` for a dealer script."""
    if not text.startswith("@"):
        return compile_condition(text)
    data = Path(text[1:]).read_bytes()
    try:
        script = data.decode("utf-8")
    except UnicodeDecodeError:
        script = data.decode("latin-1")  # old scripts have accents in their comments
    return compile_condition(script)
