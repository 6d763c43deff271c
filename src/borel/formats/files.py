"""Files to convert: encodings found out and said, standard input, and targets that a failure leaves as they were."""

from __future__ import annotations

import codecs
import io
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

from borel.errors import BridgeError

__all__ = ["Source", "open_source", "open_target"]

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """An open text with its encoding and its size in bytes."""

    text: TextIO
    raw: BinaryIO
    encoding: str
    size: int

    def position(self) -> int:
        """How many bytes have been read."""
        return self.raw.tell()


@contextmanager
def open_source(path: str) -> Iterator[Source]:
    """Open a file for reading; ``-`` is standard input, which is copied to disk first so that its encoding is known."""
    with _spooled() if path == "-" else open(path, "rb") as raw:
        encoding = find_encoding(raw)
        size = raw.seek(0, os.SEEK_END)
        raw.seek(0)
        text = io.TextIOWrapper(raw, encoding=encoding, newline=None)
        yield Source(text, raw, encoding, size)


def _spooled() -> BinaryIO:
    raw = tempfile.TemporaryFile()  # noqa: SIM115  # the caller closes it
    shutil.copyfileobj(sys.stdin.buffer, raw, _CHUNK)
    raw.seek(0)
    return raw


def find_encoding(raw: BinaryIO) -> str:
    """UTF-8 if all of the file is, UTF-16 if its byte-order mark says so, otherwise latin-1, which is PBN's own."""
    start = raw.read(2)
    if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(start)
        while chunk := raw.read(_CHUNK):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8-sig"


@contextmanager
def open_target(path: str) -> Iterator[TextIO]:
    """Open a file for writing; ``-`` is standard output.

    The text goes to a new file in the same folder, which takes the target's name when all went well: whatever fails, an
    existing target keeps what it had.
    """
    if path == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    target = Path(os.path.realpath(path))  # the file behind a symbolic link is exchanged, not the link
    if target.is_dir():
        raise BridgeError(f"{path} is a folder")
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):  # a device or a named pipe
        with open(target, "w", encoding="utf-8", newline="\n") as handle:
            yield handle
        return
    with _replacing(target) as handle:
        yield handle


@contextmanager
def _replacing(target: Path) -> Iterator[TextIO]:
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as handle:
            yield handle
        os.chmod(name, stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
