"""A very small bidding system, for tests of what only needs some model of the players: openings, raises, passes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.auction import Auction, Call
from borel.cards import Seat
from borel.deal import Vulnerability
from borel.sampling import ANY_HAND, HandLimits

BALANCED = dict.fromkeys("CDHS", (2, 5))
OPENINGS = {
    "1NT": HandLimits.of(hcp=(15, 17), **BALANCED),
    "1S": HandLimits.of(hcp=(12, 21), S=(5, 13)),
    "1H": HandLimits.of(hcp=(12, 21), H=(5, 13)),
    "2S": HandLimits.of(hcp=(5, 10), S=(6, 7)),
    "1D": HandLimits.of(hcp=(12, 21), D=(4, 13)),
    "1C": HandLimits.of(hcp=(12, 21)),
    "2C": HandLimits.of(hcp=(22, 37)),
}
ANSWERS = {
    "1S": {"4S": HandLimits.of(hcp=(12, 37), S=(3, 13)), "2S": HandLimits.of(hcp=(6, 11), S=(3, 13))},
    "1NT": {"3NT": HandLimits.of(hcp=(10, 15), **BALANCED), "2S": HandLimits.of(S=(5, 13), hcp=(0, 9))},
}


class SmallSystem:
    """The first rule whose limits admit the hand; otherwise pass. With ``whims`` any call may come from any hand."""

    def __init__(self, whims: float = 0.0) -> None:
        self.whims = whims

    def encode(self, hands: NDArray[np.uint64]) -> NDArray[np.float32]:
        return _core.hand_numbers(hands).astype(np.float32)

    def probabilities(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability
    ) -> NDArray[np.float64]:
        policy = np.full((len(rows), 38), self.whims / 38)
        left = np.ones(len(rows), dtype=np.bool_)
        for name, limits in rules(auction).items():
            call = Call.parse(name)
            if auction.is_legal(call):
                mine = left & (limits.distances(rows.astype(np.int8)) == 0)
                policy[mine, call.index] += 1 - self.whims
                left &= ~mine
        policy[left, 0] += 1 - self.whims
        return policy


def rules(auction: Auction) -> dict[str, HandLimits]:
    """Openings; answers to partner's opening when the opponents are silent."""
    if auction.last_bid is None:
        return OPENINGS
    bids = [call for call in auction.calls if call.is_bid]
    partner = auction.calls[-2] if len(auction) > 1 else None
    return ANSWERS.get(str(partner), {}) if len(bids) == 1 and bids[0] == partner else {}


def shown(auction: Auction) -> dict[Seat, list[HandLimits]]:
    """What each seat's calls leave, wide enough for every hand that would make them."""
    result = {}
    for seat in Seat:
        limits = ANY_HAND
        for i, call in enumerate(auction.calls):
            if auction.seat_of(i) is seat:
                before = Auction(auction.dealer, auction.calls[:i])
                table = rules(before)
                if call.is_bid and str(call) in table:
                    limits = limits.both(table[str(call)])
                elif not call.is_bid and table is OPENINGS:
                    limits = limits.both(HandLimits.of(hcp=(0, 11)))
        result[seat] = [limits]
    return result
