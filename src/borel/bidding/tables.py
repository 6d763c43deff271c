"""Many boards bid at once, as arrays: whose turn it is, what each seat sees, what was reached and what it scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.auction import ALL_CALLS, Contract
from borel.bidding.comparison import imps_of
from borel.cards import Seat
from borel.scoring import score

__all__ = ["LONGEST", "VULNERABLE", "Policy", "Tables", "bid_out", "imps_between", "random_conditions"]

LONGEST = 64  # calls; a longer auction is closed by passes: rules and networks never came near it
VULNERABLE = np.array([[False, False], [True, False], [False, True], [True, True]])

Policy = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.int64]]  # inputs, legal -> calls
Rows = NDArray[np.int64]


@dataclass(slots=True)
class Tables:
    """Boards in progress: hands [n, 4], dealer [n], vulnerable [n, 2] (NS, EW), calls [n, LONGEST], lengths [n]."""

    hands: NDArray[np.uint64]
    dealer: NDArray[np.int8]
    vulnerable: NDArray[np.bool_]
    calls: NDArray[np.uint8]
    lengths: NDArray[np.int32]

    @classmethod
    def start(cls, hands: NDArray[np.uint64], dealer: NDArray[np.int8], vulnerable: NDArray[np.bool_]) -> Tables:
        """Boards before the first call."""
        n = len(hands)
        return cls(hands, dealer, vulnerable, np.zeros((n, LONGEST), np.uint8), np.zeros(n, np.int32))

    @classmethod
    def joined(cls, parts: list[Tables]) -> Tables:
        """The boards of several as one."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))

    def __len__(self) -> int:
        return len(self.hands)

    def again(self) -> Tables:
        """The same boards before the first call, for the other room."""
        return Tables.start(self.hands, self.dealer, self.vulnerable)

    def take(self, rows: Rows) -> Tables:
        """Some of the boards."""
        return Tables(self.hands[rows], self.dealer[rows], self.vulnerable[rows], self.calls[rows], self.lengths[rows])

    def turn(self, rows: Rows, positions: NDArray[np.int32] | None = None) -> NDArray[np.int64]:
        """The seat to call at some boards, now or after so many calls."""
        at = self.lengths[rows] if positions is None else positions
        return np.asarray((self.dealer[rows] + at) % 4, dtype=np.int64)

    def inputs(self, rows: Rows, positions: NDArray[np.int32] | None = None) -> NDArray[np.float32]:
        """[m, 480]: what the seat to call sees, now or after so many calls."""
        at = self.lengths[rows] if positions is None else positions
        seat = self.turn(rows, at)
        ours = seat % 2
        vulnerable = np.stack([self.vulnerable[rows, ours], self.vulnerable[rows, 1 - ours]], axis=1)
        seen: NDArray[np.float32] = _core.observations(
            self.hands[rows, seat], np.ascontiguousarray(self.calls[rows]), np.ascontiguousarray(at), vulnerable
        )
        return seen

    def legal(self, rows: Rows, positions: NDArray[np.int32] | None = None) -> NDArray[np.bool_]:
        """[m, 38]: the legal calls, now or after so many calls."""
        at = self.lengths[rows] if positions is None else positions
        legal: NDArray[np.bool_] = _core.legal_calls(np.ascontiguousarray(self.calls[rows]), np.ascontiguousarray(at))
        legal[at >= LONGEST - 4, 1:] = False
        return legal

    def make(self, rows: Rows, calls: NDArray[np.int64]) -> None:
        """One call at each of some boards."""
        self.calls[rows, self.lengths[rows]] = calls
        self.lengths[rows] += 1

    def contracts(self) -> NDArray[np.int8]:
        """[n, 4]: over (1 or 0), bid 0..34 or -1, declarer's turn after the dealer, doubled 0..2."""
        reached: NDArray[np.int8] = _core.contracts(self.calls, self.lengths)
        return reached

    def open_rows(self) -> Rows:
        """The boards whose auction is not over."""
        return np.flatnonzero(self.contracts()[:, 0] == 0)

    def ns_scores(self, tricks: NDArray[np.int8]) -> NDArray[np.int64]:
        """[n]: North-South's points, double dummy; ``tricks`` is [n, strain, declarer]."""
        reached = self.contracts().astype(np.int64)
        bid, declarer, doubled = reached[:, 1], (reached[:, 2] + self.dealer) % 4, reached[:, 3]
        rows = np.arange(len(self))
        taken = tricks[rows, np.maximum(bid, 0) % 5, declarer].astype(np.int64)
        vulnerable = self.vulnerable[rows, declarer % 2].astype(np.int64)
        points = score_table()[np.maximum(bid, 0), doubled, vulnerable, taken]
        return np.asarray(np.where(bid < 0, 0, np.where(declarer % 2 == 0, points, -points)))


@cache
def score_table() -> NDArray[np.int64]:
    """[bid, doubled, vulnerable, tricks]: declarer's points (Law 77)."""
    table = np.zeros((35, 3, 2, 14), dtype=np.int64)
    for bid in range(35):
        call = ALL_CALLS[bid + 3]
        for doubled in range(3):
            contract = Contract(call.level, call.strain, Seat.N, doubled)
            for vulnerable in (False, True):
                table[bid, doubled, int(vulnerable)] = [score(contract, n, vulnerable=vulnerable) for n in range(14)]
    return table


def bid_out(tables: Tables, policies: list[Policy], of_seat: NDArray[np.int8]) -> None:
    """Bid every board to its end; ``of_seat`` [n, 4] says which policy sits where."""
    left = tables.open_rows()
    while len(left):
        who = of_seat[left, tables.turn(left)]
        for number, policy in enumerate(policies):
            rows = left[who == number]
            if len(rows):
                tables.make(rows, policy(tables.inputs(rows), tables.legal(rows)))
        left = left[tables.take(left).contracts()[:, 0] == 0]


def imps_between(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
    """[n]: the IMPs that the first room's scores win from the second's."""
    return np.asarray(imps_of((first - second).astype(np.float64)))


def random_conditions(count: int, rng: np.random.Generator) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Dealers and vulnerabilities, each as likely."""
    dealer = rng.integers(0, 4, count).astype(np.int8)
    return dealer, VULNERABLE[rng.integers(0, 4, count)]
