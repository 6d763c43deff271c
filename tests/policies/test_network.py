"""Networks: files that say what they are, and damaged ones that are refused; bidders and models made of them."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from borel import Auction, Hand, Seat, Vulnerability
from borel.policies.encode import CALLS, SIZE, observation
from borel.policies.network import Network, WeightsError, load_network, masked_probabilities, save_network
from borel.policies.neural import NeuralBidder, NeuralModel
from borel.policies.spec import bidder
from borel.view import BiddingView


@pytest.fixture
def network() -> Network:
    rng = np.random.default_rng(3)
    sizes = [SIZE, 16, 16, CALLS]
    layers = [
        (rng.normal(0, 0.3, (inputs, outputs)).astype(np.float16).astype(np.float32), np.zeros(outputs, np.float32))
        for inputs, outputs in pairwise(sizes)
    ]
    return Network(tuple(layers), {"system": "sayc"})


VIEW = BiddingView(
    Seat.S, Hand.parse("AQ5.KJ92.87.AT43"), Auction.parse("N", "1C 1D"), Vulnerability.NONE
)  # South, after partner's opening


def test_a_file_gives_the_same_network(network, tmp_path):
    path = tmp_path / "policy.safetensors"
    save_network(network, path)
    again = load_network(path)
    assert again.manifest["system"] == "sayc"
    inputs = observation(VIEW)[None, :]
    np.testing.assert_array_equal(again.logits(inputs), network.logits(inputs))


def test_changed_weights_are_refused(network, tmp_path):
    path = tmp_path / "policy.safetensors"
    save_network(network, path)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(WeightsError, match="do not match their hash"):
        load_network(path)


def test_other_files_are_refused(network, tmp_path):
    path = tmp_path / "policy.safetensors"
    path.write_bytes(b"not weights")
    with pytest.raises(WeightsError, match="not a file of weights"):
        load_network(path)
    with pytest.raises(WeightsError, match="not a file of weights"):
        load_network(tmp_path / "missing.safetensors")
    save_network(network, path)
    save_file(load_file(path), path, metadata={"manifest": '{"format": "borel-policy", "encoding": 99}'})
    with pytest.raises(WeightsError, match="encoding 99"):
        load_network(path)


def test_only_legal_calls_have_a_probability(network):
    legal = np.zeros((1, CALLS), bool)
    legal[0, [0, 7]] = True
    chances = masked_probabilities(network.logits(observation(VIEW)[None, :]), legal)
    assert set(np.flatnonzero(chances[0])) == {0, 7}
    assert chances.sum() == pytest.approx(1)


def test_the_bidder_makes_the_likeliest_legal_call(network):
    decision = NeuralBidder(network).decide(VIEW, rng=Random(0))
    assert decision.choice in VIEW.auction.legal_calls()
    assert decision.candidates[0].choice == decision.choice
    assert decision.candidates[0].value == max(candidate.value for candidate in decision.candidates)
    assert decision.meaning


def test_the_model_agrees_with_the_bidder(network):
    model = NeuralModel(network)
    rows = model.encode(np.array([VIEW.hand.mask], dtype=np.uint64))
    chances = model.probabilities(rows, VIEW.auction, VIEW.vulnerability)
    np.testing.assert_allclose(chances[0], NeuralBidder(network).probabilities(VIEW), rtol=1e-4, atol=1e-6)


def test_unknown_networks_are_named(tmp_path):
    with pytest.raises(WeightsError, match="no network 'nosuch'"):
        bidder("neural:nosuch")


def test_a_file_is_a_bidder(network, tmp_path):
    path = tmp_path / "mine.safetensors"
    save_network(network, path)
    assert bidder(f"neural:{path}").decide(VIEW, rng=Random(0)).choice in VIEW.auction.legal_calls()
