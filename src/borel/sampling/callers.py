"""Which hands make a call: many hands dealt, each with the probability that its holder would have called as heard.

It is how a network's call can be explained. The holder's own earlier calls count too; what the others hold does not, so
that the meaning is the partnership's and not that of one deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.auction import Auction
from borel.cards import Hand, Suit
from borel.deal import Vulnerability
from borel.dealing import Dealer
from borel.decision import CallModel
from borel.errors import BridgeError
from borel.sampling.picture import distribution, mean_of, usual
from borel.sampling.sample import effective_size

__all__ = ["LEAST", "Callers", "callers_of", "hands_that_call", "random_hands"]

EXAMPLES = 6
LEAST = 20.0  # hands of equal weight: fewer say too little to speak of
NAMES = (*(suit.word for suit in Suit), "hcp")


def random_hands(count: int, seed: int) -> NDArray[np.uint64]:
    """[count]: hands dealt at random."""
    deals = np.concatenate(list(Dealer(seed).blocks(-(-count // 4))))
    return np.asarray(deals.reshape(-1)[:count])


@dataclass(frozen=True, slots=True)
class Callers:
    """Hands [n] with how likely each is to make the last call of an auction and the same player's calls before it."""

    hands: NDArray[np.uint64]
    chances: NDArray[np.float64]

    @property
    def frequency(self) -> float:
        """How many of all hands call so."""
        return float(self.chances.mean())

    @property
    def worth(self) -> float:
        """The number of hands of equal weight that would say as much; few means that the words below mean little."""
        return effective_size(self.weights) if self.chances.any() else 0.0

    @property
    def weights(self) -> NDArray[np.float64]:
        """The chances, made to add up to one."""
        return np.asarray(self.chances / max(float(self.chances.sum()), 1e-300))

    def distributions(self) -> dict[str, dict[int, float]]:
        """Of points and of each suit's length."""
        numbers = _core.hand_numbers(self.hands)
        return {name: distribution(numbers[:, i], self.weights) for i, name in enumerate(NAMES)}

    def words(self) -> str:
        """Points and lengths, mean and usual range."""
        if not self.chances.any():
            return f"none of {len(self.hands):,} hands calls so"
        shares = self.distributions()
        suits = ", ".join(f"{suit.symbol} {usual(shares[suit.word])}" for suit in reversed(Suit))
        return f"{usual(shares['hcp'])} hcp; {suits}"

    def examples(self, count: int = EXAMPLES) -> list[Hand]:
        """Some of the hands, the first that were dealt of those at least half as likely to call so as any."""
        most = self.chances.max(initial=0)
        rows = np.flatnonzero((self.chances > 0) & (self.chances >= most / 2))[:count]
        return [Hand(int(mask)) for mask in self.hands[rows]]

    def apart(self, other: Callers) -> float:
        """Total variation between two meanings of the same hands: 0 is the same language, 1 a private one."""
        return float(np.abs(self.weights - other.weights).sum() / 2)

    def beyond(self, other: Callers) -> Callers:
        """The hands that call so here and not there, as far as they do: where two meanings differ."""
        return Callers(self.hands, np.maximum(self.chances - other.chances, 0))

    def as_json(self) -> dict[str, object]:
        """Everything, for programs."""
        shares = self.distributions() if self.chances.any() else {}
        return {
            "frequency": self.frequency,
            "worth": round(self.worth, 1),
            "means": {name: round(mean_of(share), 3) for name, share in shares.items()},
            "distributions": {
                name: {str(k): round(v, 4) for k, v in share.items() if v >= 5e-5} for name, share in shares.items()
            },
            "examples": [str(hand) for hand in self.examples()],
        }


def callers_of(model: CallModel, auction: Auction, vulnerability: Vulnerability, hands: NDArray[np.uint64]) -> Callers:
    """How likely each hand is to make the auction's last call as its caller did, earlier calls included."""
    if not auction.calls:
        raise BridgeError("nobody has called yet")
    last = len(auction.calls) - 1
    chances = np.zeros(len(hands))
    alive, product = np.arange(len(hands)), np.ones(len(hands))
    rows = model.encode(hands)
    for position in range(last % 4, last + 1, 4):
        before = Auction(auction.dealer, auction.calls[:position])
        policy = model.probabilities(rows[alive], before, vulnerability)
        product = product * policy[:, auction.calls[position].index]
        kept = product > 0
        alive, product = alive[kept], product[kept]
    chances[alive] = product
    return Callers(hands, chances)


@cache
def _dealt(count: int) -> NDArray[np.uint64]:
    return random_hands(count, seed=1)


def hands_that_call(model: CallModel, auction: Auction, vulnerability: Vulnerability, count: int) -> str:
    """What those of so many hands hold that make the last call; nothing where hardly any does."""
    if not count:
        return ""
    found = callers_of(model, auction, vulnerability, _dealt(count))
    return f"{found.words()} ({found.frequency:.1%} of all hands)" if found.worth >= LEAST else ""
