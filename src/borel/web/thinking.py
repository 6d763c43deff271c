"""Thinking happens in a bounded number of processes, outside the event loop, and everybody's turn comes.

Requests wait in one queue a table (or client), and the tables are served in turn: a table that asks much waits for
itself. What nobody waits for at the moment (the second table, par) gets every eighth turn, or a turn that is free.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Any, Generic, TypeVar

from borel.compute import available_cores, cluster_address
from borel.compute.cluster import RemoteWorker, cluster_size
from borel.compute.worker import Raised, Ready, Worker
from borel.errors import BridgeError
from borel.web.limits import BusyError
from borel.web.tasks import Failed, Task, make_thinker

__all__ = ["FairQueue", "Thinking"]

Item = TypeVar("Item")
MOST_WAITING, MOST_OF_ONE = 4_000, 32
PATIENT_TURNS = 8  # every so many turns begins with those that nobody waits for
ATTEMPTS = 2  # a process may die once under a request; the second time the request is given up


class FairQueue(Generic[Item]):
    """Items by key, the keys in turn; urgent ones first, but not always.

    >>> queue = FairQueue[str]()
    >>> for key, item in (("a", "a1"), ("a", "a2"), ("b", "b1")):
    ...     queue.put(key, item)
    >>> [queue.take() for _ in range(3)]
    ['a1', 'b1', 'a2']
    """

    def __init__(self) -> None:
        self._lanes: tuple[OrderedDict[str, deque[Item]], ...] = (OrderedDict(), OrderedDict())
        self._turns = 0
        self.waiting = 0

    def put(self, key: str, item: Item, *, urgent: bool = True) -> None:
        """Wait in the queue of this key."""
        lane = self._lanes[0 if urgent else 1]
        if self.waiting >= MOST_WAITING or len(lane.get(key, ())) >= MOST_OF_ONE:
            raise BusyError("too much is waiting to be thought about: try again in a moment")
        lane.setdefault(key, deque()).append(item)
        self.waiting += 1

    def take(self) -> Item:
        """The item whose turn it is; there must be one."""
        self._turns += 1
        lanes = self._lanes if self._turns % PATIENT_TURNS else tuple(reversed(self._lanes))
        lane = next(lane for lane in lanes if lane)
        key, items = lane.popitem(last=False)
        item = items.popleft()
        if items:
            lane[key] = items  # behind everybody else
        self.waiting -= 1
        return item


@dataclass(slots=True)
class _Job:
    """A request on its way; ``item`` is what the worker gets."""

    item: Task
    answer: asyncio.Future[Any]
    seconds: float
    since: float = field(default_factory=monotonic)


class _Slot:
    """One worker process, begun when it is first needed and begun again when it died or was too slow."""

    starting = Lock()  # making a process changes the environment for a moment

    def __init__(self, make: Callable[[], Callable[[Task], Any]]) -> None:
        self.make = make
        self.worker: Worker[_Job] | None = None

    def answer(self, job: _Job) -> Any:
        """Ask the worker and wait (in a thread of its own)."""
        for _ in range(ATTEMPTS):
            try:
                return self._ask(job)
            except (EOFError, OSError):
                self.close()
        raise BridgeError("the process that thought about this died")

    def _ask(self, job: _Job) -> Any:
        if self.worker is None:
            with self.starting:
                self.worker = Worker(self.make, job)
        else:
            self.worker.send(job)
        worker = self.worker
        while True:
            begun = worker.is_ready
            patience = job.seconds if begun else job.seconds + 60  # a new process reads its systems first
            if not worker.pipe.poll(max(0.0, worker.since + patience - monotonic())):
                self.close()
                raise BridgeError(f"not finished within {job.seconds:g} seconds")
            message = worker.receive()
            if isinstance(message, Ready):
                continue
            if isinstance(message, Raised):
                self.close()
                raise message.error()
            worker.finish()
            return message

    def terminate(self) -> None:
        """Ask the process to end."""
        if self.worker is not None:
            self.worker.terminate()

    def close(self) -> None:
        """End the process."""
        worker, self.worker = self.worker, None
        if worker is not None:
            worker.close()


class _RemoteSlot:
    """A worker on some machine of a Ray cluster (`borel.compute.cluster`): the same promises over a longer wire."""

    def __init__(self, make: Callable[[], Callable[[Task], Any]], address: str) -> None:
        self.remote = RemoteWorker(make, address)

    def answer(self, job: _Job) -> Any:
        """Ask the worker and wait (in a thread of its own)."""
        for _ in range(ATTEMPTS):
            with suppress(EOFError):
                return self.remote.ask(job.item, job.seconds)
        raise BridgeError("the process that thought about this died")

    def terminate(self) -> None:
        """Nothing is here that could be told to hurry."""

    def close(self) -> None:
        """End the actor."""
        self.remote.close()


class Thinking:
    """The pool: `ask` waits for its turn and for the answer without holding anybody up.

    Workers are processes of this machine or, where ``BOREL_CLUSTER`` names one, actors of a Ray cluster.
    """

    def __init__(self, workers: int | None = None, *, make: Callable[[], Callable[[Task], Any]] = make_thinker) -> None:
        address = cluster_address()
        self.size = workers or (cluster_size(address) if address else available_cores())
        self.waits: deque[float] = deque(maxlen=10_000)  # seconds in the queue, the latest ones
        self._queue: FairQueue[_Job] = FairQueue()
        slots = [_RemoteSlot(make, address) if address else _Slot(make) for _ in range(self.size)]
        self._slots: list[_Slot | _RemoteSlot] = slots
        self._threads = ThreadPoolExecutor(self.size, thread_name_prefix="thinking")
        self._ready = asyncio.Semaphore(0)
        self._loops: list[asyncio.Task[None]] = []

    def start(self, *, warm: bool = False) -> None:
        """Begin to work; the event loop must run. Warm workers have read the usual rules before anybody asks."""
        self._loops = [asyncio.create_task(self._serve(slot)) for slot in self._slots]
        if warm:
            self._loops += [asyncio.create_task(self._warm(number)) for number in range(self.size)]

    async def _warm(self, number: int) -> None:
        with suppress(BridgeError):  # whoever needs it will see what is wrong
            await self.ask(f"warm {number}", Task("warm"), urgent=False)

    async def ask(self, key: str, task: Task, *, urgent: bool = True, seconds: float = 60.0) -> Any:
        """The answer to a task; what went wrong raises a `BridgeError`."""
        job = _Job(task, asyncio.get_running_loop().create_future(), seconds)
        self._queue.put(key, job, urgent=urgent)
        self._ready.release()
        return await job.answer

    @property
    def waiting(self) -> int:
        """Requests that no process works on yet."""
        return self._queue.waiting

    async def _serve(self, slot: _Slot | _RemoteSlot) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._ready.acquire()
            job = self._queue.take()
            if job.answer.done():  # nobody waits for it any more
                continue
            self.waits.append(monotonic() - job.since)
            try:
                found = await loop.run_in_executor(self._threads, slot.answer, job)
                error = BridgeError(found.message) if isinstance(found, Failed) else None
            except Exception as raised:
                found, error = None, raised if isinstance(raised, BridgeError) else BridgeError(f"defect: {raised}")
            if job.answer.done():
                continue
            if error is not None:
                job.answer.set_exception(error)
            else:
                job.answer.set_result(found)

    async def close(self) -> None:
        """End all processes."""
        for task in self._loops:
            task.cancel()
        for slot in self._slots:
            slot.terminate()
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        for slot in self._slots:
            slot.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
