"""What tricks are worth: from double-dummy values of every card to the score that a player cares about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel import dd
from borel.cardplay.hidden import HiddenHands
from borel.cards import Card
from borel.play import Play
from borel.scoring import Scoring, imps, score
from borel.view import PlayView

__all__ = ["CardWorth", "card_worths"]


@dataclass(frozen=True, slots=True)
class CardWorth:
    """One legal card over all layouts, every later card being guessed right."""

    card: Card
    gain: float  # in the form of scoring, against the mean of all cards
    success: float  # how often the contract is made (for a defender: beaten)
    tricks: float  # that the player's side still takes, on average


def card_worths(view: PlayView, play: Play, hidden: HiddenHands, *, threads: int = 0) -> dict[Card, CardWorth]:
    """Every legal card with its mean worth; the best comes first, of equals the lowest."""
    trick = play.trick
    positions = dd.Positions.of_layouts(hidden.held, play.strain, trick.leader, trick.cards)
    values = dd.card_values(positions, threads=threads)
    legal = play.legal_cards()
    declaring = play.turn.side is view.contract.side
    won = play.tricks_won(view.contract.side)
    left = 13 - won - play.tricks_won(view.contract.side.other)
    declarers = {
        card: won + (taken if declaring else left - taken) for card in legal for taken in [values[:, card.index]]
    }
    worth = _worth_of_tricks(view)
    points = {card: worth[tricks] for card, tricks in declarers.items()}
    datum = float(np.mean([hidden.weights @ p for p in points.values()]))
    sign = 1 if declaring else -1
    worths = []
    for card in legal:
        made = declarers[card] >= view.contract.tricks_needed
        worths.append(
            CardWorth(
                card,
                sign * _gain(view.scoring, points[card], hidden.weights, datum),
                hidden.chance(made if declaring else ~made),
                float(hidden.weights @ values[:, card.index]),
            )
        )
    worths.sort(key=lambda w: (-round(w.gain, 6), w.card.rank, w.card.suit))
    return {w.card: w for w in worths}


def _worth_of_tricks(view: PlayView) -> NDArray[np.float64]:
    """Declarer's points for 0 to 13 tricks."""
    vulnerable = view.vulnerability.includes(view.contract.side)
    return np.array([score(view.contract, tricks, vulnerable=vulnerable) for tricks in range(14)], float)


def _gain(scoring: Scoring, points: NDArray[np.float64], weights: NDArray[np.float64], datum: float) -> float:
    """The mean gain over the datum: in IMPs, or in points where every point counts."""
    if scoring is Scoring.IMPS:
        return float(weights @ np.array([imps(p - datum) for p in points], float))
    return float(weights @ points) - datum
