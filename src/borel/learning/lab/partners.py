"""Partners who learn to talk, many pairs, each with its own chances; the learning is in the core.

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

from borel._core import TalkLearning, talk
from borel.learning.lab.talking import Table, TalkingGame

__all__ = ["Curve", "QSettings", "learn_by_q"]

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class QSettings:
    """The thesis's settings (10.3) unless told otherwise; it does not say with what values its learners begin."""

    cycles: int = 1_000_000
    rate: float = 0.001
    explore: float = 0.02
    fall: float = 1.0
    joint: bool = False
    rho: float = 0.5
    begun: tuple[float, float] = (0.0, 0.01)  # values are random between these at first; above 1 they are optimistic
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
    """Let pairs learn by talking, one after another."""
    how = TalkLearning()
    how.rate, how.explore, how.fall = settings.rate, settings.explore, settings.fall
    how.low, how.high = settings.begun
    how.joint, how.rho = settings.joint, settings.rho
    how.warm, how.cold = settings.temperatures or (0.0, 0.0)
    paid, allowed = game.paid.astype(np.float32), game.allowed.astype(np.uint8)
    says, answers = [], []
    for pair in range(pairs):
        said, answered = talk(paid, allowed, settings.cycles, points, how, seed, pair)
        says.append(said)
        answers.append(answered)
        if progress is not None:
            progress(settings.cycles * (pair + 1) // pairs)
    spoken, replied = np.stack(says, axis=1).astype(np.int64), np.stack(answers, axis=1).astype(np.int64)
    cycles = [(point + 1) * settings.cycles // points for point in range(points)]
    worth = [game.worth(spoken[point], replied[point]) for point in range(points)]
    return Curve(cycles, worth, spoken[-1], replied[-1])
