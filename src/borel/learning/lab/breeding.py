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
    first, words, second, _ = game.sizes
    everything = np.tile(np.arange(first + second * words), (settings.population, 1))
    genes = _alleles(game, everything, rng)
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


def _choices(game: TalkingGame) -> tuple[Table, Table]:
    """[genes, most] the alleles of each gene and [genes] how many: words, then the answers allowed to each word."""
    first, words, second, answers = game.sizes
    lists = [list(range(words))] * first
    lists += [np.flatnonzero(game.allowed[word]).tolist() for word in range(words)] * second
    most = max(words, answers)
    return np.array([one + [0] * (most - len(one)) for one in lists]), np.array([len(one) for one in lists])


def _alleles(game: TalkingGame, genes: Table, rng: np.random.Generator) -> Table:
    """A random allele of each of some genes, given by number."""
    choices, counts = _choices(game)
    return np.asarray(choices[genes, (rng.random(genes.shape) * counts[genes]).astype(np.int64)])


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
    who, gene = np.nonzero(rng.random(genes.shape) < settings.mutation)
    children[who, gene] = _alleles(game, gene, rng)
    return np.asarray(children)
