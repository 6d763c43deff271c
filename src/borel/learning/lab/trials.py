"""The experiments with small games: who learns what, over many seeds, with intervals and a picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
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
from borel.learning.runs import Run

__all__ = ["CLIMBERS", "TALKERS", "Trial", "climbing_trials", "plot_trials", "talking_trials"]

Report = Callable[[str, int, int], None]
# name: (settings, settings of --quick); the first two have the thesis's parameters (10.3), whose languages depend "on
# initial values of the Q-table" (chapter 10), which it does not print
TALKERS: dict[str, tuple[QSettings, QSettings] | None] = {
    "independent": (QSettings(begun=(0.0, 1.0)), QSettings(cycles=30_000, rate=0.03, begun=(0.0, 1.0))),
    "independent, from nothing": (QSettings(), QSettings(cycles=30_000, rate=0.03)),
    "independent, optimistic": (QSettings(begun=(2.0, 2.0)), QSettings(cycles=30_000, rate=0.03, begun=(2.0, 2.0))),
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
THIRD_BID = "annealed, third bid"
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
    game: str,
    *,
    numbers: int = 5,
    seeds: int = 100,
    seed: int = 1,
    quick: bool = False,
    folder: Path | None = None,
    report: Report | None = None,
) -> list[Trial]:
    """All kinds of learners on one game; with more numbers than words, the third bid too.

    With a folder every kind that is done is kept there, so that the trials can be stopped and gone on with.
    """
    _check_seeds(seeds)
    talk = game_named(game, numbers)
    seeds = min(seeds, QUICK_SEEDS) if quick else seeds

    def trial(name: str) -> Trial:
        if name == THIRD_BID:
            return _rebid(numbers, seeds, seed, report, quick=quick)
        settings = TALKERS[name]
        if settings is None:
            return _bred(name, talk, seeds, seed, report, quick=quick)
        asked = settings[1] if quick else settings[0]
        curve = learn_by_q(talk, asked, pairs=seeds, seed=seed, points=25, progress=_told(report, name, asked.cycles))
        along = [(cycle, float(worth.mean())) for cycle, worth in zip(curve.cycles, curve.worth, strict=True)]
        return Trial(name, curve.worth[-1], along, talk.best)

    names = [*TALKERS, *([THIRD_BID] if game == "sum" and numbers > 5 else [])]
    asked = {"game": game, "numbers": numbers, "seeds": seeds, "seed": seed, "quick": quick}
    return [trial(name) for name in names] if folder is None else _kept(folder, asked, names, trial)


def _check_seeds(seeds: int) -> None:
    if seeds < 2:
        raise BridgeError(f"at least 2 seeds are needed for an interval, not {seeds}")


def _kept(folder: Path, asked: dict[str, Any], names: list[str], trial: Callable[[str], Trial]) -> list[Trial]:
    """The trials of a folder, those that it lacks made now; a line cut short by a crash is made again."""
    path = Run(folder, "small game", asked).folder / "trials.jsonl"
    done = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        with suppress(ValueError):
            name, ends, along, best = json.loads(line)
            done[name] = Trial(name, np.array(ends), [(step, worth) for step, worth in along], best)
    for name in names:
        if name not in done:
            done[name] = trial(name)
            kept = [[one.name, one.ends.tolist(), one.along, one.best] for one in done.values()]
            path.write_text("".join(json.dumps(line) + "\n" for line in kept))
    return [done[name] for name in names]


def _rebid(numbers: int, seeds: int, seed: int, report: Report | None, *, quick: bool) -> Trial:
    settings = replace(REBID, cycles=20_000) if quick else REBID
    told = _told(report, "third bid", settings.cycles)
    ends = learn_to_rebid(settings, numbers=numbers, pairs=seeds, seed=seed, progress=told)
    return Trial(THIRD_BID, ends, [(settings.cycles, float(ends.mean()))], 1.0)


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
            if not best or best[-1] < game.best - 1e-9:
                one = breed(game, settings, seed=seed, stream=number + again * 1_000_003).best
                best += [max(worth, best[-1]) if best else worth for worth in one]
        runs.append(best)
        if report is not None:
            report(name, number + 1, seeds)
    longest = max(len(run) for run in runs)
    filled = np.array([run + [run[-1]] * (longest - len(run)) for run in runs])
    along = [(generation + 1, float(filled[:, generation].mean())) for generation in range(0, longest, 5)]
    return Trial(name, filled[:, -1], along, game.best)


def climbing_trials(*, seeds: int = 100, seed: int = 1, quick: bool = False, folder: Path | None = None) -> list[Trial]:
    """Independent, hysteretic and joint-action learners on the climbing game; kept in a folder as those of talkers."""
    _check_seeds(seeds)

    def trial(name: str) -> Trial:
        settings = CLIMBERS[name] if quick else replace(CLIMBERS[name], steps=10_000)
        paid = climb(settings, pairs=seeds, seed=seed)
        along = [(step + 1, float(paid[step].mean())) for step in range(0, len(paid), len(paid) // 50)]
        return Trial(name, paid[-1], along, 11.0)

    asked = {"game": "climbing", "seeds": seeds, "seed": seed, "quick": quick}
    return [trial(name) for name in CLIMBERS] if folder is None else _kept(folder, asked, list(CLIMBERS), trial)


def plot_trials(trials: list[Trial], path: Path, *, along: str, value: str) -> None:
    """The mean of each kind of learner on its way, which is in generations for the genetic algorithm."""
    from matplotlib.figure import Figure

    from borel.learning.lab.plots import save

    figure = Figure(figsize=(7, 4))
    axes = figure.add_subplot()
    for trial in trials:
        steps = np.array([step for step, _ in trial.along], dtype=np.float64)
        axes.plot(steps / steps[-1], [worth for _, worth in trial.along], marker=".", label=trial.name)
    axes.set_xlabel(along)
    axes.set_ylabel(value)
    axes.legend()
    axes.grid(visible=True, alpha=0.3)
    save(figure, path)


def _told(report: Report | None, name: str, total: int) -> Callable[[int], None] | None:
    return None if report is None else lambda done: report(name, done, total)
