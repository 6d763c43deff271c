"""Bidding the boards of a file: each record gets the auction that two systems bid on its deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from borel.auction import Auction
from borel.deal import Board
from borel.decision import Bidder
from borel.errors import RecordError
from borel.record import Annotation, Record
from borel.view import BiddingView, Systems

__all__ = ["bid_board", "bid_records"]


def bid_board(
    board: Board, bidders: tuple[Bidder, Bidder], systems: Systems, *, rng: Random
) -> tuple[Auction, tuple[str, ...]]:
    """The auction of a board and what each call meant; the bidders are North-South's and East-West's."""
    auction, meanings = Auction(board.dealer), []
    while not auction.is_over:
        seat = auction.turn
        view = BiddingView(seat, board.deal.hand(seat), auction, board.vulnerability, systems=systems)
        decision = bidders[seat.side].decide(view, rng=rng)
        meanings.append(decision.meaning)
        auction = auction.after(decision.choice)
    return auction, tuple(meanings)


def bid_records(records: Iterable[Record], ns: str, ew: str, *, seed: int = 0) -> Iterator[Record]:
    """The records with new auctions; what came after the old auction (play, result) is left out."""
    from borel.policies.rules import RuleBidder

    bidders = (RuleBidder(ns, theirs=ew), RuleBidder(ew, theirs=ns))
    for position, record in enumerate(records, 1):
        if record.deal is None or not record.deal.is_complete:
            raise RecordError(f"board {record.number or position} has no complete deal to bid")
        usual = Board.numbered(record.number or position, record.deal)
        board = Board(
            record.deal,
            usual.dealer if record.dealer is None else record.dealer,
            usual.vulnerability if record.vulnerability is None else record.vulnerability,
            usual.number,
        )
        auction, meanings = bid_board(board, bidders, Systems(ns, ew), rng=Random(seed))
        yield replace(
            record,
            number=board.number,
            dealer=board.dealer,
            vulnerability=board.vulnerability,
            auction=auction,
            call_notes=tuple(Annotation(text) for text in meanings),
            contract=None,
            passed_out=False,
            cards=(),
            card_notes=(),
            claim=None,
            tricks=None,
            adjusted=False,
            comments=(),
        )
