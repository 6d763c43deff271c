"""Players who follow a bidding system, as models: the call each hand would make, and what calls have shown."""

from __future__ import annotations

from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from borel.auction import Auction, Call
from borel.cards import Seat, Side
from borel.deal import Vulnerability
from borel.sampling.limits import ANY_HAND, HandLimits
from borel.systems import Position, System, load_system
from borel.systems.box import Box
from borel.systems.constraints import ANYTHING, Constraint, Either
from borel.systems.hand import HCP, INDEX, LENGTHS, features_of_batch
from borel.systems.position import start_of
from borel.systems.remembered import Remembered
from borel.systems.system import FALLBACK
from borel.view import Systems

__all__ = ["RuleModel"]

MOST_LIMITS = 10_000  # calls whose limits are remembered


class RuleModel:
    """The model of players who bid by rules; each side's calls are read by that side's system.

    Where the rules leave a hand several calls, ``undecided`` says how it chooses: the first in file order, as the plain
    rule bidder does, or any of them, as a bidder who judges for himself might.
    """

    def __init__(self, ns: str | System = "sayc", ew: str | System | None = None, *, undecided: str = "first") -> None:
        self.ns = load_system(ns) if isinstance(ns, str) else ns
        self.ew = self.ns if ew is None else load_system(ew) if isinstance(ew, str) else ew
        self.undecided = undecided
        self._limits = Remembered[tuple[Side, Vulnerability, tuple[Call, ...]], HandLimits](MOST_LIMITS)

    @classmethod
    def of_view(cls, systems: Systems, default: str = "sayc", *, undecided: str = "first") -> RuleModel:
        """The systems that a view discloses; the default where it does not say."""
        return cls(systems.ns or default, systems.ew or default, undecided=undecided)

    def _start(self, dealers: Side, vulnerability: Vulnerability) -> Position:
        pair = (self.ns, self.ew) if dealers is Side.NS else (self.ew, self.ns)
        return start_of(pair, (vulnerability.includes(dealers), vulnerability.includes(dealers.other)))

    def position(self, auction: Auction, vulnerability: Vulnerability) -> Position:
        """The point of the auction, as the rules see it; known auctions are remembered."""
        start = self._start(auction.dealer.side, vulnerability)
        return start.follow(tuple(call.index for call in auction.calls))

    def encode(self, hands: NDArray[np.uint64]) -> NDArray[np.float32]:
        """[n, features]: the features that rules speak of."""
        return features_of_batch(hands, wide=self.ns.wide or self.ew.wide)

    def calls(self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability) -> NDArray[np.int64]:
        """[n]: the number of the call that the rules choose for each hand."""
        position = self.position(auction, vulnerability)
        calls = position.calls_of_batch(rows)
        calls[calls < 0] = last_resort(position)
        return calls

    def probabilities(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability
    ) -> NDArray[np.float64]:
        """[n, 38]: one for the call that the rules choose, or equal shares of those that they leave open."""
        if self.undecided != "first":
            return self.open_choices(rows, auction, vulnerability)
        policy = np.zeros((len(rows), 38))
        policy[np.arange(len(rows)), self.calls(rows, auction, vulnerability)] = 1
        return policy

    def open_choices(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability
    ) -> NDArray[np.float64]:
        """[n, 38]: equal shares of the calls that the rules leave open to each hand."""
        policy = np.zeros((len(rows), 38))
        position = self.position(auction, vulnerability)
        for node, members in position.net.state_actions_batch(rows):
            for option in node.actions:
                policy[members, option.call] = 1
        policy[policy.sum(axis=1) == 0, last_resort(position)] = 1
        return np.asarray(policy / policy.sum(axis=1, keepdims=True))

    def chance(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability, call: Call
    ) -> NDArray[np.float64]:
        """[n]: the probability of one call."""
        if self.undecided == "first":
            return np.asarray(self.calls(rows, auction, vulnerability) == call.index, dtype=np.float64)
        return self.probabilities(rows, auction, vulnerability)[:, call.index]

    def shown(self, auction: Auction, vulnerability: Vulnerability) -> dict[Seat, list[HandLimits]]:
        """For each seat, limits that every hand which the rules would bid so is sure to meet.

        They come from the conditions of the rules alone and are wider than what a call usually shows (`Position.box`).
        """
        position = self._start(auction.dealer.side, vulnerability)
        shown = dict.fromkeys(Seat, ANY_HAND)
        for i, call in enumerate(auction.calls):
            seat, key = auction.seat_of(i), (auction.dealer.side, vulnerability, auction.calls[: i + 1])
            if key not in self._limits:
                self._limits.keep(key, _limits(position, call.index))
            shown[seat] = shown[seat].both(self._limits[key])
            position = position.after(call.index)
        return {seat: [limits] for seat, limits in shown.items()}


def last_resort(position: Position) -> int:
    """Where no rule applies: pass, or the cheapest bid when partner's call is forcing."""
    context = position.context
    return min(context.last_bid + 1, 37) if context.forced(context.turn) else 0


def _left(box: Box | None, taken: list[Constraint]) -> Box | None:
    """A box less the hands of conditions, in whatever order these can be taken away; None when nothing is left."""
    parts = [part for some in taken for part in (some.parts if isinstance(some, Either) else (some,))]
    left = None
    while box is not None and box is not left:
        left = box
        for part in parts:
            box = None if box is None else box.without(part)
    return box


def _limits(position: Position, call: int) -> HandLimits:
    """Around the hands of every rule that gives a call here; any hand where a call has no rule.

    Of a fallback, less what the rules take that are asked before: nearly every hand meets its words and hardly any gets
    so far (none where aces are asked for). Other rules stay whole: a player who judges may follow them though another
    is first.
    """
    boxes = []
    for option in position.options:
        if option.call == call:
            box = Box() if option.constraint == ANYTHING else Box().narrowed(option.constraint)
            if option.priority < FALLBACK:
                box = _left(box, [other.constraint for other in position.options if other.priority > option.priority])
            if box is not None:
                boxes.append(box)
    if not boxes:
        return ANY_HAND
    features = (*LENGTHS, HCP, INDEX["aces"], INDEX["kings"])
    ranges = [(min(box.low[i] for box in boxes), max(box.high[i] for box in boxes)) for i in features]
    return HandLimits.of_ranges((floor(low), ceil(high)) for low, high in ranges)
