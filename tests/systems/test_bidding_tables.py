"""Tables of bidding decisions written by topic, as a teacher would set them.

A table is a text file in tests/data/bidding. A line ``system both`` (or ``sayc``, ``two_over_one``) says which systems
the following lines are for. Every other line is one decision in five fields::

    AQ5.KJ92.87.AT43 | 1C P | none | 1H | four-card majors up the line

the hand (spades.hearts.diamonds.clubs), the auction from the dealer on (``-`` when it is our turn to open), who is
vulnerable from our side of the table (none, us, them, both), the call, and why. Several calls separated by ``/`` are
equally good. ``#`` begins a comment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import pytest

from borel.auction import Auction, Call
from borel.cards import Hand, Seat
from borel.deal import Vulnerability
from borel.policies.rules import RuleBidder
from borel.view import BiddingView

FOLDER = Path(__file__).parents[1] / "data" / "bidding"
TOPICS = sorted(path.stem for path in FOLDER.glob("*.txt"))
SYSTEMS = ("sayc", "two_over_one")


@dataclass(frozen=True, slots=True)
class Lesson:
    """One decision of a table."""

    line: int
    systems: tuple[str, ...]
    hand: Hand
    auction: Auction
    vulnerability: Vulnerability
    calls: tuple[Call, ...]
    why: str


def lessons(topic: str) -> Iterator[Lesson]:
    systems: tuple[str, ...] = SYSTEMS
    for number, line in enumerate((FOLDER / f"{topic}.txt").read_text().splitlines(), 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        if text.startswith("system "):
            name = text.split()[1]
            systems = SYSTEMS if name == "both" else (name,)
            assert set(systems) <= set(SYSTEMS), f"{topic}.txt:{number}: {line}"
            continue
        hand, auction, vulnerable, calls, why = (field.strip() for field in text.split("|"))
        heard = Auction.parse(Seat.N, "" if auction == "-" else auction)
        yield Lesson(
            number,
            systems,
            Hand.parse(hand),
            heard,
            _vulnerability(vulnerable, heard.turn),
            tuple(Call.parse(call) for call in calls.split("/")),
            why,
        )


def _vulnerability(text: str, seat: Seat) -> Vulnerability:
    ours, theirs = Vulnerability(1 << seat.side), Vulnerability(1 << seat.side.other)
    return {"none": Vulnerability.NONE, "us": ours, "them": theirs, "both": Vulnerability.ALL}[text]


@cache
def bidder(system: str):
    return RuleBidder(system)


@pytest.mark.parametrize("topic", TOPICS)
def test_every_decision_of_a_table_is_whole_and_possible(topic):
    for lesson in lessons(topic):
        assert len(lesson.hand) == 13, f"{topic}.txt:{lesson.line}: {len(lesson.hand)} cards"
        assert lesson.why, f"{topic}.txt:{lesson.line}: no reason"
        for call in lesson.calls:
            assert lesson.auction.is_legal(call), f"{topic}.txt:{lesson.line}: {call} is not legal"


def test_there_are_at_least_six_hundred_decisions_of_our_own():
    assert sum(1 for topic in TOPICS for _ in lessons(topic)) >= 600


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("topic", TOPICS)
def test_the_system_bids_as_the_table_teaches(topic, system):
    failures = []
    for lesson in lessons(topic):
        if system not in lesson.systems:
            continue
        view = BiddingView(lesson.auction.turn, lesson.hand, lesson.auction, lesson.vulnerability)
        decision = bidder(system).decide(view, rng=Random(0))
        if decision.choice not in lesson.calls:
            wanted = "/".join(map(str, lesson.calls))
            failures.append(
                f"{topic}.txt:{lesson.line}: {lesson.hand} after [{lesson.auction}]: {wanted} ({lesson.why}), "
                f"not {decision.choice}: {decision.why}"
            )
    assert not failures, f"{len(failures)} of {topic}:\n" + "\n".join(failures)
