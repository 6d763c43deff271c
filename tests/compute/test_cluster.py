"""A real Ray cluster of two workers on this machine: the same promises as the local pool."""

import asyncio
import os
import signal
import time
from functools import partial

import pytest

from borel import compute
from borel.errors import BridgeError
from borel.learning.bank import build_bank
from borel.web.tasks import Failed, Task
from borel.web.thinking import Thinking, _RemoteSlot

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.slow  # starting a cluster takes its time


@pytest.fixture(scope="module", autouse=True)
def cluster():
    before = os.environ.get("BOREL_CLUSTER")
    os.environ["BOREL_CLUSTER"] = "local"
    here = os.path.dirname(__file__)
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])}},
    )
    yield
    ray.shutdown()
    if before is None:
        del os.environ["BOREL_CLUSTER"]
    else:
        os.environ["BOREL_CLUSTER"] = before


def square(item):
    return item * item


def make_squares():
    return square


def dies_once(marker, item):
    """Killed like a process that ran out of memory, the first time it meets item 5."""
    if item == 5 and not os.path.exists(marker):
        open(marker, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return item * item


def make_dies_once(marker):
    return partial(dies_once, marker)


def dies_always(item):
    if item == 3:
        os._exit(7)
    return item


def make_dies_always():
    return dies_always


def make_fails():
    raise BridgeError("there is no such system: 'xyz'")


def test_every_item_comes_back_once():
    outcomes = list(compute.run(make_squares, range(12), workers=2))
    assert sorted((o.item, o.value) for o in outcomes) == [(i, i * i) for i in range(12)]


def test_a_killed_worker_is_replaced_and_its_item_counted_once(tmp_path):
    marker = str(tmp_path / "died")
    outcomes = list(compute.run(partial(make_dies_once, marker), range(10), workers=2))
    assert sorted((o.item, o.value) for o in outcomes) == [(i, i * i) for i in range(10)]
    assert os.path.exists(marker)


def test_an_item_that_always_kills_its_worker_is_given_up_and_the_others_are_not():
    outcomes = {o.item: o for o in compute.run(make_dies_always, range(6), workers=2)}
    assert "died 3 times" in outcomes[3].error
    assert [outcomes[i].value for i in (0, 1, 2, 4, 5)] == [0, 1, 2, 4, 5]


def test_bad_input_found_by_a_worker_is_bad_input_here():
    with pytest.raises(BridgeError, match="no such system: 'xyz'"):
        list(compute.run(make_fails, range(3), workers=2))


def test_a_bank_is_built_on_the_cluster(tmp_path, monkeypatch):
    monkeypatch.setattr("borel.learning.bank.SHARE", 4)
    far = build_bank(tmp_path / "far.bank", 18, seed=7, threads=2)
    monkeypatch.delenv("BOREL_CLUSTER")
    near = build_bank(tmp_path / "near.bank", 18, seed=7)
    assert far.records.tobytes() == near.records.tobytes()


def test_the_tables_of_a_server_think_on_the_cluster(tmp_path):
    async def ask() -> list[object]:
        pool = Thinking(1, make=partial(make_thinker_that_dies, str(tmp_path / "died")))
        assert isinstance(pool._slots[0], _RemoteSlot)
        pool.start()
        try:
            found = [await pool.ask("a", Task("square", {"number": 7}))]
            with pytest.raises(BridgeError, match="wrong"):
                await pool.ask("a", Task("fail"))
            found.append(await pool.ask("a", Task("die", {"number": 3})))  # the actor dies once and is begun again
            with pytest.raises(BridgeError, match="not finished"):
                await pool.ask("a", Task("sleep"), seconds=0.5)
            return found
        finally:
            await pool.close()

    assert asyncio.run(ask()) == [49, 9]


def thinks_and_dies(marker, task):
    if task.name == "sleep":
        time.sleep(20)
    if task.name == "die" and not os.path.exists(marker):
        open(marker, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return Failed("wrong") if task.name == "fail" else task.arguments["number"] ** 2


def make_thinker_that_dies(marker):
    return partial(thinks_and_dies, marker)
