"""A limit on the time that a piece of Python may take."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from types import FrameType

__all__ = ["TooSlow", "time_limit"]

RINGS = 20
ASLEEP = 0.01  # of a part: who works less is asleep, or waits for what never comes


class TooSlow(BaseException):
    """Time is up. Not an `Exception`, so that what is being limited does not catch it by accident."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `TooSlow` in the middle of the block after some seconds.

    Only where there is an alarm clock (not on Windows, not outside the main thread), and only between two steps of
    Python: compiled code that never returns is ended with its whole process by `borel.compute`. The clock rings in
    parts, so that to a process that was stopped and goes on all that it missed is one ring; and of a part in which the
    process worked, only its processor time counts: on a machine with much to do nobody is slow for want of a core.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not hasattr(signal, "setitimer") or not is_main:
        yield
        return
    before = signal.signal(signal.SIGALRM, _Bell(seconds))
    signal.setitimer(signal.ITIMER_REAL, seconds / RINGS, seconds / RINGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Bell:
    """Counts down the time; a part in which next to nothing was done was spent asleep."""

    def __init__(self, seconds: float) -> None:
        self.part, self.left, self.worked = seconds / RINGS, seconds, process_time()

    def __call__(self, _: int, __: FrameType | None) -> None:
        used, self.worked = process_time() - self.worked, process_time()
        self.left -= used if used > ASLEEP * self.part else self.part
        if self.left < self.part / 2:
            raise TooSlow
