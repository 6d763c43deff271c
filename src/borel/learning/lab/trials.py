"""The experiments with small games: who learns what, over many seeds, with intervals and a picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel.errors import BridgeError
from borel.learning.lab.breeding import BreedingSettings, breed
from borel.learning.lab.climbing import ClimbingSettings, climb
from borel.learning.lab.partners import QSettings, learn_by_q
from borel.learning.lab.rebidding import learn_to_rebid
from borel.learning.lab.talking import TalkingGame, game_named

__all__ = ["CLIMBERS", "TALKERS", "Trial", "climbing_trials", "plot_trials", "talking_trials"]

Report = Callable[[str, int, int], None]
# name: (settings, settings of --quick); the first has the thesis's parameters (10.3)
TALKERS: dict[str, tuple[QSettings, QSettings] | None] = {
    "independent": (QSettings(), QSettings(cycles=30_000, rate=0.03)),
    "hysteretic": (QSettings(rate=0.02, fall=0.1), QSettings(cycles=30_000, rate=0.1, fall=0.1)),
    "joint action": (QSettings(rate=0.02, joint=True), QSettings(cycles=30_000, rate=0.1, joint=True)),
    "annealed": (
        QSettings(cycles=200_000, rate=0.02, temperatures=(1.0, 0.02)),
        QSettings(cycles=30_000, rate=0.1, temperatures=(1.0, 0.02)),
    ),
    "genetic": None,
    "genetic, begun anew": None,
}
# Populations converge too early (10.3, which mends it by more mutation): many short trials instead of a long one.
BRED = {
    "genetic": (BreedingSettings(), 1),
    "genetic, begun anew": (BreedingSettings(generations=100, mutation=0.01), 10),
}
QUICK_GENERATIONS = 200  # in all
QUICK_SEEDS = 30
REBID = QSettings(cycles=600_000, rate=0.1, temperatures=(0.5, 0.02))
CLIMBERS = {
    "independent": ClimbingSettings(),
    "hysteretic": ClimbingSettings(fall=0.1),
    "joint action": ClimbingSettings(joint=True),
}


@dataclass(frozen=True, slots=True)
class Trial:
    """What one kind of learner came to on every seed, and the mean on the way."""

    name: str
    ends: NDArray[np.float64]
    along: list[tuple[int, float]]
    best: float

    @property
    def mean(self) -> float:
        """Over the seeds."""
        return float(self.ends.mean())

    @property
    def error(self) -> float:
        """Half of the 95% interval."""
        return 1.96 * float(self.ends.std(ddof=1)) / sqrt(len(self.ends)) if len(self.ends) > 1 else 0.0

    @property
    def perfect(self) -> float:
        """The share of seeds that found the best there is."""
        return float((self.ends > self.best - 1e-9).mean())

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "learners": self.name,
            "seeds": len(self.ends),
            "mean": round(self.mean, 4),
            "plus_minus": round(self.error, 4),
            "perfect": round(self.perfect, 4),
            "along": self.along,
        }


def talking_trials(
    game: str, *, numbers: int = 5, seeds: int = 100, seed: int = 1, quick: bool = False, report: Report | None = None
) -> list[Trial]:
    """All kinds of learners on one game; with more numbers than words, the third bid too."""
    if seeds < 2:
        raise BridgeError(f"at least 2 seeds are needed for an interval, not {seeds}")
    talk = game_named(game, numbers)
    seeds = min(seeds, QUICK_SEEDS) if quick else seeds
    found = []
    for name, settings in TALKERS.items():
        if settings is None:
            found.append(_bred(name, talk, seeds, seed, report, quick=quick))
            continue
        asked = settings[1] if quick else settings[0]
        curve = learn_by_q(talk, asked, pairs=seeds, seed=seed, points=25, progress=_told(report, name, asked.cycles))
        along = [(cycle, float(worth.mean())) for cycle, worth in zip(curve.cycles, curve.worth, strict=True)]
        found.append(Trial(name, curve.worth[-1], along, 1.0))
    if game == "sum" and numbers > 5:
        rebid = replace(REBID, cycles=20_000) if quick else REBID
        told = _told(report, "third bid", rebid.cycles)
        ends = learn_to_rebid(rebid, numbers=numbers, pairs=seeds, seed=seed, progress=told)
        found.append(Trial("annealed, third bid", ends, [(rebid.cycles, float(ends.mean()))], 1.0))
    return found


def _bred(name: str, game: TalkingGame, seeds: int, seed: int, report: Report | None, *, quick: bool) -> Trial:
    """The best language of each seed's populations, one after another, by generation."""
    settings, populations = BRED[name]
    if quick:
        settings = replace(settings, generations=min(settings.generations, QUICK_GENERATIONS))
        populations = min(populations, QUICK_GENERATIONS // settings.generations)
    runs = []
    for number in range(seeds):
        best: list[float] = []
        for again in range(populations):
            if not best or best[-1] < 1:
                one = breed(game, settings, seed=seed, stream=number + again * 1_000_003).best
                best += [max(worth, best[-1]) if best else worth for worth in one]
        runs.append(best)
        if report is not None:
            report(name, number + 1, seeds)
    longest = max(len(run) for run in runs)
    filled = np.array([run + [run[-1]] * (longest - len(run)) for run in runs])
    along = [(generation + 1, float(filled[:, generation].mean())) for generation in range(0, longest, 5)]
    return Trial(name, filled[:, -1], along, 1.0)


def climbing_trials(*, seeds: int = 100, seed: int = 1, quick: bool = False) -> list[Trial]:
    """Independent, hysteretic and joint-action learners on the climbing game."""
    if seeds < 2:
        raise BridgeError(f"at least 2 seeds are needed for an interval, not {seeds}")
    found = []
    for name, settings in CLIMBERS.items():
        paid = climb(settings if quick else replace(settings, steps=10_000), pairs=seeds, seed=seed)
        along = [(step + 1, float(paid[step].mean())) for step in range(0, len(paid), len(paid) // 50)]
        found.append(Trial(name, paid[-1], along, 11.0))
    return found


def plot_trials(trials: list[Trial], path: Path, *, along: str, value: str) -> None:
    """The mean of each kind of learner on its way, which is in generations for the genetic algorithm."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4))
    axes = figure.add_subplot()
    for trial in trials:
        steps = np.array([step for step, _ in trial.along], dtype=np.float64)
        axes.plot(steps / steps[-1], [worth for _, worth in trial.along], marker=".", label=trial.name)
    axes.set_xlabel(along)
    axes.set_ylabel(value)
    axes.legend()
    axes.grid(visible=True, alpha=0.3)
    figure.savefig(path, bbox_inches="tight")


def _told(report: Report | None, name: str, total: int) -> Callable[[int], None] | None:
    return None if report is None else lambda done: report(name, done, total)
