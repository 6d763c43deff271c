"""A cluster of other machines, which `ray://` names: only a client runs here, and the work is done there."""

import socket
import subprocess
import sys

import pytest

from borel.learning.bank import build_bank

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.slow  # starting a cluster takes its time


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@pytest.fixture
def address():
    server = pytest.importorskip("ray.util.client.server.server", exc_type=ImportError)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    port = free_port()
    serving = server.serve("127.0.0.1", port)
    yield f"ray://127.0.0.1:{port}"
    serving.stop(0)
    ray.shutdown()


def borel(*words):
    command = [sys.executable, "-c", "from borel.cli import main; main()", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    return done.returncode, done.stderr


def test_a_client_builds_a_bank(tmp_path, address):
    far = tmp_path / "far.bank"
    assert borel("bank", "build", far, "--count", 10, "--seed", 7, "--cluster", address) == (0, "")
    assert far.read_bytes() == build_bank(tmp_path / "near.bank", 10, seed=7).path.read_bytes()


def test_an_address_where_there_is_no_cluster_is_said_in_a_line(tmp_path):
    address = f"ray://127.0.0.1:{free_port()}"
    code, errors = borel("bank", "build", tmp_path / "far.bank", "--count", 10, "--cluster", address)
    assert (code, errors) == (1, f"borel: cluster {address}: ray client connection timeout\n")
