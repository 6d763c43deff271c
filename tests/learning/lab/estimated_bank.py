"""Results that are estimated: quick to make, and smooth enough to learn from."""

import numpy as np

from borel import _core


def estimated(masks):
    """Tricks as a table of points and trumps gives them (compare Prorok 2003, 8.5.1)."""
    numbers = _core.hand_numbers(masks.reshape(-1)).reshape(len(masks), 4, -1)
    both = numbers + np.roll(numbers, 2, axis=1)
    points, lengths = both[:, :, 4], both[:, :, :4]
    suits = (points - 20) / 2.8 + 6.5 + (lengths.transpose(2, 0, 1) - 6.5) * 0.7
    notrump = (points - 20) / 2.5 + 6.1
    tricks = np.concatenate([suits, notrump[None]]).transpose(1, 0, 2)
    return np.rint(tricks).clip(0, 13).astype(np.int8)
