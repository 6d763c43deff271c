"""Declarer problems of our own, fixed in tests/data/declarer_problems.jsonl.

A problem is solved if declarer, who decides card by card from what he sees, wins against the best defence in
as many layouts as the best line there is; that is known exactly.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from borel import Deal, Seat, Strain, _core
from borel.cardplay.endings import Ending
from card_play_mistakes import mean

PROBLEMS = Path(__file__).parent.parent / "tests" / "data" / "declarer_problems.jsonl"


def problems() -> list[dict[str, Any]]:
    return [json.loads(line) for line in PROBLEMS.read_text().splitlines()]


def ending_of(problem: dict[str, Any]) -> Ending:
    leader = Seat.parse(problem["leader"])
    return Ending(Deal.parse(problem["deal"]), Strain.parse(problem["strain"]), Seat.S, leader)


def reached(problem: dict[str, Any], *, plans: bool, sample: int, spare: int, seed: int, depth: int) -> float:
    """The chance that a declarer of this kind really has."""
    import numpy as np

    ending = ending_of(problem)
    layouts = ending.layouts()
    seen = [ending.deal.hand(seat).mask for seat in (Seat.S, Seat.N)]
    weight, _ = _core.play_out(
        int(Seat.S), seen, ending.unseen, int(ending.strain), int(ending.leader), [], problem["needed"], layouts,
        np.full(len(layouts), 1 / len(layouts)), plans=plans, sample=sample, spare=spare, seed=seed,
        depth=depth,
    )  # fmt: skip
    return weight


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--spare", type=int, default=0, help="layouts for general unions (Algorithm 7.1.7)")
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args(words)
    every = problems()
    for name, plans in (("achievable sets", True), ("Monte Carlo", False)):
        kinds, shares = defaultdict[str, list[float]](list), list[float]()
        for problem in every:
            solved = [
                reached(problem, plans=plans, sample=given.sample, spare=given.spare, seed=seed, depth=given.depth)
                > problem["chance"] - 0.005
                for seed in range(given.seeds)
            ]
            kinds[problem["kind"]].append(sum(solved) / len(solved))
            shares.append(sum(solved) / len(solved))
        share, half = mean(shares)
        print(f"{name}: {share:.1%} ± {half:.1%} of {len(every)} problems, mean of {given.seeds} seeds")
        print("   " + "; ".join(f"{kind} {sum(values) / len(values):.0%}" for kind, values in kinds.items()))
