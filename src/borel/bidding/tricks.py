"""A fast estimate of double-dummy tricks, for where the solver is too slow to be asked: microseconds a contract.

Two small networks (suit contracts and notrump) look at the four hands as declarer sees the table: declarer, left-hand
opponent, dummy, right-hand opponent; trumps first. They were fitted by ``benchmarks/fit_tricks.py``, which also says
how well they do on deals they have not seen.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.cards import Seat, Strain

__all__ = ["SPREAD", "estimate_tricks", "planes", "trick_chances"]

SPREAD = {False: 0.62, True: 1.0}  # standard error of the estimate in a suit, in notrump; see fit_tricks.py


@cache
def _network(kind: str) -> _core.TrickNet:
    """In the core: linear algebra libraries start threads, which wait for one another on a busy machine."""
    data = files("borel.bidding").joinpath("tricks.npz").read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        layers = [arrays[f"{kind}_{part}{i}"].astype(np.float32) for i in range(3) for part in "wb"]
    return _core.TrickNet(*layers)


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
