"""Positions of the play: one for people, many as arrays for the core."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borel.cards import SUIT_MASK, Card, Seat, Strain
from borel.deal import Deal
from borel.errors import BridgeError, DealError, IllegalCardError
from borel.play import Play

__all__ = ["Hands", "Position", "Positions", "hands_array"]

NO_CARD = 255  # an empty place in the trick, as the core writes it

Hands = NDArray[np.uint64]
"""Many layouts: uint64[n, 4], the hands of N E S W as 52-bit sets."""


@dataclass(frozen=True, slots=True)
class Position:
    """A point of the play: the cards still held, the strain, who led (or is to lead) and the cards on the table.

    >>> position = Position(Deal.parse("N:AQ... K3... 54... -.K.."), Strain.NT, Seat.W, (Card.parse("S2"),))
    >>> position.turn, position.tricks_left
    (Seat.N, 2)
    """

    deal: Deal
    strain: Strain
    leader: Seat
    trick: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        if len(self.trick) > 3:
            raise IllegalCardError(f"{len(self.trick)} cards on the table: the trick is over")
        _check_trick(self.deal, self.leader, self.trick)
        _check_sizes(self.deal, self.leader, len(self.trick))

    @classmethod
    def of(cls, play: Play) -> Position:
        """Where a play stands now."""
        if play.is_over:
            raise BridgeError("the play is over: there is nothing left to solve")
        trick = play.trick
        return cls(play.remaining, play.strain, trick.leader, trick.cards)

    @property
    def turn(self) -> Seat:
        """Whose card is played next."""
        return Seat((self.leader + len(self.trick)) % 4)

    @property
    def tricks_left(self) -> int:
        """The tricks still to be won, the one in progress included."""
        return len(self.deal.hand(self.turn))


def _check_trick(deal: Deal, leader: Seat, trick: tuple[Card, ...]) -> None:
    """Cards on the table are in no hand, and nobody has revoked."""
    for turn, card in enumerate(trick):
        seat = Seat((leader + turn) % 4)
        if card in trick[:turn] or deal.holder(card) is not None:
            raise DealError(f"{card} is on the table and also elsewhere")
        led = trick[0].suit
        if card.suit != led and deal.hand(seat).mask >> 13 * led & SUIT_MASK:
            raise IllegalCardError(f"{card} could not be played by {seat.word}, who still holds {led.word} (Law 44C)")


def _check_sizes(deal: Deal, leader: Seat, played: int) -> None:
    """The seats that have played to the trick hold one card fewer than the others."""
    turn = Seat((leader + played) % 4)
    full = len(deal.hand(turn))
    if full == 0:
        raise DealError(f"{turn.word} has no cards")
    for i in range(4):
        seat = Seat((leader + i) % 4)
        held, expected = len(deal.hand(seat)), full - (i < played)
        if held != expected:
            raise DealError(f"{seat.word} holds {_cards(held)}, not {expected} as {turn.word}'s {_cards(full)} imply")


def _cards(number: int) -> str:
    return f"{number} card" + "s" * (number != 1)


@dataclass(frozen=True, slots=True)
class Positions:
    """Many positions as arrays, one row each; what Monte Carlo play hands to the core.

    ``hands`` uint64[n, 4] are the cards still held, ``strain`` and ``leader`` uint8[n], ``trick`` uint8[n, 3] the cards
    on the table in the order played, 255 where there is none. The core checks every row.

    >>> layouts = [Deal.parse("N:A... K... Q... J..."), Deal.parse("N:K... A... Q... J...")]
    >>> Positions.of_layouts(layouts, Strain.NT, Seat.N).hands.shape
    (2, 4)
    """

    hands: Hands
    strain: NDArray[np.uint8]
    leader: NDArray[np.uint8]
    trick: NDArray[np.uint8]

    @classmethod
    def of(cls, positions: Iterable[Position | Play]) -> Positions:
        """Positions of any kind, or plays as they stand, side by side."""
        rows = [p if isinstance(p, Position) else Position.of(p) for p in positions]
        tricks = [[card.index for card in row.trick] + [NO_CARD] * (3 - len(row.trick)) for row in rows]
        return cls(
            hands_array([row.deal for row in rows]),
            np.array([row.strain for row in rows], np.uint8),
            np.array([row.leader for row in rows], np.uint8),
            np.array(tricks, np.uint8).reshape(-1, 3),
        )

    @classmethod
    def of_layouts(
        cls, layouts: ArrayLike | Sequence[Deal], strain: Strain, leader: Seat, trick: Sequence[Card] = ()
    ) -> Positions:
        """One point of the play, with the hidden hands laid out in many ways: masks uint64[n, 4], or deals."""
        hands = hands_array(layouts)
        if len(trick) > 3:
            raise IllegalCardError(f"{len(trick)} cards on the table: the trick is over")
        row = np.array([card.index for card in trick] + [NO_CARD] * (3 - len(trick)), np.uint8)
        n = len(hands)
        return cls(hands, np.full(n, strain, np.uint8), np.full(n, leader, np.uint8), np.tile(row, (n, 1)))

    def __len__(self) -> int:
        return len(self.hands)

    def __getitem__(self, index: Any) -> Positions:
        """Some of the rows: a slice, a mask or numbers."""
        return Positions(
            np.ascontiguousarray(self.hands[index]),
            np.ascontiguousarray(self.strain[index]),
            np.ascontiguousarray(self.leader[index]),
            np.ascontiguousarray(self.trick[index]),
        )


def hands_array(layouts: ArrayLike | Iterable[Deal]) -> Hands:
    """Deals, or masks of the shape [n, 4], as the contiguous uint64 array that the core reads."""
    rows: Any = layouts
    if not isinstance(rows, np.ndarray):
        rows = [row.masks if isinstance(row, Deal) else row for row in rows]
    try:
        array = np.asarray(rows)
    except (ValueError, OverflowError) as error:
        raise DealError(f"hands are four 52-bit sets for each deal: {error}") from None
    if array.size == 0:
        return np.empty((0, 4), np.uint64)
    if array.ndim != 2 or array.shape[1] != 4:
        raise DealError(f"hands have the shape [deals, 4], not {list(array.shape)}")
    if array.dtype.kind not in "iu" or (array.dtype.kind == "i" and bool((array < 0).any())):
        raise DealError(f"hands are 52-bit sets of cards, not {array.dtype} with such values")
    return np.ascontiguousarray(array, np.uint64)
