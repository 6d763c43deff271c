"""What the search bidders share: systems, limits, the clock, the count of effort, and how a decision is told."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, Auction, Call
from borel.bidding.comparison import Comparison
from borel.bidding.judgement import Judge
from borel.bidding.players import Players, read_by, unlimited
from borel.bidding.projection import Ends
from borel.cards import Seat, Side, Strain
from borel.clock import Deadline, uncollected
from borel.decision import Candidate, Decision, Limit
from borel.policies.effort import Effort
from borel.policies.tricks import estimate_tricks
from borel.sampling import Sample, directed
from borel.sampling.rules import RuleModel
from borel.scoring import Scoring
from borel.systems import System, load_system
from borel.systems.hand import features_of_batch
from borel.systems.population import bank
from borel.view import BiddingView

__all__ = ["Search", "Thought", "warm_up"]

DEFAULT = Limit(seconds=1.0)
# Measured on the 881 searched decisions of 200 deals with 64 layouts (benchmarks/bidding_search.py, margin=0,trust=0):
# what a change is said to gain is what it does gain (1.01 said, 0.80 ± 0.72 gained), and a board gains most, 0.7 to 0.8
# IMPs, with trust 1 and a margin of 0.15 to 0.3; with trust 2 it is 0.5. (Best of twenty settings on
# the same deals, with 8 for FEW in comparison.py instead of 16: an optimistic figure.)
MARGIN, TRUST = 0.2, 1.0
LAYOUTS = 160  # compared at most, where only seconds are limited
INSTANCES = 20_000
SAMPLING_SHARE = 0.35  # of the seconds
SAFETY, RESERVE = 0.07, 0.02  # of the seconds, and in seconds at least: what cannot be interrupted must fit in there
NOUNS = {Scoring.IMPS: "IMPs", Scoring.MATCHPOINTS: "matchpoints won", Scoring.TOTAL: "points"}


@dataclass(slots=True)
class Thought:
    """What a search has to go on for one decision."""

    view: BiddingView
    judge: Judge
    calls: list[Call]
    deadline: Deadline
    rng: Random
    strange: dict[Call, float] = field(default_factory=dict)

    @property
    def side(self) -> Side:
        """Our side."""
        return self.view.seat.side

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return self.deadline.is_over


class Search(ABC):
    """A bidder that compares the calls which the rules leave it, or nearly leave it, by looking ahead.

    ``margin``: what another call must gain on the rules' own before it is preferred, in the unit of the scoring, and
    ``trust``: by how many standard errors it must do so: the guard that keeps judgement near the rules.
    """

    name = "search"
    own = "the rules'"  # whose call the first candidate is
    near_rules = True  # whether calls are considered whose rule the hand just misses
    # In the match of 620 boards the 24 opening bids that search preferred lost 1.0 ± 1.8 IMPs each: nothing is known
    # yet of the hidden hands, and what decides is how the rules go on.
    searches_language = False

    def __init__(
        self,
        system: str | System = "sayc",
        *,
        theirs: str | System | None = None,
        limit: Limit = DEFAULT,
        margin: float = MARGIN,
        trust: float = TRUST,
        threads: int = 1,
    ) -> None:
        ours = load_system(system) if isinstance(system, str) else system  # now, not on the first call's time
        self.system = ours.name
        self._systems = (ours, load_system(theirs) if isinstance(theirs, str) else theirs)
        self.limit, self.margin, self.trust, self.threads = limit, margin, trust, threads
        self.effort = Effort()
        self.players: Players = {}  # read by models of their own
        self._judges: dict[tuple[int, int], Judge] = {}
        warm_up()

    def __repr__(self) -> str:
        return f"<{self.name} on {self.system}, {self.limit}>"

    def judge_for(self, view: BiddingView) -> Judge:
        """How everybody is read: our side by our system, theirs by the one they disclose (or ours, failing that)."""
        ours, default = self._systems
        disclosed = view.systems.of(view.seat.lho)
        theirs = default or (load_system(disclosed) if disclosed else ours)
        ns, ew = (ours, theirs) if view.seat.side is Side.NS else (theirs, ours)
        if (id(ns), id(ew)) not in self._judges:
            self._judges[id(ns), id(ew)] = Judge(RuleModel(ns, ew))
        return self._judges[id(ns), id(ew)]

    def decide(self, view: BiddingView, *, rng: Random) -> Decision[Call]:
        """Compare the calls considered; where there is but one, make it."""
        with uncollected():
            return self._decide(view, rng)

    def _decide(self, view: BiddingView, rng: Random) -> Decision[Call]:
        deadline = Deadline.after(None if self.limit.seconds is None else thinking_time(self.limit.seconds))
        judge = self.judge_for(view)
        row = judge.encode(np.array([view.hand.mask], dtype=np.uint64))[0]
        calls = self.candidates(judge, row, view)
        self.effort += Effort(decisions=1)
        thought = Thought(view, judge, calls, deadline, rng, self.strange(view))
        if len(calls) == 1:
            return self.told(thought, calls[0], "the only call that the rules leave")
        if (language := self._is_language(view, judge)) and not self.searches_language:
            return self.told(thought, calls[0], f"{self.own} call: {language} are language, not judgement")
        self.effort += Effort(lookaheads=1, lookahead_calls=len(view.auction))
        return self.compare(thought)

    def candidates(self, judge: Judge, row: NDArray[np.float32], view: BiddingView) -> list[Call]:
        """The calls to compare, the rules' own first."""
        return judge.considered(row, view.auction, view.vulnerability, near_rules=self.near_rules)

    def strange(self, view: BiddingView) -> dict[Call, float]:
        """How many margins more than one each call must be better by: none that is near the rules."""
        return {}

    def _is_language(self, view: BiddingView, judge: Judge) -> str:
        """What makes this call one to be read and not to be judged: an opening, or the answer to a question."""
        if view.auction.last_bid is None:
            return "opening bids"
        context = judge.rules.position(view.auction, view.vulnerability).context
        return "answers to a question" if context.asked[context.turn % 2] else ""

    def rules_call(self, view: BiddingView) -> Call:
        """What the rules alone would call."""
        judge = self.judge_for(view)
        row = judge.encode(np.array([view.hand.mask], dtype=np.uint64))
        return ALL_CALLS[int(judge.rules.calls(row, view.auction, view.vulnerability)[0])]

    @abstractmethod
    def compare(self, thought: Thought) -> Decision[Call]:
        """Look ahead for every candidate."""

    def sample(self, thought: Thought) -> Sample:
        """Layouts consistent with the auction, as everybody is read; at most so many as the limit says."""
        view, limit = thought.view, self.limit
        seconds = None if limit.seconds is None else SAMPLING_SHARE * limit.seconds
        wanted = limit.layouts or LAYOUTS
        instances = limit.instances or (INSTANCES if seconds is None else None)
        sample = directed(
            view,
            read_by(view.seat, thought.judge, self.players),
            layouts=wanted,
            shown=unlimited(thought.judge.rules.shown(view.auction, view.vulnerability), view.seat, self.players),
            limit=Limit(instances=instances, seconds=seconds),
            slack=1,
            rng=thought.rng,
        )
        self.effort += Effort(instances=sample.instances, sampling_failures=int(not sample.accepted))
        return sample.trimmed(wanted, thought.rng)

    def whose(self, thought: Thought) -> str:
        """Whose call the first candidate is, in words."""
        return f"{self.own} call"

    def told(
        self, thought: Thought, call: Call, why: str, candidates: tuple[Candidate[Call], ...] = ()
    ) -> Decision[Call]:
        """The decision, with the public meaning of its call."""
        position = thought.judge.rules.position(thought.view.auction, thought.view.vulnerability)
        return Decision(call, why, position.meaning(call.index).text, candidates or (Candidate(call, None, why),))

    def figures(self, thought: Thought, comparison: Comparison, i: int, ends: list[Ends]) -> Candidate[Call]:
        """A candidate with its expected gain and score, their standard errors, and how the auction goes on."""
        value, error = comparison.value(i)
        points, points_error = comparison.expected_points(i)
        text = f"{value:+.2f} ± {error:.2f} {NOUNS[comparison.scoring]}, score {points:+.0f} ± {points_error:.0f}"
        why = f"{text}; {_continuations(ends, thought.view.auction)}"
        return Candidate(comparison.calls[i], value, why, comparison.share_best(i))

    def chosen(
        self,
        thought: Thought,
        comparison: Comparison,
        ends: list[list[Ends]],
        dropped: Sequence[Candidate[Call]] = (),
    ) -> Decision[Call]:
        """The decision that a comparison leads to, every candidate told with its figures."""
        leader = comparison.leader(self.margin, self.trust)
        candidates = [self.figures(thought, comparison, i, parts) for i, parts in enumerate(ends)]
        candidates.sort(key=lambda candidate: (candidate.choice != comparison.calls[leader], -(candidate.value or 0)))
        candidates += sorted(dropped, key=lambda candidate: -(candidate.value or 0))
        count = f"{len(comparison.weights)} layouts"
        if leader == 0:
            why = f"{self.whose(thought)}; nothing is clearly better on {count}"
        else:
            gain, error = comparison.against(leader, 0)
            noun = NOUNS[comparison.scoring]
            why = f"{gain:+.2f} ± {error:.2f} {noun} better than {self.own} {comparison.calls[0]} on {count}"
        return self.told(thought, comparison.calls[leader], why, tuple(candidates))


def thinking_time(seconds: float) -> float:
    """How long to look ahead, so that the call is made in time: one point of an auction takes up to 20 ms to read."""
    return max(seconds - max(SAFETY * seconds, RESERVE), 0.5 * seconds)


@cache
def warm_up() -> None:
    """Make what is made once in a process now, not on the first call's time: tables of features, hands, networks."""
    hands = bank().masks[:4].reshape(1, 4)
    features_of_batch(hands[0])
    for strain in (Strain.S, Strain.NT):
        estimate_tricks(hands, strain, Seat.N)


def _continuations(parts: list[Ends], auction: Auction) -> str:
    """The likeliest ways the auction goes on, the candidate's own call left out."""
    shares: dict[str, float] = {}
    for ends in parts:
        for end, share in ends.likeliest(3):
            text = " ".join(map(str, end.calls[len(auction) + 1 :]))
            shares[text] = shares.get(text, 0.0) + share / len(parts)
    ranked = sorted(shares.items(), key=lambda item: -item[1])[:3]
    return "then " + ", or ".join(f"{text} ({share:.0%})" for text, share in ranked)


def encoded(judge: Judge, hands: NDArray[np.uint64]) -> dict[Seat, NDArray[np.float32]]:
    """Every seat's hands as the rules see them."""
    return {seat: judge.encode(np.ascontiguousarray(hands[:, seat])) for seat in Seat}


def shifted(ends: Ends, first: int) -> Ends:
    """The ends of a part of the layouts, counted among all."""
    return replace(ends, rows=tuple(rows + first for rows in ends.rows))
