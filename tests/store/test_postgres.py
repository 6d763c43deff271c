"""Results in PostgreSQL, by a server of the test's own where there is one to start, or the one of BOREL_POSTGRES."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from borel.arena import Match
from borel.store import Store, StoreError

pytest.importorskip("psycopg")


def programs():
    """The folder of ``initdb`` and ``pg_ctl``; Debian keeps them off the path."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


def as_somebody(command):
    """PostgreSQL refuses to run as root."""
    if os.geteuid():
        return command
    return ["runuser", "-u", "postgres", "--", *command]


@pytest.fixture(scope="module")
def url():
    if given := os.environ.get("BOREL_POSTGRES"):
        yield given
        return
    folder = programs()
    if folder is None or not hasattr(os, "geteuid") or (os.geteuid() == 0 and not shutil.which("runuser")):
        pytest.skip("no PostgreSQL server to start, and BOREL_POSTGRES names none")
    home = Path(tempfile.mkdtemp(prefix="borel-postgres-"))  # a short path: the socket's name is limited
    home.chmod(0o777)
    run = {"check": True, "stdout": subprocess.DEVNULL, "cwd": home}
    subprocess.run(as_somebody([str(folder / "initdb"), "-D", f"{home}/data", "-A", "trust", "-U", "borel"]), **run)
    control = [str(folder / "pg_ctl"), "-D", f"{home}/data", "-w", "-l", f"{home}/log"]
    subprocess.run(as_somebody([*control, "-o", f"-k {home} -c listen_addresses=''", "start"]), **run)
    try:
        yield f"postgresql+psycopg://borel@/postgres?host={home}"
    finally:
        subprocess.run(as_somebody([*control, "-m", "immediate", "stop"]), **run)
        shutil.rmtree(home, ignore_errors=True)


def test_runs_are_kept_as_in_sqlite(url):
    with Store(url) as store:
        run = store.begin("test", {"n": 1}, fresh=True)
        assert run.add(1, {"imps": 3})
        assert not run.add(1, {"imps": 4})
        assert run.payloads() == {1: {"imps": 3}}
        run.finish({"imps": 3})
        assert [info.summary for info in store.runs("test", finished=True)][-1] == {"imps": 3}


def test_a_match_goes_on_where_it_stopped(url):
    match, steps = Match.between("uniform:passes=0.8", "uniform:passes=0.7", seed=3), []
    with Store(url) as store:
        first = match.play(4, store=store, workers=0, finish=False)
    with Store(url) as store:
        second = match.play(8, store=store, workers=0, progress=lambda done, total: steps.append(done))
    assert steps[0] == 4
    assert second.boards[:4] == first.boards
    assert len(second.boards) == 8


def test_a_server_that_does_not_answer_is_said_in_one_line(url):
    with pytest.raises(StoreError) as error:
        Store("postgresql+psycopg://borel@/postgres?host=/nowhere")
    assert "\n" not in str(error.value)
