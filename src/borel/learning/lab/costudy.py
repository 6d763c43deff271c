"""Studies of co-training (Amit & Markovitch 2006, 5.3 and 5.4): runs compared on the same challenges.

A run is tested after some of its nets, with one or several samples and limits. Every line is compared with the
untrained system under the same conditions, problem by problem. The study of a curve (Fig. 9 to 12) asks for several
numbers of nets, those of sample size and of the limit (Fig. 14, 15) for several samples or limits, those of exchange
(5.4.3), of utilities (Fig. 16) and of a restricted state space (Fig. 13) for several runs. What was tested is kept in
the run's folder (`studies.jsonl`), so that a study can be stopped and gone on with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

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
    for number, (sample, limit, run) in enumerate(product(samples, limits, runs)):
        opening = run.settings.opening or settings.opening
        asked = replace(settings, sample=sample, instances=limit, opening=opening, system=run.settings.system)
        before = _kept(run, 0, asked)[1]
        for point in sorted({min(point, len(run.nets)) for point in points}):
            found, after = _kept(run, point, asked)
            gain = Estimate.of([imps - before[problem] for problem, imps in after.items() if problem in before])
            yield Line(run.folder.name, point, sample, limit, found, gain.mean, 1.96 * gain.standard_error)
        if progress is not None:
            progress(number + 1)


def _kept(run: CoTraining, point: int, asked: TestSettings) -> tuple[Tested, dict[int, float]]:
    """The paper's variables after so many nets, and the IMPs of each problem; what was solved before is not again."""
    path, key = run.folder / "studies.jsonl", [point, asdict(asked)]
    lines: list[str] = []
    for line in path.read_text().splitlines() if path.exists() else []:
        with suppress(ValueError):  # a line cut short by a crash
            known, found, imps = json.loads(line)
            lines.append(line)
            if known == key:
                return Tested(**found), {int(problem): value for problem, value in imps.items()}
    solved = solve(run.after(point), asked)
    variables, by_problem = tested(solved, run.nets[:point]), {one.number: one.imps for one in solved.counted}
    path.write_text("\n".join([*lines, json.dumps([key, asdict(variables), by_problem]), ""]))
    return variables, by_problem
