"""The book that `fit_rules.py` reads: every case with the options of its position, the hand's features and the answer.

To make it takes some four minutes of processor time for WBridge5.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidding import in_fold, pattern
from bidding_cases import Case, stage
from borel.policies.rules import RuleBidder
from borel.systems.constraints import Constraint
from borel.systems.context import Context
from borel.systems.decision_net import refines
from borel.systems.hand import BASE, LENGTHS, POINTS, features_of_batch
from borel.systems.options import Option
from borel.systems.recall import legal_calls

__all__ = ["Book", "Choice", "Place", "best_of", "read_book"]


@dataclass(slots=True, eq=False)
class Choice:
    """An option of a position: the source line that gives it, its call, and the hands that make it."""

    line: str
    call: int
    constraint: Constraint
    rank: tuple[int, int]  # agreements before principles, then by falling priority
    order: int


@dataclass(slots=True)
class Place:
    """A point of an auction: its options, and the call made where none of them takes the hand."""

    auction: str
    pattern: str
    stage: str
    roles: dict[str, int]  # suits that partner, this hand and the opponents have named
    shown: dict[str, float]  # what partner and they have promised: points, and partner's length in each suit
    choices: list[Choice]
    resort: int
    last_bid: int
    legal: int  # a bit set of calls
    context: Context  # what the auction has said


@dataclass(slots=True)
class Book:
    """All cases of a set."""

    places: list[Place] = field(default_factory=list)
    place_of: list[int] = field(default_factory=list)  # of each case
    masks: list[int] = field(default_factory=list)
    expected: list[int] = field(default_factory=list)
    held: list[bool] = field(default_factory=list)
    hands: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)  # the source of each line

    def add(self, case: Case, place: int) -> None:
        """Keep a case."""
        self.place_of.append(place)
        self.masks.append(case.hand.mask)
        self.expected.append(case.expected.index)
        self.held.append(in_fold(case, "held"))
        self.hands.append(str(case.hand))

    def features(self) -> NDArray[np.float32]:
        """[n, features] of the cases' hands."""
        return features_of_batch(np.array(self.masks, dtype=np.uint64))[:, :BASE]


def best_of(admitted: list[Choice]) -> Choice | None:
    """The option that the plain bidder takes: the first in file order of the most specific ones of the first rank."""
    if not admitted:
        return None
    first = min(choice.rank for choice in admitted)
    same = [choice for choice in admitted if choice.rank == first]
    if len(same) == 1:
        return same[0]
    specific = [choice for choice in same if not any(_narrower(other, choice) for other in same if other is not choice)]
    return min(specific or same, key=lambda choice: choice.order)


def _narrower(one: Choice, other: Choice) -> bool:
    return refines(one.constraint, other.constraint) and not refines(other.constraint, one.constraint)


def read_book(cases: list[Case], system: str) -> Book:
    """Every case with the options of its position."""
    bidder, book, known = RuleBidder(system), Book(), {}
    for number, case in enumerate(cases):
        key = str(case.auction)
        if key not in known:
            known[key] = len(book.places)
            book.places.append(_place(bidder, case, book.texts))
        book.add(case, known[key])
        if number % 5000 == 0:
            print(f"  {number} cases read", flush=True)
    return book


def _place(bidder: RuleBidder, case: Case, texts: dict[str, str]) -> Place:
    auction = case.auction
    position = bidder.position(auction, case.vulnerability, auction.turn.side)
    context = position.context
    for option in position.options:
        texts.setdefault(_line(option), " ".join(option.rule.source.split()))
    choices = [
        Choice(_line(option), option.call, option.constraint, (tier, -option.priority), option.order)
        for tier, options in enumerate((position.agreements, position.principles))
        for option in options
    ]
    resort = min(context.last_bid + 1, 37) if context.forced(context.turn) else 0
    calls = tuple(call.index for call in auction.calls)
    return Place(
        str(auction),
        pattern(auction),
        stage(auction),
        _roles(calls),
        _shown(context),
        choices,
        resort,
        context.last_bid,
        legal_calls(position.scene),
        context,
    )


def _shown(context: Context) -> dict[str, float]:
    partner = context.shown[(context.turn + 2) % 4]
    shown = {"partner.min": partner.low[POINTS], "partner.max": partner.high[POINTS]}
    shown |= {f"partner {suit}": partner.low[index] for suit, index in enumerate(LENGTHS)}
    shown["theirs.min"] = sum(context.shown[(context.turn + i) % 4].low[POINTS] for i in (1, 3))
    return shown


def _line(option: Option) -> str:
    place = option.rule.place
    return f"{'/'.join(Path(place.file).parts[-2:])}:{place.line}"


def _roles(calls: tuple[int, ...]) -> dict[str, int]:
    """The suits by who has named them, seen from the seat to call."""
    roles: dict[str, int] = {}
    for back, call in enumerate(reversed(calls), 1):
        if call < 3 or (call - 3) % 5 == 4:
            continue
        who = {0: "mine", 1: "theirs", 2: "partner", 3: "theirs"}[back % 4]
        roles.setdefault(who, (call - 3) % 5)
        roles[f"first {who}"] = (call - 3) % 5
    return roles
