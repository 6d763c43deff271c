"""Rules that rare auctions have not heard often enough, topped up with hands drawn from the rule's own condition.

A rule speaks at a point of an auction with a hand that satisfies it and that no rule before it takes. Points at which
it can speak are known: walks noted some down, its header may spell auctions out, and auctions that were bid elsewhere
may fit its header. There hands are sought that are as near as can be to the condition and away from the rules that
come before (`seeking`): first hands that would have bid as their seat has, and if there are too few of these, any
hand: the system has an answer for those too. What is said of a rule that stays silent is why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, zip_longest

import numpy as np
from numpy.typing import NDArray

from borel.bidding.tables import LONGEST
from borel.learning.other_hands import OtherHands, Where, answers_at
from borel.learning.rare import legal_after
from borel.learning.seeking import NO_HAND, NOT_SO, Made, Sought, seek
from borel.systems import Position, Situation, System
from borel.systems.errors import Place
from borel.systems.examples import examples_of, more_examples_of, prolonged_auctions
from borel.systems.options import Option
from borel.systems.patterns import match, may_end
from borel.systems.syntax import Rule
from borel.systems.system import BlockRules

__all__ = ["TopUp", "Topped", "answers_of", "fitting_points", "prolonged", "strayed"]

Hands = NDArray[np.uint64]
COLOURS = ((False, False), (True, False), (False, True), (True, True))
AT_ONCE = 64  # hands that are taken at one point, as long as there are more points
SPREAD = 8  # points that a rule's hands are spread over, at least, if there are so many
SILENT, POINTS = 16, 500  # points after which a rule is given up that could speak and was silent; points read for one
PROLONGED = 2000  # points that are prolonged by the calls of a header, the shortest first
SPELT = 200  # auctions of a header that are tried
GENERATIONS = 20
FROM_ONE, ODD = 5, 5  # auctions that stray from one point, and the odd calls of each, at most
PASSES, LOW = 0.4, 0.25  # the share of passes among them, and how fast higher calls become rarer
CANNOT = "cannot speak there"
STRANGE = {NOT_SO, NO_HAND}  # reasons for which hands that would not have bid so may yet be heard
Speaks = tuple[Where, Position, Made, Option]  # a point, what is there, what the seat has called, what a rule says


@dataclass(slots=True)
class Topped:
    """What became of one rule: its answers by point, and of the points tried how many were silent for which reason."""

    found: dict[Where, tuple[Hands, int]] = field(default_factory=dict)
    hands: set[int] = field(default_factory=set)  # all that were found
    strangers: int = 0  # of these, hands that would not have bid as their seat has
    reasons: Counter[str] = field(default_factory=Counter)
    takers: Counter[str] = field(default_factory=Counter)  # rules that took hands which satisfy this one

    @property
    def why(self) -> str:
        """Why the rule is not heard more often, as far as was seen."""
        told = [f"{reason} ({count})" for reason, count in self.reasons.most_common()]
        return "; ".join([*told, *(f"taken by {rule} ({count})" for rule, count in self.takers.most_common(3))])


class TopUp:
    """Tops up the rules of a system; positions that were read are kept as long as one header is asked about."""

    def __init__(self, system: System, stock: Hands, seed: int, patience: int = SILENT) -> None:
        self.system, self.stock, self.seed, self.patience = system, stock, seed, patience
        self._groups = {rule.place: group for group in system.blocks for rule in group.rules}
        self._starts: dict[tuple[bool, bool], Position] = {}
        self._header: BlockRules | None = None

    def rule(self, rule: Rule, wanted: int, noted: Iterable[Where]) -> Topped:
        """Seek so many different hands that follow a rule, at points noted down for it and in its own auctions."""
        if self._header is not self._groups[rule.place]:
            self._header = self._groups[rule.place]
            self._starts = {each: Situation((self.system, self.system), each).start() for each in COLOURS}
        rng, result = np.random.default_rng([self.seed, rule.order]), Topped()
        spoken: list[Speaks] = []
        for found in self._speaking(rule, self._points(noted, rng), result):
            spoken.append(found)
            self._ask(found, max(AT_ONCE, (wanted - len(result.hands)) // SPREAD), result, rng, strict=True)
            if len(result.hands) >= wanted or (len(spoken) >= self.patience and not result.hands):
                break
        for found in spoken:  # a narrow rule, or one with few auctions: all that there is
            if found[0] in result.found and len(result.hands) < wanted:
                self._ask(found, len(result.hands) + wanted, result, rng, strict=True)
        if result.reasons.keys() & STRANGE:
            for number, found in enumerate(spoken):
                left = -(-(wanted - len(result.hands)) // (len(spoken) - number))
                if left > 0:
                    self._ask(found, max(AT_ONCE, left), result, rng, strict=False)
        return result

    def _points(self, noted: Iterable[Where], rng: np.random.Generator) -> Iterator[Where]:
        """Where a rule may speak: what its header spells out and what was noted down, in turn."""
        assert self._header is not None
        spelt = list(dict.fromkeys(spelt_out(self._header)))
        spelt = [spelt[i] for i in rng.permutation(len(spelt))[:SPELT]]
        mixed = (point for pair in zip_longest(spelt, noted) for point in pair if point is not None)
        return iter(dict.fromkeys(mixed))

    def _speaking(self, rule: Rule, points: Iterator[Where], result: Topped) -> Iterator[Speaks]:
        """The points at which a rule can speak, each with the option that it has there."""
        for point in islice(points, POINTS):
            position, made = self._read(*point)
            legal = legal_after(point[1])
            options = [option for option in position.options if option.rule is rule and legal[option.call]]
            if not options:
                result.reasons[CANNOT] += 1
            for option in options:
                yield point, position, made, option

    def _ask(self, found: Speaks, count: int, result: Topped, rng: np.random.Generator, *, strict: bool) -> None:
        """Seek hands for a rule at one point."""
        point, position, made, option = found
        before = made if strict else ()
        wide = self.system.wide
        sought = seek(position, option, before, self.stock, count, rng, wide=wide, generations=GENERATIONS)
        self._note(point, option, sought, result, strict=strict)

    def _note(self, point: Where, option: Option, sought: Sought, result: Topped, *, strict: bool) -> None:
        fresh = np.array([hand for hand in sought.hands if int(hand) not in result.hands], np.uint64)
        if len(fresh):
            before = result.found.get(point, (fresh[:0], option.call))
            if before[1] == option.call:
                result.found[point] = (np.concatenate([before[0], fresh]), option.call)
                result.hands.update(fresh.tolist())
                result.strangers += 0 if strict else len(fresh)
            return
        if not len(sought.hands):
            result.reasons[sought.why if strict else f"any hand: {sought.why}"] += 1
            result.takers.update(sought.takers)

    def _read(self, vulnerable: tuple[bool, bool], calls: tuple[int, ...]) -> tuple[Position, Made]:
        """A point of an auction, and what the seat to call has called before."""
        position, made = self._starts[vulnerable], []
        for number, call in enumerate(calls):
            if (len(calls) - number) % 4 == 0:
                made.append((position, call))
            position = position.after(call)
        return position, tuple(made)


def answers_of(topped: Iterable[Topped]) -> OtherHands:
    """All that was found, as answers to be learnt from."""
    every = [(point, hands, call) for one in topped for point, (hands, call) in one.found.items()]
    return answers_at(
        [point for point, _, _ in every], [(hands, np.full(len(hands), call)) for _, hands, call in every]
    )


def spelt_out(group: BlockRules) -> Iterator[Where]:
    """The auctions of a header, as far as it spells them out, at every vulnerability."""
    for _, calls in (*examples_of(group), *more_examples_of(group, SPELT)):
        for vulnerable in COLOURS:
            yield vulnerable, calls


def fitting_points(group: BlockRules, points: list[Where], most: int) -> list[Where]:
    """Those of some points whose auctions fit a header."""
    found: list[Where] = []
    for vulnerable, calls in points:
        opening = next((number for number, call in enumerate(calls) if call), len(calls))
        ending = (pattern for pattern in group.block.patterns if may_end(pattern, calls))
        if any(next(match(pattern, calls, opening), None) is not None for pattern in ending):
            found.append((vulnerable, calls))
            if len(found) == most:
                break
    return found


def prolonged(group: BlockRules, points: list[Where]) -> list[Where]:
    """Points made of others by adding the calls of a header that does not say how its auctions begin."""
    found: dict[Where, None] = {}
    for pattern in group.block.patterns:
        if pattern[0].anything and not any(element.anything for element in pattern[1:]):
            for vulnerable, calls in sorted(points, key=lambda point: len(point[1]))[:PROLONGED]:
                for longer in prolonged_auctions(pattern[1:], calls, block=group.block):
                    found[vulnerable, longer] = None
    return list(found)[:POINTS]


def strayed(
    system: System, wanted: set[Place], points: list[Where], count: int, rng: np.random.Generator
) -> dict[Place, list[Where]]:
    """Points at which wanted rules can speak, in so many auctions that leave those of the system by a few odd calls.

    Principles are for auctions that nobody has foreseen; in those that the system bids others take their hands.
    """
    found: dict[Place, list[Where]] = {place: [] for place in wanted}
    for _ in range(-(-count // FROM_ONE) if points else 0):
        vulnerable, calls = points[int(rng.integers(0, len(points)))]
        calls = calls[: int(rng.integers(0, len(calls) + 1))]
        left = Situation((system, system), vulnerable).start().follow(calls)
        for _ in range(FROM_ONE):
            for odd, position in _odd_calls(calls, left, rng):
                for place in {option.rule.place for option in position.options} & wanted:
                    found[place].append((vulnerable, odd))
    return {place: where for place, where in found.items() if where}


def _odd_calls(
    calls: tuple[int, ...], position: Position, rng: np.random.Generator
) -> Iterator[tuple[tuple[int, ...], Position]]:
    """An auction led on by a few odd calls: each time all its calls, and what is there."""
    for _ in range(int(rng.integers(1, ODD + 1))):
        call = _odd_call(calls, rng)
        if len(calls) > LONGEST - 8 or (len(calls) > 2 and not any((*calls[-2:], call))):
            return
        calls, position = (*calls, call), position.after(call)
        yield calls, position


def _odd_call(calls: tuple[int, ...], rng: np.random.Generator) -> int:
    """A pass, or some legal call that is not very high."""
    legal = np.flatnonzero(legal_after(calls))
    return 0 if rng.random() < PASSES else int(legal[min(int(rng.geometric(LOW)), len(legal) - 1)])
