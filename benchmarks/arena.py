"""What the arena itself costs, how often its sequential test errs, and that workers do not change a result.

    python benchmarks/arena.py [--boards 2000]

Bidders that always pass cost nothing, so that boards a second are the arena's own: dealing, two auctions, the store.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np

from borel.arena import Estimate, Match, Sequence
from borel.compute import available_cores
from borel.store import Store

SWINGS = np.repeat([1, 2, 3, 5, 6, 7, 10, 11, 12, 13, 17], [25, 10, 6, 12, 12, 6, 12, 6, 5, 4, 2])


def boards_a_second(boards: int, workers: int) -> float:
    with Store("none") as store:
        match = Match.between("uniform:passes=1", "uniform:passes=1", seed=1)
        match.play(50, store=store, workers=workers)
        begun = perf_counter()
        match.play(boards, store=store, workers=workers)
        return boards / (perf_counter() - begun)


def decided(*, matches: int, boards: int, mean: float, flat: float, seed: int) -> tuple[float, float, float]:
    """Shares of matches decided by the sequence and by looking at the ordinary interval; boards until the first."""
    rng, sequence = np.random.default_rng(seed), Sequence()
    n = np.arange(1, boards + 1)
    unit = np.array([sequence.half_width(Estimate(int(k), 0.0, 1.0)) for k in n[sequence.least :]])
    found, naive, lengths = 0, 0, []
    for _ in range(matches):
        swings = rng.choice(SWINGS, boards) * rng.choice([-1, 1], boards)
        values = np.where(rng.random(boards) < flat, 0, swings) + mean
        means = values.cumsum() / n
        errors = np.sqrt(np.maximum((values**2).cumsum() - n * means**2, 0) / np.maximum(n - 1, 1) / n)
        means, errors = means[sequence.least :], errors[sequence.least :]
        out = abs(means) > unit * errors
        found += bool(out.any())
        naive += bool((abs(means) > 1.96 * errors).any())
        lengths.append(int(out.argmax()) + sequence.least + 1 if out.any() else boards)
    return found / matches, naive / matches, float(np.mean(lengths))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=2000)
    parser.add_argument("--matches", type=int, default=1000)
    options = parser.parse_args()
    for workers in (0, 1, available_cores()):
        speed = boards_a_second(options.boards, workers)
        print(f"passed-out boards a second, {workers} worker processes: {speed:,.0f}")
    for flat in (0.3, 0.6, 0.9):
        rate, naive, _ = decided(matches=options.matches, boards=4000, mean=0, flat=flat, seed=1)
        print(
            f"equal sides, {flat:.0%} flat boards: told apart in {rate:.1%} of matches (ordinary interval: {naive:.1%})"
        )
    for mean in (0.2, 0.5, 1.0):
        rate, _, length = decided(matches=options.matches, boards=4000, mean=mean, flat=0.5, seed=2)
        print(f"{mean:+.1f} imps a board: {rate:.0%} decided within 4,000 boards, after {length:,.0f} on average")


if __name__ == "__main__":
    main()
