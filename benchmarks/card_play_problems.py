"""Declarer problems: ours, fixed in tests/data/declarer_problems.jsonl, and the deals of the lessons.

A problem of ours is solved if declarer, who decides card by card from what he sees, wins against the best defence in
as many layouts as the best line there is; that is known exactly.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

from borel import Auction, Board, Contract, Deal, Seat, Strain, Vulnerability, _core, dd
from borel.arena.table import Table
from borel.cardplay.endings import Ending
from borel.clock import processor_time
from borel.errors import BridgeError
from borel.policies.spec import card_player
from borel.view import Systems
from card_play_mistakes import arguments, done, mean, note

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


def lesson_deals() -> list[dict[str, Any]]:
    place = os.environ.get("BOREL_DATA")
    if not place:
        raise SystemExit("BOREL_DATA names no folder with the data")
    lines = (Path(place) / "lessons" / "dev.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in lines]
    return [deal for deal in found if "eclar" in deal["category"] or "efen" in deal["category"]]


def lessons(words: list[str]) -> None:
    """The declarer and defence deals of the lessons: how often the student's side gets the double-dummy result."""
    parser = arguments(lessons.__doc__ or "")
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument(
        "--players", nargs="*", default=["achievable:seconds=0.3", "monte_carlo:layouts=40,seconds=0.3"]
    )
    given = parser.parse_args(words)
    rows = done(given.out)
    known = {(row["id"], row["player"]) for row in rows}
    deals = lesson_deals()
    Random(given.seed).shuffle(deals)
    for lesson in deals[: given.deals]:
        for spec in given.players:
            if (lesson["id"], spec) in known:
                continue
            try:
                row = {"id": lesson["id"], "player": spec, **_play_lesson(lesson, spec)}
            except (BridgeError, KeyError) as error:
                row = {"id": lesson["id"], "player": spec, "error": str(error)}
            rows.append(row)
            note(given.out, row)
    for spec in given.players:
        good = [float(row["good"]) for row in rows if row["player"] == spec and "good" in row]
        share, half = mean(good)
        print(f"{spec}: {share:.1%} ± {half:.1%} of {len(good)} lesson deals")


def _play_lesson(lesson: dict[str, Any], spec: str) -> dict[str, Any]:
    """Play the contract with one kind of player at all seats."""
    deal, dealer = Deal.parse(lesson["deal"]), Seat.parse(lesson["dealer"])
    contract = Contract.parse(lesson["contract"], Seat.parse(lesson["declarer"]))
    auction = Auction.parse(dealer, lesson["auction"].replace("pass", "P"))
    if not auction.is_over:
        auction = auction.all_pass()
    if auction.contract != contract:
        raise BridgeError(f"the auction ends in {auction.contract}")
    board = Board(deal, dealer, Vulnerability.parse(lesson["vulnerable"]))
    table = Table({}, dict.fromkeys(Seat, card_player(spec)), systems=Systems("two_over_one", "two_over_one"))
    with processor_time():
        play, _ = table.play(board, auction, ("",) * len(auction), rng=Random(lesson["id"]))
    makeable = 13 - dd.solve(deal, contract.strain, contract.leader) >= contract.tricks_needed
    declaring = Seat.parse(lesson["student"]).side is contract.side
    made = play.declarer_tricks >= contract.tricks_needed
    return {"good": made if declaring else not made, "makeable": makeable, "tricks": play.declarer_tricks}
