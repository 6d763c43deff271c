"""A table manager: four programs take their seats, boards are bid and played out, whatever happens to the programs.

A program that leaves, talks nonsense, calls or plays illegally or is silent too long loses its seat; the board is begun
again when somebody has taken the seat. A board that fails too often is given up, and the match goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from borel.auction import Auction
from borel.cards import Seat, Side
from borel.deal import Board
from borel.errors import BridgeError
from borel.play import Play
from borel.record import Annotation, Record, notes_of
from borel.table_manager import messages
from borel.table_manager.connection import Gone, Seated
from borel.table_manager.messages import MAX_LINE, VERSION, ProtocolError

__all__ = ["BoardPlayed", "TableManager"]

ATTEMPTS = 3  # at one board
SEATED_WITHIN = 10.0  # seconds that a new connection has for its first words


@dataclass(frozen=True, slots=True)
class BoardPlayed:
    """A board with what became of it: a record, or why there is none; and the seconds of both sides."""

    board: Board
    record: Record | None
    void: str = ""
    seconds: tuple[float, float] = (0.0, 0.0)


@dataclass(slots=True)
class TableManager:
    """The server. ``seconds`` is for one line of a program, ``patience`` for a seat to be taken (again)."""

    boards: Sequence[Board]
    teams: tuple[str, str] = ("North-South", "East-West")
    seconds: float = 120.0
    patience: float = 600.0
    watch: Callable[[str], None] = field(default=lambda _: None)
    done: Callable[[BoardPlayed], None] = field(default=lambda _: None)
    port: int = field(default=0, init=False)
    _seats: dict[Seat, Seated] = field(default_factory=dict, init=False)
    _fresh: set[Seat] = field(default_factory=set, init=False)  # seated, and not yet told the teams
    _changed: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    async def run(self, host: str = "127.0.0.1", port: int = 0) -> list[BoardPlayed]:
        """Listen, play all boards, say goodbye."""
        try:
            server = await asyncio.start_server(self._arrive, host, port, limit=MAX_LINE)
        except OSError as error:
            raise BridgeError(f"cannot listen on {host}:{port}: {error.strerror}") from None
        self.port = server.sockets[0].getsockname()[1]
        self.watch(f"listening on {host}:{self.port}")
        played = list[BoardPlayed]()
        try:
            for board in self.boards:
                played.append(await self._run_board(board))
                self.done(played[-1])
            return played
        finally:
            server.close()
            for seated in tuple(self._seats.values()):
                with suppress(Gone):
                    await seated.send("End of session")
                await seated.close()

    # Seats

    async def _arrive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Somebody connects: give them a seat, or say why not."""
        try:
            raw = await asyncio.wait_for(reader.readuntil(b"\n"), SEATED_WITHIN)
            told = messages.read_connecting(raw.decode("utf-8", "replace"))
            seat = self._place(told)
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, BridgeError, OSError) as error:
            why = str(error) if isinstance(error, BridgeError) else "no connection that I understand"
            self.watch(f"refused: {why}")
            with suppress(OSError):
                writer.write(f"Error: {why}\r\n".encode())
                writer.close()
            return
        seated = Seated(seat, told.name, reader, writer, self.seconds)
        self._seats[seat] = seated
        self._fresh.add(seat)
        with suppress(Gone):
            await seated.send(f'{seat.word} ("{told.name}") seated')
        self.watch(f"{seat.word} is {told.name}")
        self._changed.set()

    def _place(self, told: messages.Connecting) -> Seat:
        if told.version != VERSION:
            raise ProtocolError(f"protocol version {VERSION} is spoken here, not {told.version}")
        free = [seat for seat in Seat if seat not in self._seats]
        if told.seat is None:
            if not free:
                raise ProtocolError("no seat is free")
            return free[0]
        if told.seat not in free:
            raise ProtocolError(f"{told.seat.word} is taken by {self._seats[told.seat].name}")
        return told.seat

    async def _lose(self, gone: Gone) -> None:
        self.watch(f"lost {gone}")
        seated = self._seats.pop(gone.seat, None)
        self._fresh.discard(gone.seat)
        if seated is not None:
            await seated.close()

    async def _fill(self) -> None:
        """Wait until all seats are taken and everybody has heard the teams."""
        while True:
            while len(self._seats) < 4:
                self._changed.clear()
                try:
                    await asyncio.wait_for(self._changed.wait(), self.patience)
                except TimeoutError:
                    missing = ", ".join(seat.word for seat in Seat if seat not in self._seats)
                    raise BridgeError(f"nobody took the seat of {missing} in {self.patience:g} seconds") from None
            try:
                for seat in [seat for seat in Seat if seat in self._fresh]:
                    await self._welcome(self._seats[seat])
                    self._fresh.discard(seat)
                return
            except Gone as gone:
                await self._lose(gone)

    async def _welcome(self, seated: Seated) -> None:
        await seated.ready("teams")
        await seated.send(f'Teams : N/S : "{self.teams[0]}" E/W : "{self.teams[1]}"')
        await seated.ready("start")

    # Boards

    async def _run_board(self, board: Board) -> BoardPlayed:
        why = ""
        for _ in range(ATTEMPTS):
            await self._fill()
            for seated in self._seats.values():
                seated.board_thinking = 0.0
            try:
                record = await self._play_board(board)
            except Gone as gone:
                why = str(gone)
                await self._lose(gone)
                continue
            spent = tuple(sum(s.board_thinking for s in self._seats.values() if s.seat.side is side) for side in Side)
            await self._tell_timing()
            return BoardPlayed(board, record, seconds=(spent[0], spent[1]))
        return BoardPlayed(board, None, f"given up after {ATTEMPTS} attempts: {why}")

    async def _tell_timing(self) -> None:
        def words(side: Side) -> str:
            players = [seated for seated in self._seats.values() if seated.seat.side is side]
            board, total = int(sum(p.board_thinking for p in players)), int(sum(p.thinking for p in players))
            hours, minutes = total // 3600, total // 60 % 60
            return f"this board {board // 60}:{board % 60:02}, total {hours}:{minutes:02}:{total % 60:02}"

        line = f"Timing - N/S : {words(Side.NS)}. E/W : {words(Side.EW)}."
        for seated in tuple(self._seats.values()):
            try:
                await seated.send(line)
            except Gone as gone:
                await self._lose(gone)

    async def _play_board(self, board: Board) -> Record:
        number = board.number or 1
        for seated in self._seats.values():
            await seated.send("Start of board")
        for seat, seated in self._seats.items():
            await self._ready_again(seated)
            await seated.send(messages.board_line(number, board.dealer, board.vulnerability))
            await seated.ready("cards")
            await seated.send(messages.cards_line(seat.word, board.deal.hand(seat)))
        auction, notes = await self._auction(board)
        play = None if auction.contract is None else await self._cards(board, auction)
        north, east, south, west = (self._seats[seat].name for seat in Seat)
        return Record(
            number=number, dealer=board.dealer, vulnerability=board.vulnerability, deal=board.deal,
            players=(north, east, south, west), auction=auction, call_notes=notes,
            cards=() if play is None else play.cards,
        )  # fmt: skip

    async def _ready_again(self, seated: Seated) -> None:
        """After an abandoned board a program may still have called, or be ready for what never comes: pass it over."""
        for _ in range(8):
            line = await seated.hear()
            with suppress(ProtocolError):
                if messages.read_ready(line) == (seated.seat, "deal"):
                    return
        raise Gone(seated.seat, "does not begin the board")

    async def _auction(self, board: Board) -> tuple[Auction, tuple[Annotation, ...]]:
        auction, notes = Auction(board.dealer), dict[int, Annotation]()
        while not auction.is_over:
            turn = auction.turn
            line = await self._seats[turn].hear()
            try:
                seat, call, explanation = messages.read_call(line)
                if seat is not turn:
                    raise ProtocolError(f"calls for {seat.word}")
                auction = auction.after(call)
            except BridgeError as error:
                raise Gone(turn, str(error)) from None
            alerted = "alert" in line.lower()
            if explanation or alerted:
                notes[len(auction.calls) - 1] = Annotation(_printable(explanation), alerted)
            common = messages.Spelling.COMMON.call(turn, call, explanation, alert=alerted)
            for other in (turn.lho, turn.partner, turn.rho):
                told = common if other is not turn.partner else messages.Spelling.COMMON.call(turn, call)
                await self._seats[other].ready(f"{turn.word.lower()}'s bid")
                await self._seats[other].send(told)
        return auction, notes_of(len(auction.calls), notes)

    async def _cards(self, board: Board, auction: Auction) -> Play:
        contract = auction.contract
        assert contract is not None
        play = Play(board.deal, contract)
        while not play.is_over:
            turn = play.turn
            actor = contract.declarer if turn is contract.dummy else turn
            if not play.trick.cards:
                named = "Dummy" if turn is contract.dummy else turn.word
                await self._seats[actor].send(f"{named} to lead")
            play = await self._card(play, actor)
            if len(play.cards) == 1:
                dummy = messages.cards_line("Dummy", board.deal.hand(contract.dummy))
                for seat in Seat:
                    if seat is not contract.dummy:
                        await self._seats[seat].ready("dummy")
                        await self._seats[seat].send(dummy)
        return play

    async def _card(self, play: Play, actor: Seat) -> Play:
        """One card of whoever chooses it, told to the others."""
        turn, contract = play.turn, play.contract
        line = await self._seats[actor].hear()
        try:
            named, card = messages.read_card(line)
            if named is not None and named is not turn:
                raise ProtocolError(f"a card of {named.word} in {turn.word}'s turn")
            after = play.after(card)
        except BridgeError as error:
            raise Gone(actor, str(error)) from None
        for seat in Seat:
            if seat is actor:
                continue
            if not (seat is contract.dummy and turn is contract.dummy):
                await self._seats[seat].ready_for_card(is_dummy=seat is contract.dummy)
            await self._seats[seat].send(messages.Spelling.COMMON.card(turn, card))
        return after


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())[:200].strip()
