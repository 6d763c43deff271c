"""How good the trick network is, on deals that it was not fitted to.

    borel bank build fresh.bank --count 2000 --seed 5
    python benchmarks/trick_estimate.py fresh.bank

For suit contracts and notrump: the standard error in tricks (with its own, over deals), how often the rounded estimate
is right or off by one, what the distribution around it gives to the true number of tricks (nats), and whether a chance
that it states is what comes: of contracts for which it says that they make with 70 to 80%, how many do.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel.cards import Seat, Strain
from borel.learning.bank import Bank
from borel.policies.tricks import SPREAD, estimate_tricks, trick_chances

GOALS = range(7, 14)  # tricks that contracts need
BINS = 10


def estimates(bank: Bank, strains: list[Strain]) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """[deals, strains × declarers]: estimates and true tricks."""
    hands, tricks = bank.hands(), bank.tricks()
    asked = [(strain, declarer) for strain in strains for declarer in Seat]
    guessed = np.stack([estimate_tricks(hands, strain, declarer) for strain, declarer in asked], axis=1)
    return guessed, np.stack([tricks[:, int(strain), int(declarer)] for strain, declarer in asked], axis=1)


def calibration(chances: NDArray[np.float64], tricks: NDArray[np.int64]) -> list[tuple[float, float, int]]:
    """Stated chance of making, how often it was made, how many: by tenths of the stated chance."""
    said = np.concatenate([chances[:, goal:].sum(axis=1) for goal in GOALS])
    made = np.concatenate([tricks >= goal for goal in GOALS])
    which = np.minimum((said * BINS).astype(int), BINS - 1)
    rows = [(said[which == b], made[which == b]) for b in range(BINS)]
    return [(float(s.mean()), float(m.mean()), len(s)) for s, m in rows if len(s)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bank", type=Path, help="a bank of deals that nothing was fitted to")
    bank = Bank.open(parser.parse_args().bank)
    for words, strains in (("suit", [s for s in Strain if s is not Strain.NT]), ("notrump", [Strain.NT])):
        guessed, tricks = estimates(bank, strains)
        squares = ((guessed - tricks) ** 2).mean(axis=1)
        error = float(np.sqrt(squares.mean()))
        of_error = float(squares.std() / np.sqrt(len(bank)) / (2 * error))
        away = np.abs(np.rint(guessed) - tricks)
        chances = trick_chances(guessed.reshape(-1), SPREAD[strains == [Strain.NT]])
        truth = tricks.reshape(-1).astype(np.int64)
        told = np.log(chances[np.arange(len(truth)), truth]).mean()
        print(f"{words}: {len(truth):,} contracts of {len(bank):,} deals, error {error:.3f} ± {1.96 * of_error:.3f}")
        print(f"  right {np.mean(away == 0):.1%}, off by one at most {np.mean(away <= 1):.1%}, {told:.3f} nats")
        for said, made, count in calibration(chances, truth):
            print(f"    said {said:4.0%}   made {made:4.0%}   of {count:,}")


if __name__ == "__main__":
    main()
