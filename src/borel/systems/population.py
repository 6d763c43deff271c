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
from borel.systems.hand import HCP, LENGTHS, POINTS, features_of_batch, suit_table

__all__ = ["Bank", "bank", "members_of_box", "tightened"]

SIZE = 6000
STRONG = 1000  # strong hands besides
RARE = 100  # with fewer ordinary hands than this the strong ones count too
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
def bank(*, wide: bool = False) -> Bank:
    """The bank, made once; with the features of the registry for systems that speak of them."""
    if wide:
        return Bank(bank().masks, features_of_batch(bank().masks, wide=True))
    rng, deck = Random(20), list(range(52))
    masks = []
    for _ in range(SIZE // 4):
        rng.shuffle(deck)
        masks += [sum(1 << card for card in deck[i : i + 13]) for i in (0, 13, 26, 39)]
    array = np.concatenate([np.array(masks, dtype=np.uint64), _strong_hands()])
    return Bank(array, features_of_batch(array))


def _strong_hands() -> NDArray[np.uint64]:
    """Hands of 18 or more points, for calls so strong that the others have too few."""
    keys = np.random.default_rng(20).random((STRONG * 12, 52))
    cards = np.argsort(keys, axis=1)[:, :52].reshape(-1, 4, 13).astype(np.uint64)
    masks = np.left_shift(np.uint64(1), cards).sum(axis=2, dtype=np.uint64).reshape(-1)
    points = sum(suit_table()[((masks >> np.uint64(13 * s)) & np.uint64(8191)).astype(np.intp), 1] for s in range(4))
    return np.asarray(masks[np.asarray(points) >= 18][:STRONG])


@cache
def _watched() -> NDArray[np.float32]:
    return np.ascontiguousarray(bank().features[:, WATCHED])


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
    common = members[members < SIZE]  # as often as at the table
    members = common if len(common) >= RARE else members
    count = len(members)
    if count < FEW:
        both = box.common(before)
        return box if both is None else both
    cut = int(count * TAIL) if count >= ENOUGH else 0
    ends = np.array((cut, count - 1 - cut))
    values = np.partition(_watched()[members], ends, axis=0)[ends]
    margin = 0 if count >= ENOUGH else 1
    result = box.copy()
    for column, index in enumerate(WATCHED):
        low, high = float(values[0, column]) - margin, float(values[1, column]) + margin
        low, high = max(box.low[index], low), min(box.high[index], high)
        if low <= high:
            result.low[index], result.high[index] = low, high
    return result
