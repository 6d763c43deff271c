"""How far a network's language has drifted from its system's: the calls whose meaning has changed most.

Auctions are taken from boards that the system bids; for the last call of each, the hands that make it by the rules are
compared with those that make it by the network (`borel.sampling.callers`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import numpy as np

from borel.auction import ALL_CALLS, Auction
from borel.bidding.tables import Tables, random_conditions
from borel.cards import Seat
from borel.deal import Vulnerability
from borel.dealing import deal_masks
from borel.learning.teacher import bid_by_system
from borel.policies.network import Network
from borel.policies.neural import NeuralModel
from borel.sampling.callers import Callers, callers_of, random_hands
from borel.sampling.rules import RuleModel

__all__ = ["Drift", "common_auctions", "drifts"]

LEAST = 30.0  # hands of equal weight by the rules, for a comparison to mean something


@dataclass(frozen=True, slots=True)
class Drift:
    """A call in an auction: how often it came up, what the rules and the network mean by it, how far apart."""

    auction: Auction
    count: int
    rules: Callers
    network: Callers

    @property
    def apart(self) -> float:
        """Total variation between the hands that make the call."""
        return self.rules.apart(self.network)

    def as_json(self) -> dict[str, object]:
        """The line of the table."""
        calls = " ".join(str(call) for call in self.auction.calls)
        return {
            "auction": calls,
            "count": self.count,
            "apart": round(self.apart, 4),
            "rules": self.rules.words(),
            "network": self.network.words(),
            "rules_frequency": self.rules.frequency,
            "network_frequency": self.network.frequency,
        }


def common_auctions(system: str, boards: int, seed: int) -> Counter[tuple[int, ...]]:
    """How often each auction came up, up to each call that was not a pass, on boards that a system bids."""
    tables = Tables.start(deal_masks(boards, seed), *random_conditions(boards, np.random.default_rng(seed)))
    bid_by_system(tables, system)
    met: Counter[tuple[int, ...]] = Counter()
    for calls, length in zip(tables.calls.tolist(), tables.lengths.tolist(), strict=True):
        for end in range(1, length + 1):
            if calls[end - 1]:
                met[tuple(calls[:end])] += 1
    return met


def drifts(
    network: Network, *, boards: int = 2000, auctions: int = 100, hands: int = 100_000, seed: int = 1
) -> list[Drift]:
    """The commonest calls of a network's system, the most changed first; nobody is vulnerable."""
    system = str(network.manifest["system"])
    dealt = random_hands(hands, seed=Random(seed).getrandbits(32))
    rules, learnt = RuleModel(system), NeuralModel(network)
    found = []
    for calls, count in common_auctions(system, boards, seed).most_common(auctions):
        auction = Auction(Seat.N, tuple(ALL_CALLS[call] for call in calls))
        by_rules = callers_of(rules, auction, Vulnerability.NONE, dealt)
        if by_rules.worth >= LEAST:
            found.append(Drift(auction, count, by_rules, callers_of(learnt, auction, Vulnerability.NONE, dealt)))
    return sorted(found, key=lambda drift: -drift.apart)
