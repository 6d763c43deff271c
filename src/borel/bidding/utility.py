"""The worth of one layout at one point of an auction: losing trick count, a fast estimate, or double dummy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.auction import Auction, Contract
from borel.bidding.projection import Ends
from borel.bidding.valuation import Tricks, points_of
from borel.cards import Side, Strain
from borel.deal import Vulnerability
from borel.errors import ParseError
from borel.policies.tricks import SPREAD, estimate_tricks, trick_chances
from borel.scoring import ns_score, score

__all__ = ["Utility", "losing_tricks", "utility_of"]

Utility = Callable[[NDArray[np.uint64], Auction, Side, Vulnerability], float]  # hands [4] -> a side's points


def utility_of(name: str) -> Utility:
    """The leaf utility that a name says."""
    known: dict[str, Utility] = {"estimate": by_estimate, "dd": by_solver, "ltc": by_losers}
    if name not in known:
        raise ParseError(f"utility (one of {', '.join(known)})", name)
    return known[name]


def by_estimate(hands: NDArray[np.uint64], auction: Auction, side: Side, vulnerability: Vulnerability) -> float:
    """Expected points by the fast estimate of tricks; an unfinished auction is taken to end sensibly."""
    contract = auction.contract
    if contract is None:
        return 0.0
    deal = hands[None, :]
    if not auction.is_over:
        return float(points_of(_single(auction), Tricks(deal, 0), side, vulnerability)[0])
    estimate = estimate_tricks(deal, contract.strain, contract.declarer)
    return _expected(contract, trick_chances(estimate, SPREAD[contract.strain is Strain.NT])[0], side, vulnerability)


def by_solver(hands: NDArray[np.uint64], auction: Auction, side: Side, vulnerability: Vulnerability) -> float:
    """The points of the contract as it stands, double dummy."""
    contract = auction.contract
    if contract is None:
        return 0.0
    strain, leader = np.array([contract.strain], np.uint8), np.array([contract.leader], np.uint8)
    nobody = np.full((1, 3), 255, np.uint8)
    ns = int(np.asarray(_core.dd_solve(hands[None, :].copy(), strain, leader, nobody, threads=1))[0])
    points = ns_score(contract, ns if contract.side is Side.NS else 13 - ns, vulnerability)
    return float(points if side is Side.NS else -points)


def losing_tricks(hand: int) -> int:
    """Losers among the three highest cards of each suit: no ace, no king in two cards, no queen in three.

    >>> from borel.cards import Hand
    >>> losing_tricks(Hand.parse("AQ952.K4.Q87.K43").mask)
    6
    """
    losers = 0
    for shift in (0, 13, 26, 39):
        holding = hand >> shift & 8191
        length = holding.bit_count()
        losers += sum(1 for place in range(min(3, length)) if not holding >> (12 - place) & 1)
    return losers


def by_losers(hands: NDArray[np.uint64], auction: Auction, side: Side, vulnerability: Vulnerability) -> float:
    """The points of the contract as it stands by losing trick count: 24 less both hands'; in notrump by points."""
    contract = auction.contract
    if contract is None:
        return 0.0
    pair = [int(hands[contract.declarer]), int(hands[contract.dummy])]
    if contract.strain is Strain.NT:
        hcp = sum(int(_core.hand_numbers(np.array([mask], dtype=np.uint64))[0, 4]) for mask in pair)
        tricks = round(6.5 + 0.31 * (hcp - 20))
    else:
        tricks = 24 - sum(losing_tricks(mask) for mask in pair)
    taken = min(13, max(0, tricks))
    points = score(contract, taken, vulnerable=vulnerability.includes(contract.side))
    return float(points if contract.side is side else -points)


def _single(auction: Auction) -> Ends:
    return Ends((auction,), (np.zeros(1, dtype=np.int64),), (np.ones(1),))


def _expected(contract: Contract, chances: NDArray[np.float64], side: Side, vulnerability: Vulnerability) -> float:
    vulnerable = vulnerability.includes(contract.side)
    worth = np.array([score(contract, tricks, vulnerable=vulnerable) for tricks in range(14)])
    points = float(chances @ worth)
    return points if contract.side is side else -points
