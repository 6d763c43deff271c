"""The files bridge players have. Each format is a module with ``load loads dump dumps``, as in `json`.

``load`` gives records one by one from a text handle and ``dump`` writes them one by one, so that the size of a file
does not matter. `FORMATS` lists them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath
from types import MappingProxyType
from typing import Protocol

from borel.errors import BridgeError
from borel.formats import jsonl, lin, pbn, url, wbridge5
from borel.formats.report import Report, TextReader, TextWriter
from borel.record import Record

__all__ = ["FORMATS", "Format", "Report", "format_named", "format_of", "sniff"]


class Format(Protocol):
    """What every module of this package offers."""

    def load(self, handle: TextReader, report: Report | None = None) -> Iterator[Record]:
        """Read records one by one."""
        ...

    def dump(self, records: Iterable[Record], handle: TextWriter, report: Report | None = None) -> None:
        """Write records one by one."""
        ...


FORMATS: MappingProxyType[str, Format] = MappingProxyType(
    {"pbn": pbn, "lin": lin, "url": url, "jsonl": jsonl, "wbridge5": wbridge5}
)
_EXTENSIONS = {".pbn": "pbn", ".lin": "lin", ".url": "url", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}


def format_named(name: str) -> str:
    """The name of a format, checked."""
    if name.lower() not in FORMATS:
        raise BridgeError(f"no format {name[:40]!r}: the formats are {', '.join(FORMATS)}")
    return name.lower()


def format_of(path: str) -> str | None:
    """The name of the format that a file's extension stands for; None if it stands for none.

    >>> format_of("club.PBN"), format_of("notes.txt")
    ('pbn', None)
    """
    return _EXTENSIONS.get(PurePath(path).suffix.lower())


def sniff(text: str) -> str | None:
    """The name of the format that a text begins like; None if it is none.

    >>> sniff("% PBN 2.1"), sniff("pn|South,West,North,East|st||"), sniff("27 46 36 43"), sniff("Dear all,")
    ('pbn', 'lin', 'wbridge5', None)
    """
    words = text.lstrip("\ufeff \t\r\n")
    first = words.partition("\n")[0]
    if first.startswith(("http://", "https://")):
        return "url"
    if first.startswith("{") and '"' in first:
        return "jsonl"
    if first.startswith(("[", "%", ";", "{")):
        return "pbn"
    if all(word.isdecimal() for word in first.split()) and len(first.split()) > 1:
        return "wbridge5"
    return "lin" if "|" in first else None
