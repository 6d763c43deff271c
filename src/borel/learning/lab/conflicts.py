"""States for which the rules leave several calls, the paper's training problems (Amit & Markovitch 2006, 4.2.1).

Random deals are bid by the rules, opponents silent; every decision where the decision net offers two calls or more is
kept, filed by its auction. What a state would cost is what it leaves open times how long the auction goes on, so that
early states come first, as in the paper (5.3.4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, Auction
from borel.cards import Seat
from borel.systems.constraints import All, Constraint, Range
from borel.systems.decision_net import Node
from borel.systems.hand import BASE, features_of, name_of, scale_of
from borel.systems.options import Option
from borel.systems.position import Position, start_of
from borel.systems.system import System

__all__ = ["Conflict", "collect", "condition_text", "header_text", "nodes_in_conflict", "position_after"]

INFINITY = float("inf")


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
    """All conflicts of North and South on some deals, North dealing and nobody vulnerable."""
    return [conflict for masks in deals.tolist() for conflict in _of_deal(system, masks)]


def _of_deal(system: System, masks: list[int]) -> Iterable[Conflict]:
    position, calls = start_of((system, system), (False, False)), list[int]()
    found: list[tuple[tuple[int, ...], int, tuple[int, ...]]] = []
    while len(calls) < 4 or any(calls[-3:]):
        seat, call = len(calls) % 4, 0
        if seat % 2 == 0:
            options = position.choose(features_of(masks[seat], wide=system.wide))
            offered = tuple(dict.fromkeys(option.call for option in options))
            call = offered[0] if offered else 0
            if len(offered) > 1:
                found.append((tuple(calls), masks[seat], offered))
        calls.append(call)
        position = position.after(call)
    for before, hand, offered in found:
        yield Conflict(before, hand, offered, len(offered) * (len(calls) - len(before)))


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


def condition_text(constraint: Constraint) -> str:
    """A compiled condition in the words of the language."""
    if isinstance(constraint, Range):
        return _range_text(constraint)
    if isinstance(constraint, All):
        return " and ".join(map(condition_text, constraint.parts)) or "hcp >= 0"
    return "(" + " or ".join(f"({condition_text(part)})" for part in constraint.parts) + ")"


def _range_text(part: Range) -> str:
    """One range, so that it is read back as one; of a sum, what is added comes first."""
    terms = sorted(part.terms, key=lambda term: -term[1])
    if terms[0][1] < 0:
        return _range_text(Range(tuple((index, -weight) for index, weight in terms), -part.high, -part.low))
    scale = scale_of(terms[0][0])
    total = " + ".join(_feature_text(index, weight) for index, weight in terms).replace("+ -", "- ")
    low, high = part.low / scale, part.high / scale
    if low == high:
        return _bound(total, "=", low)
    if low > -INFINITY and high < INFINITY and len(terms) == 1 and low == int(low) and high == int(high):
        return f"{low:g}-{high:g} {total}"
    bounds = [_bound(total, ">=", low)] if low > -INFINITY else []
    bounds += [_bound(total, "<=", high)] if high < INFINITY else []
    return " and ".join(bounds) or "hcp >= 0"


def _bound(total: str, relation: str, limit: float) -> str:
    """A comparison; the language has no numbers below zero."""
    return f"{total} {relation} {limit:g}" if limit >= 0 else f"{total} + {-limit:g} {relation} 0"


def _feature_text(index: int, weight: float) -> str:
    name = name_of(index)
    name = name[7] if index < BASE and name.startswith("length(") else name
    return name if weight == 1 else f"-{name}" if weight == -1 else f"{weight:g} * {name}"
