"""The rules that apply at one point of an auction, with suits and levels filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from borel.systems.compiler import Environment, compile_condition
from borel.systems.constraints import ANYTHING, NOTHING, Constraint, all_of, any_of, negated
from borel.systems.facts import Scene
from borel.systems.patterns import Bindings, bind_suit, domain_of, expand_call, match
from borel.systems.syntax import AllOf, Band, Block, CallSpec, Rule, Words
from borel.systems.system import BlockRules, Index, System, priority_of
from borel.systems.variables import block_variables, rule_variables

__all__ = ["Option", "collect_options"]


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """A call that a rule gives here, and the hands it gives it to."""

    call: int
    constraint: Constraint
    priority: int
    order: int
    rule: Rule
    bindings: Bindings
    shows: Constraint
    agrees: int = -1
    meaning: str = field(default="")

    def __str__(self) -> str:
        from borel.auction import CALL_NAMES

        return CALL_NAMES[self.call]


def collect_options(system: System, scene: Scene, *, specific: bool) -> list[Option]:
    """The options of specific agreements, or of principles, in file order, less what ``never`` rules forbid."""
    found = list(_options(system, system.specific if specific else system.general, scene, None))
    if not found:
        return found
    calls = frozenset(option.call for option in found)
    forbidden: dict[int, list[Constraint]] = {}
    for option in _options(system, system.negative, scene, calls):
        forbidden.setdefault(option.call, []).append(option.constraint)
    found.sort(key=lambda option: option.order)
    return [kept for option in found if (kept := _allowed(option, forbidden)) is not None]


def _options(system: System, index: Index, scene: Scene, calls: frozenset[int] | None) -> Iterator[Option]:
    """The options of an index's rules that apply here, perhaps only those of certain calls."""
    for group, bindings in _matching(index, scene):
        for rule, env, shared in _instances(system, scene, group, bindings):
            yield from _options_of(rule, env, shared, calls)


def _allowed(option: Option, forbidden: dict[int, list[Constraint]]) -> Option | None:
    against = forbidden.get(option.call)
    if not against:
        return option
    constraint = all_of([option.constraint, negated(any_of(against))])
    if constraint == NOTHING:
        return None
    shows = constraint if option.shows == option.constraint else option.shows
    return replace(option, constraint=constraint, shows=shows)


def _matching(index: Index, scene: Scene) -> Iterator[tuple[BlockRules, Bindings]]:
    """The blocks whose auction pattern fits, with what the pattern binds."""
    context = scene.context
    opening = context.opening
    if opening == len(context.calls):
        for group in index.openings:
            yield group, {}
    else:
        for group, pattern in index.by_length.get(len(context.calls) - opening, ()):
            for bindings in match(pattern, context.calls, opening):
                yield group, bindings
    for group, floating in index.floating:
        if floating is None:
            yield group, {}
        else:
            seen: list[Bindings] = []
            for bindings in match(floating, context.calls, opening):
                if bindings not in seen:
                    seen.append(bindings)
                    yield group, bindings


def _instances(
    system: System, scene: Scene, group: BlockRules, bindings: Bindings
) -> Iterator[tuple[Rule, Environment, Constraint]]:
    """The rules of a block with every variable bound, and the condition that the block itself sets."""
    block = group.block
    if not _in_force(block.clauses, system, scene):
        return
    env = Environment(scene, bindings, system.definitions)
    for bound in _assignments(block_variables(block), env, block.domains):
        inner = env.bound(bound)
        if any(name in bound and not _in_domain(name, bound, words, inner) for name, words in block.domains.items()):
            continue
        shared = _shared(block, inner)
        if shared == NOTHING:
            continue
        for rule in group.rules:
            if _in_force(rule.clauses, system, scene):
                yield from _rule_instances(rule, inner, shared)


def _shared(block: Block, env: Environment) -> Constraint:
    """The condition of a block, which all its rules share."""
    parts = []
    for condition in block.conditions:
        part = compile_condition(condition, env)
        if part == NOTHING:
            return NOTHING
        parts.append(part)
    return all_of(parts)


def _rule_instances(rule: Rule, env: Environment, shared: Constraint) -> Iterator[tuple[Rule, Environment, Constraint]]:
    names = rule_variables(rule)
    domains = {**rule.block.domains, **rule.domains}
    for full in _assignments(frozenset(names), env, domains):
        inner = env.bound(full)
        if all(name not in full or _in_domain(name, full, words, inner) for name, words in rule.domains.items()):
            yield rule, inner, shared


def _in_domain(name: str, bindings: Bindings, words: Words, env: Environment) -> bool:
    return bool(_domain(words, env) >> bindings[name] & 1)


def _domain(words: Words, env: Environment) -> int:
    from borel.systems.compiler import _set_of

    return _set_of(words, env)


def _assignments(names: frozenset[str], env: Environment, domains: dict[str, Words]) -> Iterator[Bindings]:
    """Every way to give the free variables different suits."""
    free = sorted(name for name in names if name not in env.bindings and name not in "CDHS")
    partial: list[Bindings] = [env.bindings]
    for name in free:
        allowed = _domain(domains[name], env) if name in domains else 0b1111
        partial = [
            found
            for bindings in partial
            for suit in domain_of(name)
            if allowed >> suit & 1 and (found := bind_suit(name, suit, bindings)) is not None
        ]
    yield from partial


def _in_force(clauses: dict[str, object], system: System, scene: Scene) -> bool:
    """Whether the conventions that a block or rule names are played and, for ``using``, have been used by our side."""
    for key in ("convention", "using", "playing"):
        name = clauses.get(key)
        if name is not None and not system.is_on(str(name)):
            return False
    using = clauses.get("using")
    if using is not None and str(using) not in scene.context.conventions[scene.side]:
        return False
    seats = clauses.get("seats")
    if isinstance(seats, Band):
        context = scene.context
        return seats.low <= context.opening + 1 <= seats.high
    return True


def _options_of(rule: Rule, env: Environment, shared: Constraint, calls: frozenset[int] | None) -> Iterator[Option]:
    context = env.scene.context
    through = rule.clauses.get("through", rule.block.clauses.get("through"))
    if isinstance(through, CallSpec) and context.last_bid > max(expand_call(through, (), env.bindings), default=37):
        return
    for spec in rule.calls:
        for call in expand_call(spec, context.calls, env.bindings):
            if not context.is_legal(call) or (calls is not None and call not in calls):
                continue
            constraint = _condition_of(rule, env.calling(call), shared)
            if constraint != NOTHING:
                yield _option(rule, env.calling(call), call, constraint)


def _condition_of(rule: Rule, env: Environment, shared: Constraint) -> Constraint:
    if not rule.conditions:
        return shared
    own = compile_condition(rule.conditions[0] if len(rule.conditions) == 1 else AllOf(tuple(rule.conditions)), env)
    return own if shared == ANYTHING else shared if own == ANYTHING else all_of([shared, own])


def _option(rule: Rule, env: Environment, call: int, constraint: Constraint) -> Option:
    shows = rule.clauses.get("shows")
    agrees = rule.clauses.get("agrees", rule.block.clauses.get("agrees"))
    from borel.systems.compiler import _suit

    return Option(
        call=call,
        constraint=constraint,
        priority=priority_of(rule),
        order=rule.order,
        rule=rule,
        bindings=env.bindings,
        shows=compile_condition(shows, env) if shows is not None else constraint,  # type: ignore[arg-type]
        agrees=_suit(agrees, env) if agrees is not None else -1,  # type: ignore[arg-type]
    )
