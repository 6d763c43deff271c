"""A table with people at it: their clicks in, the bots' decisions, everybody's own view out."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import asdict, replace
from time import monotonic
from typing import Any

from borel.arena.board_in_play import BoardInPlay
from borel.auction import Auction, Call
from borel.cards import Seat
from borel.deal import Board
from borel.decision import Decision
from borel.errors import BridgeError
from borel.view import BiddingView
from borel.web.claims import bots_claim, judging, persons_claim
from borel.web.limits import Limits
from borel.web.questions import records_of
from borel.web.second_table import second_table
from borel.web.shown import can_undo, shown
from borel.web.state import Event, TableState, act_event, board_event
from borel.web.store import WebStore
from borel.web.tasks import Task
from borel.web.tempo import tempo
from borel.web.thinking import Thinking

__all__ = ["Guest", "LiveTable"]

ATTEMPTS, PAUSE = 5, 0.5  # at a bot's decision, and the seconds between them
BACKLOG = 64  # messages that a slow reader may be behind before it is let go


class Guest:
    """Somebody connected: at a seat, or watching."""

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat
        self.outbox: asyncio.Queue[str | None] = asyncio.Queue(BACKLOG)

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message; who reads too slowly is sent away, and sees the whole table again on coming back."""
        try:
            self.outbox.put_nowait(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
        except asyncio.QueueFull:
            self.dismiss()

    def dismiss(self) -> None:
        """Say that there will be no more."""
        while self.outbox.full():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)


class LiveTable:
    """One table in memory."""

    def __init__(
        self, name: str, keys: dict[Seat, str], state: TableState, deals: list[dict[str, Any]],
        store: WebStore, thinking: Thinking, limits: Limits,
    ) -> None:  # fmt: skip
        self.name, self.keys, self.state, self.deals = name, keys, state, deals
        self.store, self.thinking, self.limits = store, thinking, limits
        self.guests: set[Guest] = set()
        self.since = monotonic()
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._driving = False
        self._comparing: int | None = None

    # Coming and going

    def seat_of(self, key: str) -> Seat | None:
        """Where the holder of a key sits; somebody without a key watches."""
        for seat, secret in self.keys.items():
            if secrets.compare_digest(secret.encode(), key.encode()):
                return seat
        return None

    def join(self, guest: Guest) -> None:
        """Let somebody in, show them the table, and let the bots go on."""
        if len(self.guests) >= self.limits.connections:
            raise BridgeError("this table is full")
        self.guests.add(guest)
        self._show_all()
        self._begin(self._drive())
        self._begin(self._compare())

    def leave(self, guest: Guest) -> None:
        """Somebody has gone."""
        self.guests.discard(guest)
        self.since = monotonic()
        self._show_all()

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing is going on."""
        return not self.guests and not self._tasks and monotonic() - self.since > self.limits.idle_seconds

    def _show_all(self) -> None:
        here = frozenset(guest.seat for guest in self.guests if guest.seat is not None)
        views: dict[Seat | None, dict[str, Any]] = {}
        for guest in tuple(self.guests):
            if guest.seat not in views:
                views[guest.seat] = {"view": shown(self.state, guest.seat, here)}
            guest.send(views[guest.seat])

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop everything; what happened is in the store."""
        for task in tuple(self._tasks):
            task.cancel()
        for guest in tuple(self.guests):
            guest.dismiss()

    # What people do

    async def obey(self, guest: Guest, message: dict[str, Any]) -> dict[str, Any]:
        """Do what a message asks, and say what came of it."""
        action = {
            "act": self._act, "undo": self._undo, "claim": self._claim, "agree": self._agree, "next": self._next,
            "again": self._again, "hint": self._hint, "explain": self._explain, "name": self._rename,
            "analyse": self._analyse, "meaning": self._meaning,
        }.get(str(message.get("do")))  # fmt: skip
        if action is None:
            raise BridgeError("not something that can be done at a table")
        if guest.seat is None:
            if message.get("do") == "explain":
                return await self._said(None)
            if message.get("do") == "meaning":
                return await self._meaning(None, message)
            raise BridgeError("you are watching this table")
        return await action(guest.seat, message)

    async def _happen(self, *events: Event) -> None:
        """Store, then let happen, then show; the lock is held."""
        await self.store.append(self.name, self.state.count, list(events))
        before = self.state.version
        for event in events:
            self.state.apply(event)
        if self.state.version != before:
            self._show_all()

    async def _act(self, seat: Seat, message: dict[str, Any]) -> dict[str, Any]:
        async with self._lock:
            game = self._running()
            if message.get("version") not in (None, self.state.version):
                raise BridgeError("the table has moved on")
            if game.turn is not seat:
                raise BridgeError(f"it is {game.turn.word}'s turn")
            if self.state.claim is not None:
                raise BridgeError("there is a claim to be settled first")
            choice = game.read(str(message.get("choice", ""))[:10])
            if isinstance(choice, Call):
                game.auction.after(choice)  # what is illegal raises here, before anything is stored
                await self._happen(act_event(Decision(choice, "")))
            else:
                assert game.play is not None
                game.play.after(choice)
                await self._happen(act_event(Decision(choice, "")))
        if isinstance(choice, Call):
            self._begin(self._say_meaning(len(game.calls) - 1))
        self._begin(self._drive())
        return {}

    async def _undo(self, seat: Seat, message: dict[str, Any]) -> dict[str, Any]:
        async with self._lock:
            if not can_undo(self.state, seat):
                raise BridgeError("there is nothing that you may take back")
            await self._happen({"kind": "undo", "seat": str(seat)})
        self._begin(self._drive())
        return {}

    async def _claim(self, seat: Seat, message: dict[str, Any]) -> dict[str, Any]:
        async with self._lock:
            agreed = await self._claimed(persons_claim(self._running(), seat, message.get("tricks")))
        self._begin(self._drive())
        return {"agreed": agreed}

    async def _claimed(self, claim: Event) -> bool:
        """The bots judge a claim first, then it lies on the table for people to agree to. The lock is held.

        What is stored is never half a claim: a server killed meanwhile knows of none.
        """
        task = judging(self._running(), claim)
        try:
            agreed = task is None or bool(await self.thinking.ask(self.name, task))
        except BridgeError:  # nobody had the time to judge it: play goes on
            agreed = False
        if not agreed:
            await self._happen({"kind": "refuse", "by": ""})
        else:
            await self._happen(claim, *([] if claim["waiting"] else [{"kind": "agree", "seat": ""}]))
        return agreed

    async def _agree(self, seat: Seat, message: dict[str, Any]) -> dict[str, Any]:
        async with self._lock:
            claim = self.state.claim
            if claim is None or seat not in claim.waiting:
                raise BridgeError("there is no claim for you to judge")
            kind = "agree" if message.get("yes") is True else "refuse"
            await self._happen({"kind": kind, "seat": str(seat), "by": str(seat)})
        self._begin(self._drive())
        return {}

    async def _rename(self, seat: Seat, message: dict[str, Any]) -> dict[str, Any]:
        name = "".join(c for c in str(message.get("name", "")) if c.isprintable()).strip()[: self.limits.name]
        async with self._lock:
            await self._happen({"kind": "name", "seat": str(seat), "name": name or seat.word})
        return {}

    async def _hint(self, seat: Seat, message: dict[str, Any]) -> dict[str, Any]:
        from borel.web.hints import hint

        game = self._running()
        if game.turn is not seat:
            raise BridgeError("it is not your turn")
        return {"hint": await hint(self.thinking, self.name, game, self.state.bots[seat])}

    async def _explain(self, seat: Seat, message: dict[str, Any]) -> dict[str, Any]:
        return await self._said(seat)

    async def _meaning(self, seat: Seat | None, message: dict[str, Any]) -> dict[str, Any]:
        """Which hands make a call of the auction: of random hands, so that nobody's own cards have a part in it."""
        game, position = self.state.playing(), message.get("position")
        if not isinstance(position, int) or not 0 <= position < len(game.auction.calls):
            raise BridgeError("there is no such call")
        auction = Auction(game.auction.dealer, game.auction.calls[: position + 1])
        caller = self.state.bots[auction.seat_of(position)]
        arguments = {"bot": replace(caller, silent=False), "auction": auction}
        task = Task("sampled_meaning", arguments | {"vulnerability": game.board.vulnerability})
        return {"sampled": await self.thinking.ask(self.name, task)}

    async def _said(self, seat: Seat | None) -> dict[str, Any]:
        """What the calls have shown; for a seat also what the hidden hands probably hold, given its own cards."""
        game = self.state.playing()
        bot = self.state.bots[0]
        arguments = {"bot": bot, "auction": game.auction, "vulnerability": game.board.vulnerability}
        said = await self.thinking.ask(self.name, Task("explain", arguments))
        if seat is None:
            return {"said": said, "picture": []}
        hand, auction = game.board.deal.hand(seat), game.auction
        view = BiddingView(seat, hand, auction, game.board.vulnerability, self.state.settings.form)
        pictured = await self.thinking.ask(self.name, Task("pictured", {"bot": bot, "view": view}))
        return {"said": said, "picture": pictured["words"]}

    async def _analyse(self, seat: Seat, message: dict[str, Any]) -> dict[str, Any]:
        from borel.web.hints import record_of

        if not self.state.is_over:
            raise BridgeError("the board is not over")
        arguments = {"bot": self.state.bots[seat], "record": record_of(self.state), "number": self.state.number}
        task = Task("review_board", arguments)
        return {"review": await self.thinking.ask(self.name, task, seconds=self.limits.review_seconds)}

    def _running(self) -> BoardInPlay:
        game = self.state.playing()
        if self.state.is_over:
            raise BridgeError("the board is over")
        return game

    # Boards

    async def _next(self, seat: Seat, message: dict[str, Any]) -> dict[str, Any]:
        async with self._lock:
            if self.state.game is not None and not self.state.is_over:
                raise BridgeError("the board is not over")
            await self._happen(board_event(await self.new_board()))
        self._begin(self._drive())
        self._begin(self._compare())
        return {}

    async def _again(self, seat: Seat, message: dict[str, Any]) -> dict[str, Any]:
        async with self._lock:
            if not self.state.is_over:
                raise BridgeError("the board is not over")
            await self._happen(board_event(self.state.playing().board, again=True))
        self._begin(self._drive())
        return {}

    async def new_board(self) -> Board:
        """The next board: of the file if there is one, else dealt."""
        number = self.state.number + 1
        if self.deals:
            record = records_of([self.deals[(number - 1) % len(self.deals)]])[0]
            if record.board is None or not record.board.deal.is_complete:
                raise BridgeError(f"board {number} of the file has no complete deal")
            return record.board
        where, tries = self.state.settings.condition, self.limits.condition_tries
        first = number * tries if where else number  # each board looks among deals of its own
        arguments = {"where": where, "seed": int(self.state.seed, 16), "first": first, "tries": tries}
        return Board.numbered(number, await self.thinking.ask(self.name, Task("new_deal", arguments)))

    # What bots do

    async def _drive(self) -> None:
        """Let bots act until it is a person's turn, the board is over or nobody is here."""
        if self._driving:
            return
        self._driving = True
        try:
            failures = 0
            while failures < ATTEMPTS:
                try:
                    if not await self._one_decision():
                        return
                    failures = 0
                except BridgeError:  # too much waits, or a worker died: a moment later it may go well
                    failures += 1
                    await asyncio.sleep(PAUSE)
        finally:
            self._driving = False

    async def _one_decision(self) -> bool:
        state, game = self.state, self.state.game
        if game is None or state.is_over or game.turn in game.people or state.claim is not None or not self.guests:
            return False
        bot, view, loop = state.bots[game.turn], game.view(), asyncio.get_running_loop()
        begun, load = loop.time(), self.thinking.waiting / self.thinking.size
        hurried = bot.hurried(load)
        auction, play = game.auction, game.play
        arguments = {"bot": hurried, "view": view, "key": f"{state.seed}/{state.number}/{game.point}"}
        decision, meaning = await self.thinking.ask(
            self.name, Task("decide", arguments), seconds=self.limits.job_seconds
        )
        await asyncio.sleep(max(0.0, begun + tempo(state, load) - loop.time()))
        async with self._lock:
            # Somebody may have taken back or claimed meanwhile: then the bot thinks again, about what there is now.
            same = state.game is game and (game.auction, game.play) == (auction, play)
            if same and not state.is_over and state.claim is None:
                if decision.claim is not None and not state.refused:
                    await self._claimed(bots_claim(game, decision.claim))
                else:
                    await self._happen(act_event(decision, meaning))
        return True

    async def _say_meaning(self, position: int) -> None:
        """What a person's call says by agreement, to everybody."""
        game = self.state.game
        if game is None or position >= len(game.calls):
            return
        auction = Auction(game.auction.dealer, game.auction.calls[: position + 1])
        arguments = {"bot": self.state.bots[0], "auction": auction, "vulnerability": game.board.vulnerability}
        with suppress(BridgeError):
            meaning = await self.thinking.ask(self.name, Task("meaning_of", arguments))
            async with self._lock:
                if self.state.game is game and game.auction.calls[: position + 1] == auction.calls:
                    await self._happen({"kind": "meaning", "position": position, "meaning": meaning})

    async def _compare(self) -> None:
        """Par and the second table, while the board is being played."""
        state, game = self.state, self.state.game
        if game is None or state.reference is not None or self._comparing == state.number:
            return
        self._comparing = state.number
        for _ in range(ATTEMPTS):
            try:
                found = await second_table(self.thinking, f"{self.name}/second", state)
                break
            except BridgeError:
                await asyncio.sleep(PAUSE)
        else:
            self._comparing = None
            return
        async with self._lock:
            if self.state.game is not None and self.state.game.board == game.board and self.state.reference is None:
                await self._happen({"kind": "reference", "reference": asdict(found)})
