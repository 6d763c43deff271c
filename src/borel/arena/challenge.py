"""Solving bidding challenges (Amit & Markovitch 2006, 5.1): IMPs a problem against the best contract there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import sha256
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

import borel._core as core
from borel import dd
from borel.arena.experiment import Experiment, Payload, Progress
from borel.arena.fingerprint import borel_fingerprint, borel_version, files_fingerprint
from borel.arena.match import TIMEOUT, MatchResult, TimeSpent
from borel.arena.problems import Problem, random_problem
from borel.arena.room import BotError, Contestant, Watched
from borel.auction import ALL_CALLS, PASS, Auction, Contract
from borel.cards import Side
from borel.errors import BridgeError
from borel.policies.effort import CountsEffort, Effort
from borel.scoring import imps, ns_score
from borel.store import Store
from borel.view import BiddingView

__all__ = ["Challenge", "ProblemScore", "Solved", "best_contract", "expected_score"]

Tables = Callable[[NDArray[np.uint64]], NDArray[np.int8]]  # [n, 4] hands -> tricks [n, strain, declarer]
LAYOUTS = 20


@dataclass(frozen=True, slots=True)
class ProblemScore:
    """What a pair made of a problem: expected points of its contract and of the best one, or an award."""

    number: int
    deal: str
    auction: str = ""
    contract: str = ""
    expected: float = 0.0
    best: str = ""
    reference: float = 0.0
    imps: float = 0.0
    award: float | None = None
    most: float | None = None
    void: str = ""
    effort: Effort = field(default_factory=Effort)
    time: TimeSpent = field(default_factory=TimeSpent, compare=False)

    @classmethod
    def of_payload(cls, payload: Payload) -> ProblemScore:
        """From the store."""
        return cls(**{**payload, "effort": Effort(**payload["effort"]), "time": TimeSpent(**payload["time"])})


@dataclass(frozen=True, slots=True)
class Solved:
    """All problems with the paper's dependent variables."""

    name: str
    problems: tuple[ProblemScore, ...]

    @property
    def counted(self) -> tuple[ProblemScore, ...]:
        """The problems that are not void."""
        return tuple(problem for problem in self.problems if not problem.void)

    @property
    def voids(self) -> tuple[ProblemScore, ...]:
        """The problems on which the bidder failed."""
        return tuple(problem for problem in self.problems if problem.void)

    @property
    def result(self) -> MatchResult:
        """IMPs a problem; zero is perfect."""
        return MatchResult.of(problem.imps for problem in self.counted)

    @property
    def effort(self) -> Effort:
        """All effort together."""
        return sum((problem.effort for problem in self.counted), Effort())

    @property
    def awards(self) -> tuple[float, float] | None:
        """Points won and points to be won in a contest; None where nothing was awarded."""
        awarded = [problem for problem in self.counted if problem.award is not None]
        if not awarded:
            return None
        return sum(p.award or 0.0 for p in awarded), sum(p.most or 0.0 for p in awarded)

    def json(self) -> dict[str, Any]:
        """For programs."""
        result, effort, awards = self.result.json(), self.effort, self.awards
        calls = sum(problem.time.calls for problem in self.counted)
        seconds = sum(problem.time.seconds for problem in self.counted)
        return {
            "bidder": self.name,
            "problems": result["boards"],
            "void": len(self.voids),
            "imps_per_problem": result["imps_per_board"],
            "standard_error": result["standard_error"],
            "interval": result["interval"],
            "awards": None if awards is None else {"won": awards[0], "most": awards[1]},
            "generated_instances": effort.instances,
            "lookahead_invocations": effort.lookaheads,
            "lookahead_ratio": effort.ratio,
            "sampling_failures": effort.sampling_failures,
            "lookahead_stage": effort.stage,
            "seconds_per_call": seconds / calls if calls else 0.0,
        }


def double_dummy_tables(hands: NDArray[np.uint64]) -> NDArray[np.int8]:
    """Tricks of declarer by strain and seat in many layouts, on one core."""
    return dd.tables(hands, threads=1)


@dataclass(frozen=True, slots=True)
class Challenge:
    """A bidder at both seats of a pair; problems of a seed, or those given.

    A contract's worth is its expected score over ``layouts`` ways to deal the opponents' cards, played double dummy.
    """

    bidder: Contestant
    problems: Sequence[Problem] = ()
    seed: int = 0
    layouts: int = LAYOUTS
    timeout: float | None = TIMEOUT
    tables: Tables = double_dummy_tables

    def config(self) -> dict[str, Any]:
        """Everything that decides the results."""
        given = sha256("\n".join(map(repr, self.problems)).encode()).hexdigest()[:16] if self.problems else ""
        return {
            "bidder": self.bidder.name, "problems": given, "seed": self.seed, "layouts": self.layouts,
            "timeout": self.timeout, "version": borel_version(), "code": borel_fingerprint(),
            "files": files_fingerprint(self.bidder.name),
        }  # fmt: skip

    def problem(self, number: int) -> Problem:
        """The problem with this number, counted from 1."""
        return self.problems[number - 1] if self.problems else random_problem(self.seed, number)

    def solve(
        self,
        count: int,
        *,
        store: Store,
        workers: int | None = None,
        fresh: bool = False,
        progress: Progress | None = None,
    ) -> Solved:
        """Solve problems 1, 2, ..."""
        experiment = Experiment("challenge", self.config(), partial(_make_task, self), self._lost, self.timeout)
        run, payloads = experiment.run(
            range(1, count + 1), store=store, workers=workers, fresh=fresh, progress=progress
        )
        solved = Solved(self.bidder.name, tuple(ProblemScore.of_payload(payloads[n]) for n in sorted(payloads)))
        if not solved.counted:
            why = solved.voids[0].void if solved.voids else "there are none"
            raise BridgeError(f"no problem could be counted: {why}")
        run.finish(solved.json())
        return solved

    def _lost(self, number: int, why: str) -> Payload:
        problem = self.problem(number)
        return asdict(ProblemScore(problem.number, str(problem.board.deal), void=why))


def _make_task(challenge: Challenge) -> Callable[[int], Payload]:
    bidder = challenge.bidder.watched(seconds=challenge.timeout)
    return lambda number: asdict(solve_problem(bidder, challenge.problem(number), challenge))


def solve_problem(bidder: Watched, problem: Problem, challenge: Challenge) -> ProblemScore:
    """Bid a problem and value where it ends."""
    bidder.calls, bidder.seconds, bidder.slowest = 0, 0.0, 0.0
    before = bidder.bidder.effort if isinstance(bidder.bidder, CountsEffort) else Effort()
    deal = str(problem.pair_deal)
    try:
        auction = bid_problem(bidder, problem, Random(f"{challenge.seed}/{problem.number}"))
    except BotError as fault:
        return ProblemScore(problem.number, deal, void=str(fault))
    if isinstance(bidder.bidder, CountsEffort):
        effort = bidder.bidder.effort - before
    else:
        effort = Effort(decisions=bidder.calls)
    time = TimeSpent(bidder.calls, bidder.seconds, bidder.slowest)
    contract = auction.contract
    score = ProblemScore(problem.number, deal, str(auction), str(contract or ""), effort=effort, time=time)
    if problem.awards:
        text = max(problem.awards, key=lambda contract: problem.awards[contract])
        most, top = problem.awards[text], "" if text == "P" else text
        return replace(score, award=award(problem.awards, contract), most=most, best=top)
    tricks = challenge.tables(layouts_of(problem, challenge.seed, challenge.layouts))
    best, reference = best_contract(problem, tricks)
    value = expected_score(problem, contract, tricks)
    return replace(score, expected=value, best=str(best or ""), reference=reference, imps=imps(value - reference))


def bid_problem(bidder: Watched, problem: Problem, rng: Random) -> Auction:
    """The pair's auction; opponents follow their script as long as it is legal, then pass."""
    board, auction = problem.board, Auction(problem.board.dealer)
    script, meanings = iter(problem.script), list[str]()
    while not auction.is_over:
        seat = auction.turn
        if seat.side is problem.side:
            hand = board.deal.hand(seat)
            view = BiddingView(seat, hand, auction, board.vulnerability, explanations=tuple(meanings))
            decision = bidder.decide(view, rng=rng)
            call, meaning = decision.choice, decision.meaning
        else:
            call, meaning = next(script, PASS), ""
            call = call if auction.is_legal(call) else PASS
        auction = auction.after(call)
        meanings.append(meaning)
    return auction


def layouts_of(problem: Problem, seed: int, count: int) -> NDArray[np.uint64]:
    """Ways to deal the opponents' cards, [count, 4]; the same for every bidder that tries the problem."""
    digest = sha256(f"{seed}/{problem.pair_deal}".encode()).digest()
    return core.deal(count, seed=int.from_bytes(digest[:8], "little"), predealt=problem.pair_deal.masks)


def expected_score(problem: Problem, contract: Contract | None, tricks: NDArray[np.int8]) -> float:
    """The mean score of the problem's side in a contract, over layouts with these double-dummy tricks."""
    if contract is None:
        return 0.0
    sign = 1 if problem.side is Side.NS else -1
    taken = tricks[:, contract.strain, contract.declarer].tolist()
    return sign * sum(ns_score(contract, int(won), problem.board.vulnerability) for won in taken) / len(taken)


def best_contract(problem: Problem, tricks: NDArray[np.int8]) -> tuple[Contract | None, float]:
    """The side's contract with the highest expected score, the cheapest of equals; None is to pass it out."""
    best: tuple[Contract | None, float] = (None, 0.0)
    for bid in ALL_CALLS[3:]:
        for seat in problem.side.seats:
            contract = Contract(bid.level, bid.strain, seat)
            value = expected_score(problem, contract, tricks)
            if value > best[1]:
                best = contract, value
    return best


def award(awards: Mapping[str, float], contract: Contract | None) -> float:
    """The points of a contract: by its declarer if the contest distinguishes, otherwise of either; unlisted is nothing.

    >>> award({"6H": 10, "6NT by N": 9}, Contract.parse("6NT by S")), award({"6H": 10}, Contract.parse("6H by S"))
    (0.0, 10.0)
    """
    if contract is None:
        return float(awards.get("P", 0.0))
    return float(awards.get(str(contract), awards.get(contract.text, 0.0)))
