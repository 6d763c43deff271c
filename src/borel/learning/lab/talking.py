"""Talker and Thinker: the smallest games in which two partners must find a language (Prorok 2003, chapter 10).

The Talker sees a number and says a word; the Thinker sees another number, hears the word and answers. Both are paid one
if the answer is right and nothing if not. In the Sum-game the answer is the sum, and like a bid it must be higher than
the word, by a few steps at most: then only one language is perfect.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from borel.errors import BridgeError

__all__ = ["GAMES", "TalkingGame", "game_named"]

Table = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TalkingGame:
    """``paid`` [talker's number, word, thinker's number, answer] is 0 or 1; ``allowed`` [word, answer] is the Law."""

    name: str
    paid: NDArray[np.float64]
    allowed: NDArray[np.bool_]

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """How many talker's numbers, words, thinker's numbers and answers there are."""
        first, words, second, answers = self.paid.shape
        return first, words, second, answers

    @property
    def best(self) -> float:
        """No language is right more often: after a word an answer is right for one of the Talker's numbers at most.

        (In Listening and Thinking it is right for all, but there are as many words as numbers.)
        """
        first, words, _, _ = self.sizes
        return min(1.0, words / first)

    def worth(self, says: Table, answers: Table) -> NDArray[np.float64]:
        """[n]: the exact mean payment of n pairs; ``says`` [n, numbers], ``answers`` [n, thinker's numbers, words]."""
        first, _, second, _ = self.sizes
        numbers, others = np.arange(first)[None, :, None], np.arange(second)[None, None, :]
        words = says[:, :, None]
        replies = answers[np.arange(len(says))[:, None, None], others, words]
        return np.asarray(self.paid[numbers, words, others, replies].mean(axis=(1, 2)))


def sum_game(numbers: int = 5, words: int = 5, steps: int = 5) -> TalkingGame:
    """Say the sum of both numbers; the answer is one to ``steps`` higher than the word.

    >>> game = sum_game()
    >>> numbers = np.arange(5)
    >>> float(game.worth(numbers[None], (numbers[:, None] + numbers[None, :] + 1)[None])[0])  # says its own number
    1.0
    """
    answers = max(2 * numbers, words + steps)
    word, answer = np.arange(1, words + 1)[:, None], np.arange(1, answers + 1)[None, :]
    allowed = (answer > word) & (answer <= word + steps)
    paid = np.zeros((numbers, words, numbers, answers))
    for one, other in product(range(numbers), range(numbers)):
        paid[one, :, other, one + other + 1] = 1.0
    return TalkingGame("sum", paid * allowed[None, :, None, :], allowed)


def listening(numbers: int = 5) -> TalkingGame:
    """The Thinker is to repeat the word."""
    paid = np.zeros((numbers,) * 4)
    for word in range(numbers):
        paid[:, word, :, word] = 1.0
    return TalkingGame("listening", paid, np.ones((numbers, numbers), bool))


def thinking(numbers: int = 5) -> TalkingGame:
    """The Thinker is to say its own number, whatever it hears."""
    paid = np.zeros((numbers,) * 4)
    for other in range(numbers):
        paid[:, :, other, other] = 1.0
    return TalkingGame("thinking", paid, np.ones((numbers, numbers), bool))


def combining(numbers: int = 5, seed: int = 1) -> TalkingGame:
    """The answer is a scrambled function of the sum: nothing is got by trying higher and higher bids."""
    answers = 2 * numbers - 1
    scrambled = np.random.default_rng(seed).permutation(answers)
    paid = np.zeros((numbers, numbers, numbers, answers))
    for one, other in product(range(numbers), range(numbers)):
        paid[one, :, other, scrambled[one + other]] = 1.0
    return TalkingGame("combining", paid, np.ones((numbers, answers), bool))


GAMES = {"sum": sum_game, "listening": listening, "thinking": thinking, "combining": combining}


def game_named(name: str, numbers: int = 5) -> TalkingGame:
    """One of the four games, played with numbers from 1 to ``numbers``; the Sum-game keeps its five words."""
    if name not in GAMES:
        raise BridgeError(f"no game {name[:40]!r}: the games are {', '.join(GAMES)}")
    return sum_game(numbers, 5, 2 * numbers - 1) if name == "sum" and numbers != 5 else GAMES[name](numbers)
