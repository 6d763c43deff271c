"""A limit on the time that a piece of Python may take."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from types import FrameType

__all__ = ["TooSlow", "time_limit"]

RINGS = 20


class TooSlow(BaseException):
    """Time is up. Not an `Exception`, so that what is being limited does not catch it by accident."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `TooSlow` in the middle of the block after some seconds.

    Only where there is an alarm clock (not on Windows, not outside the main thread), and only between two steps of
    Python: compiled code that never returns is ended with its whole process by `borel.compute`. The clock rings in
    parts and the rings are counted: to a process that was stopped and goes on, all that it missed is one ring.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not hasattr(signal, "setitimer") or not is_main:
        yield
        return
    before = signal.signal(signal.SIGALRM, partial(_ring, count(1)))
    signal.setitimer(signal.ITIMER_REAL, seconds / RINGS, seconds / RINGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(rings: Iterator[int], _: int, __: FrameType | None) -> None:
    if next(rings) >= RINGS:
        raise TooSlow
