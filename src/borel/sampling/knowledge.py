"""What a view says about the hidden hands, before anybody's calls are read: cards seen, suits shown out of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.cards import Hand, Rank, Seat, Suit
from borel.deal import Deal
from borel.errors import ImpossibleError
from borel.sampling.limits import ANY_HAND, HandLimits
from borel.view import BiddingView, PlayView, played_by

__all__ = ["Knowledge", "Layouts", "View", "knowledge_of"]

View = BiddingView | PlayView
Four = tuple[int, int, int, int]
Alternatives = tuple[HandLimits, ...]  # a hand satisfies one of them at least
MOST_CASES = 48  # combinations of alternatives that are counted one by one; beyond, the widest are joined


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Cards that each seat surely has or lacks (52-bit sets, N E S W), and what each may otherwise be.

    >>> knowledge = Knowledge.of(Deal.parse("N:AQ5.KJ92.87.AT43 - 964.A3.AKJ52.K52 -"))
    >>> split = knowledge.limited({Seat.E: [HandLimits.of(D=(3, 3))]})
    >>> round(split.layouts().count() / knowledge.layouts().count(), 4), split.hidden
    (0.3553, (Seat.E, Seat.W))
    """

    fixed: Four
    forbidden: Four = (0, 0, 0, 0)
    limits: tuple[Alternatives, Alternatives, Alternatives, Alternatives] = ((ANY_HAND,),) * 4

    @classmethod
    def of(cls, deal: Deal) -> Knowledge:
        """What is known when the cards of an unfinished deal are known and nothing else."""
        n, e, s, w = (hand.mask for hand in deal.hands)
        return cls((n, e, s, w))

    @property
    def hidden(self) -> tuple[Seat, ...]:
        """The seats some of whose cards are unknown."""
        return tuple(seat for seat in Seat if self.fixed[seat].bit_count() < 13)

    def limited(self, limits: Mapping[Seat, Sequence[HandLimits]]) -> Knowledge:
        """Also satisfying one of the alternatives given for each seat."""
        parts = []
        for seat in Seat:
            both = [mine.both(more) for mine in self.limits[seat] for more in limits.get(seat, (ANY_HAND,))]
            kept = tuple(dict.fromkeys(limit for limit in both if not limit.is_empty))
            parts.append(kept or (both[0],))  # contradictory: kept as it is, and no layout fits it
        return replace(self, limits=(parts[0], parts[1], parts[2], parts[3]))

    def lacking(self, seat: Seat, cards: Hand) -> Knowledge:
        """Also: this seat does not have these cards."""
        forbidden = list(self.forbidden)
        forbidden[seat] |= cards.mask
        return replace(self, forbidden=(forbidden[0], forbidden[1], forbidden[2], forbidden[3]))

    def layouts(self) -> Layouts:
        """The layouts that fit."""
        return Layouts(self)


class Layouts:
    """Every layout that fits what is known, equally likely: to be counted and drawn, without rejection."""

    def __init__(self, knowledge: Knowledge) -> None:
        knowledge = self.knowledge = placed_honours(knowledge)
        rows = [[limits.numbers() for limits in case] for case in cases(knowledge)]
        self._dealer = _core.LayoutDealer(
            list(knowledge.fixed), list(knowledge.forbidden), np.array(rows, dtype=np.int8)
        )
        self._counts: list[float] = self._dealer.counts()

    @property
    def is_empty(self) -> bool:
        """Whether no layout fits."""
        return not any(self._counts)

    def count(self) -> float:
        """How many layouts fit: exact up to rounding; alternatives that overlap count twice, aces and kings do not."""
        return sum(self._counts)

    def draw(self, count: int, seed: int, first: int = 0) -> NDArray[np.uint64]:
        """[count, 4]: the layouts numbered first, first + 1, ... of a seed, as sets of cards N E S W."""
        if self.is_empty:
            raise ImpossibleError(f"no layout fits {describe(self.knowledge)}")
        try:
            return self._dealer.draw(count, seed, first)
        except ValueError as error:  # suit lengths fit, but never with the aces and kings asked for
            raise ImpossibleError(f"{error}: {describe(self.knowledge)}") from None

    def chance(self, more: Mapping[Seat, Sequence[HandLimits]]) -> float:
        """The exact probability that the hidden hands satisfy further limits too."""
        if self.is_empty:
            raise ImpossibleError(f"no layout fits {describe(self.knowledge)}")
        return Layouts(self.knowledge.limited(more)).count() / self.count()


def placed_honours(knowledge: Knowledge) -> Knowledge:
    """With the aces and kings that a hand must have, or cannot have, put in their place: so they need no luck."""
    fixed, forbidden = list(knowledge.fixed), list(knowledge.forbidden)
    for rank, name in ((Rank.ACE, "aces"), (Rank.KING, "kings")):
        honours = sum(1 << 13 * suit + rank for suit in Suit)
        for seat in knowledge.hidden:
            left = honours & ~(fixed[0] | fixed[1] | fixed[2] | fixed[3])
            ranges = [getattr(limits, name) for limits in knowledge.limits[seat]]
            held = (fixed[seat] & honours).bit_count()
            if min(low for low, _ in ranges) - held == left.bit_count() > 0 and not left & forbidden[seat]:
                fixed[seat] |= left
            elif max(high for _, high in ranges) <= held:
                forbidden[seat] |= left
    if any(mask.bit_count() > 13 for mask in fixed):
        return knowledge
    four = (fixed[0], fixed[1], fixed[2], fixed[3])
    return replace(knowledge, fixed=four, forbidden=(forbidden[0], forbidden[1], forbidden[2], forbidden[3]))


def cases(knowledge: Knowledge) -> list[tuple[HandLimits, ...]]:
    """One limit for each seat, in every combination; where there are too many, those of a seat are joined."""
    alternatives: list[Sequence[HandLimits]] = [
        knowledge.limits[seat] if seat in knowledge.hidden else (ANY_HAND,) for seat in Seat
    ]
    while np.prod([len(part) for part in alternatives]) > MOST_CASES:
        widest = max(Seat, key=lambda seat: len(alternatives[seat]))
        alternatives[widest] = (hull(alternatives[widest]),)
    return list(product(*alternatives))


def hull(alternatives: Sequence[HandLimits]) -> HandLimits:
    """The narrowest limits around several."""
    every = zip(*(limits.ranges for limits in alternatives), strict=True)
    return HandLimits.of_ranges((min(a for a, _ in ranges), max(b for _, b in ranges)) for ranges in every)


def describe(knowledge: Knowledge) -> str:
    """The limits of the hidden hands in words, for messages."""
    parts = (f"{seat.word}: {' or '.join(map(str, knowledge.limits[seat]))}" for seat in knowledge.hidden)
    return "; ".join(parts)


def knowledge_of(view: View) -> Knowledge:
    """The cards a view shows: its own, dummy's, those played; and the suits that hidden hands have shown out of."""
    if isinstance(view, BiddingView):
        fixed = [0, 0, 0, 0]
        fixed[view.seat] = view.hand.mask
        return Knowledge((fixed[0], fixed[1], fixed[2], fixed[3]))
    knowledge = Knowledge.of(view.known_play().deal)
    return knowledge.limited({seat: [_shown_out(view, seat)] for seat in knowledge.hidden})


def _shown_out(view: PlayView, seat: Seat) -> HandLimits:
    """A hand that did not follow suit has no more of that suit than it has played."""
    held = [0, 0, 0, 0]
    longest = [13, 13, 13, 13]
    players = played_by(view.contract, view.played)
    for i, (player, card) in enumerate(zip(players, view.played, strict=True)):
        led = view.played[i - i % 4].suit
        if player is seat:
            held[card.suit] += 1
            if card.suit is not led:
                longest[led] = held[led]
    c, d, h, s = ((0, most) for most in longest)
    return HandLimits((c, d, h, s))
