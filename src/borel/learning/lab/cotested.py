"""The learning curve of co-training (Amit & Markovitch 2006, 5.3): challenges solved by PIDM on the refined system."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel import dd
from borel.arena.challenge import Challenge, Solved
from borel.arena.room import Contestant
from borel.auction import Auction
from borel.cards import Seat
from borel.errors import BridgeError
from borel.learning.lab.conflicts import Conflict
from borel.learning.lab.cotraining import CoTraining, RefinedNet
from borel.learning.runs import read_history
from borel.store import Store

__all__ = ["TestSettings", "Tested", "examine", "tests_so_far"]


@dataclass(frozen=True, slots=True)
class TestSettings:
    """Challenges (5.3.1: 100), the sample (3) and the instances of a decision, layouts that value a contract.

    ``bidder`` is pidm, as in the paper, or rules: the refined system by itself.
    """

    __test__ = False

    problems: int = 100
    sample: int = 3
    instances: int = 600
    layouts: int = 20
    bidder: str = "pidm"
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Tested:
    """The paper's dependent variables (5.1.1) after so many nets."""

    nets: int
    problems: int
    imps: float
    error: float
    decisions: int
    lookaheads: int
    used: int
    instances: int
    failures: int
    stage: float


@lru_cache(maxsize=2000)
def _tables(hands: bytes) -> NDArray[np.int8]:
    return dd.tables(np.frombuffer(hands, dtype=np.uint64).reshape(-1, 4).copy(), threads=1)


def remembered(hands: NDArray[np.uint64]) -> NDArray[np.int8]:
    """Double-dummy tables; the layouts of a problem are solved once for all tests of a process."""
    return _tables(hands.tobytes())


def examine(training: CoTraining, settings: TestSettings) -> Tested:
    """Solve the challenges with the system as it is now, and keep the result in the run's history."""
    file = str(training.file) if training.nets else training.settings.system
    searching = f"pidm:{file},instances={settings.instances},sample={settings.sample},net_only=1,margin=0,trust=0"
    spec = {"pidm": searching, "rules": f"rules:{file}"}.get(settings.bidder)
    if spec is None:
        raise BridgeError(f"tests are for pidm or rules, not for {settings.bidder[:40]!r}")
    with Store("none") as store:
        challenge = Challenge(Contestant.of(spec), seed=settings.seed, layouts=settings.layouts, tables=remembered)
        solved = challenge.solve(settings.problems, store=store, workers=0)
    result, effort = solved.result.json(), solved.effort
    found = Tested(
        sum(bool(net.lines) for net in training.nets),
        len(solved.counted),
        float(result["imps_per_board"]),
        1.96 * float(result["standard_error"]),
        effort.decisions,
        effort.lookaheads,
        _used(solved, training.nets),
        effort.instances,
        effort.sampling_failures,
        effort.stage,
    )
    training.run.log(**asdict(found))
    return found


def tests_so_far(folder: Path) -> list[Tested]:
    """The learning curve that a run has measured."""
    _, lines = read_history(folder)
    return [
        Tested(
            int(line["nets"]), int(line["problems"]), line["imps"], line["error"], int(line["decisions"]),
            int(line["lookaheads"]), int(line["used"]), int(line["instances"]), int(line["failures"]), line["stage"],
        )
        for line in lines
    ]  # fmt: skip


def _used(solved: Solved, nets: list[RefinedNet]) -> int:
    """How many of the refined auctions came up."""
    refined = {net.key for net in nets if net.lines}
    met = set()
    for problem in solved.counted:
        calls = tuple(call.index for call in Auction.parse(Seat.N, problem.auction).calls)
        met |= {Conflict(calls[:i], 0, (), 0.0).key for i in range(len(calls))}
    return len(refined & met)
