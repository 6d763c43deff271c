"""How fast each position learns, epoch by epoch: the five ways of Prorok 2003, 8.7.1, and two that it mentions."""

from __future__ import annotations

from math import pi, sin
from random import Random

from borel.errors import BridgeError

__all__ = ["SCHEDULES", "rates_at"]

SCHEDULES = ("constant", "decreasing", "alternating", "crossing", "random", "sine", "waiting")
LAST_SHARE = 0.02  # of the first rate, at the end of a decreasing schedule
FAST, SLOW = 2.0, 0.2  # shares of the rate of whoever learns now, and of the others
CROSSING = {"opener": (0.92, 256 / 1024), "responder": (1.1, 0.01 / 1024)}  # Fig. 27: E medium, W low; 25 steps
CROSSING_STEPS = 25
WAIT = 0.25  # share of the run in which a pre-trained opener learns nothing (8.7.1)
PERIOD = 0.1  # of a sine wave, as a share of the run


def rates_at(schedule: str, rate: float, calls: int, share: float, *, epoch: int = 0, seed: int = 1) -> list[float]:
    """The learning rate of each position when ``share`` of the run is over.

    >>> [round(rate, 4) for rate in rates_at("decreasing", 0.1, 2, 0.5)]
    [0.0141, 0.0141]
    """
    if schedule not in SCHEDULES:
        raise BridgeError(f"no schedule {schedule[:40]!r}: there are {', '.join(SCHEDULES)}")
    if schedule == "waiting":  # opener waits until responder has learnt what he is told, then both slow down
        return [0.0 if position % 2 == 0 and share < WAIT else rate * LAST_SHARE**share for position in range(calls)]
    if schedule == "decreasing":
        return [rate * LAST_SHARE**share] * calls
    if schedule == "alternating":
        return [rate * (FAST if position % 2 == epoch % 2 else SLOW) for position in range(calls)]
    if schedule == "crossing":
        step = 1 + share * (CROSSING_STEPS - 1)
        both = [first * factor**step for factor, first in CROSSING.values()]
        return [min(1.0, both[position % 2]) for position in range(calls)]
    if schedule == "random":
        chance = Random(f"{seed}:{epoch}")
        return [rate * 2 * chance.random() for _ in range(calls)]
    if schedule == "sine":
        return [rate * (1 + 0.9 * sin(2 * pi * (share / PERIOD + position / calls))) for position in range(calls)]
    return [rate] * calls
