"""Agreements tried on fresh deals: what a pair agreed on a few hands must gain on hands that it has not seen.

Both systems bid the same random deals, opponents silent. A deal on which they differ is valued double dummy and put
down to the agreement under which the auctions part; one that does not gain by so many standard errors is given up. The
tags of a few states, picked by a tree from many, are the best of many chances; these deals were picked by nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from borel import dd
from borel.bidding.comparison import imps_of
from borel.learning.lab.agreeing import SPREAD
from borel.learning.lab.conflicts import Conflict, position_after
from borel.learning.lab.natural import NO_CALL, silent_auctions, silent_scores
from borel.systems import System
from borel.systems.hand import features_of_batch

__all__ = ["Trial", "kept_lines", "tried"]

FEWEST = 5  # deals that an agreement must have decided to be believed

Rule = tuple[tuple[int, ...], str]  # the auction's key, and the rule as written


@dataclass(frozen=True, slots=True)
class Trial:
    """What an agreement gained on the deals that it decided otherwise than the rules did, in IMPs a deal."""

    key: tuple[int, ...]
    rule: str  # empty: no agreement was found that could have done it
    deals: int
    gain: float
    error: float  # standard error, with one deal's worth of what is known before

    def is_confirmed(self, trust: float) -> bool:
        """Whether it gains, by so many standard errors."""
        return self.deals >= FEWEST and self.gain > trust * self.error


def tried(parent: System, refined: System, rules: set[Rule], deals: NDArray[np.uint64]) -> list[Trial]:
    """Every agreement that decides one of [n, 4] fresh deals otherwise than the parent's rules do."""
    pair = [deals[:, seat].copy() for seat in (0, 2)]
    before, after = (silent_auctions(system, *pair) for system in (parent, refined))
    differ = np.flatnonzero((before != after).any(axis=1))
    if not len(differ):
        return []
    tables = dd.tables(deals[differ], threads=1)
    tricks = np.stack([tables[:, :, 0], tables[:, :, 2]], axis=1).astype(np.uint8)
    points = [silent_scores(bid[differ], tricks).astype(np.float64) for bid in (after, before)]
    gains = imps_of(points[0] - points[1])
    parted = (before[differ] != after[differ]).argmax(axis=1)
    blamed = _blamed(refined, rules, [hands[differ] for hands in pair], after[differ], parted)
    found: dict[Rule, list[float]] = {}
    for rule, gain in zip(blamed, gains.tolist(), strict=True):
        found.setdefault(rule, []).append(gain)
    return [_trial(*rule, np.array(some)) for rule, some in found.items()]


def _trial(key: tuple[int, ...], rule: str, gains: NDArray[np.float64]) -> Trial:
    mean = float(gains.mean())
    variance = (float(((gains - mean) ** 2).sum()) + SPREAD**2) / len(gains)
    return Trial(key, rule, len(gains), mean, sqrt(variance / len(gains)))


def _blamed(
    system: System,
    rules: set[Rule],
    hands: list[NDArray[np.uint64]],
    bid: NDArray[np.uint8],
    parted: NDArray[np.int64],
) -> list[Rule]:
    """For each deal the last agreement that was followed when the auctions parted; it may have been a call before."""
    features = [features_of_batch(one, wide=system.wide) for one in hands]
    found: list[Rule] = [((), "")] * len(bid)
    for column in range(int(parted.max()), -1, -1):
        rows = np.array([i for i in range(len(bid)) if parted[i] >= column and not found[i][1]], np.int64)
        for calls, some in _together(bid, rows, column):
            position = position_after(system, calls)
            chosen, options = position.options_of_batch(features[column % 2][some])
            key = Conflict(calls, 0, (), 0.0).key
            for row, choice in zip(some.tolist(), chosen.tolist(), strict=True):
                rule = (key, options[choice].rule.source.strip()) if choice >= 0 else ((), "")
                found[row] = rule if rule in rules else found[row]
    return found


def _together(
    bid: NDArray[np.uint8], rows: NDArray[np.int64], column: int
) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64]]]:
    """The rows that had the same auction before a column, with that auction, opponents' passes and all."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for row in rows.tolist():
        groups.setdefault(tuple(bid[row, :column].tolist()), []).append(row)
    for pair, some in groups.items():
        if NO_CALL not in pair:
            yield tuple(call for one in pair for call in (one, 0)), np.array(some, np.int64)


def kept_lines(key: tuple[int, ...], lines: tuple[str, ...], given_up: set[Rule]) -> tuple[str, ...]:
    """The lines of an auction's agreements less those given up: no header or question without a rule below it."""
    kept: list[str] = []
    waiting: list[str] = []
    for line in lines:
        if not line.startswith(" "):
            waiting = [line]
        elif line.lstrip().startswith("#"):
            waiting = [*(one for one in waiting if not one.startswith(" ")), line]
        elif (key, line.strip()) not in given_up:
            kept += [*waiting, line]
            waiting = []
    return tuple(kept)
