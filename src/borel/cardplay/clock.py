"""The seconds of one decision, shared out among its steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic, process_time

__all__ = ["Clock", "cpu_time"]

_by_cpu: ContextVar[bool] = ContextVar("seconds are CPU seconds", default=False)


@contextmanager
def cpu_time() -> Iterator[None]:
    """Within, seconds are CPU seconds of this process, so a measured player does not depend on what else is running.

    For benchmarks and matches, where players have one thread; at the table a second is a second.
    """
    token = _by_cpu.set(True)
    try:
        yield
    finally:
        _by_cpu.reset(token)


class Clock:
    """Counts down from so many seconds; without a number it never ends, and everything can be repeated exactly."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.by_cpu = _by_cpu.get()
        self.now = process_time if self.by_cpu else monotonic
        self.started = self.now()

    @property
    def used(self) -> float:
        """Seconds since the decision began."""
        return self.now() - self.started

    def left(self, share: float = 1.0) -> float | None:
        """What remains of this share of the time, at least a moment; None where there is no limit."""
        return None if self.seconds is None else max(1e-3, share * self.seconds - self.used)

    def part(self, share: float) -> Clock:
        """A clock for what remains of this share of the time."""
        return Clock(self.left(share))

    def is_over(self, share: float = 1.0) -> bool:
        """Whether this share of the time has passed."""
        return self.seconds is not None and self.used >= share * self.seconds
