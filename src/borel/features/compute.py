"""Computing features for batches of hands, in the core."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borel import _core
from borel.cards import DECK, Hand
from borel.errors import DealError
from borel.features.registry import Feature, parse_feature

__all__ = ["codes", "describe", "features", "value", "values"]


def codes(names: Iterable[str | Feature]) -> NDArray[np.int32]:
    """Features as the core's codes [k, 3]; keep them where the same features are asked for again and again."""
    wanted = [parse_feature(name) if isinstance(name, str) else name for name in names]
    return np.array([feature.code for feature in wanted], dtype=np.int32).reshape(-1, 3)


def features(hands: ArrayLike | Sequence[int], names: Iterable[str | Feature] | NDArray[np.int32]) -> NDArray[np.int16]:
    """Integer values [n, k] of k features for n hands given as 52-bit sets.

    Classes that count halves, quarters or hundredths are multiplied by their scale: quick tricks of 3 are 6 here.

    >>> hand = Hand.parse("AQ5.KJ92.87.AT43")
    >>> features([hand.mask], ["hcp", "length(H)", "quick_tricks", "balanced"])
    array([[14,  4,  6,  1]], dtype=int16)
    """
    masks = np.ascontiguousarray(hands, dtype=np.uint64).reshape(-1)
    if masks.size and int(masks.max()) > DECK:
        raise DealError("a hand is a 52-bit set of cards")
    wanted = names if isinstance(names, np.ndarray) else codes(names)
    return np.asarray(_core.features(masks, np.ascontiguousarray(wanted, dtype=np.int32)))


def values(hands: ArrayLike | Sequence[int], names: Iterable[str | Feature]) -> NDArray[np.float32]:
    """As `features`, in the units people use.

    >>> values([Hand.parse("AQ5.KJ92.87.AT43").mask], ["quick_tricks", "kaplan_rubens"])
    array([[ 3.  , 14.65]], dtype=float32)
    """
    wanted = [parse_feature(name) if isinstance(name, str) else name for name in names]
    scales = np.array([feature.scale for feature in wanted], dtype=np.float32)
    return (features(hands, wanted) / scales).astype(np.float32)


def value(hand: Hand, name: str | Feature) -> float:
    """One feature of one hand, in the units people use.

    >>> value(Hand.parse("AQ5.KJ92.87.AT43"), "losers")
    7.0
    """
    return (parse_feature(name) if isinstance(name, str) else name).of(hand)


def describe(hand: Hand, names: Iterable[str | Feature]) -> dict[str, float]:
    """Several features of one hand by name.

    >>> describe(Hand.parse("AQ5.KJ92.87.AT43"), ["hcp", "controls"])
    {'hcp': 14.0, 'controls': 5.0}
    """
    wanted = [parse_feature(name) if isinstance(name, str) else name for name in names]
    row = features([hand.mask], wanted)[0]
    return {str(feature): float(number) / feature.scale for feature, number in zip(wanted, row, strict=True)}
