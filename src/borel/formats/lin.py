"""BBO's LIN: one table, several boards, and vugraph files with both rooms.

>>> deal = "md|3SAKQJT98765432HDC,SHAKQJT98765432DC,SHDAKQJT98765432C|"
>>> record, = loads(f"qx|o1|pn|Sue,Wes,Nan,Ed|{deal}sv|o|mb|7C!|an|all of them|mb|p|mb|p|mb|p|")
>>> record.contract, record.players, str(record.deal.hands[1]), record.call_notes[0].alerted
(Contract.parse('7C by N'), ('Nan', 'Ed', 'Sue', 'Wes'), '...AKQJT98765432', True)
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

from borel.errors import BridgeError
from borel.formats.lin_read import LinReader
from borel.formats.lin_tokens import blocks
from borel.formats.lin_write import board_text
from borel.formats.report import Lines, Report, TextReader, TextWriter
from borel.record import Record

__all__ = ["dump", "dumps", "load", "loads"]


def load(handle: TextReader, report: Report | None = None) -> Iterator[Record]:
    """Read records one by one. The first bad one raises, unless a report with ``on_bad`` is given."""
    report = Report() if report is None else report
    reader = LinReader(report)
    for block in blocks(Lines(handle)):
        try:
            record = reader.read(block)
        except BridgeError as error:
            report.bad(error, block.line)
            continue
        if record is not None:
            report.good(block.line)
            yield record


def loads(text: str, report: Report | None = None) -> list[Record]:
    """Read all records of a text."""
    return list(load(io.StringIO(text), report))


def dump(records: Iterable[Record], handle: TextWriter, report: Report | None = None) -> None:
    """Write records one by one, each on a line. What LIN cannot hold is counted as a loss in the report."""
    report = Report() if report is None else report
    for record in records:
        try:
            text = board_text(record, report)
        except BridgeError as error:
            report.unwritable(error)
            continue
        handle.write(text + "\n")


def dumps(records: Iterable[Record]) -> str:
    """The records as a LIN text."""
    handle = io.StringIO()
    dump(records, handle)
    return handle.getvalue()
