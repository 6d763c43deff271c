"""Auctions that were really held, as data to learn from: records of any format that have a whole auction."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from borel.bidding.tables import LONGEST, Tables
from borel.cards import Side
from borel.errors import BridgeError
from borel.record import Record

__all__ = ["boards_of"]


def boards_of(records: Iterable[Record]) -> Tables:
    """The records that have all four hands and a finished auction; where the vulnerability is unknown, nobody is."""
    kept = [record for record in records if _is_whole(record)]
    if not kept:
        raise BridgeError("no record has all four hands and a finished auction")
    hands = np.array([[hand.mask for hand in record.deal.hands] for record in kept if record.deal], np.uint64)
    dealers = np.array([record.auction.dealer for record in kept if record.auction], np.int8)
    vulnerable = np.array(
        [[record.vulnerability is not None and record.vulnerability.includes(side) for side in Side] for record in kept]
    )
    tables = Tables.start(hands, dealers, vulnerable)
    for row, record in enumerate(kept):
        calls = record.auction.calls if record.auction else ()
        tables.calls[row, : len(calls)] = [call.index for call in calls]
        tables.lengths[row] = len(calls)
    return tables


def _is_whole(record: Record) -> bool:
    if record.deal is None or record.auction is None:
        return False
    return record.deal.is_complete and record.auction.is_over and len(record.auction.calls) <= LONGEST
