"""Writing reports to files: the suffix decides the form, and a failure leaves what was there."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from borel.arena.report.document import Document
from borel.arena.report.html import html_text
from borel.errors import BridgeError
from borel.formats import pbn
from borel.formats.files import open_target
from borel.record import Record

__all__ = ["FORMATS", "check_target", "write_report"]

FORMATS = (".txt", ".json", ".pbn", ".html")


def check_target(path: Path, *, formats: Iterable[str] = FORMATS) -> None:
    """Complain of a report that could not be written before the work is done, not after."""
    known = tuple(formats)
    if path.suffix.lower() not in known:
        raise BridgeError(f"{path}: a report is one of {' '.join('*' + suffix for suffix in known)}")
    if not path.absolute().parent.is_dir():
        raise BridgeError(f"{path}: there is no such folder")


def write_report(path: Path, document: Document, data: dict[str, Any], records: Iterable[Record] | None = None) -> None:
    """Write a report in the form that its name asks for."""
    suffix = path.suffix.lower()
    check_target(path, formats=[f for f in FORMATS if f != ".pbn" or records is not None])
    if suffix == ".json":
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    elif suffix == ".html":
        text = html_text(document)
    elif suffix == ".pbn":
        text = pbn.dumps(records or ())
    else:
        text = str(document) + "\n"
    try:
        with open_target(str(path)) as handle:
            handle.write(text)
    except OSError as error:
        raise BridgeError(f"{path}: {error.strerror or error}") from error
