"""Conditions that the auction alone decides come before those on the hand, so that most rules are settled early."""

from __future__ import annotations

from borel.systems.compiler import CALL_FACTS, PEOPLE
from borel.systems.facts import FACTS, SUIT_FACTS
from borel.systems.syntax import (
    AllOf,
    AnyOf,
    Band,
    Combine,
    Compare,
    Definition,
    Expr,
    Function,
    Member,
    NamedBand,
    Not,
    Number,
    Term,
    Truth,
    Within,
)

__all__ = ["is_public", "public_first"]

_SHOWN = frozenset(f"{who}.{end}" for who in (*PEOPLE, "ours", "theirs") for end in ("min", "max", "mid"))


def public_first(expr: Expr, definitions: dict[str, Definition]) -> Expr:
    """The same condition with the parts that need no hand in front."""
    if not isinstance(expr, AllOf):
        return expr
    parts = [public_first(part, definitions) for part in expr.parts]
    return AllOf(tuple(sorted(parts, key=lambda part: not is_public(part, definitions))))


def is_public(expr: Expr, definitions: dict[str, Definition]) -> bool:
    """Whether everybody at the table knows if the condition holds."""
    match expr:
        case AllOf(parts) | AnyOf(parts):
            return all(is_public(part, definitions) for part in parts)
        case Not(part):
            return is_public(part, definitions)
        case Within(_, measure):
            return _public_term(measure)
        case Compare(left, _, right):
            return _public_term(left) and _public_term(right)
        case Member():
            return True
        case Truth(term):
            if isinstance(term, Function) and term.name in definitions:
                body = definitions[term.name].body
                return not isinstance(body, Band | NamedBand) and is_public(body, definitions)
            return _public_term(term)


def _public_term(term: Term) -> bool:
    if isinstance(term, Number):
        return True
    if isinstance(term, Combine):
        return _public_term(term.left) and _public_term(term.right)
    if not isinstance(term, Function):
        return False
    if term.name in _SHOWN:
        return True
    return (
        term.name in SUIT_FACTS
        if term.arguments
        else term.name in FACTS or term.name in CALL_FACTS or term.name in "nk"
    )
