"""Reading the cards played: a card that would have been a mistake in a layout makes that layout less likely.

Ginsberg 2001, section 3: if it is usually wrong for West not to play his king, and he did not play it, then he probably
has not got it. The double-dummy values before and after each card say in which layouts it was wrong.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borel.cardplay.clock import Clock
from borel.cardplay.hidden import HiddenHands, hidden_seats
from borel.cardplay.solving import declarer_tricks
from borel.cards import DECK
from borel.play import Play
from borel.view import PlayView, played_by

__all__ = ["MISTAKE", "costs_of_cards", "read_play"]

# How much less likely a card is where it throws a trick away: 799 cards of WBridge5 as defender from trick 4 say 0.08
# (95%: 0.05 to 0.12; benchmarks/fit_card_reading.py). The careful end, for people err more than programs.
MISTAKE = 0.12
MOST_CARDS_LEFT = 11  # tricks are read from this many cards a hand on: earlier ones take long to solve and say little


def read_play(
    view: PlayView, play: Play, hidden: HiddenHands, clock: Clock, *, share: float = 0.4
) -> NDArray[np.float64]:
    """[n]: what each layout's weight is to be multiplied by, for the cards that hidden hands chose to play."""
    factors = np.ones(len(hidden))
    players, seats = played_by(view.contract, play.cards), set(hidden_seats(view))
    started = list(range(0, len(play.cards), 4))
    for first in reversed(started):  # the latest trick is the quickest to solve
        if 13 - first // 4 > MOST_CARDS_LEFT:
            break
        last = min(first + 4, len(play.cards))
        costs = costs_of_cards(view, play, hidden.hands, first, last, clock.part(share))
        if costs is None:
            break
        for i in range(first, last):
            if players[i] in seats:
                factors *= MISTAKE ** costs[:, i - first]
        if clock.is_over(share):
            break
    return factors


def costs_of_cards(
    view: PlayView, play: Play, hands: NDArray[np.uint64], first: int, last: int, clock: Clock
) -> NDArray[np.int64] | None:
    """[n, last - first]: tricks that each of these cards gave away in each layout; None: there was no time."""
    values = np.empty((len(hands), last - first + 1), np.int64)
    for k in range(first, last + 1):
        before = Play(play.deal, play.contract, play.cards[:k])
        held = np.ascontiguousarray(hands & np.uint64(DECK & ~sum(card.mask for card in play.cards[:k])))
        values[:, k - first], done = declarer_tricks(before, held, clock, threads=1)
        if done < len(hands):
            return None
    players = played_by(view.contract, play.cards)
    signs = np.array([1 if players[i].side is view.contract.side else -1 for i in range(first, last)])
    return np.asarray(np.maximum((values[:, :-1] - values[:, 1:]) * signs, 0), np.int64)
