"""The features of `borel.features` as words of the rule language: which arguments a word takes, and its number."""

from __future__ import annotations

from borel.features import CLASSES, FeatureClass
from borel.systems.hand import BASE, REGISTRY

__all__ = ["number_of", "takes"]

_INDEX = {feature.code: BASE + place for place, feature in enumerate(REGISTRY)}
_WHOLE_HAND = 4
_ARITY = {"": (0, 0), "A": (0, 1), "S": (1, 1), "TS": (2, 2), "TA": (1, 2), "T*A": (1, 2), "2S": (2, 2), "SN": (2, 2)}


def takes(name: str) -> tuple[int, int] | None:
    """The least and greatest number of arguments of a registry word; None where there is no such word.

    >>> takes("kaplan_rubens"), takes("new_losers"), takes("law_level"), takes("beauty")
    ((0, 0), (0, 1), (2, 2), None)
    """
    found = CLASSES.get(name)
    return _ARITY[found.arguments] if found else None


def number_of(name: str, arguments: tuple[int, ...]) -> tuple[int, int]:
    """The place of a registry feature in a wide vector, and its scale; -1 where the arguments do not fit.

    >>> from borel.systems.hand import name_of
    >>> name_of(number_of("new_losers", (3,))[0]), name_of(number_of("law_level", (3, 5))[0])
    ('new_losers(S)', 'law_level(S,5)')
    """
    found: FeatureClass = CLASSES[name]
    numbers = list(arguments)
    if found.arguments in ("A", "TA", "T*A"):
        numbers += [_WHOLE_HAND] * (len(found.arguments.replace("*", "")) - len(numbers))
    numbers += [0] * (2 - len(numbers))
    return _INDEX.get((found.index, numbers[0], numbers[1]), -1), found.scale
