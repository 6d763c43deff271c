"""What one seat may know, and nothing else. A policy receives a view, never the deal, so a leak is a type error."""

from __future__ import annotations

from dataclasses import dataclass

from borel.auction import Auction, Contract
from borel.cards import Card, Hand, Seat
from borel.deal import Deal, Vulnerability
from borel.play import Play, trick_winner
from borel.scoring import Scoring

__all__ = ["BiddingView", "PlayView", "Systems"]


@dataclass(frozen=True, slots=True)
class Systems:
    """The bidding systems of both sides by name, as disclosed on the convention cards."""

    ns: str = ""
    ew: str = ""

    def of(self, seat: Seat) -> str:
        """The system a seat plays."""
        return (self.ns, self.ew)[seat.side]


@dataclass(frozen=True, slots=True)
class BiddingView:
    """Everything one seat may know when it is its turn to call.

    ``explanations`` has the public meaning of each call so far (an empty text where none was given).
    """

    seat: Seat
    hand: Hand
    auction: Auction
    vulnerability: Vulnerability
    scoring: Scoring = Scoring.IMPS
    systems: Systems = Systems()
    explanations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayView:
    """Everything one seat may know when it is to play a card: from its own hand or, for declarer, from dummy.

    ``hand`` has the seat's original thirteen cards; ``dummy`` is None before the opening lead.
    """

    seat: Seat
    hand: Hand
    dummy: Hand | None
    contract: Contract
    auction: Auction
    played: tuple[Card, ...]
    vulnerability: Vulnerability
    scoring: Scoring = Scoring.IMPS
    systems: Systems = Systems()
    explanations: tuple[str, ...] = ()

    def known_play(self) -> Play:
        """The play as this seat sees it: its own hand, dummy, and of the hidden hands the cards they have played."""
        return Play(self.visible_deal(), self.contract, self.played)

    def visible_deal(self) -> Deal:
        """The cards that the seat has seen, each with who holds or held it."""
        masks = [0, 0, 0, 0]
        for seat, card in zip(played_by(self.contract, self.played), self.played, strict=True):
            masks[seat] |= card.mask
        masks[self.seat] = self.hand.mask
        if self.dummy is not None:
            masks[self.contract.dummy] = self.dummy.mask
        return Deal.of_masks((masks[0], masks[1], masks[2], masks[3]))

    @property
    def turn(self) -> Seat:
        """The hand that plays next: the seat's own, or dummy's."""
        return next_to_play(self.contract, self.played)

    def legal_cards(self) -> tuple[Card, ...]:
        """The cards that may be played from the hand whose turn it is."""
        return self.known_play().legal_cards()


def played_by(contract: Contract, cards: tuple[Card, ...]) -> tuple[Seat, ...]:
    """Who played each card: the winner of a trick leads to the next."""
    seats, leader = [], contract.leader
    for i in range(0, len(cards), 4):
        trick = cards[i : i + 4]
        seats += [Seat((leader + turn) % 4) for turn in range(len(trick))]
        leader = Seat((leader + trick_winner(trick, contract.strain)) % 4)
    return tuple(seats)


def next_to_play(contract: Contract, cards: tuple[Card, ...]) -> Seat:
    """Whose hand plays the next card."""
    seats = played_by(contract, cards)
    if not cards:
        return contract.leader
    if len(cards) % 4:
        return seats[-1].lho
    return Seat((seats[-4] + trick_winner(cards[-4:], contract.strain)) % 4)
