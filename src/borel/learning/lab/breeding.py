"""Languages bred instead of learnt: the genetic algorithm of Prorok 2003, 10.3, with its settings.

An individual is a pair: what its Talker says of each number and what its Thinker answers to each word; the breeding is
in the core. Fitness is the number of successful talks out of 2,000, drawn from the pair's exact chance of success;
parents are chosen by roulette.
It is not a fair rival of learners who know only themselves: a pair is bred as one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from borel import _core
from borel._core import Breeding
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


def breed(game: TalkingGame, settings: BreedingSettings, *, seed: int = 1, stream: int = 0) -> Bred:
    """Breed one population until a perfect language appears."""
    how = Breeding()
    how.population, how.talks = settings.population, settings.talks
    how.generations, how.mutation = settings.generations, settings.mutation
    best, genes = _core.breed(game.paid.astype(np.float32), game.allowed.astype(np.uint8), how, seed, stream)
    first, words, second, _ = game.sizes
    language = genes.astype(np.int64)
    return Bred(best, language[None, :first], language[None, first:].reshape(1, second, words))
