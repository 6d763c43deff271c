"""What a client alerts: calls that the system's file says are to be alerted, with their meaning."""

from __future__ import annotations

from collections.abc import Callable

from borel.auction import Auction
from borel.deal import Vulnerability
from borel.policies.rules import RuleBidder

__all__ = ["alerts_of"]


def alerts_of(system: str) -> Callable[[Auction, Vulnerability], tuple[str, bool]]:
    """A function that gives the meaning of the last call of an auction, and whether it is alerted."""
    bidder = RuleBidder(system)

    def told(auction: Auction, vulnerability: Vulnerability) -> tuple[str, bool]:
        call = bidder.meaning(auction, vulnerability).calls[-1]
        return call.text, bool(call.alert)

    return told
