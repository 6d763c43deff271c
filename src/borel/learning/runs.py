"""A training run is a folder: what it was asked, what it has done, and where it can go on. Nothing is overwritten."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel.bidding.tables import Tables
from borel.errors import BridgeError

__all__ = [
    "Run",
    "RunError",
    "code_version",
    "load_arrays",
    "load_boards",
    "plot_history",
    "read_history",
    "save_arrays",
    "save_boards",
    "settings_of",
]

VERSION = 2  # 1: boards of an imitation in shards by number
ALONG = {"imitation": "step", "improvement": "round", "search iteration": "round"}  # how far a training run is


class RunError(BridgeError):
    """A folder that is no run, or one that was asked something else."""


class Run:
    """The folder of a run. ``settings`` must be the same whenever it is gone on with."""

    def __init__(self, folder: Path, kind: str, settings: Mapping[str, Any]) -> None:
        if folder.exists() and not folder.is_dir():
            raise RunError(f"{folder} is a file; a run has a folder of its own")
        self.folder = folder
        asked = dict(settings)
        wanted = {"version": VERSION, "kind": kind, "settings": asked}
        path = folder / "run.json"
        begun = _read_run(path, wanted) if path.exists() else None
        kept = any(found.is_file() and found != path for found in folder.rglob("*"))
        if begun is None and kept:
            raise RunError(f"{folder} is not empty and not a training run")
        if begun is not None and kept:
            _check_same(folder, begun, asked)
        else:  # a run that was refused before it kept anything may begin otherwise
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(wanted, indent=2, sort_keys=True) + "\n")

    def log(self, **numbers: float) -> None:
        """Add a line to the run's history, a new one even behind a line that a crash cut short."""
        path = self.folder / "history.jsonl"
        cut = path.exists() and path.read_bytes()[-1:] not in (b"", b"\n")
        with path.open("a") as file:
            file.write("\n" * cut + json.dumps({name: round(value, 6) for name, value in numbers.items()}) + "\n")

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
        arrays = load_arrays(path)
        numbers = {name.removeprefix("number_"): float(arrays.pop(name)) for name in list(arrays) if "number_" in name}
        return arrays, numbers


def code_version() -> str:
    """The commit of the code that runs, and whether files were changed since; elsewhere the package's version."""
    here = ["git", "-C", str(Path(__file__).parent)]
    try:
        commit = subprocess.run([*here, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True)
        changed = subprocess.run([*here, "diff", "--quiet", "HEAD", "--", ":/src", ":/core"], check=False)
    except (OSError, subprocess.CalledProcessError):
        return f"version {version('borel-bridge')}"
    return commit.stdout.strip() + (" and changes" if changed.returncode else "")


def settings_of(folder: Path) -> dict[str, Any]:
    """What a run was asked."""
    try:
        found: dict[str, Any] = json.loads((folder / "run.json").read_text())["settings"]
    except (OSError, KeyError, ValueError):
        raise RunError(f"{folder} is not a training run") from None
    return found


def read_history(folder: Path) -> tuple[str, list[dict[str, float]]]:
    """What kind of run a folder holds and what it has done; a line cut short by a crash is left out.

    A training run that was killed between a line and its checkpoint writes the line again: the later one counts.
    """
    try:
        kind = str(json.loads((folder / "run.json").read_text())["kind"])
    except (OSError, KeyError, ValueError):
        raise RunError(f"{folder} is not a training run") from None
    path, lines = folder / "history.jsonl", []
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            lines.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    along = ALONG.get(kind)
    return kind, list({line[along]: line for line in lines}.values()) if along else lines


def plot_history(kind: str, lines: list[dict[str, float]], path: Path) -> None:
    """Draw what a run has learnt: calls right by step, or IMPs a board by round."""
    if not lines:
        raise RunError("the run has no history to draw yet")
    if kind not in ALONG:
        raise RunError(f"a run of {kind} has no plot here")
    from matplotlib.figure import Figure

    along, value = ALONG[kind], "right" if kind == "imitation" else "gain"
    figure = Figure(figsize=(7, 4))
    axes = figure.add_subplot()
    places, values = [line[along] for line in lines], [line[value] for line in lines]
    axes.errorbar(places, values, yerr=[1.96 * line.get("error", 0.0) for line in lines], capsize=2)
    axes.set_xlabel(along)
    axes.set_ylabel("share of calls right" if kind == "imitation" else "IMPs a board against the imitation")
    axes.grid(visible=True, alpha=0.3)
    figure.savefig(path, bbox_inches="tight")


def _read_run(path: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    """The settings that a run was begun with, which must be of the version and kind that is wanted."""
    try:
        found = json.loads(path.read_text())
    except ValueError:
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("settings"), dict):
        raise RunError(f"{path} cannot be read")
    for part in ("version", "kind"):
        if found.get(part) != wanted[part]:
            raise RunError(f"{path.parent} is a run of {part} {found.get(part)!r}, not {wanted[part]!r}")
    settings: dict[str, Any] = found["settings"]
    return settings


def _check_same(folder: Path, begun: dict[str, Any], wanted: dict[str, Any]) -> None:
    for name, value in wanted.items():
        if begun.get(name) != value:
            raise RunError(
                f"{folder} was begun with {name} {begun.get(name)!r}, not {value!r}; "
                "choose another folder or the same settings"
            )


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays so that a crash leaves the old file or the new one."""
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    partial.replace(path)


def load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file."""
    with np.load(path, allow_pickle=False) as kept:
        return {name: kept[name] for name in kept.files}


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
        shard = load_arrays(path)
        tables = Tables.start(shard["hands"], shard["dealer"], shard["vulnerable"])
        tables.calls[:, : shard["calls"].shape[1]] = shard["calls"]
        tables.lengths[:] = shard["lengths"]
        parts.append(tables)
    if not parts:
        raise RunError("no boards to learn from")
    return Tables.joined(parts)
