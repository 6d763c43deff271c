"""A name for the code that plays, so that half a match played by one program is never finished by another."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import borel

__all__ = ["borel_fingerprint", "borel_version", "files_fingerprint", "fingerprint_of"]

_CODE = {".py", ".so", ".pyd", ".bid", ".lark", ".safetensors", ".npz"}
_OTHER_CODE = _CODE | {".js", ".jar", ".lua", ".onnx", ".pt", ".h5", ".json", ".toml", ".yaml", ".yml", ".ini", ".conf"}
LARGEST = 1 << 28  # bytes of a file that are worth reading for this


@cache
def borel_fingerprint() -> str:
    """The content of the installed package, in twelve characters."""
    root = Path(borel.__file__).parent
    digest = sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in _CODE and path.is_file():
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def borel_version() -> str:
    """The installed version."""
    try:
        return version("borel-bridge")
    except PackageNotFoundError:  # a copy that was never installed
        return "unknown"


def fingerprint_of(texts: Iterable[str]) -> str:
    """Of texts in their order."""
    digest = sha256()
    for text in texts:
        digest.update(f"{len(text)} {text}".encode())
    return digest.hexdigest()[:12]


def files_fingerprint(spec: str) -> str:
    """The content of the files that a bidder specification names: systems, programs, networks; not what it writes."""
    digest = sha256()
    for word in re.split(r"[\s,:=]+", spec):
        path = _file(word)
        if path is not None:
            digest.update(word.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _file(word: str) -> Path | None:
    found = word if Path(word).is_file() else shutil.which(word) if word else None
    if found is None:
        return None
    path = Path(found)
    is_code = path.suffix.lower() in _OTHER_CODE or os.access(path, os.X_OK)
    return path if is_code and path.stat().st_size <= LARGEST else None
