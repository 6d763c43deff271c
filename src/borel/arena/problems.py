"""Bidding challenges: two hands, opponents who are silent or follow a script, and what each contract is worth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

import borel._core as core
from borel.auction import Auction, Call
from borel.cards import Hand, Side
from borel.deal import Board, Deal
from borel.errors import RecordError
from borel.record import Record

__all__ = ["Problem", "awards_of", "problems_of", "random_problem"]

TRIES = 64  # deals among which a random problem is looked for; about half would do


@dataclass(frozen=True, slots=True)
class Problem:
    """A board of which only one side's hands are looked at; what the opponents say; awards if it is from a contest."""

    number: int
    board: Board
    side: Side = Side.NS
    script: tuple[Call, ...] = ()
    awards: Mapping[str, float] = field(default_factory=dict)
    title: str = ""

    def __post_init__(self) -> None:
        for seat in self.side.seats:
            if len(self.board.deal.hand(seat)) != 13:
                raise RecordError(f"problem {self.number}: {seat.word}'s hand is not given")

    @property
    def pair_deal(self) -> Deal:
        """The deal with the opponents' hands taken away."""
        masks = [hand.mask if seat in self.side.seats else 0 for seat, hand in enumerate(self.board.deal)]
        return Deal.of_masks((masks[0], masks[1], masks[2], masks[3]))


def random_problem(seed: int, number: int) -> Problem:
    """A problem of a seed: North or South has an opening bid, so that the opponents may be assumed silent."""
    for row in core.deal(TRIES, seed=seed, first=number * TRIES).tolist():
        deal = Deal.of_masks((row[0], 0, row[2], 0))
        if any(is_opening(deal.hand(seat)) for seat in Side.NS.seats):
            return Problem(number, Board.numbered(number, deal))
    raise AssertionError("one hand of two is an opening bid in half of all deals")


def is_opening(hand: Hand) -> bool:
    """Twelve points, or the rule of twenty: points and the two longest suits."""
    return hand.hcp >= 12 or hand.hcp + sum(sorted(hand.lengths)[2:]) >= 20


def problems_of(records: Iterable[Record], *, side: Side = Side.NS) -> Iterator[Problem]:
    """Problems from a file: an auction gives the opponents' script, a comment the awards."""
    for number, record in enumerate(records, 1):
        board = record.board
        if board is None:
            raise RecordError(f"problem {number} has no dealer or no vulnerability")
        script = _script(record.auction, side.other) if record.auction is not None else ()
        awards = next((found for text in record.comments if (found := awards_of(text.text))), {})
        yield Problem(record.number or number, board, side, script, awards, record.tag("Event"))


def _script(auction: Auction, side: Side) -> tuple[Call, ...]:
    """What a side said in an auction, in order."""
    return tuple(call for position, call in enumerate(auction) if auction.seat_of(position).side is side)


_ENTRY = re.compile(
    r"(?P<bid>[1-7](?:NT|[CDHSN♣♦♥♠]))(?P<doubled>X{0,2})(?:\s*(?:BY\s+|\()?(?P<seat>NORTH|EAST|SOUTH|WEST|[NESW])\b\)?)?"
    r"|(?P<pass>PASS(?:ED)?(?:\s*OUT)?)\b"
    r"|(?P<for>\bFOR\b)"
    r"|(?P<points>\d+(?:\.\d+)?)"
)


def awards_of(comment: str) -> dict[str, float]:
    """The award of each contract that a comment lists: contracts, then their points; or points, ``for``, contracts.

    A contract may name its declarer. A comment that does not speak of awards gives none.

    >>> awards_of("Awards: 6H 10, 6NT by N 9, 4H/5H 5, 3NT = 4")
    {'6H': 10.0, '6NT by N': 9.0, '4H': 5.0, '5H': 5.0, '3NT': 4.0}
    >>> awards_of("10 for 4S, 6 for 3NT or 5C"), awards_of("North led the 2 of spades")
    ({'4S': 10.0, '3NT': 6.0, '5C': 6.0}, {})
    """
    awards: dict[str, float] = {}
    waiting: list[str] = []
    points: float | None = None  # of "10 for", until the next number
    found = list(_ENTRY.finditer(comment.upper()))
    for match, following in zip_longest(found, found[1:]):
        if match["points"]:
            value = float(match["points"])
            if following is not None and following["for"]:
                points, waiting = value, []
            else:
                awards |= dict.fromkeys(waiting, value)
                points, waiting = None, []
        elif not match["for"]:
            name = _contract_name(match)
            if points is None:
                waiting.append(name)
            else:
                awards[name] = points
    return awards


def _contract_name(match: re.Match[str]) -> str:
    if match["pass"]:
        return "P"
    return f"{Call.parse(match['bid'])}{match['doubled']}" + (f" by {match['seat'][0]}" if match["seat"] else "")
