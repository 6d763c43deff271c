"""Studies of co-training (Amit & Markovitch 2006, 5.3 and 5.4): runs compared on the same challenges.

A run is tested after some of its nets, with one or several samples and limits. Every line is compared with the
untrained system under the same conditions, problem by problem. The study of a curve (Fig. 9 to 12) asks for several
numbers of nets, those of sample size and of the limit (Fig. 14, 15) for several samples or limits, those of exchange
(5.4.3), of utilities (Fig. 16) and of a restricted state space (Fig. 13) for several runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from borel.arena.challenge import Solved
from borel.arena.statistics import Estimate
from borel.learning.lab.cotested import Tested, TestSettings, solve, tested
from borel.learning.lab.cotraining import CoTraining

__all__ = ["Line", "study"]


@dataclass(frozen=True, slots=True)
class Line:
    """A run after so many nets under some conditions; ``gain`` is on the untrained system, with ``gain_error`` ±."""

    run: str
    tried: int
    sample: int
    instances: int
    found: Tested
    gain: float
    gain_error: float

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        own = {"run": self.run, "tried": self.tried, "sample": self.sample, "limit": self.instances}
        return own | asdict(self.found) | {"gain": round(self.gain, 3), "gain_plus_minus": round(self.gain_error, 3)}


def study(
    folders: list[Path],
    settings: TestSettings,
    *,
    points: tuple[int, ...],
    samples: tuple[int, ...],
    limits: tuple[int, ...],
    progress: Callable[[int], None] | None = None,
) -> Iterator[Line]:
    """Test runs after some numbers of nets (those that a run has), under all the conditions; line by line."""
    runs = [CoTraining.of_folder(folder) for folder in folders]
    untrained: dict[tuple[str, int, int], Solved] = {}
    for number, (sample, limit, run) in enumerate(product(samples, limits, runs)):
        asked = replace(settings, sample=sample, instances=limit, opening=run.settings.opening or settings.opening)
        key = (f"{run.settings.system} {asked.opening}", sample, limit)
        if key not in untrained:
            untrained[key] = solve(run.settings.system, replace(asked, system=run.settings.system))
        before = {problem.number: problem.imps for problem in untrained[key].counted}
        for point in sorted({min(point, len(run.nets)) for point in points}):
            solved = untrained[key] if point == 0 else solve(run.after(point), asked)
            gains = [problem.imps - before[problem.number] for problem in solved.counted if problem.number in before]
            gain = Estimate.of(gains)
            found = tested(solved, run.nets[:point])
            yield Line(run.folder.name, point, sample, limit, found, gain.mean, 1.96 * gain.standard_error)
        if progress is not None:
            progress(number + 1)
