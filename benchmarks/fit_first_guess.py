"""The constants of core/first_guess.cpp: least squares on solved contracts.

    python benchmarks/fit_first_guess.py --deals 1000

North-South's tricks beyond half of them, from high cards (6-4-2-1), the lead, trump length and short suits that can be
ruffed. The guess in use is rounded to these; its caution of half a trick is not fitted but was found by node counts.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from borel import dd
from borel.dd.experiment import sample

HIGH_CARDS = (6, 4, 2, 1)
NOTRUMP = 4
SIGNS = np.array([1, -1, 1, -1])  # North-South minus East-West


def features(hands: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of many deals: high-card points of North-South minus East-West, and suit lengths [deal, seat, suit]."""
    cards = (hands[:, :, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    suits = cards.astype(np.int64).reshape(len(hands), 4, 4, 13)
    points = np.zeros(13, np.int64)
    points[-len(HIGH_CARDS) :] = HIGH_CARDS[::-1]
    return (suits * points).sum(axis=(2, 3)) @ SIGNS, suits.sum(axis=3)


def rows_of(high: NDArray[np.int64], lengths: NDArray[np.int64], strain: int, declarer: int) -> NDArray[np.float64]:
    """What the guess is made of, for one strain and declarer: a row for every deal."""
    lead = np.full(len(high), -SIGNS[declarer])
    if strain == NOTRUMP:
        return np.stack([high, lead], axis=1).astype(float)
    trumps = lengths[:, :, strain]
    short = np.delete(np.maximum(0, 3 - lengths), strain, axis=2).sum(axis=2)
    ruffs = np.minimum(short, trumps)
    return np.stack([high, lead, trumps @ SIGNS, ruffs @ SIGNS], axis=1).astype(float)


def fit(deals: int, seed: int) -> None:
    hands = sample(range(deals), seed=seed, sizes=range(13, 14)).hands
    tables = dd.tables(hands)
    high, lengths = features(hands)
    for name, strains in (("notrump", [NOTRUMP]), ("suit", range(NOTRUMP))):
        rows, beyond = [], []
        for strain in strains:
            for declarer in range(4):
                tricks = tables[:, strain, declarer].astype(float)
                rows.append(rows_of(high, lengths, strain, declarer))
                beyond.append((tricks - 6.5) * SIGNS[declarer])
        x, y = np.concatenate(rows), np.concatenate(beyond)
        weights = np.linalg.lstsq(x, y, rcond=None)[0]
        names = ("high cards", "lead", "trumps", "ruffs")
        text = ", ".join(f"{part} {weight:.3f}" for part, weight in zip(names, weights, strict=False))
        print(f"{name}: {text}; mean error {np.abs(x @ weights - y).mean():.2f} tricks in {len(y)} contracts")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    fit(options.deals, options.seed)


if __name__ == "__main__":
    main()
