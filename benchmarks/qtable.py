"""How many auctions a second a pair learns from: `python benchmarks/qtable.py BANK [--threads 2]`.

Each thread has a pair of its own, as runs of different seeds have. Times are of the processor, summed over threads,
so that other work on the machine does not count; the rate of several threads is that of one times their number only
where each has a core.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter, thread_time

from borel.learning.bank import Bank
from borel.learning.lab.qtable import QPair, QTableSettings

SETTINGS = {
    "greedy, 2%": {"explore": 0.02},
    "boltzmann": {"explore": 0.0, "choice": "boltzmann", "q0": 0.0},
    "greedy, 560 shapes, all bids, 6 calls": {"explore": 0.02, "shapes": 560, "bids": 36, "calls": 6},
}


def main() -> None:
    """Print auctions a second of the processor, and of the clock."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bank", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--auctions", type=int, default=4_000_000)
    options = parser.parse_args()
    bank = Bank.open(options.bank)
    for name, asked in SETTINGS.items():
        pairs = [
            QPair(QTableSettings(deals=options.auctions, seed=seed, **asked), bank)  # type: ignore[arg-type]
            for seed in range(options.threads)
        ]
        learn_all(pairs, 0)  # the first epoch makes most of the rows
        started = perf_counter()
        busy = learn_all(pairs, 1)
        took = perf_counter() - started
        count = options.auctions * options.threads / 1e6
        print(f"{name}: {count / busy:.2f} million a second a core, {count / took:.2f} in all")


def learn_all(pairs: list[QPair], epoch: int) -> float:
    """One epoch of every pair, each in its thread; the processor's seconds."""

    def one(pair: QPair) -> float:
        before = thread_time()
        how, deals = pair.learning(epoch), pair.training
        pair.table.learn(*deals.results, pair.settings.deals, how, pair.settings.seed, epoch)
        return thread_time() - before

    with ThreadPoolExecutor(len(pairs)) as threads:
        return sum(threads.map(one, pairs))


if __name__ == "__main__":
    main()
