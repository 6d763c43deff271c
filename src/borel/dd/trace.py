"""What every card of a play was worth, and what each mistake cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from borel import _core
from borel.cards import Card, Seat
from borel.dd.batch import DeadlineError
from borel.errors import BridgeError, DealError
from borel.play import Play
from borel.view import played_by

__all__ = ["HasPlay", "PlayedCard", "Trace", "play_trace"]


class HasPlay(Protocol):
    """A record of a board: something with a play, if there was one."""

    @property
    def play(self) -> Play | None:
        """The play, where there was a contract."""


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card as it was played: declarer's tricks with best play after it, and the tricks it cost the side that did."""

    seat: Seat
    card: Card
    declarer_tricks: int
    cost: int


@dataclass(frozen=True, slots=True)
class Trace:
    """The double-dummy value of a play, card by card.

    ``tricks[k]`` are declarer's tricks in all, with best play by everyone after ``k`` cards.

    >>> from borel.auction import Contract
    >>> from borel.deal import Deal
    >>> deal = Deal.parse("N:AQ... 54... 32... KJ...")
    >>> trace = play_trace(Play(deal, Contract.parse("1NT by S")).after("SJ").after("SA"))
    >>> trace.tricks, [str(played.card) for played in trace.mistakes]
    ((2, 2, 1), ['SA'])
    """

    play: Play
    tricks: tuple[int, ...]

    def __iter__(self) -> Iterator[PlayedCard]:
        declaring = self.play.contract.side
        for turn, (seat, card) in enumerate(
            zip(played_by(self.play.contract, self.play.cards), self.play.cards, strict=True)
        ):
            before, after = self.tricks[turn : turn + 2]
            yield PlayedCard(seat, card, after, before - after if seat.side is declaring else after - before)

    @property
    def mistakes(self) -> tuple[PlayedCard, ...]:
        """The cards that cost a trick or more, in the order played."""
        return tuple(played for played in self if played.cost)

    def cost(self, *seats: Seat) -> int:
        """The tricks that these seats gave away; declarer answers for dummy's cards only if dummy is named."""
        return sum(played.cost for played in self if played.seat in seats)


def play_trace(play: Play | HasPlay, *, seconds: float | None = None, memory_mb: int = 160) -> Trace:
    """Declarer's tricks with best play, before the first card and after each. All four hands must be known."""
    if not isinstance(play, Play):
        found = play.play
        if found is None:
            raise BridgeError("the record has no contract, so nothing was played")
        play = found
    hands = np.array(play.deal.masks, np.uint64)
    cards = np.array([card.index for card in play.cards], np.uint8)
    try:
        tricks = _core.dd_play_trace(
            hands, int(play.strain), int(play.contract.leader), cards, memory_mb=memory_mb, seconds=seconds
        )
    except ValueError as error:
        raise DealError(str(error)) from None
    except TimeoutError:
        raise DeadlineError(seconds or 0.0, np.empty(0, np.int8), np.zeros(1, bool)) from None
    return Trace(play, tuple(np.asarray(tricks).tolist()))
