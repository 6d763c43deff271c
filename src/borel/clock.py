"""The clock that limits in seconds run by, the core's searches included.

At the table it is the wall's: somebody waits. In matches and benchmarks it is the processor time of this process (all
its threads together: "one core a call"), so that a result does not depend on what else the machine does, and a match
may be frozen and go on. `borel.arena` chooses that for the bidders it watches; whoever limits effort asks a `Deadline`.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from borel import _core

__all__ = ["Deadline", "now", "processor_time", "uncollected"]

now = _core.now
atexit.register(gc.unfreeze)  # what `uncollected` set aside is to be freed like the rest


@contextmanager
def processor_time() -> Iterator[None]:
    """Within the block, seconds are those of the processor; for this thread only."""
    before = _core.choose_clock(processor=True)
    try:
        yield
    finally:
        _core.choose_clock(processor=before)


@contextmanager
def uncollected() -> Iterator[None]:
    """Within the block no garbage is collected; at its end that of the block alone, and what lives on is set aside.

    With thousands of auctions read, to look through everything for garbage takes half a second, which now and then a
    decision of a quarter would have to pay. What is set aside is freed as ever when nothing refers to it.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.collect(1)
            gc.freeze()
            gc.enable()


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment by the clock of the thread that sets it; without seconds it never comes.

    >>> Deadline.after(None).is_over, Deadline.after(60).is_over
    (False, False)
    """

    end: float = float("inf")

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """So many seconds from now."""
        return cls() if seconds is None else cls(now() + seconds)

    def earlier(self, seconds: float) -> Deadline:
        """One that leaves so many seconds for something else."""
        return Deadline(self.end - seconds)

    @property
    def left(self) -> float:
        """The seconds that are left; below zero when it is over."""
        return self.end - now()

    @property
    def is_set(self) -> bool:
        """Whether it ever comes."""
        return self.end < float("inf")

    @property
    def is_over(self) -> bool:
        """Whether it has passed."""
        return self.left <= 0
