"""All tables: opened under links that nobody guesses, kept in memory while somebody is there, in the store for ever."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import Any

from borel.cards import Seat
from borel.errors import BridgeError
from borel.web.limits import BusyError, Limits, NotFoundError
from borel.web.live import LiveTable
from borel.web.settings import NewTable
from borel.web.state import TableState, board_event
from borel.web.store import WebStore
from borel.web.thinking import Thinking

__all__ = ["Hub", "new_link"]

LINK_BYTES = 16  # 128 bits: a link is as secret as a password
SWEEP_SECONDS = 60.0


def new_link() -> str:
    """A name that nobody guesses."""
    return secrets.token_urlsafe(LINK_BYTES)


class Hub:
    """The tables of a server."""

    def __init__(self, store: WebStore, thinking: Thinking, limits: Limits) -> None:
        self.store, self.thinking, self.limits = store, thinking, limits
        self.live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Lock] = {}

    async def open(self, settings: NewTable) -> tuple[LiveTable, dict[Seat, str]]:
        """A new table with its first board, and the key of each person's seat."""
        if len(self.live) >= self.limits.live_tables:
            raise BusyError("too many tables are open: try again later")
        text = (await self.store.text(settings.own_system, "system"))["text"] if settings.own_system else ""
        deals = (await self.store.text(settings.file, "file"))["records"] if settings.file else []
        name, keys = new_link(), {seat: new_link() for seat in sorted(settings.seats)}
        opened = {
            "settings": settings.model_dump(), "keys": {str(seat): key for seat, key in keys.items()},
            "seed": secrets.token_hex(8), "text": text, "deals": deals,
        }  # fmt: skip
        table = self._table(name, opened)
        board = await table.new_board()  # before anything is kept: a condition may be impossible
        events: list[dict[str, Any]] = [board_event(board)]
        if settings.name:
            events.insert(0, {"kind": "name", "seat": str(min(keys, key=_first)), "name": settings.name})
        await self.store.open_table(name, opened)
        await self.store.append(name, 0, events)
        for event in events:
            table.state.apply(event)
        self.live[name] = table
        return table, keys

    def _table(self, name: str, opened: dict[str, Any]) -> LiveTable:
        keys = {Seat.parse(seat): key for seat, key in opened["keys"].items()}
        state = TableState(NewTable(**opened["settings"]), opened["seed"], opened["text"])
        return LiveTable(name, keys, state, opened["deals"], self.store, self.thinking, self.limits)

    async def table(self, name: str) -> LiveTable:
        """The table under a link, read from the store if it is not in memory."""
        if name in self.live:
            return self.live[name]
        lock = self._loading.setdefault(name, asyncio.Lock())
        async with lock:
            if name not in self.live:
                kept = await self.store.load(name)
                if kept is None:
                    self._loading.pop(name, None)
                    raise NotFoundError("there is no table under this link")
                table = self._table(name, kept.opened)
                for event in kept.events:
                    table.state.apply(event)
                self.live[name] = table
        self._loading.pop(name, None)
        return self.live[name]

    async def sweep(self) -> None:
        """Forget tables where nobody is, for as long as the server runs."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for name in [name for name, table in self.live.items() if table.is_idle]:
                del self.live[name]

    async def close(self) -> None:
        """Stop all tables."""
        for table in self.live.values():
            with suppress(BridgeError):
                await table.close()
        self.live.clear()


def _first(seat: Seat) -> tuple[bool, Seat]:
    """Who opens a table sits South if that is a person's seat."""
    return seat is not Seat.S, seat
