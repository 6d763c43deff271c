"""Boards made of random deals: numbered, with dealer and vulnerability, as records that every format can write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from borel.cards import Seat
from borel.deal import Board, Deal, Vulnerability
from borel.record import Record

__all__ = ["boards", "diagram"]


def boards(
    deals: Iterable[Deal],
    *,
    first: int = 1,
    dealer: Seat | None = None,
    vulnerability: Vulnerability | None = None,
) -> Iterator[Record]:
    """Number the deals from `first` on; dealer and vulnerability follow from the number (Law 2) unless they are given.

    >>> from borel.dealing import deals
    >>> [(r.number, str(r.dealer), str(r.vulnerability)) for r in boards(deals(2, 7), first=4, dealer=Seat.S)]
    [(4, 'S', 'All'), (5, 'S', 'NS')]
    """
    for number, deal in enumerate(deals, start=first):
        board = Board.numbered(number, deal)
        yield Record(
            number=number,
            dealer=board.dealer if dealer is None else dealer,
            vulnerability=board.vulnerability if vulnerability is None else vulnerability,
            deal=deal,
        )


def diagram(record: Record) -> str:
    """A board for people to read: its number, dealer and vulnerability above the four hands.

    >>> from borel.dealing import deals
    >>> print(diagram(next(boards(deals(1, 7)))).splitlines()[0])
    Board 1: North deals, none vulnerable
    """
    dealer = record.dealer.word if record.dealer is not None else "nobody"
    sides = {Vulnerability.NONE: "none", Vulnerability.ALL: "all", None: "none"}
    side = sides.get(record.vulnerability) or str(record.vulnerability)
    heading = f"Board {record.number}: {dealer} deals, {side} vulnerable"
    return heading + "\n" + (record.deal.diagram() if record.deal else "") + "\n"
