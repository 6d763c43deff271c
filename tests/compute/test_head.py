"""The head of a cluster, looked at without Ray: there, or gone."""

import socket
from types import SimpleNamespace

import pytest

from borel.compute import cluster
from borel.errors import BridgeError


def ray_at(port: int) -> SimpleNamespace:
    """As much of Ray as says where the head is."""
    return SimpleNamespace(get_runtime_context=lambda: SimpleNamespace(gcs_address=f"127.0.0.1:{port}"))


@pytest.fixture
def listening():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def test_a_head_that_answers_is_there(listening):
    head = cluster.Head(ray_at(listening.getsockname()[1]), "auto")
    head.check()
    assert not head.gone


def test_a_head_that_does_not_answer_is_gone(listening, monkeypatch):
    monkeypatch.setattr(cluster, "LOOK", 0.01)
    head = cluster.Head(ray_at(listening.getsockname()[1]), "auto")
    listening.close()
    with pytest.raises(BridgeError, match="cluster auto: it has gone away; what was finished before is kept"):
        head.check()
    assert head.gone


def test_a_client_is_told_by_its_own_connection():
    head = cluster.Head(None, "ray://elsewhere:10001")
    head.check()
    with pytest.raises(BridgeError, match="cluster ray://elsewhere:10001: it has gone away"):
        head.lost()
