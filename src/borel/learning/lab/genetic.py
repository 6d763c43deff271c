"""Bidding bred instead of learnt (Prorok 2003, 8.8.1): ranked rules like "5-6 spades, 0-3 hearts, 11-13 points: 1S".

An individual is a pair's system for auctions of two calls: a list of rules for the opening and one for the response,
which may ask what was opened; the first rule that takes a hand decides, and where none does, it passes. So rules cannot
contradict each other. Fitness is the mean score of some deals, drawn anew for every generation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS
from borel.errors import BridgeError
from borel.learning.lab.natural import silent_scores
from borel.learning.lab.openings import STRENGTHS, Shape
from borel.learning.lab.pairs import PairDeals
from borel.learning.runs import Run, read_history

__all__ = ["Generation", "GeneticSettings", "breed_bidding", "rule_words", "scores_of"]

Rules = NDArray[np.int64]  # [individuals, rules, genes]
System = tuple[NDArray[np.int64], NDArray[np.int64]]  # a pair's rules, ranked: [rules, genes] of openings, of responses
ANY = 0  # an opening that is not asked for
LOW, HIGH, CALL, HEARD, GENES = slice(0, 5), slice(5, 10), 10, 11, 12  # S H D C points; the call; the opening asked for
LEAST, MOST = np.array([0, 0, 0, 0, 0]), np.array([7, 7, 7, 7, 25])
OPENINGS = (0, *range(3, 13))  # up to 2NT
RESPONSES = (0, *range(3, 38))
NAMES = ("S", "H", "D", "C", "hcp")
SAME = 0.5  # of a new rule's limits, the share that asks nothing


@dataclass(frozen=True, slots=True)
class GeneticSettings:
    """Pairs in a generation, generations, rules of an opening and of a response, deals that fitness is drawn from."""

    population: int = 100
    generations: int = 400
    openings: int = 16
    responses: int = 48
    deals: int = 1_000
    mutation: float = 0.03
    seed: int = 1

    def check(self) -> None:
        """Complain of what cannot be."""
        if min(self.population, self.openings, self.responses, self.deals) < 2 or self.generations < 1:
            raise BridgeError("breeding needs a generation, and two pairs, rules and deals")
        if not 0 <= self.mutation < 1:
            raise BridgeError(f"a chance of mutation is within 0..1, not {self.mutation:g}")


@dataclass(frozen=True, slots=True)
class Generation:
    """Mean and best fitness, and what the best pair scores on other deals; with ±."""

    number: int
    mean: float
    best: float
    test: float
    error: float


def scores_of(system: System, hands: PairHands) -> NDArray[np.float32]:
    """[n]: what one pair scores on some deals; ``system`` are its rules for openings and for responses."""
    opened = _first_call(system[0], hands.opener, np.zeros(len(hands.opener), np.int64))
    answer = _first_call(system[1], hands.responder, opened)
    answer = np.where(answer > opened, answer, 0)  # what would be no sufficient bid is a pass
    return silent_scores(np.stack([opened, answer], axis=1).astype(np.uint8), hands.tricks)


@dataclass(frozen=True, slots=True)
class PairHands:
    """[n, 5] lengths and points of opener and responder; tricks [n, 2, 5]."""

    opener: NDArray[np.int64]
    responder: NDArray[np.int64]
    tricks: NDArray[np.uint8]

    @classmethod
    def of(cls, deals: PairDeals, shapes: list[Shape]) -> PairHands:
        """The hands of some deals as rules see them."""
        hands, lengths = deals.hands.astype(np.int64), np.array(shapes)
        seen = [np.column_stack([lengths[hands[:, i] // STRENGTHS], hands[:, i] % STRENGTHS]) for i in (0, 1)]
        return cls(seen[0], seen[1], deals.tricks)

    def some(self, rows: NDArray[np.int64]) -> PairHands:
        """Some of the deals."""
        return PairHands(self.opener[rows], self.responder[rows], self.tricks[rows])


def breed_bidding(
    deals: PairDeals,
    test: PairDeals,
    shapes: list[Shape],
    settings: GeneticSettings,
    progress: Callable[[Generation], None] | None = None,
    folder: Path | None = None,
) -> tuple[System, list[Generation]]:
    """Breed pairs; the fittest one of the last generation, and what some generations came to on the deals of the test.

    With a folder the breeding can be stopped and gone on with: every generation has chances of its own.
    """
    settings.check()
    hands, examined = PairHands.of(deals, shapes), PairHands.of(test, shapes)
    run = None if folder is None else Run(folder, "genetic", asdict(settings) | {"hands": [len(deals), len(test)]})
    population, told = _begun(settings, run)
    for number in range(told[-1].number + 1 if told else 1, settings.generations + 1):
        fitness, champion = _judged(population, hands, settings, number)
        is_told = number % max(1, settings.generations // 40) == 0 or number == settings.generations
        if is_told:
            mean, error = test.mean_and_error(scores_of(champion, examined)[:, None])
            told.append(Generation(number, float(fitness.mean()), float(fitness.max()), mean, error))
            if progress is not None:
                progress(told[-1])
        if number < settings.generations:
            population = _next(population, fitness, settings, np.random.default_rng([settings.seed, number]))
        if is_told and run is not None:
            run.log(**asdict(told[-1]))
            run.checkpoint({"openings": population[0], "responses": population[1]}, generation=number)
    return _judged(population, hands, settings, settings.generations)[1], told


def _begun(settings: GeneticSettings, run: Run | None) -> tuple[tuple[Rules, Rules], list[Generation]]:
    """The first population, or that of a run which was stopped, with what was told of it."""
    kept = None if run is None else run.resume()
    if run is not None and kept is not None:
        arrays, numbers = kept
        lines = {int(line["number"]): line for line in read_history(run.folder)[1]}
        told = [
            Generation(number, line["mean"], line["best"], line["test"], line["error"])
            for number, line in sorted(lines.items())
            if number <= numbers["generation"]
        ]
        return (arrays["openings"], arrays["responses"]), told
    rng = np.random.default_rng(settings.seed)
    openings = _any_rules(rng, settings.population, settings.openings, OPENINGS)
    return (openings, _any_rules(rng, settings.population, settings.responses, RESPONSES)), []


def _judged(
    population: tuple[Rules, Rules], hands: PairHands, settings: GeneticSettings, number: int
) -> tuple[NDArray[np.float64], System]:
    """[individuals]: mean scores on the deals of a generation; and the fittest pair."""
    rows = np.random.default_rng([settings.seed, number, 1]).integers(0, len(hands.opener), settings.deals)
    some = hands.some(rows)
    fitness = np.array([scores_of(one, some).mean() for one in zip(*population, strict=True)])
    best = int(fitness.argmax())
    return fitness, (population[0][best], population[1][best])


def _first_call(rules: NDArray[np.int64], hands: NDArray[np.int64], heard: NDArray[np.int64]) -> NDArray[np.int64]:
    """[n]: the call of the first rule that takes each hand; a pass where none does."""
    call, waiting = np.zeros(len(hands), np.int64), np.ones(len(hands), np.bool_)
    for rule in rules:
        taken = waiting & ((hands >= rule[LOW]) & (hands <= rule[HIGH])).all(axis=1)
        if rule[HEARD] != ANY:
            taken &= heard == rule[HEARD]
        call[taken] = rule[CALL]
        waiting &= ~taken
    return call


def _any_rules(rng: np.random.Generator, individuals: int, rules: int, calls: tuple[int, ...]) -> Rules:
    """Random rules; half of their limits ask nothing."""
    found = np.zeros((individuals, rules, GENES), np.int64)
    shape = (individuals, rules, 5)
    ends = np.sort(rng.integers(LEAST, MOST + 1, (2, *shape)), axis=0)
    asks = rng.random(shape) >= SAME
    found[..., LOW] = np.where(asks, ends[0], LEAST)
    found[..., HIGH] = np.where(asks, ends[1], 37)
    found[..., CALL] = rng.choice(calls, shape[:2])
    if calls == RESPONSES:
        found[..., HEARD] = rng.choice(OPENINGS, shape[:2])  # a pass stands for any opening
    return found


def _next(
    population: tuple[Rules, Rules], fitness: NDArray[np.float64], settings: GeneticSettings, rng: np.random.Generator
) -> tuple[Rules, Rules]:
    """Children of winners of tournaments of three, rules crossed at one rank, mutated; the best pair lives on."""
    count = len(fitness)
    rivals = rng.integers(0, count, (2, count, 3))
    mothers, fathers = (who[np.arange(count), fitness[who].argmax(axis=1)] for who in rivals)
    mothers[0] = fathers[0] = fitness.argmax()
    children = []
    for rules, calls in zip(population, (OPENINGS, RESPONSES), strict=True):
        cut = rng.integers(0, rules.shape[1] + 1, (count, 1, 1))
        ranks = np.arange(rules.shape[1])[None, :, None]
        crossed = np.where(ranks < cut, rules[mothers], rules[fathers])
        children.append(_mutated(crossed, calls, settings.mutation, rng))
    return children[0], children[1]


def _mutated(rules: Rules, calls: tuple[int, ...], chance: float, rng: np.random.Generator) -> Rules:
    """Rules replaced, limits moved by a step or two, calls changed, ranks exchanged; the first individual is spared."""
    fresh = _any_rules(rng, rules.shape[0], rules.shape[1], calls)
    replaced = rng.random(rules.shape[:2]) < chance
    moved = rules.copy()
    steps = np.where(rng.random((*rules.shape[:2], 10)) < chance, rng.integers(-2, 3, (*rules.shape[:2], 10)), 0)
    moved[..., :10] = (moved[..., :10] + steps).clip(0, 37)
    called = rng.random(rules.shape[:2]) < chance
    moved[..., CALL] = np.where(called, fresh[..., CALL], moved[..., CALL])
    done = np.where(replaced[..., None], fresh, moved)
    swap = rng.random(len(rules)) < 10 * chance
    one, other = rng.integers(0, rules.shape[1], (2, len(rules)))
    rows = np.flatnonzero(swap)
    done[rows, one[rows]], done[rows, other[rows]] = done[rows, other[rows]].copy(), done[rows, one[rows]].copy()
    done[0] = rules[0]
    return done


def rule_words(system: System) -> Iterator[str]:
    """The rules in words, ranked."""
    for title, rules in zip(("Openings", "Responses"), system, strict=True):
        yield f"{title}, the first rule that takes the hand:"
        for rule in rules.tolist():
            limits = [
                f"{low}+ {name}" if high >= most else f"{low}-{high} {name}"
                for name, low, high, most in zip(NAMES, rule[LOW], rule[HIGH], (13, 13, 13, 13, 37), strict=True)
                if low > 0 or high < most
            ]
            heard = f"after {ALL_CALLS[rule[HEARD]]}: " if rule[HEARD] != ANY else ""
            yield f"  {heard}{ALL_CALLS[rule[CALL]]}  {', '.join(limits) or 'any hand'}"
