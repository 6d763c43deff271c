"""From lark's trees to the dataclasses of `syntax`: one method a grammar rule."""

# ruff: noqa: D102 - each method is named after the rule of the grammar that it builds

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from lark import Token, Transformer, v_args

from borel.systems.errors import Place, SystemFileError
from borel.systems.syntax import (
    AllOf,
    AnyOf,
    Band,
    Block,
    CallSpec,
    Combine,
    Compare,
    Definition,
    Element,
    Expr,
    Function,
    Member,
    NamedBand,
    Not,
    Number,
    Other,
    Pattern,
    Quantified,
    Rule,
    SuitRef,
    Term,
    Truth,
    Within,
    Words,
)

__all__ = ["Builder", "Clause"]

INFINITY = math.inf
LESS = 0.005  # half of the smallest step of any feature: what < takes from a number


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause or directive: its kind and its value."""

    kind: str
    value: object


_BID = re.compile(r"(?:(\d)(?:-(\d))?|(\*)|([nk])(?:\+(\d))?)(NT|N|[A-Zm*])")
_LETTERS = {"X": "double", "XX": "redouble", "P": "pass", "PASS": "pass"}


def bid_spec(text: str) -> CallSpec:
    """The family of bids that a word such as ``2X``, ``3-4M``, ``*NT`` or ``n+1Y`` stands for."""
    match = _BID.fullmatch(text)
    assert match is not None
    low, high, anylevel, variable, plus, strain = match.groups()
    strain = "NT" if strain == "N" else strain
    if variable:
        return CallSpec("bid", strain, level_variable=variable, plus=int(plus or 0), text=text)
    if anylevel:
        return CallSpec("bid", strain, text=text)
    return CallSpec("bid", strain, int(low), int(high or low), text=text)


@v_args(inline=True)
class Builder(Transformer[Token, Any]):
    """Builds one line. Columns are counted from the line's own indentation."""

    def __init__(self, place: Place, text: str) -> None:
        super().__init__()
        self.place, self.text = place, text

    def _at(self, token: Token) -> Place:
        return Place(self.place.file, self.place.line, self.place.column + (token.column or 1) - 1)

    # terms
    def number(self, token: Token) -> Number:
        return Number(float(token))

    def suit(self, token: Token) -> SuitRef:
        return SuitRef(str(token), self._at(token))

    def other(self, suit: SuitRef) -> Other:
        return Other(suit, suit.place)

    def suitlist(self, *parts: Token | SuitRef | Other) -> Words:
        return Words(tuple(str(p) if isinstance(p, Token) else p for p in parts), self.place)

    words = suitlist

    def quantified(self, every: Token, suits: Words) -> Quantified:
        return Quantified(every == "each", suits)

    def function(self, name: Token, *arguments: Term) -> Function:
        return Function(str(name), tuple(arguments), self._at(name))

    def combine(self, left: Term, sign: Token, right: Term) -> Combine:
        return Combine(left, 1 if sign == "+" else -1, right)

    def times(self, factor: Number, _: Token, term: Term) -> Combine:
        return Combine(Number(0.0), self._whole(factor), term)

    def combine_times(self, left: Term, sign: Token, factor: Number, _: Token, right: Term) -> Combine:
        return Combine(left, self._whole(factor) * (1 if sign == "+" else -1), right)

    def _whole(self, factor: Number) -> int:
        """How often a term counts; sums of whole numbers keep whole steps."""
        if factor.value != int(factor.value):
            raise SystemFileError(f"a term counts a whole number of times, not {factor.value:g}", self.place)
        return int(factor.value)

    # conditions
    def between(self, token: Token) -> Band:
        low, high = (float(part) for part in token.split("-"))
        if low > high:
            raise SystemFileError(f"the range {token} is empty", self._at(token), hint=f"{high:g}-{low:g}")
        return Band(low, high)

    def at_least(self, token: Token) -> Band:
        return Band(float(token[:-1]), INFINITY)

    def exactly(self, token: Token) -> Band:
        return Band(float(token), float(token))

    def bounded(self, sign: Token, number: Token) -> Band:
        value = float(number)
        bands = {
            "<": (-INFINITY, value - LESS),
            "<=": (-INFINITY, value),
            ">": (value + LESS, INFINITY),
            ">=": (value, INFINITY),
        }
        if sign not in bands:
            return Band(value, value)
        return Band(*bands[str(sign)])

    def named_band(self, name: Token) -> NamedBand:
        return NamedBand(str(name), self._at(name))

    def within(self, band: Band | NamedBand, measure: Term) -> Within:
        return Within(band, measure)

    def compare(self, left: Term, sign: Token, right: Term) -> Compare:
        return Compare(left, str(sign), right)

    def member(self, suit: Term, suits: Words) -> Member:
        return Member(suit, suits)

    def truth(self, term: Term) -> Truth:
        return Truth(term)

    def none_of(self, measure: Term) -> Within:
        return Within(Band(-INFINITY, 0), measure)

    def negate(self, part: Expr) -> Not:
        return Not(part)

    def all_of(self, *parts: Expr) -> Expr:
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def any_of(self, *parts: Expr) -> Expr:
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    # calls and patterns
    def one_call(self, token: Token) -> CallSpec:
        if token.type == "BID":
            return bid_spec(str(token))
        if token.type == "LETTER_CALL":
            return CallSpec(_LETTERS[token.upper()], text=str(token))
        return CallSpec("anybid" if token == "bid" else "any", text=str(token))

    def how_call(self, how: Token, strain: Token) -> CallSpec:
        return CallSpec(str(how), "NT" if strain == "N" else str(strain), text=f"{how} {strain}")

    def alternatives(self, *calls: CallSpec) -> tuple[CallSpec, ...]:
        return calls

    calls = alternatives

    def our_call(self, calls: tuple[CallSpec, ...]) -> Element:
        return Element(True, calls)

    def their_call(self, calls: tuple[CallSpec, ...]) -> Element:
        return Element(False, calls)

    def anything(self, _: Token) -> Element:
        return Element(True, anything=True)

    def pattern(self, *elements: Element) -> Pattern:
        return _with_passes(elements)

    # clauses
    def condition(self, expr: Expr) -> Clause:
        return Clause("condition", expr)

    def unless(self, expr: Expr) -> Clause:
        return Clause("condition", Not(expr))

    def meaning(self, text: Token) -> Clause:
        return Clause("meaning", text[1:-1])

    def otherwise(self) -> Clause:
        return Clause("otherwise", True)

    def force(self, word: Token) -> Clause:
        return Clause("force", str(word))

    def asks(self) -> Clause:
        return Clause("asks", True)

    def alert(self, text: Token | None = None) -> Clause:
        return Clause("alert", text[1:-1] if text else "")

    def announce(self, text: Token) -> Clause:
        return Clause("announce", text[1:-1])

    def convention(self, name: Token) -> Clause:
        return Clause("convention", str(name))

    def using(self, name: Token) -> Clause:
        return Clause("using", str(name))

    def playing(self, name: Token) -> Clause:
        return Clause("playing", str(name))

    def agrees(self, suit: SuitRef) -> Clause:
        return Clause("agrees", suit)

    def priority(self, value: Token) -> Clause:
        if value.type == "NUM":
            return Clause("priority", int(float(value)))
        from borel.systems.system import PRIORITIES

        if str(value) not in PRIORITIES:
            raise SystemFileError(f"no priority is called {str(value)!r}: {' '.join(PRIORITIES)}", self._at(value))
        return Clause("priority", PRIORITIES[str(value)])

    def seats(self, value: Token) -> Clause:
        band = self.between(value) if value.type == "RANGE" else self.exactly(value)
        return Clause("seats", band)

    def domain(self, name: Token, suits: Words) -> Clause:
        return Clause("domain", (str(name), suits))

    def through(self, bid: Token) -> Clause:
        return Clause("through", bid_spec(str(bid)))

    def named(self, name: Token) -> Clause:
        return Clause("named", str(name))

    def shows(self, expr: Expr) -> Clause:
        return Clause("shows", expr)

    def clause(self, item: Clause) -> Clause:
        return item

    tail = first = clause

    # rules and headers
    def never(self) -> str:
        return "never"

    def replace(self) -> str:
        return "replace"

    def drop(self) -> str:
        return "drop"

    def rule(self, *parts: Any) -> Rule:
        prefix = parts[0] if isinstance(parts[0], str) else ""
        calls = parts[1] if prefix else parts[0]
        rule = Rule(_NO_BLOCK, prefix, calls, "/".join(spec.text for spec in calls), self.place, source=self.text)
        for item in parts[2 if prefix else 1 :]:
            if item.kind == "meaning":
                rule.meaning = item.value
            elif item.kind == "otherwise":
                rule.otherwise = True
            else:
                _add_clause(rule, item)
        return rule

    def _block(self, kind: str, patterns: tuple[Pattern, ...], clauses: tuple[Clause, ...]) -> Block:
        block = Block(kind, _header_text(self.text), self.place, patterns=patterns)
        for item in clauses:
            _add_clause(block, item)
        return block

    def open_block(self, *clauses: Clause) -> Block:
        return self._block("open", (), clauses)

    def after_block(self, *parts: Any) -> Block:
        patterns = tuple(part for part in parts if isinstance(part, tuple))
        return self._block("after", patterns, tuple(part for part in parts if isinstance(part, Clause)))

    def whenever_block(self, condition: Expr, *clauses: Clause) -> Block:
        return self._block("whenever", (), (Clause("condition", condition), *clauses))

    def never_block(self, *clauses: Clause) -> Block:
        return self._block("never", (), clauses)

    def header(self, block: Block) -> Block:
        return block

    line = directive = header

    # directives
    def system(self, name: Token, title: Token | None = None) -> Clause:
        return Clause("system", (str(name), title[1:-1] if title else ""))

    def include(self, path: Token) -> Clause:
        return Clause("include", str(path))

    def switch(self, name: Token, on: Token, text: Token | None = None) -> Clause:
        return Clause("switch", (str(name), on == "on", text[1:-1] if text else ""))

    def params(self, *names: Token) -> tuple[str, ...]:
        return tuple(map(str, names))

    def let_band(self, band: Band) -> Band:
        return band

    def let_expr(self, expr: Expr) -> Expr:
        return expr

    def let(self, name: Token, *rest: Any) -> Clause:
        parameters, body = rest if len(rest) == 2 else ((), rest[0])
        return Clause("let", Definition(str(name), parameters, body, self._at(name)))

    def drop_named(self, name: Token) -> Clause:
        return Clause("drop_named", str(name))

    def section(self, text: Token) -> Clause:
        return Clause("title", text[1:-1])


_NO_BLOCK = Block("none", "", Place("", 0))


def _add_clause(target: Rule | Block, item: Clause) -> None:
    if item.kind == "condition":
        target.conditions.append(item.value)  # type: ignore[arg-type]
    elif item.kind == "domain":
        assert isinstance(item.value, tuple)
        target.domains[item.value[0]] = item.value[1]
    else:
        target.clauses[item.kind] = item.value


def _header_text(text: str) -> str:
    return " ".join(text.split())


def _with_passes(elements: tuple[Element, ...]) -> Pattern:
    """Write out the passes that the notation leaves out: ``1NT 2C`` is ``1NT (P) 2C (P)``."""
    passed = (CallSpec("pass", text="P"),)
    full: list[Element] = []
    for element in elements:
        if full and not element.anything and not full[-1].anything and full[-1].ours == element.ours:
            full.append(Element(not element.ours, passed))
        full.append(element)
    if full and full[-1].ours and not full[-1].anything:
        full.append(Element(False, passed))
    return tuple(full)
