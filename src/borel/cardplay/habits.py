"""The cards that hidden hands played, read by habit: how likely good players choose them from each holding.

Nobody plays an honour under a higher card while he holds a lower one, or wins dearly what can be won cheaply; the last
to play mostly wins if he can, honours are kept guarded, and losers are thrown from length. How much each of these
counts was fitted to the cards that experts played (benchmarks/fit_habits.py).
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp

import numpy as np
from numpy.typing import NDArray

from borel.cardplay.card_notes import Notes, discarding, following, leading
from borel.cardplay.habit_weights import WEIGHTS
from borel.cardplay.hidden import HiddenHands, hidden_seats
from borel.cardplay.moments import Moment, moments
from borel.cards import DECK, SUIT_MASK, Card, Suit
from borel.play import Play
from borel.view import PlayView

__all__ = ["kind_and_notes", "log_chance", "read_habits"]

Weights = dict[str, dict[str, float]]


def read_habits(view: PlayView, play: Play, hidden: HiddenHands, weights: Weights = WEIGHTS) -> NDArray[np.float64]:
    """[n]: how likely the hidden hands' cards after the opening lead are in each layout, by habit."""
    if view.dummy is None:
        return np.ones(len(hidden))
    total, gone = np.zeros(len(hidden)), [0]
    for card in play.cards:
        gone.append(gone[-1] | card.mask)
    for i, moment in moments(view.contract, view.auction, play.cards, view.dummy, hidden_seats(view)):
        hands = hidden.hands[:, moment.seat] & np.uint64(DECK & ~gone[i])
        total += log_chance(moment, play.cards[i], hands, weights)
    return np.asarray(np.exp(total))


def kind_and_notes(moment: Moment, *, follows: bool) -> tuple[str, Callable[[Moment, Suit, int], Notes]]:
    """Which weights count at a moment, and what is looked at."""
    return moment.kind(follows=follows), leading if not moment.trick else following if follows else discarding


def log_chance(
    moment: Moment, card: Card, hands: NDArray[np.uint64], weights: Weights = WEIGHTS
) -> NDArray[np.float64]:
    """[n]: the logarithm of the chance that each of these hands plays the card."""
    follows = card.suit is moment.suit
    kind, notes = kind_and_notes(moment, follows=follows)
    mine, every = np.zeros(len(hands)), np.zeros(len(hands))
    for suit in (card.suit,) if follows else Suit:
        holdings, places = np.unique(hands >> np.uint64(13 * suit) & np.uint64(SUIT_MASK), return_inverse=True)
        sums = np.empty((len(holdings), 2))
        for j, held in enumerate(holdings.tolist()):
            scores = {
                rank: sum(value * weights[kind].get(name, 0.0) for name, value in told.items())
                for rank, told in notes(moment, suit, held).items()
            }
            sums[j] = scores.get(card.rank, 0.0), sum(map(exp, scores.values()))
        every += sums[places, 1]
        if suit is card.suit:
            mine = sums[places, 0]
    return np.asarray(mine - np.log(every))
