"""The same map over the machines of a Ray cluster: one actor a worker, and the same promises as the local pool.

Named by the environment variable ``BOREL_CLUSTER``: ``local`` starts a cluster on this machine, anything else is the
address of one (``auto``, ``ray://HOST:10001``). Needs ``pip install 'borel-bridge[cluster]'``, on every machine, and
``RAY_AUTH_MODE=token`` where the cluster asks for one.
"""

from __future__ import annotations

import os
import socket
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from logging import ERROR
from time import monotonic, sleep
from typing import Any, Generic, NoReturn, TypeVar

from borel.compute.worker import Raised
from borel.errors import BridgeError

__all__ = ["CLUSTER", "Head", "Job", "RemoteWorker", "cluster_address", "cluster_size", "run_on_cluster"]

Item = TypeVar("Item")
Value = TypeVar("Value")
CLUSTER = "BOREL_CLUSTER"
LOOK = 1.0  # seconds between looks at what is late
STARTING = 60.0  # seconds more for a new actor, which reads its systems first
TRIES = 3  # looks at a head that does not answer, before it is given up


def cluster_address() -> str:
    """The cluster to be used; an empty text is none."""
    return os.environ.get(CLUSTER, "").strip()


@dataclass(slots=True)
class Job(Generic[Item]):
    """An item, how often its worker has died, and since when it is in work."""

    item: Item
    deaths: int = 0
    since: float = field(default_factory=monotonic)


class _Hand:
    """What works in an actor: makes its task once, then does items; errors travel as text."""

    def __init__(self, make: Callable[[], Callable[[Any], Any]]) -> None:
        self.make = make
        self.task: Callable[[Any], Any] | None = None

    def do(self, item: Any) -> Any:
        """The item's value, or what was raised."""
        from traceback import format_exc

        try:
            if self.task is None:
                self.task = self.make()
            return self.task(item)
        except Exception as error:  # raised again at home
            return Raised(f"{error}", format_exc(), isinstance(error, BridgeError))


def _connected(address: str) -> Any:
    """Ray, connected to the cluster."""
    try:
        import ray
    except ImportError:
        raise BridgeError(f"{CLUSTER} is set, but Ray is not installed: pip install 'borel-bridge[cluster]'") from None
    if not ray.is_initialized():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the error says it too
                ray.init(address=None if address == "local" else address, log_to_driver=False, logging_level=ERROR)
        except (ConnectionError, RuntimeError, ValueError) as error:
            what = (str(error).split("\n\n")[0].splitlines() or ["no connection"])[-1].strip()
            raise BridgeError(f"cluster {address}: {what}") from error
    return ray


class RemoteWorker:
    """One actor of a cluster, asked one thing after the other; begun when it is first needed and when it died."""

    def __init__(self, make: Callable[[], Callable[[Any], Any]], address: str) -> None:
        self.make, self.address = make, address
        self.actor: Any = None

    def ask(self, item: Any, seconds: float) -> Any:
        """The item's value; EOFError if the actor died under it, a BridgeError if it took too long."""
        ray = _connected(self.address)
        if self.actor is None:
            self.actor = ray.remote(num_cpus=1, max_restarts=0)(_Hand).remote(self.make)
            seconds += STARTING
        answer = self.actor.do.remote(item)
        try:
            value = ray.get(answer, timeout=seconds)
        except ray.exceptions.GetTimeoutError:
            self.close()
            raise BridgeError(f"not finished within {seconds:g} seconds") from None
        except ray.exceptions.RayActorError as error:
            self.close()
            raise EOFError(str(error)) from error
        if isinstance(value, Raised):
            self.close()
            raise value.error()
        return value

    def close(self) -> None:
        """End the actor, whatever it is doing."""
        actor, self.actor = self.actor, None
        if actor is not None:
            with suppress(Exception):  # it may be gone already
                _connected(self.address).kill(actor)


class Head:
    """The machine that holds a cluster together. When it is gone, Ray waits a minute and then ends this process too."""

    def __init__(self, ray: Any, address: str) -> None:
        self.address, self.gone = address, False
        self.place: tuple[str, int] | None = None
        if not address.startswith("ray://"):  # a client's connection says so itself
            host, _, port = ray.get_runtime_context().gcs_address.rpartition(":")
            self.place = (host, int(port))

    def check(self) -> None:
        """Complain if nobody answers there."""
        if self.place is None:
            return
        for _ in range(TRIES):
            try:
                socket.create_connection(self.place, timeout=LOOK).close()
            except OSError:
                sleep(LOOK)
            else:
                return
        self.lost()

    def lost(self) -> NoReturn:
        """Complain that the cluster is gone."""
        self.gone = True
        raise BridgeError(f"cluster {self.address}: it has gone away; what was finished before is kept")


def cluster_size(address: str) -> int:
    """The cluster's processors."""
    return max(1, int(_connected(address).cluster_resources().get("CPU", 1)))


def run_on_cluster(
    make: Callable[[], Callable[[Item], Value]],
    items: Iterable[Item],
    *,
    address: str,
    workers: int | None = None,
    seconds: float | None = None,
    attempts: int = 3,
) -> Iterator[tuple[Item, Value | None, str]]:
    """Each item with its value, or with none and the reason, in the order in which they are finished."""
    ray = _connected(address)
    size = workers or cluster_size(address)
    team: _Team[Item, Value] = _Team(ray, Head(ray, address), make, iter(items), size, attempts)
    try:
        yield from team.outcomes(seconds)
    finally:
        team.close()


class _Team(Generic[Item, Value]):
    """The actors, and what each is doing."""

    def __init__(self, ray: Any, head: Head, make: Any, items: Iterator[Item], size: int, attempts: int) -> None:
        self.ray, self.head, self.make, self.items, self.size, self.attempts = ray, head, make, items, size, attempts
        self.remote = ray.remote(num_cpus=1, max_restarts=0)(_Hand)
        self.idle: list[Any] = []
        self.again: deque[Job[Item]] = deque()
        self.working: dict[Any, tuple[Any, Job[Item]]] = {}  # by the reference to the answer

    def outcomes(self, seconds: float | None) -> Iterator[tuple[Item, Value | None, str]]:
        """Give out items and collect values until nothing is left."""
        while True:
            try:
                self._give_out()
                if not self.working:
                    return
                ready, _ = self.ray.wait(list(self.working), num_returns=1, timeout=LOOK)
            except ConnectionError:
                self.head.lost()
            for answer in ready:
                yield from self._hear(answer)
            if not ready:
                self.head.check()
            if seconds is not None:
                yield from self._give_up_on_the_late(seconds)

    def _give_out(self) -> None:
        while len(self.working) < self.size and (job := self._next()) is not None:
            actor = self.idle.pop() if self.idle else self.remote.remote(self.make)
            job.since = monotonic()
            self.working[actor.do.remote(job.item)] = (actor, job)

    def _next(self) -> Job[Item] | None:
        if self.again:
            return self.again.popleft()
        for item in self.items:
            return Job(item)
        return None

    def _hear(self, answer: Any) -> Iterator[tuple[Item, Value | None, str]]:
        actor, job = self.working.pop(answer)
        try:
            value = self.ray.get(answer)
        except self.ray.exceptions.RayActorError:
            self.head.check()
            job.deaths += 1
            if job.deaths >= self.attempts:
                yield job.item, None, f"the process that worked on it died {job.deaths} times"
            else:
                self.again.append(job)
            return
        if isinstance(value, Raised):
            raise value.error()
        self.idle.append(actor)
        yield job.item, value, ""

    def _give_up_on_the_late(self, seconds: float) -> Iterator[tuple[Item, Value | None, str]]:
        late = [answer for answer, (_, job) in self.working.items() if monotonic() - job.since > seconds]
        for answer in late:
            actor, job = self.working.pop(answer)
            self.ray.kill(actor)
            yield job.item, None, f"not finished within {seconds:g} seconds"

    def close(self) -> None:
        """End all actors, whatever they are doing."""
        for actor in [] if self.head.gone else [*self.idle, *(actor for actor, _ in self.working.values())]:
            with suppress(Exception):  # it may be gone already
                self.ray.kill(actor)
        self.idle.clear()
        self.working.clear()
