"""Tables without a server: bots that answer by a script, a store that keeps nothing, time that passes at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from borel import PASS, Board, Deal, Decision, Seat, Vulnerability
from borel.errors import BridgeError
from borel.web.limits import UNLIMITED
from borel.web.live import Guest, LiveTable
from borel.web.settings import NewTable
from borel.web.state import TableState, board_event
from borel.web.tasks import Task

T = TypeVar("T")
PUBLIC = {"text": "public", "alert": "", "status": "", "convention": ""}


class Thoughts:
    """Thinking that answers each bot's decision by a script, whatever the deal, after the times given."""

    waiting, size = 0, 1

    def __init__(self, script: list[Any], times: list[float] | None = None, *, accepts: bool = True) -> None:
        self.script, self.times, self.accepts, self.tasks = list(script), list(times or []), accepts, list[Task]()

    async def ask(self, key: str, task: Task, **_: object) -> Any:
        self.tasks.append(task)
        if task.name == "decide" and str(task.arguments["key"]).startswith("hint"):
            return Decision(PASS, "a hint"), PUBLIC
        if task.name == "decide" and task.arguments.get("aloud", True):  # the second table's bots have no script
            if self.times:
                await asyncio.sleep(self.times.pop(0))
            if not self.script:
                raise BridgeError("the script is over")
            return self.script.pop(0), PUBLIC
        answers = {"meaning_of": PUBLIC, "explain": {"seats": {}}, "pictured": {"words": []}, "sampled_meaning": {}}
        if task.name == "judge_claim":
            return self.accepts
        if task.name not in answers:
            raise BridgeError("not asked here")
        return answers[task.name]


class Nowhere:
    """A store that keeps nothing."""

    async def append(self, *_: object) -> None:
        return None


class Recorded(Guest):
    """Somebody who notes what is sent, and when."""

    def __init__(self, seat: Seat | None) -> None:
        super().__init__(seat)
        self.told: list[tuple[float, str]] = []

    def send(self, message: dict[str, Any]) -> None:
        super().send(message)
        while not self.outbox.empty():
            text = self.outbox.get_nowait()
            assert text is not None
            self.told.append((asyncio.get_running_loop().time(), text))


def scripted(deal: Deal, people: str, thinking: Thoughts, dealer: Seat = Seat.W) -> LiveTable:
    """A table with a board on it; a seat's key is its letter. The bots keep a tempo of 0.3 and 0.6 seconds."""
    state = TableState(NewTable(people=people), "1")
    state.apply(board_event(Board(deal, dealer, Vulnerability.NONE, 1)))
    keys = {seat: str(seat) for seat in state.settings.seats}
    return LiveTable("t", keys, state, [], Nowhere(), thinking, UNLIMITED)  # type: ignore[arg-type]


class _VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next thing that is due."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:
            self.now = max(self.now, self._scheduled[0]._when)
        super()._run_once()


def in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """Run without waiting; times are exact and the same again."""
    with asyncio.Runner(loop_factory=_VirtualLoop) as runner:
        return runner.run(work)


async def until(condition: Callable[[], bool]) -> None:
    """Wait a moment at a time; a minute of the table's time is too long."""
    for _ in range(1200):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not happen")
