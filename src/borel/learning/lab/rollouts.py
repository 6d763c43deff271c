"""Tags by rollouts: what each open call leads to when both partners go on by the rules they have now.

PIDM (Amit & Markovitch 2006, 3.5) searches where later decisions are ambiguous too, and so costs seconds a state; where
they are not, it does what is done here: partner's hands that fit the auction are sampled, partner and player go on by
their own strategies (the simulation service of 4.2.5), and the contract is valued. All layouts go on side by side, and
points of the auction that one state has read are known to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel import _core, dd
from borel.bidding.comparison import imps_of
from borel.bidding.utility import losing_tricks
from borel.cards import Seat, Strain
from borel.errors import BridgeError
from borel.learning.lab.conflicts import Conflict, position_after
from borel.learning.lab.natural import NO_CALL, bid_on
from borel.learning.lab.pairs import score_table
from borel.policies.tricks import SPREAD, estimate_tricks, trick_chances
from borel.sampling.rules import last_resort
from borel.systems import System
from borel.systems.hand import features_of_batch

__all__ = ["UTILITIES", "Tagged", "tag_by_rollouts"]

AT_ONCE = 500  # layouts dealt before it is looked whether they are enough


@dataclass(frozen=True, slots=True)
class Tagged:
    """The call that gains most, what each open call gains on the first in IMPs, layouts dealt, if too few fitted."""

    call: int
    gains: tuple[float, ...]
    instances: int
    failed: bool


def tag_by_rollouts(
    system: System, conflict: Conflict, *, sample: int, instances: int, utility: str, seed: int
) -> Tagged:
    """Value every open call by ``sample`` layouts, found among at most ``instances``."""
    if utility not in UTILITIES:
        raise BridgeError(f"no utility {utility[:40]!r}: there are {', '.join(UTILITIES)}")
    layouts, dealt = _layouts(system, conflict, sample, instances, np.random.default_rng([seed, conflict.hand]))
    if not len(layouts):
        return Tagged(conflict.open[0], (), dealt, True)
    partner, me = (features_of_batch(layouts[:, seat].copy(), wide=system.wide) for seat in (2, 0))
    start, before = position_after(system, conflict.calls), conflict.calls[::2]
    points = []
    for call in conflict.open:
        bid = np.full((len(layouts), 1), NO_CALL, np.uint8)
        if call or not before:  # else the auction is over
            bid = bid_on(start.after(call).after(0), (partner, me), opened=True)
        said = np.concatenate([np.tile(np.array([*before, call], np.uint8), (len(bid), 1)), bid], axis=1)
        points.append(_points(layouts, said, len(before) % 2, UTILITIES[utility]))
    gains = imps_of(np.stack(points) - points[0]).mean(axis=1)
    return Tagged(conflict.open[int(gains.argmax())], tuple(gains.tolist()), dealt, len(layouts) < sample)


def _layouts(
    system: System, conflict: Conflict, sample: int, instances: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint64], int]:
    """[n, 4] hands, the player's first, in which partner would have called as he did; and how many were dealt."""
    others = np.array([card for card in range(52) if not conflict.hand >> card & 1], np.uint64)
    found: list[NDArray[np.uint64]] = []
    dealt = 0
    while dealt < instances and sum(map(len, found)) < sample:
        count = min(AT_ONCE, instances - dealt)
        dealt += count
        cards = np.uint64(1) << rng.permuted(np.tile(others, (count, 1)), axis=1)
        hands = [np.bitwise_or.reduce(cards[:, part : part + 13], axis=1) for part in (0, 13, 26)]
        layouts = np.stack([np.full(count, conflict.hand, np.uint64), *hands], axis=1)
        found.append(layouts[_fits(system, conflict, layouts[:, 2].copy())])
    return np.concatenate(found)[:sample], dealt


def _fits(system: System, conflict: Conflict, partner: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Which of partner's hands would have made his calls."""
    rows = np.arange(len(partner))
    features = features_of_batch(partner, wide=system.wide)
    for turn in range((len(conflict.calls) + 2) % 4, len(conflict.calls), 4):
        position = position_after(system, conflict.calls[:turn])
        calls = position.calls_of_batch(features[rows])
        calls[calls < 0] = last_resort(position)
        rows = rows[calls == conflict.calls[turn]]
    return rows


def _points(layouts: NDArray[np.uint64], said: NDArray[np.uint8], mine: int, chances: Chances) -> NDArray[np.float64]:
    """[n]: what the contracts score; calls whose number has the parity ``mine`` are the player's."""
    said = np.where(said == NO_CALL, 0, said).astype(np.int64)
    last = said.max(axis=1)
    same = (said >= 3) & ((said - last[:, None]) % 5 == 0)
    declarer = np.where(same.argmax(axis=1) % 2 == mine, 0, 2)
    points = np.zeros(len(layouts))
    for call, seat in {*zip(last.tolist(), declarer.tolist(), strict=True)}:
        if call >= 3:
            rows = np.flatnonzero((last == call) & (declarer == seat))
            points[rows] = chances(layouts[rows], Strain((call - 3) % 5), seat) @ SCORES[call]
    return points


def _by_estimate(layouts: NDArray[np.uint64], strain: Strain, seat: int) -> NDArray[np.float64]:
    return trick_chances(estimate_tricks(layouts, strain, Seat(seat)), SPREAD[strain is Strain.NT])


def _by_solver(layouts: NDArray[np.uint64], strain: Strain, seat: int) -> NDArray[np.float64]:
    return np.eye(14)[dd.tables(layouts, threads=1)[:, int(strain), seat]]


def _by_losers(layouts: NDArray[np.uint64], strain: Strain, seat: int) -> NDArray[np.float64]:
    """24 less both hands' losers; in notrump by points, as `borel.bidding.utility` has it."""
    losers = np.array([sum(map(losing_tricks, pair)) for pair in layouts[:, [0, 2]].tolist()])
    tricks = 6.5 + 0.31 * (_both(layouts)[:, 4] - 20) if strain is Strain.NT else 24 - losers
    return _certain(tricks)


def _by_trumps(layouts: NDArray[np.uint64], strain: Strain, seat: int) -> NDArray[np.float64]:
    """The co-agent's function of 5.4.4: a trick for every trump and for three points more than half of them."""
    both = _both(layouts)
    return _certain((6.5 if strain is Strain.NT else both[:, int(strain)]) + (both[:, 4] - 20) / 3)


def _both(layouts: NDArray[np.uint64]) -> NDArray[np.int64]:
    """[n, 5]: the pair's cards of clubs, diamonds, hearts, spades, and its points."""
    numbers = _core.hand_numbers(layouts[:, [0, 2]].reshape(-1).copy()).reshape(len(layouts), 2, -1)
    return np.asarray(numbers[:, :, :5].astype(np.int64).sum(axis=1))


def _certain(tricks: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(np.eye(14)[np.rint(tricks).astype(np.int64).clip(0, 13)])


Chances = Callable[[NDArray[np.uint64], Strain, int], NDArray[np.float64]]  # layouts -> [n, 14] of tricks
UTILITIES: dict[str, Chances] = {
    "estimate": _by_estimate,
    "dd": _by_solver,
    "ltc": _by_losers,
    "trumps": _by_trumps,
}
SCORES = score_table().astype(np.float64)
