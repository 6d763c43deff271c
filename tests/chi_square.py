"""Whether two samples come from one distribution."""

from __future__ import annotations

import numpy as np


def alike(chi_square: float, degrees: int) -> bool:
    """Whether a chi-square is ordinary: below the 99.99% point, by Wilson and Hilferty's approximation."""
    return chi_square < degrees * (1 - 2 / (9 * degrees) + 3.72 * (2 / (9 * degrees)) ** 0.5) ** 3


def two_samples(first: np.ndarray, second: np.ndarray) -> tuple[float, int]:
    """Chi-square of two samples of small numbers coming from one distribution, rare numbers put together."""
    a, b = (np.bincount(values, minlength=64).astype(float) for values in (first, second))
    common = a + b >= 40
    a, b = (np.append(counts[common], counts[~common].sum()) for counts in (a, b))
    a, b = a[(both := a + b > 0)], b[both]
    k = (len(second) / len(first)) ** 0.5
    return float(((k * a - b / k) ** 2 / (a + b)).sum()), max(1, len(a) - 1)
