"""The trick network: near the truth, sure of it as often as it says, and damaged files refused."""

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from borel import Hand, Seat, Strain, _core
from borel.policies.network import load_network
from borel.policies.tricks import FORMAT, estimate_tricks, planes, trick_chances, trick_table, trick_weights
from borel.policies.weights_file import WeightsError, read_weights


def test_the_estimate_of_tricks_is_near_the_truth():
    deals = _core.deal(30, 8)
    strains, leaders = np.full(30, Strain.S, np.uint8), np.full(30, Seat.E, np.uint8)
    exact = np.asarray(_core.dd_solve(deals, strains, leaders, np.full((30, 3), 255, np.uint8)))
    assert np.abs(estimate_tricks(deals, Strain.S, Seat.N) - exact).mean() < 1.0


@pytest.mark.parametrize("strain", [Strain.C, Strain.S, Strain.NT])
def test_the_network_in_the_core_is_the_one_that_was_fitted(strain):
    deals = _core.deal(40, 9)
    kind = "notrump" if strain is Strain.NT else "suit"
    order = (0, 1, 2, 3) if strain is Strain.NT else (int(strain), *(suit for suit in range(4) if suit != strain))
    arrays, _ = read_weights(trick_weights(), FORMAT, "a trick network")
    values = planes(deals, Seat.W, order)
    for i in range(3):
        values = values @ arrays[f"{kind}_w{i}"].astype(np.float32) + arrays[f"{kind}_b{i}"].astype(np.float32)
        values = np.maximum(values, 0) if i < 2 else np.clip(values, 0, 13)
    assert estimate_tricks(deals, strain, Seat.W) == pytest.approx(values[:, 0], abs=1e-3)


def test_a_network_whose_layers_do_not_fit_is_refused():
    row, column = np.zeros((208, 3), np.float32), np.zeros(3, np.float32)
    with pytest.raises(ValueError, match="do not fit"):
        _core.TrickNet(row, column, np.zeros((4, 2), np.float32), np.zeros(2, np.float32), row[:2, :1].copy(), column)


def test_thirteen_solid_trumps_are_worth_thirteen_tricks():
    masks = [Hand.parse(text).mask for text in ("AKQJT98765432...", ".AKQJT98765432..", "..AKQJT98765432.")]
    deal = np.array([[*masks, Hand.parse("...AKQJT98765432").mask]], dtype=np.uint64)
    assert estimate_tricks(deal, Strain.S, Seat.N)[0] > 11


def test_chances_of_tricks_are_a_distribution_around_the_estimate():
    chances = trick_chances(np.array([0.0, 9.4, 13.0]), 1.0)
    assert chances.sum(axis=1) == pytest.approx(1)
    assert chances.argmax(axis=1).tolist() == [0, 9, 13]


def test_the_table_has_the_chances_of_every_contract():
    deals = _core.deal(5, 11)
    table = trick_table(deals)
    assert table.shape == (5, 5, 4, 14)
    assert table.sum(axis=3) == pytest.approx(1)
    alone = trick_chances(estimate_tricks(deals, Strain.D, Seat.E), 0.62)
    assert table[:, Strain.D, Seat.E] == pytest.approx(alone)


def test_its_file_says_what_it_was_fitted_to_and_how_well():
    _, manifest = read_weights(trick_weights(), FORMAT, "a trick network")
    assert manifest["data"]
    assert manifest["held_out"]["error"]["suit"] < 0.65
    assert manifest["held_out"]["error"]["notrump"] < 1.05


def test_files_of_other_networks_and_changed_weights_are_refused(tmp_path):
    with pytest.raises(WeightsError, match="not the weights of a policy"):
        load_network(trick_weights())
    path = tmp_path / "tricks.safetensors"
    arrays = load_file(trick_weights())
    save_file(arrays, path, metadata={"manifest": '{"format": "borel-tricks", "sha256": "of something else"}'})
    with pytest.raises(WeightsError, match="do not match their hash"):
        read_weights(path, FORMAT, "a trick network")
