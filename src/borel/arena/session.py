"""A board that a person plays with three bots: act, take back, ask for a hint, claim, and hear what calls meant."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from borel.arena.table import BoardResult, Table
from borel.auction import Auction, Call
from borel.cards import Card, Seat
from borel.deal import Board
from borel.decision import Bidder, CardPlayer, Decision
from borel.errors import BridgeError, IllegalCardError
from borel.play import Play
from borel.policies.rules import Meaning, RuleBidder
from borel.view import BiddingView, PlayView, Systems

__all__ = ["Session"]

Told = Decision[Call] | Decision[Card]


@dataclass(slots=True)
class Session:
    """One board with a person at one seat; declarer, or dummy's partner's hands, are the person's to play.

    The bots' choices depend on the seed and the point of the board alone, so taking back and playing the same cards
    again gives the same board.
    """

    board: Board
    person: Seat
    bidder: Bidder
    player: CardPlayer
    system: str = "sayc"
    seed: int = 0
    calls: list[Decision[Call]] = field(default_factory=list)
    cards: list[Decision[Card]] = field(default_factory=list)
    claimed: int | None = None

    @property
    def table(self) -> Table:
        """Bots at all seats; the session asks the person instead where it is their turn."""
        systems = Systems(self.system, self.system)
        return Table(dict.fromkeys(Seat, self.bidder), dict.fromkeys(Seat, self.player), systems=systems)

    @property
    def auction(self) -> Auction:
        """The calls so far."""
        auction = Auction(self.board.dealer)
        for decision in self.calls:
            auction = auction.after(decision.choice)
        return auction

    @property
    def play(self) -> Play | None:
        """The cards so far; None before there is a contract."""
        auction = self.auction
        if not auction.is_over or auction.contract is None:
            return None
        play = Play(self.board.deal, auction.contract, tuple(d.choice for d in self.cards))
        return play if self.claimed is None else play.claimed(self.claimed)

    @property
    def is_over(self) -> bool:
        """Passed out, played out or claimed."""
        play = self.play
        return self.auction.is_passed_out if play is None else play.is_over

    @property
    def turn(self) -> Seat:
        """Who decides next: for dummy's cards declarer, or the person if the person is dummy's partner or dummy."""
        play = self.play
        if play is None:
            return self.auction.turn
        contract = play.contract
        if play.turn.side is contract.side and self.person.side is contract.side:
            return self.person  # a person plays both hands of their side, also when partner declares
        return contract.declarer if play.turn is contract.dummy else play.turn

    @property
    def is_persons_turn(self) -> bool:
        """Whether the board waits for the person."""
        return not self.is_over and self.turn is self.person

    def view(self) -> BiddingView | PlayView:
        """What the seat that decides next may know."""
        meanings = tuple(d.meaning for d in self.calls)
        play = self.play
        if play is None:
            return self.table.bidding_view(self.board, self.auction, meanings)
        return self.table.play_view(self.board, self.auction, play, meanings)

    def _decide(self) -> Told:
        view, rng = self.view(), Random(f"{self.seed}/{len(self.calls)}/{len(self.cards)}")
        if isinstance(view, BiddingView):
            return self.bidder.decide(view, rng=rng)
        return self.player.decide(view, rng=rng)

    def hint(self) -> Told:
        """What a bot would do in the person's place, and why."""
        return self._decide()

    def bot_acts(self) -> tuple[Seat, Told]:
        """One call or card of a bot; what it would claim it plays out, so that the person sees it."""
        seat, decision = self.turn, self._decide()
        self._add(decision)
        return seat, decision

    def act(self, text: str) -> Told:
        """The person's call or card."""
        play = self.play
        made: Told
        if play is None:
            call = Call.parse(text)
            self.auction.after(call)  # raises if it is illegal
            made = self._explained(call)
        else:
            card = Card.parse(text)
            play.after(card)
            made = Decision(card, "your card")
        self._add(made)
        return made

    def _explained(self, call: Call) -> Decision[Call]:
        """The person's call with the meaning that partner and opponents will read into it."""
        told = RuleBidder(self.system).meaning(self.auction.after(call), self.board.vulnerability)
        return Decision(call, "your call", meaning=told.calls[-1].text)

    def explain(self) -> Meaning:
        """What every call so far says by agreement, and what each seat has shown."""
        return RuleBidder(self.system).meaning(self.auction, self.board.vulnerability)

    def _add(self, decision: Told) -> None:
        if isinstance(decision.choice, Call):
            self.calls.append(decision)
        else:
            self.cards.append(decision)

    def undo(self) -> None:
        """Back to the person's decision before the last one."""
        if self.claimed is not None:
            self.claimed = None
            return
        acted = [i for i, (seat, _) in enumerate(self._history()) if seat is self.person]
        if not acted:
            raise BridgeError("there is nothing of yours to take back")
        keep = acted[-1]
        calls = min(keep, len(self.calls))
        self.calls, self.cards = self.calls[:calls], self.cards[: max(0, keep - len(self.calls))]

    def _history(self) -> list[tuple[Seat, Told]]:
        """Every decision in order with the seat that took it."""
        copy = Session(self.board, self.person, self.bidder, self.player, self.system, self.seed)
        history: list[tuple[Seat, Told]] = []
        decisions: list[Told] = [*self.calls, *self.cards]
        for decision in decisions:
            history.append((copy.turn, decision))
            copy._add(decision)
        return history

    def claim(self, tricks: int) -> bool:
        """Claim so many of the tricks that are left; it stands if both opponents agree, who then see all hands."""
        play = self.play
        if play is None or play.is_over:
            raise IllegalCardError("there is nothing to claim")
        left = 13 - sum(play.tricks_won(side) for side in (self.person.side, self.person.side.other))
        if not 0 <= tricks <= left:
            raise IllegalCardError(f"{left} tricks are left, so {tricks} cannot be claimed")
        mine = self.person.side is play.contract.side
        declarers = play.tricks_won(play.contract.side) + (tricks if mine else left - tricks)
        if not self.table.agreed(self.board, self.auction, play, (), self.person, declarers):
            return False
        self.claimed = declarers
        return True

    def result(self) -> BoardResult:
        """The board as it ended."""
        return BoardResult(self.board, self.auction, tuple(self.calls), self.play, tuple(self.cards))
