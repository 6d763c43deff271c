"""Decision nets (Amit & Markovitch 2006, section 4.1 and appendix B).

Each node stands for the hands that satisfy its state constraints (SC). A hand is passed down the regular links; where
none takes it, down the else links; where these do not either, the node's actions are collected. The net of a set of
triplets (action, SC, priority) is a chain of else links from the highest priority to the lowest, under each of whose
nodes the triplets of that priority are placed so that every node hangs under the nodes it refines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from borel.systems.box import Box
from borel.systems.constraints import ANYTHING, All, Constraint, Range, all_of
from borel.systems.remembered import Remembered

__all__ = ["DecisionNet", "Node", "Triplet", "refines"]

Action = TypeVar("Action")


@dataclass(frozen=True, slots=True)
class Triplet(Generic[Action]):
    """An action, the hands that take it, and how early it is asked."""

    action: Action
    constraint: Constraint
    priority: int


@dataclass(slots=True, eq=False)
class Node(Generic[Action]):
    """A set of hands, the actions they take unless a child knows better, and the links to the children."""

    constraint: Constraint
    priority: int
    actions: list[Action] = field(default_factory=list)
    regular: list[Node[Action]] = field(default_factory=list)
    otherwise: list[Node[Action]] = field(default_factory=list)


def _parts(constraint: Constraint) -> tuple[Constraint, ...]:
    return constraint.parts if isinstance(constraint, All) else (constraint,)


def _tighter(one: Constraint, other: Constraint) -> bool:
    if isinstance(one, Range) and isinstance(other, Range):
        return one.terms == other.terms and one.low >= other.low and one.high <= other.high
    return one == other


def refines(one: Constraint, other: Constraint) -> bool:
    """Whether ``one`` is a sub-SC of ``other``: each constraint of the other is met by a tighter one.

    The same conditions meet in many nets, so answers are remembered, filed by identity.
    """
    key = (id(one), id(other))
    known = _refining.get(key)
    if known is None:
        known = _refining.keep(key, (_refines(one, other), one, other))
    return known[0]


def _refines(one: Constraint, other: Constraint) -> bool:
    mine = _parts(one)
    return all(any(_tighter(part, wanted) for part in mine) for wanted in _parts(other))


MOST_REMEMBERED = 50_000
# the conditions are kept, so that ids hold
_refining = Remembered[tuple[int, int], tuple[bool, Constraint, Constraint]](MOST_REMEMBERED)


class DecisionNet(Generic[Action]):
    """A selection strategy: hand to set of actions, and back.

    >>> hcp = lambda low, high: Range(((INDEX["hcp"], 1.0),), low, high)
    >>> from borel.systems.hand import INDEX
    >>> net = DecisionNet([Triplet("1C", hcp(12, 37), 500), Triplet("2C", hcp(22, 37), 500)], ["pass"])
    >>> [net.state_actions([0.0] * INDEX["hcp"] + [points]) for points in (5.0, 13.0, 25.0)]
    [['pass'], ['1C'], ['2C']]
    """

    def __init__(self, triplets: list[Triplet[Action]], default: list[Action]) -> None:
        priorities = sorted({triplet.priority for triplet in triplets}, reverse=True) or [0]
        chain: list[Node[Action]] = [Node(ANYTHING, priority) for priority in priorities]
        for node, after in pairwise(chain):
            node.otherwise.append(after)
        self.root = chain[0]
        self._chain = dict(zip(priorities, chain, strict=True))
        for triplet in triplets:
            self.insert(Node(triplet.constraint, triplet.priority, [triplet.action]))
        chain[-1].actions = list(default)

    def insert(self, node: Node[Action]) -> bool:
        """Place a node under the skeleton node of its priority (cases 1 to 6 of the paper's figure 20).

        A node for all hands hangs under its skeleton node instead of merging with it: merged, it would come after the
        else link, that is after every lower priority.
        """
        skeleton = self._chain[node.priority]
        if node.constraint is not ANYTHING:
            return _insert(skeleton, node)
        for child in skeleton.regular:
            if child.constraint is ANYTHING:
                return _insert(child, node)
        node.regular, skeleton.regular = skeleton.regular, [node]
        return True

    def refine(self, parents: list[Node[Action]], actions: list[Action]) -> Node[Action]:
        """Add the intersection of several nodes as a child of each, as learning does when they conflict."""
        constraint = all_of([parent.constraint for parent in parents])
        node: Node[Action] = Node(constraint, parents[0].priority, list(actions))
        for parent in parents:
            parent.regular.append(node)
        return node

    def graft(self, parent: Node[Action], child: Node[Action]) -> None:
        """Add a node by an else link, so that the existing children keep their hands."""
        parent.otherwise.append(child)

    def most_specific(self, hand: list[float]) -> list[Node[Action]]:
        """The most specific nodes a hand belongs to."""
        found: list[Node[Action]] = []
        _descend(self.root, hand, found)
        return list(dict.fromkeys(found))

    def state_actions(self, hand: list[float]) -> list[Action]:
        """StateActions of the paper's figure 5: the union of the actions of the most specific nodes."""
        return list(dict.fromkeys(action for node in self.most_specific(hand) for action in node.actions))

    def partial_state_actions(self, box: Box) -> list[Action]:
        """The same for a partial state, a set of hands: it passes a link when all its hands do."""
        return list(dict.fromkeys(_descend_box(self.root, box)))

    def state_actions_batch(self, hands: NDArray[np.float32]) -> list[tuple[Node[Action], NDArray[np.bool_]]]:
        """For each node that some hand ends in: which of [n, features] hands do. The inverse reads the same table."""
        found: dict[int, tuple[Node[Action], NDArray[np.bool_]]] = {}
        _descend_batch(self.root, hands, np.ones(len(hands), dtype=np.bool_), found)
        return list(found.values())

    def hands_for(self, action: Action) -> list[tuple[Constraint, list[Constraint]]]:
        """Which hands take an action: node by node, the condition and the conditions that come before it."""
        result: list[tuple[Constraint, list[Constraint]]] = []
        earlier: list[Constraint] = []
        for skeleton in self._chain.values():
            below = _nodes(skeleton, {id(node) for node in skeleton.otherwise})
            result += [
                (node.constraint, earlier + [child.constraint for child in node.regular])
                for node in below
                if action in node.actions
            ]
            earlier = earlier + [child.constraint for child in skeleton.regular]
        return result

    def nodes(self) -> list[Node[Action]]:
        """Every node once, parents first."""
        return list(_nodes(self.root, set()))

    def dot(self, label: str = "net") -> str:
        """The net as a graphviz picture: regular links solid, else links dashed."""
        nodes = self.nodes()
        number = {id(node): i for i, node in enumerate(nodes)}
        lines = [f'digraph "{label}" {{', "  node [shape=box, fontsize=10];"]
        for node in nodes:
            actions = ", ".join(map(str, node.actions[:6])) + (" …" if len(node.actions) > 6 else "")
            text = f"{node.constraint}\\n{{{actions}}}".replace('"', "'")
            lines.append(f'  n{number[id(node)]} [label="{text}"];')
            lines += [f"  n{number[id(node)]} -> n{number[id(child)]};" for child in node.regular]
            lines += [f"  n{number[id(node)]} -> n{number[id(child)]} [style=dashed];" for child in node.otherwise]
        return "\n".join([*lines, "}"])


def _nodes(node: Node[Action], seen: set[int]) -> Iterator[Node[Action]]:
    if id(node) in seen:
        return
    seen.add(id(node))
    yield node
    for child in (*node.regular, *node.otherwise):
        yield from _nodes(child, seen)


def _insert(net: Node[Action], node: Node[Action]) -> bool:
    if net.constraint is node.constraint or net.constraint == node.constraint:  # case 2: the same hands
        net.actions += [action for action in node.actions if action not in net.actions]
        return True
    if not refines(node.constraint, net.constraint):  # case 6
        return False
    below = [_insert(child, node) for child in net.regular]  # case 5: below every child it refines
    if any(below):
        return True
    moved = [child for child in net.regular if refines(child.constraint, node.constraint)]
    net.regular = [child for child in net.regular if child not in moved]  # case 4; with none moved, case 3
    node.regular += [child for child in moved if child not in node.regular]
    net.regular.append(node)
    return True


def _descend(node: Node[Action], hand: list[float], found: list[Node[Action]]) -> bool:
    """Pass a hand that belongs to a node down the links; whether any node with actions took it."""
    taken = False
    for child in node.regular:
        if child.constraint.admits(hand) and _descend(child, hand, found):
            taken = True
    if not taken:
        for child in node.otherwise:
            if child.constraint.admits(hand) and _descend(child, hand, found):
                taken = True
    if not taken and node.actions:
        found.append(node)
        taken = True
    return taken


def _descend_box(node: Node[Action], box: Box) -> list[Action]:
    if not box.implies(node.constraint):
        return []
    for links in (node.regular, node.otherwise):
        actions = [action for child in links for action in _descend_box(child, box)]
        if actions:
            return actions
    return node.actions


def _descend_batch(
    node: Node[Action],
    hands: NDArray[np.float32],
    mine: NDArray[np.bool_],
    found: dict[int, tuple[Node[Action], NDArray[np.bool_]]],
) -> NDArray[np.bool_]:
    """`_descend` for many hands; returns those that some node took."""
    left = mine.copy()
    for links in (node.regular, node.otherwise):
        taken = np.zeros_like(left)
        for child in links:
            inside = left & child.constraint.admits_batch(hands)
            if inside.any():
                taken |= _descend_batch(child, hands, inside, found)
        left &= ~taken
        if not left.any():
            return mine
    if not node.actions:
        return mine & ~left
    known = found.get(id(node))
    found[id(node)] = (node, left if known is None else known[1] | left)
    return mine
