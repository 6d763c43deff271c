"""A network's report, archives as data, and the drift of its language."""

import numpy as np
import pytest

from borel import Auction, BridgeError, Deal, Seat, Vulnerability
from borel.learning.archives import boards_of
from borel.learning.drift import drifts
from borel.learning.examination import KINDS, Examined, decisions_of, examine, kinds_of, plot_calibration
from borel.policies.network import Network
from borel.record import Record

DEAL = Deal.parse("N:AKQ2.K43.A52.432 J43.Q52.K43.KQJ5 T98.AJT9.QJT.A87 765.876.9876.T96")


def record(calls: str) -> Record:
    return Record(dealer=Seat.E, vulnerability=Vulnerability.EW, deal=DEAL, auction=Auction.parse("E", calls))


def passing_network() -> Network:
    """Passes whatever it sees, surely."""
    biases = np.zeros(38, np.float32)
    biases[0] = 20
    return Network(((np.zeros((480, 38), np.float32), biases),), {"system": "sayc"})


def test_records_become_boards():
    boards = boards_of([record("P P 1NT P P P"), Record(deal=DEAL), record("1C X P")])
    assert len(boards) == 1
    assert boards.dealer.tolist() == [Seat.E]
    assert boards.vulnerable.tolist() == [[False, True]]
    assert [int(call) for call in boards.calls[0, : boards.lengths[0]]] == [0, 0, 7, 0, 0, 0]
    with pytest.raises(BridgeError, match="no record has all four hands"):
        boards_of([Record(deal=DEAL)])


def test_decisions_are_of_their_kind():
    boards = boards_of([record("P 1NT P P P"), record("1C X P 1H P P P")])
    kinds = kinds_of(boards, decisions_of(boards, np.arange(2)))
    assert [KINDS[kind] for kind in kinds[:5]] == ["opening"] * 2 + ["uncontested"] * 3
    assert [KINDS[kind] for kind in kinds[5:8]] == ["opening", "uncontested", "contested"]


def test_a_network_that_always_passes_is_right_about_passes():
    boards = boards_of([record("P 1NT P P P"), record("1C X P 1H P P P")])
    summary = examine(passing_network(), boards, np.arange(2)).summary(boards)
    assert summary["decisions"] == 12
    assert summary["right"] == pytest.approx(8 / 12, abs=1e-4)
    assert summary["right_not_passes"] == 0
    assert summary["calibration"] == [{"sure": 1.0, "right": summary["right"], "decisions": 12}]
    with pytest.raises(BridgeError, match="no boards were held out"):
        examine(passing_network(), boards, np.arange(0))


def test_calibration_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    sure = np.linspace(0.05, 0.95, 40).astype(np.float32)
    examined = Examined(np.zeros((40, 2), np.int64), sure > 0.5, sure, sure)
    plot_calibration(examined.calibration(), tmp_path / "calibration.svg")
    assert (tmp_path / "calibration.svg").stat().st_size > 1000


def test_a_network_that_always_passes_has_lost_the_language():
    found = drifts(passing_network(), boards=30, auctions=4, hands=3000)
    assert found
    assert all(drift.apart > 0.5 for drift in found)  # its few other calls come from any hand
    assert found[0].as_json()["rules_frequency"] > 0
