"""One worker process, seen from both ends of its pipe."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

from borel.errors import BridgeError

__all__ = ["Raised", "Ready", "Worker", "WorkerError", "wait"]

PATIENCE = 2.0  # seconds that a worker has to end by itself when it is asked to
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class WorkerError(RuntimeError):
    """A worker could not work: a defect, not bad input."""


class Ready:
    """A worker's first message: it has made its task."""


@dataclass(frozen=True)
class Raised:
    """An error on its way home. Errors with arguments of their own do not pickle, so the text travels."""

    message: str
    trace: str
    expected: bool

    def error(self) -> Exception:
        """The error to raise in the parent: bad input stays bad input, anything else is a defect."""
        return BridgeError(self.message) if self.expected else WorkerError(f"{self.message}\n{self.trace}")


class _HasItem(Protocol):
    item: Any


Job = TypeVar("Job", bound=_HasItem)


def _context(make: Callable[[], Any]) -> Any:
    """Processes that share no threads, locks or database handles with this one.

    Where it can be done they are copies of a server that has imported what they need, which saves seconds a worker.
    """
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        home = getattr(getattr(make, "func", make), "__module__", "__main__")
        context.set_forkserver_preload(["borel.compute.worker", *([home] if home != "__main__" else [])])
    return context


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Linear algebra in a worker takes one core: the workers together take them all."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _no_imaginary_main() -> Iterator[None]:
    """A program that was read from standard input has no file that a new process could import."""
    main = sys.modules["__main__"]
    name = getattr(main, "__file__", None)
    if name is None or os.path.exists(name):
        yield
        return
    del main.__file__
    try:
        yield
    finally:
        main.__file__ = name


class Worker(Generic[Job]):
    """The parent's end: the process, its pipe, and the jobs it has been sent and not answered."""

    def __init__(self, make: Callable[[], Callable[[Any], Any]], job: Job) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        self.jobs: deque[Job] = deque()
        self.since = monotonic()
        self.is_ready = False
        self.process = _context(make).Process(target=_serve, args=(theirs, make), daemon=True)
        with _one_thread_each(), _no_imaginary_main():
            self.process.start()
        theirs.close()
        self.send(job)

    def send(self, job: Job) -> None:
        """Queue a job; one that cannot be sent because the worker is dead is noticed when it is heard no more."""
        if not self.jobs:
            self.since = monotonic()
        self.jobs.append(job)
        with suppress(OSError):
            self.pipe.send(job.item)

    def receive(self) -> Any:
        """The next message; EOFError when the worker is dead."""
        message = self.pipe.recv()
        if isinstance(message, Ready):
            self.is_ready, self.since = True, monotonic()
        return message

    def finish(self) -> Job:
        """Take the job that was just answered off the queue."""
        self.since = monotonic()
        return self.jobs.popleft()

    def has_news(self) -> bool:
        """Whether a message is waiting."""
        return self.pipe.poll()

    @property
    def end(self) -> str:
        """How the process ended, in words."""
        code = self.process.exitcode
        if code is None:
            return "still running"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def terminate(self) -> None:
        """Ask it to end."""
        with suppress(OSError):
            self.pipe.close()
        self.process.terminate()

    def close(self) -> None:
        """End the process, by force if it does not listen."""
        if self.process.exitcode is None:
            self.terminate()
            self.process.join(PATIENCE)
            if self.process.exitcode is None:
                self.process.kill()
        self.process.join()
        self.pipe.close()


def wait(workers: Sequence[Worker[Job]], seconds: float | None) -> list[Worker[Job]]:
    """The workers that have something to say, or have died, within some seconds."""
    ready = set(connection.wait([worker.pipe for worker in workers], seconds))
    return [worker for worker in workers if worker.pipe in ready]


def _serve(pipe: connection.Connection, make: Callable[[], Callable[[Any], Any]]) -> None:
    """The worker's end: make the task, then answer items until the pipe closes. Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            task = make()
            gc.freeze()  # what the task keeps (systems, networks) need not be looked at again and again
            gc.set_threshold(50_000, 20, 20)
            pipe.send(Ready())
            while True:
                pipe.send(task(pipe.recv()))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise
        except Exception as error:
            message = str(error) if isinstance(error, BridgeError) else f"{type(error).__name__}: {error}"
            pipe.send(Raised(message, traceback.format_exc(), isinstance(error, BridgeError)))
