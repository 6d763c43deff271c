"""The functions of dealing conditions: which feature of a hand each of dealer's names asks for.

Every other feature of `borel.features` can be asked for by its own name, the seat first: ``balanced(north)``,
``stopper(south, hearts)``, ``fit(north, spades, 5)``. Values are whole numbers; where a feature counts halves or
hundredths the condition does too, as dealer's own ``cccc`` and ``quality`` do.
"""

from __future__ import annotations

from borel.cards import Seat, Strain, Suit
from borel.features import CLASSES

__all__ = ["FEATURES", "LENGTHS", "POINT_SCALES", "SEATS", "STRAINS", "SUITS", "UNSUPPORTED", "known_functions"]

SEATS: dict[str, Seat] = {word: seat for seat in Seat for word in (seat.word.lower(), seat.name.lower())}
SUITS: dict[str, Suit] = {
    word: suit for suit in Suit for word in (suit.word, suit.word.removesuffix("s"), suit.name.lower())
}
STRAINS: dict[str, Strain] = {word: suit.strain for word, suit in SUITS.items()} | dict.fromkeys(
    ("notrumps", "notrump", "nt", "n"), Strain.NT
)

LENGTHS: dict[str, Suit] = {word: suit for word, suit in SUITS.items() if len(word) > 1}

POINT_SCALES: tuple[str, ...] = ("tens", "jacks", "queens", "kings", "aces", "top2", "top3", "top4", "top5", "c13")
"""Dealer's point counts in the order of their numbers, which `altcount` and ``pt0`` to ``pt9`` use."""

FEATURES: dict[str, str] = (
    {name: name for name in CLASSES}
    | {"top5": "honours"}
    | {f"pt{i}": "honours" if name == "top5" else name for i, name in enumerate(POINT_SCALES)}
    | {"quality": "kr_quality", "cccc": "kaplan_rubens", "hcps": "hcp", "control": "controls", "loser": "losers"}
    | {"ten": "tens", "jack": "jacks", "queen": "queens", "king": "kings", "ace": "aces"}
)
"""The feature class behind each name."""

UNSUPPORTED: dict[str, str] = {
    "rnd": "random numbers are not available in conditions: the same seed must give the same deals",
}


def known_functions() -> set[str]:
    """Every name that may stand before an opening parenthesis."""
    return {"shape", "hascard", "tricks", "trick", "score", "imps", "imp", *LENGTHS, *FEATURES, *UNSUPPORTED}
