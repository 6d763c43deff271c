"""What was worked out before, as much of it as there is room for; the oldest is let go, one for each that comes.

Letting go of everything at once when a table is full would be shorter, but frees tens of thousands of objects at one
moment: a tenth of a second and more, which some decision would have to pay (measured: 0.71 s for one of 0.25).
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

__all__ = ["Remembered"]

Key = TypeVar("Key")
Value = TypeVar("Value")


class Remembered(OrderedDict[Key, Value]):
    """A dictionary of at most so many things.

    >>> known = Remembered[str, int](2)
    >>> known.keep("a", 1), known.keep("b", 2), known.keep("c", 3)
    (1, 2, 3)
    >>> list(known)
    ['b', 'c']
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __reduce__(self) -> tuple[type[Remembered[Key, Value]], tuple[int]]:
        return Remembered, (self.most,)  # a copy begins anew: much is filed by identity

    def keep(self, key: Key, value: Value) -> Value:
        """Remember a value, and give it back."""
        if len(self) >= self.most:
            self.popitem(last=False)
        self[key] = value
        return value
