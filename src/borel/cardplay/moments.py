"""The moments of the play: what everybody saw when a card was played."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from borel.auction import Auction, Contract
from borel.cards import SUIT_MASK, Card, Hand, Rank, Seat, Suit
from borel.play import trick_winner
from borel.view import played_by

__all__ = ["Moment", "moments"]

PLACES = ("lead", "second hand", "third hand", "last hand")
Four = tuple[int, int, int, int]  # the cards of every suit, as bits of ranks


@dataclass(frozen=True, slots=True)
class Moment:
    """One seat's turn to play, as all see it."""

    seat: Seat
    defends: bool
    trumps: Suit | None
    trick: tuple[Card, ...]  # so far
    gone: Four  # in earlier tricks
    dummy: Four  # still held
    dummy_after: bool  # whether dummy has yet to play to the trick
    winning: int  # which card of the trick
    played_in: frozenset[Suit]  # by this seat before
    led: frozenset[tuple[Suit, Seat]]
    bid: frozenset[tuple[Suit, Seat]]

    @property
    def suit(self) -> Suit | None:
        """The suit led."""
        return self.trick[0].suit if self.trick else None

    def kind(self, *, follows: bool) -> str:
        """Where in the trick, and on which side."""
        place = PLACES[len(self.trick)] if follows or not self.trick else "discard"
        return f"{place}, {'defender' if self.defends else 'declarer'}"

    @property
    def partner_wins(self) -> bool:
        """Whether the trick is partner's so far."""
        return (len(self.trick) - self.winning) % 2 == 0

    @property
    def partner_led(self) -> bool:
        """Whether partner led to the trick."""
        return len(self.trick) == 2

    @property
    def to_beat(self) -> int:
        """The rank that wins so far; more than an ace where the trick was ruffed."""
        best = self.trick[self.winning]
        return int(best.rank) if best.suit is self.suit else Rank.ACE + 1

    def on_table(self, suit: Suit) -> int:
        """The cards of a suit in the trick, as bits of ranks."""
        return sum(1 << card.rank for card in self.trick if card.suit is suit)

    def has_done(self, what: frozenset[tuple[Suit, Seat]], suit: Suit, *, ours: bool) -> bool:
        """Whether somebody of this side, or of the other, has led or bid a suit."""
        return any(s is suit and (seat.side is self.seat.side) is ours for s, seat in what)


def moments(
    contract: Contract, auction: Auction, cards: tuple[Card, ...], dummy: Hand, seats: Collection[Seat]
) -> Iterator[tuple[int, Moment]]:
    """These seats' turns after the opening lead, with their places among the cards; ``dummy`` is as dealt."""
    players = played_by(contract, cards)
    calls = [(call.strain.suit, auction.seat_of(i)) for i, call in enumerate(auction.calls) if call.is_bid]
    bid = frozenset((suit, seat) for suit, seat in calls if suit is not None)
    for i, seat in enumerate(players[: len(cards)]):
        if i == 0 or seat not in seats:
            continue
        first = i - i % 4
        gone = sum(card.mask for card in cards[:first])
        shown = sum(card.mask for card in cards[:i])
        trick = cards[first:i]
        yield i, Moment(
            seat, seat.side is not contract.side, contract.strain.suit, trick, _by_suit(gone),
            _by_suit(dummy.mask & ~shown), contract.dummy in players_after(seat, 3 - len(trick)),
            trick_winner(trick, contract.strain) if trick else 0,
            frozenset(card.suit for card, who in zip(cards[:i], players, strict=False) if who is seat),
            frozenset((cards[k].suit, players[k]) for k in range(0, i, 4)), bid,
        )  # fmt: skip


def players_after(seat: Seat, count: int) -> tuple[Seat, ...]:
    """So many seats that follow one."""
    return tuple(Seat((seat + step) % 4) for step in range(1, count + 1))


def _by_suit(mask: int) -> Four:
    clubs, diamonds, hearts, spades = (mask >> 13 * suit & SUIT_MASK for suit in Suit)
    return clubs, diamonds, hearts, spades
