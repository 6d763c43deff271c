"""Decision trees over hands that lose as little value as possible: a leaf makes the call that its hands gain most by.

An ID3 tree (Quinlan 1986) asks how well the calls are told apart; here two calls of nearly equal value need not be told
apart at all, and a mistake counts by what it costs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Branch", "Leaf", "Tree", "actions_of", "grow", "id3", "leaves"]

Floats = NDArray[np.float64]
Ranges = dict[int, tuple[int, int]]  # feature: lowest and highest value


@dataclass(frozen=True, slots=True)
class Leaf:
    """The best action of the hands that come here, and how much they weigh."""

    action: int
    weight: float


@dataclass(frozen=True, slots=True)
class Branch:
    """Hands whose feature is at most the limit go left."""

    feature: int
    limit: int
    left: Tree
    right: Tree


Tree = Leaf | Branch


def grow(
    features: NDArray[np.int64],
    values: Floats,
    weights: Floats,
    *,
    worth: float,
    depth: int = 6,
    least: float = 0.0,
) -> Tree:
    """A tree over [n, f] features of hands whose actions have [n, a] values and who come with [n] weights.

    A split is made where it gains at least ``worth`` in weight times value, and both sides weigh at least ``least``.
    """
    totals = weights @ values
    leaf = Leaf(int(totals.argmax()), float(weights.sum()))
    if depth == 0 or len(values) < 2:
        return leaf
    gain, feature, limit = _best_split(features, values * weights[:, None], weights, least)
    if gain < worth:
        return leaf
    left = features[:, feature] <= limit
    below, above = (
        grow(features[side], values[side], weights[side], worth=worth, depth=depth - 1, least=least)
        for side in (left, ~left)
    )
    if isinstance(below, Leaf) and isinstance(above, Leaf) and below.action == above.action:
        return leaf
    return Branch(feature, limit, below, above)


def _best_split(features: NDArray[np.int64], weighed: Floats, weights: Floats, least: float) -> tuple[float, int, int]:
    """The gain, the feature and the limit of the split after which both sides can choose for themselves."""
    whole = weighed.sum(axis=0)
    best = (-1.0, 0, 0)
    for feature in range(features.shape[1]):
        column = features[:, feature]
        lowest = int(column.min())
        by_value = np.zeros((int(column.max()) - lowest + 1, weighed.shape[1]))
        np.add.at(by_value, column - lowest, weighed)
        below = by_value.cumsum(axis=0)[:-1]
        if len(below) == 0:
            continue
        heavy = np.bincount(column - lowest, weights).cumsum()[:-1]
        gains = below.max(axis=1) + (whole - below).max(axis=1) - whole.max()
        gains[(heavy < least) | (weights.sum() - heavy < least)] = -1.0
        limit = int(gains.argmax())
        if gains[limit] > best[0]:
            best = (float(gains[limit]), feature, lowest + limit)
    return best


def actions_of(tree: Tree, features: NDArray[np.int64]) -> NDArray[np.int64]:
    """[n]: the action of each of [n, f] hands."""
    if isinstance(tree, Leaf):
        return np.full(len(features), tree.action)
    left = features[:, tree.feature] <= tree.limit
    found = np.zeros(len(features), np.int64)
    for side, below in ((left, tree.left), (~left, tree.right)):
        found[side] = actions_of(below, features[side])
    return found


def leaves(tree: Tree, ranges: Ranges) -> Iterator[tuple[Ranges, Leaf]]:
    """Every leaf with the ranges of features that lead to it, given the ranges there are at all."""
    if isinstance(tree, Leaf):
        yield ranges, tree
        return
    low, high = ranges[tree.feature]
    yield from leaves(tree.left, {**ranges, tree.feature: (low, min(high, tree.limit))})
    yield from leaves(tree.right, {**ranges, tree.feature: (max(low, tree.limit + 1), high)})


def id3(features: NDArray[np.int64], tags: NDArray[np.int64], *, least: int = 3, depth: int = 3) -> Tree:
    """A tree that tells tags [n] apart by information gain (Quinlan 1986), splits at limits, leaves of the majority.

    No leaf stands for fewer than ``least`` examples.
    """
    counts = np.bincount(tags)
    leaf = Leaf(int(counts.argmax()), float(len(tags)))
    if depth == 0 or (counts > 0).sum() < 2:
        return leaf
    best, where = 1e-9, (-1, 0)
    for feature in range(features.shape[1]):
        column = features[:, feature]
        for limit in np.unique(column)[:-1].tolist():
            below = column <= limit
            if min(below.sum(), (~below).sum()) < least:
                continue
            share = below.mean()
            gain = _entropy(tags) - share * _entropy(tags[below]) - (1 - share) * _entropy(tags[~below])
            if gain > best:
                best, where = float(gain), (feature, int(limit))
    if where[0] < 0:
        return leaf
    left = features[:, where[0]] <= where[1]
    below_tree, above_tree = (id3(features[side], tags[side], least=least, depth=depth - 1) for side in (left, ~left))
    if isinstance(below_tree, Leaf) and isinstance(above_tree, Leaf) and below_tree.action == above_tree.action:
        return leaf
    return Branch(*where, below_tree, above_tree)


def _entropy(tags: NDArray[np.int64]) -> float:
    shares = np.bincount(tags) / len(tags)
    shares = shares[shares > 0]
    return float(-(shares * np.log2(shares)).sum())
