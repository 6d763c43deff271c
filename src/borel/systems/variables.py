"""Which suit variables a condition, a call or a pattern mentions."""

from __future__ import annotations

from collections.abc import Iterator

from borel.systems.syntax import (
    AllOf,
    AnyOf,
    Block,
    CallSpec,
    Combine,
    Compare,
    Expr,
    Function,
    Member,
    Not,
    Other,
    Quantified,
    Rule,
    SuitRef,
    Term,
    Truth,
    Within,
    Words,
)

__all__ = [
    "block_variables",
    "call_variables",
    "functions_of",
    "levels_of",
    "pattern_variables",
    "rule_variables",
    "variables_of",
]


def call_variables(calls: tuple[CallSpec, ...]) -> frozenset[str]:
    """The suit variables of calls."""
    return frozenset(spec.strain for spec in calls if len(spec.strain) == 1 and spec.strain != "*")


def rule_variables(rule: Rule) -> frozenset[str]:
    """The suit variables of a rule's calls and conditions."""
    if rule.variables is None:
        rule.variables = variables_of(rule.conditions) | call_variables(rule.calls)
    return rule.variables


def block_variables(block: Block) -> frozenset[str]:
    """The suit variables of a header's conditions."""
    if block.variables is None:
        block.variables = variables_of(block.conditions)
    return block.variables


def variables_of(exprs: list[Expr]) -> frozenset[str]:
    """The suit variables that conditions mention."""
    found: set[str] = set()

    def walk(expr: Expr) -> None:
        match expr:
            case AllOf(parts) | AnyOf(parts):
                for part in parts:
                    walk(part)
            case Not(part):
                walk(part)
            case Within(_, measure):
                _collect(measure, found)
            case Compare(left, _, right):
                _collect(left, found)
                _collect(right, found)
            case Member(suit, suits):
                _collect(suit, found)
                _collect(suits, found)
            case Truth(value):
                _collect(value, found)

    for expr in exprs:
        walk(expr)
    return frozenset(found)


def _collect(value: Term | str, found: set[str]) -> None:
    """Add the suit variables of a term."""
    match value:
        case SuitRef(name, _):
            found.add(name)
        case Other(suit, _):
            _collect(suit, found)
        case Words(parts, _):
            for part in parts:
                _collect(part, found)
        case Quantified(_, suits):
            _collect(suits, found)
        case Function(_, arguments, _):
            for argument in arguments:
                _collect(argument, found)
        case Combine(left, _, right):
            _collect(left, found)
            _collect(right, found)


def functions_of(expr: Expr) -> Iterator[Function]:
    """Every feature and fact that a condition names."""
    match expr:
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from functions_of(part)
        case Not(part):
            yield from functions_of(part)
        case Within(_, measure):
            yield from _functions(measure)
        case Compare(left, _, right):
            yield from _functions(left)
            yield from _functions(right)
        case Truth(value):
            yield from _functions(value)


def _functions(term: Term) -> Iterator[Function]:
    if isinstance(term, Combine):
        yield from _functions(term.left)
        yield from _functions(term.right)
    elif isinstance(term, Function):
        yield term
        for argument in term.arguments:
            yield from _functions(argument)


def pattern_variables(block: Block) -> frozenset[str]:
    """The suit variables that every pattern of a header binds."""
    each = [
        frozenset().union(*(call_variables(element.calls) for element in pattern if len(element.calls) == 1))
        for pattern in block.patterns
    ]
    return frozenset.intersection(*each) if each else frozenset()


def levels_of(block: Block) -> frozenset[str]:
    """The level variables that a header's patterns mention."""
    specs = (spec for pattern in block.patterns for element in pattern for spec in element.calls)
    return frozenset(spec.level_variable for spec in specs if spec.level_variable)
