"""A system's own bidding of many deals, fast: all deals whose auctions are the same so far are looked at together.

The tree of auctions is walked depth first, and a branch is forgotten when it is done, so every point of an auction is
read once however many deals come there, and memory holds one branch at a time. Other hands than those that came there
are asked about too (`other_hands`): hands of some of the deals go along, with each seat those that would have bid as it
has. A walk can be divided: branches of few boards are dealt out to the parts, and each part walks its own to their ends
(together they read the points that one walk would read, and the few that all must pass).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borel.bidding.tables import LONGEST, Tables
from borel.clock import uncollected
from borel.learning.other_hands import OtherHands
from borel.sampling.rules import last_resort
from borel.systems import Position, Situation, System, load_system
from borel.systems.hand import features_of_batch

__all__ = ["ASKED", "bid_by_system"]

Rows = NDArray[np.int64]
Company = tuple[Rows, Rows, Rows, Rows]  # for each seat after the dealer the hands that would have bid as it has
MOST, FEWER = 4096, 512  # hands that go along with a seat; with one that passes, as nearly all hands do, fewer suffice
ASKED = 32  # hands asked about at one point of an auction
BRANCH = 2000  # boards of a branch that one part of a walk takes whole


def bid_by_system(
    tables: Tables,
    system: str | System,
    asked: int = ASKED,
    *,
    learnt: NDArray[np.bool_] | None = None,
    part: tuple[int, int] = (0, 1),
) -> OtherHands:
    """Bid every board to its end by a system's rules; what the rules would have called with other hands on the way.

    Other hands are those of boards ``learnt`` (all unless said), where one of these has come. ``part`` is a part of
    the walk and how many there are: the boards of other parts are left unfinished.
    """
    played = load_system(system) if isinstance(system, str) else system
    walk = _Walk(tables, played, asked, np.ones(len(tables), np.bool_) if learnt is None else learnt, part)
    seats = np.arange(len(tables))
    dealers = tables.vulnerable[seats, tables.dealer % 2], tables.vulnerable[seats, 1 - tables.dealer % 2]
    everyone = walk.rng.permutation(len(walk.stock))
    with uncollected():  # reading makes no circles of objects, only very many objects
        for ours in (False, True):
            for theirs in (False, True):
                rows = np.flatnonzero((dealers[0] == ours) & (dealers[1] == theirs))
                if len(rows):
                    start = Situation((played, played), (ours, theirs)).start()
                    walk.go_on(start, rows, (everyone, everyone, everyone, everyone), whole=False)
    return walk.others()


class _Walk:
    def __init__(
        self, tables: Tables, system: System, asked: int, learnt: NDArray[np.bool_], part: tuple[int, int]
    ) -> None:
        self.tables, self.system, self.asked, self.learnt, self.part = tables, system, asked, learnt, part
        self.rng = np.random.default_rng([int(tables.hands[0, 0]), *part])
        self.stock = tables.hands[np.flatnonzero(learnt)[:MOST]].reshape(-1) if asked else np.zeros(0, np.uint64)
        self.features = features_of_batch(self.stock, wide=system.wide)
        self.branches = 0  # that were dealt out to the parts
        self.points: list[int] = []  # a board that came there,
        self.depths: list[int] = []  # and how many calls had been made
        self.answers: list[tuple[Rows, NDArray[np.int64]]] = []

    def go_on(self, position: Position, rows: Rows, company: Company, *, whole: bool) -> None:
        """Bid the boards that have come to one point of an auction, which is not over; ``whole`` if all are ours."""
        if not whole and len(rows) <= BRANCH:
            self.branches += 1
            if self.branches % self.part[1] != self.part[0]:
                return
            whole = True
        depth = int(self.tables.lengths[rows[0]])
        legal = self.tables.legal(rows[:1])[0]
        hands = features_of_batch(self.tables.hands[rows, self.tables.turn(rows)], wide=self.system.wide)
        calls = self.calls(position, hands, legal)
        along = company[depth % 4][: MOST if calls.any() else FEWER]
        theirs = self.calls(position, self.features[along], legal)
        if len(along) and depth < LONGEST and (whole or self.part[0] == 0) and self.learnt[rows].any():
            self.ask(rows[0], along, theirs)
        for call in np.unique(calls):
            made = rows[calls == call]
            self.tables.make(made, calls[calls == call])
            if self.tables.take(made[:1]).contracts()[0, 0] == 0:
                seats = [*company]
                seats[depth % 4] = along[theirs == call]
                following = (seats[0], seats[1], seats[2], seats[3])
                self.go_on(position.after(int(call)), made, following, whole=whole)
                position._after.clear()
            elif not whole and self.part[0] > 0:
                self.tables.lengths[made] -= 1  # so many boards end here that no branch was dealt out: the first part's

    def calls(self, position: Position, hands: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        """What the rules call with some hands."""
        if not len(hands):
            return np.zeros(0, np.int64)
        calls = position.calls_of_batch(hands)
        calls[calls < 0] = last_resort(position)
        return np.where(legal[calls], calls, 0)

    def ask(self, board: int, along: Rows, calls: NDArray[np.int64]) -> None:
        """Note down what the rules say with some of the hands that go along, rarer calls more often than they come."""
        if len(along) > self.asked:
            counts = np.bincount(calls)
            chances = 1 / np.sqrt(counts[calls])
            chosen = self.rng.choice(len(along), self.asked, replace=False, p=chances / chances.sum())
            along, calls = along[chosen], calls[chosen]
        self.answers.append((along, calls))
        self.points.append(int(board))
        self.depths.append(int(self.tables.lengths[board]))

    def others(self) -> OtherHands:
        """All that was noted down."""
        points = self.tables.take(np.array(self.points, np.int64))
        points.lengths[:] = self.depths
        points.calls[np.arange(LONGEST)[None, :] >= points.lengths[:, None]] = 0
        points.hands[:] = 0
        places = np.repeat(np.arange(len(self.answers)), [len(along) for along, _ in self.answers])
        along = np.concatenate([*(along for along, _ in self.answers), np.zeros(0, np.int64)])
        calls = np.concatenate([*(calls for _, calls in self.answers), np.zeros(0, np.int64)])
        return OtherHands(points, places, self.stock[along], calls.astype(np.uint8))
