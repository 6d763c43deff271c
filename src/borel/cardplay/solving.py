"""Double dummy for a card player: many layouts of one position, as many as a clock allows."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from borel import dd
from borel.cardplay.clock import Clock
from borel.cards import Seat
from borel.dd.batch import DeadlineError
from borel.play import Play

__all__ = ["MEMORY_MB", "card_tricks", "declarer_tricks"]

MEMORY_MB = 64  # of a solver's table

Rows = NDArray[np.uint64]


class _Solve(Protocol):
    def __call__(
        self,
        position: dd.Positions,
        *,
        threads: int,
        seconds: float | None,
        memory_mb: int,
    ) -> NDArray[np.int8]: ...


def card_tricks(play: Play, held: Rows, clock: Clock, threads: int) -> tuple[NDArray[np.int8], int]:
    """[n, 52]: the tricks of the side on turn after each card, and how many of the layouts were solved in time."""
    return _in_time(dd.card_values, play, held, clock, threads)


def declarer_tricks(play: Play, held: Rows, clock: Clock, threads: int) -> tuple[NDArray[np.int64], int]:
    """[n]: declarer's tricks in all, those won included, and how many of the layouts were solved in time."""
    won, lost = (play.tricks_won(side) for side in (play.contract.side, play.contract.side.other))
    if won + lost == 13:
        return np.full(len(held), won, np.int64), len(held)
    taken, done = _in_time(dd.solve, play, held, clock, threads)
    tricks = taken.astype(np.int64)
    turn = Seat((play.trick.leader + len(play.trick.cards)) % 4)
    return won + (tricks if turn.side is play.contract.side else 13 - won - lost - tricks), done


def _in_time(solve: _Solve, play: Play, held: Rows, clock: Clock, threads: int) -> tuple[NDArray[np.int8], int]:
    positions = dd.Positions.of_layouts(held, play.strain, play.trick.leader, play.trick.cards)
    try:
        return solve(positions, threads=threads, seconds=clock.left(), memory_mb=MEMORY_MB), len(held)
    except DeadlineError as error:
        # threads end out of order: only the rows before the first that is missing count
        return error.results, int(np.argmin(np.append(error.done, False)))
