"""Finding what is wrong with a system that reads well: overlaps, gaps, dead rules, questions without answers.

Each header's pattern is played out as example auctions; at the end of each, random hands that would have bid so are put
through the net.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.auction import CALL_NAMES
from borel.cards import Hand
from borel.systems.context import Force
from borel.systems.hand import features_of_batch
from borel.systems.options import Option
from borel.systems.patterns import Bindings, _match_call, domain_of, expand_call
from borel.systems.position import Position, Situation
from borel.systems.syntax import CallSpec, Pattern, Rule
from borel.systems.system import SPECIFIC, System, priority_of

__all__ = ["Finding", "check_system", "example_auctions"]

HANDS = 3000
EXAMPLES = 4  # example auctions of one pattern
FEW = 25  # fewer hands than this say nothing


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark: its kind (overlap, gap, unreachable, unanswered, convention), where, and what."""

    kind: str
    place: str
    text: str


@dataclass(slots=True)
class _Bank:
    """Random hands with their features."""

    masks: list[int]
    features: NDArray[np.float32]


@dataclass(slots=True)
class _Tally:
    """What the example auctions have shown."""

    used: set[int] = field(default_factory=set)  # rules that some hand follows
    possible: set[int] = field(default_factory=set)  # rules that exist in some example auction
    unanswered: set[int] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)
    overlaps: dict[tuple[int, int], tuple[Option, Option, int, str, str]] = field(default_factory=dict)


def check_system(system: System, *, hands: int = HANDS, seed: int = 1) -> list[Finding]:
    """Everything that looks wrong, worst first."""
    bank = _bank(hands, Random(seed), wide=system.wide)
    starts = [Situation((system, system), (vulnerable, vulnerable)).start() for vulnerable in (False, True)]
    tally = _Tally()
    for vulnerable, auction in sorted(set(_all_examples(system)), key=lambda each: (len(each[1]), each)):
        _check_auction(starts[vulnerable], auction, bank, tally)
    for first, second, count, example, where in tally.overlaps.values():
        both = f"{first.rule.text} and {second.rule.text} both fit {count} of the hands {where}"
        text = f"{both}, such as {example}: the first wins"
        tally.findings.append(Finding("overlap", str(second.rule.place), text))
    tally.findings += _unreachable(system, tally)
    tally.findings += _conventions(system)
    order = ("unanswered", "convention", "unreachable", "gap", "overlap")
    return sorted(tally.findings, key=lambda finding: order.index(finding.kind))


def _bank(count: int, rng: Random, *, wide: bool) -> _Bank:
    deck = list(range(52))
    masks = []
    for _ in range(-(-count // 4)):
        rng.shuffle(deck)
        masks += [sum(1 << card for card in deck[i : i + 13]) for i in (0, 13, 26, 39)]
    return _Bank(masks, features_of_batch(np.array(masks, dtype=np.uint64), wide=wide))


def _all_examples(system: System) -> Iterator[tuple[bool, tuple[int, ...]]]:
    """Example auctions of every header; in all seats and both vulnerabilities where its rules speak of those."""
    for group in system.blocks:
        words = group.block.text + " ".join(rule.source for rule in group.rules)
        seats = range(4) if "seat" in words or "passed" in words or group.block.kind == "open" else (0,)
        colours = (False, True) if "vulnerable" in words or "favorable" in words else (False,)
        patterns = [pattern for pattern in group.block.patterns if not pattern[0].anything]
        auctions = [calls for pattern in patterns for calls in example_auctions(pattern)]
        for calls in auctions or ([()] if group.block.kind == "open" else []):
            for passes in seats:
                for vulnerable in colours:
                    yield vulnerable, (0,) * passes + calls


def example_auctions(pattern: Pattern, limit: int = EXAMPLES) -> list[tuple[int, ...]]:
    """A few auctions that a pattern fits, the dealer opening."""
    found: list[tuple[int, ...]] = []
    total = len([element for element in pattern if not element.anything])

    def extend(at: int, calls: tuple[int, ...], bindings: Bindings) -> None:
        if len(found) >= limit:
            return
        if at == len(pattern):
            found.append(calls)
            return
        element = pattern[at]
        if element.anything:
            extend(at + 1, calls, bindings)
            return
        for call in _possible(element.calls, calls, bindings):
            for bound in _match_call(element, (*calls, call), len(calls), bindings):
                extend(at + 1, (*calls, call), bound)
                break

    extend(0, (), {})
    return [calls for calls in found if len(calls) == total]


def _possible(specs: tuple[CallSpec, ...], calls: tuple[int, ...], bindings: Bindings) -> list[int]:
    from borel.systems.context import Context

    context = Context(calls=calls)
    found: list[int] = []
    for spec in specs:
        free = len(spec.strain) == 1 and spec.strain not in "CDHS*" and spec.strain not in bindings
        suits = domain_of(spec.strain) if free else (-1,)
        levels = range(1, 8) if spec.level_variable and spec.level_variable not in bindings else (0,)
        for suit in suits:
            for level in levels:
                bound = {**bindings, spec.strain: suit} if free else dict(bindings)
                if level:
                    bound[spec.level_variable] = level - spec.plus
                found += expand_call(spec, calls, bound)[: 1 if spec.kind in ("any", "anybid") else 3]
    return [call for call in dict.fromkeys(found) if context.is_legal(call)]


def _check_auction(start: Position, calls: tuple[int, ...], bank: _Bank, tally: _Tally) -> None:
    position = start.follow(calls)
    for option in position.agreements:
        tally.possible.add(id(option.rule))
    members = _consistent(start, calls, bank)
    if len(members) < FEW:
        tally.used |= {id(option.rule) for option in position.agreements}
        return
    features = bank.features[members]
    taken = np.zeros(len(members), dtype=np.bool_)
    where = f"after {' '.join(CALL_NAMES[call] for call in calls)}" if calls else "at the opening"
    for node, mine in position._upper_net.state_actions_batch(features):
        taken |= mine
        tally.used |= {id(option.rule) for option in node.actions}
    _note_overlaps(position, features, bank, members, where, tally)
    _note_gap(position, calls, taken, bank, members, where, tally)
    _note_unanswered(position, where, tally)


def _consistent(start: Position, calls: tuple[int, ...], bank: _Bank) -> NDArray[np.int64]:
    """The hands of the bank that would have made the calls of the seat that is to call."""
    members = np.arange(len(bank.masks))
    position, seat = start, len(calls) % 4
    for index, call in enumerate(calls):
        if index % 4 == seat and len(members):
            members = members[position.calls_of_batch(bank.features[members]) == call]
        position = position.after(call)
    return members


def _note_overlaps(
    position: Position,
    features: NDArray[np.float32],
    bank: _Bank,
    members: NDArray[np.int64],
    where: str,
    tally: _Tally,
) -> None:
    sample = range(0, len(members), max(1, len(members) // 200))
    for i in sample:
        options = position._upper_net.state_actions([float(value) for value in features[i]])
        rules = {id(option.rule): option for option in sorted(options, key=lambda option: option.order)}
        calls = {option.call for option in rules.values()}
        if len(calls) < 2:
            continue
        first, second = list(rules.values())[:2]
        key = (id(first.rule), id(second.rule))
        known = tally.overlaps.get(key)
        example = known[3] if known else str(Hand(bank.masks[int(members[i])]))
        tally.overlaps[key] = (first, second, (known[2] if known else 0) + 1, example, known[4] if known else where)


def _note_gap(
    position: Position,
    calls: tuple[int, ...],
    taken: NDArray[np.bool_],
    bank: _Bank,
    members: NDArray[np.int64],
    where: str,
    tally: _Tally,
) -> None:
    missing = np.flatnonzero(~taken)
    if len(missing) > 0.02 * len(taken):
        example = Hand(bank.masks[int(members[missing[0]])])
        text = f"{where} {len(missing) / len(taken):.0%} of the hands have no agreed call, such as {example}"
        place = str(position.agreements[0].rule.block.place) if position.agreements else position.system.name
        tally.findings.append(Finding("gap", place, text))


def _note_unanswered(position: Position, where: str, tally: _Tally) -> None:
    """Forcing calls after which, the next hand passing, no agreement says anything."""
    for call in {option.call for option in position.agreements}:
        meaning = position.meaning(call)
        if meaning.force == Force.NONE or not meaning.options:
            continue
        rule = meaning.options[0].rule
        if id(rule) in tally.unanswered:
            continue
        after = position.after(call).after(0)
        if not after.context.is_over and not after.agreements:
            tally.unanswered.add(id(rule))
            asks = "asks" if meaning.asks else "is forcing"
            text = f"{CALL_NAMES[call]} {where} {asks}, but no rule answers it"
            tally.findings.append(Finding("unanswered", str(rule.place), text))


def _unreachable(system: System, tally: _Tally) -> list[Finding]:
    result = []
    for rule in system.rules:
        if rule.prefix or priority_of(rule) < SPECIFIC or not _is_on(rule, system) or id(rule) in tally.used:
            continue
        if (
            any(element.anything for pattern in rule.block.patterns for element in pattern)
            or rule.block.kind == "whenever"
        ):
            continue
        why = "none of the hands tried follows it" if id(rule) in tally.possible else "its call is not possible there"
        result.append(Finding("unreachable", str(rule.place), f"{rule.name}: {why}"))
    return result


def _is_on(rule: Rule, system: System) -> bool:
    clauses = [rule.clauses.get(key, rule.block.clauses.get(key)) for key in ("convention", "using", "playing")]
    return all(name is None or system.is_on(str(name)) for name in clauses)


def _conventions(system: System) -> list[Finding]:
    """Conventions that are used but belong to no call, and questions that no block takes up."""
    names = {str(rule.clauses["convention"]): rule for rule in reversed(system.rules) if "convention" in rule.clauses}
    names |= {
        str(rule.block.clauses["convention"]): rule for rule in system.rules if "convention" in rule.block.clauses
    }
    result = []
    for rule in system.rules:
        used = rule.clauses.get("using", rule.block.clauses.get("using"))
        if used is not None and str(used) not in names and system.is_on(str(used)):
            text = f"{rule.name} uses {used}, but no call belongs to that convention"
            result.append(Finding("convention", str(rule.place), text))
    played = {
        str(owner.clauses["playing"])
        for rule in system.rules
        for owner in (rule, rule.block)
        if "playing" in owner.clauses
    }
    for name, (on, _) in system.switches.items():
        if on and name not in names and name not in played:
            result.append(Finding("convention", system.name, f"{name} is switched on, but no call belongs to it"))
    return result
