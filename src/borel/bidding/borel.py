"""Borel search (Ginsberg 2001, Algorithm 4.0.2): deal the hidden hands many times, project the auction with the system
after each candidate, value the contracts reached, and make the call that does best on the same layouts.

The paper's guards: candidates stay near the rules; another call must beat the rules' own by a margin and surely so;
gains that need an opponent's blunder are distrusted.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from borel.auction import Auction, Call, Contract
from borel.bidding.comparison import Comparison, gains
from borel.bidding.players import players_of
from borel.bidding.projection import Ends, OutOfTimeError, Policy, project
from borel.bidding.search import DEFAULT, MARGIN, TRUST, Search, Thought, encoded, shifted
from borel.bidding.valuation import Tricks, points_of
from borel.cards import Seat, Strain
from borel.clock import Deadline
from borel.decision import Candidate, Decision, Limit
from borel.sampling import Sample
from borel.scoring import Scoring, score
from borel.systems import System

if TYPE_CHECKING:
    from borel.policies.spec import Options

__all__ = ["BorelBidder", "from_spec"]

SOLVED = 24
SURELY, HOPELESS = 2.5, 0.5  # standard errors and IMPs behind, at which a candidate is given up
FIRST_PART = 16  # layouts of the first comparison; each further one doubles what there is
RARE = 0.1  # of the layouts: ways that fewer go are not followed to their end
TOO_GOOD = 6.0  # IMPs gained on the rules' call in one layout: was it a blunder?
DISTRUST = 0.5  # how much of a gain that a blunder gives is taken away


class BorelBidder(Search):
    """The search bidder of the paper.

    ``solve``: how many layouts at most are solved double dummy, while time is left, to correct the fast estimate.
    """

    name = "borel"

    def __init__(
        self,
        system: str | System = "sayc",
        *,
        theirs: str | System | None = None,
        limit: Limit = DEFAULT,
        margin: float = MARGIN,
        trust: float = TRUST,
        threads: int = 1,
        solve: int = SOLVED,
    ) -> None:
        super().__init__(system, theirs=theirs, limit=limit, margin=margin, trust=trust, threads=threads)
        self.solve = solve

    def compare(self, thought: Thought) -> Decision[Call]:
        """Project every candidate on common layouts, in growing parts, until the choice is clear or time is over."""
        sample = self.sample(thought)
        rows = encoded(thought.judge, sample.hands)
        tricks = Tricks(sample.hands, thought.rng.getrandbits(32))
        ends: list[list[Ends]] = [[] for _ in thought.calls]
        first, comparison, dropped, took = 0, None, list[Candidate[Call]](), 0.0
        while first < len(sample):
            last = min(len(sample), max(FIRST_PART, 2 * first))
            comparing = took * last / max(first, 1)  # what is projected must still be compared in time
            try:
                part = self._project(thought, rows, first, last, thought.deadline.earlier(comparing))
            except OutOfTimeError:
                break
            for i, found in enumerate(part):
                ends[i].append(found)
            first, left = last, thought.deadline.left
            comparison = self._comparison(thought, sample, tricks, ends, first)
            took = left - thought.deadline.left if thought.deadline.is_set else 0.0
            if comparison.is_clear(self.margin) and first >= 2 * FIRST_PART:
                break
            dropped += self._drop(thought, comparison, ends)
        if comparison is None:
            return self.told(thought, thought.calls[0], f"{self.own} call; no time to look ahead")
        if not comparison.is_clear(self.margin):
            comparison = self._solved(thought, sample, tricks, ends, comparison, took)
        return self.chosen(thought, comparison, ends, dropped)

    def _drop(self, thought: Thought, comparison: Comparison, ends: list[list[Ends]]) -> list[Candidate[Call]]:
        """Give up candidates that are far behind, so that the others get the time; never the rules' own."""
        leader = comparison.leader(self.margin, 0.0)
        hopeless = [
            i
            for i in range(len(ends) - 1, 0, -1)
            for mean, error in (comparison.against(leader, i),)
            if i != leader and mean - SURELY * error > HOPELESS
        ]
        dropped = [self.figures(thought, comparison, i, ends[i]) for i in hopeless]
        for i in hopeless:
            comparison.drop(i)
            del ends[i], thought.calls[i]
        return dropped

    def _project(
        self,
        thought: Thought,
        rows: dict[Seat, NDArray[np.float32]],
        first: int,
        last: int,
        deadline: Deadline,
    ) -> list[Ends]:
        """The ends after each candidate, in some of the layouts."""
        part = {seat: encoded_hands[first:last] for seat, encoded_hands in rows.items()}
        policies = self.policies(thought)
        return [
            shifted(
                project(
                    thought.view.auction.after(call),
                    part,
                    policies,
                    rare=max(2.5, RARE * (last - first)),
                    deadline=deadline,
                ),
                first,
            )
            for call in thought.calls
        ]

    def policies(self, thought: Thought) -> dict[Seat, Policy]:
        """Everybody goes on by the rules, ourselves included (the paper's database Z)."""
        return dict.fromkeys(Seat, partial(_by_rules, thought))

    def _comparison(
        self, thought: Thought, sample: Sample, tricks: Tricks, ends: list[list[Ends]], count: int
    ) -> Comparison:
        view = thought.view
        tricks.use(count)
        points = np.array(
            [
                sum(points_of(part, tricks, thought.side, view.vulnerability) for part in parts)[:count]  # type: ignore[index]
                for parts in ends
            ]
        )
        if view.scoring is Scoring.IMPS:
            points = self._distrusted(thought, points, tricks)
        return Comparison(list(thought.calls), points, sample.weights[:count], view.scoring, thought.strange)

    def _distrusted(self, thought: Thought, points: NDArray[np.float64], tricks: Tricks) -> NDArray[np.float64]:
        """Where a candidate gains much on the rules' call, look at what the opponents could have had, and doubt it."""
        result = points.copy()
        for i in range(1, len(points)):
            suspect = np.flatnonzero(gains(Scoring.IMPS, points[i], points[0]) >= TOO_GOOD)
            if len(suspect):
                theirs = self._their_best(thought, tricks, suspect)
                fair = np.maximum(np.minimum(points[i, suspect], -theirs), points[0, suspect])
                result[i, suspect] += DISTRUST * (fair - points[i, suspect])
        return result

    def _their_best(self, thought: Thought, tricks: Tricks, layouts: NDArray[np.int64]) -> NDArray[np.float64]:
        """[n]: about what the opponents score in some layouts if they bid what they can make, undisturbed."""
        seats = thought.side.other.seats
        vulnerable = thought.view.vulnerability.includes(thought.side.other)
        best = np.zeros(len(layouts))
        for strain in Strain:
            taken = np.maximum(*(tricks.estimate(strain, seat)[layouts] for seat in seats))
            worth = _made(strain, vulnerable=vulnerable)
            best = np.maximum(best, worth[np.floor(taken + 0.25).astype(np.int64)])
        return best

    def _solved(
        self,
        thought: Thought,
        sample: Sample,
        tricks: Tricks,
        ends: list[list[Ends]],
        comparison: Comparison,
        comparing: float,
    ) -> Comparison:
        """Correct the estimates of the contracts that matter by double dummy, as far as time and the switch allow."""
        if self.solve <= 0:
            return comparison
        leader = comparison.leader(self.margin, 0.0)
        order = sorted(range(len(ends)), key=lambda i: comparison.against(leader, i)[0])
        contracts = list(dict.fromkeys(key for i in order[:2] for key in _main_contracts(ends[i])))[:3]
        count = len(comparison.weights)
        deadline = thought.deadline.earlier(comparing)
        if not tricks.solve_for(contracts, deadline, threads=self.threads, most=min(self.solve, count)):
            return comparison
        return self._comparison(thought, sample, tricks, ends, count)


def _by_rules(thought: Thought, rows: NDArray[np.float32], auction: Auction) -> NDArray[np.float64]:
    return thought.judge.rules.probabilities(rows, auction, thought.view.vulnerability)


def _main_contracts(parts: list[Ends]) -> list[tuple[Strain, Seat]]:
    """The strain and declarer reached most often."""
    weights: dict[tuple[Strain, Seat], float] = {}
    for ends in parts:
        for auction, chances in zip(ends.auctions, ends.chances, strict=True):
            contract: Contract | None = auction.contract
            if contract is not None:
                key = (contract.strain, contract.declarer)
                weights[key] = weights.get(key, 0.0) + float(chances.sum())
    return sorted(weights, key=lambda key: -weights[key])[:1]


@cache
def _made(strain: Strain, *, vulnerable: bool) -> NDArray[np.float64]:
    """[14]: the score of the best contract that so many tricks make."""
    scores = [
        max(
            (score(Contract(level, strain, Seat.N), taken, vulnerable=vulnerable) for level in range(1, taken - 5)),
            default=0,
        )
        for taken in range(14)
    ]
    return np.array(scores, dtype=np.float64)


def limit_of(options: Options) -> Limit:
    """The limit that a specification asks for: ``seconds=``, ``layouts=``, ``instances=``."""
    seconds = options.number("seconds", None, low=0.001)
    layouts, instances = options.integer("layouts", None, low=1), options.integer("instances", None, low=1)
    if seconds is None and layouts is None and instances is None:
        seconds = 1.0
    return Limit(layouts=layouts, instances=instances, seconds=seconds)


def number(options: Options, key: str, default: float, high: float | None = None) -> float:
    """An option that is a number, not below zero."""
    value = options.number(key, default, low=0, high=high)
    return default if value is None else value


def whole(options: Options, key: str, default: int, low: int = 0) -> int:
    """An option that is a whole number."""
    value = options.integer(key, default, low=low)
    return default if value is None else value


def from_spec(argument: str, options: Options) -> BorelBidder:
    """``borel:sayc,seconds=0.25``, ``borel:FILE.bid,layouts=100,solve=0``; also ``margin`` and ``trust``."""
    made = BorelBidder(
        argument or "sayc",
        limit=limit_of(options),
        solve=whole(options, "solve", SOLVED),
        margin=number(options, "margin", MARGIN),
        trust=number(options, "trust", TRUST),
    )
    made.players = players_of(options)
    return made
