"""The seconds of one decision, shared out among its steps."""

from __future__ import annotations

from borel.clock import now

__all__ = ["Clock"]


class Clock:
    """Counts down from so many seconds; without a number it never ends, and everything can be repeated exactly."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.started = now()

    @property
    def used(self) -> float:
        """Seconds since the decision began."""
        return now() - self.started

    def left(self, share: float = 1.0) -> float | None:
        """What remains of this share of the time, at least a moment; None where there is no limit."""
        return None if self.seconds is None else max(1e-3, share * self.seconds - self.used)

    def part(self, share: float) -> Clock:
        """A clock for what remains of this share of the time."""
        return Clock(self.left(share))

    def is_over(self, share: float = 1.0) -> bool:
        """Whether this share of the time has passed."""
        return self.seconds is not None and self.used >= share * self.seconds
