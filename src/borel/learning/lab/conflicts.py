"""States for which the rules leave several calls, the paper's training problems (Amit & Markovitch 2006, 4.2.1).

Random deals are bid by the rules, opponents silent; every decision where the decision net offers two calls or more is
kept, filed by its auction. What a state would cost is what it leaves open times how long the auction goes on, so that
early states come first, as in the paper (5.3.4).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, Auction
from borel.cards import Seat
from borel.sampling.rules import last_resort
from borel.systems.decision_net import Node
from borel.systems.hand import features_of, features_of_batch
from borel.systems.options import Option
from borel.systems.position import Position, start_of
from borel.systems.system import System

__all__ = ["Conflict", "collect", "header_text", "nodes_in_conflict", "position_after"]

LONGEST = 14  # calls of the pair


@dataclass(frozen=True, slots=True)
class Conflict:
    """A hand, the calls before, the calls that are open to it, and what it would cost to look ahead."""

    calls: tuple[int, ...]
    hand: int
    open: tuple[int, ...]
    cost: float

    @property
    def auction(self) -> Auction:
        """The auction before, North dealing."""
        return Auction(Seat.N, tuple(ALL_CALLS[call] for call in self.calls))

    @property
    def key(self) -> tuple[int, ...]:
        """What auctions are filed by: opened by an unpassed hand or not, then the calls from the first bid on."""
        first = next((i for i, call in enumerate(self.calls) if call >= 3), len(self.calls))
        return (0 if first < 2 else 1, *self.calls[first:])


def collect(system: System, deals: NDArray[np.uint64]) -> list[Conflict]:
    """All conflicts of North and South on some deals, North dealing and nobody vulnerable; by deal, then by call."""
    hands = [features_of_batch(deals[:, seat], wide=system.wide) for seat in (0, 2)]
    found: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []
    lengths = np.zeros(len(deals), np.int64)
    waiting: list[tuple[Position, NDArray[np.int64], tuple[int, ...]]] = [
        (start_of((system, system), (False, False)), np.arange(len(deals)), ())
    ]
    while waiting:
        position, rows, calls = waiting.pop()
        first, offered = _offered(position, hands[len(calls) // 2 % 2][rows])
        for row, made, open_calls in zip(rows.tolist(), first.tolist(), offered, strict=True):
            lengths[row] = len(calls) + 2
            if len(open_calls) > 1:
                found.append((row, calls, (made, *sorted(open_calls - {made}))))
        for call in np.unique(first).tolist():
            if len(calls) < 4 * LONGEST and not (call == 0 and calls):
                after = position.after(call).after(0)
                waiting.append((after, rows[first == call], (*calls, call, 0)))
    found.sort(key=lambda one: (one[0], len(one[1])))
    return [
        Conflict(calls, int(deals[row, len(calls) % 4]), offered, len(offered) * (int(lengths[row]) - len(calls)))
        for row, calls, offered in found
    ]


def _offered(position: Position, hands: NDArray[np.float32]) -> tuple[NDArray[np.int64], list[set[int]]]:
    """The call that the rules make of each hand, and all that they leave open to it."""
    first = position.calls_of_batch(hands)
    first[first < 0] = last_resort(position)
    offered: list[set[int]] = [set() for _ in hands]
    for node, members in position.net.state_actions_batch(hands):
        calls = {option.call for option in node.actions}
        for row in np.flatnonzero(members).tolist():
            offered[row] |= calls
    return first, offered


def position_after(system: System, calls: tuple[int, ...]) -> Position:
    """The point of an auction, nobody vulnerable."""
    return start_of((system, system), (False, False)).follow(calls)


def nodes_in_conflict(position: Position, hand: int, *, wide: bool) -> list[Node[Option]]:
    """The most specific nodes that a hand belongs to."""
    features = features_of(hand, wide=wide)
    return position.net.most_specific(features)


def header_text(key: tuple[int, ...], priority: int) -> str:
    """The header of refined rules for an auction: opponents pass."""
    seats, *calls = key
    words = [str(ALL_CALLS[call]) if i % 2 == 0 else "(P)" for i, call in enumerate(calls)]
    where = f"after {' '.join(words)}" if words else "open"
    return f"{where} seats {'1-2' if seats == 0 else '3-4'}, priority {priority}"
