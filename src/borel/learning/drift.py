"""How far a network's language has drifted from its system's: the calls whose meaning has changed most.

Auctions are taken from boards that the system bids; for the last call of each, the hands that make it by the rules are
compared with those that make it by the network (`borel.sampling.callers`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
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

Report = Callable[[str, int, int], None]  # what is being done, how much of it, of how much
PART = 100  # boards bid at once
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


def common_auctions(system: str, boards: int, seed: int, report: Report | None = None) -> Counter[tuple[int, ...]]:
    """How often each auction came up, up to each call that was not a pass, on boards that a system bids."""
    tables = Tables.start(deal_masks(boards, seed), *random_conditions(boards, np.random.default_rng(seed)))
    met: Counter[tuple[int, ...]] = Counter()
    for first in range(0, boards, PART):
        part = tables.take(np.arange(first, min(first + PART, boards)))
        bid_by_system(part, system, asked=0)
        for calls, length in zip(part.calls.tolist(), part.lengths.tolist(), strict=True):
            met.update(tuple(calls[:end]) for end in range(1, length + 1) if calls[end - 1])
        if report is not None:
            report("boards bid by the system", first + len(part), boards)
    return met


def drifts(
    network: Network,
    *,
    boards: int = 1000,
    auctions: int = 100,
    hands: int = 100_000,
    seed: int = 1,
    report: Report | None = None,
) -> list[Drift]:
    """The commonest calls of a network's system, the most changed first; nobody is vulnerable."""
    system = str(network.manifest["system"])
    dealt = random_hands(hands, seed=Random(seed).getrandbits(32))
    rules, learnt = RuleModel(system), NeuralModel(network)
    found = []
    common = common_auctions(system, boards, seed, report).most_common(auctions)
    for number, (calls, count) in enumerate(common, 1):
        auction = Auction(Seat.N, tuple(ALL_CALLS[call] for call in calls))
        by_rules = callers_of(rules, auction, Vulnerability.NONE, dealt)
        if by_rules.worth >= LEAST:
            found.append(Drift(auction, count, by_rules, callers_of(learnt, auction, Vulnerability.NONE, dealt)))
        if report is not None:
            report("calls compared", number, len(common))
    return sorted(found, key=lambda drift: -drift.apart)
