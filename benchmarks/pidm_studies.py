"""The two parametric studies of PIDM that need no learning (bidi.txt, 5.4): sample size, and time limit.

    python benchmarks/pidm_studies.py [--problems 60] [--seed 1] [--layouts 8] [--out studies.html]
        [--samples 2 3 6 12 24] [--instances 250 1000 4000] [--seconds 0.05 0.1 0.25 0.5 1] [--store FILE]

Each setting solves the same random bidding challenges (two hands, silent opponents); IMPs a problem are against the
best contract there is, so zero is perfect. The rules alone are the first line. In the study of sample size the
resources grow with the sample (500 instances a layout). The time limit is studied twice: in instances, which can be
repeated exactly, and in seconds of the processor. Results with ± one standard error; in the last column the gain on the
rules, problem by problem. With a store, problems solved before are not solved again.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel import dd
from borel.arena.challenge import Challenge, Solved
from borel.arena.report.document import Curve
from borel.arena.report.plots import svg
from borel.arena.room import Contestant
from borel.arena.statistics import Estimate
from borel.store import Store

INSTANCES = 500


@cache
def _tables(hands: bytes) -> NDArray[np.int8]:
    return dd.tables(np.frombuffer(hands, dtype=np.uint64).reshape(-1, 4).copy(), threads=1)


def remembered(hands: NDArray[np.uint64]) -> NDArray[np.int8]:
    """Double-dummy tables; each problem's layouts are solved once for all settings."""
    return _tables(hands.tobytes())


@dataclass(frozen=True)
class Study:
    """Settings in order, with what each made of the problems."""

    title: str
    x: list[float]
    solved: list[Solved]

    def curve(self) -> Curve:
        estimates = [solved.result.estimate for solved in self.solved]
        return Curve(
            title=f"PIDM: {self.title}",
            across=self.title,
            up="IMPs a problem",
            x=self.x,
            y=[estimate.mean for estimate in estimates],
            low=[estimate.mean - estimate.standard_error for estimate in estimates],
            high=[estimate.mean + estimate.standard_error for estimate in estimates],
        )


def solve(spec: str, options: argparse.Namespace) -> Solved:
    challenge = Challenge(Contestant.of(spec), seed=options.seed, layouts=options.layouts, tables=remembered)
    with Store(options.store) as store:
        return challenge.solve(options.problems, store=store, workers=0)


def line(name: str, solved: Solved, rules: Solved) -> str:
    paired = {problem.number: problem.imps for problem in rules.counted}
    gains = [problem.imps - paired[problem.number] for problem in solved.counted if problem.number in paired]
    estimate, gain, effort = solved.result.estimate, Estimate.of(gains), solved.effort
    work = f"{effort.instances:8,} instances, {effort.lookaheads:4} lookaheads, {effort.sampling_failures:3} failures"
    pace = f"{solved.json()['seconds_per_call']:.2f} s a call"
    result = f"{estimate.mean:+.2f} ± {estimate.standard_error:.2f}"
    return f"{name:22} {result}   {work}, {pace}   {gain.mean:+.2f} ± {gain.standard_error:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--layouts", type=int, default=8, help="of the opponents' cards, by which contracts are valued")
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--samples", type=int, nargs="*", default=[2, 3, 6, 12, 24])
    parser.add_argument("--instances", type=int, nargs="*", default=[250, 1000, 4000])
    parser.add_argument("--seconds", type=float, nargs="*", default=[0.05, 0.1, 0.25, 0.5, 1.0])
    parser.add_argument("--store", default="none")
    parser.add_argument("--out", type=Path, help="a page with both curves (needs matplotlib)")
    options = parser.parse_args()
    rules = solve(f"rules:{options.system}", options)
    print(line("rules alone", rules, rules), flush=True)
    studies = []
    for title, settings, spec in (
        ("sample size", options.samples, "pidm:{system},sample={x},instances={instances}"),
        ("instances a call", options.instances, "pidm:{system},instances={x}"),
        ("seconds a call", options.seconds, "pidm:{system},seconds={x}"),
    ):
        found = []
        for x in settings:
            text = spec.format(system=options.system, x=x, instances=INSTANCES * int(max(x, 1)))
            found.append(solve(text, options))
            print(line(f"{title} {x:g}", found[-1], rules), flush=True)
        studies.append(Study(title, [float(x) for x in settings], found))
    if options.out:
        pictures = "\n".join(svg(study.curve()) for study in studies if study.solved)
        options.out.write_text(f"<!doctype html>\n<title>PIDM on bidding challenges</title>\n{pictures}\n")
        print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
