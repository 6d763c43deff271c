"""Passes that stop below game although the passing hand and what partner has promised have the strength for it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borel.systems.facts import FACTS
from borel.systems.hand import HCP, LENGTHS
from borel.systems.position import Position

__all__ = ["GAME", "GAME_WITH_FIT", "stops_below_game", "too_strong_to_pass"]

GAME = 26  # high-card points between two hands that no pass below game may hold
GAME_WITH_FIT = 25  # the same with eight trumps in a major
FIT = 8


def stops_below_game(position: Position) -> bool:
    """Whether a pass leaves partner in a contract below game while the opponents are silent."""
    scene = position.scene
    return all(FACTS[fact](scene) for fact in ("partner-contract", "below-game", "uncontested"))


def too_strong_to_pass(position: Position, hands: NDArray[np.float32]) -> NDArray[np.bool_]:
    """[n]: which of [n, features] hands hold the strength for game, counting only what partner has promised."""
    promised = position.typical((position.context.turn + 2) % 4)
    strength = hands[:, HCP] + promised.low[HCP]
    fit = np.zeros(len(hands), dtype=np.bool_)
    for suit in (2, 3):  # hearts and spades
        fit |= hands[:, LENGTHS[suit]] + promised.low[LENGTHS[suit]] >= FIT
    return np.asarray((strength >= GAME) | (fit & (strength >= GAME_WITH_FIT)))
