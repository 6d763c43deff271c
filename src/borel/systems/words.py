"""Conditions in the words of players, so that what a rule says and what is said about it cannot disagree."""

from __future__ import annotations

from borel.systems.box import Box
from borel.systems.constraints import ANYTHING, NOTHING, All, Constraint, Either, Range
from borel.systems.hand import BASE, FEATURES, HCP, INDEX, LENGTHS, POINTS, RANGES, name_of, scale_of

__all__ = ["ANY_HAND", "box_words", "constraint_words", "joined"]

ANY_HAND = "any hand"
_SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_NAMES = {
    "hcp": "HCP", "points": "points", "aces": "aces", "kings": "kings", "queens": "queens", "controls": "controls",
    "quick": "quick tricks", "losers": "losers", "longest": "cards in the longest suit", "opening": "opening points",
    "playing": "playing tricks", "suits": "suits of four or more", "rule20": "on the rule of 20",
    "rule15": "on the rule of 15", "shortest": "cards in the shortest suit",
}  # fmt: skip
_OF_SUIT = {
    "length": "{s}", "hcp": "HCP in {s}", "top3": "of the top three {s}", "honors": "honours in {s}",
    "keycards": "keycards for {s}", "points": "support points for {s}", "quality": "quality in {s}",
    "losers": "losers in {s}", "controls": "controls in {s}", "quick": "quick tricks in {s}",
    "shortness": "short suits beside {s}",
}  # fmt: skip
_TRUTHS = {"ace": "the ace of {s}", "king": "the king of {s}", "queen": "the queen of {s}", "longest": "longest {s}",
           "stopper": "a stopper in {s}", "solid": "solid {s}", "first": "first-round control of {s}",
           "second": "control of {s}", "jack": "the jack of {s}", "ten": "the ten of {s}"}  # fmt: skip


def joined(texts: list[str]) -> str:
    """Several meanings of one call as a player would say them: what they share once, what is general alone.

    >>> joined(["diamonds, four or more", "diamonds, three with 4-4 in the majors"])
    'diamonds, four or more or three with 4-4 in the majors'
    >>> joined(["takeout, very strong", "takeout: both majors", "takeout"])
    'takeout'
    >>> joined(["six cards, game", "invites"])
    'six cards, game; or invites'
    >>> joined(["five good hearts", "five hearts"])
    'five hearts'
    """
    words = {text: set(text.split()) for text in texts}
    texts = [text for text in texts if not any(words[other] < words[text] for other in texts)]
    tails: dict[str, list[str]] = {}
    for text in texts:
        head, mark, tail = min((text.partition(mark) for mark in (", ", ": ")), key=lambda parts: len(parts[0]))
        tails.setdefault(head, []).append(f"{mark}{tail}")
    said = []
    for head, rest in tails.items():
        marks = {tail[:2] for tail in rest}
        if "" in rest or (len(rest) > 1 and len(marks) > 1):
            said.append(head)
        else:
            said.append(f"{head}{rest[0]}{''.join(f' or {tail[2:]}' for tail in rest[1:3])}")
    return ("; or " if any("," in text for text in said) else " or ").join(said[:3])


def band(low: float, high: float, index: int | None = None) -> str:
    """A range as players write it: ``15-17``, ``5+``, ``at most 3``, ``4``."""
    least, most = RANGES[index] if index is not None else (0, float("inf"))
    if low == high:
        return f"{low:g}"
    if high >= most:
        return f"{low:g}+"
    return f"at most {high:g}" if low <= least and least == 0 and index in LENGTHS else f"{max(low, least):g}-{high:g}"


def _split(index: int) -> tuple[str, str]:
    if index >= BASE:
        name, _, inside = name_of(index).partition("(")
        suits = [_SUITS.get(word, word) for word in inside.rstrip(")").split(",") if word]
        return " ".join([name.replace("_", " "), *(["of", *suits] if suits else [])]), ""
    name = FEATURES[index]
    return (name[:-3], _SUITS[name[-2]]) if name.endswith(")") else (name, "")


def _range_words(part: Range) -> str:
    if len(part.terms) > 1:
        return _sum_words(part)
    index = part.terms[0][0]
    name, suit = _split(index)
    if index >= BASE:
        scale, most = scale_of(index), RANGES[index][1]
        high = float("inf") if part.high >= most else part.high / scale
        return f"{band(max(part.low, RANGES[index][0]) / scale, high)} {name}"
    if name in ("balanced", "semibalanced"):
        text = "balanced" if name == "balanced" else "semi-balanced"
        return text if part.low >= 1 else f"not {text}"
    if name == "shape":
        return f"shape {part.low:04g}"
    if suit and name in _TRUTHS:
        positive = part.low >= (2 if name == "stopper" else 1)
        return ("" if positive else "not ") + _TRUTHS[name].format(s=suit)
    label = _OF_SUIT.get(name, f"{name} {{s}}").format(s=suit) if suit else _NAMES.get(name, name)
    text = band(part.low, part.high, index)
    return f"{text}{label}" if name == "length" and not text.startswith("at") else f"{text} {label}"


def _sum_words(part: Range) -> str:
    plus = [_term(i) if w == 1 else f"{w:g} {_term(i)}" for i, w in part.terms if w > 0]
    minus = [_term(i) for i, w in part.terms if w == -1]
    if len(plus) == 1 and len(minus) == 1 and part.high == float("inf"):
        relation = {0.0: "at least as many {} as {}", 1.0: "more {} than {}"}.get(
            part.low, f"{{}} {part.low:g} over {{}}"
        )
        return relation.format(plus[0], minus[0])
    if len(plus) == 1 and len(minus) == 1 and part.low == -float("inf"):
        relation = {0.0: "at least as many {} as {}", -1.0: "more {} than {}"}.get(
            part.high, f"{{}} {-part.high:g} over {{}}"
        )
        return relation.format(minus[0], plus[0])
    return f"{band(part.low, part.high)} {' + '.join(plus)}" + "".join(f" - {name}" for name in minus)


def _term(index: int) -> str:
    return _label(index).removeprefix("on the ")


def _label(index: int) -> str:
    name, suit = _split(index)
    return (
        (suit if name == "length" else _OF_SUIT.get(name, f"{name} {{s}}").format(s=suit))
        if suit
        else _NAMES.get(name, name)
    )


def constraint_words(constraint: Constraint) -> str:
    """A condition in words: ``15-17 HCP, balanced``."""
    if constraint == ANYTHING:
        return ANY_HAND
    if constraint == NOTHING:
        return "no hand"
    if isinstance(constraint, Range):
        return _range_words(constraint)
    if isinstance(constraint, All):
        return ", ".join(constraint_words(part) for part in constraint.parts)
    assert isinstance(constraint, Either)
    if (excluded := _excluded_shape(constraint)) is not None:
        return f"not shape {excluded:04g}"
    return " or ".join(
        f"({constraint_words(part)})" if isinstance(part, All) else constraint_words(part) for part in constraint.parts
    )


def _excluded_shape(constraint: Either) -> float | None:
    """The one shape that is left out, if a condition is that and no more: shapes below it, or above it."""
    parts = [part for part in constraint.parts if isinstance(part, Range) and part.terms == ((INDEX["shape"], 1.0),)]
    if len(parts) != 2 or len(constraint.parts) != 2:
        return None
    below, above = sorted(parts, key=lambda part: part.low)
    return below.high + 1 if below.low <= 0 and above.high >= 9999 and above.low == below.high + 2 else None


_SHOWN = ("aces", "kings")


def box_words(box: Box) -> str:
    """What a seat has shown: ``12-21 points, 5+♥``; nothing while it may have any hand."""
    parts = []
    for index in (HCP, POINTS):
        low, high = box.low[index], box.high[index]
        if low > 0 or high < RANGES[index][1]:
            parts.append(_strength(index, low, high))
    if len(parts) == 2 and box.low[HCP] == box.low[POINTS]:
        parts = parts[:1] if box.high[HCP] < 37 else parts[1:]
    if box.low[INDEX["balanced"]] >= 1:
        parts.append("balanced")
    for suit in (3, 2, 1, 0):
        index = LENGTHS[suit]
        low, high = box.low[index], box.high[index]
        if low >= 3 or (high <= 4 and box.low[INDEX["balanced"]] < 1) or high <= 2:
            parts.append(_range_words(Range(((index, 1.0),), low, high)))
    for name in _SHOWN:
        index = INDEX[name]
        if box.low[index] > 0 or box.high[index] < 4:
            parts.append(f"{band(box.low[index], box.high[index], index)} {name}")
    return ", ".join(parts)


def _strength(index: int, low: float, high: float) -> str:
    text = f"{low:g}+" if high >= 37 - 3 else f"{low:g}-{high:g}" if low != high else f"{low:g}"
    return f"{text} {_NAMES[FEATURES[index]]}"
