"""A player who always answers: when the one asked fails, a simple legal choice is made, and its reason says so.

At a table with people, or in a match between programs, a defect in one decision must not stop the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from borel.auction import PASS, Call
from borel.cards import Card
from borel.decision import Bidder, CardPlayer, Decision
from borel.view import BiddingView, PlayView

__all__ = ["SteadfastBidder", "SteadfastPlayer"]

FAULTS = (ValueError, RuntimeError, ArithmeticError, LookupError, AssertionError)


@dataclass(frozen=True, slots=True)
class SteadfastBidder:
    """Passes where its bidder fails or answers illegally."""

    bidder: Bidder

    def decide(self, view: BiddingView, *, rng: Random) -> Decision[Call]:
        """The bidder's call, if there is one."""
        try:
            decision = self.bidder.decide(view, rng=rng)
            view.auction.after(decision.choice)
        except FAULTS as fault:
            return Decision(PASS, f"a pass, because thinking failed: {fault}")
        return decision


@dataclass(frozen=True, slots=True)
class SteadfastPlayer:
    """Plays its lowest legal card where its player fails or answers illegally."""

    player: CardPlayer

    def decide(self, view: PlayView, *, rng: Random) -> Decision[Card]:
        """The player's card, if there is one."""
        legal = view.legal_cards()
        try:
            decision = self.player.decide(view, rng=rng)
            if decision.choice in legal:
                return decision
            fault: Exception | str = f"{decision.choice} is not legal"
        except FAULTS as raised:
            fault = raised
        lowest = min(legal, key=lambda card: (card.rank, card.suit))
        return Decision(lowest, f"the lowest card, because thinking failed: {fault}")
