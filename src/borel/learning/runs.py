"""A training run is a folder: what it was asked, what it has done, and where it can go on. Nothing is overwritten."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel.errors import BridgeError
from borel.learning.tables import Tables

__all__ = ["Run", "RunError", "fingerprint", "load_boards", "save_arrays", "save_boards"]

VERSION = 1


class RunError(BridgeError):
    """A folder that is no run, or one that was asked something else."""


class Run:
    """The folder of a run. ``settings`` must be the same whenever it is gone on with."""

    def __init__(self, folder: Path, kind: str, settings: Mapping[str, Any]) -> None:
        self.folder = folder
        wanted = {"version": VERSION, "kind": kind, "settings": dict(settings)}
        path = folder / "run.json"
        if path.exists():
            _check_same(path, wanted)
        else:
            if folder.exists() and any(folder.iterdir()):
                raise RunError(f"{folder} is not empty and not a training run")
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(wanted, indent=2, sort_keys=True) + "\n")

    def log(self, **numbers: float) -> None:
        """Add a line to the run's history."""
        with (self.folder / "history.jsonl").open("a") as file:
            file.write(json.dumps({name: round(value, 6) for name, value in numbers.items()}) + "\n")

    def history(self) -> list[dict[str, float]]:
        """What the run has done so far; a line cut short by a crash is left out."""
        path, lines = self.folder / "history.jsonl", []
        for line in path.read_text().splitlines() if path.exists() else []:
            try:
                lines.append(json.loads(line))
            except json.JSONDecodeError:
                continue
        return lines

    def checkpoint(self, arrays: Mapping[str, NDArray[Any]], **numbers: float) -> None:
        """Keep what is needed to go on, all of it or the one before."""
        save_arrays(
            self.folder / "checkpoint.npz",
            {**arrays, **{f"number_{name}": np.array(value) for name, value in numbers.items()}},
        )

    def resume(self) -> tuple[dict[str, NDArray[Any]], dict[str, float]] | None:
        """The arrays and numbers of the last checkpoint, if there is one."""
        path = self.folder / "checkpoint.npz"
        if not path.exists():
            return None
        with np.load(path, allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        numbers = {name.removeprefix("number_"): float(arrays.pop(name)) for name in list(arrays) if "number_" in name}
        return arrays, numbers


def _check_same(path: Path, wanted: dict[str, Any]) -> None:
    try:
        found = json.loads(path.read_text())
    except json.JSONDecodeError:
        raise RunError(f"{path} cannot be read") from None
    for part in ("version", "kind"):
        if found.get(part) != wanted[part]:
            raise RunError(f"{path.parent} is a run of {part} {found.get(part)!r}, not {wanted[part]!r}")
    for name, value in wanted["settings"].items():
        if found["settings"].get(name) != value:
            raise RunError(
                f"{path.parent} was begun with {name} {found['settings'].get(name)!r}, not {value!r}; "
                "choose another folder or the same settings"
            )


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays so that a crash leaves the old file or the new one."""
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    partial.replace(path)


def save_boards(path: Path, tables: Tables) -> None:
    """Finished auctions as a shard of training data."""
    longest = max(1, int(tables.lengths.max()))
    save_arrays(
        path,
        {
            "hands": tables.hands,
            "dealer": tables.dealer,
            "vulnerable": tables.vulnerable,
            "calls": tables.calls[:, :longest],
            "lengths": tables.lengths,
        },
    )


def load_boards(paths: list[Path]) -> Tables:
    """The auctions of several shards."""
    parts = []
    for path in paths:
        with np.load(path, allow_pickle=False) as shard:
            tables = Tables.start(shard["hands"], shard["dealer"], shard["vulnerable"])
            tables.calls[:, : shard["calls"].shape[1]] = shard["calls"]
            tables.lengths[:] = shard["lengths"]
            parts.append(tables)
    if not parts:
        raise RunError("no boards to learn from")
    return Tables(*(np.concatenate([getattr(part, name) for part in parts]) for name in Tables.__slots__))


def fingerprint(text: str) -> str:
    """A short name for a long text, such as the source of a system."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
