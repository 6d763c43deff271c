"""Seats, suits, ranks, cards and hands.

The one encoding, used everywhere, in Python and in the core:

seats N E S W = 0..3; suits C D H S = 0..3; strains C D H S NT = 0..4; ranks 2..A = 0..12; card = 13 * suit + rank;
calls P X XX 1C..7NT = 0..37; a set of cards is a 52-bit integer with bit ``card`` set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from borel.errors import DealError, ParseError

__all__ = ["ALL_CARDS", "Card", "Hand", "Rank", "Seat", "Side", "Strain", "Suit"]

DECK = (1 << 52) - 1
SUIT_MASK = (1 << 13) - 1


class _Named(IntEnum):
    """An enumeration whose members print as their bridge letters and whose repr rebuilds them."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __str__(self) -> str:
        return self.name

    def __format__(self, format_spec: str) -> str:
        return format(str(self), format_spec)  # f"{Seat.N}" is "N", not "0"


class Side(_Named):
    """A partnership: North-South or East-West."""

    NS = 0
    EW = 1

    @property
    def other(self) -> Side:
        """The opponents."""
        return Side(1 - self)

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The two seats of the side."""
        return Seat(self.value), Seat(self.value + 2)


class Seat(_Named):
    """A compass seat.

    >>> Seat.parse("south").partner, Seat.S.lho, str(Seat.S), Seat.S.side
    (Seat.N, Seat.W, 'S', Side.NS)
    """

    N = 0
    E = 1
    S = 2
    W = 3

    @classmethod
    def parse(cls, text: str) -> Seat:
        """Read ``N``, ``n`` or ``North``."""
        seat = _SEATS.get(text.strip().upper())
        if seat is None:
            raise ParseError("seat (N E S W)", text)
        return seat

    @property
    def word(self) -> str:
        """The seat's full name, such as ``North``."""
        return ("North", "East", "South", "West")[self]

    @property
    def lho(self) -> Seat:
        """The left-hand opponent, who is next in turn."""
        return Seat((self + 1) % 4)

    @property
    def partner(self) -> Seat:
        """The seat opposite."""
        return Seat((self + 2) % 4)

    @property
    def rho(self) -> Seat:
        """The right-hand opponent."""
        return Seat((self + 3) % 4)

    @property
    def side(self) -> Side:
        """The partnership this seat belongs to."""
        return Side(self % 2)

    def turns_to(self, other: Seat) -> int:
        """How many seats clockwise from here to there: 0..3."""
        return (other - self) % 4


_SEATS = {name: seat for seat in Seat for name in (seat.name, seat.word.upper())}


class Suit(_Named):
    """One of the four suits.

    >>> Suit.parse("♥"), Suit.H.symbol, Suit.S > Suit.H
    (Suit.H, '♥', True)
    """

    C = 0
    D = 1
    H = 2
    S = 3

    @classmethod
    def parse(cls, text: str) -> Suit:
        """Read a letter or a symbol, filled or outlined."""
        suit = _SUITS.get(text.strip().upper())
        if suit is None:
            raise ParseError("suit (C D H S or a symbol)", text)
        return suit

    @property
    def symbol(self) -> str:
        """The filled suit symbol."""
        return "♣♦♥♠"[self]

    @property
    def word(self) -> str:
        """The suit's name in the plural, such as ``hearts``."""
        return ("clubs", "diamonds", "hearts", "spades")[self]

    @property
    def is_major(self) -> bool:
        """Whether this is hearts or spades."""
        return self >= Suit.H

    @property
    def strain(self) -> Strain:
        """The strain in which this suit is trumps."""
        return Strain(self.value)


_SUITS = {name: Suit(i) for names in ("CDHS", "♣♦♥♠", "♧♢♡♤") for i, name in enumerate(names)}


class Strain(_Named):
    """A denomination: one of the suits, or notrump.

    >>> Strain.parse("N"), Strain.NT.suit, Strain.S.suit
    (Strain.NT, None, Suit.S)
    """

    C = 0
    D = 1
    H = 2
    S = 3
    NT = 4

    @classmethod
    def parse(cls, text: str) -> Strain:
        """Read a suit, ``NT`` or ``N``."""
        cleaned = text.strip().upper()
        if cleaned in ("NT", "N"):
            return Strain.NT
        if cleaned not in _SUITS:
            raise ParseError("strain (C D H S NT)", text)
        return _SUITS[cleaned].strain

    @property
    def suit(self) -> Suit | None:
        """The trump suit; None in notrump."""
        return None if self is Strain.NT else Suit(self.value)

    @property
    def symbol(self) -> str:
        """The suit symbol, or ``NT``."""
        return ("♣", "♦", "♥", "♠", "NT")[self]

    @property
    def is_major(self) -> bool:
        """Whether this is hearts or spades."""
        return self in (Strain.H, Strain.S)

    @property
    def is_minor(self) -> bool:
        """Whether this is clubs or diamonds."""
        return self <= Strain.D


class Rank(_Named):
    """A rank, two to ace.

    >>> Rank.parse("10"), Rank.TEN.letter, Rank.parse("a").hcp
    (Rank.TEN, 'T', 4)
    """

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12

    @classmethod
    def parse(cls, text: str) -> Rank:
        """Read ``2``..``9``, ``T`` or ``10``, ``J Q K A``."""
        rank = _RANKS.get(text.strip().upper())
        if rank is None:
            raise ParseError("rank (2..9 T J Q K A)", text)
        return rank

    @property
    def letter(self) -> str:
        """The one-character name; ten is ``T``."""
        return RANK_LETTERS[self]

    @property
    def hcp(self) -> int:
        """High-card points: ace 4, king 3, queen 2, jack 1."""
        return max(0, self - Rank.TEN)

    def __str__(self) -> str:
        return RANK_LETTERS[self]


RANK_LETTERS = "23456789TJQKA"
_RANKS = {letter: Rank(i) for i, letter in enumerate(RANK_LETTERS)} | {"10": Rank.TEN}


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A playing card, written suit first: ``SA``, ``HT``, ``C2``.

    >>> Card.parse("♥10"), Card.parse("H10").index, str(Card.parse("ht"))
    (Card.parse('HT'), 34, 'HT')
    """

    suit: Suit
    rank: Rank

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read suit then rank; also rank then suit, as the table-manager protocol writes it."""
        cleaned = text.strip().upper()
        card = _CARD_TEXTS.get(cleaned)
        if card is None:
            raise ParseError("card", text)
        return card

    @classmethod
    def of_index(cls, index: int) -> Card:
        """The card with this number, 13 * suit + rank."""
        return ALL_CARDS[index]

    @property
    def index(self) -> int:
        """The card's number, 13 * suit + rank."""
        return 13 * self.suit + self.rank

    @property
    def mask(self) -> int:
        """The card as a set of one."""
        return 1 << (13 * self.suit + self.rank)

    @property
    def symbol(self) -> str:
        """The card for people: ``♥10`` is ``♥T``."""
        return self.suit.symbol + self.rank.letter

    def __str__(self) -> str:
        return self.suit.name + self.rank.letter

    def __repr__(self) -> str:
        return f"Card.parse('{self}')"


ALL_CARDS: tuple[Card, ...] = tuple(Card(suit, rank) for suit in Suit for rank in Rank)


def _card_texts() -> dict[str, Card]:
    """Every spelling of every card; two-character spellings in both orders never collide (no rank is a suit)."""
    ranks = {card: [card.rank.letter] + (["10"] if card.rank is Rank.TEN else []) for card in ALL_CARDS}
    suits = {suit: [name for name, named in _SUITS.items() if named is suit] for suit in Suit}
    return {
        text: card
        for card in ALL_CARDS
        for rank in ranks[card]
        for suit in suits[card.suit]
        for text in (suit + rank, rank + suit)
    }


_CARD_TEXTS = _card_texts()


@dataclass(frozen=True, slots=True)
class Hand:
    """A set of at most thirteen cards: what one seat holds, or what is known of it.

    >>> hand = Hand.parse("AQ5.KJ92.87.A1043")
    >>> hand, hand.hcp, hand.lengths, Card.parse("SA") in hand
    (Hand.parse('AQ5.KJ92.87.AT43'), 14, (4, 2, 4, 3), True)
    >>> print(hand.pretty())
    ♠AQ5 ♥KJ92 ♦87 ♣AT43
    """

    mask: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.mask <= DECK:
            raise DealError(f"a set of cards is a 52-bit number, not {self.mask:#x}")
        if self.mask.bit_count() > 13:
            raise DealError(f"a hand has at most 13 cards, not {self.mask.bit_count()}")

    @classmethod
    def parse(cls, text: str) -> Hand:
        """Read ``spades.hearts.diamonds.clubs``, or suits marked by letter or symbol (``♠AQ5 ♥KJ92 ♦- ♣A``)."""
        cleaned = text.strip().upper()
        if len(cleaned) > 200:
            raise ParseError("hand", text, why="far too long")
        if cleaned in ("", "-"):
            return cls(0)
        if "." in cleaned:
            parts = cleaned.split(".")
            if len(parts) != 4:
                raise ParseError("hand", text, why=f"{len(parts)} suits instead of four")
            holdings = dict(zip(reversed(Suit), parts, strict=True))
        else:
            holdings = _marked_holdings(cleaned, text)
        mask = 0
        for suit, ranks in holdings.items():
            mask |= _parse_holding(ranks, text) << 13 * suit
        if mask.bit_count() > 13:
            raise ParseError("hand", text, why=f"{mask.bit_count()} cards")
        return cls(mask)

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Hand:
        """The hand of these cards; a card given twice is an error."""
        mask = 0
        for card in cards:
            if mask & card.mask:
                raise DealError(f"{card} twice in one hand")
            mask |= card.mask
        return cls(mask)

    def holding(self, suit: Suit) -> str:
        """The ranks held in a suit, highest first: ``'AKT4'``."""
        return HOLDING_TEXT[(self.mask >> 13 * suit) & SUIT_MASK]

    def suit_mask(self, suit: Suit) -> int:
        """The ranks held in a suit as a 13-bit set."""
        return (self.mask >> 13 * suit) & SUIT_MASK

    def length(self, suit: Suit) -> int:
        """How many cards of the suit are held."""
        return ((self.mask >> 13 * suit) & SUIT_MASK).bit_count()

    @property
    def lengths(self) -> tuple[int, int, int, int]:
        """The number of clubs, diamonds, hearts and spades."""
        mask = self.mask
        return (
            (mask & SUIT_MASK).bit_count(),
            (mask >> 13 & SUIT_MASK).bit_count(),
            (mask >> 26 & SUIT_MASK).bit_count(),
            (mask >> 39).bit_count(),
        )

    @property
    def hcp(self) -> int:
        """High-card points, 4-3-2-1."""
        return sum(HOLDING_HCP[self.mask >> shift & SUIT_MASK] for shift in (0, 13, 26, 39))

    def without(self, card: Card) -> Hand:
        """The hand after playing a card."""
        if card not in self:
            raise DealError(f"{card} is not in {self}")
        return Hand(self.mask & ~card.mask)

    def pretty(self) -> str:
        """The hand with suit symbols, as people write it."""
        return " ".join(f"{suit.symbol}{self.holding(suit) or '—'}" for suit in reversed(Suit))

    def __iter__(self) -> Iterator[Card]:
        """Cards from the ace of spades down to the two of clubs."""
        return (ALL_CARDS[i] for i in range(51, -1, -1) if self.mask >> i & 1)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: Card) -> bool:
        return bool(self.mask & card.mask)

    def __str__(self) -> str:
        mask = self.mask
        return ".".join(HOLDING_TEXT[mask >> shift & SUIT_MASK] for shift in (39, 26, 13, 0))

    def __repr__(self) -> str:
        return f"Hand.parse('{self}')"


HOLDING_TEXT: tuple[str, ...] = tuple(
    "".join(RANK_LETTERS[r] for r in range(12, -1, -1) if ranks >> r & 1) for ranks in range(1 << 13)
)
HOLDING_HCP: tuple[int, ...] = tuple(
    sum(max(0, r - 8) for r in range(9, 13) if ranks >> r & 1) for ranks in range(1 << 13)
)


def _parse_holding(ranks: str, hand: str) -> int:
    """The 13-bit set of the ranks in a text such as ``AKT4``; ``-`` and nothing are a void."""
    mask = 0
    for letter in ranks.replace("10", "T").replace("-", "").replace("—", ""):
        rank = _RANKS.get(letter)
        if rank is None:
            raise ParseError("hand", hand, why=f"{letter!r} is not a rank")
        if mask >> rank & 1:
            raise ParseError("hand", hand, why=f"{letter} twice in one suit")
        mask |= 1 << rank
    return mask


def _marked_holdings(cleaned: str, text: str) -> dict[Suit, str]:
    """Split ``♠AQ5 ♥KJ92`` or ``SAQ5HKJ92`` at the suit marks."""
    holdings: dict[Suit, str] = {}
    suit: Suit | None = None
    for letter in cleaned:
        if letter in _SUITS:
            suit = _SUITS[letter]
            if suit in holdings:
                raise ParseError("hand", text, why=f"{suit.word} twice")
            holdings[suit] = ""
        elif letter.isspace() or letter in ":,":
            continue
        elif suit is None:
            raise ParseError("hand", text, why="expected S.H.D.C or suits marked by letter or symbol")
        else:
            holdings[suit] += letter
    return holdings
