"""A table as the sum of its events: what the store keeps is what happened, and the state follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from borel.arena.board_in_play import BoardInPlay, Told
from borel.auction import Call
from borel.cards import Card, Seat
from borel.deal import Board, Deal, Vulnerability
from borel.decision import Candidate, Decision
from borel.errors import BridgeError
from borel.scoring import Result, imps, ns_score
from borel.web.bots import Bot
from borel.web.settings import NewTable, bots_of
from borel.web.tasks import Reference, result_words

__all__ = ["Event", "Finished", "PendingClaim", "TableState", "act_event", "board_event"]

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Finished:
    """A board that counts: its number, what happened, and what it is compared with."""

    number: int
    text: str
    ns_score: int
    par: int
    other: int
    partner: str  # which bot was partner, in a blind trial

    def against_par(self, sign: int) -> int:
        """IMPs against par, for the side with this sign (North-South 1, East-West -1)."""
        return imps(sign * (self.ns_score - self.par))

    def against_bots(self, sign: int) -> int:
        """IMPs against the second table."""
        return imps(sign * (self.ns_score - self.other))

    def matchpoints(self, sign: int) -> float:
        """Won, halved or lost against the second table, as 1, ½ or 0."""
        gain = sign * (self.ns_score - self.other)
        return 0.5 if gain == 0 else float(gain > 0)


@dataclass(frozen=True, slots=True)
class PendingClaim:
    """A claim that people still have to agree to; the claimer's cards are faced meanwhile (Law 68)."""

    claimer: Seat
    tricks: int
    declarer_tricks: int
    waiting: frozenset[Seat]


@dataclass(slots=True)
class TableState:
    """Everything about a table that outlives a restart."""

    settings: NewTable
    seed: str
    text: str = ""  # of a system of one's own
    count: int = 0  # events so far
    version: int = 0  # of what people see: when the second table is done is not seen before the board is over
    number: int = 0  # boards begun
    game: BoardInPlay | None = None
    partner: str = ""  # of this board, in a blind trial
    counts: bool = True  # whether this board's result goes into the total; a board played again does not
    names: dict[Seat, str] = field(default_factory=dict)
    meanings: list[dict[str, str]] = field(default_factory=list)
    reference: Reference | None = None
    claim: PendingClaim | None = None
    refused: bool = False  # whether a claim was, on this board: then bots claim no more
    note: tuple[str, str] | None = None  # the last thing that everybody should know: what happened, and whose doing
    finished: list[Finished] = field(default_factory=list)

    @property
    def bots(self) -> tuple[Bot, Bot, Bot, Bot]:
        """The bots of this board, N E S W."""
        return bots_of(self.settings, self.text, self.partner)

    @property
    def all_bots(self) -> tuple[tuple[Bot, Bot, Bot, Bot], ...]:
        """The bots of all boards: in a blind trial there are two kinds of partner."""
        partners = (self.settings.strength, self.settings.trial) if self.settings.trial else ("",)
        return tuple(bots_of(self.settings, self.text, partner) for partner in partners)

    @property
    def is_over(self) -> bool:
        """Whether the board is: in bidding practice the auction is all."""
        game = self.game
        return game is not None and (game.is_over or (self.settings.mode == "bid" and game.auction.is_over))

    def trial_partner(self, number: int) -> str:
        """Partner's strength on a board of a blind trial: each pair of boards has both, in an order left to chance."""
        if not self.settings.trial:
            return ""
        pair = [self.settings.strength, self.settings.trial]
        Random(f"{self.seed}/trial/{(number - 1) // 2}").shuffle(pair)
        return pair[(number - 1) % 2]

    def apply(self, event: Event) -> None:
        """Let one event happen."""
        getattr(self, f"_{event['kind']}")(event)
        self.count += 1
        self.version += event["kind"] != "reference" or self.is_over

    def _name(self, event: Event) -> None:
        self.names[Seat.parse(event["seat"])] = event["name"]

    def _board(self, event: Event) -> None:
        board = Board(
            Deal.parse(event["deal"]), Seat.parse(event["dealer"]), Vulnerability.parse(event["vul"]), event["number"]
        )
        self.counts = not event.get("again", False)
        self.number += self.counts
        self.partner = self.trial_partner(self.number)
        self.game = BoardInPlay(board, self.settings.seats, self.bots[0].systems, self.settings.form)
        self.meanings, self.claim, self.refused, self.note = [], None, False, None
        if self.counts:
            self.reference = None

    def _act(self, event: Event) -> None:
        game = self.playing()
        game.add(_decision(event, calling=game.play is None))
        if len(game.calls) > len(self.meanings):
            self.meanings.append(event.get("meaning") or {})
        self.note, self.claim = None, None
        self._finish()

    def _meaning(self, event: Event) -> None:
        position, meaning = event["position"], event["meaning"]
        if position < len(self.meanings):  # it may have been taken back meanwhile
            self.meanings[position] = meaning
            self.playing().explain(position, meaning["text"])

    def _undo(self, event: Event) -> None:
        game = self.playing()
        game.take_back(Seat.parse(event["seat"]))
        del self.meanings[len(game.calls) :]
        alone = len(self.settings.seats) == 1
        self.claim, self.note = None, None if alone else ("tookBack", event["seat"])

    def _claim(self, event: Event) -> None:
        waiting = frozenset(Seat.parse(seat) for seat in event["waiting"])
        self.claim = PendingClaim(Seat.parse(event["seat"]), event["tricks"], event["declarer_tricks"], waiting)
        self.note = None

    def _agree(self, event: Event) -> None:
        assert self.claim is not None
        waiting = self.claim.waiting - {Seat.parse(event["seat"])} if event["seat"] else frozenset[Seat]()
        claim = self.claim
        self.claim = PendingClaim(claim.claimer, claim.tricks, claim.declarer_tricks, waiting)
        if not waiting:
            self.playing().settle(claim.declarer_tricks, claim.claimer)
            self.claim = None
            self._finish()

    def _refuse(self, event: Event) -> None:
        self.claim, self.refused, self.note = None, True, ("refused", event.get("by", ""))

    def _reference(self, event: Event) -> None:
        self.reference = Reference(**event["reference"])
        self._finish()

    def _finish(self) -> None:
        """Enter the result once the board is over and there is something to compare it with."""
        reference = self.reference
        if not self.is_over or reference is None or not self.counts or len(self.finished) >= self.number:
            return
        text, points = self.outcome()
        self.finished.append(Finished(self.number, text, points, reference.par, reference.other, self.partner))

    def outcome(self) -> tuple[str, int]:
        """The result in words and North-South's points; a contract of bidding practice counts double dummy."""
        game = self.playing()
        contract = game.auction.contract
        if contract is None:
            return "passed out", 0
        if self.settings.mode == "play":
            result = game.result()
            assert result.result is not None
            return result_words(result.result), result.ns_score
        assert self.reference is not None
        taken = self.reference.tricks[str(contract.strain)][str(contract.declarer)]
        return result_words(Result(contract, taken)), ns_score(contract, taken, game.board.vulnerability)

    def playing(self) -> BoardInPlay:
        """The board on the table."""
        if self.game is None:
            raise BridgeError("there is no board on the table yet")
        return self.game


def board_event(board: Board, *, again: bool = False) -> Event:
    """A new board."""
    event: Event = {"kind": "board", "number": board.number, "deal": str(board.deal), "dealer": str(board.dealer)}
    return event | {"vul": str(board.vulnerability), "again": again}


def act_event(decision: Told, meaning: dict[str, str] | None = None) -> Event:
    """A call or card with all that was thought, for after the board."""
    candidates = [[str(c.choice), c.value, c.why] for c in decision.candidates[:8]]
    event: Event = {"kind": "act", "choice": str(decision.choice), "why": decision.why, "candidates": candidates}
    return event | ({"meaning": meaning} if meaning else {})


def _decision(event: Event, *, calling: bool) -> Told:
    meaning = (event.get("meaning") or {}).get("text", "")
    rows = event.get("candidates", [])
    if calling:
        calls = tuple(Candidate(Call.parse(choice), value, why) for choice, value, why in rows)
        return Decision(Call.parse(event["choice"]), event["why"], meaning, calls)
    cards = tuple(Candidate(Card.parse(choice), value, why) for choice, value, why in rows)
    return Decision(Card.parse(event["choice"]), event["why"], meaning, cards)
