"""Conditions under which another call is better than the one a rule makes, and calls for which there is no rule."""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from borel.auction import CALL_NAMES
from borel.systems.hand import INDEX, LENGTHS
from fit_book import Book, Place

__all__ = ["report_finds", "report_missing"]

Floats = NDArray[np.float32]
GAME = (5, 5, 4, 4)
HAND = ("hcp", "points", "losers", "controls", "quick", "longest", "second-suit", "shortest", "balanced", "suits")
OF_SUIT = ("length", "quality", "hcp", "stopper", "points")


def _in_suit(place: Place, suit: int, jump: int) -> int:
    """The bid of a suit at the cheapest level, or so many levels higher; -2 stands for game."""
    level = (place.last_bid + 2 - suit - 3) // 5 + 1 if place.last_bid >= 3 else 1
    while 5 * (level - 1) + suit + 3 <= place.last_bid:
        level += 1
    level = GAME[suit] if jump == -2 and suit < 4 else level + jump
    call = 5 * (level - 1) + suit + 3
    return call if call <= 37 else -1


def _new_suit(place: Place, hand: Floats) -> int:
    """The longest suit nobody has named, the higher of two."""
    named = set(place.roles.values())
    free = [suit for suit in range(4) if suit not in named]
    return max(free, key=lambda suit: (hand[LENGTHS[suit]], suit), default=-1)


Relation = Callable[[Place, Floats], tuple[int, int]]  # the call and its suit, -1 for none


def _role(role: str, jump: int) -> Relation:
    def call(place: Place, _: Floats) -> tuple[int, int]:
        suit = place.roles.get(role, -1)
        return (_in_suit(place, suit, jump), suit) if suit >= 0 else (-1, -1)

    return call


def _new(jump: int) -> Relation:
    def call(place: Place, hand: Floats) -> tuple[int, int]:
        suit = _new_suit(place, hand)
        return (_in_suit(place, suit, jump), suit) if suit >= 0 else (-1, -1)

    return call


def _fixed(call: int) -> Relation:
    return lambda place, hand: (call, -1)


def _relations() -> dict[str, Relation]:
    found: dict[str, Relation] = {"pass": _fixed(0), "double": _fixed(1), "redouble": _fixed(2), "3NT": _fixed(17)}
    for jump, word in ((0, "cheapest"), (1, "jump"), (2, "double jump"), (-2, "game")):
        for role in ("partner", "first partner", "mine", "first mine", "theirs"):
            found[f"{word} {role}"] = _role(role, jump)
        if jump >= 0:
            found[f"{word} new suit"] = _new(jump)
            found[f"{word} NT"] = lambda place, hand, jump=jump: (_in_suit(place, 4, jump), -1)  # type: ignore[misc]
    return found


AUCTION = ("rho", "partner", "lho", "mine", "bids", "partner bids", "their bids", "raised", "they raised", "passed")


def _auction(place: Place) -> list[float]:
    """What kind of auction it is: the last calls (0 pass, 1 double, 2 redouble, 3 suit, 4 notrump) and who bid."""
    words = place.auction.split()
    kinds = [{"P": 0, "X": 1, "XX": 2}.get(word, 4 if word.endswith("NT") else 3) for word in words]
    last = [float(kinds[-back]) if len(kinds) >= back else -1.0 for back in (1, 2, 3, 4)]
    seats = [
        [word for i, word in enumerate(words) if (len(words) - i) % 4 == seat and kinds[i] > 2] for seat in range(4)
    ]
    named = [{word[1:] for word in seat} for seat in seats]
    passed = len(words) >= 4 and words[len(words) % 4] == "P" and not any(k > 2 for k in kinds[: len(words) % 4])
    return [
        *last,
        float(len(seats[0])),
        float(len(seats[2])),
        float(len(seats[1]) + len(seats[3])),
        float(bool(named[0] & named[2])),
        float(bool(named[1] & named[3])),
        float(passed),
    ]


def _columns(place: Place, hand: Floats, suit: int, call: int) -> list[float]:
    """The numbers that a find may speak of; -1 where there is no such suit."""
    partner, theirs = place.roles.get("partner", -1), place.roles.get("theirs", -1)
    row = [float(hand[INDEX[name]]) for name in HAND]
    for of in (suit, partner, theirs):
        row += [float(hand[INDEX[f"{name}({'CDHS'[of]})"]]) if of >= 0 else -1.0 for name in OF_SUIT]
    fit = hand[LENGTHS[suit]] + place.shown[f"partner {suit}"] if suit >= 0 else -1.0
    total = hand[INDEX["points"]] + place.shown["partner.min"]
    row += [float(fit), float(total), (place.last_bid + 2) // 5, place.shown["theirs.min"], (call + 2) // 5]
    return [*row, place.shown["partner.min"], *_auction(place)]


NAMES = (
    *HAND,
    *(f"{of}.{name}" for of in ("suit", "partner", "theirs") for name in OF_SUIT),
    "fit",
    "total",
    "their level",
    "theirs.min",
    "level",
    "partner.min",
    *(f"auction {name}" for name in AUCTION),
)


@dataclass(slots=True)
class Find:
    """A condition and what the other call would gain under it."""

    group: str
    relation: str
    condition: str
    tuned: tuple[int, int]
    held: tuple[int, int]
    examples: list[int]

    @property
    def worth(self) -> float:
        """Net gain less one standard error: what is likely to be true of other boards."""
        gained, lost = self.tuned
        return gained - lost - sqrt(gained + lost)


BEAM = 6


def _best_box(columns: Floats, gain: NDArray[np.int64]) -> list[str]:
    """The conjunction of up to four thresholds with the greatest gain less its standard error, by a narrow search."""
    boxes: list[tuple[float, NDArray[np.bool_], list[str]]] = [(_worth(gain), np.ones(len(gain), dtype=bool), [])]
    best = boxes[0]
    values = [np.unique(columns[:, number])[:40] for number in range(len(NAMES))]
    for _ in range(4):
        wider = []
        for _, inside, words in boxes:
            for number, name in enumerate(NAMES):
                column = columns[inside, number]
                for value in values[number]:
                    for sign, kept in ((">=", column >= value), ("<=", column <= value)):
                        if 0 < kept.sum() < len(kept):
                            wider.append(
                                (_worth(gain[inside][kept]), inside, number, f"{name} {sign} {value:g}", words)
                            )
        wider.sort(key=lambda item: -item[0])
        boxes = []
        for worth, inside, number, word, words in wider[:BEAM]:
            value = float(word.rsplit(" ", 1)[1])
            column = columns[:, number]
            boxes.append((worth, inside & (column >= value if ">=" in word else column <= value), [*words, word]))
        if not boxes or boxes[0][0] <= best[0]:
            break
        best = boxes[0]
    return best[2]


def _worth(gain: NDArray[np.int64]) -> float:
    return float(gain.sum() - sqrt(np.abs(gain).sum()))


def _find(group: str, relation: str, rows: list[tuple[int, list[float], int]], held: NDArray[np.bool_]) -> Find | None:
    cases = np.array([row[0] for row in rows])
    columns = np.array([row[1] for row in rows], dtype=np.float32)
    gain = np.array([row[2] for row in rows])
    out = held[cases]
    if (gain[~out] > 0).sum() < 4:
        return None
    words = _best_box(columns[~out], gain[~out])
    inside = np.ones(len(gain), dtype=bool)
    for word in words:
        name, sign, value = word.rsplit(" ", 2)
        column = columns[:, NAMES.index(name)]
        inside &= column >= float(value) if sign == ">=" else column <= float(value)

    def counts(fold: NDArray[np.bool_]) -> tuple[int, int]:
        return int((gain[inside & fold] > 0).sum()), int((gain[inside & fold] < 0).sum())

    examples = [int(case) for case in cases[inside & ~out & (gain > 0)][:3]]
    return Find(group, relation, ", ".join(words), counts(~out), counts(out), examples)


def report_finds(
    book: Book, features: Floats, right: list[bool], lines: list[str], texts: dict[str, str], args: argparse.Namespace
) -> None:
    """Print for each rule, pattern or stage the other calls that would gain, with the condition."""
    relations, held = _relations(), np.array(book.held)
    groups: dict[tuple[str, str], list[tuple[int, list[float], int]]] = defaultdict(list)
    for case, number in enumerate(book.place_of):
        place = book.places[number]
        auction = place.pattern.partition(": ")[2] or place.pattern  # whoever dealt
        group = {"line": lines[case], "pattern": auction, "stage": place.stage}[args.by]
        if args.grep and not re.search(
            args.grep, f"{place.stage} | {place.pattern} | {lines[case]} | {texts.get(lines[case])}"
        ):
            continue
        seen = set()
        for name, relation in relations.items():
            call, suit = relation(place, features[case])
            if call < 0 or call in seen or not place.legal >> call & 1:
                continue
            seen.add(call)
            gain = int(call == book.expected[case]) - int(right[case])
            groups[group, name].append((case, _columns(place, features[case], suit, call), gain))
    finds = [find for (group, name), rows in groups.items() if (find := _find(group, name, rows, held)) is not None]
    finds.sort(key=lambda find: -find.worth)
    for find in finds[: args.shown]:
        (gained, lost), (also, against) = find.tuned, find.held
        print(
            f"{gained - lost:+4d} (+{gained} -{lost})  held {also - against:+d} (+{also} -{against})  {find.relation}:"
        )
        print(f"      {find.condition}\n      instead of {find.group}   {texts.get(find.group, '')}")
        for case in find.examples:
            auction = book.places[book.place_of[case]].auction
            print(f"        {book.hands[case]:18} [{auction}] {CALL_NAMES[book.expected[case]]}")


def report_missing(book: Book, features: Floats, *, shown: int) -> None:
    """Print the calls made most often for which the position has no option, with the hands that make them."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for case, number in enumerate(book.place_of):
        place, call = book.places[number], book.expected[case]
        if not book.held[case] and not any(choice.call == call for choice in place.choices):
            name = CALL_NAMES[call]
            found[place.pattern, name.replace("S", "M").replace("H", "M").replace("D", "m").replace("C", "m")].append(
                case
            )
    for (pattern, call), cases in sorted(found.items(), key=lambda item: -len(item[1]))[:shown]:
        rows = features[cases]
        points = rows[:, INDEX["hcp"]]
        lengths = " ".join(
            f"{suit} {rows[:, index].min():.0f}-{rows[:, index].mean():.1f}-{rows[:, index].max():.0f}"
            for suit, index in zip("CDHS", LENGTHS, strict=True)
        )
        strength = f"hcp {points.min():.0f}-{points.mean():.1f}-{points.max():.0f}"
        print(f"{len(cases):3d}  {pattern} - {call}: {strength}; {lengths}")
        for case in cases[:2]:
            print(_example(book, case))


def _example(book: Book, case: int) -> str:
    auction = book.places[book.place_of[case]].auction
    return f"        {book.hands[case]:18} [{auction}] {CALL_NAMES[book.expected[case]]}"
