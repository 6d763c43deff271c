"""The named endings of tests/data/endings/named.txt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from borel import Card, Deal, Seat, Strain
from borel.dd import Position

FILE = Path(__file__).parent.parent / "data" / "endings" / "named.txt"
SPECIFICATION = re.compile(r"(\w+), (\w) leads, takes (\d+): (.+)")


@dataclass(frozen=True)
class NamedEnding:
    """A position with the tricks of the leader's side, and the leads that reach them; None where all do."""

    name: str
    position: Position
    tricks: int
    leads: set[Card] | None


def named_endings() -> list[NamedEnding]:
    text = re.sub(r"^#.*\n", "", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [read_ending(paragraph) for paragraph in text.strip().split("\n\n")]


def read_ending(paragraph: str) -> NamedEnding:
    """Three lines: the name, the hands, and ``NT, S leads, takes 3: DA``."""
    name, hands, specification = (line.strip() for line in paragraph.splitlines())
    strain, leader, tricks, leads = SPECIFICATION.fullmatch(specification).groups()
    position = Position(Deal.parse(hands), Strain.parse(strain), Seat.parse(leader))
    return NamedEnding(name, position, int(tricks), None if leads == "any" else set(map(Card.parse, leads.split())))


def named_positions() -> list[Position]:
    return [ending.position for ending in named_endings()]
