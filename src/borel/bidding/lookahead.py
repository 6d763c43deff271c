"""Probabilistic lookahead (lookahead.txt): candidates from the bidding hierarchy only, layouts by soft constraints, and
the expectation over everybody's replies, whose probabilities come from each player's model on the sampled hand.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from borel.auction import Auction
from borel.bidding.borel import SOLVED, BorelBidder, limit_of, number, whole
from borel.bidding.players import players_of
from borel.bidding.projection import Policy
from borel.bidding.search import MARGIN, SAMPLING_SHARE, TRUST, Thought
from borel.cards import Seat
from borel.decision import Limit
from borel.policies.effort import Effort
from borel.sampling import Sample, soft

if TYPE_CHECKING:
    from borel.policies.spec import Options

__all__ = ["LookaheadBidder", "from_spec"]

POOL = 5_000  # layouts from which the best are kept
LAYOUTS = 40


class LookaheadBidder(BorelBidder):
    """The search bidder of the project note."""

    name = "lookahead"
    near_rules = False  # only what the hierarchy offers the hand

    def sample(self, thought: Thought) -> Sample:
        """The best of a large pool: partner's constraints weigh two, opponents' one."""
        if self.players:  # who bids in his own ways has no constraints to be weighed
            return super().sample(thought)
        limit = self.limit
        shown = thought.judge.rules.shown(thought.view.auction, thought.view.vulnerability)
        seconds = None if limit.seconds is None else SAMPLING_SHARE * limit.seconds
        pool = Limit(instances=limit.instances or POOL, seconds=seconds)
        sample = soft(thought.view, shown, layouts=limit.layouts or LAYOUTS, limit=pool, rng=thought.rng)
        self.effort += Effort(instances=sample.instances, sampling_failures=int(not sample.is_consistent))
        return sample

    def policies(self, thought: Thought) -> dict[Seat, Policy]:
        """Replies by their probabilities: what the rules leave open is shared out."""
        return dict.fromkeys(Seat, partial(_shared, thought))


def _shared(thought: Thought, rows: NDArray[np.float32], auction: Auction) -> NDArray[np.float64]:
    return thought.judge.rules.open_choices(rows, auction, thought.view.vulnerability)


def from_spec(argument: str, options: Options) -> LookaheadBidder:
    """``lookahead:sayc,seconds=1``; also ``layouts``, ``instances``, ``solve``, ``margin`` and ``trust``."""
    made = LookaheadBidder(
        argument or "sayc",
        limit=limit_of(options),
        solve=whole(options, "solve", SOLVED),
        margin=number(options, "margin", MARGIN),
        trust=number(options, "trust", TRUST),
    )
    made.players = players_of(options)
    return made
