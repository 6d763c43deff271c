"""Reading the cards played: a card that would have been a mistake in a layout makes that layout less likely.

Ginsberg 2001, section 3: if it is usually wrong for West not to play his king, and he did not play it, then he probably
has not got it. The double-dummy values before and after each card say in which layouts it was wrong.
"""

from __future__ import annotations

from random import Random

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
    view: PlayView,
    play: Play,
    hidden: HiddenHands,
    layouts: int,
    clock: Clock,
    *,
    rng: Random,
    share: float = 0.4,
    mistake: float = MISTAKE,
) -> HiddenHands:
    """About so many of the layouts, weighted by the cards that hidden hands chose to play.

    The latest trick comes first, being the quickest to solve, and is read in more layouts than are wanted: those in
    which it was a mistake are dropped by lot, so that the others still count when earlier tricks have been read too.
    """
    for first in reversed(range(0, len(play.cards), 4)):
        left = 13 - first // 4
        if left > MOST_CARDS_LEFT or clock.is_over(share):
            break
        hidden = hidden.trimmed(layouts * _plenty(left), rng)
        factors = _trick_factors(view, play, hidden, first, clock.part(share), mistake)
        if factors is None:
            break
        hidden = hidden.weighted(factors)
    return hidden.trimmed(layouts, rng)


def _plenty(left: int) -> int:
    """How many times the layouts wanted are read where so many cards a hand are left: late tricks cost little."""
    return 3 if left <= 7 else 2 if left <= 9 else 1


def _trick_factors(
    view: PlayView, play: Play, hidden: HiddenHands, first: int, clock: Clock, mistake: float
) -> NDArray[np.float64] | None:
    """[n]: how likely each layout makes the hidden hands' cards to one trick; None: there was no time."""
    last = min(first + 4, len(play.cards))
    costs = costs_of_cards(view, play, hidden.hands, first, last, clock)
    if costs is None:
        return None
    players, seats = played_by(view.contract, play.cards), set(hidden_seats(view))
    read = [i - first for i in range(first, last) if players[i] in seats]
    return np.asarray(mistake ** costs[:, read].sum(axis=1), np.float64)


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
