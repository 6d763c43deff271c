"""What was worked out at one point of an auction and holds at others: blocks that match, options of a rule.

The options of a rule depend on the suits that are bound, on which calls are legal, and on what its conditions read of
the auction; where all that is the same, so are they. What a rule reads is found once and kept in its plan.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from borel.systems.compiler import Environment, compile_condition
from borel.systems.constraints import ANYTHING, NOTHING, Constraint
from borel.systems.context import Context
from borel.systems.patterns import Bindings, match, may_end, possible_calls
from borel.systems.readings import DEEPEST, EVERY_SUIT, Entry, Memo, Reader, Reading, UnknownError
from borel.systems.remembered import Remembered
from borel.systems.syntax import AllOf, Band, Block, CallSpec, Expr, Function, NamedBand, Rule, Truth
from borel.systems.variables import rule_variables

if TYPE_CHECKING:
    from borel.systems.facts import Scene
    from borel.systems.options import Option
    from borel.systems.system import BlockRules, Index, System

__all__ = ["BlockPlan", "Recall", "RulePlan", "is_ruled_out", "legal_calls", "matching", "plan_of"]

MOST_OPTIONS = 100_000  # sets of options that are remembered, about 2 kB each (30,000: a third slower on long runs)


@dataclass(slots=True)
class Force:
    """Whether a block or rule is in force: conventions that must be on or have been used, the seat that opened."""

    is_on: bool
    using: str
    seats: Band | None
    is_plain: bool = field(init=False)  # always in force

    def __post_init__(self) -> None:
        self.is_plain = self.is_on and not self.using and self.seats is None

    @classmethod
    def of(cls, clauses: dict[str, object], system: System) -> Force:
        """From the clauses of a block or rule."""
        named = [str(clauses[key]) for key in ("convention", "using", "playing") if key in clauses]
        seats = clauses.get("seats")
        return cls(
            all(map(system.is_on, named)), str(clauses.get("using", "")), seats if isinstance(seats, Band) else None
        )

    def holds(self, scene: Scene) -> bool:
        """Whether it is in force here."""
        if self.is_plain:
            return True
        if not self.is_on or (self.using and self.using not in scene.context.conventions[scene.side]):
            return False
        return self.seats is None or self.seats.low <= scene.context.opening + 1 <= self.seats.high


@dataclass(slots=True, eq=False)
class RulePlan:
    """What one rule reads, where its block and pattern have bound certain variables."""

    rule: Rule
    guards: list[Expr]  # conditions that can be decided before anything else, in any order
    readers: tuple[Reader, ...] | None  # of all other conditions; None: not known
    force: Force
    calls: CallPlan

    def key(self, env: Environment, shared: Constraint, legal: int) -> object:
        """Where all this is the same, so are the options."""
        read = [reader(env) for reader in self.readers or ()]
        calls = legal if self.calls.is_fixed else last_and_legal(env.scene)
        return (id(self), id(shared), calls, *env.bindings.values(), *read)


@dataclass(slots=True, eq=False)
class BlockPlan:
    """A block and the plans of its rules."""

    block: Block
    guards: list[Expr]
    force: Force
    rules: list[RulePlan]


@dataclass(slots=True, eq=False)
class Recall:
    """What a system remembers."""

    plans: dict[object, BlockPlan] = field(default_factory=dict)
    joints: dict[int, Expr] = field(default_factory=dict)
    options: Remembered[object, tuple[Constraint, list[Option]]] = field(
        default_factory=lambda: Remembered(MOST_OPTIONS)
    )

    def __reduce__(self) -> tuple[type[Recall], tuple[()]]:
        return Recall, ()  # a copy begins anew: rules are filed by identity

    def joint(self, holder: Block | Rule) -> Expr:
        """All the conditions of a block or rule as one."""
        known = self.joints.get(id(holder))
        if known is None:
            conditions = holder.conditions
            known = conditions[0] if len(conditions) == 1 else AllOf(tuple(conditions))
            self.joints[id(holder)] = known
        return known

    def condition(self, holder: Block | Rule, env: Environment) -> Constraint:
        """The conditions of a block or rule, compiled."""
        return compile_condition(self.joint(holder), env) if holder.conditions else ANYTHING

    def keep(self, key: object, shared: Constraint, found: list[Option]) -> list[Option]:
        """Remember options (and the block's condition, by whose identity they are filed)."""
        return self.options.keep(key, (shared, found))[1]


@dataclass(slots=True, eq=False)
class CallPlan:
    """The calls that a rule may give, as bit sets, before anything else is asked: most are not legal later on."""

    specs: tuple[CallSpec, ...]
    is_fixed: bool  # of the auction, only which of them are legal matters
    known: dict[tuple[int, ...], int] = field(default_factory=dict)

    @classmethod
    def of(cls, rule: Rule, *, reads_the_call: bool) -> CallPlan:
        """For one rule; what is read of the call (such as how far it jumps) depends on the last bid."""
        through = "through" in rule.clauses or "through" in rule.block.clauses
        moving = any(spec.kind in ("cheapest", "jump", "double jump") for spec in rule.calls)
        return cls(rule.calls, not (reads_the_call or through or moving))

    def legal(self, env: Environment) -> int:
        """Those of the calls that are legal here, whatever suits stand for the variables that are not bound."""
        bindings = env.bindings
        key = tuple(bindings.values())
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = possible_calls(self.specs, bindings)
        return found & legal_calls(env.scene)


def legal_calls(scene: Scene) -> int:
    """The calls that are legal, as a bit set; worked out once."""
    known = scene.memo.get("legal")
    if known is None:
        context, last = scene.context, scene.context.last_bid
        bids = (1 << 38) - (1 << last + 1)
        known = scene.memo["legal"] = bids | 1 | context.is_legal(1) << 1 | context.is_legal(2) << 2
    return known  # type: ignore[return-value]


def last_and_legal(scene: Scene) -> int:
    """The last bid with what may be called after it, as one number, below those that stand for some of the calls."""
    known = scene.memo.get("last")
    if known is None:
        known = scene.memo["last"] = -4 * scene.context.last_bid - (legal_calls(scene) >> 1 & 3)
    return known  # type: ignore[return-value]


def plan_of(group: BlockRules, bindings: Bindings, system: System) -> BlockPlan:
    """The plan of a block whose pattern has bound these variables."""
    key = (id(group), *bindings)
    known = system.recall.plans.get(key)
    if known is None:
        block, memo, names = group.block, system.memo, frozenset(bindings)
        rules = [_rule_plan(rule, names, system) for rule in group.rules]
        guards = _guards(block.conditions, names, memo)
        known = BlockPlan(block, guards, Force.of(block.clauses, system), [plan for plan in rules if plan.force.is_on])
        system.recall.plans[key] = known
    return known


def is_ruled_out(plan: BlockPlan | RulePlan, env: Environment) -> bool:
    """Whether the auction alone decides that a block or rule has nothing to say."""
    if not plan.force.holds(env.scene):
        return True
    guards = plan.guards
    for place, guard in enumerate(guards):
        if compile_condition(guard, env) is NOTHING:
            if place:  # what ruled it out here will often do so again: ask it first
                guards[0], guards[place] = guard, guards[0]
            return True
    return False


def _rule_plan(rule: Rule, names: frozenset[str], system: System) -> RulePlan:
    memo, reading = system.memo, Reading(system.memo.definitions)
    bound = {name: EVERY_SUIT for name in rule_variables(rule) - names if name not in "CDHS"}
    guards = _guards(rule.conditions, names, memo)
    decided = set(map(id, guards))
    readers: tuple[Reader, ...] | None
    try:
        for condition in rule.conditions:
            for part in condition.parts if isinstance(condition, AllOf) else (condition,):
                if id(part) not in decided and id(condition) not in decided:
                    reading.of_expr(part, bound, 0)
        for words in (*rule.domains.values(), *rule.block.domains.values()):
            reading.words(words, bound)
        if (shows := rule.clauses.get("shows")) is not None:
            reading.of_expr(shows, bound, 0)  # type: ignore[arg-type]
        # the variables and the legal calls are part of the key already
        kept = {key: read for key, read in reading.readers.items() if key[0] not in ("variable", "call")}  # type: ignore[index]
        readers = tuple(kept.values())
    except UnknownError:
        readers = None
    calls = CallPlan.of(rule, reads_the_call="call" in reading.names)
    return RulePlan(rule, guards, readers, Force.of(rule.clauses, system), calls)


def _guards(conditions: list[Expr], names: frozenset[str], memo: Memo) -> list[Expr]:
    """Those conditions, or parts of a conjunction, that the auction and the bound variables decide."""
    found = list[Entry]()
    for condition in conditions:
        entry = memo.entry(condition)
        found += [entry] if entry.is_guard else [memo.entry(part) for part in entry.guards]
    implied = [part for condition in conditions for part in _implied(condition, memo, 0)] if memo.is_on else []
    return [entry.expr for entry in found if entry.names <= names] + implied


def _implied(condition: Expr, memo: Memo, depth: int) -> list[Expr]:
    """What definitions in a conjunction ask of the auction alone, whatever suits they are about.

    ``stranded(F)`` need not be asked for each of four suits where partner has not bid at all. (Measured: a third of the
    time of reading new points of an auction.)
    """
    if isinstance(condition, AllOf):
        return [found for part in condition.parts for found in _implied(part, memo, depth)]
    if not isinstance(condition, Truth) or not isinstance(condition.term, Function) or depth > DEEPEST:
        return []
    used = memo.definitions.get(condition.term.name)
    if used is None or isinstance(used.body, Band | NamedBand):
        return []
    parts = used.body.parts if isinstance(used.body, AllOf) else (used.body,)
    decided = [part for part in parts if (entry := memo.entry(part)).is_guard and not entry.names]
    return decided + [found for part in parts if part not in decided for found in _implied(part, memo, depth + 1)]


def matching(index: Index, context: Context) -> list[tuple[BlockRules, Bindings]]:
    """The blocks whose auction pattern fits, with what the pattern binds."""
    found = index.matched.get(context.calls)
    if found is None:
        found = index.matched.keep(context.calls, _matching(index, context))
    return found


def _matching(index: Index, context: Context) -> list[tuple[BlockRules, Bindings]]:
    calls, opening = context.calls, context.opening
    found: list[tuple[BlockRules, Bindings]] = []
    if opening == len(calls):
        found += [(group, {}) for group in index.openings]
    else:
        for group, pattern in index.by_length.get(len(calls) - opening, ()):
            if may_end(pattern, calls):
                found += [(group, bindings) for bindings in match(pattern, calls, opening)]
    for group, floating in index.floating:
        if floating is None:
            found.append((group, {}))
        elif may_end(floating, calls):
            seen: list[Bindings] = []
            for bindings in match(floating, calls, opening):
                if bindings not in seen:
                    seen.append(bindings)
            found += [(group, bindings) for bindings in seen]
    return found
