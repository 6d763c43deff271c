"""Decision nets flattened for the core: the same choices as `DecisionNet`, for many hands at once; and nets shared."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.systems.constraints import ANYTHING, All, Constraint, Range
from borel.systems.decision_net import DecisionNet, Node, Triplet
from borel.systems.hand import BASE, WIDTH
from borel.systems.options import Option
from borel.systems.remembered import Remembered

__all__ = ["FlatNet", "SharedNet", "net_of", "shared_net"]

RANGE, SUM, ALL, ANY = range(4)  # as in core/rule_net.h
LARGEST = 1e9  # stands for no limit
MOST_NETS = 4_000  # that are remembered


class FlatNet:
    """A net of options as tables of numbers, run by the core."""

    def __init__(self, net: DecisionNet[Option]) -> None:
        self._program: list[int] = []
        self._numbers: list[float] = []
        self._width = BASE
        order = _parents_first(net.root)
        place = {id(node): number for number, node in enumerate(order)}
        self.options: list[Option] = []
        nodes: list[list[int]] = []
        links: list[int] = []
        for node in order:
            first = min(node.actions, key=lambda option: option.order) if node.actions else None
            row = [self._condition(node.constraint), first.order if first else 0, len(self.options) if first else -1]
            self.options += [first] if first else []
            for children in (node.regular, node.otherwise):
                row.append(len(links))
                links += [place[id(child)] for child in children]
                row.append(len(links))
            nodes.append(row)
        self._calls = np.array([*(option.call for option in self.options), -1], dtype=np.int64)  # the last: no option
        self._net = _core.RuleNet(
            np.array(self._program, dtype=np.int32),
            np.array(self._numbers, dtype=np.float64),
            np.array(nodes, dtype=np.int32).reshape(-1, 7),
            np.array(links, dtype=np.int32),
            self._width,
        )

    def calls(self, hands: NDArray[np.float32]) -> NDArray[np.int64]:
        """[n]: the call of the first option in file order that each of [n, features] hands gets; -1 for none."""
        return np.asarray(self._calls[self.choices(hands)])

    def choices(self, hands: NDArray[np.float32]) -> NDArray[np.int32]:
        """[n]: the place in ``options`` of the option that each hand follows; -1 for none."""
        rows = np.ascontiguousarray(hands[..., : self._width], dtype=np.float32).reshape(-1, self._width)
        return np.asarray(self._net.choose(rows))

    def _condition(self, constraint: Constraint) -> int:
        if constraint is ANYTHING:
            return -1
        start = len(self._program)
        self._write(constraint)
        return start

    def _write(self, constraint: Constraint) -> None:
        program = self._program
        if isinstance(constraint, Range):
            bounds = self._number(max(constraint.low, -LARGEST), min(constraint.high, LARGEST))
            if constraint.terms[-1][0] >= BASE:  # terms are in rising order
                self._width = WIDTH
            (index, weight), *more = constraint.terms
            if not more and weight == 1:
                program += [RANGE, index, bounds]
                return
            program += [SUM, len(constraint.terms), bounds]
            for index, weight in constraint.terms:
                program += [index, self._number(weight)]
            return
        start = len(program)
        program += [ALL if isinstance(constraint, All) else ANY, len(constraint.parts), 0]
        for part in constraint.parts:
            self._write(part)
        program[start + 2] = len(program)

    def _number(self, *values: float) -> int:
        self._numbers += values
        return len(self._numbers) - len(values)


def _parents_first(root: Node[Option]) -> list[Node[Option]]:
    """Every node after all its parents."""
    done: list[Node[Option]] = []
    _visit(root, set(), done)
    return done[::-1]


def _visit(node: Node[Option], seen: set[int], done: list[Node[Option]]) -> None:
    """Note down a node behind all that hang below it."""
    if id(node) in seen:
        return
    seen.add(id(node))
    for child in (*node.otherwise, *reversed(node.regular)):
        _visit(child, seen, done)
    done.append(node)


def net_of(options: list[Option]) -> DecisionNet[Option]:
    """The decision net of these options."""
    return DecisionNet([Triplet(option, option.constraint, option.priority) for option in options], [])


class SharedNet:
    """The net of some options in both forms; not to be changed, for other points of auctions have it too."""

    def __init__(self, options: list[Option]) -> None:
        self.options = options

    @cached_property
    def net(self) -> DecisionNet[Option]:
        """As nodes and links."""
        return net_of(self.options)

    @cached_property
    def flat(self) -> FlatNet:
        """For many hands."""
        return FlatNet(self.net)


_shared = Remembered[tuple[int, ...], SharedNet](MOST_NETS)


def shared_net(options: list[Option]) -> SharedNet:
    """The net of these very options; nearly half of all points of auctions have those of another.

    Options are known by their identity, which is theirs as long as the net that is remembered keeps them.
    """
    key = tuple(map(id, options))
    known = _shared.get(key)
    if known is None:
        known = _shared.keep(key, SharedNet(options))
    return known
