"""The registry: what each feature class means, takes, ranges over, and is worth on an example hand.

A feature is a class with its arguments written out: ``hcp``, ``hcp(S)``, ``points(H)``, ``points(H,S)``, ``fit(S,5)``.
The core computes them (core/hand_features.cpp); names, arguments and scales come from there, words from here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache

from borel import _core
from borel.cards import Hand, Strain, Suit
from borel.errors import ParseError
from borel.features.catalogue import CATALOGUE, Entry

__all__ = ["CLASSES", "Feature", "FeatureClass", "all_features", "parse_feature"]

WHOLE_HAND = 4  # the core's argument for "all four suits"
PARTNER_LENGTHS = range(14)


@dataclass(frozen=True)
class FeatureClass:
    """A family of features, such as high-card points of a suit or of the hand.

    >>> hcp = CLASSES["hcp"]
    >>> hcp.arguments, hcp.scale, hcp.bidi, len(hcp.features)
    ('A', 1, 'HCP', 5)
    """

    name: str
    index: int
    """The class's number in the core."""
    arguments: str
    """BIDI's letters: '' none, A suit or hand, S suit, TS, TA, T*A trump and suit, 2S two suits, SN suit and length."""
    scale: int
    """Integer values are this many times the number people say: 2 where halves are counted."""
    entry: Entry

    @property
    def doc(self) -> str:
        """What the feature says, in one line."""
        return self.entry.doc

    @property
    def bidi(self) -> str:
        """The name of the class in BIDI's appendix A; empty for those that are not there."""
        return self.entry.bidi

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """Every feature of the class. Of those with a length, partner's length runs from 0 to 13."""
        suits, scopes = [*Suit], [*Suit, None]
        forms: dict[str, list[tuple[Suit | Strain | int | None, ...]]] = {
            "": [()],
            "A": [(s,) for s in scopes],
            "S": [(s,) for s in suits],
            "TS": [(t, s) for t in suits for s in suits],
            "TA": [(t, s) for t in suits for s in scopes],
            "T*A": [(t, s) for t in Strain for s in scopes],
            "2S": [(s, t) for s in suits for t in suits if s != t],
            "SN": [(s, n) for s in suits for n in PARTNER_LENGTHS],
        }
        return tuple(Feature(self, arguments) for arguments in forms[self.arguments])


@dataclass(frozen=True)
class Feature:
    """One feature: a class and its arguments; None stands for the whole hand.

    >>> feature = parse_feature("quick_tricks(S)")
    >>> str(feature), feature.low, feature.high, feature.code
    ('quick_tricks(S)', 0.0, 2.0, (14, 3, 0))
    """

    cls: FeatureClass
    arguments: tuple[Suit | Strain | int | None, ...] = ()

    @property
    def scale(self) -> int:
        """Integer values are this many times the number people say."""
        return self.cls.scale

    @property
    def code(self) -> tuple[int, int, int]:
        """The feature for the core: class and two arguments."""
        numbers = [WHOLE_HAND if a is None else int(a) for a in self.arguments] + [0, 0]
        return self.cls.index, numbers[0], numbers[1]

    @property
    def _is_of_hand(self) -> bool:
        return not self.arguments or self.arguments[-1] is None

    @property
    def low(self) -> float:
        """The least value, in the units people use."""
        return float(self._range[0])

    @property
    def high(self) -> float:
        """The greatest value, in the units people use."""
        return float(self._range[1])

    @property
    def _range(self) -> tuple[float, float]:
        entry = self.cls.entry
        return entry.suit_range if entry.suit_range is not None and not self._is_of_hand else entry.range

    def of(self, hand: Hand) -> float:
        """The feature's value for a hand, in the units people use.

        >>> parse_feature("quick_tricks").of(Hand.parse("AQ5.KJ92.87.AT43"))
        3.0
        """
        from borel.features.compute import features

        return float(features([hand.mask], [self])[0, 0]) / self.scale

    def __str__(self) -> str:
        written = [a.name if isinstance(a, (Suit, Strain)) else str(a) for a in self.arguments if a is not None]
        return f"{self.cls.name}({','.join(written)})" if written else self.cls.name


def _classes() -> dict[str, FeatureClass]:
    """Join the core's list and the words about it; each must have the other."""
    numbered = enumerate(_core.feature_classes())
    return {name: FeatureClass(name, i, args, scale, CATALOGUE[name]) for i, (name, args, scale) in numbered}


CLASSES: dict[str, FeatureClass] = _classes()

_NAME = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:\(([^()]*)\))?\s*")
_HAND_WORDS = {"", "HAND", "ALL"}


@lru_cache(maxsize=4096)
def parse_feature(text: str) -> Feature:
    """Read a feature: ``hcp``, ``length(S)``, ``points(H,S)``, ``fast_losers(NT)``.

    >>> parse_feature("hpc")
    Traceback (most recent call last):
    borel.errors.ParseError: not a feature: 'hpc': did you mean hcp?
    """
    match = _NAME.fullmatch(text) if len(text) <= 80 else None
    if match is None:
        raise ParseError("feature", text, why="expected a name and arguments, such as hcp or length(S)")
    name, inside = match[1].lower(), match[2] or ""
    if name not in CLASSES:
        close = get_close_matches(name, CLASSES, n=1)
        raise ParseError("feature", text, why=f"did you mean {close[0]}?" if close else "no such name")
    cls = CLASSES[name]
    words = [word.strip().upper() for word in inside.split(",")] if inside.strip() else []
    return Feature(cls, _arguments(cls, words, text))


def _arguments(cls: FeatureClass, words: list[str], text: str) -> tuple[Suit | Strain | int | None, ...]:
    """The arguments of a feature, checked against what its class takes."""
    kinds = {"": [], "A": ["A"], "S": ["S"], "TS": ["S", "S"], "TA": ["S", "A"], "T*A": ["N", "A"],
             "2S": ["S", "S"], "SN": ["S", "L"]}[cls.arguments]  # fmt: skip
    if len(words) > len(kinds):
        raise ParseError("feature", text, why=f"{cls.name} takes {len(kinds) or 'no'} arguments, not {len(words)}")
    words = words + [""] * (len(kinds) - len(words))
    values = tuple(_argument(kind, word, cls.name, text) for kind, word in zip(kinds, words, strict=True))
    if cls.arguments == "2S" and values[0] == values[1]:
        raise ParseError("feature", text, why=f"{cls.name} takes two different suits")
    return values


def _argument(kind: str, word: str, name: str, text: str) -> Suit | Strain | int | None:
    if kind == "A" and word in _HAND_WORDS:
        return None
    if word == "":
        raise ParseError("feature", text, why=f"{name} needs a {'length' if kind == 'L' else 'suit'}")
    if kind == "L":
        if not (word.isascii() and word.isdigit() and len(word) <= 2 and int(word) in PARTNER_LENGTHS):
            raise ParseError("feature", text, why=f"{word!r} is not a length from 0 to 13")
        return int(word)
    return Strain.parse(word) if kind == "N" else Suit.parse(_SUIT_WORDS.get(word, word))


_SUIT_WORDS = {word: suit.name for suit in Suit for word in (suit.word.upper(), suit.word.upper()[:-1])}


def all_features(*, bidi: bool = False) -> tuple[Feature, ...]:
    """Every feature of every class; with `bidi`, the 250 of the paper's appendix A.

    >>> len(all_features(bidi=True))
    250
    """
    return tuple(feature for cls in CLASSES.values() if cls.bidi or not bidi for feature in cls.features)
