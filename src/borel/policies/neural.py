"""The bidder that a network is: its likeliest legal call, with what else it considered; and the same as a model."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, Auction, Call
from borel.cards import Side
from borel.deal import Vulnerability
from borel.decision import Candidate, Decision
from borel.errors import quote
from borel.policies.encode import CARDS, auction_row, card_rows, legal_row, observation
from borel.policies.network import Network, WeightsError, load_network, masked_probabilities
from borel.sampling.callers import hands_that_call
from borel.view import BiddingView

__all__ = ["NeuralBidder", "NeuralModel", "network_path", "shipped", "shipped_networks", "with_hands"]

WORTH_NAMING = 0.02  # candidates less likely than this are not worth a line


class NeuralModel:
    """What one expects of a player who bids as a network does."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def encode(self, hands: NDArray[np.uint64]) -> NDArray[np.float32]:
        """[n, width]: what the cards add to the first layer's sums; the auction adds its own part once for all."""
        return np.asarray(card_rows(hands) @ self.network.layers[0][0][CARDS])

    def probabilities(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability
    ) -> NDArray[np.float64]:
        """[n, 38]: the probability of each call, were each of the encoded hands the one whose turn it is."""
        weights, biases = self.network.layers[0]
        seen = auction_row(auction, Side(auction.turn.side), vulnerability)
        logits = self.network.from_first(rows + (seen @ weights + biases))
        return masked_probabilities(logits, legal_row(auction)[None, :]).astype(np.float64)


class NeuralBidder:
    """Makes the network's likeliest legal call."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.system: str = str(network.manifest.get("system", ""))

    def probabilities(self, view: BiddingView) -> NDArray[np.float32]:
        """[38]: how likely the network is to make each call."""
        logits = self.network.logits(observation(view)[None, :])
        row: NDArray[np.float32] = masked_probabilities(logits, legal_row(view.auction)[None, :])[0]
        return row

    def decide(self, view: BiddingView, *, rng: Random) -> Decision[Call]:
        """The likeliest call; what it means is what the system says that it means."""
        chances = self.probabilities(view)
        order = [int(i) for i in np.argsort(-chances)]
        call = ALL_CALLS[order[0]]
        named = [i for i in order if chances[i] >= WORTH_NAMING] or order[:1]
        told = [(ALL_CALLS[i], float(chances[i])) for i in named]
        candidates = tuple(Candidate(each, chance, f"{chance:.0%}", chance) for each, chance in told)
        return Decision(call, f"the network is {chances[order[0]]:.0%} sure", self.meaning(view, call), candidates)

    def meaning(self, view: BiddingView, call: Call) -> str:
        """What the network's system says that a call means."""
        if not self.system:
            return ""
        from borel.policies.rules import RuleBidder

        position = RuleBidder(self.system).position(view.auction, view.vulnerability, view.seat.side, view.systems)
        return position.meaning(call.index).text


def with_hands(decision: Decision[Call], model: NeuralModel, view: BiddingView, count: int) -> Decision[Call]:
    """The decision with what those of so many hands hold that make its call."""
    auction = view.auction.after(decision.choice)
    return replace(decision, sampled=hands_that_call(model, auction, view.vulnerability, count))


def shipped_networks() -> list[str]:
    """The names of the networks in the package."""
    return sorted(path.stem for path in _weights().glob("*.safetensors"))


@cache
def shipped(name: str) -> Network:
    """A network of the package, or one in a file, by name; loaded when it is first asked for."""
    return load_network(network_path(name))


def network_path(name: str) -> Path:
    """The file of a network of the package, or the file that is named.

    >>> network_path("run/policy.safetensors").name, network_path("sayc").name
    ('policy.safetensors', 'sayc.safetensors')
    """
    path = Path(name)
    if path.suffix == ".safetensors":
        return path
    if name not in shipped_networks():
        known = ", ".join(shipped_networks()) or "none"
        raise WeightsError(f"no network {quote(name)} in the package (there are: {known}); a file ends in .safetensors")
    return _weights() / f"{name}.safetensors"


def _weights() -> Path:
    """Where the package's networks are: real files, as the core and the systems are."""
    return Path(str(files("borel.policies").joinpath("weights")))
