"""The trick network: how many tricks each declarer probably takes, where the solver is too slow to be asked.

Two small networks (suit contracts and notrump) look at the four hands as declarer sees the table: declarer, left-hand
opponent, dummy, right-hand opponent; trumps first. ``benchmarks/fit_tricks.py`` fits them on a bank of solved deals;
``benchmarks/trick_estimate.py`` says how well they do on deals they have not seen. Their word is for rollouts and
training: results that are reported are always scored exactly.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.cards import Seat, Strain
from borel.policies.weights_file import read_weights

__all__ = ["FORMAT", "KINDS", "SPREAD", "estimate_tricks", "planes", "trick_chances", "trick_table", "trick_weights"]

FORMAT = "borel-tricks"
KINDS = ("suit", "notrump")
SPREAD = {False: 0.62, True: 1.0}  # standard error of the estimate in a suit, in notrump, on deals held out


def trick_weights() -> Path:
    """The package's file of weights; its manifest says what they were fitted to and how well."""
    return Path(str(files("borel.policies").joinpath("tricks.safetensors")))


@cache
def _network(kind: str) -> _core.TrickNet:
    """In the core: linear algebra libraries start threads, which wait for one another on a busy machine."""
    arrays, _ = read_weights(trick_weights(), FORMAT, "a trick network")
    return _core.TrickNet(*(arrays[f"{kind}_{part}{i}"].astype(np.float32) for i in range(3) for part in "wb"))


def planes(hands: NDArray[np.uint64], declarer: int, order: tuple[int, int, int, int]) -> NDArray[np.float32]:
    """[n, 208]: a one for each card held; hands from declarer clockwise, suits in the order given, ranks upwards."""
    turned = hands[:, [(declarer + turn) % 4 for turn in range(4)]]
    cards = np.array([13 * suit + rank for suit in order for rank in range(13)], dtype=np.uint64)
    bits = (turned[:, :, None] >> cards) & np.uint64(1)
    return np.asarray(bits.reshape(len(hands), 208), dtype=np.float32)


def estimate_tricks(hands: NDArray[np.uint64], strain: Strain, declarer: Seat) -> NDArray[np.float64]:
    """[n]: the tricks that declarer probably takes double dummy in each of [n, 4] deals."""
    trump = strain.suit
    order = (0, 1, 2, 3) if trump is None else (int(trump), *(suit for suit in range(4) if suit != trump))
    network = _network("notrump" if trump is None else "suit")
    return np.asarray(network.estimate(np.ascontiguousarray(hands), int(declarer), order))


def trick_chances(estimates: NDArray[np.float64], spread: float) -> NDArray[np.float64]:
    """[n, 14]: the chance of each number of tricks around an estimate: a rounded normal distribution."""
    away = (np.arange(14)[None, :] - estimates[:, None]) / spread
    density = np.exp(-0.5 * away**2)
    return np.asarray(density / density.sum(axis=1, keepdims=True))


def trick_table(hands: NDArray[np.uint64]) -> NDArray[np.float64]:
    """[n, strain, declarer, 14]: the chance of each number of tricks in all 20 contracts of each of [n, 4] deals.

    >>> from borel import Deal
    >>> deal = Deal.parse("N:AKQ92.A54.K3.Q87 T8.K9.JT974.JT64 J765.876.AQ6.AK3 43.QJT32.852.952")
    >>> chances = trick_table(np.array([[hand.mask for hand in deal.hands]], dtype=np.uint64))[0, Strain.S, Seat.N]
    >>> int(chances.argmax()), bool(chances[12] > 0.5)
    (12, True)
    """
    rows = [
        [trick_chances(estimate_tricks(hands, strain, declarer), SPREAD[strain is Strain.NT]) for declarer in Seat]
        for strain in Strain
    ]
    return np.asarray(rows).transpose(2, 0, 1, 3)
