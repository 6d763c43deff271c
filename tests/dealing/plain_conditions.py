"""Conditions evaluated plainly in Python: dealer's operators turned into Python's, functions written out."""

from __future__ import annotations

import re
from functools import partial
from itertools import permutations
from types import SimpleNamespace

from borel import Card, Deal, Seat, Suit

SEATS = {"north": Seat.N, "east": Seat.E, "south": Seat.S, "west": Seat.W}
SUITS = {"spades": Suit.S, "hearts": Suit.H, "diamonds": Suit.D, "clubs": Suit.C}


def scale(**points):
    def value(hand, suit=None):
        return sum(
            hand.holding(s).count(rank) * n
            for s in ([suit] if suit is not None else Suit)
            for rank, n in points.items()
        )

    return value


def losers(hand, suit=None):
    suits = [suit] if suit is not None else list(Suit)
    return sum(1 for s in suits for rank in "AKQ"[: hand.length(s)] if rank not in hand.holding(s))


FUNCTIONS = {
    "hcp": scale(A=4, K=3, Q=2, J=1),
    "controls": scale(A=2, K=1),
    "losers": losers,
    "tens": scale(T=1),
    "jacks": scale(J=1),
    "queens": scale(Q=1),
    "kings": scale(K=1),
    "aces": scale(A=1),
    "top2": scale(A=1, K=1),
    "top3": scale(A=1, K=1, Q=1),
    "top4": scale(A=1, K=1, Q=1, J=1),
    "top5": scale(A=1, K=1, Q=1, J=1, T=1),
    "c13": scale(A=6, K=4, Q=2, J=1),
} | {f"{name}_length": partial(lambda suit, hand: hand.length(suit), suit) for name, suit in SUITS.items()}


def matches(shape, pattern):
    return all(p in ("x", str(n)) for p, n in zip(pattern, shape, strict=True))


def has_shape(hand, text):
    shape, inside = tuple(reversed(hand.lengths)), False
    for sign, any_order, pattern in re.findall(r"([+-]?)\s*(any)?\s*([0-9x]{4})", text):
        orders = set(permutations(pattern)) if any_order else {tuple(pattern)}
        if any(matches(shape, order) for order in orders):
            inside = sign != "-"
    return int(inside)


def evaluate(text: str, deal: Deal) -> int:
    """The value of a condition without variables, for one deal."""
    python = re.sub(r"\b(spades|hearts|diamonds|clubs)\(", r"\1_length(", text)
    python = re.sub(r"shape\((\w+),([^()]*)\)", r"shape(\1, '\2')", python)
    python = re.sub(r"hascard\((\w+),\s*(\w+)\)", r"hascard(\1, '\2')", python)
    python = (
        python.replace("&&", " and ").replace("||", " or ").replace("!=", "≠").replace("!", " not ").replace("≠", "!=")
    )
    hands = {name: deal.hand(seat) for name, seat in SEATS.items()}
    special = {"shape": has_shape, "hascard": lambda hand, card: int(Card.parse(card) in hand)}
    names = SimpleNamespace(**hands, **SUITS, **FUNCTIONS, **special)
    return int(eval(python, {"__builtins__": {}}, vars(names)))
