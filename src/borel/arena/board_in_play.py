"""A board in the middle of being bid and played by people and bots: whose turn it is, what they see, taking back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from borel.arena.table import BoardResult, Table
from borel.auction import Auction, Call
from borel.cards import Card, Seat
from borel.deal import Board
from borel.decision import Decision
from borel.errors import BridgeError, IllegalCardError
from borel.play import Play
from borel.scoring import Scoring
from borel.view import BiddingView, PlayView, Systems

__all__ = ["BoardInPlay", "Told"]

Told = Decision[Call] | Decision[Card]


@dataclass(slots=True)
class BoardInPlay:
    """One board with people at some seats.

    Declarer plays dummy's cards; where declarer is a bot and dummy a person, the person plays both hands instead.
    """

    board: Board
    people: frozenset[Seat]
    systems: Systems = Systems()
    scoring: Scoring = Scoring.IMPS
    calls: list[Decision[Call]] = field(default_factory=list)
    cards: list[Decision[Card]] = field(default_factory=list)
    deciders: list[Seat] = field(default_factory=list)  # who made each call and chose each card
    auction: Auction = field(init=False)
    play: Play | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        decisions: list[Told] = [*self.calls, *self.cards]
        self._begin(decisions)

    def _begin(self, decisions: list[Told]) -> None:
        self.calls, self.cards, self.deciders, self.play = [], [], [], None
        self.auction = Auction(self.board.dealer)
        for decision in decisions:
            self.add(decision)

    @property
    def is_over(self) -> bool:
        """Passed out, played out or claimed."""
        return self.auction.is_passed_out if self.play is None else self.play.is_over

    @property
    def turn(self) -> Seat:
        """Who decides next."""
        if self.play is None:
            return self.auction.turn
        contract = self.play.contract
        if self.play.turn.side is not contract.side:
            return self.play.turn
        partners = (contract.declarer, contract.dummy)
        return next((seat for seat in partners if seat in self.people), contract.declarer)

    @property
    def is_persons_turn(self) -> bool:
        """Whether the board waits for a person."""
        return not self.is_over and self.turn in self.people

    @property
    def point(self) -> str:
        """A name for this point of the board, from which bots draw their chance: taking back gives the same again."""
        return f"{len(self.calls)}/{len(self.cards)}"

    @property
    def explanations(self) -> tuple[str, ...]:
        """What each call so far says by agreement."""
        return tuple(decision.meaning for decision in self.calls)

    def table(self) -> Table:
        """A table without players, which knows what each seat may see."""
        return Table({}, None, self.scoring, self.systems)

    def view(self) -> BiddingView | PlayView:
        """What the seat whose decision is next may know."""
        if self.play is None:
            return self.table().bidding_view(self.board, self.auction, self.explanations)
        return self.table().play_view(self.board, self.auction, self.play, self.explanations)

    def seen_by(self, person: Seat | None) -> frozenset[Seat]:
        """Whose hands a person may see: their own, dummy's, and declarer's when they play partner's contract."""
        if self.is_over:
            return frozenset(Seat)
        seen = set() if person is None else {person}
        if self.play is not None and self.play.cards:
            contract = self.play.contract
            seen.add(contract.dummy)
            if person is contract.dummy and contract.declarer not in self.people:
                seen.add(contract.declarer)
        return frozenset(seen)

    def add(self, decision: Told) -> None:
        """A call or card of whoever decides next; raises if it is illegal, and nothing has changed."""
        decider = self.turn
        if isinstance(decision.choice, Call):
            if self.play is not None:
                raise IllegalCardError(f"{decision.choice} is a call, and the auction is over")
            self.auction = self.auction.after(decision.choice)
            self.calls.append(decision)
            if self.auction.is_over and self.auction.contract is not None:
                self.play = Play(self.board.deal, self.auction.contract)
        else:
            if self.play is None:
                raise IllegalCardError(f"{decision.choice} is a card, and there is no contract yet")
            self.play = self.play.after(decision.choice)
            self.cards.append(decision)
        self.deciders.append(decider)

    def read(self, text: str) -> Call | Card:
        """The call or card that a text names at this point."""
        return Call.parse(text) if self.play is None else Card.parse(text)

    def explain(self, position: int, meaning: str) -> None:
        """Say what a call that has been made means by agreement."""
        self.calls[position] = replace(self.calls[position], meaning=meaning)

    def own_decisions(self, person: Seat) -> list[int]:
        """The positions of a person's calls and cards among all decisions."""
        return [position for position, seat in enumerate(self.deciders) if seat is person]

    def take_back(self, person: Seat) -> None:
        """Back to this person's decision before the last one."""
        own = self.own_decisions(person)
        if not own:
            raise BridgeError("there is nothing of yours to take back")
        decisions: list[Told] = [*self.calls, *self.cards]
        self._begin(decisions[: own[-1]])

    @property
    def tricks_left(self) -> int:
        """The tricks that are not complete."""
        return 0 if self.play is None else 13 - len(self.play.cards) // 4

    def claim_for(self, claimer: Seat, tricks: int) -> int:
        """Declarer's tricks in all if the claimer's side takes so many of those that are left (Law 68)."""
        if self.play is None or self.is_over:
            raise IllegalCardError("there is nothing to claim")
        if not 0 <= tricks <= self.tricks_left:
            raise IllegalCardError(f"{self.tricks_left} tricks are left, so {tricks} cannot be claimed")
        side = self.play.contract.side
        return self.play.tricks_won(side) + (tricks if claimer.side is side else self.tricks_left - tricks)

    def settle(self, declarer_tricks: int, claimer: Seat | None = None) -> None:
        """End the play by a claim that everybody agreed to."""
        if self.play is None:
            raise IllegalCardError("there is nothing to claim")
        self.play = self.play.claimed(declarer_tricks, claimer)

    def withdraw(self) -> None:
        """Take a claim back."""
        if self.play is not None:
            self.play = Play(self.play.deal, self.play.contract, self.play.cards)

    def result(self) -> BoardResult:
        """The board as it stands."""
        return BoardResult(self.board, self.auction, tuple(self.calls), self.play, tuple(self.cards))
