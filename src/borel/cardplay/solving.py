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
ROWS = 4  # solved between two looks at a CPU clock

Rows = NDArray[np.uint64]


class _Solve(Protocol):
    def __call__(
        self,
        position: dd.Positions,
        *,
        threads: int,
        seconds: float | None,
        progress: dd.Progress | None,
        memory_mb: int,
    ) -> NDArray[np.int8]: ...


def card_tricks(play: Play, held: Rows, clock: Clock, threads: int) -> tuple[NDArray[np.int8], int]:
    """[n, 52]: the tricks of the side on turn after each card, and how many of the layouts were solved in time."""
    return _in_time(dd.card_values, play, held, clock, threads, (52,))


def declarer_tricks(play: Play, held: Rows, clock: Clock, threads: int) -> tuple[NDArray[np.int64], int]:
    """[n]: declarer's tricks in all, those won included, and how many of the layouts were solved in time."""
    won, lost = (play.tricks_won(side) for side in (play.contract.side, play.contract.side.other))
    if won + lost == 13:
        return np.full(len(held), won, np.int64), len(held)
    taken, done = _in_time(dd.solve, play, held, clock, threads, ())
    tricks = taken.astype(np.int64)
    turn = Seat((play.trick.leader + len(play.trick.cards)) % 4)
    return won + (tricks if turn.side is play.contract.side else 13 - won - lost - tricks), done


def _in_time(
    solve: _Solve, play: Play, held: Rows, clock: Clock, threads: int, shape: tuple[int, ...]
) -> tuple[NDArray[np.int8], int]:
    def some(rows: Rows, seconds: float | None, progress: dd.Progress | None) -> NDArray[np.int8]:
        positions = dd.Positions.of_layouts(rows, play.strain, play.trick.leader, play.trick.cards)
        return solve(positions, threads=threads, seconds=seconds, progress=progress, memory_mb=MEMORY_MB)

    if not clock.by_cpu or clock.seconds is None:
        try:
            return some(held, clock.left(), None), len(held)
        except DeadlineError as error:
            return error.results, int(error.done.sum())
    values, done = np.full((len(held), *shape), -1, np.int8), 0
    try:
        while done < len(held) and not clock.is_over():
            rows = held[done : done + ROWS]
            values[done : done + len(rows)] = some(rows, None, _look(clock))
            done += len(rows)
    except TimeoutError:
        pass  # rows that were broken off do not count
    return values, done


def _look(clock: Clock) -> dd.Progress:
    """The core's own deadlines are of the wall clock: it asks this one now and then."""

    def look(done: int, total: int) -> None:
        if clock.is_over():
            raise TimeoutError

    return look
