"""PIDM, partial-information decision making (Amit & Markovitch 2006, Fig. 3).

Every other player is simulated from his own view with his own model, by PIDM again, as far as his share of the
resources goes; our own later turns take the best call. Resources are layouts generated and states valued: ``g`` of them
go into sampling (RBMBMC), ``r`` of what is left at a node into the simulation of the player whose turn it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, Auction, Call
from borel.bidding.borel import limit_of, number, whole
from borel.bidding.comparison import Comparison
from borel.bidding.judgement import Judge
from borel.bidding.players import players_of, read_by
from borel.bidding.projection import Ends, OutOfTimeError
from borel.bidding.search import DEFAULT, MARGIN, SAMPLING_SHARE, TRUST, Search, Thought
from borel.bidding.utility import Utility, utility_of
from borel.cards import Hand, Seat
from borel.decision import Decision, Limit
from borel.policies.effort import Effort
from borel.sampling import rbmbmc
from borel.sampling.rules import last_resort
from borel.systems import System
from borel.view import BiddingView

if TYPE_CHECKING:
    from borel.policies.spec import Options

__all__ = ["PidmBidder", "from_spec"]

RESOURCES = 6_000  # where nothing is limited; where only seconds are, those of the first round
SAMPLE_SIZE = 12
SMALLEST = 60.0  # resources with which a simulated player still looks ahead


@dataclass(slots=True)
class _State:
    """A layout with the auction so far."""

    hands: NDArray[np.uint64]
    auction: Auction


class PidmBidder(Search):
    """The bidder of the paper; ``utility`` values the leaves: ``estimate``, ``dd`` or ``ltc`` (losing trick count)."""

    name = "pidm"

    def __init__(
        self,
        system: str | System = "sayc",
        *,
        theirs: str | System | None = None,
        limit: Limit = DEFAULT,
        margin: float = MARGIN,
        trust: float = TRUST,
        sample_size: int = SAMPLE_SIZE,
        g: float = 0.5,
        r: float = 0.1,
        utility: str = "estimate",
        net_only: bool = False,
    ) -> None:
        super().__init__(system, theirs=theirs, limit=limit, margin=margin, trust=trust)
        self.sample_size, self.g, self.r = sample_size, g, r
        self.utility: Utility = utility_of(utility)
        self.net_only = self.searches_language = net_only

    def candidates(self, judge: Judge, row: NDArray[np.float32], view: BiddingView) -> list[Call]:
        """With ``net_only`` what the decision net leaves open and no more, openings too, as the paper has it."""
        if not self.net_only:
            return super().candidates(judge, row, view)
        position = judge.rules.position(view.auction, view.vulnerability)
        options = position.choose([float(value) for value in row])
        calls = list(dict.fromkeys(option.call for option in options)) or [last_resort(position)]
        return [ALL_CALLS[call] for call in calls]

    def compare(self, thought: Thought) -> Decision[Call]:
        """PIDM at the root; where seconds are the limit, again with twice the layouts and means while there is time."""
        resources, size = float(self.limit.instances or RESOURCES), self.sample_size
        found: tuple[Comparison, list[list[Ends]]] | None = None
        while True:
            left = thought.deadline.left
            deeper = self._compared(thought, resources, size)
            if deeper is not None and (found is None or len(deeper[0].weights) >= len(found[0].weights)):
                found = deeper
            took = left - thought.deadline.left
            is_timed = self.limit.seconds is not None and self.limit.instances is None
            if deeper is None or not is_timed or deeper[0].is_clear(self.margin) or 2 * took > thought.deadline.left:
                break
            resources, size = 2 * resources, 2 * size
        if found is None:
            return self.told(thought, thought.calls[0], "the rules' call; no time to look ahead")
        return self.chosen(thought, *found)

    def _compared(self, thought: Thought, resources: float, size: int) -> tuple[Comparison, list[list[Ends]]] | None:
        """Every candidate on every layout of a sample, or on those for which there was time (None: not even two)."""
        hands, weights = self._sample(thought.view, thought, self.g * resources, thought.rng, size)
        share = (1 - self.g) * resources / (len(thought.calls) * len(hands))
        points, ends = np.zeros((len(thought.calls), len(hands))), [list[Auction]() for _ in thought.calls]
        done = 0
        try:
            for layout, row in enumerate(hands):
                for i, call in enumerate(thought.calls):
                    state = _State(row, thought.view.auction.after(call))
                    points[i, layout], end = self._look_ahead(state, thought.view.seat, thought, share)
                    ends[i].append(end)
                done = layout + 1
        except OutOfTimeError:
            pass
        if done < 2:
            return None
        comparison = Comparison(thought.calls, points[:, :done], weights[:done], thought.view.scoring)
        return comparison, [_as_ends(auctions[:done]) for auctions in ends]

    def _sample(
        self, view: BiddingView, thought: Thought, instances: float, rng: Random, size: int
    ) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """The most consistent layouts that so many instances (and our share of the seconds) give."""
        seconds = self.limit.seconds
        if seconds is not None:
            seconds = max(0.001, min(SAMPLING_SHARE * seconds, thought.deadline.left))
        limit = Limit(instances=max(size, int(instances)), seconds=seconds)
        models = read_by(thought.view.seat, thought.judge, self.players)
        sample = rbmbmc(view, models, layouts=size, limit=limit, rng=rng)
        self.effort += Effort(instances=sample.instances, sampling_failures=int(not sample.is_consistent))
        return sample.hands, sample.weights

    def _look_ahead(self, state: _State, me: Seat, thought: Thought, resources: float) -> tuple[float, Auction]:
        """LookAheadSearch of Fig. 3: our points, and the auction they come from."""
        if thought.is_late:
            raise OutOfTimeError
        auction = state.auction
        if auction.is_over or resources < 1:
            return self.utility(state.hands, auction, me.side, thought.view.vulnerability), auction
        if auction.turn is me:
            calls = self._open_calls(state, thought)
            share = (resources - 1) / len(calls)
            found = [self._look_ahead(_State(state.hands, auction.after(c)), me, thought, share) for c in calls]
            return max(found, key=lambda pair: pair[0])
        simulation = self.r * resources
        call = self._simulated(state, thought, simulation)
        return self._look_ahead(_State(state.hands, auction.after(call)), me, thought, resources - simulation - 1)

    def _open_calls(self, state: _State, thought: Thought) -> list[Call]:
        """The selection strategy: what the rules leave open to the player whose turn it is."""
        position = thought.judge.rules.position(state.auction, thought.view.vulnerability)
        mask = np.array([state.hands[state.auction.turn]], dtype=np.uint64)
        options = position.choose([float(value) for value in thought.judge.encode(mask)[0]])
        calls = list(dict.fromkeys(option.call for option in options)) or [last_resort(position)]
        return [ALL_CALLS[call] for call in calls if state.auction.is_legal(ALL_CALLS[call])] or [ALL_CALLS[0]]

    def _simulated(self, state: _State, thought: Thought, resources: float) -> Call:
        """PIDM of another player, from his own view; without the means for it, his rules' first choice."""
        calls = self._open_calls(state, thought)
        if len(calls) == 1 or resources < SMALLEST:
            return calls[0]
        seat, view = state.auction.turn, thought.view
        hand = Hand(int(state.hands[seat]))
        his = BiddingView(seat, hand, state.auction, view.vulnerability, view.scoring, view.systems)
        hands, _ = self._sample(his, thought, self.g * resources, thought.rng, self.sample_size)
        share = (1 - self.g) * resources / (len(calls) * len(hands))
        values = [
            sum(self._look_ahead(_State(row, state.auction.after(call)), seat, thought, share)[0] for row in hands)
            for call in calls
        ]
        return calls[int(np.argmax(values))]


def _as_ends(auctions: list[Auction]) -> list[Ends]:
    groups: dict[Auction, list[int]] = {}
    for i, auction in enumerate(auctions):
        groups.setdefault(auction, []).append(i)
    rows = tuple(np.array(members) for members in groups.values())
    return [Ends(tuple(groups), rows, tuple(np.ones(len(members)) for members in rows))]


def from_spec(argument: str, options: Options) -> PidmBidder:
    """``pidm:sayc,instances=6000``; also ``seconds``, ``sample``, ``g``, ``r``, ``utility``, ``margin``, ``trust``.

    ``net_only=1`` compares what the decision net leaves open and nothing else.
    """
    made = PidmBidder(
        argument or "sayc",
        limit=limit_of(options),
        sample_size=whole(options, "sample", SAMPLE_SIZE, low=2),
        g=number(options, "g", 0.5, high=0.99),
        r=number(options, "r", 0.1, high=0.99),
        utility=options.text("utility") or "estimate",
        net_only=bool(options.integer("net_only", 0, low=0)),
        margin=number(options, "margin", MARGIN),
        trust=number(options, "trust", TRUST),
    )
    made.players = players_of(options)
    return made
