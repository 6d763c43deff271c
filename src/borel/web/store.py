"""What survives a restart: tables with their events, and texts that people saved or uploaded.

Everything is done by one thread, in order; what `append` has returned from is on disk, and a killed server loses none
of it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import sqlalchemy as sa

from borel.store import Store
from borel.web.limits import NotFoundError

__all__ = ["Kept", "WebStore"]

T = TypeVar("T")
_metadata = sa.MetaData()
_tables = sa.Table(
    "borel_web_tables",
    _metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("begun", sa.String(32), nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
)
_events = sa.Table(
    "borel_web_events",
    _metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("borel_web_tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("payload", sa.Text, nullable=False),
)
_texts = sa.Table(
    "borel_web_texts",
    _metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("begun", sa.String(32), nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A table as it is kept: what it was opened with, and what has happened."""

    opened: dict[str, Any]
    events: list[dict[str, Any]]


class WebStore:
    """The store behind the event loop."""

    def __init__(self, place: str | None = None) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._store: Store = self._thread.submit(self._open, place).result()

    @staticmethod
    def _open(place: str | None) -> Store:
        store = Store(place)
        _metadata.create_all(store.engine)
        return store

    async def _run(self, work: Callable[[sa.Connection], T]) -> T:
        def transaction() -> T:
            with self._store.writing() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, transaction)

    async def open_table(self, table: str, opened: dict[str, Any]) -> None:
        """Keep a new table."""
        row = {"id": table, "begun": _now(), "payload": _dump(opened)}
        await self._run(lambda connection: connection.execute(sa.insert(_tables).values(**row)))

    async def append(self, table: str, number: int, events: list[dict[str, Any]]) -> None:
        """Keep events, all or none; the first has this number."""
        rows = [{"table_id": table, "number": number + i, "payload": _dump(e)} for i, e in enumerate(events)]
        await self._run(lambda connection: connection.execute(sa.insert(_events), rows))

    async def load(self, table: str) -> Kept | None:
        """A table with all its events; None if there is no such table."""

        def read(connection: sa.Connection) -> Kept | None:
            opened = connection.execute(sa.select(_tables.c.payload).where(_tables.c.id == table)).scalar()
            if opened is None:
                return None
            query = sa.select(_events.c.payload).where(_events.c.table_id == table).order_by(_events.c.number)
            return Kept(json.loads(opened), [json.loads(text) for text in connection.execute(query).scalars()])

        return await self._run(read)

    async def keep_text(self, name: str, kind: str, payload: dict[str, Any]) -> None:
        """Keep a text under a name; one of the same name is exchanged."""
        row = {"id": name, "kind": kind, "begun": _now(), "payload": _dump(payload)}

        def write(connection: sa.Connection) -> None:
            connection.execute(sa.delete(_texts).where(_texts.c.id == name))
            connection.execute(sa.insert(_texts).values(**row))

        await self._run(write)

    async def text(self, name: str, kind: str) -> dict[str, Any]:
        """A text that was kept."""
        query = sa.select(_texts.c.payload).where(_texts.c.id == name, _texts.c.kind == kind)
        payload = await self._run(lambda connection: connection.execute(query).scalar())
        if payload is None:
            raise NotFoundError(f"there is no {kind} under this link")
        found: dict[str, Any] = json.loads(payload)
        return found

    def close(self) -> None:
        """Give the connections back."""
        self._thread.submit(self._store.close).result()
        self._thread.shutdown()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _dump(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
