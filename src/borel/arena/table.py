"""A table runs one board: it shows each seat its view, asks for a decision, and keeps what everyone may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from borel.auction import Auction, Call
from borel.cards import Card, Seat
from borel.deal import Board
from borel.decision import Bidder, CardPlayer, Decision
from borel.errors import BridgeError, DealError
from borel.play import Play
from borel.scoring import Result, Scoring
from borel.view import BiddingView, PlayView, Systems

__all__ = ["BoardResult", "Table"]


@dataclass(frozen=True, slots=True)
class BoardResult:
    """A board that was bid and perhaps played: every call and card with its decision, and the score."""

    board: Board
    auction: Auction
    calls: tuple[Decision[Call], ...]
    play: Play | None = None
    cards: tuple[Decision[Card], ...] = ()

    @property
    def result(self) -> Result | None:
        """The contract with the tricks taken; None when passed out or not played."""
        contract = self.auction.contract
        if contract is None or self.play is None:
            return None
        return Result(contract, self.play.declarer_tricks)

    @property
    def ns_score(self) -> int:
        """North-South's points; zero when passed out. A contract that was bid but not played has none, and raises."""
        if self.auction.contract is not None and self.play is None:
            raise BridgeError(f"{self.auction.contract} was bid but not played: it has no score")
        return 0 if self.result is None else self.result.ns_score(self.board.vulnerability)


@dataclass(frozen=True, slots=True)
class Table:
    """Four bidders and, if the cards are to be played, four card players.

    ``watch`` is called after each decision with the seat that acted and its decision: to show the board as it goes.
    """

    bidders: Mapping[Seat, Bidder]
    players: Mapping[Seat, CardPlayer] | None = None
    scoring: Scoring = Scoring.IMPS
    systems: Systems = Systems()
    watch: Callable[[Seat, Decision[Call] | Decision[Card]], None] | None = field(default=None, compare=False)

    def run(self, board: Board, *, rng: Random) -> BoardResult:
        """Bid the board and, with card players, play it."""
        if not board.deal.is_complete:
            raise DealError("a board needs all 52 cards before it can be bid")
        auction, calls = self.bid(board, rng=rng)
        if self.players is None or auction.contract is None:
            return BoardResult(board, auction, calls)
        play, cards = self.play(board, auction, tuple(d.meaning for d in calls), rng=rng)
        return BoardResult(board, auction, calls, play, cards)

    def bid(self, board: Board, *, rng: Random) -> tuple[Auction, tuple[Decision[Call], ...]]:
        """The auction, and the decision behind each call."""
        auction, decisions = Auction(board.dealer), list[Decision[Call]]()
        while not auction.is_over:
            seat = auction.turn
            view = self.bidding_view(board, auction, tuple(d.meaning for d in decisions))
            decision = self.bidders[seat].decide(view, rng=rng)
            auction = auction.after(decision.choice)
            decisions.append(decision)
            if self.watch:
                self.watch(seat, decision)
        return auction, tuple(decisions)

    def bidding_view(self, board: Board, auction: Auction, meanings: tuple[str, ...]) -> BiddingView:
        """What the seat whose turn it is to call may know."""
        seat = auction.turn
        return BiddingView(
            seat, board.deal.hand(seat), auction, board.vulnerability, self.scoring, self.systems, meanings
        )

    def play(
        self, board: Board, auction: Auction, meanings: tuple[str, ...], *, rng: Random
    ) -> tuple[Play, tuple[Decision[Card], ...]]:
        """The play of the auction's contract, and the decision behind each card."""
        contract = auction.contract
        assert contract is not None
        assert self.players is not None
        play, decisions = Play(board.deal, contract), list[Decision[Card]]()
        while not play.is_over:
            seat = contract.declarer if play.turn is contract.dummy else play.turn
            decision = self.players[seat].decide(self.play_view(board, auction, play, meanings), rng=rng)
            decisions.append(decision)
            if self.watch:
                self.watch(seat, decision)
            if decision.claim is not None and self.agreed(board, auction, play, meanings, seat, decision.claim):
                return play.claimed(decision.claim, seat), tuple(decisions)
            play = play.after(decision.choice)
        return play, tuple(decisions)

    def agreed(
        self, board: Board, auction: Auction, play: Play, meanings: tuple[str, ...], claimer: Seat, tricks: int
    ) -> bool:
        """Whether both opponents accept a claim (Law 69A); a player who cannot say is taken to play on."""
        assert self.players is not None
        for seat in (claimer.lho, claimer.rho):
            speaks = play.contract.declarer if seat is play.contract.dummy else seat
            judge = getattr(self.players[speaks], "accepts", None)
            view = self.play_view(board, auction, play, meanings, speaks)
            if judge is None or not judge(view, claimer, board.deal.hand(claimer), tricks):
                return False
        return True

    def play_view(
        self, board: Board, auction: Auction, play: Play, meanings: tuple[str, ...], seat: Seat | None = None
    ) -> PlayView:
        """What a seat may know, unless given the one that decides the next card: for dummy's card that is declarer."""
        contract = play.contract
        if seat is None:
            seat = contract.declarer if play.turn is contract.dummy else play.turn
        return PlayView(
            seat,
            board.deal.hand(seat),
            play.dummy,
            contract,
            auction,
            play.cards,
            board.vulnerability,
            self.scoring,
            self.systems,
            meanings,
        )
