"""What a stranger may ask of the server: sizes, rates and times. Every figure is here and nowhere else."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from time import monotonic

from borel.errors import BridgeError

__all__ = ["Buckets", "BusyError", "Limits", "NotFoundError", "TooManyError"]


class BusyError(BridgeError):
    """The server has too much to do: HTTP 503."""


class NotFoundError(BridgeError):
    """There is nothing under this link: HTTP 404."""


class TooManyError(BridgeError):
    """One client asks too often: HTTP 429."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in bytes or characters, rates a second with the burst that is forgiven, times in seconds."""

    body: int = 2_000_000  # an evening's PBN with all its comments is a tenth of this
    message: int = 4_000
    system_text: int = 200_000
    boards: int = 64  # of one file
    condition: int = 1_000
    condition_tries: int = 2_000_000
    name: int = 30
    requests: tuple[float, float] = (30.0, 120.0)
    thinking: tuple[float, float] = (3.0, 30.0)  # requests that cost a worker
    new_tables: tuple[float, float] = (0.5, 30.0)
    messages: tuple[float, float] = (15.0, 60.0)  # on one socket
    sockets: int = 40  # of one client
    job_seconds: float = 60.0
    system_seconds: float = 20.0
    review_seconds: float = 600.0
    live_tables: int = 5_000
    connections: int = 12  # at one table
    idle_seconds: float = 1_800.0  # after which a table without anybody leaves the memory, not the store


UNLIMITED = Limits(
    requests=(1e9, 1e9), thinking=(1e9, 1e9), new_tables=(1e9, 1e9), messages=(1e9, 1e9), sockets=1_000_000
)


@dataclass(slots=True)
class Buckets:
    """A token bucket for each client; the clients heard of longest ago are forgotten.

    >>> buckets = Buckets((1.0, 2.0))
    >>> [buckets.take("a", now=0.0) for _ in range(3)], buckets.take("a", now=1.0)
    ([True, True, False], True)
    """

    rate: tuple[float, float]
    most: int = 10_000
    _levels: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def take(self, client: str, *, now: float | None = None) -> bool:
        """Whether this client may ask once more."""
        now = monotonic() if now is None else now
        a_second, burst = self.rate
        level, then = self._levels.pop(client, (burst, now))
        level = min(burst, level + a_second * (now - then))
        allowed = level >= 1
        self._levels[client] = (level - allowed, now)
        while len(self._levels) > self.most:
            self._levels.popitem(last=False)
        return allowed
