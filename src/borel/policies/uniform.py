"""A bidder that knows nothing: every policy should beat it, and every table should survive it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from borel.auction import PASS, Call
from borel.decision import Bidder, Decision
from borel.policies.spec import Options
from borel.view import BiddingView

__all__ = ["UniformBidder", "from_spec"]


@dataclass(frozen=True, slots=True)
class UniformBidder:
    """Passes with a given probability, otherwise makes any other legal call, each as likely.

    With ``passes=1`` it never bids: the silent opponents of bidding challenges.
    """

    passes: float | None = None
    system: str = ""

    def decide(self, view: BiddingView, *, rng: Random) -> Decision[Call]:
        """A call at random."""
        legal = view.auction.legal_calls()
        if self.passes is None:
            return Decision(rng.choice(legal), f"one of {len(legal)} legal calls")
        others = legal[1:]
        if not others or rng.random() < self.passes:
            return Decision(PASS, f"passes {self.passes:.0%} of the time")
        return Decision(rng.choice(others), f"one of {len(others)} calls other than pass")


def from_spec(argument: str, options: Options) -> Bidder:
    """``uniform`` or ``uniform:passes=0.7``."""
    options.no_argument(argument)
    return UniformBidder(options.number("passes", None, low=0, high=1))
