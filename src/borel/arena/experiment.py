"""Numbered boards worked off by many processes, each stored as it comes: killed and resumed, counted once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import borel._core as core
from borel import compute
from borel.deal import Board, Deal
from borel.store import Run, Store

__all__ = ["Experiment", "Progress", "board_of"]

Payload = dict[str, Any]
Task = Callable[[int], Payload]
Progress = Callable[[int, int], None]  # boards done, boards in all

SLOWEST_CALLS = 60  # a board may take as long as this many of the slowest allowed calls; then its process is ended


def board_of(seed: int, number: int) -> Board:
    """The board with this number of the match with this seed: the same on every machine."""
    n, e, s, w = core.deal(1, seed=seed, first=number)[0].tolist()
    return Board.numbered(number, Deal.of_masks((n, e, s, w)))


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is to be done with each board, and what decides the results.

    ``make`` gives, in each process, the function from a board's number to its payload; it must never raise for a bot's
    fault but give a payload that says so. ``config`` names everything that decides results: runs with the same one are
    the same run. ``lost`` is the payload of a board that no process could finish.
    """

    kind: str
    config: Mapping[str, Any]
    make: Callable[[], Task]
    lost: Callable[[int, str], Payload]
    timeout: float | None = None

    def run(
        self,
        numbers: Iterable[int],
        *,
        store: Store,
        workers: int | None = None,
        fresh: bool = False,
        progress: Progress | None = None,
        stop: Callable[[Payload], bool] | None = None,
    ) -> tuple[Run, dict[int, Payload]]:
        """Every board's payload by number.

        ``stop`` sees the payloads in the order of their numbers, whatever the order in which they are finished; the
        first for which it answers True is the last that counts. So the result does not depend on the workers.
        """
        run = store.begin(self.kind, self.config, fresh=fresh)
        wanted = list(numbers)
        have = {number: payload for number, payload in run.payloads().items() if number in set(wanted)}
        line = _Line(wanted, have, stop or (lambda _: False))
        if progress:
            progress(len(have), len(wanted))
        if not line.advance():
            missing = [number for number in wanted if number not in have]
            self._work(run, missing, line, workers, progress)
        return run, {number: line.have[number] for number in line.counted}

    def _work(self, run: Run, missing: list[int], line: _Line, workers: int | None, progress: Progress | None) -> None:
        limit = None if self.timeout is None else SLOWEST_CALLS * self.timeout
        if workers is None and not compute.cluster_address():
            workers = min(compute.available_cores(), len(missing))
        outcomes = compute.run(self.make, missing, workers=workers, seconds=limit)
        try:
            for outcome in outcomes:
                payload = outcome.value if outcome.value is not None else self.lost(outcome.item, outcome.error)
                run.add(outcome.item, payload)
                line.have[outcome.item] = payload
                if progress:
                    progress(len(line.have), len(line.wanted))
                if line.advance():
                    return
        finally:
            outcomes.close()  # type: ignore[attr-defined]


@dataclass(slots=True)
class _Line:
    """The boards in their order: how far they are complete, and whether that is far enough."""

    wanted: list[int]
    have: dict[int, Payload]
    stop: Callable[[Payload], bool]
    counted: list[int] = field(default_factory=list)
    stopped: bool = False

    def advance(self) -> bool:
        """Count the boards that now follow without a gap; True when no more are needed."""
        while not self.stopped and len(self.counted) < len(self.wanted):
            number = self.wanted[len(self.counted)]
            if number not in self.have:
                return False
            self.counted.append(number)
            self.stopped = self.stop(self.have[number])
        return True
