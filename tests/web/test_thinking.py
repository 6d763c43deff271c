"""The pool: everybody's turn comes, what hangs or dies is replaced, and the event loop never waits."""

import asyncio
import os
import time

import pytest

from borel.errors import BridgeError
from borel.web.limits import BusyError
from borel.web.tasks import Failed, Task
from borel.web.thinking import MOST_OF_ONE, FairQueue, Thinking


def make():
    def work(task):
        if task.name == "sleep":
            time.sleep(task.arguments["seconds"])
        if task.name == "die" and not os.path.exists(task.arguments["mark"]):
            open(task.arguments["mark"], "w").close()
            os._exit(1)
        return Failed("wrong") if task.name == "fail" else task.arguments.get("value")

    return work


def run(work):
    async def main():
        pool = Thinking(1, make=make)
        pool.start()
        try:
            return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(main())


def test_tables_are_served_in_turn_and_patient_requests_are_not_forgotten():
    queue = FairQueue[str]()
    for number in range(20):
        queue.put("greedy", f"g{number}")
        queue.put("second", f"s{number}", urgent=False)
    queue.put("modest", "m")
    taken = [queue.take() for _ in range(16)]
    assert "m" in taken[:2]
    assert sum(item.startswith("s") for item in taken) == 2
    for number in range(MOST_OF_ONE):
        queue.put("another", str(number))
    with pytest.raises(BusyError):
        queue.put("another", "one too many")


def test_a_request_that_hangs_is_given_up_and_the_next_is_served():
    async def work(pool):
        assert await pool.ask("a", Task("x", {"value": 1})) == 1
        with pytest.raises(BridgeError, match="not finished"):
            await pool.ask("a", Task("sleep", {"seconds": 60}), seconds=0.2)
        with pytest.raises(BridgeError, match="wrong"):
            await pool.ask("a", Task("fail"))
        return await pool.ask("a", Task("x", {"value": 2}))

    assert run(work) == 2


def test_a_process_that_dies_is_replaced_and_the_request_done_again(tmp_path):
    task = Task("die", {"mark": str(tmp_path / "died"), "value": 3})
    assert run(lambda pool: pool.ask("a", task)) == 3


def test_the_event_loop_goes_on_while_workers_think():
    async def work(pool):
        await pool.ask("a", Task("x"))
        thinking, ticks = asyncio.create_task(pool.ask("a", Task("sleep", {"seconds": 0.3}))), 0
        while not thinking.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks

    assert run(work) > 3
