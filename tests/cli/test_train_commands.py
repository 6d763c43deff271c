"""`borel train` as its users run it: killed at any moment it goes on, and ends as if nothing had happened."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec

import numpy as np
import pytest

from borel.learning.bank import build_bank
from borel.policies.encode import CALLS, SIZE
from borel.policies.network import Network, load_network, save_network
from borel.policies.neural import network_path

pytestmark = [pytest.mark.slow, pytest.mark.skipif(find_spec("jax") is None, reason="training needs JAX")]
IMITATE = ["--system", "sayc", "--boards", 60, "--rare", 60, "--enough", 0, "--steps", 600, "--width", 16, "--seed", 4]
SEARCH = ["--by", "search", "--rounds", 1, "--decisions", 200, "--workers", 1, "--seed", 4]


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    return build_bank(tmp_path_factory.mktemp("deals") / "small.bank", 120, seed=2).path


@pytest.fixture(scope="module")
def beginner(tmp_path_factory):
    """A network that knows nothing: whatever it learns is a gain."""
    path, rng = tmp_path_factory.mktemp("networks") / "beginner.safetensors", np.random.default_rng(1)
    sizes = ((SIZE, 32, 0.3), (32, 32, 0.25), (32, CALLS, 0.03))
    layers = tuple(
        (rng.normal(0, scale, (size, units)).astype(np.float32), np.zeros(units, np.float32))
        for size, units, scale in sizes
    )
    save_network(Network(layers, {"system": "sayc"}), path)
    return path


def start(*words):
    command = [sys.executable, "-c", "from borel.cli import main; main()", "train", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def finish(*words):
    with start(*words) as process:
        output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    return output


def kill_when(there, *words):
    """Start the command and kill it, with all its processes, as soon as something is there."""
    with start(*words) as process:
        while not there():
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL


def rounds(folder):
    path = folder / "history.jsonl"
    return len(path.read_text().splitlines()) if path.exists() else 0


def told(folder):
    return json.loads(finish("status", folder, "--json"))["history"]


def assert_same_network(first, second):
    one, other = (load_network(folder / "policy.safetensors") for folder in (first, second))
    for (weights, biases), (others, other_biases) in zip(one.layers, other.layers, strict=True):
        np.testing.assert_array_equal(weights, others)
        np.testing.assert_array_equal(biases, other_biases)


def test_an_imitation_that_is_killed_three_times_goes_on_each_time(tmp_path):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    for there in (
        lambda: any(killed.glob("boards/boards-*.npz")),
        lambda: any(killed.glob("boards/rare-*.npz")),
        lambda: rounds(killed) == 1,
    ):
        kill_when(there, "imitate", killed, *IMITATE)
    shards = {path: path.stat().st_mtime_ns for path in killed.glob("boards/*.npz")}
    assert "held-out calls as the system makes them" in finish("imitate", killed, *IMITATE)
    assert {path: path.stat().st_mtime_ns for path in killed.glob("boards/*.npz")} == shards
    finish("imitate", whole, *IMITATE)
    assert_same_network(killed, whole)


def test_an_improvement_that_is_killed_goes_on_from_its_last_examination(tmp_path, bank, beginner):
    words = ["--rounds", 100, "--seed", 4, "--prior", beginner, "--bank", bank]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    kill_when(lambda: rounds(killed) == 1, "iterate", killed, *words)
    finish("iterate", killed, *words)
    finish("iterate", whole, *words)
    assert_same_network(killed, whole)
    assert told(killed) == told(whole)


def test_searched_decisions_are_kept_when_the_actors_are_killed(tmp_path, bank, beginner):
    folder, words = tmp_path / "run", [*SEARCH, "--prior", beginner, "--bank", bank]
    kill_when(lambda: any(folder.glob("searched-*.npz")), "iterate", folder, *words)
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("searched-*.npz")}
    assert 0 < len(kept) < 4
    finish("iterate", folder, *words)
    assert len(list(folder.glob("searched-*.npz"))) == 4
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert rounds(folder) == 1


def test_a_few_rounds_leave_a_network_too(tmp_path, bank, beginner):
    """Fewer than lie between two examinations: the last is examined whatever its number."""
    folder = tmp_path / "run"
    finish("iterate", folder, "--prior", beginner, "--bank", bank, "--rounds", 3)
    assert [line["round"] for line in told(folder)] == [3]
    assert load_network(folder / "policy.safetensors").manifest["round"] == 3


def test_what_cannot_be_learnt_from_is_said_in_a_line(tmp_path, bank):
    archive = tmp_path / "club.pbn"
    deal = "N:AKQ92.A54.K3.Q87 T8.K9.JT974.JT64 J765.876.AQ6.AK3 43.QJT32.852.952"
    archive.write_text(f'[Dealer "N"]\n[Deal "{deal}"]\n[Auction "N"]\n1C 1C\n')
    for words, message in (
        (
            ["imitate", tmp_path / "a", "--boards", 0, "--archive", archive],
            "1C is not legal after 1C: not higher than 1C (Law 18) (line 3)",
        ),
        (["iterate", tmp_path / "b", "--prior", "nobody", "--bank", bank], "no network 'nobody'"),
        (["iterate", tmp_path / "c", "--prior", "sayc-imitation", "--bank", network_path("sayc")], "not a bank"),
        (["iterate", bank, "--prior", "sayc-imitation", "--bank", bank], "small.bank is a file"),
    ):
        with start(*words) as process:
            output, errors = process.communicate(timeout=60)
        assert (process.returncode, output) == (1, ""), words
        assert message in errors, errors
        assert "Traceback" not in errors
    assert not any((tmp_path / name).exists() for name in "bc")
