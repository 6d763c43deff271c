"""The rules that apply at one point of an auction, with suits and levels filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from borel.systems.compiler import Environment, compile_condition
from borel.systems.constraints import ANYTHING, NOTHING, Constraint, all_of, any_of, negated
from borel.systems.facts import Scene
from borel.systems.patterns import Bindings, bind_suit, domain_of, expand_call
from borel.systems.recall import Recall, RulePlan, is_ruled_out, legal_calls, matching, plan_of
from borel.systems.syntax import Block, CallSpec, Rule, Words
from borel.systems.system import Index, System, priority_of
from borel.systems.variables import block_variables, rule_variables

__all__ = ["Option", "collect_options", "guards"]


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
    asks: Constraint = ANYTHING  # what the rule itself says of the hand, without what ``never`` rules take from it

    def __str__(self) -> str:
        from borel.auction import CALL_NAMES

        return CALL_NAMES[self.call]


def collect_options(system: System, scene: Scene, *, specific: bool) -> list[Option]:
    """The options of specific agreements, or of principles, in file order, less what ``never`` rules forbid."""
    found = list(_options(system, system.specific if specific else system.general, scene))
    if not found:
        return found
    calls = frozenset(option.call for option in found)
    forbidden: dict[int, list[Constraint]] = {}
    for option in _forbidden(system, scene):
        if option.call in calls:
            forbidden.setdefault(option.call, []).append(option.constraint)
    found.sort(key=lambda option: option.order)
    return [kept for option in found if (kept := _allowed(option, forbidden)) is not None]


def guards(system: System, scene: Scene, call: int) -> list[Constraint]:
    """The hands that ``never`` rules forbid a call here, where that depends on the hand."""
    found = (option.constraint for option in _forbidden(system, scene) if option.call == call)
    return [constraint for constraint in found if constraint is not ANYTHING]


def _forbidden(system: System, scene: Scene) -> list[Option]:
    """What ``never`` rules forbid here; worked out once, for agreements and principles."""
    known = scene.memo.get("never")
    if known is None:
        known = scene.memo["never"] = list(_options(system, system.negative, scene))
    return known  # type: ignore[return-value]


def _options(system: System, index: Index, scene: Scene) -> Iterator[Option]:
    """The options of an index's rules that apply here."""
    for group, bindings in matching(index, scene.context):
        plan = plan_of(group, bindings, system)
        env = Environment(scene, bindings, system.memo)
        if is_ruled_out(plan, env):
            continue
        for inner, shared in _bound(system, plan.block, env):
            for rule in plan.rules:
                legal = rule.calls.legal(inner) if system.memo.is_on else -1
                if legal and not is_ruled_out(rule, inner):
                    yield from _of_rule(system, rule, inner, shared, legal)


def _of_rule(system: System, plan: RulePlan, env: Environment, shared: Constraint, legal: int) -> list[Option]:
    """The options of a rule, from memory where they are known."""
    recall, rule = system.recall, plan.rule
    if plan.readers is None or not system.memo.is_on:
        return [option for full in _rule_instances(rule, env) for option in _options_of(recall, rule, full, shared)]
    key = plan.key(env, shared, legal)
    known = recall.options.get(key)
    if known is not None:
        return known[1]
    found = [option for full in _rule_instances(rule, env) for option in _options_of(recall, rule, full, shared)]
    return recall.keep(key, shared, found)


def _allowed(option: Option, forbidden: dict[int, list[Constraint]]) -> Option | None:
    against = forbidden.get(option.call)
    if not against:
        return option
    constraint = all_of([option.constraint, negated(any_of(against))])
    if constraint is NOTHING:
        return None
    shows = constraint if option.shows == option.constraint else option.shows
    return replace(option, constraint=constraint, shows=shows)


def _bound(system: System, block: Block, env: Environment) -> Iterator[tuple[Environment, Constraint]]:
    """A block with every variable of its own bound, and the condition that it sets for all its rules."""
    if not block.conditions and not block.domains:
        yield env, ANYTHING
        return
    for bound in _assignments(block_variables(block), env, block.domains):
        inner = env if bound is env.bindings else env.bound(bound)
        if any(name in bound and not _in_domain(name, bound, words, inner) for name, words in block.domains.items()):
            continue
        shared = system.recall.condition(block, inner)
        if shared is not NOTHING:
            yield inner, shared


def _rule_instances(rule: Rule, env: Environment) -> Iterator[Environment]:
    """Every way to bind the variables of a rule."""
    names = rule_variables(rule)
    domains = {**rule.block.domains, **rule.domains}
    for full in _assignments(names, env, domains):
        inner = env.bound(full)
        if all(name not in full or _in_domain(name, full, words, inner) for name, words in rule.domains.items()):
            yield inner


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


def _options_of(recall: Recall, rule: Rule, env: Environment, shared: Constraint) -> Iterator[Option]:
    context, legal = env.scene.context, legal_calls(env.scene)
    through = rule.clauses.get("through", rule.block.clauses.get("through"))
    if isinstance(through, CallSpec) and context.last_bid > max(expand_call(through, (), env.bindings), default=37):
        return
    for spec in rule.calls:
        for call in expand_call(spec, context.calls, env.bindings):
            if not legal >> call & 1:
                continue
            own = recall.condition(rule, env.calling(call))
            if own is NOTHING:
                continue
            constraint = own if shared is ANYTHING else shared if own is ANYTHING else all_of([shared, own])
            if constraint is not NOTHING:
                yield _option(rule, env.calling(call), call, constraint)


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
        asks=constraint,
    )
