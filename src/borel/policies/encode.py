"""What a network sees: 480 numbers, each zero or one, in the layout of OpenSpiel's bridge without its phase bits.

The layout is the one of Lockhart et al. (2020), 3.1, with the vulnerability filled in; it has perfect recall, and the
cards come last, so that a network can look at many hands in one auction at the cost of the cards alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.auction import Auction
from borel.cards import Side
from borel.deal import Vulnerability
from borel.view import BiddingView

__all__ = ["CALLS", "CARDS", "FIELDS", "SIZE", "VERSION", "auction_row", "card_rows", "legal_row", "observation"]

VERSION = 1
SIZE = 480
CALLS = 38
FIELDS: dict[str, slice] = {
    "ours vulnerable": slice(0, 2),  # no, yes
    "theirs vulnerable": slice(2, 4),
    "passed before the opening bid": slice(4, 8),  # the seat itself, left, partner, right
    "bid, doubled, redoubled": slice(8, 428),  # for each of 35 bids the four who bid, doubled and redoubled it
    "cards": slice(428, 480),  # 4 * rank + suit
}
CARDS = FIELDS["cards"]

Rows = NDArray[np.float32]


def observation(view: BiddingView) -> Rows:
    """[480]: what the seat sees.

    >>> from borel import Auction, Hand, Seat, Vulnerability
    >>> row = observation(BiddingView(Seat.N, Hand.parse("AKQ.AKQ.AKQ.AKQJ"), Auction(Seat.N), Vulnerability.NS))
    >>> [int(row[field].sum()) for field in FIELDS.values()], row[FIELDS["ours vulnerable"]].tolist()
    ([1, 1, 0, 0, 13], [0.0, 1.0])
    """
    row = auction_row(view.auction, view.seat.side, view.vulnerability)
    row[CARDS] = card_rows(np.array([view.hand.mask], dtype=np.uint64))[0]
    return row


def auction_row(auction: Auction, ours: Side, vulnerability: Vulnerability) -> Rows:
    """[480]: what the seat to call sees of an auction, without its cards."""
    calls, lengths = _as_row(auction)
    vulnerable = np.array([[vulnerability.includes(ours), vulnerability.includes(ours.other)]])
    row: Rows = _core.observations(np.zeros(1, np.uint64), calls, lengths, vulnerable)[0]
    return row


def card_rows(hands: NDArray[np.uint64]) -> Rows:
    """[n, 52]: the cards of each hand, in the network's order."""
    cards = np.array([13 * suit + rank for rank in range(13) for suit in range(4)], dtype=np.uint64)
    return np.asarray((hands[:, None] >> cards) & np.uint64(1), dtype=np.float32)


def legal_row(auction: Auction) -> NDArray[np.bool_]:
    """[38]: which calls are legal."""
    row: NDArray[np.bool_] = _core.legal_calls(*_as_row(auction))[0]
    return row


def _as_row(auction: Auction) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    calls = np.array([[call.index for call in auction.calls]], dtype=np.uint8).reshape(1, -1)
    return calls, np.array([len(auction)], dtype=np.int32)
