"""A suit by itself: the best way to play it for so many tricks, and its chance, as books of suit combinations have it.

Entries are plentiful, as in those books: declarer leads every round from whichever hand he likes. Every layout of the
missing cards counts with its exact a-priori chance, and the defenders see all cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.cards import SUIT_MASK, Card, Hand, Rank, Seat, Strain, Suit
from borel.errors import BridgeError, DealError

__all__ = ["SuitLine", "suit_combination", "suit_line"]

SUIT = Suit.S
MOST_MISSING = 10


@dataclass(frozen=True, slots=True)
class SuitLine:
    """One way to play a suit: from which hand which card is led, and what the other hand then plays on a low card."""

    tricks: int
    chance: float
    hand: str  # "dummy" or "hand"
    lead: str
    then: str  # the card of the other hand when the second hand plays low; empty where there is none
    west: tuple[str, ...]  # holdings of declarer's left-hand opponent against which it wins, small cards as x

    def __str__(self) -> str:
        if not self.lead:
            return f"{self.tricks} tricks: {self.chance:.1%}"
        to = "" if not self.then else f" to the {self.then}"
        return f"{self.tricks} tricks: {self.chance:.1%}, lead the {self.lead} from {self.hand}{to}"


def suit_combination(dummy: str, hand: str) -> list[SuitLine]:
    """The best line for every number of tricks that is possible and not certain, most tricks first.

    >>> for line in suit_combination("AQ", "32"): print(line)
    2 tricks: 50.0%, lead the 2 from hand to the Q
    1 tricks: 100.0%, lead the 2 from hand to the Q
    """
    lines = []
    if not _ranks(dummy) + _ranks(hand):
        raise BridgeError("a suit combination needs cards")
    for tricks in range(max(len(_ranks(dummy)), len(_ranks(hand))), 0, -1):
        line = suit_line(dummy, hand, tricks)
        if line is not None:
            lines.append(line)
            if line.chance > 1 - 1e-9:
                break
    return lines


def suit_line(dummy: str, hand: str, tricks: int) -> SuitLine | None:
    """The best line for so many tricks; None where no layout allows them."""
    board = _Board(dummy, hand)
    found = board.lines(tricks)
    chance, won, cards = max(found, key=lambda line: line[0], default=(0.0, [], []))
    if not won:
        return None
    lead = board.preferred(cards) if cards else None
    if lead is None:
        return SuitLine(tricks, min(1.0, chance), "", "", "", board.holdings(won))
    from_dummy = bool(board.dummy & lead.mask)
    then = board.third_hand(lead, tricks)
    return SuitLine(
        tricks, min(1.0, chance), "dummy" if from_dummy else "hand", lead.rank.letter, then, board.holdings(won)
    )


Found = tuple[float, list[int], list[int]]


class _Board:
    """South declares, North is dummy; hands are filled up with cards of other suits, which are only discards."""

    def __init__(self, dummy: str, hand: str) -> None:
        self.dummy, self.hand = _ranks_mask(dummy), _ranks_mask(hand)
        if self.dummy & self.hand:
            raise DealError(f"a card is in both hands: {dummy} opposite {hand}")
        held = self.dummy | self.hand
        self.missing = [Card(SUIT, Rank(r)) for r in range(12, -1, -1) if not held >> (13 * SUIT + r) & 1]
        if len(self.missing) > MOST_MISSING:
            raise BridgeError(f"{len(self.missing)} cards are missing: {MOST_MISSING} at most, give small cards too")
        rounds = max(self.dummy.bit_count(), self.hand.bit_count())
        self.size = max(rounds, len(self.missing))
        self.fill = [Card(s, r) for s in (Suit.H, Suit.C) for r in Rank][: 2 * self.size - len(self.missing)]
        self.layouts, self.weights = self._layouts()

    def _layouts(self) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        west, weights, m = [], [], len(self.missing)
        for chosen in chain.from_iterable(combinations(self.missing, k) for k in range(m + 1)):
            if len(chosen) > 13 or m - len(chosen) > 13:
                continue
            filler = self.fill[: self.size - len(chosen)]
            west.append(sum(card.mask for card in (*chosen, *filler)))
            weights.append(comb(26 - m, 13 - len(chosen)) / comb(26, 13))
        return np.array(west, np.uint64), np.array(weights)

    def lines(self, tricks: int, lead: Card | None = None, second: Card | None = None) -> list[Found]:
        """What can be played for: from the start, or after a lead and the second hand's card."""
        dummy, hand = self.dummy, self.hand
        unseen = sum(card.mask for card in (*self.missing, *self.fill))
        layouts, weights, trick, leader = self.layouts, self.weights, list[int](), Seat.S
        if lead is not None and second is not None:
            leader = Seat.N if dummy & lead.mask else Seat.S
            dummy, hand = dummy & ~lead.mask, hand & ~lead.mask
            trick, unseen = [lead.index, second.index], unseen & ~second.mask
            has = layouts & np.uint64(second.mask) != 0
            able = has if leader is Seat.S else ~has
            layouts, weights = layouts[able], weights[able]
            if leader is Seat.S:
                layouts = layouts & ~np.uint64(second.mask)
        short, other = Suit.D, Suit.C
        dummy |= _filler(other, self.size - dummy.bit_count(), taken=unseen)
        hand |= _filler(short, self.size - hand.bit_count(), taken=unseen)
        found, _, _ = _core.single_dummy(
            int(Seat.S), [hand, dummy], unseen, int(Strain.NT), int(leader), trick, tricks,
            np.ascontiguousarray(layouts), np.ascontiguousarray(weights), free_suit=int(SUIT),
        )  # fmt: skip
        return found

    def preferred(self, cards: list[int]) -> Card:
        """Of several first cards of the same plan the one that a book would name: the lowest, from declarer's hand."""
        leads = [self._lowest_equal(Card.of_index(index)) for index in cards]
        return min(leads, key=lambda card: (card.rank, bool(self.dummy & card.mask)))

    def _lowest_equal(self, card: Card) -> Card:
        held = self.dummy if self.dummy & card.mask else self.hand
        rank = int(card.rank)
        while rank and held >> (13 * SUIT + rank - 1) & 1:
            rank -= 1
        return Card(SUIT, Rank(rank))

    def third_hand(self, lead: Card, tricks: int) -> str:
        """What the hand opposite plays when the second hand has played its lowest missing card."""
        if not self.missing or not (self.hand if self.dummy & lead.mask else self.dummy):
            return ""
        found = self.lines(tricks, lead, self.missing[-1])
        if not found:
            return ""
        cards = [Card.of_index(index) for index in max(found, key=lambda line: line[0])[2]]
        suit = [card for card in cards if card.suit is SUIT]
        return min(map(self._lowest_equal, suit), key=lambda card: card.rank).rank.letter if suit else ""

    def holdings(self, won: list[int]) -> tuple[str, ...]:
        """West's holdings in the layouts won, cards below all of declarer's that matter written x."""
        small = _small(self.dummy | self.hand)
        texts: dict[str, None] = {}
        for i in won:
            ranks = int(self.layouts[i]) >> 13 * SUIT & SUIT_MASK
            letters = [Rank(r).letter if r >= small else "x" for r in range(12, -1, -1) if ranks >> r & 1]
            texts["".join(letters) or "—"] = None
        return tuple(sorted(texts, key=lambda text: (len(text), text)))


def _small(mask: int) -> int:
    """Below this rank missing cards are alike: nothing of declarer's side is smaller, or below the ten at most."""
    held = [r for r in range(13) if mask >> (13 * SUIT + r) & 1]
    return max(min(held, default=0), int(Rank.TEN) - 1) if held else 0


def _filler(suit: Suit, count: int, taken: int) -> int:
    cards = [Card(suit, rank) for rank in Rank if not Card(suit, rank).mask & taken]
    return sum(card.mask for card in cards[: max(0, count)])


def _ranks(text: str) -> str:
    return text.strip().replace("10", "T").replace("-", "").replace("—", "").upper()


def _ranks_mask(text: str) -> int:
    return Hand.parse(f"{_ranks(text)}...").mask
