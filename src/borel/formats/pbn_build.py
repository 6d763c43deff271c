"""From the tags and sections of one PBN game to a Record, with the repairs that have only one meaning."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from borel.auction import Auction, Contract
from borel.cards import ALL_CARDS, HOLDING_TEXT, Card, Hand, Seat
from borel.deal import Deal, Vulnerability
from borel.errors import BridgeError, ParseError, RecordError
from borel.formats.pbn_games import Entry, Game, split_comments
from borel.formats.pbn_sections import Fit, Section, clean_comment, fit_auction, order_cards, read_auction, read_play
from borel.formats.report import Report, with_line
from borel.play import Claim
from borel.record import MANDATORY_TAGS, Annotation, Comment, Record, Tag, is_board_number, notes_of

__all__ = ["build"]

T = TypeVar("T")
_UNKNOWN = ("", "?")  # PBN 2.1 §3.4: no information, and an unknown value
_PASSED_OUT = ("PASS", "P", "PASSED OUT")
_NOTE = re.compile(r"\s*(\d{1,4})\s*:\s*(.*)", re.DOTALL)
_TEXT_TAGS = ("Event", "Site", "Date", "Scoring")


def build(game: Game, values: dict[str, str], lines: dict[str, int], report: Report) -> Record:
    """The record of a game whose tags have these values; a BridgeError has the line of what is wrong."""
    return _Builder(game, values, lines, report).build()


class _Builder:
    """Builds one record, part by part."""

    def __init__(self, game: Game, values: dict[str, str], lines: dict[str, int], report: Report) -> None:
        self.game, self.values, self.lines, self.report = game, values, lines, report
        self.comments: list[Comment] = []
        self.late: list[tuple[str, str]] = []  # comments after the notes of a section, with its name
        self.tables: dict[str, tuple[str, ...]] = {}
        self.sections: dict[str, Entry] = {}
        self.notes: dict[str, dict[int, str]] = {"Auction": {}, "Play": {}}

    def build(self) -> Record:
        """Step by step: contents, contract, auction, play, and the record that checks them against each other."""
        self._read_contents()
        deal = self._at("Deal", parse_deal)
        contract, passed_out = self._contract()
        auction, call_notes, contract = self._auction(contract, passed_out=passed_out)
        if auction is not None and auction.is_over:
            passed_out = passed_out or auction.is_passed_out
            contract = contract or self._contract_by(auction)
        cards, card_notes = self._play(deal, contract)
        tricks = self._at("Result", _tricks)
        claim = self._claim(cards, tricks)
        self._place_late_comments(auction, cards, claim)
        try:
            record = Record(
                number=int(self.values["Board"]) if is_board_number(self.values.get("Board", "")) else None,
                dealer=self._at("Dealer", Seat.parse),
                vulnerability=self._at("Vulnerable", Vulnerability.parse),
                deal=deal,
                players=self._players(),
                auction=auction,
                call_notes=call_notes,
                contract=contract,
                passed_out=passed_out,
                cards=cards,
                card_notes=card_notes,
                claim=claim,
                tricks=None if passed_out and not tricks else tricks,
                adjusted=True,
                tags=self._tags(contract, auction, passed_out=passed_out),
                comments=tuple(self.comments),
            )
        except BridgeError as error:
            place = self.lines.get("Contract") or self.lines.get("Auction") or self.game.line
            raise with_line(error, place) from None
        if record.adjusted:
            self.report.repair("results kept that the play does not lead to")
        return record

    def _text(self, name: str) -> str:
        value = self.values.get(name, "").strip()
        return "" if value in _UNKNOWN else value

    def _at(self, name: str, parse: Callable[[str], T]) -> T | None:
        """The value of a tag, None where it is unknown; an error has the tag's line."""
        text = self._text(name)
        if not text:
            return None
        try:
            if text[0] == "^":
                raise RecordError(f"{name} has an irregularity, which Borel cannot represent: {text[:20]!r}")
            return parse(text)
        except BridgeError as error:
            raise with_line(error, self.lines.get(name, self.game.line)) from None

    def _players(self) -> tuple[str, str, str, str]:
        north, east, south, west = (self.values.get(seat.word, "") for seat in Seat)
        return north, east, south, west

    def _read_contents(self) -> None:
        """What follows each tag: calls and cards, comments, notes, the lines of tables."""
        section = ""
        for entry in self.game.entries:
            if entry.name in ("Auction", "Play"):
                if entry.name in self.sections:
                    raise RecordError(f"a second {entry.name} section", line=entry.line)
                section, self.sections[entry.name] = entry.name, entry
                continue
            if entry.name == "Note":
                self._note(entry, section)
            if entry.content and (text := entry.text).strip():
                self._content(entry, text, section)

    def _content(self, entry: Entry, text: str, section: str) -> None:
        comments, lines = split_comments(text)
        cleaned = [clean_comment(comment) for comment in comments]
        if lines and (entry.name in MANDATORY_TAGS or entry.name in ("", "Note")):
            self.report.repair("text outside tags kept as comments")
            cleaned.append(clean_comment(" ".join(lines)))
        elif lines:
            self.tables[entry.name] = tuple(lines)
        for comment in filter(None, cleaned):
            if entry.name == "Note":
                self.late.append((section, comment))
            else:
                self.comments.append(Comment(comment, self._place(entry.name)))

    def _place(self, name: str) -> str:
        """Where a comment after a tag is kept: tags that become part of something else are not in the record."""
        return "Result" if name == "Claim" and self._claimer() is not None else name

    def _note(self, entry: Entry, section: str) -> None:
        match = _NOTE.fullmatch(entry.value)
        if match and section:
            self.notes[section].setdefault(int(match[1]), match[2])
        elif entry.value.strip():
            self.late.append((section, clean_comment(entry.value)))

    def _contract(self) -> tuple[Contract | None, bool]:
        """The contract where its declarer is given too; and whether the board was passed out."""
        text = self._text("Contract")
        if text.upper() in _PASSED_OUT:
            return None, True
        declarer = self._at("Declarer", Seat.parse)
        if declarer is None:
            return None, False
        return self._at("Contract", lambda contract: _parse_contract(contract, declarer)), False

    def _contract_by(self, auction: Auction) -> Contract | None:
        """The contract that a finished auction leads to; one that is given without declarer must be the same."""
        contract = auction.contract
        if contract is not None and self._text("Contract") and not self._text("Declarer"):
            return self._at("Contract", lambda text: _parse_contract(text, contract.declarer))
        return contract

    def _auction(
        self, contract: Contract | None, *, passed_out: bool
    ) -> tuple[Auction | None, tuple[Annotation, ...], Contract | None]:
        """The auction with its notes, and the contract, whose doubles may have come from the auction."""
        entry = self.sections.get("Auction")
        if entry is None:
            return None, (), contract
        section = read_auction(entry.text, entry.line, self.notes["Auction"])
        self._unused_notes("Auction", entry.text)
        if not (section.calls or section.all_pass or section.unfinished):
            self.late += [("Auction", text) for _, text in section.comments]
            return None, (), contract
        dealer = self._at("Auction", Seat.parse)
        dealer = self._at("Dealer", Seat.parse) if dealer is None else dealer
        if dealer is None:
            raise RecordError("an auction without a dealer", line=entry.line)
        try:
            fit = fit_auction(dealer, section, contract, passed_out=passed_out)
        except BridgeError as error:
            raise with_line(error, entry.line) from None
        self._count_repairs(section, fit)
        auction, leading = fit.auction, fit.leading
        for position, text in section.comments:
            after_all = position > len(section.calls)
            place = len(auction) if after_all else position + leading if position else 0
            self.comments.append(Comment(text, "Auction", place))
        notes = {min(position + leading, len(auction) - 1): note for position, note in section.notes.items()}
        return auction, notes_of(len(auction), notes), fit.contract

    def _play(self, deal: Deal | None, contract: Contract | None) -> tuple[tuple[Card, ...], tuple[Annotation, ...]]:
        entry = self.sections.get("Play")
        if entry is None:
            return (), ()
        section = read_play(entry.text, entry.line, self.notes["Play"])
        self._unused_notes("Play", entry.text)
        if contract is None:
            if any(cell >= 0 for cell in section.cells):
                raise RecordError("cards were played without a contract", line=entry.line)
            self.late += [("Play", text) for _, text in section.comments]
            return (), ()
        first = self._at("Play", Seat.parse)
        first = contract.leader if first is None else first
        try:
            played, moved = order_cards(section, first, deal, contract)
        except BridgeError as error:
            raise with_line(error, entry.line) from None
        self._count_unknown_notes(section)
        if moved:
            self.report.repair("tricks given to the hands that hold the cards", moved)
        if not (section.comments or section.notes):
            return tuple(ALL_CARDS[section.cells[place]] for place in played), ()
        order = {place: turn for turn, place in enumerate(played)}
        for position, text in section.comments:
            if position == 0 or position - 1 in order:
                self.comments.append(Comment(text, "Play", order[position - 1] + 1 if position else 0))
            else:
                self.late.append(("Play", text))
        notes = {order[cell]: note for cell, note in section.notes.items() if cell in order}
        return tuple(ALL_CARDS[section.cells[place]] for place in played), notes_of(len(played), notes)

    def _count_repairs(self, section: Section, fit: Fit) -> None:
        self._count_unknown_notes(section)
        if fit.leading:
            self.report.repair("auctions given leading passes")
        if fit.closing:
            self.report.repair("auctions given closing passes")
        if fit.doubled:
            self.report.repair("contracts given the doubles of the auction")

    def _count_unknown_notes(self, section: Section) -> None:
        if section.unknown_notes:
            self.report.repair("notes without a text read as alerts", section.unknown_notes)

    def _unused_notes(self, name: str, text: str) -> None:
        """Notes that nothing refers to are kept as comments."""
        for number, note in self.notes[name].items():
            if f"={number}=" not in text and note.strip():
                self.late.append((name, clean_comment(f"={number}= {note}")))

    def _claimer(self) -> str | None:
        """The value of Borel's own tag Claim: who claimed, or ``?``."""
        value = self.values.get("Claim", "")
        return value if value in ("N", "E", "S", "W", "?") else None

    def _claim(self, cards: tuple[Card, ...], tricks: int | None) -> Claim | None:
        claimer = self._claimer()
        if claimer is None:
            return None
        if tricks is None:
            raise RecordError("a claim without a result", line=self.lines.get("Claim", self.game.line))
        return Claim(len(cards), tricks, None if claimer == "?" else Seat.parse(claimer))

    def _place_late_comments(self, auction: Auction | None, cards: tuple[Card, ...], claim: Claim | None) -> None:
        """Comments at the end of a section, or after Result where the section is empty."""
        present = {"Auction": auction is not None, "Play": bool(cards) or claim is not None}
        lengths = {"Auction": len(auction) if auction is not None else 0, "Play": len(cards)}
        early = [comment for comment in self.comments if comment.after == "Play" and not present["Play"]]
        self.comments = [comment for comment in self.comments if comment not in early]
        self.late += [("Play", comment.text) for comment in early]
        for section, text in self.late:
            if present.get(section):
                self.comments.append(Comment(text, section, lengths[section]))
            else:
                self.comments.append(Comment(text, "Result"))

    def _tags(self, contract: Contract | None, auction: Auction | None, *, passed_out: bool) -> tuple[Tag, ...]:
        """The tags without a place of their own in a record, and the texts that could not be understood alone."""
        tags = []
        is_open = contract is None and not passed_out and not (auction is not None and auction.is_over)
        for name, value in self.values.items():
            lines = self.tables.get(name, ())
            if name in _TEXT_TAGS:
                if value:
                    tags.append(Tag(name, value))
            elif name == "Board":
                if self._text("Board") and not is_board_number(value):
                    tags.append(Tag(name, value))
            elif name in ("Contract", "Declarer"):
                if is_open and (text := self._text(name)):
                    tags.append(Tag(name, self._standard(name, text)))
            elif name not in _ELSEWHERE and not (name == "Claim" and self._claimer() is not None):
                tags.append(Tag(name, value, lines))
        return tuple(tags)

    def _standard(self, name: str, text: str) -> str:
        if name == "Declarer":
            return str(self._at(name, Seat.parse))
        contract = self._at(name, lambda text: _parse_contract(text, Seat.N))
        return contract.text if contract is not None else text


_ELSEWHERE = frozenset(MANDATORY_TAGS) | {"Auction", "Play"}


_HOLDINGS = {text: ranks for ranks, text in enumerate(HOLDING_TEXT)}


@lru_cache(maxsize=64)  # the tables of a board share its deal
def parse_deal(text: str) -> Deal:
    """The same as `Deal.parse`, quickly where every suit is written from the top."""
    parts = text[2:].split()
    first = "NESW".find(text[:1]) if text[:1] else -1
    if len(parts) != 4 or first < 0 or text[1:2] != ":":
        return Deal.parse(text)
    masks = [0, 0, 0, 0]
    for turn, part in enumerate(parts):
        ranks = [_HOLDINGS.get(suit) for suit in part.split(".")]
        if len(ranks) != 4 or None in ranks:
            return Deal.parse(text)
        spades, hearts, diamonds, clubs = (rank or 0 for rank in ranks)
        masks[(first + turn) % 4] = spades << 39 | hearts << 26 | diamonds << 13 | clubs
        if masks[(first + turn) % 4].bit_count() > 13:
            return Deal.parse(text)
    return Deal((Hand(masks[0]), Hand(masks[1]), Hand(masks[2]), Hand(masks[3])))


def _parse_contract(text: str, declarer: Seat) -> Contract:
    """Redoubled is ``XX`` in the standard and ``R`` in some archives."""
    return Contract.parse(text[:-1] + "XX" if text[-1] in "Rr" else text, declarer)


def _tricks(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 2):
        raise ParseError("result (declarer's tricks)", text)
    return int(text)
