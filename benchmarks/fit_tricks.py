"""Fit the trick network on a bank of solved deals, and say how good it is on those held out.

    borel bank build deals.bank --count 50000
    python benchmarks/fit_tricks.py deals.bank [--out src/borel/policies/tricks.safetensors] [--epochs 8] [--width 320]

Every deal is used with each declarer and trump suit, and with the side suits in a random order each time, which changes
nothing at bridge and much for a network. The first deals of the bank are held out; the manifest has the error on them.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel.learning.bank import Bank
from borel.learning.runs import code_version
from borel.policies.tricks import FORMAT, KINDS, planes, trick_weights
from borel.policies.weights_file import Arrays, write_weights

HELD_OUT = 4000


class Adam:
    """The optimiser, on a list of arrays."""

    def __init__(self, parameters: list[NDArray[np.float32]]) -> None:
        self.parameters = parameters
        self.first = [np.zeros_like(p) for p in parameters]
        self.second = [np.zeros_like(p) for p in parameters]
        self.steps = 0

    def step(self, gradients: list[NDArray[np.float32]], rate: float) -> None:
        """One step down the gradients."""
        self.steps += 1
        scale = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for p, g, m, v in zip(self.parameters, gradients, self.first, self.second, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            p -= np.float32(scale) * m / (np.sqrt(v) + 1e-8)


class Network:
    """Layers of rectified units and one output."""

    def __init__(self, sizes: list[int], random: np.random.Generator) -> None:
        self.parameters: list[NDArray[np.float32]] = []
        for a, b in pairwise(sizes):
            self.parameters += [
                (random.standard_normal((a, b)) * (2 / a) ** 0.5).astype(np.float32),
                np.zeros(b, np.float32),
            ]
        self.parameters[-1][:] = 6.5

    def forward(self, x: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """The values of every layer, the input first."""
        values = [x]
        for i in range(0, len(self.parameters), 2):
            x = x @ self.parameters[i] + self.parameters[i + 1]
            if i + 2 < len(self.parameters):
                x = np.maximum(x, 0)
            values.append(x)
        return values

    def gradients(self, x: NDArray[np.float32], y: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Of half the mean squared error."""
        values = self.forward(x)
        slope = (values[-1] - y[:, None]) / np.float32(len(y))
        result: list[NDArray[np.float32]] = []
        for i in range(len(self.parameters) - 2, -1, -2):
            layer = i // 2
            result = [values[layer].T @ slope, slope.sum(axis=0), *result]
            if layer:
                slope = (slope @ self.parameters[i].T) * (values[layer] > 0)
        return result


def batch_of(
    deals: NDArray[np.uint64],
    tricks: NDArray[np.int8],
    rows: NDArray[np.int64],
    random: np.random.Generator,
    *,
    notrump: bool,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A batch: one declarer and order of suits for each sixteenth of it."""
    xs, ys = [], []
    for part in np.array_split(rows, 16):
        declarer, order = int(random.integers(4)), tuple(int(s) for s in random.permutation(4))
        xs.append(planes(deals[part], declarer, order))
        ys.append(tricks[part, 4 if notrump else order[0], declarer])
    return np.concatenate(xs), np.concatenate(ys).astype(np.float32)


def fit(
    deals: NDArray[np.uint64], tricks: NDArray[np.int8], *, notrump: bool, epochs: int, width: int, seed: int
) -> tuple[Network, float]:
    """The network and its standard error on the deals held out."""
    random = np.random.default_rng(seed)
    network = Network([208, width, width // 4, 1], random)
    optimiser = Adam(network.parameters)
    train, test = np.arange(HELD_OUT, len(deals)), np.arange(HELD_OUT)
    passes = 4 if notrump else 16  # every declarer, and every trump suit
    steps, done, started = epochs * passes * len(train) // 1024, 0, time.time()
    for epoch in range(epochs):
        for _ in range(passes):
            for rows in np.array_split(random.permutation(train), len(train) // 1024):
                x, y = batch_of(deals, tricks, rows, random, notrump=notrump)
                optimiser.step(network.gradients(x, y), 1e-3 * 0.5 * (1 + np.cos(np.pi * min(1, done / steps))))
                done += 1
        x, y = batch_of(deals, tricks, test, random, notrump=notrump)
        error = float(np.sqrt(np.mean((network.forward(x)[-1][:, 0] - y) ** 2)))
        print(
            f"{'notrump' if notrump else 'suit'} epoch {epoch + 1}: {error:.3f} tricks, {time.time() - started:.0f} s",
            flush=True,
        )
    return network, error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bank", type=Path)
    parser.add_argument("--out", type=Path, default=trick_weights())
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--width", type=int, default=320)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    bank = Bank.open(options.bank)
    if len(bank) <= 2 * HELD_OUT:
        parser.error(f"{options.bank} has {len(bank):,} deals; {HELD_OUT:,} are held out, so more than twice that many")
    deals, tricks = bank.hands(), bank.tricks()
    arrays: Arrays = {}
    errors: dict[str, float] = {}
    for kind in KINDS:
        epochs = options.epochs * (2 if kind == "notrump" else 1)
        network, errors[kind] = fit(
            deals, tricks, notrump=kind == "notrump", epochs=epochs, width=options.width, seed=options.seed
        )
        for i, parameter in enumerate(network.parameters):
            arrays[f"{kind}_{'wb'[i % 2]}{i // 2}"] = parameter.astype(np.float16)
    settings = {name: getattr(options, name) for name in ("epochs", "width", "seed")}
    told = {"held_out": {"deals": HELD_OUT, "error": errors}, "settings": settings, "code": code_version()}
    write_weights(options.out, arrays, {"format": FORMAT, "data": f"a bank of {bank.name}"} | told)


if __name__ == "__main__":
    main()
