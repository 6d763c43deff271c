"""What tagged states become: rules of one auction, a tree for each set of nodes that conflict (4.2.3).

The nodes that a state belongs to are intersected, and an ID3 tree of the tags is hung below the intersection. A sample
of ten layouts is noise for calls of nearly equal worth: agreements read off single tags were worth -0.03 ± 0.09 IMPs a
board. So a leaf that departs from what the rules call first has to be confirmed by all of its states together; where it
is not, the pair agrees on the rules' own call, and need not look ahead there any more.

An agreement is asked just before the rules it settles, and says of itself what they say: that it is forcing, that it
agrees a suit. Hands for which the rules call something else again, because another rule takes them too, are left to
them. (Without either, 100 nets that hardly departed from the rules lost 0.17 ± 0.11 IMPs a board.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS
from borel.learning.lab.conflicts import Conflict, header_text, nodes_in_conflict, position_after
from borel.learning.lab.trees import Leaf, Ranges, id3, leaves
from borel.learning.lab.wording import Wording
from borel.systems import Position, System
from borel.systems.constraints import Constraint, Range, all_of, negated
from borel.systems.decision_net import Node
from borel.systems.hand import INDEX, RANGES, features_of
from borel.systems.options import Option
from borel.systems.population import bank

__all__ = ["Tag", "agreed_rules", "confirmed"]

# What a tree may ask of a hand: attributes of the paper's appendix A that players speak of.
ASKED = (
    *(f"length({suit})" for suit in "CDHS"),
    *("hcp", "points", "controls", "losers", "aces", "balanced"),
    *(f"hcp({suit})" for suit in "CDHS"),
    *(f"quality({suit})" for suit in "CDHS"),
)
COLUMNS = [INDEX[name] for name in ASKED]
EVERY: Ranges = {i: (int(RANGES[column][0]), int(RANGES[column][1])) for i, column in enumerate(COLUMNS)}
SPREAD = 2.0  # IMPs by which the gains of states differ, before some were seen


@dataclass(frozen=True, slots=True)
class Tag:
    """The call a state is tagged with, and what each open call gains on the rules' own, the first, in IMPs."""

    call: int
    gains: tuple[float, ...]


def agreed_rules(system: System, conflicts: list[Conflict], tags: list[Tag], *, least: int, trust: float) -> list[str]:
    """The rules of one auction: a block for each priority, a tree for each set of nodes that conflict."""
    position = position_after(system, conflicts[0].calls)
    groups: dict[tuple[int, ...], tuple[list[Node[Option]], list[int]]] = {}
    for i, one in enumerate(conflicts):
        nodes = nodes_in_conflict(position, one.hand, wide=system.wide)
        groups.setdefault(tuple(sorted(map(id, nodes))), (nodes, []))[1].append(i)
    blocks: dict[int, list[str]] = {}
    wording = Wording(system)
    for nodes, members in groups.values():
        if len(members) < least:
            continue
        states = [conflicts[i] for i in members]
        wanted = " or ".join(dict.fromkeys(str(ALL_CALLS[call]) for one in states for call in one.open))
        divided = _divided(states, [tags[i] for i in members], trust, wide=system.wide)
        rules = [_rule(position, nodes, states, leaf, wording) for leaf in divided]
        blocks.setdefault(nodes[0].priority + 1, []).extend([f"  # {wanted}?", *rules])
    lines: list[str] = []
    for priority, rules in blocks.items():
        lines += [header_text(conflicts[0].key, priority), *rules]
    return lines


@dataclass(frozen=True, slots=True)
class _Agreed:
    """A leaf: its limits, the call agreed on, and of how many states."""

    ranges: Ranges
    call: int
    weight: float


def _divided(states: list[Conflict], tags: list[Tag], trust: float, *, wide: bool) -> list[_Agreed]:
    """The states of one conflict, divided by a tree where their tags differ and the difference is confirmed."""
    hands = np.array([features_of(one.hand, wide=wide) for one in states])[:, COLUMNS].astype(np.int64)
    found = []
    for ranges, leaf in leaves(id3(hands, np.array([tag.call for tag in tags])), EVERY):
        inside = np.flatnonzero(_within(hands, ranges)).tolist()
        call = confirmed(leaf, [states[i] for i in inside], [tags[i] for i in inside], trust)
        found.append(_Agreed(ranges, call, leaf.weight))
    if len({one.call for one in found}) == 1:  # nothing is left to divide
        return [_Agreed(EVERY, found[0].call, float(len(states)))]
    return found


def _rule(
    position: Position, nodes: list[Node[Option]], states: list[Conflict], leaf: _Agreed, wording: Wording
) -> str:
    """The intersection of the nodes that conflict within a leaf's limits, less what other rules take, as a rule."""
    limits: list[Constraint] = [
        Range(((COLUMNS[i], 1.0),), *map(float, ends)) for i, ends in leaf.ranges.items() if ends != EVERY[i]
    ]
    hands = all_of([*(node.constraint for node in nodes), *limits])
    others = _others(position, hands, nodes[0].priority, {_own(states), leaf.call})
    seen = [features_of(one.hand, wide=position.system.wide) for one in states]
    less = [negated(one.constraint) for one in others if not any(map(one.constraint.admits, seen))]
    option = next(one for node in nodes for one in node.actions if one.call == leaf.call)
    name = "pass" if leaf.call == 0 else str(ALL_CALLS[leaf.call])
    words = wording.text(all_of([hands, *less]))
    said = f"agreed in co-training, {leaf.weight:.0f} example{'s' * (leaf.weight != 1)}"
    return f'  {name:<5} {words}  "{said}"{"".join(f", {clause}" for clause in _clauses(option))}'


def _others(position: Position, hands: Constraint, priority: int, calls: set[int]) -> list[Option]:
    """The rules as early as this that give some of the hands another call than these: most hands first."""
    pool = bank(wide=position.system.wide).features
    chosen, options = position.options_of_batch(pool[hands.admits_batch(pool)])
    counts = Counter(options[i] for i in chosen.tolist() if i >= 0)
    return [one for one, _ in counts.most_common() if one.priority == priority and one.call not in calls]


def _clauses(option: Option) -> Iterator[str]:
    """What the rule of an option says of its call besides the hands."""
    said = {**option.rule.block.clauses, **option.rule.clauses}
    if "force" in said:
        yield str(said["force"])
    if "asks" in said:
        yield "asks"
    if option.agrees >= 0:
        yield f"agrees {'CDHS'[option.agrees]}"
    if "convention" in said:
        yield f"convention {said['convention']}"


def _within(hands: NDArray[np.int64], ranges: Ranges) -> NDArray[np.bool_]:
    low, high = (np.array([ranges[i][end] for i in range(hands.shape[1])]) for end in (0, 1))
    return np.asarray(((hands >= low) & (hands <= high)).all(axis=1))


def _own(states: list[Conflict]) -> int:
    """What the rules call first, of most of the states."""
    return Counter(one.open[0] for one in states).most_common(1)[0][0]


def confirmed(leaf: Leaf, states: list[Conflict], tags: list[Tag], trust: float) -> int:
    """The leaf's call, if by its states it gains on the rules' own by so many standard errors; else the rules' own."""
    own = _own(states)
    if leaf.action == own:
        return own
    gains = np.array(
        [
            tag.gains[one.open.index(leaf.action)] - tag.gains[one.open.index(own)]
            for one, tag in zip(states, tags, strict=True)
            if {leaf.action, own} <= set(one.open) and tag.gains
        ]
    )
    if not len(gains):
        return own
    mean = float(gains.mean())
    variance = (float(((gains - mean) ** 2).sum()) + SPREAD**2) / len(
        gains
    )  # one state's worth of what is known before
    return leaf.action if mean > trust * sqrt(variance / len(gains)) else own
