"""A system's own bidding of many deals, fast: all deals whose auctions are the same so far are looked at together.

The tree of auctions is walked depth first, and a branch is forgotten when it is done, so every point of an auction is
read once however many deals come there, and memory holds one branch at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borel.bidding.tables import Tables
from borel.sampling.rules import last_resort
from borel.systems import Position, Situation, System, load_system
from borel.systems.hand import features_of_batch

__all__ = ["bid_by_system"]

Rows = NDArray[np.int64]


def bid_by_system(tables: Tables, system: str | System) -> NDArray[np.int64]:
    """Bid every board to its end by a system's rules; how many points of auctions were met, by number of calls."""
    played = load_system(system) if isinstance(system, str) else system
    features = features_of_batch(tables.hands.reshape(-1), wide=played.wide).reshape(len(tables), 4, -1)
    walk = _Walk(tables, features)
    seats = np.arange(len(tables))
    dealers = tables.vulnerable[seats, tables.dealer % 2], tables.vulnerable[seats, 1 - tables.dealer % 2]
    for ours in (False, True):
        for theirs in (False, True):
            rows = np.flatnonzero((dealers[0] == ours) & (dealers[1] == theirs))
            if len(rows):
                walk.go_on(Situation((played, played), (ours, theirs)).start(), rows)
    return np.array(walk.met)


class _Walk:
    def __init__(self, tables: Tables, features: NDArray[np.float32]) -> None:
        self.tables, self.features = tables, features
        self.met: list[int] = []

    def go_on(self, position: Position, rows: Rows) -> None:
        """Bid the boards that have come to one point of an auction, which is not over."""
        depth = int(self.tables.lengths[rows[0]])
        if depth == len(self.met):
            self.met.append(0)
        self.met[depth] += 1
        calls = position.calls_of_batch(self.features[rows, self.tables.turn(rows)])
        calls[calls < 0] = last_resort(position)
        legal = self.tables.legal(rows[:1])[0]
        for call in np.unique(calls):
            made = rows[calls == call]
            self.tables.make(made, np.where(legal[call], calls[calls == call], 0))
            if self.tables.take(made[:1]).contracts()[0, 0] == 0:
                self.go_on(position.after(int(call)), made)
                position._after.clear()
