"""Partners who learn to talk, many pairs at once: each row of the tables is another seed.

Independent learners know their own number, what they heard or said, and what they were paid (Definition 19 to 21 of
Prorok 2003). ``fall`` is the learning rate for disappointments as a share of the ordinary one: 1 is plain Q-learning;
less is hysteretic learning (Matignon, Laurent and Le Fort-Piat 2007), which does not blame a good word for a partner
who has not learnt it yet; 0 is optimism. Joint-action learners watch what partner answers and weigh what could be had
against what is usual: Comb = ρ max Q + (1 - ρ) EV (Eq. 6). Annealed learners choose by Boltzmann's chances and cool
down slowly: while all is warm a word is worth what it leaves open, and the language freezes where it can grow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel.learning.lab.talking import Table, TalkingGame

__all__ = ["Curve", "QSettings", "choose", "learn", "learn_by_q"]

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class QSettings:
    """The thesis's settings (10.3) unless told otherwise."""

    cycles: int = 1_000_000
    rate: float = 0.001
    explore: float = 0.02
    fall: float = 1.0
    joint: bool = False
    rho: float = 0.5
    temperatures: tuple[float, float] | None = None  # from, to: Boltzmann's chances instead of a share at random


@dataclass(frozen=True, slots=True)
class Curve:
    """After so many cycles, the exact worth of every pair's language; and the languages at the end."""

    cycles: list[int]
    worth: list[Values]
    says: Table
    answers: Table


def learn_by_q(
    game: TalkingGame,
    settings: QSettings,
    *,
    pairs: int = 100,
    seed: int = 1,
    points: int = 50,
    progress: Callable[[int], None] | None = None,
) -> Curve:
    """Let pairs learn by talking; all at once, each with its own chance."""
    learners = _Pairs(game, settings, pairs, seed)
    cycles, worth = [], []
    for point in range(points):
        for cycle in range(point * settings.cycles // points, (point + 1) * settings.cycles // points):
            learners.talk(cycle / settings.cycles)
        cycles.append((point + 1) * settings.cycles // points)
        worth.append(game.worth(*learners.languages()))
        if progress is not None:
            progress(cycles[-1])
    return Curve(cycles, worth, *learners.languages())


def choose(
    values: Values, barred: Values, settings: QSettings, share: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """[n]: mostly the best action that is allowed, by ε or by temperature; ``share`` of the time is over."""
    if settings.temperatures is not None:
        start, end = settings.temperatures
        warmth = start * (end / start) ** share
        noise = -np.log(rng.exponential(size=values.shape))  # Gumbel's: argmax draws by Boltzmann's chances
        return np.asarray((values / warmth + barred + noise).argmax(axis=1))
    chance = (rng.random(values.shape) + barred).argmax(axis=1)
    curious = rng.random(len(values)) < settings.explore
    return np.asarray(np.where(curious, chance, (values + barred).argmax(axis=1)))


def learn(values: Values, at: tuple[NDArray[np.int64], ...], paid: Values, settings: QSettings) -> None:
    """Move the values at some places towards what was paid."""
    surprise = paid - values[at]
    values[at] += settings.rate * np.where(surprise < 0, settings.fall, 1.0) * surprise


class _Pairs:
    def __init__(self, game: TalkingGame, settings: QSettings, pairs: int, seed: int) -> None:
        self.game, self.settings, self.rng = game, settings, np.random.default_rng(seed)
        first, words, second, answers = game.sizes
        self.rows = np.arange(pairs)
        self.barred = np.where(game.allowed, 0.0, -1e9)
        shape = (pairs, first, words, answers) if settings.joint else (pairs, first, words)
        self.talker: Values = self.rng.random(shape) * 0.01
        self.thinker: Values = self.rng.random((pairs, second, words, answers)) * 0.01
        self.heard: Values = np.where(game.allowed, 1.0, 0.0)[None].repeat(pairs, axis=0)  # counts of answers to words

    def word_values(self, number: NDArray[np.int64]) -> Values:
        """[pairs, words]: what each Talker thinks of each word."""
        if not self.settings.joint:
            return np.asarray(self.talker[self.rows, number])
        values = np.where(self.game.allowed, self.talker[self.rows, number], 0.0)
        usual = (values * self.heard).sum(axis=2) / self.heard.sum(axis=2)
        return np.asarray(self.settings.rho * values.max(axis=2) + (1 - self.settings.rho) * usual)

    def talk(self, share: float) -> None:
        """One conversation of every pair, and what they learn from it."""
        first, words, second, _ = self.game.sizes
        pairs = len(self.rows)
        one, other = self.rng.integers(0, first, pairs), self.rng.integers(0, second, pairs)
        word = choose(self.word_values(one), np.zeros((pairs, words)), self.settings, share, self.rng)
        answer = choose(self.thinker[self.rows, other, word], self.barred[word], self.settings, share, self.rng)
        paid = self.game.paid[one, word, other, answer]
        said = (self.rows, one, word, answer) if self.settings.joint else (self.rows, one, word)
        learn(self.talker, said, paid, self.settings)
        learn(self.thinker, (self.rows, other, word, answer), paid, self.settings)
        if self.settings.joint:
            self.heard[self.rows, word, answer] += 1

    def languages(self) -> tuple[Table, Table]:
        """What each Talker says of each number, and each Thinker answers to each word."""
        first, _, _, _ = self.game.sizes
        says = np.stack(
            [self.word_values(np.full(len(self.rows), number)).argmax(axis=1) for number in range(first)], axis=1
        )
        return says, (self.thinker + self.barred[None, None]).argmax(axis=3)
