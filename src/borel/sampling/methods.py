"""Three ways to a sample: directed dealing (gib.txt), RBMBMC (bidi.txt, Fig. 2), soft constraints (lookahead.txt).

All three take a view, read the calls by each seat's model, work within a `Limit`, and never come back empty: when
nothing fits within the limit the nearest layouts found are returned, and they say how far off they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.cards import Seat
from borel.clock import now
from borel.decision import CallModel, Limit
from borel.errors import BridgeError, ImpossibleError
from borel.sampling.evidence import Evidence, evidence_of
from borel.sampling.knowledge import Knowledge, Layouts, View, knowledge_of
from borel.sampling.limits import HandLimits, nearest
from borel.sampling.sample import Sample, effective_size

__all__ = ["RBMBMC_INSTANCES", "UNEXPLAINED", "directed", "rbmbmc", "soft"]

Models = CallModel | Mapping[Seat, CallModel]
Shown = Mapping[Seat, Sequence[HandLimits]]
Source = Callable[[int, int], NDArray[np.uint64]]  # (count, first) -> layouts [count, 4]

NO_LIMIT = Limit()
UNEXPLAINED = 0.02  # weight of a call that no model explains, where nothing better was found
INSTANCES = 40_000  # the most that directed dealing generates when no limit is given
RBMBMC_INSTANCES = 20_000
FIRST_BATCH, LARGEST_BATCH = 256, 4096
MOST_SLACK = 6
LEAST = 10  # accepted layouts; with fewer, the nearest are added


class _Clock:
    """Counts instances and seconds against a limit."""

    def __init__(self, limit: Limit, instances: int) -> None:
        self.started = now()
        self.seconds = limit.seconds
        self.most = limit.instances if limit.instances is not None else None if limit.seconds is not None else instances
        self.used = 0

    @property
    def elapsed(self) -> float:
        return now() - self.started

    def batch(self, wanted: int) -> int:
        """How many instances may be made now; none when the limit is reached. The first batch is always allowed."""
        if self.used and self.seconds is not None:
            left = self.seconds - self.elapsed
            if left <= 0:
                return 0
            wanted = min(wanted, max(32, int(left * self.used / self.elapsed)))
        return wanted if self.most is None else max(0, min(wanted, self.most - self.used))


def directed(
    view: View,
    models: Models,
    *,
    layouts: int = 100,
    shown: Shown | None = None,
    limit: Limit = NO_LIMIT,
    floor: float = 0.0,
    slack: int = 0,
    rng: Random,
) -> Sample:
    """Deal unbiased from the limits that the auction implies, then weight by the models.

    ``shown``: for each seat the alternatives that its calls leave (wide enough: what they exclude is never dealt);
    ``slack`` widens them. Stops when the sample is worth ``layouts`` equally weighted ones. With models that answer
    zero or one that is rejection, and all weights are equal.
    """
    _check(layouts)
    evidence = evidence_of(view, models, floor)
    knowledge, seed, clock = knowledge_of(view), rng.getrandbits(64), _Clock(limit, INSTANCES)
    try:
        return _dealt(_space(knowledge, shown or {}, slack), evidence, layouts, clock, seed)
    except ImpossibleError:  # suit lengths and points fit, but never with the aces and kings that were shown
        clock.used = 0
        free = {seat: [limits.with_any_honours() for limits in known] for seat, known in (shown or {}).items()}
        return _dealt(_space(knowledge, free, slack), evidence, layouts, clock, seed)


def _dealt(space: Layouts, evidence: Evidence, layouts: int, clock: _Clock, seed: int) -> Sample:
    """Deal from a space until the sample is worth so many layouts; where too few fit, the nearest are added."""
    hands, weights, order = [], [], None
    found, size = 0.0, max(FIRST_BATCH, min(layouts, LARGEST_BATCH))
    if clock.seconds is not None:
        size = FIRST_BATCH  # how long a batch takes is not known yet
    while found < layouts and (count := clock.batch(size)):
        dealt = space.draw(count, seed, clock.used)
        clock.used += count
        if order is None:
            order = evidence.telling_order(dealt[:FIRST_BATCH])
        chances = evidence.weights(dealt, order)
        hands.append(dealt[chances > 0])
        weights.append(chances[chances > 0])
        found = effective_size(np.concatenate(weights))
        size = _next_size(size, layouts, found, clock.used)
    fit, chances = np.concatenate(hands), np.concatenate(weights)
    accepted = len(fit)
    if accepted > layouts and (chances == chances[0]).all():  # in the order they were dealt: the first are as good
        fit, chances = fit[:layouts], chances[:layouts]
    near, unexplained = np.zeros((0, 4), dtype=np.uint64), np.zeros(0, dtype=np.int64)
    if (missing := min(layouts, LEAST) - len(fit)) > 0:
        searched = min(clock.used, LARGEST_BATCH if clock.seconds is None else FIRST_BATCH)  # the time is over already
        near, unexplained = _nearest(space.draw(searched, seed), evidence, missing)
    return Sample.of(
        np.concatenate([fit, near]),
        np.concatenate([chances, UNEXPLAINED ** unexplained.astype(np.float64)]),
        np.concatenate([np.zeros(len(fit)), unexplained]),
        instances=clock.used,
        accepted=accepted,
        seconds=clock.elapsed,
    )


def _nearest(
    hands: NDArray[np.uint64], evidence: Evidence, wanted: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Of the layouts that were not accepted, those that leave fewest calls unexplained, and how many."""
    counts = evidence.inconsistent(hands, len(evidence.heard) + 1)
    hands, counts = hands[counts > 0], counts[counts > 0]
    chosen = np.argsort(counts, kind="stable")[:wanted]
    return hands[chosen], counts[chosen]


def _check(layouts: int) -> None:
    if layouts < 1:
        raise BridgeError(f"a sample has at least one layout, not {layouts}")


def _next_size(size: int, wanted: int, found: float, used: int) -> int:
    """As many as the rate so far says are still needed, and a little more; at most twice the batch before."""
    rate = max(found, 0.5) / used
    return max(64, min(2 * size, LARGEST_BATCH, int(1.1 * (wanted - found) / rate) + 1))


def _space(knowledge: Knowledge, shown: Shown, slack: int) -> Layouts:
    """The layouts within what was shown; contradictory limits are widened until something fits."""
    while True:
        widened = {seat: [limits.widened(slack) for limits in shown[seat]] for seat in shown}
        space = Layouts(knowledge.limited(widened))
        if not space.is_empty:
            return space
        if slack >= MOST_SLACK:
            return Layouts(knowledge)
        slack += 1


def _plain(view: View, rng: Random) -> Source:
    """Layouts of which nothing is known but the cards seen and the suits shown out of."""
    space, seed = Layouts(knowledge_of(view)), rng.getrandbits(64)
    return lambda count, first: space.draw(count, seed, first)


def rbmbmc(
    view: View, models: Models, *, layouts: int = 100, limit: Limit = NO_LIMIT, floor: float = 0.0, rng: Random
) -> Sample:
    """The K most consistent layouts found within the limit (bidi.txt, Fig. 2), repeatable with instances.

    A layout enters the sample when fewer calls disagree with it than with the worst one there. Batches change nothing:
    the cut-off of a batch is the one at its beginning, which is never smaller, and layouts enter one by one.
    """
    _check(layouts)
    evidence, source, clock = evidence_of(view, models, floor), _plain(view, rng), _Clock(limit, RBMBMC_INSTANCES)
    hands = source(layouts, 0)
    clock.used = layouts
    counts = evidence.inconsistent(hands, len(evidence.heard) + 1)
    while (worst := int(counts.max())) > 0 and (count := clock.batch(LARGEST_BATCH)):
        fresh = source(count, clock.used)
        clock.used += _enter(hands, counts, fresh, evidence.inconsistent(fresh, worst))
    seconds, accepted = clock.elapsed, int((counts == 0).sum())
    weights = UNEXPLAINED ** (counts - counts.min()).astype(np.float64)
    return Sample.of(
        hands, weights, counts.astype(np.float64), instances=clock.used, accepted=accepted, seconds=seconds
    )


def _enter(
    hands: NDArray[np.uint64], counts: NDArray[np.int64], fresh: NDArray[np.uint64], fresh_counts: NDArray[np.int64]
) -> int:
    """Let new layouts replace the worst, in their order; returns how many were looked at until all were perfect."""
    for i in np.flatnonzero(fresh_counts < counts.max()):
        worst = int(np.argmax(counts))
        if counts[worst] == 0:
            return int(i)
        if fresh_counts[i] < counts[worst]:
            hands[worst], counts[worst] = fresh[i], fresh_counts[i]
            if not counts.any():
                return int(i) + 1
    return len(fresh)


def soft(
    view: View, shown: Shown, *, layouts: int = 100, pool: int = 20_000, limit: Limit = NO_LIMIT, rng: Random
) -> Sample:
    """The best of a large pool: each constraint gives a distance, partner's weigh two and opponents' one."""
    _check(layouts)
    source, clock = _plain(view, rng), _Clock(limit, pool)
    best, distances = np.zeros((0, 4), dtype=np.uint64), np.zeros(0)
    accepted = 0
    while count := clock.batch(LARGEST_BATCH):
        hands = source(count, clock.used)
        clock.used += count
        values = np.zeros(count)
        for seat, alternatives in shown.items():
            if seat is not view.seat and alternatives:
                weight = 2 if seat is view.seat.partner else 1
                values += weight * nearest(alternatives, _core.hand_numbers(hands[:, seat]))
        accepted += int((values == 0).sum())
        order = np.argsort(np.concatenate([distances, values]), kind="stable")[:layouts]
        best, distances = np.concatenate([best, hands])[order], np.concatenate([distances, values])[order]
    return Sample.of(
        best, np.ones(len(best)), distances, instances=clock.used, accepted=accepted, seconds=clock.elapsed
    )
