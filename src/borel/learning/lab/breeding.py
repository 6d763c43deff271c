"""Languages bred instead of learnt: the genetic algorithm of Prorok 2003, 10.3, with its settings.

An individual is a pair: what its Talker says of each number and what its Thinker answers to each word. Fitness is the
number of successful talks out of 2,000, drawn from the pair's exact chance of success; parents are chosen by roulette.
It is not a fair rival of learners who know only themselves: a pair is bred as one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel.learning.lab.talking import Table, TalkingGame

__all__ = ["Bred", "BreedingSettings", "breed"]


@dataclass(frozen=True, slots=True)
class BreedingSettings:
    """Population, talks an individual and generation, mutations a gene, generations at most."""

    population: int = 1000
    talks: int = 2000
    mutation: float = 0.001
    generations: int = 1000


@dataclass(frozen=True, slots=True)
class Bred:
    """The best language's worth by generation, and the language."""

    best: list[float]
    says: Table
    answers: Table


def breed(
    game: TalkingGame, settings: BreedingSettings, *, seed: int = 1, progress: Callable[[int], None] | None = None
) -> Bred:
    """Breed one population until a perfect language appears."""
    rng = np.random.default_rng(seed)
    genes = _alleles(game, settings.population, rng)
    best: list[float] = []
    champion = genes[0]
    for generation in range(settings.generations):
        worth = game.worth(*_read(game, genes))
        if not best or worth.max() > best[-1]:
            champion = genes[worth.argmax()].copy()
        best.append(max(float(worth.max()), best[-1] if best else 0.0))
        if progress is not None:
            progress(generation + 1)
        if best[-1] == 1.0:
            break
        genes = _next(game, genes, rng.binomial(settings.talks, worth), settings, rng)
    says, answers = _read(game, champion[None])
    return Bred(best, says, answers)


def _alleles(game: TalkingGame, count: int, rng: np.random.Generator) -> Table:
    """Random genes: a word for each number, then for each thinker's number and word an answer that is allowed."""
    first, words, second, answers = game.sizes
    says = rng.integers(0, words, (count, first))
    allowed = np.where(game.allowed, 0.0, -1.0)
    heard = np.tile(np.arange(words), second)
    replies = (rng.random((count, second * words, answers)) + allowed[heard][None]).argmax(axis=2)
    return np.concatenate([says, replies], axis=1)


def _read(game: TalkingGame, genes: Table) -> tuple[Table, Table]:
    first, words, second, _ = game.sizes
    return genes[:, :first], genes[:, first:].reshape(-1, second, words)


def _next(
    game: TalkingGame,
    genes: Table,
    fitness: NDArray[np.int64],
    settings: BreedingSettings,
    rng: np.random.Generator,
) -> Table:
    """Children of parents chosen by roulette, crossed at one point and mutated."""
    chances = (fitness + 1) / (fitness + 1).sum()
    mothers, fathers = rng.choice(len(genes), (2, len(genes)), p=chances)
    cut = rng.integers(0, genes.shape[1] + 1, (len(genes), 1))
    children = np.where(np.arange(genes.shape[1]) < cut, genes[mothers], genes[fathers])
    mutated = rng.random(genes.shape) < settings.mutation
    return np.where(mutated, _alleles(game, len(genes), rng), children)
