"""Decisions of others to compare a bidder with, read from the folder that BOREL_DATA names.

Each case is one call: a hand, the auction so far, and what a table, a teacher or another program called there.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from borel.auction import ALL_CALLS, Auction, Call
from borel.cards import Card, Hand, Rank, Seat, Strain, Suit
from borel.deal import Deal, Vulnerability

__all__ = ["Case", "bank_deals", "data_folder", "lessons_cases", "sayc_cases", "stage", "wbridge5_cases"]


@dataclass(frozen=True, slots=True)
class Case:
    """One decision: what was held, what had been called, and the call that was made."""

    source: str
    topic: str
    hand: Hand
    auction: Auction
    vulnerability: Vulnerability
    expected: Call


def data_folder() -> Path:
    """The folder with the material, from the environment variable BOREL_DATA."""
    folder = os.environ.get("BOREL_DATA")
    if not folder:
        raise SystemExit("set BOREL_DATA to the folder with sayc/, lessons/ and wbridge5/")
    return Path(folder)


def sayc_cases(folder: Path) -> Iterator[Case]:
    """The decisions of sayc/dev.jsonl; North deals."""
    with (folder / "sayc" / "dev.jsonl").open() as lines:
        for number, line in enumerate(lines, 1):
            item = json.loads(line)
            yield Case(
                source=f"sayc:{number}",
                topic=item["topic"],
                hand=Hand.parse(item["hand"]),
                auction=Auction.parse(Seat.N, item["auction"]),
                vulnerability=Vulnerability.parse(item["vulnerable"]),
                expected=Call.parse(item["expected"]),
            )


def lessons_cases(folder: Path) -> Iterator[Case]:
    """The calls of the student's partnership in lessons/dev.jsonl, each after the teacher's auction so far."""
    with (folder / "lessons" / "dev.jsonl").open() as lines:
        for line in lines:
            item = json.loads(line)
            deal, student = Deal.parse(item["deal"]), Seat.parse(item["student"])
            auction = Auction(Seat.parse(item["dealer"]))
            for word in item["auction"].split():
                call = Call.parse(word)
                if auction.turn.side is student.side:
                    yield Case(
                        source=f"lessons:{item['id']}:{len(auction)}",
                        topic=item["topic"],
                        hand=deal.hand(auction.turn),
                        auction=auction,
                        vulnerability=Vulnerability.parse(item["vulnerable"]),
                        expected=call,
                    )
                auction = auction.after(call)


def wbridge5_cases(folder: Path) -> Iterator[Case]:
    """Every call of wbridge5/dev.txt after the auction so far; North deals, nobody is vulnerable."""
    with (folder / "wbridge5" / "dev.txt").open() as lines:
        for number, line in enumerate(lines, 1):
            numbers = [int(word) for word in line.split()]
            hands: list[list[Card]] = [[], [], [], []]
            for i, card in enumerate(numbers[:52]):
                hands[i % 4].append(Card(Suit(card % 4), Rank(card // 4)))
            deal = [Hand.of(cards) for cards in hands]
            auction = Auction(Seat.N)
            for action in numbers[52:]:
                if auction.is_over:
                    break
                call = ALL_CALLS[action - 52]
                yield Case(
                    source=f"wbridge5:{number}:{len(auction)}",
                    topic=stage(auction),
                    hand=deal[auction.turn],
                    auction=auction,
                    vulnerability=Vulnerability.NONE,
                    expected=call,
                )
                auction = auction.after(call)


def bank_deals(folder: Path, count: int) -> Iterator[tuple[Deal, list[list[int]]]]:
    """Solved deals of bank/solved.txt.gz with ``tricks[strain][declarer]``."""
    order = (Strain.S, Strain.H, Strain.D, Strain.C, Strain.NT)
    with gzip.open(folder / "bank" / "solved.txt.gz", "rt") as lines:
        for _, line in zip(range(count), lines, strict=False):
            *hands, digits = line.split()
            tricks = [[0] * 4 for _ in Strain]
            for i, strain in enumerate(order):
                tricks[strain] = [int(digit, 16) for digit in digits[4 * i : 4 * i + 4]]
            yield Deal.parse("N:" + " ".join(hands)), tricks


def stage(auction: Auction) -> str:
    """The kind of decision in words: opening, response, overcall, opener's rebid ..."""
    position = len(auction)
    mine = [i for i, call in enumerate(auction.calls) if call.index and (position - i) % 4 == 0]
    partners = [i for i, call in enumerate(auction.calls) if call.index and (position - i) % 4 == 2]
    theirs = [i for i, call in enumerate(auction.calls) if call.index and (position - i) % 2 == 1]
    first = min([*mine, *partners, *theirs], default=None)
    if first is None:
        return f"opening in seat {position + 1}"
    contested = "contested" if theirs else "uncontested"
    if first in theirs:
        if not mine and not partners:
            sandwich = "balancing" if auction.calls[-1].index == 0 else "direct" if len(theirs) == 1 else "sandwich"
            return f"defence: {sandwich}"
        if not mine:
            return "defence: advance"
        return "defence: later"
    if first in partners:
        return f"responder: {contested} {_ordinal(len(mine))}"
    return f"opener: {contested} {_ordinal(len(mine))}"


def _ordinal(calls: int) -> str:
    """``first``, ``second`` or ``later`` decision after so many earlier calls of one's own."""
    return ("first", "second", "third")[calls] if calls < 3 else "later"
