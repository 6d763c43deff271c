"""The pool: every item comes back once, whatever happens to the workers."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from functools import partial

import pytest

from borel import compute
from borel.errors import BridgeError


def squares():
    return lambda item: item * item


def dies_once(marker, item):
    """Killed like a process that ran out of memory, the first time it meets item 5."""
    if item == 5 and not marker.exists():
        marker.touch()
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


def hangs(item):
    if item == 2:
        time.sleep(60)
    return item


def make_hangs():
    return hangs


def make_fails():
    raise BridgeError("there is no such system: 'xyz'")


def divides(item):
    return 1 / item


def make_divides():
    return divides


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_every_item_comes_back_once(workers):
    outcomes = list(compute.run(squares if workers == 0 else make_squares, range(20), workers=workers))
    assert sorted((o.item, o.value) for o in outcomes) == [(i, i * i) for i in range(20)]
    assert not any(o.error for o in outcomes)


def square(item):
    return item * item


def make_squares():
    return square


def test_the_item_of_a_killed_worker_is_done_again_and_counted_once(tmp_path):
    outcomes = list(compute.run(partial(make_dies_once, tmp_path / "died"), range(12), workers=2))
    assert (tmp_path / "died").exists()
    assert sorted((o.item, o.value) for o in outcomes) == [(i, i * i) for i in range(12)]


def test_an_item_that_always_kills_its_worker_is_given_up_and_the_others_are_not():
    outcomes = {o.item: o for o in compute.run(make_dies_always, range(6), workers=2, attempts=2)}
    assert outcomes[3].value is None
    assert "died 2 times (exit code 7)" in outcomes[3].error
    assert [outcomes[i].value for i in (0, 1, 2, 4, 5)] == [0, 1, 2, 4, 5]


def test_an_item_that_takes_too_long_is_given_up_and_the_others_are_not():
    outcomes = {o.item: o for o in compute.run(make_hangs, range(5), workers=1, seconds=0.5)}
    assert outcomes[2].error == "not finished within 0.5 seconds"
    assert [outcomes[i].value for i in (0, 1, 3, 4)] == [0, 1, 3, 4]


def test_bad_input_found_by_a_worker_is_bad_input_here():
    with pytest.raises(BridgeError, match="no such system"):
        list(compute.run(make_fails, range(3), workers=2))


def test_a_defect_in_a_worker_is_raised_here_with_its_place():
    with pytest.raises(compute.WorkerError, match=r"ZeroDivisionError[\s\S]*in divides"):
        list(compute.run(make_divides, [1, 0], workers=1))


def pid_of(_):
    return os.getpid()


def make_pid_of():
    return pid_of


def test_leaving_early_ends_the_workers():
    outcomes = compute.run(make_pid_of, range(1000), workers=2)
    pid = next(outcomes).value
    outcomes.close()
    assert not is_running(pid)


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_ctrl_c_ends_everything(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
            import os, sys, time
            from borel import compute
            def work(item):
                os.write(1, f"{os.getpid()}\\n".encode())  # in one piece, whoever else writes
                time.sleep(60)
            def make():
                return work
            if __name__ == "__main__":
                try:
                    list(compute.run(make, range(4), workers=2))
                except KeyboardInterrupt:
                    sys.exit(130)
        """)
    )
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    with process:
        pids = [int(process.stdout.readline()) for _ in range(2)]
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    assert not any(map(is_running, pids))
