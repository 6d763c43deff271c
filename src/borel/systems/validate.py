"""Checks that need no auction: every name in a system's conditions must be known, with a suit where it needs one."""

from __future__ import annotations

from collections.abc import Iterable

from borel.features import CLASSES
from borel.systems.compiler import CALL_FACTS, PEOPLE
from borel.systems.errors import SystemFileError, suggestion
from borel.systems.facts import FACTS, SUIT_FACTS
from borel.systems.hand import HAND_FEATURES, SUIT_FEATURES, SUPPORT_FEATURES
from borel.systems.measures import takes
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
    Rule,
    SuitRef,
    Term,
    Truth,
    Within,
)
from borel.systems.variables import (
    block_variables,
    functions_of,
    levels_of,
    pattern_variables,
    rule_variables,
    variables_of,
)

__all__ = ["speaks_of_registry", "validate"]

SHOWN = frozenset(f"{who}.{end}" for who in (*PEOPLE, "combined", "ours", "theirs") for end in ("min", "max", "mid"))
PLAIN = frozenset({*HAND_FEATURES, *FACTS, *CALL_FACTS, "n", "k", "missing.aces"})
OF_SUIT = frozenset({*SUIT_FEATURES, *SUPPORT_FEATURES, *SUIT_FACTS, "fit", "len", "cards", "missing.keycards"})


def validate(rules: Iterable[Rule], definitions: dict[str, Definition]) -> None:
    """Raise for the first unknown name or missing suit, with its place and what was probably meant."""
    for definition in definitions.values():
        if not isinstance(definition.body, Band | NamedBand):
            _expr(definition.body, definitions)
            loose = variables_of([definition.body]) - set(definition.parameters) - set("CDHS")
            if loose:
                raise SystemFileError(f"{min(loose)} is not a parameter of {definition.name}", definition.place)
    seen: set[int] = set()
    for rule in rules:
        if id(rule.block) not in seen:
            seen.add(id(rule.block))
            for condition in rule.block.conditions:
                _expr(condition, definitions)
        for condition in rule.conditions:
            _expr(condition, definitions)
        _bindings(rule)
        shows = rule.clauses.get("shows")
        if shows is not None:
            _expr(shows, definitions)  # type: ignore[arg-type]


def _bindings(rule: Rule) -> None:
    """Every suit and level that a rule speaks of must come from its auction, its call or its conditions."""
    bound = pattern_variables(rule.block) | block_variables(rule.block) | rule_variables(rule) | set("CDHS")
    levels = levels_of(rule.block)
    for spec in rule.calls:
        if spec.level_variable and spec.level_variable not in levels:
            raise SystemFileError(f"the level {spec.level_variable} is not bound by the auction", rule.place)
    spoken = {str(name) for name in _level_names([*rule.conditions, *rule.block.conditions])}
    if spoken - levels:
        raise SystemFileError(f"the level {min(spoken - levels)} is not bound by the auction", rule.place)
    agrees, shows = rule.clauses.get("agrees", rule.block.clauses.get("agrees")), rule.clauses.get("shows")
    wanted = variables_of([shows]) if shows is not None else frozenset()  # type: ignore[list-item]
    if isinstance(agrees, SuitRef):
        wanted |= {agrees.name}
    if wanted - bound:
        raise SystemFileError(f"the suit {min(wanted - bound)} is not bound by the auction or the call", rule.place)


def _level_names(exprs: list[Expr]) -> set[str]:
    found: set[str] = set()

    def term(value: Term) -> None:
        if isinstance(value, Combine):
            term(value.left)
            term(value.right)
        elif isinstance(value, Function) and value.name in ("n", "k"):
            found.add(value.name)

    def walk(expr: Expr) -> None:
        match expr:
            case AllOf(parts) | AnyOf(parts):
                for part in parts:
                    walk(part)
            case Not(part):
                walk(part)
            case Within(_, measure):
                term(measure)
            case Compare(left, _, right):
                term(left)
                term(right)
            case Truth(value):
                term(value)

    for expr in exprs:
        walk(expr)
    return found


def _expr(expr: Expr, definitions: dict[str, Definition]) -> None:
    match expr:
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                _expr(part, definitions)
        case Not(part):
            _expr(part, definitions)
        case Within(band, measure):
            if isinstance(band, NamedBand):
                _band(band, definitions)
            _term(measure, definitions)
        case Compare(left, _, right):
            _term(left, definitions)
            _term(right, definitions)
        case Member(suit, _):
            if isinstance(suit, Function):
                raise SystemFileError(f"{suit.name} is not a suit", suit.place)
        case Truth(term):
            if isinstance(term, SuitRef):
                raise SystemFileError(
                    f"{term.name} alone says nothing about a hand", term.place, hint=f"4+ {term.name}"
                )
            if isinstance(term, Function) and term.name in definitions:
                _definition(term, definitions)
            else:
                _term(term, definitions)


def _band(band: NamedBand, definitions: dict[str, Definition]) -> None:
    definition = definitions.get(band.name)
    if definition is None or not isinstance(definition.body, Band | NamedBand):
        known = [name for name, d in definitions.items() if isinstance(d.body, Band)]
        raise SystemFileError(f"no range is called {band.name!r}", band.place, hint=suggestion(band.name, known))


def _definition(term: Function, definitions: dict[str, Definition]) -> None:
    definition = definitions[term.name]
    if isinstance(definition.body, Band | NamedBand):
        raise SystemFileError(f"{term.name} is a range: say of what", term.place, hint=f"{term.name} hcp")
    if len(term.arguments) != len(definition.parameters):
        raise SystemFileError(f"{term.name} takes {len(definition.parameters)} suits", term.place)


def _term(term: Term, definitions: dict[str, Definition]) -> None:
    if isinstance(term, Combine):
        _term(term.left, definitions)
        _term(term.right, definitions)
    if not isinstance(term, Function):
        return
    if term.name in SHOWN:
        for argument in term.arguments:
            _term(argument, definitions)
        return
    known = OF_SUIT if term.arguments else PLAIN
    arity = takes(term.name)
    if arity and arity[0] <= len(term.arguments) <= arity[1] and (term.name not in known or len(term.arguments) > 1):
        _registry_arguments(term)
        return
    if term.name in known:
        if len(term.arguments) > 1 or any(isinstance(argument, Function) for argument in term.arguments):
            raise SystemFileError(f"{term.name} is of one suit", term.place, hint=f"{term.name}(M)")
        return
    raise _unknown(term, definitions)


def _registry_arguments(term: Function) -> None:
    """Suits, but for the length at the end of ``fit(M, 5)`` and ``law_level(M, 5)``."""
    lengths = CLASSES[term.name].arguments == "SN"
    for place, argument in enumerate(term.arguments):
        wanted = lengths and place == 1
        if isinstance(argument, Function | Combine) or isinstance(argument, Number) != wanted:
            what = "a length from 0 to 13" if wanted else "a suit"
            raise SystemFileError(f"argument {place + 1} of {term.name} is {what}", term.place)
        if isinstance(argument, Number) and not (argument.value.is_integer() and 0 <= argument.value <= 13):
            raise SystemFileError(f"argument {place + 1} of {term.name} is a length from 0 to 13", term.place)


def speaks_of_registry(rules: Iterable[Rule], definitions: dict[str, Definition]) -> bool:
    """Whether some condition uses a word that only `borel.features` has, so that hands need their wide vectors."""
    exprs = [d.body for d in definitions.values() if not isinstance(d.body, Band | NamedBand)]
    for rule in rules:
        shows = rule.clauses.get("shows")
        exprs += [*rule.conditions, *rule.block.conditions, *([shows] if shows is not None else [])]  # type: ignore[list-item]
    return any(_is_of_registry(term, definitions) for expr in exprs for term in functions_of(expr))


def _is_of_registry(term: Function, definitions: dict[str, Definition]) -> bool:
    known = OF_SUIT if term.arguments else PLAIN
    own = term.name in SHOWN or term.name in definitions or (term.name in known and len(term.arguments) < 2)
    return not own and takes(term.name) is not None


def _unknown(term: Function, definitions: dict[str, Definition]) -> SystemFileError:
    if term.name in OF_SUIT and not term.arguments:
        return SystemFileError(f"{term.name} needs a suit", term.place, hint=f"{term.name}(M)")
    if term.name in PLAIN:
        return SystemFileError(f"{term.name} takes no suit", term.place, hint=term.name)
    hint = suggestion(term.name, PLAIN | OF_SUIT | SHOWN | set(definitions) | set(CLASSES))
    return SystemFileError(f"no feature or fact is called {term.name!r}", term.place, hint=hint)
