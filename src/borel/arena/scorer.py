"""What an auction is worth: declarer's tricks double dummy, or as card players take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from borel import dd
from borel.arena.table import Table
from borel.auction import Auction
from borel.cards import Card, Seat
from borel.clock import processor_time
from borel.deal import Board
from borel.play import Play
from borel.policies.spec import card_player
from borel.scoring import ns_score
from borel.view import Systems

__all__ = ["DoubleDummy", "Outcome", "PlayedOut", "Scorer", "ns_scores", "outcomes"]


class Scorer(Protocol):
    """Tells how many tricks declarer takes."""

    def tricks(self, board: Board, auctions: Sequence[Auction]) -> list[int]:
        """Declarer's tricks in the contract of each auction; none is passed out."""
        ...


@dataclass(frozen=True, slots=True)
class DoubleDummy:
    """Best play by all four with all cards in sight."""

    def tricks(self, board: Board, auctions: Sequence[Auction]) -> list[int]:
        """Declarer's tricks, each strain and declarer solved once."""
        contracts = [auction.contract for auction in auctions]
        wanted = {(contract.strain, contract.declarer): contract.leader for contract in contracts if contract}
        found = {key: 13 - dd.solve(board.deal, key[0], leader) for key, leader in wanted.items()}
        return [found[contract.strain, contract.declarer] for contract in contracts if contract]


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """The same card player at all four seats, so that what differs is the bidding; auctions are read by ``system``."""

    player: str
    system: str = "sayc"

    def tricks(self, board: Board, auctions: Sequence[Auction]) -> list[int]:
        """Declarer's tricks when every auction's contract is played."""
        return [play.declarer_tricks for play in self.plays(board, auctions)]

    def plays(self, board: Board, auctions: Sequence[Auction]) -> list[Play]:
        """The play of every auction's contract, with the same luck for each."""
        table = Table({}, dict.fromkeys(Seat, card_player(self.player)), systems=Systems(self.system, self.system))
        found = []
        for auction in auctions:
            rng = Random(f"play/{board.number}/{board.deal}")
            with processor_time():
                play, _ = table.play(board, auction, ("",) * len(auction), rng=rng)
            found.append(play)
        return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an auction came to: declarer's tricks (None: passed out), North-South's points, the cards played."""

    tricks: int | None
    ns_score: int
    cards: tuple[Card, ...] = ()


def outcomes(scorer: Scorer, board: Board, auctions: Sequence[Auction]) -> list[Outcome]:
    """What each auction comes to; a passed-out one has no tricks and no points."""
    ends = [auction for auction in auctions if auction.contract]
    plays = scorer.plays(board, ends) if isinstance(scorer, PlayedOut) else []
    cards = iter([play.cards for play in plays] or [()] * len(ends))
    tricks = iter([play.declarer_tricks for play in plays] or scorer.tricks(board, ends))
    found = []
    for auction in auctions:
        taken = None if auction.contract is None else next(tricks)
        points = ns_score(auction.contract, taken or 0, board.vulnerability)
        found.append(Outcome(taken, points, () if auction.contract is None else next(cards)))
    return found


def ns_scores(scorer: Scorer, board: Board, auctions: Sequence[Auction]) -> list[tuple[int | None, int]]:
    """The same without the cards."""
    return [(outcome.tricks, outcome.ns_score) for outcome in outcomes(scorer, board, auctions)]
