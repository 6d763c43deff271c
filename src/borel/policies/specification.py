"""Bidders by name: ``rules:sayc``, ``rules:my.bid``. Later kinds add themselves to the table."""

from __future__ import annotations

from collections.abc import Callable

from borel.decision import Bidder
from borel.errors import ParseError

__all__ = ["BIDDERS", "bidder_of"]


def _rules(rest: str) -> Bidder:
    from borel.policies.rules import RuleBidder

    return RuleBidder(rest or "sayc")


BIDDERS: dict[str, Callable[[str], Bidder]] = {"rules": _rules}


def bidder_of(specification: str) -> Bidder:
    """The bidder that a specification names.

    >>> type(bidder_of("rules:sayc")).__name__
    'RuleBidder'
    """
    kind, _, rest = specification.partition(":")
    if kind not in BIDDERS:
        raise ParseError(f"bidder (one of {', '.join(sorted(BIDDERS))})", specification)
    return BIDDERS[kind](rest)
