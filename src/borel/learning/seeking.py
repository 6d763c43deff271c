"""Hands that follow a given rule, sought by changing cards: for rules that dealt hands hardly ever meet.

A hand is the nearer to a condition the less its features are outside of the ranges that the condition asks for. From a
few hands others are bred that differ in a card or two, and the nearest are bred from again, until some follow the rule
after having bid as their seat has.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from borel.sampling.rules import last_resort
from borel.systems import Position
from borel.systems.constraints import All, Constraint, Either, negated
from borel.systems.hand import features_of_batch
from borel.systems.options import Option

__all__ = ["NOT_SO", "NO_HAND", "Made", "Sought", "distance", "followers", "neighbours", "seek", "would_have_called"]

Hands = NDArray[np.uint64]
Made = tuple[tuple[Position, int], ...]  # what a seat has called at which points of the auction
GENERATIONS, BRED, KEPT = 12, 384, 32
NO_HAND, NOT_SO = "no hand found that satisfies it", "no such hand would have bid so"
TAKEN_BY_OTHERS = "other rules take its hands"
HOPELESS = 2000  # hands that satisfy a rule, after which it is given up if none of them has followed it
TAKEN = 0.25  # how far a hand is, at least, that satisfies the rule and that another rule takes
CARDS = np.uint64(1) << np.arange(52, dtype=np.uint64)


def neighbours(hands: Hands, count: int, rng: np.random.Generator) -> Hands:
    """[count]: hands of which each differs from one of these in one, two or three cards."""
    made = hands[rng.integers(0, len(hands), count)]
    cards = rng.integers(1, 4, count)
    for number in range(3):
        held = (made[:, None] & CARDS) != 0
        chance = rng.random((count, 52))
        given, taken = np.where(held, chance, -1).argmax(axis=1), np.where(held, -1, chance).argmax(axis=1)
        made = np.where(number < cards, made ^ CARDS[given] ^ CARDS[taken], made)
    return made


def distance(constraint: Constraint, features: NDArray[np.float32]) -> NDArray[np.float32]:
    """[n]: how far hands are from a condition, 0 where it holds; what is missing adds up, the nearest way counts."""
    if isinstance(constraint, All):
        parts = [distance(part, features) for part in constraint.parts]
        return np.sum(parts, axis=0, dtype=np.float32) if parts else np.zeros(len(features), np.float32)
    if isinstance(constraint, Either):
        ways = [distance(part, features) for part in constraint.parts]
        return np.min(ways, axis=0) if ways else np.full(len(features), np.inf, np.float32)
    value = np.zeros(len(features), np.float32)
    for index, weight in constraint.terms:
        value += features[:, index] * np.float32(weight)
    return np.asarray(np.maximum(np.maximum(constraint.low - value, value - constraint.high), 0), dtype=np.float32)


@dataclass(slots=True)
class Sought:
    """What was sought at one point of an auction: the hands found, and what stood in the way of others."""

    hands: Hands = field(default_factory=lambda: np.zeros(0, np.uint64))
    satisfied: int = 0  # hands that satisfy the condition
    followed: int = 0  # of these, hands that follow the rule
    takers: Counter[str] = field(default_factory=Counter)  # the rules that the others follow

    @property
    def why(self) -> str:
        """Why nothing was found."""
        if not self.satisfied:
            return NO_HAND
        return NOT_SO if self.followed else TAKEN_BY_OTHERS


def seek(
    position: Position,
    option: Option,
    made: Made,
    start: Hands,
    count: int,
    rng: np.random.Generator,
    *,
    wide: bool,
    generations: int = GENERATIONS,
) -> Sought:
    """At most so many hands that made some calls before and now follow an option's rule to make its call."""
    hands, found, result = start[rng.integers(0, len(start), BRED)], start[:0], Sought()
    for _ in range(generations):
        features = features_of_batch(hands, wide=wide)
        missing = distance(option.constraint, features)
        fits = np.flatnonzero(missing == 0)
        follows, taken = followers(position, option, features[fits], result.takers)
        missing[fits] += taken
        result.satisfied, result.followed = result.satisfied + len(fits), result.followed + int(follows.sum())
        rows = fits[follows]
        rows = rows[would_have_called(made, features[rows])]
        found = np.unique(np.concatenate([found, hands[rows]]))
        if len(found) >= count or (result.satisfied > HOPELESS and not result.followed):
            break
        far = missing + sum(_distance_of_call(*one, features) for one in made)
        nearest = hands[np.lexsort((rng.random(len(hands)), far))[:KEPT]]
        hands = np.concatenate([nearest, neighbours(found if len(found) else nearest, BRED - KEPT, rng)])
    result.hands = rng.permutation(found)[:count]
    return result


def followers(
    position: Position, option: Option, features: NDArray[np.float32], takers: Counter[str]
) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    """[n]: which hands follow an option's rule to make its call; how far the others are from leaving what took them."""
    chosen, options = position.options_of_batch(features)
    mine = np.array([*(each.rule is option.rule and each.call == option.call for each in options), False])[chosen]
    follows = mine & (position.calls_of_batch(features) == option.call) if mine.any() else mine
    far = np.zeros(len(features), np.float32)
    for place in np.unique(chosen[~mine & (chosen >= 0)]):
        rows, taker = np.flatnonzero(chosen == place), options[place]
        far[rows] = TAKEN + distance(negated(taker.constraint), features[rows])
        takers[f"{taker.rule.place}{' saying the same' if taker.call == option.call else ''}"] += len(rows)
    far[mine & ~follows] = TAKEN
    takers["a last look"] += int((mine & ~follows).sum())
    return follows, far


def _distance_of_call(position: Position, call: int, features: NDArray[np.float32]) -> NDArray[np.float32]:
    """[n]: how far hands are from the nearest rule for a call; a pass needs none."""
    ways = [distance(option.constraint, features) for option in position.options if option.call == call]
    return np.min(ways, axis=0) if ways and call else np.zeros(len(features), np.float32)


def would_have_called(made: Made, features: NDArray[np.float32]) -> NDArray[np.bool_]:
    """[n]: which hands would have made all these calls."""
    would = np.ones(len(features), np.bool_)
    for position, call in reversed(made):  # the last call is the one that fewest make
        calls = position.calls_of_batch(features[would])
        calls[calls < 0] = last_resort(position)
        would[would] = calls == call
    return would
