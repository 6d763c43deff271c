"""A network that keeps to its system: the rules speak, the network judges as far as it knows the language.

A network learns its system's language from examples, and never quite: in auctions that it has hardly met it calls what
it would call in others, and is sure of it. The rules know the language and judge badly. So both are asked, and the
rules' call stands unless the network knows better. What it expects another call to gain can be read off: it was taught
to have the log-odds of the imitation that it grew from, and beside that what one call gains on another, at a price in
IMPs (`learning/trials.py`).

The stranger another call is, the more must be expected of it: a hand on the border of two calls may make either, and
partner understands; a call that the imitation cannot imagine with such a hand tells him something else, and is more
often one that the network has come to in auctions it hardly knows. Strangeness weighs more where the rules bid, for
their bids describe the hand, and less where they pass, over an opponent's bid at the three level and in any fight at
the four level, where there is little to describe. On the rules' bids the network is heard only if the imitation knew
what they call with this hand: where even that one did not, its heir has learnt nothing worth hearing. Openings, and
answers to a question or to any convention that must be answered, are language and left to the rules: what the network
would rather open gains nothing where partner reads it by the system. Grand slams are counted, not judged: of 13
that networks bid against the rules on 22,000 boards five made, and others lacked an ace.
Measured: docs/training.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, PASS, Auction, Call
from borel.cards import Side
from borel.decision import Decision
from borel.errors import BridgeError, quote
from borel.policies.encode import CALLS, legal_row, observation
from borel.policies.network import Network, load_network
from borel.policies.neural import NeuralBidder, shipped, shipped_networks
from borel.policies.rules import RuleBidder
from borel.sampling.rules import RuleModel
from borel.view import BiddingView

if TYPE_CHECKING:
    from borel.policies.spec import Options

__all__ = ["TRUST", "GroundedBidder", "Opinions", "from_spec", "imitation_of", "prior_of", "spoken_by"]

TRUST = 0.8  # IMPs that another call must be expected to gain, and the more times the stranger it is
BORDER, BORDER_OF_BID = 5.0, 2.0  # nats: what the imitation finds so much less likely than the rules' call is strange
KNOWN = 0.8  # an imitation that would have made the rules' call so often knew the language there
GRAND = [call.index for call in ALL_CALLS if call.is_bid and call.level == 7]
HIGH = 3, 4  # the level at which a fight is about judgement only: over their bid, and over ours
BEYOND = 1e6  # nats of calls that are not legal: a number, so that it can be multiplied by no trust at all
UNTHINKABLE = 15.0  # a call so much less likely than the likeliest, to network and imitation, was never tried
PRICE = 0.25  # IMPs a unit of log-odds, for networks that do not say


@dataclass(frozen=True, slots=True)
class Opinions:
    """The rules' call, and the logits [38] of a network and of its imitation, the greatest of each being 0."""

    ruled: int
    network: NDArray[np.float32]
    imitation: NDArray[np.float32]
    price: float

    @property
    def known(self) -> bool:
        """Whether the imitation knew what the rules call."""
        chances = np.exp(self.imitation)
        return bool(chances[self.ruled] >= KNOWN * chances.sum())

    def strangeness(self) -> NDArray[np.float32]:
        """[38]: by how many nats the imitation finds each call less likely than the rules'."""
        return np.asarray(np.clip(self.imitation[self.ruled] - self.imitation, 0, BEYOND))

    def gains(self) -> NDArray[np.float32]:
        """[38]: the IMPs that the network expects each call to gain on the rules'; none of what was never tried."""
        tried = np.maximum(self.network, self.imitation) > -UNTHINKABLE
        odds = (self.network - self.network[self.ruled])[tried] - (self.imitation - self.imitation[self.ruled])[tried]
        gains = np.full(CALLS, -np.inf, np.float32)
        gains[tried] = np.float32(self.price) * odds
        return gains


class GroundedBidder(NeuralBidder):
    """Makes the rules' call, unless a network expects enough of another."""

    def __init__(self, network: Network, imitation: Network, trust: float = TRUST) -> None:
        super().__init__(network)
        self.trust, self._imitation = trust, imitation
        self._model, self._rules = RuleModel(self.system), RuleBidder(self.system)
        self.price = network.price or PRICE

    def opinions(self, view: BiddingView) -> Opinions:
        """What the rules would call, and what network and imitation think."""
        row = self._model.encode(np.array([view.hand.mask], np.uint64))
        ruled = int(self._model.calls(row, view.auction, view.vulnerability)[0])
        seen, legal = observation(view)[None, :], legal_row(view.auction)
        ruled = ruled if legal[ruled] else PASS.index  # in auctions that nobody would bid
        network, imitation = (
            np.where(legal, net.logits(seen)[0], np.float32(-np.inf)) for net in (self.network, self._imitation)
        )
        return Opinions(ruled, network - network.max(), imitation - imitation.max(), self.price)

    def probabilities(self, view: BiddingView) -> NDArray[np.float32]:
        """[38]: the rules' call, and others as far as the network may be heard and prefers them."""
        opinions = self.opinions(view)
        describes = opinions.ruled != PASS.index and not is_high(view.auction)
        strange = opinions.strangeness() / np.float32(BORDER_OF_BID if describes else BORDER)
        worth = opinions.gains() - self.trust * np.maximum(1, strange)
        if self.is_language(view) or (describes and not opinions.known):
            worth[:] = -np.inf
        worth[GRAND] = -np.inf
        worth[opinions.ruled] = 0
        weights = np.exp((worth - worth.max()) / np.float32(self.price))
        return np.asarray(weights / weights.sum())

    def is_language(self, view: BiddingView) -> bool:
        """Whether nobody has bid, or partner's last call was a question or a convention that must be answered."""
        rules, auction = self._model, view.auction
        if auction.last_bid is None:
            return True
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
        """The likeliest call; why by the rules, or what the network expects to gain on their call."""
        ruled = self._rules.decide(view, rng=rng)
        if self.knows_only_rules(view):
            return ruled
        decision = super().decide(view, rng=rng)
        if decision.choice == ruled.choice:
            return Decision(ruled.choice, ruled.why, ruled.meaning, decision.candidates)
        gain = self.opinions(view).gains()[decision.choice.index]
        why = f"the network expects {gain:.1f} IMPs more of it than of the rules' {ruled.choice} ({ruled.meaning})"
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
    """A network with its system's rules, or alone where it grew up for itself: ``trust=0.8`` IMPs, ``trust=none``."""
    network = shipped(name)
    compatible = network.manifest.get("settings", {}).get("mode") == "compatible"
    imitation = imitation_of(name, network) if compatible else None
    if options.text("trust", "none" if imitation is None else None) == "none":
        return NeuralBidder(network)
    if imitation is None:
        raise BridgeError(f"{quote(name)} has no imitation beside it by which to tell what it knows; use trust=none")
    return GroundedBidder(network, imitation, options.number("trust", TRUST, low=0, high=1000) or 0.0)


def from_spec(argument: str, options: Options) -> NeuralBidder:
    """``neural:sayc`` or ``neural:FILE.safetensors``; ``trust=none`` is the network alone."""
    return prior_of(argument or "sayc", options)
