"""Running the core on many positions: threads, a deadline, Ctrl-C, progress, and its errors as ours."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from borel.errors import BridgeError, DealError

__all__ = ["DeadlineError", "Progress", "Run"]

Progress: TypeAlias = Callable[[int, int], object]
"""Called now and then, in the calling thread, with the number of positions done and their total."""

LOOK_SECONDS = 0.1  # where there is a deadline, rows are solved in parts of about this long: more than this is not lost


class DeadlineError(BridgeError, TimeoutError):
    """The seconds given were over before the batch was. Carries what was done.

    ``results`` has the shape of the whole answer; ``done`` is a bool[n]: the rows of ``results`` that count.
    """

    def __init__(self, seconds: float, results: NDArray[np.int8], done: NDArray[np.bool_]) -> None:
        self.results, self.done = results, done
        count = int(done.sum())
        super().__init__(f"{count} of {len(done)} positions were solved in the {seconds:g} seconds given")


@dataclass(frozen=True, slots=True)
class Run:
    """How to run a batch: threads (0 is one a core), seconds at most, progress, and the table of each thread in MB."""

    threads: int = 0
    seconds: float | None = None
    progress: Progress | None = None
    memory_mb: int = 160

    def __post_init__(self) -> None:
        if self.threads < 0:
            raise BridgeError(f"threads are 0 (one a core) or more, not {self.threads}")
        if self.seconds is not None and not self.seconds > 0:
            raise BridgeError(f"seconds are more than 0, not {self.seconds}")
        if self.memory_mb < 1:
            raise BridgeError(f"memory_mb is 1 or more, not {self.memory_mb}")

    def __call__(
        self, solve: Callable[..., Any], columns: tuple[NDArray[Any], ...], shape: tuple[int, ...] = ()
    ) -> NDArray[np.int8]:
        """The core's ``solve`` on every row of the columns: int8[n, *shape]."""
        n = len(columns[0])
        results = np.full((n, *shape), -1, np.int8)
        start = before = monotonic()
        first, step = 0, n if self.seconds is None else self.threads or os.cpu_count() or 1
        while first < n:
            rows = slice(first, min(n, first + step))
            try:
                part = self._rows(solve, tuple(column[rows] for column in columns), first, n, start)
            except TimeoutError:
                raise DeadlineError(self.seconds or 0, results, np.arange(n) < first) from None
            results[rows] = part.view(np.int8)
            now, first = monotonic(), rows.stop
            if now - before < LOOK_SECONDS:
                step *= 2
            elif now - before > 4 * LOOK_SECONDS:
                step = max(1, step // 2)
            before = now
        if self.progress is not None:
            self.progress(n, n)
        return results

    def _rows(
        self, solve: Callable[..., Any], columns: tuple[NDArray[Any], ...], first: int, n: int, start: float
    ) -> NDArray[Any]:
        """Some rows, with what is left of the seconds."""
        watch = _Watch(self.progress, first, n)
        left = None if self.seconds is None else self.seconds - (monotonic() - start)
        if left is not None and left <= 0:
            raise TimeoutError
        try:
            part: NDArray[Any] = solve(
                *columns, threads=self.threads, memory_mb=self.memory_mb, seconds=left, progress=watch
            )
        except InterruptedError:
            if watch.error is not None:
                raise watch.error from None
            raise
        except ValueError as error:
            raise DealError(str(error)) from None
        return part


class _Watch:
    """The core's callback: reports to the caller's, and keeps an error of the caller's to raise it unchanged."""

    def __init__(self, progress: Progress | None, first: int, total: int) -> None:
        self.progress, self.first, self.total = progress, first, total
        self.error: BaseException | None = None

    def __call__(self, done: int) -> bool:
        if self.progress is not None:
            try:
                self.progress(self.first + done, self.total)
            except BaseException as error:
                self.error = error
                return False
        return True
