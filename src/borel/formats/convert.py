"""Converting a file from one format to another, record by record."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from borel.errors import BridgeError
from borel.formats import FORMATS, Report, format_of, sniff
from borel.formats.files import Source, open_source, open_target
from borel.record import Record

__all__ = ["Summary", "convert"]

_PROGRESS_RECORDS = 64  # records between two reports of progress


@dataclass(frozen=True, slots=True)
class Summary:
    """What a conversion did."""

    source: str
    target: str
    source_format: str
    target_format: str
    records: int
    bad: int
    repairs: dict[str, int] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)
    encoding: str = "utf-8"
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The summary as a JSON object."""
        return {
            "source": self.source,
            "target": self.target,
            "from": self.source_format,
            "to": self.target_format,
            "records": self.records,
            "bad": self.bad,
            "repairs": self.repairs,
            "losses": self.losses,
            "encoding": self.encoding,
            "seconds": round(self.seconds, 3),
        }


def convert(
    source: str,
    target: str,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    on_bad: Callable[[BridgeError], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Convert a file; formats that are not named come from the extensions, or from how the source begins.

    Without ``on_bad`` the first bad record raises and the target stays as it was. ``on_progress`` is told how many
    bytes have been read, and of how many.
    """
    started = time.perf_counter()
    target_format = target_format or format_of(target)
    if target_format is None:
        raise BridgeError(f"{target}: the extension names no format; say --to {'|'.join(FORMATS)}")
    report = Report(on_bad)
    with open_source(source) as opened:
        source_format = source_format or format_of(source) or _sniffed(opened, source)
        if opened.encoding != "utf-8-sig":
            report.repair(f"files read as {opened.encoding} because they are not UTF-8")
        records = FORMATS[source_format].load(opened.text, report)
        with open_target(target) as handle:
            FORMATS[target_format].dump(_watched(records, opened, on_progress), handle, report)
    return Summary(
        source,
        target,
        source_format,
        target_format,
        report.records,
        report.bad_records,
        dict(report.repairs),
        dict(report.losses),
        opened.encoding.removesuffix("-sig"),
        time.perf_counter() - started,
    )


def _sniffed(opened: Source, path: str) -> str:
    beginning = opened.text.read(4096)
    opened.text.seek(0)
    found = sniff(beginning)
    if found is None:
        raise BridgeError(f"{path}: not recognised by extension or content; say --from {'|'.join(FORMATS)}")
    return found


def _watched(
    records: Iterator[Record], opened: Source, on_progress: Callable[[int, int], None] | None
) -> Iterator[Record]:
    for count, record in enumerate(records):
        if on_progress is not None and count % _PROGRESS_RECORDS == 0:
            on_progress(opened.position(), opened.size)
        yield record
