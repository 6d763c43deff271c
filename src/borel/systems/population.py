"""A bank of random hands that follows an auction: those that would have bid so tell what a seat really shows.

The conditions of the rules give a box that surely contains the hands of a call; most of its corners are empty. The
hands of the bank that the system itself would bid this way show where they lie. It is always the same bank, so readings
can be repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.systems.box import Box
from borel.systems.hand import HCP, LENGTHS, POINTS, features_of_batch

__all__ = ["Bank", "bank", "members_of_box", "tightened"]

SIZE = 6000
KEPT = 1500  # hands that follow one seat through the auction
FEW, ENOUGH = 10, 40  # below FEW hands the box alone speaks; below ENOUGH a margin is left
TAIL = 0.03  # of the hands at either end do not count for the range of strength
WATCHED = (HCP, POINTS, *LENGTHS)


@dataclass(frozen=True, slots=True)
class Bank:
    """Random hands as 52-bit sets and their features."""

    masks: NDArray[np.uint64]
    features: NDArray[np.float32]


@cache
def bank() -> Bank:
    """The bank, made once."""
    rng, deck = Random(20), list(range(52))
    masks = []
    for _ in range(SIZE // 4):
        rng.shuffle(deck)
        masks += [sum(1 << card for card in deck[i : i + 13]) for i in (0, 13, 26, 39)]
    array = np.array(masks, dtype=np.uint64)
    return Bank(array, features_of_batch(array))


def members_of_box(box: Box) -> NDArray[np.int64]:
    """The hands of the bank inside a box, as far as strength and lengths tell; at most as many as are kept."""
    features = bank().features
    inside = np.ones(len(features), dtype=np.bool_)
    for index in WATCHED:
        column = features[:, index]
        inside &= (column >= box.low[index]) & (column <= box.high[index])
    return np.flatnonzero(inside)[:KEPT]


def tightened(box: Box, before: Box, members: NDArray[np.int64]) -> Box:
    """The box drawn closer around its hands in the bank; where those are too few, around what was known before."""
    count = len(members)
    if count < FEW:
        both = box.common(before)
        return box if both is None else both
    values = np.sort(bank().features[np.ix_(members, np.array(WATCHED))], axis=0)
    cut = int(count * TAIL) if count >= ENOUGH else 0
    margin = 0 if count >= ENOUGH else 1
    result = box.copy()
    for column, index in enumerate(WATCHED):
        low, high = float(values[cut, column]) - margin, float(values[count - 1 - cut, column]) + margin
        low, high = max(box.low[index], low), min(box.high[index], high)
        if low <= high:
            result.low[index], result.high[index] = low, high
    return result
