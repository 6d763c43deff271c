"""A board that a person plays with three bots: act, take back, ask for a hint, claim, and hear what calls meant."""

from __future__ import annotations

from random import Random

from borel.arena.board_in_play import BoardInPlay, Told
from borel.arena.table import Table
from borel.auction import Call
from borel.cards import Seat
from borel.deal import Board
from borel.decision import Bidder, CardPlayer, Decision
from borel.policies.rules import Meaning, RuleBidder
from borel.view import BiddingView, Systems

__all__ = ["Session"]


class Session(BoardInPlay):
    """One board with a person at one seat; declarer, or dummy's partner's hands, are the person's to play.

    The bots' choices depend on the seed and the point of the board alone, so taking back and playing the same cards
    again gives the same board.
    """

    def __init__(
        self, board: Board, person: Seat, bidder: Bidder, player: CardPlayer, system: str = "sayc", seed: int = 0
    ) -> None:
        super().__init__(board, frozenset({person}), Systems(system, system))
        self.person, self.bidder, self.player, self.system, self.seed = person, bidder, player, system, seed

    def hint(self) -> Told:
        """What a bot would do in the person's place, and why."""
        view, rng = self.view(), Random(f"{self.seed}/{self.point}")
        if isinstance(view, BiddingView):
            return self.bidder.decide(view, rng=rng)
        return self.player.decide(view, rng=rng)

    def bot_acts(self) -> tuple[Seat, Told]:
        """One call or card of a bot; what it would claim it plays out, so that the person sees it."""
        seat, decision = self.turn, self.hint()
        self.add(decision)
        return seat, decision

    def act(self, text: str) -> Told:
        """The person's call or card."""
        choice = self.read(text)
        made: Told
        if isinstance(choice, Call):
            after = self.auction.after(choice)  # raises if it is illegal
            told = RuleBidder(self.system).meaning(after, self.board.vulnerability)
            made = Decision(choice, "your call", meaning=told.calls[-1].text)
        else:
            made = Decision(choice, "your card")
        self.add(made)
        return made

    def explained(self) -> Meaning:
        """What every call so far says by agreement, and what each seat has shown."""
        return RuleBidder(self.system).meaning(self.auction, self.board.vulnerability)

    def undo(self) -> None:
        """Back to the person's decision before the last one; a claim alone is taken back first."""
        if self.play is not None and self.play.claim is not None:
            self.withdraw()
        else:
            self.take_back(self.person)

    def claim(self, tricks: int) -> bool:
        """Claim so many of the tricks that are left; it stands if both opponents agree, who then see all hands."""
        declarers = self.claim_for(self.person, tricks)
        assert self.play is not None
        table = Table({}, dict.fromkeys(Seat, self.player), systems=self.systems)
        if not table.agreed(self.board, self.auction, self.play, (), self.person, declarers):
            return False
        self.settle(declarers)
        return True
