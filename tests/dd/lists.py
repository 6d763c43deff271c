"""The DDS project's lists of deals with their known results, read into the project's own encoding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from borel import Card, Contract, Deal, Play, Seat, Strain
from borel.dd import Position

STRAINS = (Strain.S, Strain.H, Strain.D, Strain.C, Strain.NT)  # DDS counts suits from spades down


@dataclass(frozen=True)
class ListedDeal:
    """One deal of a list. ``trace`` are declarer's tricks before the first card and after each of those traced."""

    deal: Deal
    strain: Strain
    leader: Seat
    leads: dict[Card, int]
    table: list[list[int]]
    cards: tuple[Card, ...]
    trace: tuple[int, ...]

    @property
    def position(self) -> Position:
        return Position(self.deal, self.strain, self.leader)

    @property
    def play(self) -> Play:
        return Play(self.deal, Contract(1, self.strain, self.leader.rho), self.cards)


def read_list(path: Path) -> Iterator[ListedDeal]:
    for block in path.read_text().split("PBN ")[1:]:
        _, _, trumps, leader, deal = block.splitlines()[0].split(maxsplit=4)
        tables = numbers(block, "TABLE")
        by_strain = dict(zip(STRAINS, (tables[i : i + 4] for i in range(0, 20, 4)), strict=True))
        played = re.search(r'^PLAY \d+ "(\w*)"', block, re.MULTILINE)[1]
        yield ListedDeal(
            Deal.parse(deal.strip().strip('"')),
            STRAINS[int(trumps)],
            Seat(int(leader)),
            read_leads(numbers(block, "FUT")),
            [by_strain[strain] for strain in Strain],
            tuple(Card.parse(played[i : i + 2]) for i in range(0, len(played), 2)),
            tuple(numbers(block, "TRACE")[1:]),
        )


def numbers(block: str, name: str) -> list[int]:
    return [int(n) for n in re.search(rf"^{name} ([\d -]+)", block, re.MULTILINE)[1].split()]


def read_leads(future: list[int]) -> dict[Card, int]:
    """A count, then so many suits, ranks (2..14), sets of lower equal cards (bit 2 is the two), and tricks."""
    count, columns = future[0], future[1:]
    leads = {}
    for suit, rank, equals, tricks in zip(*(columns[i * count : (i + 1) * count] for i in range(4)), strict=True):
        for each in range(2, 15):
            if each == rank or equals >> each & 1:
                leads[Card.of_index(13 * (3 - suit) + each - 2)] = tricks
    return leads
