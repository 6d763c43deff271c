"""The first tricks, read by habit: too many cards are left to ask double dummy which of them were mistakes.

Nobody plays an honour under a higher card while he holds a lower one, or wins dearly what can be won cheaply; and the
last two to play to a trick mostly win it if they can. Layouts in which a hidden hand did otherwise are less likely.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borel.cardplay.hidden import HiddenHands, hidden_seats
from borel.cardplay.signals import by_value
from borel.cards import DECK, SUIT_MASK, Card, Rank, Seat
from borel.play import Play, trick_winner
from borel.view import PlayView, played_by

__all__ = ["read_habits"]

TRICKS = 2  # the others are read double dummy (reading.py)
# How much less likely a card is where it breaks the habit, from where the unseen cards were in a defender's positions
# of the experts' and WBridge5's records (benchmarks/fit_belief.py --habits).
WASTED = 0.1  # an honour under a higher card
DEAR = 0.2  # a trick won with a higher card than it took
DECLINED = 0.3  # a trick not won by the third or the last to play


def read_habits(view: PlayView, play: Play, hidden: HiddenHands) -> NDArray[np.float64]:
    """[n]: how likely the hidden hands' cards to the first tricks are in each layout, by habit."""
    factors = np.ones(len(hidden))
    players, seats, gone = played_by(view.contract, play.cards), hidden_seats(view), 0
    for i, (seat, card) in enumerate(zip(players, play.cards[: 4 * TRICKS], strict=False)):
        trick = play.cards[i - i % 4 : i]
        if trick and seat in seats and card.suit is trick[0].suit:
            factors *= _factors(play, trick, seat, card, hidden.hands[:, seat] & np.uint64(DECK & ~gone), gone)
        gone |= card.mask
    return factors


def _factors(
    play: Play, trick: tuple[Card, ...], seat: Seat, card: Card, hands: NDArray[np.uint64], gone: int
) -> NDArray[np.float64]:
    """[n]: how likely a card that follows suit is from each of these hands."""
    suit = card.suit
    turn, first = len(trick), trick_winner(trick, play.strain)
    to_beat = trick[first].rank if trick[first].suit is suit else Rank.ACE  # a ruff is not beaten by following suit
    partner_wins = (turn - first) % 2 == 0
    defending = seat.side is not play.contract.side
    dead = gone >> 13 * suit & SUIT_MASK

    def chance(held: int) -> float:
        touching = held & _touching(held | dead, card.rank)
        lower = held & (1 << card.rank) - 1 & ~touching
        winners = SUIT_MASK & -1 << to_beat + 1
        if card.rank <= to_beat:
            declined = turn > 1 and not partner_wins and held & winners
            return (DECLINED if declined else 1.0) * (WASTED if card.rank >= Rank.JACK and lower else 1.0)
        lowest = turn == 2 and defending and card.rank >= Rank.TEN  # third hand plays the lowest of equals
        cheaper = touching if lowest else lower if turn == 3 and not partner_wins else 0
        return DEAR if cheaper & winners else 1.0

    return by_value(hands >> np.uint64(13 * suit) & np.uint64(SUIT_MASK), chance)


def _touching(filled: int, rank: int) -> int:
    """The ranks below a card with nothing missing between."""
    found = 0
    while rank > 0 and filled >> (rank - 1) & 1:
        rank -= 1
        found |= 1 << rank
    return found
