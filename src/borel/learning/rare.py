"""Rare auctions, which hardly come up in dealt boards, so that a network learns every rule of its system.

The tree of auctions is walked with companies of hands instead of boards: each seat has hands that would have bid as it
has. A company that has become small is filled up with hands that differ from its own in a card or two, and would have
bid the same. Passes are followed as often as hands make them (or every auction would be contested), other calls the
more often the less their rules have been heard. A walk has a budget of points to read; each branch gets its part of
what is left, and where that is only enough for one auction, one is followed to its end. Most of the budget is spent
where rules that have not been heard often enough can speak: in example auctions of their headers, and at points that a
walk came to and where their hand did not turn up. Hands that follow such rules are sought there (`seeking`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.bidding.tables import LONGEST
from borel.learning.other_hands import OtherHands, Where, answers_at
from borel.learning.seeking import Made, neighbours, seek, would_have_called
from borel.sampling.rules import last_resort
from borel.systems import Position, Situation, System
from borel.systems.check import is_in_force
from borel.systems.errors import Place
from borel.systems.examples import examples_of, more_examples_of
from borel.systems.hand import features_of_batch
from borel.systems.options import Option
from borel.systems.syntax import Rule
from borel.systems.system import BlockRules

__all__ = ["ENOUGH", "RareAuctions", "legal_after"]

Rows = NDArray[np.int64]
Hands = NDArray[np.uint64]
ENOUGH = 500  # times that every rule is to be heard
ASKED, LACKING = 32, 96  # hands asked about at one point of an auction, and about each rule not yet heard often enough
VISITED = 0.75  # of the points: where rules can speak that are not heard enough, as long as there are some
EVERY = 1000  # example auctions of a pattern, at most: hardly any has so many
NOTED, VAIN = 8, 24  # auctions that are noted down for a rule; auctions after which it is given up if it was silent
ONE_AUCTION = 12.0  # points: what it takes to follow one to its end
FEWEST, PER_POINT = 4096, 64  # hands that are looked at with a budget of one point, and for each point more
SMALL, TRIED = 128, 512  # a company that is filled up, and how many hands are tried for that


@dataclass(frozen=True, slots=True)
class Company:
    """Hands that would have bid as their seat has, and what it has called at which points of the auction."""

    hands: Hands
    features: NDArray[np.float32]
    made: Made = ()

    def __len__(self) -> int:
        return len(self.hands)

    def first(self, count: int) -> Company:
        """Some of them."""
        return replace(self, hands=self.hands[:count], features=self.features[:count])

    def after(self, position: Position, call: int, rows: NDArray[np.bool_]) -> Company:
        """Those who make a call, having made it."""
        return Company(self.hands[rows], self.features[rows], (*self.made, (position, call)))

    def filled(self, rng: np.random.Generator, *, wide: bool) -> Company:
        """With others that are like them and would have bid the same, if they have become few."""
        if not 0 < len(self) < SMALL or not self.made:
            return self
        hands = neighbours(self.hands, TRIED, rng)
        features = features_of_batch(hands, wide=wide)
        would = would_have_called(self.made, features)
        if not would.any():
            return self
        hands, features = hands[would], features[would]
        every = np.concatenate([self.hands, hands])
        unique, rows = np.unique(every, return_index=True)
        return Company(unique, np.concatenate([self.features, features])[rows], self.made)


@dataclass(frozen=True, slots=True)
class Point:
    """A point of an auction: what the system says there, who is vulnerable (dealer's side, the other) and the calls."""

    position: Position
    vulnerable: tuple[bool, bool]
    calls: tuple[int, ...] = ()

    @property
    def turn(self) -> int:
        """The seat to call, counted from the dealer."""
        return len(self.calls) % 4

    def ends_with(self, call: int) -> bool:
        """Whether a call is the third pass in a row after some call (Law 22), or the auction longer than any is."""
        calls = (*self.calls, call)
        return len(calls) >= LONGEST or (len(calls) > 3 and not any(calls[-3:]))

    def after(self, call: int) -> Point:
        """The point after one more call."""
        return Point(self.position.after(call), self.vulnerable, (*self.calls, call))

    def forget(self) -> None:
        """Let go of what was read after this point."""
        self.position._after.clear()


@dataclass
class RareAuctions:
    """Answers of a system at points of auctions chosen for their rules; ``heard`` counts how often each rule spoke."""

    system: System
    heard: Counter[Place] = field(default_factory=Counter)
    _points: list[Where] = field(default_factory=list)
    _answers: list[tuple[Hands, Rows]] = field(default_factory=list)
    _in_force: list[BlockRules] = field(default_factory=list)
    _known: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)  # examples of headers
    noted: dict[Place, list[Where]] = field(default_factory=dict)  # points at which a rule can speak, a few of them
    _vain: Counter[Place] = field(default_factory=Counter)  # auctions after which a rule was silent

    def walk(self, hands: Hands, points: int, rng: np.random.Generator) -> OtherHands:
        """Read about so many points with a stock of hands; what was heard there."""
        features = features_of_batch(hands, wide=self.system.wide)
        self._points, self._answers = [], []
        for vulnerable in ((False, False), (True, False), (False, True), (True, True)):
            start = Point(Situation((self.system, self.system), vulnerable).start(), vulnerable)
            orders = [rng.permutation(len(hands)) for _ in range(4)]
            seats = tuple(Company(hands[order], features[order]) for order in orders)
            visited = VISITED if self._lacking() else 0.0
            self._go_on(start, seats, (1 - visited) * points / 4, rng)
            self._visit(start, seats, visited * points / 4, rng)
        return answers_at(self._points, self._answers)

    def again(self, others: OtherHands, rng: np.random.Generator) -> OtherHands:
        """What this system says with hands that were asked about before: by other rules, or by these before a change.

        Points whose auctions begin alike are read one after another, so that each beginning is read once.
        """
        self._points, self._answers = [], []
        path: list[Point] = []
        points, order = others.points, np.argsort(others.places, kind="stable")
        firsts = np.searchsorted(others.places[order], np.arange(len(points) + 1))
        auctions = [tuple(calls[:length].tolist()) for calls, length in zip(points.calls, points.lengths, strict=True)]
        for row in sorted(range(len(points)), key=lambda row: (points.vulnerable[row].tolist(), auctions[row])):
            vulnerable = (bool(points.vulnerable[row, 0]), bool(points.vulnerable[row, 1]))
            if not path or path[0].vulnerable != vulnerable:
                path = [Point(Situation((self.system, self.system), vulnerable).start(), vulnerable)]
            path = _led_on(path, auctions[row])
            hands = others.hands[order[firsts[row] : firsts[row + 1]]]
            self._ask(path[-1], Company(hands, features_of_batch(hands, wide=self.system.wide)), rng, every=True)
        return answers_at(self._points, self._answers)

    def _visit(self, start: Point, seats: tuple[Company, ...], budget: float, rng: np.random.Generator) -> None:
        """Ask after an auction of each header that has rules not heard enough, in random order and again."""
        read, before = 0, -1
        while before < read < budget:
            before = read
            lacking = self._lacking()
            for number in rng.permutation(len(lacking)):
                wanted = {rule.place for rule in lacking[number].rules if self._is_wanted(rule)}
                calls = self._auction_for(lacking[number], wanted, rng)
                if read >= budget:
                    return
                if calls is not None:
                    read += len(calls) + 1 + self._hear(start, calls, seats[len(calls) % 4], wanted, rng)
                    start.forget()

    def _auction_for(self, group: BlockRules, wanted: set[Place], rng: np.random.Generator) -> tuple[int, ...] | None:
        """An auction after which some wanted rule of a header can speak: an example, or one that was noted down."""
        noted = [self.noted[rule.place] for rule in group.rules if rule.place in wanted & self.noted.keys()]
        examples = self._examples(group)
        if noted and (not examples or rng.random() < 0.5):
            examples = [calls for _, calls in noted[int(rng.integers(0, len(noted)))]]
        return examples[int(rng.integers(0, len(examples)))] if examples else None

    def _note(self, point: Point, options: list[Option], rng: np.random.Generator) -> None:
        """Note down where rules can speak that have not been heard enough; later auctions take the place of earlier."""
        legal = legal_after(point.calls)
        for option in options:
            if self.heard[option.rule.place] < ENOUGH and legal[option.call]:
                known = self.noted.setdefault(option.rule.place, [])
                if len(known) < NOTED:
                    known.append((point.vulnerable, point.calls))
                else:
                    known[int(rng.integers(0, NOTED))] = (point.vulnerable, point.calls)

    def _lacking(self) -> list[BlockRules]:
        """The headers of conventions that the system plays, and of which some rule has not been heard enough."""
        if not self._in_force:
            self._in_force += [g for g in self.system.blocks if is_in_force(g.rules[0], self.system, block_only=True)]
        return [group for group in self._in_force if any(map(self._is_wanted, group.rules))]

    def _is_wanted(self, rule: Rule) -> bool:
        """Whether a rule has not been heard enough, and may yet be."""
        return rule.prefix != "never" and self.heard[rule.place] < ENOUGH and self._vain[rule.place] < VAIN

    def _examples(self, group: BlockRules) -> list[tuple[int, ...]]:
        """The auctions of a header, as far as it spells them out."""
        if id(group) not in self._known:
            self._known[id(group)] = [calls for _, calls in (*examples_of(group), *more_examples_of(group, EVERY))]
        return self._known[id(group)]

    def _hear(
        self,
        start: Point,
        calls: tuple[int, ...],
        company: Company,
        wanted: set[Place],
        rng: np.random.Generator,
    ) -> int:
        """Ask after an auction what hands that would have bid so call, and seek others; how many rules were sought."""
        point, along = start, company.first(8 * FEWEST)
        for call in calls:
            if point.turn == len(calls) % 4:
                bids = point.position.calls_of_batch(along.features)
                along = along.after(point.position, call, bids == call).filled(rng, wide=self.system.wide)
            point = point.after(call)
        if len(along):
            self._ask(point, along, rng)
        sought_from = along if len(along) else replace(company, made=along.made)
        return self._seek(point, sought_from, wanted, rng)

    def _seek(self, point: Point, company: Company, wanted: set[Place], rng: np.random.Generator) -> int:
        """Seek hands that have bid as a company has and now follow wanted rules; how many rules were sought."""
        options, legal = point.position.options, legal_after(point.calls)
        sought = [option for option in options if option.rule.place in wanted and legal[option.call]]
        self._note(point, sought, rng)
        self._vain.update(wanted)
        for option in sought:
            sought_here = (point.position, option, company.made, company.hands)
            hands = seek(*sought_here, LACKING, rng, wide=self.system.wide).hands
            if len(hands):
                self._vain[option.rule.place] = 0
                self.heard[option.rule.place] += len(hands)
                self._answers.append((hands, np.full(len(hands), option.call)))
                self._points.append((point.vulnerable, point.calls))
        return len(sought)

    def _go_on(self, point: Point, seats: tuple[Company, ...], budget: float, rng: np.random.Generator) -> None:
        along = seats[point.turn].first(int(FEWEST + PER_POINT * budget)).filled(rng, wide=self.system.wide)
        chosen, made, rules = self._ask(point, along, rng)
        for call, share in self._branches(chosen, made, rules, budget - 1, rng):
            caller = along.after(point.position, call, made == call)
            going = tuple(caller if i == point.turn else seats[i] for i in range(4))
            if not point.ends_with(call) and len(going[(point.turn + 1) % 4]):
                self._go_on(point.after(call), going, share, rng)
                point.forget()

    def _branches(
        self, chosen: Rows, made: Rows, rules: list[Place], budget: float, rng: np.random.Generator
    ) -> list[tuple[int, float]]:
        """The calls to follow, each with its part of the budget; what is enough for one auction only is drawn for."""
        counts = np.bincount(chosen + 1, minlength=len(rules) + 1)[chosen + 1]
        bids = np.bincount(made, (made > 0) / np.sqrt(counts * (1 + self._times(rules)[chosen])), minlength=38)
        weights = bids * (np.mean(made > 0) / max(bids.sum(), 1e-9))
        weights[0] = max(0.0, 1 - weights.sum())
        weights /= weights.sum()
        if budget < ONE_AUCTION:
            return [(int(rng.choice(38, p=weights)), 0.0)]
        shares = budget * weights
        taken = np.flatnonzero(rng.random(38) < shares / ONE_AUCTION)
        return [(int(call), max(float(shares[call]), ONE_AUCTION)) for call in taken]

    def _times(self, rules: list[Place]) -> NDArray[np.int64]:
        """How often each rule was heard; last, for hands that no rule speaks of, often enough."""
        return np.array([*(self.heard[rule] for rule in rules), ENOUGH])

    def _ask(
        self, point: Point, along: Company, rng: np.random.Generator, *, every: bool = False
    ) -> tuple[Rows, Rows, list[Place]]:
        """Which option each hand follows, its call, and the options' rules; some of the answers are noted down."""
        chosen, options = point.position.options_of_batch(along.features)
        made = point.position.calls_of_batch(along.features)
        made[made < 0] = last_resort(point.position)
        made = np.where(legal_after(point.calls)[made], made, 0)
        rules = [option.rule.place for option in options]
        self._note(point, options, rng)
        some = np.arange(len(chosen)) if every else self._worth_noting(chosen, rules, rng)
        self._count(options, chosen[some], made[some])
        self._answers.append((along.hands[some], made[some]))
        self._points.append((point.vulnerable, point.calls))
        return chosen, made, rules

    def _count(self, options: list[Option], chosen: Rows, made: Rows) -> None:
        """Count the rules that hands followed, if a last look did not change the call."""
        calls = np.array([*(option.call for option in options), -1])[chosen]
        followed = np.bincount(chosen[(chosen >= 0) & (calls == made)], minlength=len(options))
        for option, times in zip(options, followed, strict=True):
            self.heard[option.rule.place] += int(times)

    def _worth_noting(self, chosen: Rows, rules: list[Place], rng: np.random.Generator) -> Rows:
        """Some hands, and more of those that follow rules not heard enough."""
        order = rng.permutation(len(chosen))
        places = chosen[order] + 1
        counts = np.bincount(places, minlength=len(rules) + 1)
        by_rule = np.argsort(places, kind="stable")
        rank = np.empty(len(chosen), np.int64)  # of a hand among those of its rule
        rank[by_rule] = np.arange(len(chosen)) - (np.cumsum(counts) - counts)[places[by_rule]]
        lacking = np.where(self._times(rules) < ENOUGH, LACKING, 0)[places - 1]
        return np.asarray(order[(rank < lacking) | (np.arange(len(chosen)) < ASKED)])


def legal_after(calls: tuple[int, ...]) -> NDArray[np.bool_]:
    """[38]: which calls may be made after some."""
    legal: NDArray[np.bool_] = _core.legal_calls(np.array([[*calls, 0]], np.uint8), np.array([len(calls)], np.int32))[0]
    return legal


def _led_on(path: list[Point], calls: tuple[int, ...]) -> list[Point]:
    """The points of an auction from its start, the first of them from an auction that was read before."""
    same = 0
    while same < min(len(path) - 1, len(calls)) and path[same + 1].calls == calls[: same + 1]:
        same += 1
    path = path[: same + 1]
    path[-1].forget()  # what was read behind it is done with
    for call in calls[same:]:
        path.append(path[-1].after(call))
    return path
