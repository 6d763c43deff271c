"""Weights in a safetensors file, with a manifest and a hash: what a network is, where it comes from, and that whole."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from borel.errors import BridgeError

__all__ = ["Arrays", "WeightsError", "read_weights", "write_weights"]

Arrays = dict[str, NDArray[np.float16]]


class WeightsError(BridgeError):
    """A file of weights that cannot be used."""


def write_weights(path: Path, arrays: Arrays, manifest: dict[str, Any]) -> None:
    """Write a file whole or not at all; ``manifest`` says its ``format``, the hash is added here."""
    told = manifest | {"sha256": _digest(arrays)}
    partial = path.with_suffix(".partial")
    save_file(arrays, partial, metadata={"manifest": json.dumps(told, sort_keys=True)})
    partial.replace(path)


def read_weights(path: Path, kind: str, what: str, **versions: int) -> tuple[Arrays, dict[str, Any]]:
    """The arrays and the manifest of a file of this format (in words: ``what``), checked against versions and hash."""
    try:
        with safe_open(path, framework="numpy") as file:
            manifest = json.loads((file.metadata() or {}).get("manifest", "{}"))
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a mapping
    except (OSError, SafetensorError, json.JSONDecodeError, ValueError) as error:
        raise WeightsError(f"{path}: not a file of weights ({error})") from None
    if manifest.get("format") != kind:
        raise WeightsError(f"{path}: not the weights of {what}")
    for name, ours in versions.items():
        if manifest.get(name) != ours:
            raise WeightsError(f"{path}: weights for {name} {manifest.get(name)}, this version uses {ours}")
    if manifest.get("sha256") != _digest(arrays):
        raise WeightsError(f"{path}: the weights do not match their hash; the file is damaged")
    return arrays, manifest


def _digest(arrays: Arrays) -> str:
    whole = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        whole.update(f"{name} {array.shape} {array.dtype}".encode())
        whole.update(array.tobytes())
    return whole.hexdigest()
