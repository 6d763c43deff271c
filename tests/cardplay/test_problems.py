"""The declarer problems: their best chances are exact, and declarer's plans reach them far more often than averages."""

import json
from pathlib import Path

import numpy as np
import pytest

from borel import Deal, Seat, Strain, _core
from borel.cardplay.endings import Ending

FILE = Path(__file__).parent.parent / "data" / "declarer_problems.jsonl"
PROBLEMS = [json.loads(line) for line in FILE.read_text().splitlines()]


def ending_of(problem: dict) -> Ending:
    return Ending(Deal.parse(problem["deal"]), Strain.parse(problem["strain"]), Seat.S, Seat.parse(problem["leader"]))


def reached(problem: dict, *, plans: bool) -> float:
    ending = ending_of(problem)
    layouts = ending.layouts()
    seen = [ending.deal.hand(seat).mask for seat in (Seat.S, Seat.N)]
    weights = np.full(len(layouts), 1 / len(layouts))
    start = (2, seen, ending.unseen, int(ending.strain), int(ending.leader), [], problem["needed"], layouts, weights)
    weight, won = _core.play_out(*start, plans=plans, depth=12)
    assert weight == pytest.approx(weights[won].sum())
    return weight


def test_six_of_each_of_ten_kinds():
    kinds = [problem["kind"] for problem in PROBLEMS]
    assert len(set(kinds)) == 10
    assert all(kinds.count(kind) == 6 for kind in kinds)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem["id"])
def test_the_best_chance_is_exact(problem):
    best = ending_of(problem).lines(problem["needed"], every=False)[0]
    assert best.chance == pytest.approx(problem["chance"], abs=1e-5)


SMALL = [problem for problem in PROBLEMS if problem["kind"] in ("deferred guess", "squeeze", "discovery")]


@pytest.mark.parametrize("problem", SMALL, ids=lambda problem: problem["id"])
def test_plans_reach_the_best_chance_and_nothing_beats_it(problem):
    assert reached(problem, plans=True) == pytest.approx(problem["chance"], abs=1e-5)
    assert reached(problem, plans=False) <= problem["chance"] + 1e-5


@pytest.mark.slow
def test_plans_solve_most_problems_and_averages_fewer():
    solved = {
        plans: sum(reached(problem, plans=plans) > problem["chance"] - 0.005 for problem in PROBLEMS)
        for plans in (True, False)
    }
    assert solved[True] >= 51  # 85%
    assert solved[False] < solved[True]
