"""Whole auctions that once ended absurdly: in a misfit at a high level, in a slam off two aces, in a passed force."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import pytest

from borel.auction import PASS, Auction
from borel.cards import Card, Rank, Seat, Strain, Suit
from borel.deal import Deal, Vulnerability
from borel.policies.rules import RuleBidder
from borel.view import BiddingView

TABLE = Path(__file__).parents[1] / "data" / "bidding" / "endings.tsv"
LONGEST = 40  # calls


@dataclass(frozen=True, slots=True)
class Ending:
    """A deal, who bids it, and how it once ended."""

    line: int
    system: str
    deal: Deal
    dealer: Seat
    vulnerability: Vulnerability
    once: str


def endings() -> list[Ending]:
    found = []
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            system, deal, dealer, vulnerable, once = line.split("\t")
            found.append(
                Ending(number, system, Deal.parse(deal), Seat.parse(dealer), Vulnerability.parse(vulnerable), once)
            )
    return found


@cache
def bidder(system: str) -> RuleBidder:
    return RuleBidder(system)


def bid(ending: Ending) -> tuple[Auction, list[str]]:
    """The auction, and the forces that were passed in it."""
    rules, auction, passed = bidder(ending.system), Auction(ending.dealer), []
    while not auction.is_over and len(auction) < LONGEST:
        view = BiddingView(auction.turn, ending.deal.hand(auction.turn), auction, ending.vulnerability)
        call = rules.decide(view, rng=Random(0)).choice
        if call == PASS and rules.may_not_pass(auction, ending.vulnerability):
            passed.append(f"a force was passed after {auction}")
        auction = auction.after(call)
    return auction, passed


def absurdities(auction: Auction, deal: Deal) -> list[str]:
    contract = auction.contract
    if contract is None:
        return []
    hands, found = [deal.hand(seat) for seat in contract.side.seats], []
    if contract.strain is not Strain.NT and contract.level >= 3:
        trumps = sum(hand.length(Suit(contract.strain.value)) for hand in hands)
        found += [f"{trumps} trumps"] if trumps < 7 else []
    if contract.level >= 6 and not contract.doubled:
        aces = sum(Card(suit, Rank.ACE) in hand for hand in hands for suit in Suit)
        found += [f"a slam with {aces} aces"] if aces <= 2 else []
    return found


@pytest.mark.parametrize("system", sorted({ending.system for ending in endings()}))
def test_no_auction_ends_absurdly_again(system):
    failures = []
    for ending in endings():
        if ending.system == system:
            auction, faults = bid(ending)
            assert auction.is_over, f"{TABLE.name}:{ending.line}: {auction} does not end"
            faults += absurdities(auction, ending.deal)
            failures += [f"{TABLE.name}:{ending.line}: {auction}: {fault}" for fault in faults]
    assert not failures, "\n".join(failures)
