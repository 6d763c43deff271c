"""One board by Borel's own bidders and card players: what `borel demo` shows."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from borel import _core
from borel.arena.table import BoardResult, Table
from borel.auction import Call
from borel.cardplay import AchievableSets
from borel.cards import Card, Seat
from borel.deal import Board, Deal
from borel.decision import Decision
from borel.policies.spec import bidder as make_bidder
from borel.policies.spec import usual_bidder
from borel.view import Systems

__all__ = ["exhibition"]

SYSTEM = "sayc"


def exhibition(seed: int, *, seconds: float = 0.25, watch: Callable[[str], None] | None = None) -> BoardResult:
    """Deal board number 1..16 of a seed, bid it and play it."""
    rng = Random(seed)
    number = 1 + rng.randrange(16)
    deal = Deal.of_masks(tuple(_core.deal(1, seed)[0].tolist()))

    def tell(seat: Seat, decision: Decision[Call] | Decision[Card]) -> None:
        if watch:
            watch(f"{seat.word}: {decision.choice.symbol}")

    bidder, player = make_bidder(usual_bidder(SYSTEM, seconds)), AchievableSets(seconds=seconds)
    table = Table(dict.fromkeys(Seat, bidder), dict.fromkeys(Seat, player), systems=Systems(SYSTEM, SYSTEM), watch=tell)
    return table.run(Board.numbered(number, deal), rng=rng)
