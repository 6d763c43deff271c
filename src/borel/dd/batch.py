"""Running the core on many positions: threads, a deadline, Ctrl-C, progress, and its errors as ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from borel.errors import BridgeError, DealError

__all__ = ["DeadlineError", "InterruptedBatch", "Progress", "Run"]

Progress: TypeAlias = Callable[[int, int], object]
"""Called now and then, in the calling thread, with the number of positions done and their total."""


class DeadlineError(BridgeError, TimeoutError):
    """The seconds given were over before the batch was. Carries what was done.

    ``results`` has the shape of the whole answer; ``done`` is a bool[n]: the rows of ``results`` that count.
    """

    def __init__(self, seconds: float, results: NDArray[np.int8], done: NDArray[np.bool_]) -> None:
        self.results, self.done = results, done
        count = int(done.sum())
        super().__init__(f"{count} of {len(done)} positions were solved in the {seconds:g} seconds given")


class InterruptedBatch(KeyboardInterrupt):
    """Ctrl-C in the middle of a batch. Carries what was done, as `DeadlineError` does."""

    def __init__(self, results: NDArray[np.int8], done: NDArray[np.bool_]) -> None:
        self.results, self.done = results, done
        super().__init__(f"interrupted with {int(done.sum())} of {len(done)} positions solved")


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
        done = np.zeros(n, np.uint8)
        watch = _Watch(self.progress, n)
        try:
            solve(
                *columns,
                threads=self.threads,
                memory_mb=self.memory_mb,
                seconds=self.seconds,
                progress=watch,
                out=results.view(np.uint8),
                done=done,
            )
        except TimeoutError:
            raise DeadlineError(self.seconds or 0, results, done.astype(bool)) from None
        except InterruptedError:
            if watch.error is not None:
                raise watch.error from None
            raise
        except KeyboardInterrupt:
            raise InterruptedBatch(results, done.astype(bool)) from None
        except ValueError as error:
            raise DealError(str(error)) from None
        if self.progress is not None:
            self.progress(n, n)
        return results


class _Watch:
    """The core's callback: reports to the caller's, and keeps an error of the caller's to raise it unchanged."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress, self.total = progress, total
        self.error: BaseException | None = None

    def __call__(self, done: int) -> bool:
        if self.progress is not None:
            try:
                self.progress(done, self.total)
            except BaseException as error:
                self.error = error
                return False
        return True
