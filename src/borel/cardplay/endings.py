"""Endings single dummy: everything that declarer can play for, exactly, with its chance and its first card."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.cardplay.hidden import HiddenHands
from borel.cardplay.reasons import facts_of
from borel.cards import Card, Seat, Strain
from borel.deal import Deal
from borel.errors import BridgeError, DealError

__all__ = ["BestLine", "Ending", "EndingLine"]

MOST_LAYOUTS = 200_000


@dataclass(frozen=True, slots=True)
class EndingLine:
    """One thing to play for: its chance, the cards that begin it, and when it fails, where simple words say it."""

    chance: float
    cards: tuple[Card, ...]
    layouts: int
    fails: str = ""


@dataclass(frozen=True, slots=True)
class BestLine:
    """The best line that was found, none if no plan wins anywhere, and a chance that no line exceeds."""

    line: EndingLine | None
    bound: float
    proved: bool  # the line is the best there is: the time was enough


@dataclass(frozen=True, slots=True)
class Ending:
    """A point of the play with all cards known but who of the defenders holds which.

    >>> ending = Ending(Deal.parse("N:AT2... 965... KJ3... Q87..."), Strain.NT, Seat.S, Seat.S)
    >>> [(round(line.chance, 2), [str(card) for card in line.cards], line.fails) for line in ending.lines(3)][0]
    (0.5, ['S3'], 'West has ♠Q')
    """

    deal: Deal  # the defenders' cards are put together: only their union counts
    strain: Strain
    declarer: Seat
    leader: Seat
    trick: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        sizes = {len(hand) for hand in self.deal}
        if not self.trick and (len(sizes) > 1 or 0 in sizes):
            raise DealError("an ending has four hands of the same length: give the defenders' cards in any way")

    @property
    def unseen(self) -> int:
        """The defenders' cards."""
        return self.deal.hand(self.declarer.lho).mask | self.deal.hand(self.declarer.rho).mask

    def layouts(self) -> NDArray[np.uint64]:
        """[n]: every hand that declarer's left-hand opponent may have."""
        hidden = (self.deal.hand(seat) for seat in (self.declarer.lho, self.declarer.rho))
        cards, size = [card for hand in hidden for card in hand], len(self.deal.hand(self.declarer.lho))
        rows = []
        for chosen in combinations(cards, size):
            rows.append(sum(card.mask for card in chosen))
            if len(rows) > MOST_LAYOUTS:
                raise BridgeError(f"more than {MOST_LAYOUTS} layouts of the defenders' cards: too many to be exact")
        return np.array(rows, np.uint64)

    def lines(self, tricks: int, *, every: bool = True, seconds: float | None = None) -> list[EndingLine]:
        """What declarer can play for to take so many more tricks, the best chance first.

        Without ``every`` only the best line is looked for, which is far quicker.
        """
        layouts, start = self._start(tricks)
        limits: dict[str, Any] = {"best_only": not every, "seconds": seconds}
        try:
            found, _, _ = _core.single_dummy(*start, **limits)
        except ValueError as error:
            raise DealError(str(error)) from None
        lines = [self._line(layouts, weight, won, cards) for weight, won, cards in found if won]
        return sorted(lines, key=lambda line: -line.chance)

    def best(self, tricks: int, *, seconds: float | None = None) -> BestLine:
        """The line with the best chance of so many more tricks; when the time is over, between which chances it lies.

        >>> best = Ending(Deal.parse("N:AT2... 965... KJ3... Q87..."), Strain.NT, Seat.S, Seat.S).best(3)
        >>> best.proved, round(best.bound, 2)
        (True, 0.5)
        """
        layouts, start = self._start(tricks)
        limits: dict[str, Any] = {"seconds": seconds}
        try:
            found, bound, proved = _core.best_line(*start, **limits)
        except ValueError as error:
            raise DealError(str(error)) from None
        lines = [self._line(layouts, weight, won, cards) for weight, won, cards in found if won]
        if proved:
            bound = lines[0].chance if lines else 0.0
        return BestLine(lines[0] if lines else None, min(1.0, bound), proved)

    def _start(self, tricks: int) -> tuple[NDArray[np.uint64], tuple[Any, ...]]:
        layouts = self.layouts()
        seen = [self.deal.hand(seat).mask for seat in (self.declarer, self.declarer.partner)]
        seats = int(self.declarer), seen, self.unseen, int(self.strain), int(self.leader)
        trick, weights = [card.index for card in self.trick], np.full(len(layouts), 1 / len(layouts))
        return layouts, (*seats, trick, tricks, layouts, weights)

    def _line(self, layouts: NDArray[np.uint64], weight: float, won: list[int], cards: list[int]) -> EndingLine:
        where = np.zeros(len(layouts), bool)
        where[won] = True
        return EndingLine(
            weight, tuple(Card.of_index(index) for index in cards), len(won), facts_of(self._hidden(layouts), where)
        )

    def _hidden(self, layouts: NDArray[np.uint64]) -> tuple[HiddenHands, Seat, Seat]:
        first, second = self.declarer.lho, self.declarer.rho
        hands = np.zeros((len(layouts), 4), np.uint64)
        hands[:, first], hands[:, second] = layouts, np.uint64(self.unseen) & ~layouts
        return HiddenHands.of(hands, np.full(len(layouts), 1 / len(layouts))), first, second
