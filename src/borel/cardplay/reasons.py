"""A set of layouts in words: what a plan caters to, and what it cannot stand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from borel.cardplay.hidden import HiddenHands
from borel.cards import Card, Rank, Seat, Suit
from borel.view import PlayView

__all__ = ["caters_to", "facts_of"]

HONOURS = (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK)
Layouts = NDArray[np.bool_]


def caters_to(view: PlayView, hidden: HiddenHands, won: Layouts) -> str:
    """Words such as ``: loses when West has ♠Q``; nothing where no simple reason separates the two kinds of layouts."""
    if won.all():
        return ": whatever the lie of the cards"
    declarer = view.contract.declarer
    words = facts_of((hidden, declarer.lho, declarer.rho), won)
    return f": loses when {words}" if words else ""


def facts_of(where_from: tuple[HiddenHands, Seat, Seat], won: Layouts) -> str:
    """The simple fact about two hidden hands that best tells the lost layouts from the won ones; empty if none does."""
    if won.all() or not won.any():
        return ""
    hidden, first, second = where_from
    best, words = 0.0, ""
    for text, where in _simple_facts(hidden, first, second):
        if not where.any() or where.all():
            continue
        # A good reason: lost nearly always where it holds, and hardly ever elsewhere.
        lost_there, lost_elsewhere = hidden.chance(where & ~won), hidden.chance(~where & ~won)
        kept_there = hidden.chance(where & won)
        worth = lost_there - lost_elsewhere - 2 * kept_there
        if worth > best:
            best, words = worth, text
    return words


def _simple_facts(hidden: HiddenHands, first: Seat, second: Seat) -> Iterator[tuple[str, Layouts]]:
    """Where a missing honour lies, and how a suit breaks."""
    for suit in Suit:
        for rank in HONOURS:
            mask = np.uint64(Card(suit, rank).mask)
            for seat in (first, second):
                yield f"{seat.word} has {suit.symbol}{rank.letter}", hidden.held[:, seat] & mask != 0
        lengths = {seat: _lengths(hidden, seat, suit) for seat in (first, second)}
        for seat in (first, second):
            for length in range(14):
                yield f"{seat.word} has {length}{suit.symbol}", lengths[seat] == length
                yield f"{seat.word} has {length} or more {suit.symbol}", lengths[seat] >= length
        longest = np.maximum(lengths[first], lengths[second])
        for length in range(2, 14):
            yield f"{suit.word} break {length} or more in one hand", longest >= length


def _lengths(hidden: HiddenHands, seat: Seat, suit: Suit) -> NDArray[np.int64]:
    ranks = hidden.held[:, seat] >> np.uint64(13 * suit) & np.uint64(0x1FFF)
    return np.array([int(mask).bit_count() for mask in ranks], np.int64)
