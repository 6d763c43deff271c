"""The lines of the protocol, version 18: read without regard to case and spacing, written in the common form.

Programs differ in spelling: some write ``North plays AS``, others ``NORTH plays as``. A client answers in the spelling
in which it was seated, because some servers compare letter by letter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from borel.auction import DOUBLE, PASS, REDOUBLE, Call
from borel.cards import Card, Hand, Seat, Suit
from borel.deal import Vulnerability
from borel.errors import BridgeError, ParseError

__all__ = ["VERSION", "Connecting", "ProtocolError", "Spelling"]

VERSION = 18
MAX_LINE = 1_000  # characters; the longest real line, a hand or an explanation, has some two hundred
SEAT = "north|east|south|west"


class ProtocolError(BridgeError):
    """A line that does not belong here."""


class Spelling(Enum):
    """How seats, calls and cards are written."""

    COMMON = "North plays AS"
    CAPITALS = "NORTH plays as"

    @classmethod
    def of(cls, line: str) -> Spelling:
        """The spelling of a line that begins with a seat."""
        word = line.split()[0] if line.split() else ""
        return cls.CAPITALS if word.isupper() else cls.COMMON

    def seat(self, seat: Seat) -> str:
        """A seat's name."""
        return seat.word.upper() if self is Spelling.CAPITALS else seat.word

    def call(self, seat: Seat, call: Call, meaning: str = "", *, alert: bool = False) -> str:
        """A call; an alerted one says what it means."""
        verbs = {PASS: "passes", DOUBLE: "doubles", REDOUBLE: "redoubles"}
        verb = verbs.get(call, "")
        said = f"bids {call}" if not verb else verb.upper() if self is Spelling.CAPITALS else verb
        words = " ".join(meaning.split())[:150]
        told = f" Alert. {words}" if alert and words else " Alert." if alert else f" Infos. {words}" if words else ""
        return f"{self.seat(seat)} {said}{told}"

    def card(self, seat: Seat, card: Card) -> str:
        """A card, rank before suit."""
        text = card.rank.letter + card.suit.name
        return f"{self.seat(seat)} plays {text.lower() if self is Spelling.CAPITALS else text}"


@dataclass(frozen=True, slots=True)
class Connecting:
    """A client's first words. ``seat`` is None for any seat."""

    name: str
    seat: Seat | None
    version: int

    def __str__(self) -> str:
        place = "ANYPL" if self.seat is None else self.seat.word
        return f'Connecting "{self.name}" as {place} using protocol version {self.version}'


def _match(pattern: str, line: str, what: str) -> re.Match[str]:
    found = re.fullmatch(pattern, " ".join(line.split()), re.IGNORECASE)
    if found is None:
        raise ProtocolError(f"expected {what}, not {line[:100]!r}")
    return found


def read_connecting(line: str) -> Connecting:
    """``Connecting "Borel" as North using protocol version 18``; more text may follow."""
    pattern = rf'connecting "([^"]{{0,60}})" as (anypl|{SEAT}) using protocol version (\d{{1,6}})\b.*'
    found = _match(pattern, line, "a connection")
    place = found[2]
    return Connecting(found[1], None if place.lower() == "anypl" else Seat.parse(place), int(found[3]))


def read_seated(line: str) -> Seat:
    """``North ("Borel") seated``."""
    return Seat.parse(_match(rf'({SEAT}) \(?"?.*?"?\)? ?seated.*', line, "a seat")[1])


def read_teams(line: str) -> tuple[str, str]:
    """``Teams : N/S : "name" E/W : "name"``, with colons or without."""
    found = _match(r'teams ?:? ?n/s ?:? ?"([^"]*)"[.,]? ?e/w ?:? ?"([^"]*)"\.?', line, "the teams")
    return found[1], found[2]


def is_start(line: str) -> bool:
    """``Start of board``: also in the middle of one, which is then abandoned."""
    return " ".join(line.lower().split()).rstrip(".") == "start of board"


def is_end(line: str) -> bool:
    """``End of session``."""
    return " ".join(line.lower().split()).rstrip(".") == "end of session"


def is_timing(line: str) -> bool:
    """``Timing - N/S : this board 1:15, …``."""
    return line.lower().lstrip().startswith("timing")


VULNERABLE = {
    "neither": Vulnerability.NONE,
    "n/s": Vulnerability.NS,
    "e/w": Vulnerability.EW,
    "both": Vulnerability.ALL,
}


def board_line(number: int, dealer: Seat, vulnerability: Vulnerability) -> str:
    """What is said of a new board."""
    word = ("Neither", "N/S", "E/W", "Both")[vulnerability]
    return f"Board number {number}. Dealer {dealer.word}. {word} vulnerable."


def read_board(line: str) -> tuple[int, Seat, Vulnerability]:
    """``Board number 8. Dealer West. Neither vulnerable.``"""
    found = _match(
        rf"board number (\d{{1,9}})\. ?dealer ({SEAT})\. ?(neither|both|n/s|e/w|none|all) vulnerable\.?",
        line,
        "a board",
    )
    word = found[3].lower()
    return (
        int(found[1]),
        Seat.parse(found[2]),
        VULNERABLE.get(word) or Vulnerability.parse(word.replace("neither", "none")),
    )


def cards_line(owner: str, hand: Hand) -> str:
    """A hand: ``North's cards : S A T 9 5. H K 6 5. D Q J 8 7 6. C 7.``"""
    suits = " ".join(f"{suit.name} {' '.join(hand.holding(suit)) or '-'}." for suit in reversed(Suit))
    return f"{owner}'s cards : {suits}"


def read_cards(line: str) -> tuple[str, Hand]:
    """Whose cards (a seat or ``dummy``, in small letters) and which; suits come in any order."""
    found = _match(rf"({SEAT}|dummy)'s cards ?: ?(.*)", line, "a hand")
    holdings: dict[Suit, str] = {}
    for part in found[2].rstrip(". ").split("."):
        words = part.split()
        if not words or len(words[0]) != 1 or Suit.parse(words[0]) in holdings:
            raise ProtocolError(f"not a hand: {line[:100]!r}")
        holdings[Suit.parse(words[0])] = "".join(words[1:]).replace("-", "")
    hand = Hand.parse(".".join(holdings.get(suit, "") for suit in reversed(Suit)))
    return found[1].lower(), hand


def read_call(line: str) -> tuple[Seat, Call, str]:
    """A call with its explanation, if there is one."""
    found = _match(
        rf"({SEAT}) (passes|pass|doubles|double|redoubles|redouble|bids ([1-7] ?(?:nt|n|[cdhs])))\.?"
        r"(?: ?(?:alert|infos)\.? ?(.*))?", line, "a call",
    )  # fmt: skip
    verb = found[2].lower()
    if found[3]:
        call = Call.parse(found[3].replace(" ", ""))
    else:
        call = {"p": PASS, "d": DOUBLE, "r": REDOUBLE}[verb[0]]
    return Seat.parse(found[1]), call, (found[4] or "").strip()


def read_card(line: str) -> tuple[Seat | None, Card]:
    """A card and from which hand; ``Dummy plays …`` names no seat."""
    found = _match(rf"({SEAT}|dummy) plays (10|[2-9tjqka]) ?([cdhs])\.?", line, "a card")
    try:
        card = Card.parse(found[2] + found[3])
    except ParseError as error:
        raise ProtocolError(str(error)) from None
    return None if found[1].lower() == "dummy" else Seat.parse(found[1]), card


def is_to_lead(line: str) -> bool:
    """``North to lead``, ``Dummy to lead``."""
    return re.fullmatch(rf"({SEAT}|dummy) to lead\.?", " ".join(line.split()), re.IGNORECASE) is not None


def read_ready(line: str) -> tuple[Seat, str]:
    """Who is ready, and for what, in small letters: ``teams``, ``east's bid``, ``dummy``."""
    found = _match(rf"({SEAT}) ready (?:for|to) (.*?)\.?", line, "ready")
    return Seat.parse(found[1]), found[2].lower()
