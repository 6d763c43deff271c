"""Actors of policy iteration: decisions go out to a worker, what a search finds for each comes back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, Auction
from borel.bidding.neural_search import NeuralSearch, Temper
from borel.bidding.tables import Tables
from borel.cards import Hand, Seat, Side
from borel.deal import Vulnerability
from borel.decision import Limit
from borel.policies.network import load_network
from borel.scoring import Scoring
from borel.view import BiddingView

__all__ = ["Searched", "Searcher"]

INSTANCES = 20_000  # layouts dealt at most for a decision; the paper's 100,000 are blind ones
PAPER = Temper(least_rollouts=1)  # the paper's R_min in policy iteration


@dataclass(frozen=True, slots=True)
class Searched:
    """Decisions to search: hands [n], dealers [n], who is vulnerable [n, 2], the calls before each; and a seed."""

    seed: tuple[int, int, int]
    hands: NDArray[np.uint64]
    dealers: NDArray[np.int8]
    vulnerable: NDArray[np.bool_]
    calls: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, tables: Tables, decisions: NDArray[np.int64], seed: tuple[int, int, int]) -> Searched:
        """Decisions [n, 2] (board, calls before) of some boards: only the hand that is to call goes along."""
        boards, positions = decisions[:, 0], decisions[:, 1].astype(np.int32)
        calls = tuple(tuple(tables.calls[b, :p].tolist()) for b, p in zip(boards, positions, strict=True))
        hands = tables.hands[boards, tables.turn(boards, positions)]
        return cls(seed, hands, tables.dealer[boards], tables.vulnerable[boards], calls)

    def view(self, row: int) -> BiddingView:
        """What the seat to call knows."""
        auction = Auction(Seat(int(self.dealers[row])), tuple(ALL_CALLS[call] for call in self.calls[row]))
        north_south, east_west = self.vulnerable[row]
        vulnerability = next(
            one for one in Vulnerability if (one.includes(Side.NS), one.includes(Side.EW)) == (north_south, east_west)
        )
        hand = Hand(int(self.hands[row]))
        return BiddingView(auction.turn, hand, auction, vulnerability, scoring=Scoring.TOTAL)


class Searcher:
    """Searches with the current network; partner is another network where one is given."""

    def __init__(self, network: Path, partner: Path | None, layouts: int) -> None:
        self.search = NeuralSearch(
            load_network(network),
            limit=Limit(instances=INSTANCES),
            layouts=layouts,
            temper=PAPER,
            greedy=False,
            solve=0,
            partner=None if partner is None else load_network(partner),
        )

    def __call__(self, asked: Searched) -> NDArray[np.float32]:
        """[n, 38]: the policy that the search arrives at for each decision."""
        rng = Random(repr(asked.seed))
        return np.array([self.search.target(asked.view(row), rng=rng) for row in range(len(asked.hands))], np.float32)
