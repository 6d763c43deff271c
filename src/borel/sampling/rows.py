"""The features that rules speak of, for many hands at once: the same numbers as `borel.systems.hand.features_of`."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from borel.systems.hand import FEATURES, SUIT_FEATURES, _shape_row, suit_table

__all__ = ["feature_rows"]

_WIDTH = len(SUIT_FEATURES)
_COLUMN = {name: i for i, name in enumerate(SUIT_FEATURES)}
_SHAPE_NUMBERS = 10


@cache
def _shapes() -> NDArray[np.float32]:
    """[14³, numbers]: what depends on lengths alone, by (clubs, diamonds, hearts); impossible lengths stay zero."""
    table = np.zeros((14 * 14 * 14, _SHAPE_NUMBERS + 12), dtype=np.float32)
    for c in range(14):
        for d in range(14 - c):
            for h in range(14 - c - d):
                row, support = _shape_row((c, d, h, 13 - c - d - h))
                table[(c * 14 + d) * 14 + h] = [*row, *(number for suit in support for number in suit)]
    return table


def feature_rows(hands: NDArray[np.uint64]) -> NDArray[np.float32]:
    """[n, features]: the feature vectors of full hands."""
    table, n = suit_table(), len(hands)
    result = np.empty((n, len(FEATURES)), dtype=np.float32)
    holdings = (hands[:, None] >> np.arange(0, 52, 13, dtype=np.uint64)) & np.uint64(8191)
    suits = table[holdings.astype(np.intp)]  # [n, 4, width]
    result[:, : 4 * _WIDTH] = suits.reshape(n, 4 * _WIDTH)
    lengths = suits[:, :, 0].astype(np.intp)
    shape = _shapes()[(lengths[:, 0] * 14 + lengths[:, 1]) * 14 + lengths[:, 2]]
    totals = suits.sum(axis=1)  # [n, width]
    hand = _hand_numbers(suits, totals, shape)
    at = 4 * _WIDTH
    result[:, at : at + hand.shape[1]] = hand
    at += hand.shape[1]
    hcp, aces, losers = (totals[:, _COLUMN[name]] for name in ("hcp", "ace", "losers"))
    for suit in range(4):
        short, long, singles = (shape[:, _SHAPE_NUMBERS + 3 * suit + i] for i in range(3))
        keycards = aces + suits[:, suit, _COLUMN["king"]]
        result[:, at : at + 5] = np.stack([hcp + short, keycards, long, losers, singles], axis=1)
        at += 5
    return result


def _hand_numbers(
    suits: NDArray[np.float32], totals: NDArray[np.float32], shape: NDArray[np.float32]
) -> NDArray[np.float32]:
    """[n, hand features], in the order of HAND_FEATURES."""
    names = ("hcp", "ace", "king", "queen", "ten", "controls", "quick", "losers")
    hcp, *counts = (totals[:, _COLUMN[name]] for name in names)
    quick, long_points, rule20 = counts[5], shape[:, 0], hcp + shape[:, 8]
    points = hcp + long_points
    promoted = (points < 12) & (hcp >= 10) & (rule20 >= 20) & (quick >= 2)
    key = suits[:, :, 0] * 16 + suits[:, :, _COLUMN["quality"]]
    longest = suits[np.arange(len(suits)), key.argmax(axis=1)]
    own = np.maximum(0, longest[:, 0] - longest[:, _COLUMN["losers"]])
    playing = own + np.maximum(0, quick - longest[:, _COLUMN["quick"]])
    columns = [
        hcp,
        points,
        *counts,
        *shape[:, 1:8].T,
        rule20,
        hcp + shape[:, 9],
        np.where(promoted, 12, points),
        playing,
    ]
    return np.stack(columns, axis=1).astype(np.float32)
