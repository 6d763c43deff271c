"""Borel at somebody else's table: a client of the protocol that asks a bidder and a card player."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from borel.arena.steadfast import SteadfastBidder, SteadfastPlayer
from borel.auction import Auction, Call
from borel.cards import Card, Hand, Seat, Side
from borel.deal import Vulnerability
from borel.decision import Bidder, CardPlayer
from borel.errors import BridgeError
from borel.scoring import Scoring
from borel.table_manager import messages
from borel.table_manager.messages import MAX_LINE, VERSION, Connecting, ProtocolError, Spelling
from borel.view import BiddingView, PlayView, Systems, next_to_play

__all__ = ["Client", "Lines", "SocketLines"]


class Lines(Protocol):
    """A conversation, line by line."""

    def read_line(self) -> str:
        """The next line; EOFError when the other side has gone."""
        ...

    def send_line(self, line: str) -> None:
        """Say a line."""
        ...


class SocketLines:
    """Lines over TCP, ended by CR LF; a bare LF is understood too."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.buffer = connection.makefile("rb")

    @classmethod
    def connect(cls, host: str, port: int, *, seconds: float = 30.0) -> SocketLines:
        """Call a server."""
        try:
            connection = socket.create_connection((host, port), seconds)
        except OSError as error:
            raise BridgeError(f"no table manager at {host}:{port}: {error.strerror or error}") from None
        connection.settimeout(None)
        return cls(connection)

    def read_line(self) -> str:
        """The next line."""
        raw = self.buffer.readline(MAX_LINE + 1)
        if not raw:
            raise EOFError("the table manager has gone")
        if len(raw) > MAX_LINE:
            raise ProtocolError("a line without end")
        return raw.decode("utf-8", "replace").rstrip("\r\n")

    def send_line(self, line: str) -> None:
        """Say a line."""
        self.connection.sendall(line.encode() + b"\r\n")

    def close(self) -> None:
        """Hang up."""
        self.buffer.close()
        self.connection.close()


class _NewBoardError(Exception):
    """The server began another board in the middle of one."""


class _EndError(Exception):
    """The session is over."""


@dataclass(slots=True)
class Client:
    """A player that speaks the protocol. Chance depends on the seed, the board and the point of it alone.

    ``wire`` is called with each line and who said it, for a log.
    """

    lines: Lines
    bidder: Bidder
    player: CardPlayer
    seat: Seat | None = None
    name: str = "Borel"
    system: str = "sayc"
    theirs: str = ""  # the opponents' system; ours if not given
    scoring: Scoring = Scoring.IMPS
    seed: int = 0
    alert: Callable[[Auction, Vulnerability], tuple[str, bool]] | None = None
    wire: Callable[[str, str], None] | None = None
    boards: int = field(default=0, init=False)
    _spelling: Spelling = field(default=Spelling.COMMON, init=False)

    def run(self) -> int:
        """Sit down and play until the session ends; how many boards were finished."""
        try:
            self._sit_down()
        except EOFError as error:
            raise BridgeError(str(error)) from None
        except _EndError:
            return 0
        started = False
        try:
            while True:
                line = "start of board" if started else self._hear_between()
                started = False
                if messages.is_start(line):
                    try:
                        self._board()
                        self.boards += 1
                    except _NewBoardError:
                        started = True
        except (_EndError, EOFError):
            return self.boards

    def _sit_down(self) -> None:
        self._say(str(Connecting(self.name, self.seat, VERSION)))
        line = self._hear()
        self.seat, self._spelling = messages.read_seated(line), Spelling.of(line)
        self._ready("for teams")
        messages.read_teams(self._hear())
        self._ready("to start")

    @property
    def systems(self) -> Systems:
        """Both sides' systems, as seen from our seat."""
        both = (self.system, self.theirs or self.system)
        return Systems(*both) if self.seat is None or self.seat.side is Side.NS else Systems(*reversed(both))

    def _say(self, line: str) -> None:
        if self.wire:
            self.wire("client", line)
        self.lines.send_line(line)

    def _hear_between(self) -> str:
        line = self.lines.read_line()
        if self.wire:
            self.wire("server", line)
        if messages.is_end(line):
            raise _EndError
        return line

    def _hear(self) -> str:
        """The next line that matters in the middle of something."""
        while messages.is_timing(line := self._hear_between()):
            pass
        if messages.is_start(line):
            raise _NewBoardError
        return line

    def _ready(self, what: str) -> None:
        assert self.seat is not None
        self._say(f"{self._spelling.seat(self.seat)} ready {what}")

    def _board(self) -> None:
        self._ready("for deal")
        number, dealer, vulnerability = messages.read_board(self._hear())
        self._ready("for cards")
        _, hand = messages.read_cards(self._hear())
        auction, said = self._auction(number, dealer, vulnerability, hand)
        if auction.contract is not None:
            self._play(number, auction, vulnerability, hand, said)

    def _auction(
        self, number: int, dealer: Seat, vulnerability: Vulnerability, hand: Hand
    ) -> tuple[Auction, tuple[str, ...]]:
        assert self.seat is not None
        auction, said = Auction(dealer), list[str]()
        while not auction.is_over:
            if auction.turn is self.seat:
                view = BiddingView(self.seat, hand, auction, vulnerability, self.scoring, self.systems, tuple(said))
                decision = SteadfastBidder(self.bidder).decide(view, rng=self._chance(number, len(auction.calls), 0))
                auction = auction.after(decision.choice)
                meaning, alert = self.alert(auction, vulnerability) if self.alert else (decision.meaning, False)
                self._say(self._spelling.call(self.seat, decision.choice, meaning if alert else "", alert=alert))
                said.append(meaning)
            else:
                call, explanation = self._call_of(auction.turn)
                auction = auction.after(call)
                said.append(explanation)
        return auction, tuple(said)

    def _call_of(self, other: Seat) -> tuple[Call, str]:
        self._ready(f"for {self._spelling.seat(other)}'s bid")
        seat, call, explanation = messages.read_call(self._hear())
        if seat is not other:
            raise ProtocolError(f"a call by {seat.word} in {other.word}'s turn")
        return call, explanation

    def _play(
        self, number: int, auction: Auction, vulnerability: Vulnerability, hand: Hand, said: tuple[str, ...]
    ) -> None:
        contract, me = auction.contract, self.seat
        assert contract is not None
        assert me is not None
        played, dummy = list[Card](), hand if me is contract.dummy else None
        while len(played) < 52:
            turn = next_to_play(contract, tuple(played))
            mine = me is contract.declarer if turn is contract.dummy else me is turn
            if mine:
                if len(played) % 4 == 0 and not messages.is_to_lead(line := self._hear()):
                    raise ProtocolError(f"expected to be asked to lead, not {line[:100]!r}")
                view = PlayView(
                    me, hand, dummy if played else None, contract, auction, tuple(played), vulnerability,
                    self.scoring, self.systems, said,
                )  # fmt: skip
                chance = self._chance(number, len(auction.calls), len(played))
                card = SteadfastPlayer(self.player).decide(view, rng=chance).choice
                self._say(self._spelling.card(turn, card))
            else:
                self._ready(f"for {self._spelling.seat(turn)}'s card to trick {len(played) // 4 + 1}")
                _, card = messages.read_card(self._hear())
            played.append(card)
            if len(played) == 1 and me is not contract.dummy:
                self._ready("for dummy")
                _, dummy = messages.read_cards(self._hear())

    def _chance(self, number: int, calls: int, cards: int) -> Random:
        return Random(f"{self.seed}/{number}/{calls}/{cards}")
