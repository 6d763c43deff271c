"""Borel search that starts from a network which keeps to its rules: the network proposes, the rules bid on.

`GroundedBidder` makes the first candidate, and the network's other likely calls are candidates beside those near the
rules; everybody is read, and every auction goes on, by the rules, as partner and opponents at the table do. What the
network knows is which calls are worth a look; what it cannot know, the other players' replies, the rules say exactly.

The stranger a call is to the imitation, the more margins it must look better by: layouts count what it leads to if
everybody goes on by the rules, not what it costs that partner did not expect it. A third of what search preferred on
389 boards is given up so, and nothing lost by it: +0.47 IMPs a board before, +0.46 after (docs/training.md).
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, Call
from borel.bidding.borel import SOLVED, BorelBidder, limit_of, number, whole
from borel.bidding.comparison import Comparison
from borel.bidding.grounded import BORDER, GroundedBidder, Opinions
from borel.bidding.judgement import CONSIDERED, Judge
from borel.bidding.players import players_of
from borel.bidding.projection import Ends
from borel.bidding.search import DEFAULT, MARGIN, TRUST, Thought
from borel.decision import Candidate, Decision, Limit
from borel.policies.neural import NeuralModel, with_hands
from borel.view import BiddingView

if TYPE_CHECKING:
    from borel.policies.spec import Options

__all__ = ["GroundedSearch", "from_prior"]

LIKELY = 0.02  # a call that the network makes with so many of such hands is worth comparing


class GroundedSearch(BorelBidder):
    """Looks ahead from what a network and its rules would call together."""

    name = "neural-search"
    own = "the network's"

    def __init__(
        self,
        prior: GroundedBidder,
        *,
        limit: Limit = DEFAULT,
        margin: float = MARGIN,
        trust: float = TRUST,
        solve: int = SOLVED,
        sampled: int = 0,
    ) -> None:
        super().__init__(prior.system, limit=limit, margin=margin, trust=trust, solve=solve)
        self.prior, self.sampled = prior, sampled
        self._model = NeuralModel(prior.network)

    def decide(self, view: BiddingView, *, rng: Random) -> Decision[Call]:
        """The call that looks best, and which of so many hands the network calls so with."""
        decision = super().decide(view, rng=rng)
        return decision if self.prior.knows_only_rules(view) else with_hands(decision, self._model, view, self.sampled)

    def candidates(self, judge: Judge, row: NDArray[np.float32], view: BiddingView) -> list[Call]:
        """The call of network and rules together, the rules' own, the network's likely ones, those near the rules."""
        near = super().candidates(judge, row, view)
        if self.prior.knows_only_rules(view):
            return near
        chances = self.prior.probabilities(view)
        likely = [ALL_CALLS[int(i)] for i in np.argsort(-chances) if chances[i] >= LIKELY]
        return list(dict.fromkeys([*likely[:1], near[0], *likely, *near]))[:CONSIDERED]

    def strange(self, view: BiddingView) -> dict[Call, float]:
        """For every few nats by which the imitation finds a call less likely than the rules', a margin more."""
        if self.prior.knows_only_rules(view):
            return {}
        nats = self.prior.opinions(view).strangeness()
        return {call: float(nats[call.index]) / BORDER for call in view.auction.legal_calls()}

    def whose(self, thought: Thought) -> str:
        """The network's, with what it expected of it, or the rules'."""
        opinions = self.prior.opinions(thought.view)
        expected = self._expected(opinions, int(self.prior.probabilities(thought.view).argmax()))
        return f"the network's call, {expected}" if expected else "the rules' call"

    def figures(self, thought: Thought, comparison: Comparison, i: int, ends: list[Ends]) -> Candidate[Call]:
        """With what the network expected of the candidate before."""
        found = super().figures(thought, comparison, i, ends)
        expected = self._expected(self.prior.opinions(thought.view), found.choice.index)
        return replace(found, why="; ".join(filter(None, (expected, found.why))))

    def _expected(self, opinions: Opinions, call: int) -> str:
        gain = opinions.gains()[call]
        if call == opinions.ruled or not np.isfinite(gain):
            return ""
        return f"expected to gain {gain:+.1f} IMPs on the rules' {ALL_CALLS[opinions.ruled]}"


def from_prior(prior: GroundedBidder, options: Options) -> GroundedSearch:
    """``neural-search:sayc,seconds=1`` for a network that sits down with its rules; also ``margin``, ``solve``."""
    made = GroundedSearch(
        prior,
        limit=limit_of(options),
        margin=number(options, "margin", MARGIN),
        solve=whole(options, "solve", SOLVED),
        sampled=whole(options, "sampled", 0),
    )
    made.players = players_of(options)
    return made
