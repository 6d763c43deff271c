"""The Sum-game nearer to bridge (Prorok 2003, 10.1): more numbers than words, and a third bid.

With numbers 1..10 and five words the Talker must use a word twice, and the Thinker can only guess. A rebid mends it:
the Talker hears an answer that can tell the other's number, and has the last word. Bids rise, or are passed at the end.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from borel.learning.lab.partners import QSettings

__all__ = ["learn_to_rebid"]

WORDS = 5

Values = NDArray[np.float64]


def learn_to_rebid(
    settings: QSettings,
    *,
    numbers: int = 10,
    pairs: int = 100,
    seed: int = 1,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.float64]:
    """[pairs]: the share of sums that each pair gets right when it has learnt: word, answer, last word."""
    pupils = _Rebidders(numbers, pairs, settings, np.random.default_rng(seed))
    for cycle in range(settings.cycles):
        pupils.talk(cycle / settings.cycles)
        if progress is not None and cycle % 1000 == 999:
            progress(cycle + 1)
    return pupils.worth()


class _Rebidders:
    def __init__(self, numbers: int, pairs: int, settings: QSettings, rng: np.random.Generator) -> None:
        self.settings, self.rng, self.numbers, self.rows = settings, rng, numbers, np.arange(pairs)
        self.bids = (
            WORDS + numbers + 1 + numbers
        )  # the answer is up to `numbers` above a word, the last word above that
        answers = np.arange(self.bids)
        self.barred_answers = np.where(
            (answers > np.arange(WORDS)[:, None]) & (answers <= np.arange(WORDS)[:, None] + numbers), 0.0, -1e9
        )
        self.barred_last = np.where((answers >= answers[:, None]) & (answers <= answers[:, None] + numbers), 0.0, -1e9)
        self.opening = rng.random((pairs, numbers, WORDS)) * 0.01
        self.answer = rng.random((pairs, numbers, WORDS, self.bids)) * 0.01
        self.last = rng.random((pairs, numbers, self.bids, self.bids)) * 0.01

    def talk(self, share: float) -> None:
        """One deal of every pair; bid number b stands for the sum b + 1."""
        settings, rng, rows = self.settings, self.rng, self.rows
        one, other = rng.integers(0, self.numbers, (2, len(rows)))
        word = choose(self.opening[rows, one], np.zeros((len(rows), WORDS)), settings, share, rng)
        answer = choose(self.answer[rows, other, word], self.barred_answers[word], settings, share, rng)
        last = choose(self.last[rows, one, answer], self.barred_last[answer], settings, share, rng)
        paid = (last == one + other + 1).astype(np.float64)
        learn(self.opening, (rows, one, word), paid, settings)
        learn(self.answer, (rows, other, word, answer), paid, settings)
        learn(self.last, (rows, one, answer, last), paid, settings)

    def worth(self) -> NDArray[np.float64]:
        """[pairs]: exact, without exploring."""
        right = np.zeros(len(self.rows))
        for one in range(self.numbers):
            word = self.opening[:, one].argmax(axis=1)
            for other in range(self.numbers):
                answer = (self.answer[self.rows, other, word] + self.barred_answers[word]).argmax(axis=1)
                last = (self.last[self.rows, one, answer] + self.barred_last[answer]).argmax(axis=1)
                right += last == one + other + 1
        return right / self.numbers**2


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
