"""Deals and boards: who holds what, who deals, who is vulnerable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from borel.cards import DECK, Card, Hand, Seat, Side, _Named
from borel.errors import DealError, ParseError

__all__ = ["Board", "Deal", "Vulnerability"]


class Vulnerability(_Named):
    """Which sides are vulnerable: NONE, NS, EW or ALL (bit 0 is North-South, bit 1 East-West).

    >>> Vulnerability.parse("Both"), Vulnerability.EW.includes(Side.EW), str(Vulnerability.NONE)
    (Vulnerability.ALL, True, 'None')
    """

    NONE = 0
    NS = 1
    EW = 2
    ALL = 3

    @classmethod
    def parse(cls, text: str) -> Vulnerability:
        """Read the words of PBN (None, Love, -, NS, EW, All, Both) and the letters of LIN (o n e b)."""
        vulnerability = _VULNERABILITIES.get(text.strip().upper())
        if vulnerability is None:
            raise ParseError("vulnerability (None NS EW All)", text)
        return vulnerability

    def includes(self, side: Side) -> bool:
        """Whether this side is vulnerable."""
        return bool(self >> side & 1)

    def __str__(self) -> str:
        return ("None", "NS", "EW", "All")[self]


_VULNERABILITIES = {
    word: vulnerability
    for vulnerability, words in zip(
        Vulnerability,
        (
            ("NONE", "LOVE", "-", "O", "NEITHER"),
            ("NS", "N/S", "N-S", "N"),
            ("EW", "E/W", "E-W", "E"),
            ("ALL", "BOTH", "B"),
        ),
        strict=True,
    )
    for word in words
}


@dataclass(frozen=True, slots=True)
class Deal:
    """Four hands, in the order N E S W. Cards in no hand are unknown, so problems with two hands given are deals too.

    >>> deal = Deal.parse("N:AKQJT98765432... .AKQJT98765432.. - ...AKQJT98765432")
    >>> deal.is_complete, len(deal.unknown), str(deal.hand(Seat.E))
    (False, 13, '.AKQJT98765432..')
    >>> eval(repr(deal)) == deal
    True
    """

    hands: tuple[Hand, Hand, Hand, Hand]

    def __post_init__(self) -> None:
        if len(self.hands) != 4:
            raise DealError(f"a deal has four hands, not {len(self.hands)}")
        seen = 0
        for seat, hand in zip(Seat, self.hands, strict=True):
            if twice := seen & hand.mask:
                holders = [s.word for s in Seat if self.hands[s].mask & twice]
                card = Card.of_index(twice.bit_length() - 1)
                raise DealError(f"{card} is held by {holders[0]} and {seat.word}")
            seen |= hand.mask

    @classmethod
    def parse(cls, text: str) -> Deal:
        """Read PBN's form: the first seat, a colon, four hands clockwise; ``-`` is an unknown hand."""
        seat_text, colon, hands_text = text.strip().partition(":")
        parts = hands_text.split()
        if not colon or len(parts) != 4:
            raise ParseError("deal", text, why="expected a seat, a colon and four hands, such as N:AK.… … … …")
        first = Seat.parse(seat_text)
        hands = [Hand(0)] * 4
        for turn, part in enumerate(parts):
            hands[(first + turn) % 4] = Hand.parse(part)
        return cls((hands[0], hands[1], hands[2], hands[3]))

    @classmethod
    def of_masks(cls, masks: tuple[int, int, int, int]) -> Deal:
        """The deal of four 52-bit sets, as the core gives them."""
        n, e, s, w = masks
        return cls((Hand(int(n)), Hand(int(e)), Hand(int(s)), Hand(int(w))))

    @property
    def masks(self) -> tuple[int, int, int, int]:
        """The four hands as 52-bit sets."""
        n, e, s, w = self.hands
        return n.mask, e.mask, s.mask, w.mask

    def hand(self, seat: Seat) -> Hand:
        """What a seat holds."""
        return self.hands[seat]

    def holder(self, card: Card) -> Seat | None:
        """Who holds a card; None when that is unknown."""
        return next((seat for seat in Seat if card in self.hands[seat]), None)

    def with_hand(self, seat: Seat, hand: Hand) -> Deal:
        """The deal with one hand exchanged."""
        hands = list(self.hands)
        hands[seat] = hand
        return Deal((hands[0], hands[1], hands[2], hands[3]))

    def rotated(self, turns: int) -> Deal:
        """The deal with every hand moved clockwise by a number of seats."""
        n, e, s, w = (self.hands[(seat - turns) % 4] for seat in Seat)
        return Deal((n, e, s, w))

    @property
    def known(self) -> int:
        """The cards in some hand, as a 52-bit set."""
        n, e, s, w = self.masks
        return n | e | s | w

    @property
    def unknown(self) -> tuple[Card, ...]:
        """The cards in no hand."""
        rest = DECK & ~self.known
        return tuple(Card.of_index(i) for i in range(52) if rest >> i & 1)

    @property
    def is_complete(self) -> bool:
        """Whether all four hands have thirteen cards."""
        return self.known == DECK and all(len(hand) == 13 for hand in self.hands)

    def text(self, first: Seat) -> str:
        """PBN's form beginning with any seat."""
        hands = (self.hands[(first + turn) % 4] for turn in range(4))
        return f"{first.name}:" + " ".join(str(hand) if hand.mask else "-" for hand in hands)

    def diagram(self) -> str:
        """The deal as a compass diagram for people."""
        return "\n".join(_diagram_lines(self))

    def __iter__(self) -> Iterator[Hand]:
        return iter(self.hands)

    def __str__(self) -> str:
        return self.text(Seat.N)

    def __repr__(self) -> str:
        return f"Deal.parse('{self}')"


def _diagram_lines(deal: Deal) -> Iterator[str]:
    """North above, West and East side by side, South below."""
    columns = {seat: [part.replace("—", "—") for part in deal.hand(seat).pretty().split()] for seat in Seat}
    width = max(16, *(len(part) + 3 for part in columns[Seat.W]))
    for part in columns[Seat.N]:
        yield " " * (width - 4) + part
    gap = width + 4
    for west, east in zip(columns[Seat.W], columns[Seat.E], strict=True):
        yield west.ljust(gap) + east
    for part in columns[Seat.S]:
        yield " " * (width - 4) + part


@dataclass(frozen=True, slots=True)
class Board:
    """A deal with its dealer and vulnerability, and a number if it has one.

    >>> board = Board.numbered(2, Deal.parse("N:- - - -"))
    >>> board.dealer, board.vulnerability
    (Seat.E, Vulnerability.NS)
    """

    deal: Deal
    dealer: Seat
    vulnerability: Vulnerability
    number: int | None = None

    @classmethod
    def numbered(cls, number: int, deal: Deal) -> Board:
        """The board with this number: dealer and vulnerability repeat every sixteen boards (Law 2)."""
        if number < 1:
            raise DealError(f"board numbers begin at 1, not {number}")
        return cls(deal, board_dealer(number), board_vulnerability(number), number)


def board_dealer(number: int) -> Seat:
    """North deals board 1, then clockwise."""
    return Seat((number - 1) % 4)


def board_vulnerability(number: int) -> Vulnerability:
    """Boards 1-4 None NS EW All; each following four begin one further; 17 is as 1.

    >>> [str(board_vulnerability(n)) for n in (1, 5, 10, 16, 17)]
    ['None', 'NS', 'All', 'EW', 'None']
    """
    return Vulnerability(((number - 1) + (number - 1) // 4) % 4)
