"""How a written system bids a pair's hands when the opponents pass: a teacher for Q-tables, and their yardstick.

Many deals are bid at once: those that have had the same auction so far are at one point of it, which is read once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borel.learning.lab.pairs import PairDeals, score_table
from borel.sampling.rules import last_resort
from borel.systems import Position, System
from borel.systems.hand import features_of_batch
from borel.systems.position import start_of

__all__ = ["NO_CALL", "bid_on", "hands_of", "lessons", "silent_auctions", "silent_scores"]

Features = NDArray[np.float32]  # [n, features]
NO_CALL = 255  # after the end of an auction
LONGEST = 14  # calls of the pair: more than any auction of a sound system


def silent_auctions(system: System, opener: NDArray[np.uint64], responder: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """[n, 14]: the pair's calls on [n] and [n] hands, opponents silent, nobody vulnerable; 255 after the last."""
    hands = (features_of_batch(opener, wide=system.wide), features_of_batch(responder, wide=system.wide))
    return bid_on(start_of((system, system), (False, False)), hands)


def bid_on(start: Position, hands: tuple[Features, Features], *, opened: bool = False) -> NDArray[np.uint8]:
    """[n, 14]: the pair's calls from a point of an auction on, of the hands to call first and their partners'.

    ``opened``: whether somebody of the pair has called before, so that a pass ends the auction.
    """
    bid = np.full((len(hands[0]), LONGEST), NO_CALL, np.uint8)
    waiting: list[tuple[Position, NDArray[np.int64], int]] = [(start, np.arange(len(bid)), 0)]
    while waiting:
        position, rows, made = waiting.pop()
        calls = position.calls_of_batch(hands[made % 2][rows])
        calls[calls < 0] = last_resort(position)
        calls[calls < 3] = 0  # there is nobody to double
        bid[rows, made] = calls
        for call in np.unique(calls).tolist():
            is_over = call == 0 and (opened or made > 0)
            if not is_over and made + 1 < LONGEST:
                waiting.append((position.after(call).after(0), rows[calls == call], made + 1))
    return bid


def silent_scores(bid: NDArray[np.uint8], tricks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """[n]: what auctions [n, calls] score with [n, 2, 5] tricks of opener and responder as declarers."""
    table = score_table()
    made = np.where(bid == NO_CALL, 0, bid).astype(np.int64)
    last = made.max(axis=1)
    same = (made >= 3) & ((made - last[:, None]) % 5 == 0)
    declarer = same.argmax(axis=1) % 2  # who of the pair named the strain first (Law 54)
    strain = np.where(last >= 3, (last - 3) % 5, 0)
    return np.where(last >= 3, table[last, tricks[np.arange(len(bid)), declarer, strain]], 0).astype(np.float32)


def lessons(bid: NDArray[np.uint8], calls: int) -> NDArray[np.uint8]:
    """[n, calls]: the auctions that a pair of so many calls can follow to the end; the others are all 255."""
    short, rest = bid[:, :calls].copy(), bid[:, calls:]
    passed = rest[:, :1] == 0  # a pass after the last call that a pair can make is added for it (9.1)
    rest = np.where(np.arange(rest.shape[1]) == 0, np.where(passed, NO_CALL, rest), rest)
    short[(rest != NO_CALL).any(axis=1)] = NO_CALL
    return short


def hands_of(deals: PairDeals, masks: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Opener's and responder's cards, given [boards, 4] hands."""
    return masks[deals.boards, deals.openers], masks[deals.boards, (deals.openers + 2) % 4]
