"""From the commands of a LIN board to a Record."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from borel.auction import Auction, Call, Contract
from borel.cards import DECK, Card, Hand, Seat
from borel.deal import Deal, Vulnerability
from borel.errors import BridgeError, ParseError, RecordError
from borel.formats.lin_tokens import Block, Command, is_header
from borel.formats.report import Report, clean, with_line
from borel.play import Claim
from borel.record import Annotation, Comment, Record, Tag, notes_of
from borel.scoring import Result

__all__ = ["DEALERS", "ORDER", "LinReader"]

ORDER = (Seat.S, Seat.W, Seat.N, Seat.E)  # LIN lists names and hands from South on
DEALERS = {"1": Seat.S, "2": Seat.W, "3": Seat.N, "4": Seat.E}
_CALLS = re.compile(r"([1-7](?:NT|[CDHSN♣♦♥♠])|PASS|P|DBL|D|XX|X|RDBL|R)\s*(!?)\s*")
_CARDS = re.compile(r"\s*([CDHS](?:10|[2-9TJQKA]))")
_BOARD = re.compile(r"board\s+(\d{1,9})", re.IGNORECASE)
_NUMBER = re.compile(r"([oc]?)(\d{1,9})(?:\D.*)?", re.IGNORECASE | re.DOTALL)
_RESULT = re.compile(r"([1-7](?:NT|[CDHSN]))(X{0,2})([NESW])(=|[+-]\d{1,2})")
_SCORING = {"I": "IMP", "P": "MP", "B": "BAM"}
_ROOMS = {"o": "Open", "c": "Closed"}
_IGNORED = frozenset({"", "pg", "rh", "st", "up", "qx"})  # they only tell a viewer when to draw


@dataclass(slots=True)
class _Header:
    """What a vugraph file says once for all its boards."""

    tags: tuple[Tag, ...] = ()
    names: tuple[str, ...] = ()
    first: int | None = None
    results: tuple[str, ...] = ()


class LinReader:
    """Reads boards one after another, remembering the file's header and the deal that the other room shares."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.header = _Header()
        self.shared: Record | None = None

    def read(self, block: Block) -> Record | None:
        """The record of a block; None where it has no board. A BridgeError has its line."""
        for command in block.commands:
            _read_header(command, self.header)
        if block.error is not None:
            raise block.error
        if not block.has("md", "mb", "pc", "ah", "mc"):
            if block.has("qx") and block.has("nt", "at"):
                self.report.loss("pages of text without a board")
            return None
        board = _Board(self.header, self.report)
        for command in block.commands:
            try:
                board.take(command)
            except BridgeError as error:
                raise with_line(error, command.line) from None
        try:
            self._share(board)
            record = board.record()
        except BridgeError as error:
            raise with_line(error, block.line) from None
        if record.deal is not None:
            self.shared = record
        return record

    def _share(self, board: _Board) -> None:
        """The closed room plays the deal of the open room; some files write it once."""
        other = self.shared
        if board.deal is not None or other is None or board.number is None or board.number != other.number:
            return
        if board.room and board.room != other.tag("Room"):
            board.deal = other.deal
            board.dealer = other.dealer if board.dealer is None else board.dealer
            board.vulnerability = other.vulnerability if board.vulnerability is None else board.vulnerability
            self.report.repair("deals taken from the other room")


def _read_header(command: Command, header: _Header) -> None:
    value = clean(command.value)
    if command.name == "vg":
        fields = [text.strip() for text in value.split(",")] + [""] * 9
        names = ("Event", "Stage", "Scoring", "", "", "HomeTeam", "HomeCarry", "VisitTeam", "VisitCarry")
        fields[2] = _SCORING.get(fields[2].upper(), fields[2])
        header.tags = tuple(Tag(name, text) for name, text in zip(names, fields, strict=False) if name and text)
        header.first = int(fields[3]) if fields[3].isascii() and fields[3].isdecimal() and len(fields[3]) < 10 else None
    elif command.name == "rs":
        header.results = tuple(text.strip().upper() for text in value.split(","))[:2000]
    elif command.name == "pn":
        header.names = tuple(text.strip() for text in value.split(","))[:8]


@dataclass(slots=True)
class _Board:
    """One board under construction."""

    header: _Header
    report: Report
    number: int | None = None
    room: str = ""
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None
    deal: Deal | None = None
    calls: list[Call] = field(default_factory=list)
    notes: dict[int, Annotation] = field(default_factory=dict)
    cards: list[Card] = field(default_factory=list)
    claimed: int | None = None
    comments: list[tuple[int, int, str]] = field(default_factory=list)  # calls and cards before it, text
    tags: dict[str, str] = field(default_factory=dict)

    def take(self, command: Command) -> None:
        """Give a command its meaning; one that Borel does not know is kept as a tag."""
        handler = _HANDLERS.get(command.name)
        value = clean(command.value)
        if handler is not None:
            handler(self, value)
        if command.name == "qx":
            self.take_number(value)
        elif handler is None and command.name not in _IGNORED and not is_header(command.name) and value:
            self.keep(command.name, value)

    def keep(self, name: str, value: str) -> None:
        """Keep a value as a tag, numbered if there are several."""
        tag = f"Lin_{name}"
        if tag in self.tags:
            tag = f"{tag}_{sum(key.startswith(tag) for key in self.tags) + 1}"
        self.tags[tag] = value

    def take_number(self, value: str) -> None:
        """``qx|o7|``: board 7 in the open room."""
        match = _NUMBER.fullmatch(value)
        if match and int(match[2]):
            self.room = _ROOMS.get(match[1].lower(), "")
            self.number = int(match[2])
        elif value:
            self.keep("qx", value)

    def take_name(self, value: str) -> None:
        """``ah|Board 7|``."""
        match = _BOARD.fullmatch(value)
        if match and int(match[1]):
            self.number = int(match[1])
        elif value:
            self.keep("ah", value)

    def take_deal(self, value: str) -> None:
        """``md|3SAK..,..,..|``: the dealer's digit, then the hands of South, West, North and, where written, East."""
        if value[:1].isdecimal():
            self.dealer = DEALERS.get(value[0])
            value = value[1:]
        parts = [part.strip() for part in value.split(",")]
        if len(parts) > 4:
            raise ParseError("deal", value, why=f"{len(parts)} hands")
        hands = [Hand.parse(part) for part in parts] + [Hand(0)] * (4 - len(parts))
        sizes = sorted(len(hand) for hand in hands)
        if sizes == [0, 13, 13, 13]:
            rest = DECK & ~(hands[0].mask | hands[1].mask | hands[2].mask | hands[3].mask)
            if rest.bit_count() == 13:  # otherwise a card is held twice, as the deal will say
                hands[[len(hand) for hand in hands].index(0)] = Hand(rest)
        by_seat = dict(zip(ORDER, hands, strict=True))
        self.deal = Deal((by_seat[Seat.N], by_seat[Seat.E], by_seat[Seat.S], by_seat[Seat.W]))

    def take_vulnerability(self, value: str) -> None:
        """``sv|o|``: o or 0 is nobody, n e b."""
        if value:
            self.vulnerability = Vulnerability.parse("o" if value == "0" else value)

    def take_calls(self, value: str) -> None:
        """``mb|1C!|``: one call or several, each perhaps alerted."""
        text, position = value.upper().replace("10", ""), 0
        if not text:
            return
        while match := _CALLS.match(text, position):
            position = match.end()
            self.calls.append(Call.parse(match[1]))
            if match[2]:
                self.notes[len(self.calls) - 1] = Annotation(alerted=True)
        if position < len(text):
            raise ParseError("call", value)

    def take_explanation(self, value: str) -> None:
        """``an|15-17|``: what the last call means."""
        if not self.calls:
            self.take_comment(value)
        elif value:
            old = self.notes.get(len(self.calls) - 1, Annotation())
            text = f"{old.explanation}; {value}" if old.explanation else value
            self.notes[len(self.calls) - 1] = Annotation(text, old.alerted)

    def take_cards(self, value: str) -> None:
        """``pc|D2|``: one card or several."""
        text, position = value.upper(), 0
        while match := _CARDS.match(text, position):
            position = match.end()
            self.cards.append(Card.parse(match[1]))
        if text[position:].strip():
            raise ParseError("card", value)

    def take_claim(self, value: str) -> None:
        """``mc|9|``: declarer's tricks in all."""
        if not value:
            return
        if not (value.isascii() and value.isdecimal() and len(value) <= 2):
            raise ParseError("claim (declarer's tricks)", value)
        self.claimed = int(value)

    def take_comment(self, value: str) -> None:
        """``nt|text|``."""
        if value.strip():
            self.comments.append((len(self.calls), len(self.cards), value.strip()))

    def record(self) -> Record:
        """The record, checked."""
        auction = self._auction()
        contract = auction.contract if auction is not None and auction.is_over else None
        stated = self._stated_result()
        if stated is not None and auction is not None and auction.is_over and contract != stated.contract:
            raise RecordError(
                f"the file's results say {stated.contract}, but the auction ends in {contract or 'four passes'}"
            )
        claim = None if self.claimed is None else Claim(len(self.cards), self.claimed)
        if contract is None and stated is not None:
            contract = stated.contract
        if claim is not None and contract is None:
            claim = None
            if self.claimed:
                raise RecordError("a claim without a contract")
        record = Record(
            number=self.number,
            dealer=self.dealer,
            vulnerability=self.vulnerability,
            deal=self.deal,
            players=self._players(),
            auction=auction,
            call_notes=notes_of(len(auction), self.notes) if auction is not None else (),
            contract=contract,
            cards=tuple(self.cards),
            claim=claim,
            tricks=None if stated is None else stated.tricks,
            adjusted=True,
            tags=self._tags(),
            comments=tuple(self._comment(*comment) for comment in self.comments),
        )
        if record.adjusted:
            self.report.repair("results kept that the play does not lead to")
        return record

    def _auction(self) -> Auction | None:
        if not self.calls:
            return None
        if self.dealer is None:
            raise RecordError("an auction without a dealer")
        auction = Auction(self.dealer, tuple(self.calls))
        if (self.cards or self.claimed is not None) and not auction.is_over and auction.last_bid is not None:
            self.report.repair("auctions given closing passes")  # cards are only played when it was over
            return auction.all_pass()
        return auction

    def _stated_result(self) -> Result | None:
        """The result that the head of a vugraph file gives for this room: open, closed, open, closed …"""
        header = self.header
        if header.first is None or self.number is None or not self.room:
            return None
        index = 2 * (self.number - header.first) + (self.room == "Closed")
        if not 0 <= index < len(header.results):
            return None
        match = _RESULT.fullmatch(header.results[index])
        if match is None:
            return None  # passed out, not played, or averaged
        contract = Contract.parse(match[1] + match[2], Seat.parse(match[3]))
        tricks = contract.tricks_needed + (0 if match[4] == "=" else int(match[4]))
        return Result(contract, tricks)

    def _players(self) -> tuple[str, str, str, str]:
        names = self.header.names
        table = names[4:8] if self.room == "Closed" and len(names) > 4 else names[:4]
        by_seat = dict.fromkeys(Seat, "") | dict(zip(ORDER, table, strict=False))
        return by_seat[Seat.N], by_seat[Seat.E], by_seat[Seat.S], by_seat[Seat.W]

    def _tags(self) -> tuple[Tag, ...]:
        room = (Tag("Room", self.room),) if self.room and (self.header.tags or len(self.header.names) > 4) else ()
        return (*self.header.tags, *room, *(Tag(name, value) for name, value in self.tags.items()))

    def _comment(self, calls: int, cards: int, text: str) -> Comment:
        if cards:
            return Comment(text, "Play", cards)
        return Comment(text, "Auction", calls) if calls else Comment(text)


_HANDLERS: dict[str, Callable[[_Board, str], None]] = {
    "md": _Board.take_deal,
    "sv": _Board.take_vulnerability,
    "ah": _Board.take_name,
    "mb": _Board.take_calls,
    "an": _Board.take_explanation,
    "pc": _Board.take_cards,
    "mc": _Board.take_claim,
    "nt": _Board.take_comment,
    "at": _Board.take_comment,
    "pn": lambda board, value: None,  # read with the header
}
