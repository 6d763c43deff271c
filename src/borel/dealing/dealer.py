"""Dealing: deal number i of a seed, with cards dealt beforehand and conditions, exactly and fast.

Every deal of a seed has a number, and its cards depend on seed and number alone. With a condition the deals are those
of the seed, in the order of their numbers, that satisfy it: none is changed to fit, so the distribution is exactly that
of random deals given the condition, whatever the batch size or the number of threads.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.cards import Hand, Seat
from borel.deal import Deal
from borel.dealing.conditions import Condition, compile_condition
from borel.errors import ConditionError, DealError, ImpossibleError

__all__ = ["MAX_TRIES", "Dealer", "as_deals", "deal", "deal_masks", "deals", "join_predealt"]

MAX_TRIES = 10_000_000
"""Tries for each deal before a condition is given up: a few seconds, and rarer than any hand people practise."""

LARGEST_SEED = 2**64 - 1
_FIRST_BLOCK, _LARGEST_BLOCK = 1 << 8, 1 << 19  # tries between looks at Ctrl-C
_PLAIN_BLOCK = 1 << 16  # deals at once where nothing is asked of them
_SLICE = 1 << 12  # deals turned into Python values at once, so that a block of half a million does not need it all
_SHORT, _LONG = 0.1, 0.4  # seconds: blocks that take less grow, blocks that take more shrink

Predealt = Deal | Mapping[Seat, Hand] | None
Masks = NDArray[np.uint64]

NOTHING = Deal((Hand(0), Hand(0), Hand(0), Hand(0)))


def join_predealt(*parts: Predealt) -> Deal:
    """One partial deal of several: what each seat was given, with no card given twice.

    >>> given = join_predealt({Seat.N: Hand.parse("AK...")}, {Seat.N: Hand.parse("..A.")})
    >>> str(given.hand(Seat.N))
    'AK..A.'
    """
    cards: dict[Seat, list[Hand]] = {seat: [] for seat in Seat}
    for part in parts:
        given = part if isinstance(part, Mapping) else dict(zip(Seat, (part or NOTHING).hands, strict=True))
        for seat, hand in given.items():
            cards[seat].append(hand)
    north, east, south, west = (Hand.of(card for hand in cards[seat] for card in hand) for seat in Seat)
    return Deal((north, east, south, west))


class Dealer:
    """An endless supply of deals: `blocks` gives them as arrays, iteration one by one.

    >>> dealer = Dealer(7, where="hcp(north) >= 20")
    >>> deal = next(iter(dealer))
    >>> deal.hand(Seat.N).hcp >= 20, dealer.found
    (True, 1)
    """

    def __init__(
        self,
        seed: int,
        *,
        where: str | Condition | None = None,
        predealt: Predealt = None,
        max_tries: int = MAX_TRIES,
        threads: int = 1,
        first: int = 0,
    ) -> None:
        if not 0 <= seed <= LARGEST_SEED:
            raise DealError(f"a seed is a number from 0 to {LARGEST_SEED}, not {seed}")
        if max_tries < 1:
            raise DealError(f"the number of tries is at least 1, not {max_tries}")
        if first < 0:
            raise DealError(f"deals are numbered from 0, not {first}")
        self.seed, self.max_tries, self.threads = seed, max_tries, max(1, threads)
        self.condition = compile_condition(where) if isinstance(where, str) else where
        self.predealt = join_predealt(predealt, self.condition.predealt if self.condition else None)
        self.tries = 0
        """Deals looked at so far."""
        self.found = 0
        """Deals given so far."""
        self._next = first
        self._since_last = 0
        self._block = _FIRST_BLOCK

    def block(self, wanted: int) -> tuple[Masks, NDArray[np.uint64]]:
        """Deals [m, 4] with m <= wanted, and their numbers [m], after a bounded number of tries; m may be 0."""
        if self.condition is None or self.condition.is_trivial:
            return self._plain_block(wanted)
        tries, start = min(self._block, self.max_tries - self._since_last), time.perf_counter()
        try:
            masks, numbers, following = _core.search_deals(
                self.condition.core, wanted, self.seed, self._next, tries, self.predealt.masks, self.threads
            )
        except ValueError as error:  # a division by zero, on some deal
            raise ConditionError(str(error), self.condition.text) from None
        self._resize(time.perf_counter() - start)
        self.tries += following - self._next
        self.found += len(numbers)
        self._since_last = following - 1 - int(numbers[-1]) if len(numbers) else self._since_last + tries
        self._next = following
        if self._since_last >= self.max_tries and len(numbers) < wanted:
            raise ImpossibleError(
                f"the condition was not met in {self.max_tries:,} tries after {self.found:,} deals had been found: "
                f"{self.condition.text.strip()[:80]!r}"
            )
        return masks, numbers

    def _resize(self, seconds: float) -> None:
        """Double-dummy conditions are thousands of times slower than others: go by the clock."""
        if seconds < _SHORT:
            self._block = min(4 * self._block, _LARGEST_BLOCK)
        elif seconds > _LONG:
            self._block = max(self._block // 4, 1)

    def _plain_block(self, wanted: int) -> tuple[Masks, NDArray[np.uint64]]:
        count = min(wanted, _PLAIN_BLOCK)
        masks = _core.deal(count, self.seed, self._next, self.predealt.masks)
        numbers = np.arange(self._next, self._next + count, dtype=np.uint64)
        self._next += count
        self.tries += count
        self.found += count
        return masks, numbers

    def blocks(self, count: int) -> Iterator[Masks]:
        """So many deals in arrays [m, 4] of 52-bit sets; some arrays are empty while the search goes on."""
        left = count
        while left > 0:
            masks, _ = self.block(left)
            left -= len(masks)
            yield masks

    def deals(self, count: int) -> Iterator[Deal]:
        """So many deals, one by one."""
        for masks in self.blocks(count):
            yield from as_deals(masks)

    def __iter__(self) -> Iterator[Deal]:
        while True:
            yield from self.deals(1)


def as_deals(masks: Masks) -> Iterator[Deal]:
    """The deals of an array [n, 4] of 52-bit sets.

    >>> next(as_deals(deal_masks(1, 7))) == deal(7, 0)
    True
    """
    for start in range(0, len(masks), _SLICE):
        for row in masks[start : start + _SLICE].tolist():
            yield Deal.of_masks(row)


def deal(seed: int, number: int, *, predealt: Predealt = None) -> Deal:
    """Deal number `number` of a seed.

    >>> deal(7, 0) == next(deals(1, 7)), deal(7, 3) == list(deals(5, 7))[3]
    (True, True)
    """
    masks, _ = Dealer(seed, predealt=predealt, first=number).block(1)
    return Deal.of_masks(masks[0].tolist())


def deal_masks(
    count: int,
    seed: int,
    *,
    where: str | Condition | None = None,
    predealt: Predealt = None,
    max_tries: int = MAX_TRIES,
    threads: int = 1,
) -> Masks:
    """A batch of deals as 52-bit sets [count, 4], N E S W.

    >>> batch = deal_masks(1000, 7, where="spades(west) >= 7")
    >>> batch.shape, batch.dtype
    ((1000, 4), dtype('uint64'))
    """
    dealer = Dealer(seed, where=where, predealt=predealt, max_tries=max_tries, threads=threads)
    blocks = list(dealer.blocks(count))
    return np.concatenate(blocks) if blocks else np.empty((0, 4), dtype=np.uint64)


def deals(
    count: int,
    seed: int,
    *,
    where: str | Condition | None = None,
    predealt: Predealt = None,
    max_tries: int = MAX_TRIES,
    threads: int = 1,
) -> Iterator[Deal]:
    """So many deals of a seed, those that satisfy a condition if one is given, around the cards already dealt.

    >>> from borel import Suit
    >>> strong = deals(3, 1, where="hcp(north) >= 20", predealt={Seat.S: Hand.parse("AKQ...")})
    >>> [(d.hand(Seat.N).hcp >= 20, d.hand(Seat.S).holding(Suit.S)[:3]) for d in strong]
    [(True, 'AKQ'), (True, 'AKQ'), (True, 'AKQ')]
    """
    yield from Dealer(seed, where=where, predealt=predealt, max_tries=max_tries, threads=threads).deals(count)
