"""Runs and their numbered results. A result is stored as it comes, once, and survives whatever happens next."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from borel.errors import BridgeError

__all__ = ["Run", "RunInfo", "Store", "StoreError", "default_place"]

SCHEMA = 1
_metadata = sa.MetaData()
_schema = sa.Table("borel_schema", _metadata, sa.Column("version", sa.Integer, primary_key=True))
_runs = sa.Table(
    "borel_runs",
    _metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("key", sa.String(64), nullable=False, index=True),
    sa.Column("config", sa.Text, nullable=False),
    sa.Column("begun", sa.String(32), nullable=False),
    sa.Column("finished", sa.String(32)),
    sa.Column("summary", sa.Text),
)
_results = sa.Table(
    "borel_results",
    _metadata,
    sa.Column("run", sa.Integer, sa.ForeignKey("borel_runs.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("payload", sa.Text, nullable=False),
)


class StoreError(BridgeError):
    """The store cannot be opened, read or written."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What is known of a run: what it was, when, and how it ended."""

    id: int
    kind: str
    config: Mapping[str, Any]
    begun: str
    finished: str | None
    summary: Mapping[str, Any] | None


def default_place() -> str:
    """BOREL_STORE if it is set; otherwise a file in the user's data folder."""
    if place := os.environ.get("BOREL_STORE"):
        return place
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData" / "Local")))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return str(base / "borel" / "arena.sqlite")


class Store:
    """A database of runs.

    >>> store = Store("none")
    >>> run = store.begin("match", {"a": "rules:sayc", "b": "uniform", "seed": 1})
    >>> run.add(1, {"imps": 3}), run.add(1, {"imps": 5}), run.payloads()
    (True, False, {1: {'imps': 3}})
    """

    def __init__(self, place: str | Path | None = None) -> None:
        """Open a file or a database URL; ``none`` keeps everything in memory and forgets it."""
        text = str(place) if place is not None else default_place()
        self.place = text
        with self._errors():
            self.engine = self._open(text)
            _metadata.create_all(self.engine)
            self._check_version()

    def _open(self, text: str) -> Engine:
        if text == "none":
            return sa.create_engine("sqlite://", poolclass=sa.StaticPool)
        if "://" in text:
            return sa.create_engine(text)
        path = Path(text)
        path.parent.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)), connect_args={"timeout": 30})
        sa.event.listen(engine, "connect", _careful)
        return engine

    def _check_version(self) -> None:
        with self.engine.begin() as connection:
            version = connection.execute(sa.select(_schema.c.version)).scalar()
            if version is None:
                connection.execute(sa.insert(_schema).values(version=SCHEMA))
            elif version != SCHEMA:
                raise StoreError(f"{self.place} is of another version of Borel (schema {version}, not {SCHEMA})")

    def begin(self, kind: str, config: Mapping[str, Any], *, fresh: bool = False) -> Run:
        """The unfinished run with this configuration, to be continued; a new one if there is none, or if ``fresh``."""
        key = run_key(kind, config)
        with self.writing() as connection:
            if not fresh:
                open_runs = _runs.c.key == key, _runs.c.finished.is_(None)
                number = connection.execute(sa.select(sa.func.max(_runs.c.id)).where(*open_runs)).scalar()
                if number is not None:
                    return Run(self, int(number))
            row = {"kind": kind, "key": key, "config": dump(config), "begun": _now()}
            inserted = connection.execute(sa.insert(_runs).values(**row)).inserted_primary_key
            assert inserted is not None
            return Run(self, int(inserted[0]))

    def runs(self, kind: str | None = None, *, finished: bool = False) -> list[RunInfo]:
        """The runs of a kind, oldest first."""
        query = sa.select(_runs).order_by(_runs.c.id)
        if kind is not None:
            query = query.where(_runs.c.kind == kind)
        if finished:
            query = query.where(_runs.c.finished.is_not(None))
        with self.writing() as connection:
            return [
                RunInfo(
                    row.id, row.kind, json.loads(row.config), row.begun, row.finished,
                    json.loads(row.summary) if row.summary else None,
                )
                for row in connection.execute(query)
            ]  # fmt: skip

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction whose errors are said in one line."""
        with self._errors(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sa.exc.DBAPIError as error:
            reason = str(error.orig).strip().splitlines()[0]
            hint = (
                "; free some space and give the same command again: what is stored is safe" if "full" in reason else ""
            )
            raise StoreError(f"store {self.shown_place}: {reason}{hint}") from error
        except (sa.exc.SQLAlchemyError, ImportError, OSError) as error:
            raise StoreError(f"store {self.shown_place}: {error}") from error

    @property
    def shown_place(self) -> str:
        """The place without a password."""
        return sa.make_url(self.place).render_as_string() if "://" in self.place else self.place

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Run:
    """One run in the store."""

    store: Store
    id: int

    def add(self, number: int, payload: Mapping[str, Any]) -> bool:
        """Store a numbered result; a number that is already there stays as it is, and the answer is False."""
        try:
            with self.store.engine.begin() as connection:
                connection.execute(sa.insert(_results).values(run=self.id, number=number, payload=dump(payload)))
        except sa.exc.IntegrityError:
            return False
        except sa.exc.SQLAlchemyError as error:
            with self.store._errors():
                raise error
        return True

    def payloads(self) -> dict[int, Any]:
        """Every stored result by number."""
        query = sa.select(_results.c.number, _results.c.payload).where(_results.c.run == self.id)
        with self.store.writing() as connection:
            rows = connection.execute(query.order_by(_results.c.number)).all()
        return {row.number: json.loads(row.payload) for row in rows}

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Mark the run as done: it is history, and the same command begins a new one."""
        with self.store.writing() as connection:
            change = sa.update(_runs).where(_runs.c.id == self.id)
            connection.execute(change.values(finished=_now(), summary=dump(summary)))


def run_key(kind: str, config: Mapping[str, Any]) -> str:
    """A name for everything that decides the results of a run."""
    return sha256(dump({"kind": kind, **config}).encode()).hexdigest()


def dump(value: Mapping[str, Any]) -> str:
    """JSON in one form only, so that equal configurations are equal texts."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _careful(connection: Any, _: object) -> None:
    """Write ahead: a killed process loses nothing that was committed, and readers do not wait."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()
