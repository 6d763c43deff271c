"""Finding what is wrong with a system that reads well: overlaps, gaps, dead rules, unanswered questions, weak passes.

Each header's pattern is played out as example auctions; at the end of each, random hands that would have bid so are put
through the net. Rules that no hand follows get more auctions and many more hands before they are called unreachable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from borel.auction import CALL_NAMES, PASS
from borel.cards import Hand
from borel.systems.context import Force
from borel.systems.examples import HandBank, consistent, deal_hands, examples_of, has_wildcards, more_examples_of
from borel.systems.facts import FACTS
from borel.systems.loader import load_system, system_names
from borel.systems.options import Option, guards
from borel.systems.position import Position, Situation
from borel.systems.strong_passes import stops_below_game, too_strong_to_pass
from borel.systems.syntax import Rule
from borel.systems.system import LAST_LOOK, SPECIFIC, BlockRules, System, priority_of
from borel.systems.variables import functions_of

__all__ = ["Finding", "check_system", "is_in_force"]

HANDS = 3000
MANY = 10  # times as many hands for rules that the first did not reach
FEW = 25  # fewer hands than this say nothing about gaps
THEIRS = frozenset(f"{who}.{end}" for who in ("lho", "rho", "theirs") for end in ("min", "max", "mid"))
ORDER = ("unanswered", "convention", "unreachable", "pass", "gap", "overlap")
Progress = Callable[[int, int], object]  # so much is done of so much
ENOUGH = 3  # hands that satisfy a rule and do not follow it: others take them


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark: its kind (overlap, gap, pass, unreachable, unanswered, convention), where, and what."""

    kind: str
    place: str
    text: str


@dataclass(slots=True)
class _Tally:
    """What the example auctions have shown."""

    used: set[int] = field(default_factory=set)  # rules that some hand follows
    possible: set[int] = field(default_factory=set)  # rules that exist in some example auction
    arising: set[int] = field(default_factory=set)  # headers with an auction in which every call has its rule
    taken: set[int] = field(default_factory=set)  # rules whose hands other rules take
    open_to: set[int] = field(default_factory=set)  # rules that some hand might satisfy, as far as was shown
    unanswered: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)  # rules with which strong hands pass
    findings: list[Finding] = field(default_factory=list)
    overlaps: dict[tuple[int, int], tuple[Option, Option, int, str, str]] = field(default_factory=dict)


def check_system(
    system: System, *, hands: int = HANDS, seed: int = 1, own: str = "", progress: Progress | None = None
) -> list[Finding]:
    """Everything that looks wrong, worst first; with ``own``, a file's name, in the auctions of that file's rules.

    ``progress`` is told how much of the work is done: auctions played out and headers looked at further.
    """
    bank = deal_hands(hands, seed, wide=system.wide)
    starts = [Situation((system, system), (vulnerable, vulnerable)).start() for vulnerable in (False, True)]
    tally = _Tally()
    groups = [
        group
        for group in system.blocks
        if is_in_force(group.rules[0], system, block_only=True)
        and (not own or any(rule.place.file == own for rule in group.rules))
    ]
    examples = {example for group in groups for example in examples_of(group)}
    told = progress or (lambda done, total: None)
    total = len(examples) + len(groups)
    for done, (vulnerable, auction) in enumerate(sorted(examples, key=lambda each: (len(each[1]), each))):
        told(done, total)
        _check_auction(starts[vulnerable], auction, bank, tally)
    large = deal_hands(MANY * hands, seed + 2, wide=system.wide, strong=True)
    for done, group in enumerate(groups, len(examples)):
        told(done, total)
        _look_further(group, system, starts, large, tally)
    told(total, total)
    _note_found(system, own, tally)
    return sorted(tally.findings, key=lambda finding: ORDER.index(finding.kind))


def _note_found(system: System, own: str, tally: _Tally) -> None:
    """What is said of single rules, pairs of rules and conventions after all auctions."""
    for first, second, count, example, where in tally.overlaps.values():
        both = f"{first.rule.text} and {second.rule.text} both fit {count} of the hands {where}"
        text = f"{both}, such as {example}: the first wins"
        tally.findings.append(Finding("overlap", str(second.rule.place), text))
    rules = [rule for rule in system.rules if own in ("", rule.place.file)]
    tally.findings += _unreachable(system, rules, tally)
    tally.findings += [found for found in _conventions(system) if not own or found.place.split(":")[0] == own]


def _arises(start: Position, calls: tuple[int, ...]) -> bool:
    """Whether our side has an agreement for each of its calls (or passes); the others may bid what they like."""
    position = start
    for index, call in enumerate(calls):
        ours = (len(calls) - index) % 2 == 0
        if ours and call and not any(option.call == call for option in position.agreements):
            return False
        position = position.after(call)
    return True


def _check_auction(start: Position, calls: tuple[int, ...], bank: HandBank, tally: _Tally) -> None:
    if not _arises(start, calls):
        return
    position = start.follow(calls)
    for option in position.agreements:
        tally.possible.add(id(option.rule))
        tally.arising.add(id(option.rule.block))
    members = consistent(start, calls, bank)
    if not len(members):
        return
    features = bank.features[members]
    taken = np.zeros(len(members), dtype=np.bool_)
    where = f"after {' '.join(CALL_NAMES[call] for call in calls)}" if calls else "at the opening"
    for node, mine in position._upper.net.state_actions_batch(features):
        taken |= mine
        tally.used |= {id(option.rule) for option in node.actions}
    if len(members) >= FEW:
        _note_overlaps(position, features, bank, members, where, tally)
        for guarded in guards(position.system, position.scene, PASS.index):
            taken |= guarded.admits_batch(features)  # may not pass by a guard: left to the principles on purpose
        if not _needs_no_agreement(position):
            _note_gap(position, taken, bank, members, where, tally)
    if len(consistent(start, (*calls, 0, 0), bank)):  # partner has hands that bid so; without any he promises nothing
        _note_strong_passes(position, bank, members, where, tally)
    _note_unanswered(position, where, tally)


def _look_further(group: BlockRules, system: System, starts: list[Position], bank: HandBank, tally: _Tally) -> None:
    """More auctions and more hands, as long as the header has rules that nothing has reached."""
    wanted = {id(rule) for rule in group.rules if _is_to_be_reached(rule, system)} - tally.used
    for vulnerable, calls in [*examples_of(group), *more_examples_of(group)] if wanted else []:
        start = starts[vulnerable]
        if not wanted - tally.used:
            return
        if _arises(start, calls):
            _try_rules(start, calls, bank, wanted, tally)


def _try_rules(start: Position, calls: tuple[int, ...], bank: HandBank, wanted: set[int], tally: _Tally) -> None:
    position = start.follow(calls)
    options = [option for option in position.agreements if id(option.rule) in wanted - tally.used]
    tally.possible |= {id(option.rule) for option in options}
    tally.arising |= {id(option.rule.block) for option in position.agreements}
    if not options:
        return
    features = bank.features[consistent(start, calls, bank)]
    box = position.box(len(calls) % 4)
    for option in options:
        mine = features[option.constraint.admits_batch(features)] if len(features) else features
        # A hand that makes the same call by an earlier rule is called as this one says: the rule is not dead.
        if any(option.call == found.call for hand in mine[:200] for found in _followed(position, hand)):
            tally.used.add(id(option.rule))
        elif len(mine) >= ENOUGH:
            tally.taken.add(id(option.rule))
        elif box.narrowed(option.constraint) is not None:
            tally.open_to.add(id(option.rule))


def _followed(position: Position, hand: NDArray[np.float32]) -> list[Option]:
    return position._upper.net.state_actions([float(value) for value in hand])


def _note_overlaps(
    position: Position,
    features: NDArray[np.float32],
    bank: HandBank,
    members: NDArray[np.int64],
    where: str,
    tally: _Tally,
) -> None:
    sample = range(0, len(members), max(1, len(members) // 200))
    for i in sample:
        options = _followed(position, features[i])
        rules = {id(option.rule): option for option in sorted(options, key=lambda option: option.order)}
        calls = {option.call for option in rules.values()}
        if len(calls) < 2:
            continue
        first, second = list(rules.values())[:2]
        key = (id(first.rule), id(second.rule))
        known = tally.overlaps.get(key)
        example = known[3] if known else str(Hand(int(bank.masks[members[i]])))
        tally.overlaps[key] = (first, second, (known[2] if known else 0) + 1, example, known[4] if known else where)


def _needs_no_agreement(position: Position) -> bool:
    """Whether hands are left to the principles: no header speaks here, or they have the contract and we need not bid.

    A header that asks for a convention, or for what was shown, does not speak in all auctions that it fits. In the
    later rounds of a contested auction a header adds a call to what the general rules of competition say.
    """
    free = all(FACTS[fact](position.scene) for fact in ("contested", "their-contract"))
    return not position.agreements or (free and not FACTS["forced"](position.scene))


def _note_gap(
    position: Position,
    taken: NDArray[np.bool_],
    bank: HandBank,
    members: NDArray[np.int64],
    where: str,
    tally: _Tally,
) -> None:
    missing = np.flatnonzero(~taken)
    if len(missing) > 0.02 * len(taken):
        example = Hand(int(bank.masks[members[missing[0]]]))
        text = f"{where} {len(missing) / len(taken):.0%} of the hands have no agreed call, such as {example}"
        place = str(position.agreements[0].rule.block.place)
        tally.findings.append(Finding("gap", place, text))


def _note_strong_passes(
    position: Position, bank: HandBank, members: NDArray[np.int64], where: str, tally: _Tally
) -> None:
    """Hands that pass below game with the strength for it: one remark a rule."""
    if not stops_below_game(position):
        return
    strong = members[too_strong_to_pass(position, bank.features[members])]
    chosen, options = position.options_of_batch(bank.features[strong])
    for hand, index in zip(strong, chosen, strict=True):
        if index < 0 or options[index].call != PASS.index or id(options[index].rule) in tally.passed:
            continue  # no rule at all, another call, or told before
        option = options[index]
        tally.passed.add(id(option.rule))
        count = int(np.sum(chosen == index))
        text = f"{where} {count} of {len(members)} hands pass with the strength for game, such as "
        text += str(Hand(int(bank.masks[hand])))
        tally.findings.append(Finding("pass", str(option.rule.place), text))


def _note_unanswered(position: Position, where: str, tally: _Tally) -> None:
    """Forcing calls after which, the next hand passing, no agreement says anything."""
    forces = {option.call for option in position.agreements if _may_force(option.rule)}
    for call in sorted(forces):
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


def _may_force(rule: Rule) -> bool:
    """Whether a rule says so; what a call means need not be asked of others."""
    status = rule.clauses.get("force", rule.block.clauses.get("force", ""))
    return "asks" in rule.clauses or status in ("forcing", "game-forcing")


def _is_to_be_reached(rule: Rule, system: System) -> bool:
    """Whether a rule is an agreement for certain auctions, and switched on."""
    if rule.prefix or priority_of(rule) < SPECIFIC or not is_in_force(rule, system) or rule.block.kind == "whenever":
        return False
    if _depends_on_them(rule) or rule.place.file in _inherited(system.files):
        return False
    return not any(element.anything for pattern in rule.block.patterns for element in pattern)


@cache
def _inherited(files: tuple[str, ...]) -> frozenset[str]:
    """The files of other systems that this one includes: to take their hands is what including them is for."""
    others = [name for name in system_names() if f"{name}.bid" in files[:-1]]
    return frozenset(file for name in others for file in load_system(name).files)


def _unreachable(system: System, rules: Sequence[Rule], tally: _Tally) -> list[Finding]:
    """Those of some rules that nothing reaches, as far as can be told.

    A rule that is merely too rare for the hands tried is left alone, and so is one under a header with wildcards,
    unless all its hands are seen to be taken.
    """
    result = []
    for rule in rules:
        if id(rule) in tally.used or not _is_to_be_reached(rule, system):
            continue
        if id(rule) in tally.taken:
            why = "other rules take all its hands"
        elif has_wildcards(rule.block):
            continue
        elif id(rule.block) not in tally.arising:
            why = "its auction does not arise: some call in it has no rule"
        elif id(rule) not in tally.possible:
            why = "its call is not possible there"
        elif id(rule) not in tally.open_to:
            why = "no hand that has bid so can satisfy it"
        else:
            continue
        result.append(Finding("unreachable", str(rule.place), f"{rule.name}: {why}"))
    return result


def is_in_force(rule: Rule, system: System, *, block_only: bool = False) -> bool:
    """Whether all conventions that a rule needs are played; ``block_only``: those that its header needs."""
    keys = ("convention", "using", "playing")
    own = {} if block_only else rule.clauses
    names = [str(clauses[key]) for clauses in (own, rule.block.clauses) for key in keys if key in clauses]
    used = rule.block.clauses.get("using", rule.clauses.get("using"))
    return all(map(system.is_on, names)) and (used is None or _has_calls(str(used), system))


_known_calls: list[tuple[System, dict[str, bool]]] = []  # of the last system asked about: thousands of rules ask


def _has_calls(convention: str, system: System) -> bool:
    """Whether some call that is not switched off belongs to a convention; one without any is reported by itself."""
    if not _known_calls or _known_calls[0][0] is not system:
        _known_calls[:] = [(system, {})]
    known = _known_calls[0][1]
    if convention not in known:
        known[convention] = _finds_calls(convention, system)
    return known[convention]


def _finds_calls(convention: str, system: System) -> bool:
    owners = [
        rule
        for rule in system.rules
        if convention in (rule.clauses.get("convention"), rule.block.clauses.get("convention"))
    ]
    live = [rule for rule in owners if not _depends_on_them(rule) and _is_played(rule, convention, system)]
    return not owners or bool(live)


def _is_played(rule: Rule, convention: str, system: System) -> bool:
    """Whether a call of a convention can be made: what it is played with, and what it follows, is switched on."""
    names = [owner.clauses.get("playing") for owner in (rule, rule.block)]
    used = rule.block.clauses.get("using", rule.clauses.get("using"))
    follows = used is None or str(used) == convention or _has_calls(str(used), system)
    return follows and all(name is None or system.is_on(str(name)) for name in names)


def _depends_on_them(rule: Rule) -> bool:
    """Whether a rule asks what the opponents have shown, which depends on their system."""
    return any(term.name in THEIRS for condition in rule.block.conditions for term in functions_of(condition))


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
        if on and name not in names and name not in played and name != LAST_LOOK:
            result.append(Finding("convention", system.name, f"{name} is switched on, but no call belongs to it"))
    return result
