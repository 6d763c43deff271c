"""Networks: files that say what they are, and damaged ones that are refused; bidders and models made of them."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from borel import Auction, Hand, Seat, Vulnerability
from borel.bidding.tables import Tables, bid_out, random_conditions
from borel.dealing import Dealer
from borel.learning.duplicate import greedy
from borel.policies.encode import CALLS, SIZE, observation
from borel.policies.network import (
    Network,
    QuickNetwork,
    WeightsError,
    load_network,
    masked_probabilities,
    save_network,
)
from borel.policies.neural import NeuralBidder, NeuralModel, shipped
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


def test_a_quick_network_makes_nearly_the_same_calls():
    """On the boards that a network bids itself, whatever the number of rows."""
    network = shipped("sayc")
    rng = np.random.default_rng(5)
    hands = np.concatenate(list(Dealer(5).blocks(200)))
    boards = Tables.start(hands, *random_conditions(len(hands), rng))
    bid_out(boards, [greedy(network)], np.zeros((len(hands), 4), np.int8))
    rows, positions = np.nonzero(np.arange(boards.calls.shape[1])[None, :] < boards.lengths[:, None])
    inputs, legal = (made(rows, positions.astype(np.int32)) for made in (boards.inputs, boards.legal))
    exact, quick = network.logits(inputs), QuickNetwork(network).logits(inputs)
    likely = legal & (exact > np.where(legal, exact, -np.inf).max(axis=1, keepdims=True) - 10)
    assert np.abs(exact - quick)[likely].mean() < 0.1
    same = np.where(legal, exact, -np.inf).argmax(axis=1) == np.where(legal, quick, -np.inf).argmax(axis=1)
    assert same.mean() > 0.995
    np.testing.assert_array_equal(QuickNetwork(network).logits(inputs[:7]), quick[:7])
    assert QuickNetwork(network).logits(inputs[:0]).shape == (0, CALLS)


def test_a_quick_network_refuses_what_does_not_fit(network):
    with pytest.raises(ValueError, match="another size"):
        QuickNetwork(network).logits(np.zeros((2, SIZE - 1), np.float32))
    with pytest.raises(ValueError, match="fit together"):
        QuickNetwork(Network((network.layers[0], network.layers[0])))


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
