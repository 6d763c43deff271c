"""Bidders and tricks that cost nothing, for tests of the arena. Importable in worker processes."""

from __future__ import annotations

import time
from dataclasses import dataclass

from borel import PASS, Auction, Board, Call, Decision, Seat
from borel.arena import Contestant


@dataclass
class Points:
    """Opens 1NT with so many points, raises partner's opening to 3NT with as many less two; otherwise passes."""

    least: int = 12
    system: str = "points"

    def decide(self, view, *, rng):
        auction, hcp = view.auction, view.hand.hcp
        if auction.last_bid is None and hcp >= self.least:
            return Decision(Call.parse("1NT"), f"{hcp} points", f"{self.least}+ points")
        partner = auction.calls_of(view.seat.partner)
        raised = Call.parse("3NT")
        if partner and partner[-1] == Call.parse("1NT") and hcp >= self.least - 2 and auction.is_legal(raised):
            return Decision(raised, f"{hcp} points opposite an opening")
        return Decision(PASS, "no bid")


@dataclass
class Lucky(Points):
    """As points, but by lot opens on any hand."""

    def decide(self, view, *, rng):
        if view.auction.last_bid is None and rng.random() < 0.2:
            return Decision(Call.parse("1NT"), "by lot")
        return super().decide(view, rng=rng)


@dataclass
class Broken(Points):
    """Fails in some way when it holds the two and the ace of clubs and is to make its first call."""

    how: str = "raise"

    def decide(self, view, *, rng):
        if view.hand.mask & 4097 == 4097 and not view.auction.calls_of(view.seat):
            if self.how == "raise":
                raise ZeroDivisionError("an ordinary bug")
            if self.how == "illegal":
                return Decision(Call.parse("X"), "double of nothing") if not view.auction.calls else None
            if self.how == "nothing":
                return None
            if self.how == "hang":
                while True:
                    time.sleep(0.01)
        return super().decide(view, rng=rng)


class Tricks:
    """Declarer's tricks are in proportion to the side's points: quick and deterministic."""

    def tricks(self, board: Board, auctions: list[Auction]) -> list[int]:
        taken = []
        for auction in auctions:
            declarer = auction.contract.declarer
            taken.append(round(sum(board.deal.hand(seat).hcp for seat in declarer.side.seats) / 40 * 13))
        return taken

    def __repr__(self) -> str:
        return "Tricks()"


def tables(hands):
    """The same tricks as `Tricks`, for every strain and declarer."""
    import numpy as np

    from borel import Deal

    out = np.zeros((len(hands), 5, 4), np.int8)
    for row, masks in zip(out, hands.tolist(), strict=True):
        deal = Deal.of_masks(tuple(masks))
        for seat in Seat:
            row[:, seat] = round(sum(deal.hand(s).hcp for s in seat.side.seats) / 40 * 13)
    return out


def sound() -> Points:
    return Points(13)


def light() -> Points:
    return Points(9)


def lucky() -> Lucky:
    return Lucky(12)


def raising() -> Broken:
    return Broken(how="raise")


def illegal() -> Broken:
    return Broken(how="illegal")


def nothing() -> Broken:
    return Broken(how="nothing")


def hanging() -> Broken:
    return Broken(how="hang")


SOUND, LIGHT, LUCKY = Contestant("sound", sound), Contestant("light", light), Contestant("lucky", lucky)
