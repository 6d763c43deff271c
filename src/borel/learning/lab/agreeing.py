"""What tagged states become: rules of one auction, a tree for each set of nodes that conflict (4.2.3).

The nodes that a state belongs to are intersected, and an ID3 tree of the tags is hung below the intersection. A sample
of ten layouts is noise for calls of nearly equal worth: agreements read off single tags were worth -0.03 ± 0.09 IMPs a
board. So a leaf that departs from what the rules call first has to be confirmed by all of its states together; where it
is not, the pair agrees on the rules' own call, and need not look ahead there any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS
from borel.learning.lab.conflicts import Conflict, header_text, nodes_in_conflict, position_after
from borel.learning.lab.trees import Leaf, Ranges, id3, leaves
from borel.learning.lab.wording import Wording
from borel.systems import System
from borel.systems.constraints import Constraint, Range, all_of
from borel.systems.decision_net import Node
from borel.systems.hand import INDEX, RANGES, features_of
from borel.systems.options import Option

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
        both = all_of([node.constraint for node in nodes])
        states, tagged = [conflicts[i] for i in members], [tags[i] for i in members]
        hands = np.array([features_of(one.hand, wide=system.wide) for one in states])[:, COLUMNS].astype(np.int64)
        wanted = " or ".join(dict.fromkeys(str(ALL_CALLS[call]) for one in states for call in one.open))
        rules = _rules(both, hands, states, tagged, wording, trust)
        blocks.setdefault(nodes[0].priority, []).extend([f"  # {wanted}?", *rules])
    lines: list[str] = []
    for priority, rules in blocks.items():
        lines += [header_text(conflicts[0].key, priority), *rules]
    return lines


def _rules(
    both: Constraint, hands: NDArray[np.int64], states: list[Conflict], tags: list[Tag], wording: Wording, trust: float
) -> list[str]:
    """The intersection of the nodes that conflict, divided by a tree where the tags differ."""
    found: list[tuple[Ranges, int, float]] = []
    for ranges, leaf in leaves(id3(hands, np.array([tag.call for tag in tags])), EVERY):
        inside = np.flatnonzero(_within(hands, ranges)).tolist()
        found.append(
            (ranges, confirmed(leaf, [states[i] for i in inside], [tags[i] for i in inside], trust), leaf.weight)
        )
    if len({call for _, call, _ in found}) == 1:  # nothing is left to divide
        found = [(EVERY, found[0][1], float(len(states)))]
    lines = []
    for ranges, call, weight in found:
        parts: list[Constraint] = [
            Range(((COLUMNS[i], 1.0),), *map(float, limits)) for i, limits in ranges.items() if limits != EVERY[i]
        ]
        words = wording.text(all_of([both, *parts]))
        examples = f"{weight:.0f} example{'s' if weight != 1 else ''}"
        lines.append(
            f'  {"pass" if call == 0 else str(ALL_CALLS[call]):<5} {words}  "agreed in co-training, {examples}"'
        )
    return lines


def _within(hands: NDArray[np.int64], ranges: Ranges) -> NDArray[np.bool_]:
    low, high = (np.array([ranges[i][end] for i in range(hands.shape[1])]) for end in (0, 1))
    return np.asarray(((hands >= low) & (hands <= high)).all(axis=1))


def confirmed(leaf: Leaf, states: list[Conflict], tags: list[Tag], trust: float) -> int:
    """The leaf's call, if by its states it gains on the rules' own by so many standard errors; else the rules' own."""
    own = max({one.open[0] for one in states}, key=[one.open[0] for one in states].count)
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
