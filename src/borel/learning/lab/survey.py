"""Surveys of how Q-tables learn: tables 9 and 10 of Prorok 2003, and its other trials, each setting over some seeds.

A survey is a folder: every setting that is done is a line of its file, so that it can be stopped and gone on with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from borel.errors import BridgeError
from borel.learning.bank import Bank
from borel.learning.lab.openings import learnt_openings, shapes_of
from borel.learning.lab.qtable import QTableSettings, learn_system
from borel.learning.lab.schedules import SCHEDULES
from borel.learning.runs import Run

__all__ = ["SURVEYS", "Cell", "Surveyed", "cells_of", "survey"]

LAST = 10  # examinations whose mean is a run's result (tables 9 and 10)
RATES, EXPLORATIONS = (5, 10, 20), (0.005, 0.010, 0.020)  # rates in parts of 1024
ROUGH = {"coarse": 0.5, "rate": 0.1}
WARM = {
    **ROUGH,
    "choice": "boltzmann",
    "explore": 0.0,
    "temperatures": (400.0, 5.0),
    "q0": 0.0,
    "schedule": "decreasing",
}
OPTIONS: dict[str, dict[str, Any]] = {
    "ε-greedy": ROUGH,
    **{f"{name} rate": {**ROUGH, "schedule": name} for name in SCHEDULES if name not in ("constant", "waiting")},
    "roulette": {**ROUGH, "choice": "roulette"},
    "γ = 0.9": {**ROUGH, "gamma": 0.9},
    "γ = 1.2": {**ROUGH, "gamma": 1.2},
    "values within ± 300": {**ROUGH, "limit": 300.0},
    "reward a)": {**ROUGH, "reward": "loss"},
    "reward b)": {**ROUGH, "reward": "loss+200"},
    "reward d)": {**ROUGH, "reward": "blame"},
    "q0 = 0": {**ROUGH, "q0": 0.0},
    "q0 = +200": {**ROUGH, "q0": 200.0},
    "integers": {**ROUGH, "integers": True},
    "template hands": {**ROUGH, "templates": True},
    "a teacher": {**ROUGH, "teacher": "sayc"},
    "a teacher, opener waits": {**ROUGH, "teacher": "sayc", "schedule": "waiting"},
    "agreed trials": {**ROUGH, "agreed": True},
    "Boltzmann": WARM,
    "Boltzmann, template hands": {**WARM, "templates": True},
    "Boltzmann, agreed trials": {**WARM, "agreed": True},
    "Boltzmann, openings learnt": {**WARM, "learnt": True},
    "Boltzmann, opponents bid": {**WARM, "opponents": True},
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A setting of a survey."""

    name: str
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A setting with the results of its seeds: the mean of each one's last ten examinations."""

    cell: str
    results: tuple[float, ...]
    error: float  # of one examination, for it has only so many deals

    @property
    def mean(self) -> float:
        """Over the seeds."""
        return float(np.mean(self.results))

    @property
    def spread(self) -> float:
        """Half of the 95% interval of the mean, by how the seeds differ; the examination's if there is but one."""
        if len(self.results) < 2:
            return self.error
        return 1.96 * float(np.std(self.results, ddof=1)) / sqrt(len(self.results))


def _tables() -> Iterator[Cell]:
    for q0, rate, explore in product((0.0, -200.0), RATES, EXPLORATIONS):
        settings = {"q0": q0, "rate": rate / 1024, "explore": explore, "integers": True}
        yield Cell(f"q0 {q0:g}, Lr {rate}/1024, ε {explore:g}", settings)


SURVEYS = {"tables": tuple(_tables()), "options": tuple(Cell(name, settings) for name, settings in OPTIONS.items())}


def cells_of(name: str) -> tuple[Cell, ...]:
    """The settings of a survey."""
    if name not in SURVEYS:
        raise BridgeError(f"no survey {name[:40]!r}: there are {', '.join(SURVEYS)}")
    return SURVEYS[name]


def survey(
    name: str,
    bank: Bank,
    folder: Path,
    *,
    epochs: int,
    deals: int,
    seeds: int,
    test: int = 2_000,
    only: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Surveyed]:
    """Run what is not done yet of a survey, seed by seed; ``only`` takes that many of its settings."""
    cells = cells_of(name)[:only]
    sizes = {"survey": name, "epochs": epochs, "deals": deals, "test": test, "bank": [bank.seed, len(bank)]}
    run = Run(folder, "qtable survey", sizes)
    path = run.folder / "results.jsonl"
    done = _read(path)
    path.write_text("".join(json.dumps([*key, *done[key]]) + "\n" for key in done))  # less a line cut short
    for number, (seed, cell) in enumerate(product(range(1, seeds + 1), cells)):
        if (cell.name, seed) not in done:
            done[cell.name, seed] = _result(
                cell, bank, QTableSettings(epochs=epochs, deals=deals, test=test, seed=seed)
            )
            with path.open("a") as file:
                file.write(json.dumps([cell.name, seed, *done[cell.name, seed]]) + "\n")
        if progress is not None:
            progress(number + 1)
    return [
        Surveyed(cell.name, tuple(done[cell.name, seed][0] for seed in range(1, seeds + 1)), done[cell.name, 1][1])
        for cell in cells
    ]


def _result(cell: Cell, bank: Bank, sizes: QTableSettings) -> tuple[float, float]:
    """The mean of the last ten examinations, and the ± of the last."""
    from dataclasses import replace

    asked = dict(cell.settings)
    openings = learnt_openings(shapes_of(sizes.shapes)) if asked.pop("learnt", False) else None
    _, told = learn_system(replace(sizes, **asked), bank, openings=openings)
    return float(np.mean([one.test for one in told[-LAST:]])), told[-1].error


def _read(path: Path) -> dict[tuple[str, int], tuple[float, float]]:
    """What is done; a line cut short by a crash is left out."""
    found = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            cell, seed, mean, error = json.loads(line)
        except ValueError:
            continue
        found[cell, seed] = (mean, error)
    return found
