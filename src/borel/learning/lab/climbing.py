"""The climbing game (Claus and Boutilier 1998; Prorok 2003, 6.5): two players, three actions each, one common payment.

The best pair of actions pays 11, but whoever tries its half alone pays 30. Independent learners settle for 7; learners
who watch the joint action, and hope for the best of it (Eq. 6), find 11.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["PAYMENTS", "ClimbingSettings", "climb"]

PAYMENTS = np.array([[11.0, -30.0, 0.0], [-30.0, 7.0, 6.0], [0.0, 0.0, 5.0]])


@dataclass(frozen=True, slots=True)
class ClimbingSettings:
    """``joint`` learners use Eq. 6 with ``rho``; all choose by Boltzmann's chances, cooling from one warmth to another.

    ``fall`` below 1 makes independent learners hysteretic.
    """

    steps: int = 2000
    rate: float = 0.1
    warmth: tuple[float, float] = (16.0, 0.5)
    joint: bool = False
    rho: float = 0.5
    fall: float = 1.0


def climb(settings: ClimbingSettings, *, pairs: int = 100, seed: int = 1) -> NDArray[np.float64]:
    """[steps, pairs]: what the greedy actions of each pair would have paid after each step."""
    rng = np.random.default_rng(seed)
    rows = np.arange(pairs)
    shape = (2, pairs, 3, 3) if settings.joint else (2, pairs, 3)
    values = rng.random(shape) * 0.01
    counts = np.ones((2, pairs, 3))  # how often each has seen partner's actions
    paid = np.zeros((settings.steps, pairs))
    for step in range(settings.steps):
        warmth = settings.warmth[0] * (settings.warmth[1] / settings.warmth[0]) ** (step / settings.steps)
        wanted = [_wanted(values[who], counts[who], settings) for who in (0, 1)]
        noise = -np.log(rng.exponential(size=(2, pairs, 3)))
        one, other = ((wanted[who] / warmth + noise[who]).argmax(axis=1) for who in (0, 1))
        payment = PAYMENTS[one, other]
        for who, (own, partner) in enumerate(((one, other), (other, one))):
            at = (who, rows, own, partner) if settings.joint else (who, rows, own)
            surprise = payment - values[at]
            values[at] += settings.rate * np.where(surprise < 0, settings.fall, 1.0) * surprise
            counts[who, rows, partner] += 1
        best = [_wanted(values[who], counts[who], settings).argmax(axis=1) for who in (0, 1)]
        paid[step] = PAYMENTS[best[0], best[1]]
    return paid


def _wanted(
    values: NDArray[np.float64], counts: NDArray[np.float64], settings: ClimbingSettings
) -> NDArray[np.float64]:
    """[pairs, 3]: what a player thinks of its own actions."""
    if not settings.joint:
        return values
    usual = (values * counts[:, None, :]).sum(axis=2) / counts.sum(axis=1, keepdims=True)
    return np.asarray(settings.rho * values.max(axis=2) + (1 - settings.rho) * usual)
