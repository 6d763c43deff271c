"""A pool of local processes whose workers may be killed, may hang, and are never waited for in vain."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

from borel.compute.cluster import cluster_address, run_on_cluster
from borel.compute.worker import Raised, Ready, Worker, WorkerError, wait

__all__ = ["Outcome", "WorkerError", "available_cores", "run"]

Item = TypeVar("Item")
Value = TypeVar("Value")

QUEUED = 2  # items a worker has at a time: the one in work, and one so that it need not wait for the next


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Item, Value]):
    """An item with its value; or, when no worker could finish it, with the reason and no value."""

    item: Item
    value: Value | None
    error: str = ""


def available_cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(
    make: Callable[[], Callable[[Item], Value]],
    items: Iterable[Item],
    *,
    workers: int | None = None,
    seconds: float | None = None,
    attempts: int = 3,
) -> Iterator[Outcome[Item, Value]]:
    """Each item's value, in the order in which they are finished.

    ``make`` is called once in each worker and gives the function that is then called with items; it must be importable
    there, as must items and values. An error that it or the function raises is raised here. The item of a worker that
    dies is done again by another, at most ``attempts`` times; an item that takes longer than ``seconds`` is given up
    and its worker replaced. Each item comes back exactly once. ``workers=0`` works in this process, where neither
    applies. Closing the iterator, or leaving it by Ctrl-C, ends all workers. Where ``BOREL_CLUSTER`` names a Ray
    cluster, its machines do the work.
    """
    if workers == 0:
        task = make()
        yield from (Outcome(item, task(item)) for item in items)
        return
    if address := cluster_address():
        found = run_on_cluster(make, items, address=address, workers=workers, seconds=seconds, attempts=attempts)
        yield from (Outcome(item, value, error) for item, value, error in found)
        return
    pool = _Pool(make, iter(items), workers or available_cores(), seconds, attempts)
    try:
        yield from pool.outcomes()
    finally:
        pool.close()


@dataclass(slots=True)
class _Job(Generic[Item]):
    item: Item
    deaths: int = 0


class _Pool(Generic[Item, Value]):
    """The workers, what each has to do, and what is still to be given out."""

    def __init__(
        self,
        make: Callable[[], Callable[[Item], Value]],
        items: Iterator[Item],
        size: int,
        seconds: float | None,
        attempts: int,
    ) -> None:
        self.make, self.items, self.size, self.seconds, self.attempts = make, items, size, seconds, attempts
        self.again: deque[_Job[Item]] = deque()
        self.workers: list[Worker[_Job[Item]]] = []
        self.exhausted = False

    def outcomes(self) -> Iterator[Outcome[Item, Value]]:
        """Give out items and collect values until nothing is left."""
        while True:
            self._give_out()
            if not self.workers:
                return
            for worker in wait(self.workers, self._patience()):
                yield from self._hear(worker)
            yield from self._give_up_on_the_late()

    def _give_out(self) -> None:
        while len(self.workers) < self.size and (job := self._next_job()) is not None:
            self.workers.append(Worker(self.make, job))
        for worker in self.workers:
            while len(worker.jobs) < QUEUED and (job := self._next_job()) is not None:
                worker.send(job)
        for worker in [worker for worker in self.workers if not worker.jobs]:
            self._dismiss(worker)

    def _next_job(self) -> _Job[Item] | None:
        if self.again:
            return self.again.popleft()
        if not self.exhausted:
            for item in self.items:
                return _Job(item)
            self.exhausted = True
        return None

    def _hear(self, worker: Worker[_Job[Item]]) -> Iterator[Outcome[Item, Value]]:
        """What a worker has to say: a value, an error, or that it is no more."""
        try:
            message = worker.receive()
        except (EOFError, OSError):
            yield from self._bury(worker)
            return
        if isinstance(message, Raised):
            raise message.error()
        if not isinstance(message, Ready):
            yield Outcome(worker.finish().item, message)

    def _bury(self, worker: Worker[_Job[Item]]) -> Iterator[Outcome[Item, Value]]:
        """A worker has died: its first item was in work and is tried again a few times, the second was not begun."""
        self._dismiss(worker)
        if not worker.is_ready:
            raise WorkerError(f"a worker process died before it could begin ({worker.end})")
        first, *rest = worker.jobs
        first.deaths += 1
        if first.deaths >= self.attempts:
            yield Outcome(first.item, None, f"the process that worked on it died {first.deaths} times ({worker.end})")
        else:
            rest.insert(0, first)
        self.again.extendleft(reversed(rest))

    def _give_up_on_the_late(self) -> Iterator[Outcome[Item, Value]]:
        if self.seconds is None:
            return
        for worker in [w for w in self.workers if w.is_ready and monotonic() - w.since > self.seconds]:
            if worker.has_news():
                continue
            self._dismiss(worker)
            late, *rest = worker.jobs
            self.again.extendleft(reversed(rest))
            yield Outcome(late.item, None, f"not finished within {self.seconds:g} seconds")

    def _patience(self) -> float | None:
        """How long nothing can be late."""
        if self.seconds is None:
            return None
        waits = [worker.since + self.seconds - monotonic() for worker in self.workers if worker.is_ready]
        return max(0.01, min(waits, default=1.0))

    def _dismiss(self, worker: Worker[_Job[Item]]) -> None:
        self.workers.remove(worker)
        worker.close()

    def close(self) -> None:
        """End all workers, whatever they are doing."""
        for worker in self.workers:
            worker.terminate()
        for worker in self.workers:
            worker.close()
        self.workers.clear()
