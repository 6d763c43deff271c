"""Portable Bridge Notation 2.1: import and export.

>>> record, = loads('[Declarer "N"][Contract "3NT"][Result "10"]\\n[Auction "N"]\\n1NT Pass 3NT AP')
>>> record.contract, record.tricks
(Contract.parse('3NT by N'), 10)
>>> loads(dumps([record])) == [record]
True
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

from borel.errors import BridgeError
from borel.formats.pbn_games import games
from borel.formats.pbn_read import PbnReader
from borel.formats.pbn_write import HEADER, game_text
from borel.formats.report import Lines, Report, TextReader, TextWriter
from borel.record import Record

__all__ = ["dump", "dumps", "load", "loads"]


def load(handle: TextReader, report: Report | None = None) -> Iterator[Record]:
    """Read records one by one. The first bad one raises, unless a report with ``on_bad`` is given."""
    report = Report() if report is None else report
    reader = PbnReader(report)
    for game in games(Lines(handle), report):
        try:
            record = reader.read(game)
        except BridgeError as error:
            report.bad(error, game.line)
            continue
        report.good(game.line)
        yield record


def loads(text: str, report: Report | None = None) -> list[Record]:
    """Read all records of a text."""
    return list(load(io.StringIO(text), report))


def dump(records: Iterable[Record], handle: TextWriter, report: Report | None = None) -> None:
    """Write records one by one, in export format. PBN holds all of a record."""
    handle.write(HEADER)
    for record in records:
        handle.write(game_text(record))


def dumps(records: Iterable[Record]) -> str:
    """The records as a PBN text."""
    handle = io.StringIO()
    dump(records, handle)
    return handle.getvalue()
