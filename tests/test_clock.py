"""The clock of limits: the processor's does not run while nothing is done, and the core's searches follow it."""

import threading
import time

import numpy as np
import pytest

from borel import _core
from borel.clock import Deadline, now, processor_time

WAIT = 0.25


def test_waiting_takes_no_processor_time():
    with processor_time():
        deadline = Deadline.after(WAIT)
        time.sleep(2 * WAIT)
        assert not deadline.is_over
        while not deadline.is_over:
            sum(range(1000))
        assert deadline.left <= 0
    deadline = Deadline.after(WAIT)
    time.sleep(2 * WAIT)
    assert deadline.is_over


def test_without_seconds_it_never_comes():
    assert Deadline.after(None).left == float("inf")


def test_each_thread_has_its_own_clock_and_blocks_give_it_back():
    seen = []
    with processor_time():
        with processor_time():
            pass
        before = now()
        other = threading.Thread(target=lambda: seen.append(_core.choose_clock(processor=False)))
        other.start()
        other.join()
        time.sleep(WAIT)
        assert now() - before < WAIT
    assert seen == [False]
    assert _core.choose_clock(processor=False) is False


@pytest.mark.parametrize("processor", [False, True])
def test_the_solver_stops_by_the_chosen_clock(processor):
    deals = _core.deal(400, 1)
    strains, leaders = np.full(400, 4, np.uint8), np.zeros(400, np.uint8)
    nobody = np.full((400, 3), 255, np.uint8)
    before = _core.choose_clock(processor=processor)
    try:
        started = now()
        with pytest.raises(TimeoutError):
            _core.dd_solve(deals, strains, leaders, nobody, threads=1, seconds=0.05)
        assert now() - started >= 0.05
    finally:
        _core.choose_clock(processor=before)
