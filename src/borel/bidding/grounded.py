"""A network that keeps to its system: the rules speak, the network judges as far as it knows the language.

A network learns its system's language from examples, and never quite: in auctions that it has hardly met it calls what
it would call in others, and is sure of it. The rules know the language and judge badly. So both are asked. The rules'
call is the start; what the network would rather call counts as far as its forerunner, the imitation that it grew from,
knew what the rules call with this hand: where even that one was wrong, the network has learnt nothing worth hearing.
In an auction of one side alone, where calls describe hands to partner, it may only prefer calls that the rules give
such a hand, nearly (`judgement`); over an opponent's bid at the three level, and in any fight at the four level, there
is little left to describe, and it is heard whatever its forerunner knew. Answers to a question, and to any convention
that must be answered, are language, not judgement, and left to the rules. Measured: docs/training.md.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from borel.auction import Auction, Call
from borel.bidding.judgement import Judge
from borel.cards import Side
from borel.decision import Decision
from borel.errors import BridgeError, quote
from borel.policies.network import Network, load_network
from borel.policies.neural import NeuralBidder, shipped, shipped_networks
from borel.policies.rules import RuleBidder
from borel.sampling.rules import RuleModel
from borel.view import BiddingView

if TYPE_CHECKING:
    from borel.policies.spec import Options

__all__ = ["TRUST", "GroundedBidder", "from_spec", "imitation_of", "prior_of", "spoken_by"]

TRUST = 0.1  # 0 leaves all that it knows to the network, 1 everything to the rules
HIGH = 3, 4  # the level at which a fight is about judgement only: over their bid, and over ours


class GroundedBidder(NeuralBidder):
    """Makes the likeliest call of a system and a network together."""

    def __init__(self, network: Network, imitation: Network, trust: float = TRUST) -> None:
        super().__init__(network)
        self.trust, self._imitation = trust, NeuralBidder(imitation)
        self._judge, self._rules = Judge(RuleModel(self.system)), RuleBidder(self.system)

    def probabilities(self, view: BiddingView) -> NDArray[np.float32]:
        """[38]: the rules' call, and the network's probabilities as far as it knows what it speaks of."""
        row = self._judge.encode(np.array([view.hand.mask], np.uint64))[0]
        near = [call.index for call in self._judge.considered(row, view.auction, view.vulnerability)]
        contested = is_contested(view.auction)
        heard = (1 - self.trust) * (1.0 if is_high(view.auction) else self._imitation.probabilities(view)[near[0]])
        if self._is_asked(view):
            heard = 0.0
        network = super().probabilities(view)
        mixed = heard * network if contested else np.zeros_like(network)
        mixed[near] = heard * network[near]
        mixed[near[0]] += 1 - heard
        return np.asarray(mixed / mixed.sum())

    def _is_asked(self, view: BiddingView) -> bool:
        """Whether partner's last call was a question, or a convention that must be answered."""
        rules, auction = self._judge.rules, view.auction
        if len(auction) < 2:
            return False
        before = rules.position(Auction(auction.dealer, auction.calls[:-2]), view.vulnerability)
        meaning = before.meaning(auction.calls[-2].index)
        return meaning.asks or bool(meaning.conventions and meaning.force)

    def knows_only_rules(self, view: BiddingView) -> bool:
        """Whether opponents of another system have called: the rules can read them, the network has never met them."""
        theirs, side = view.systems.of(view.seat.lho), view.seat.side
        others = any(call.index and view.auction.seat_of(i).side != side for i, call in enumerate(view.auction.calls))
        return others and theirs not in ("", self.system)

    def decide(self, view: BiddingView, *, rng: Random) -> Decision[Call]:
        """The likeliest call; why by the rules, and what the network alone thought of it."""
        ruled = self._rules.decide(view, rng=rng)
        if self.knows_only_rules(view):
            return ruled
        decision = super().decide(view, rng=rng)
        alone = super().probabilities(view)[decision.choice.index]
        why = f"{ruled.why}; the network: {alone:.0%}"
        if decision.choice != ruled.choice:
            why = f"the network prefers it ({alone:.0%}) to the rules' {ruled.choice} ({ruled.meaning})"
        return Decision(decision.choice, why, decision.meaning, decision.candidates)


def is_contested(auction: Auction) -> bool:
    """Whether both sides have called something other than pass."""
    return len({Side(auction.seat_of(i).side) for i, call in enumerate(auction.calls) if call.index}) == 2


def is_high(auction: Auction) -> bool:
    """Whether a fight has come so high that it is about judgement only.

    >>> is_high(Auction.parse("N", "1H 1S 2H 3S")), is_high(Auction.parse("N", "1H 1S 3H P"))
    (True, False)
    """
    last = auction.last_bid
    if last is None or not is_contested(auction):
        return False
    bidder = next(auction.seat_of(i) for i in reversed(range(len(auction))) if auction.calls[i].is_bid)
    return last.level >= HIGH[bidder.side == auction.turn.side]


def imitation_of(name: str, network: Network) -> Network | None:
    """The imitation that a network grew from: one of the package, or in its run's folder."""
    wanted = network.manifest.get("imitation")
    if not Path(name).suffix:
        imitations = (shipped(other) for other in shipped_networks() if other.endswith("-imitation"))
        return next((found for found in imitations if found.manifest["sha256"] == wanted), None)
    beside = Path(name).with_name("imitation.safetensors")
    found = load_network(beside) if beside.is_file() else None
    if found is not None and found.manifest["sha256"] != wanted:
        raise BridgeError(f"the imitation beside {quote(name)} is not the one that it grew from")
    return found


def spoken_by(system: str) -> Network | None:
    """The package's imitation of a system: how players who go by it bid."""
    return shipped(f"{system}-imitation") if f"{system}-imitation" in shipped_networks() else None


def prior_of(name: str, options: Options) -> NeuralBidder:
    """A network with its system's rules, or alone where it grew up for itself: ``trust=0.1``, ``trust=none``."""
    network = shipped(name)
    compatible = network.manifest.get("settings", {}).get("mode") == "compatible"
    imitation = imitation_of(name, network) if compatible else None
    if options.text("trust", "none" if imitation is None else None) == "none":
        return NeuralBidder(network)
    if imitation is None:
        raise BridgeError(f"{quote(name)} has no imitation beside it by which to tell what it knows; use trust=none")
    return GroundedBidder(network, imitation, options.number("trust", TRUST, low=0, high=1) or 0.0)


def from_spec(argument: str, options: Options) -> NeuralBidder:
    """``neural:sayc`` or ``neural:FILE.safetensors``; ``trust=none`` is the network alone."""
    return prior_of(argument or "sayc", options)
