"""The calls that a bidder who judges for himself may consider: those of the rules, and those near them.

Partner and opponents read such a bidder by the same function: a call that somebody may consider is a call that the
others can imagine him to make. So judgement stays near the rules, and nobody is left without a layout.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, Auction, Call
from borel.deal import Vulnerability
from borel.sampling.rules import RuleModel, last_resort
from borel.systems import Position
from borel.systems.constraints import ANYTHING, All, Constraint, Either, Range
from borel.systems.hand import FEATURES, HCP, LENGTHS, POINTS
from borel.systems.system import FALLBACK

__all__ = ["CONSIDERED", "Judge", "relaxed"]

CONSIDERED = 5  # calls compared at most, the rules' own included
SLACK = 1.0  # points by which a hand may miss a rule and still be near it
JUDGED = 0.02  # the chance that a given near call is preferred to the rules' own
_STRENGTH = ("hcp", "points", "opening", "rule20")
STRENGTH = frozenset(
    i for i, name in enumerate(FEATURES) if name in _STRENGTH or name.startswith(("points(", "quality("))
)


@lru_cache(maxsize=100_000)
def relaxed(constraint: Constraint, slack: float = SLACK) -> Constraint:
    """The condition with every range of strength wider at both ends; lengths and all else stay as they are."""
    if isinstance(constraint, All):
        return All(tuple(relaxed(part, slack) for part in constraint.parts))
    if isinstance(constraint, Either):
        return Either(tuple(relaxed(part, slack) for part in constraint.parts))
    if all(index in STRENGTH for index, _ in constraint.terms):
        return Range(constraint.terms, constraint.low - slack, constraint.high + slack)
    return constraint


@dataclass(slots=True)
class Judge:
    """A model of players who know the rules and judge: mostly the rules' call, now and then one that is near."""

    rules: RuleModel
    judged: float = JUDGED

    def encode(self, hands: NDArray[np.uint64]) -> NDArray[np.float32]:
        """[n, features]: the features that rules speak of."""
        return self.rules.encode(hands)

    def probabilities(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability
    ) -> NDArray[np.float64]:
        """[n, 38]: what the rules choose has most of the weight, near calls a little."""
        position = self.rules.position(auction, vulnerability)
        policy = np.zeros((len(rows), 38))
        for call in {option.call for option in position.options}:
            policy[:, call] = self.judged * near(position, call, rows)
        policy[np.arange(len(rows)), self.rules.calls(rows, auction, vulnerability)] = 1
        return np.asarray(policy / policy.sum(axis=1, keepdims=True))

    def chance(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability, call: Call
    ) -> NDArray[np.float64]:
        """[n]: the weight of one call, up to a factor close to one; much cheaper than asking about all."""
        chances = np.asarray(self.rules.calls(rows, auction, vulnerability) == call.index, dtype=np.float64)
        others = np.flatnonzero(chances == 0)
        if len(others):
            position = self.rules.position(auction, vulnerability)
            chances[others] = self.judged * near(position, call.index, rows[others])
        return chances

    def considered(
        self, row: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability, *, near_rules: bool = True
    ) -> list[Call]:
        """The calls to compare for one hand: the rules' own first, then what they leave open, then what is near."""
        position = self.rules.position(auction, vulnerability)
        hand = [float(value) for value in row]
        options = position.choose(hand)
        calls = [option.call for option in options] or [last_resort(position)]
        by_call: dict[int, tuple[bool, int]] = {}
        for option in position.options:
            if option.priority < FALLBACK or (option.call == 0 and option.constraint is ANYTHING):
                continue  # such a pass is for hands that nothing else is for: see below
            meets = option.constraint.admits(hand)
            if meets or (near_rules and relaxed(option.constraint).admits(hand)):
                rank = (meets, option.priority)
                by_call[option.call] = max(rank, by_call.get(option.call, rank))
        calls += sorted(by_call, key=lambda call: by_call[call], reverse=True)
        context = position.context
        if not context.forced(context.turn) and _passes_as_read(position, hand):
            calls.append(0)
        own, *others = dict.fromkeys(calls)
        readable = [call for call in others if near(position, call, row[None, :])[0]]
        return [ALL_CALLS[call] for call in (own, *readable)][:CONSIDERED]


def near(position: Position, call: int, rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    """[n]: which hands nearly satisfy some rule for a call, of the best rules that give it: those it is read by.

    So a raise by agreement is none for want of a better call. A pass that is not forbidden is near every hand, but one
    that leaves partner's double in says what its rules say.
    """
    options = [option for option in position.meaning(call).options if option.priority >= FALLBACK]
    context = position.context
    if call == 0 and not context.forced(context.turn) and not (options and _leaves_a_double_in(position)):
        return np.ones(len(rows), dtype=np.bool_)
    found = np.zeros(len(rows), dtype=np.bool_)
    for option in options:
        found |= relaxed(option.constraint).admits_batch(rows)
    return found


def _passes_as_read(position: Position, hand: list[float]) -> bool:
    """Whether a hand is like those that usually pass here, strength within a point.

    Others may be imagined to pass with anything, but whoever passes a strong hand or a fit himself, in the hope that
    the auction goes on, has told partner something else.
    """
    usual = position.meaning(0).typical
    lengths = all(usual.low[index] <= hand[index] <= usual.high[index] for index in LENGTHS)
    return lengths and all(usual.low[i] - SLACK <= hand[i] <= usual.high[i] + SLACK for i in (HCP, POINTS))


def _leaves_a_double_in(position: Position) -> bool:
    context = position.context
    return context.doubled == 1 and (context.last_bidder - context.turn) % 2 == 1
