"""The auction and play sections of a PBN game (PBN 2.1 §3.5): tokens, notes, and the two repairs they often need."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from borel.auction import PASS, Auction, Call, Contract
from borel.cards import Card, Seat
from borel.deal import Deal
from borel.errors import BridgeError, RecordError
from borel.formats.report import clean, with_line
from borel.play import trick_winner
from borel.record import Annotation

__all__ = ["Fit", "Section", "fit_auction", "order_cards", "read_auction", "read_play"]

_TOKEN = re.compile(r"\{[^}]*\}|;[^\n]*|=\d{1,4}=|\$\d{1,3}|[!?]{1,2}|\^\w*|[*+]|[^\s{;=$!?^*+]+|\S")
_SUFFIXES = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}  # PBN 2.1 §3.5.3, the same as NAGs $1..$6
_ALERT = re.compile(r"alert\s*(?::\s*(.*))?", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class Section:
    """The cells of a section as written, with what is said about each; positions count cells."""

    line: int
    calls: list[Call] = field(default_factory=list)
    cells: list[Card | None] = field(default_factory=list)  # None where a hand has no card in the row
    notes: dict[int, Annotation] = field(default_factory=dict)
    comments: list[tuple[int, str]] = field(default_factory=list)
    all_pass: bool = False
    unfinished: bool = False
    unknown_notes: int = 0


def read_auction(text: str, line: int, notes: dict[int, str]) -> Section:
    """Read the calls of an auction section."""
    section = Section(line)

    def cell(token: str) -> int:
        if section.all_pass:
            raise RecordError(f"a call after AP: {token[:20]!r}")
        if token.upper() == "AP":
            section.all_pass = True
        elif token == "-":
            raise RecordError("a dash among the calls: the call is not known")
        else:
            section.calls.append(Call.parse(token))
        return len(section.calls)

    _read(text, section, notes, cell)
    return section


def read_play(text: str, line: int, notes: dict[int, str]) -> Section:
    """Read the cells of a play section."""
    section = Section(line)

    def cell(token: str) -> int:
        if len(section.cells) >= 52:
            raise RecordError("more than 52 cards")
        section.cells.append(None if token.strip("-") == "" else Card.parse(token))
        return len(section.cells)

    _read(text, section, notes, cell)
    return section


def _read(text: str, section: Section, notes: dict[int, str], cell: Callable[[str], int]) -> None:
    """Give each token its meaning; an error names the line of its token."""
    count, ended = 0, False
    for index, token in enumerate(_TOKEN.findall(text)):
        first = token[0]
        try:
            if first == "{" or first == ";":
                if comment := token[1 : -1 if first == "{" else None].strip():
                    section.comments.append((count, clean_comment(comment)))
            elif ended:
                raise RecordError(f"text after the end of the section: {token[:20]!r}")
            elif token == "*" or token == "+":
                ended, section.unfinished = True, token == "+"
            elif first in "=$!?":
                _annotate(section, count, token, notes)
            elif first == "^":
                raise RecordError(f"an irregularity, which Borel cannot represent: {token[:20]!r}")
            else:
                count = cell(token)
        except BridgeError as error:
            raise with_line(error, section.line + _line_of(text, index)) from None


def _line_of(text: str, index: int) -> int:
    """How many lines down the text its token with this index begins."""
    for position, match in enumerate(_TOKEN.finditer(text)):
        if position == index:
            return text.count("\n", 0, match.start())
    return 0


def clean_comment(text: str) -> str:
    """Comments keep their lines, and have no other control characters."""
    lines = [clean(line) for line in text.split("\n")]
    return (" " if "}" in text else "\n").join(lines).strip()


def _annotate(section: Section, count: int, token: str, notes: dict[int, str]) -> None:
    """Add a note reference, glyph or suffix to the call or card before it."""
    if not count:
        raise RecordError(f"an annotation before the first call or card: {token!r}")
    old = section.notes.get(count - 1, Annotation())
    if token[0] == "=":
        if len(token) == 1:
            raise RecordError("not a note reference: '='")
        number = int(token[1:-1])
        if number not in notes:
            section.unknown_notes += 1
        new = parse_note(notes.get(number, "alert"))
        texts = [text for text in (old.explanation, new.explanation) if text]
        section.notes[count - 1] = Annotation("; ".join(texts), old.alerted or new.alerted, old.nags)
    elif token == "$":
        raise RecordError("not a numeric annotation glyph: '$'")
    else:
        nag = int(token[1:]) if token[0] == "$" else _SUFFIXES[token]
        section.notes[count - 1] = Annotation(old.explanation, old.alerted, (*old.nags, nag))


def parse_note(text: str) -> Annotation:
    """PBN has notes but no alerts: Borel writes an alert as a note that begins with ``alert``.

    >>> parse_note("alert: 15-17"), parse_note("15-17").alerted
    (Annotation(explanation='15-17', alerted=True, nags=()), False)
    """
    if match := _ALERT.fullmatch(text):
        return Annotation(match[1] or "", alerted=True)
    return Annotation(text.removeprefix(":"))


def note_text(note: Annotation) -> str:
    """The text of a note that reads back as this annotation; empty where nothing needs a note."""
    if note.alerted:
        return f"alert: {note.explanation}" if note.explanation else "alert"
    text = note.explanation
    return f":{text}" if text.startswith(":") or _ALERT.fullmatch(text) else text


@dataclass(frozen=True, slots=True)
class Fit:
    """An auction with the passes that the source left out, the contract it leads to, and what had to be added."""

    auction: Auction
    contract: Contract | None
    leading: int = 0
    closing: int = 0
    doubled: bool = False


def fit_auction(dealer: Seat, section: Section, contract: Contract | None, *, passed_out: bool) -> Fit:
    """Bring auction and contract together where only one reading does.

    Leading passes: the declarer's seat shows how many are missing, at most three. They are added only to an auction
    that begins with a bid, for one that begins with a pass has its passes written. Closing passes: added when the
    contract shows that the auction ended here. Doubles: a contract that was written without them has the auction's.
    """
    calls = tuple(section.calls)
    auction, leading = Auction(dealer, calls), 0
    last = auction.contract
    if contract is not None and last is not None and last.declarer is not contract.declarer and calls[0] != PASS:
        leading = last.declarer.turns_to(contract.declarer)
        auction = Auction(dealer, (PASS,) * leading + calls)
        last = auction.contract
    doubled = contract is not None and last is not None and contract.doubled == 0 < last.doubled
    if doubled and last is not None and contract == replace(last, doubled=0):
        contract = last
    if last != contract and leading:
        auction, leading = Auction(dealer, calls), 0  # passes do not help; the error shows the auction as written
    finished = auction
    if section.all_pass:
        return Fit(auction.all_pass(), contract, leading, 0, doubled)
    if not section.unfinished and not auction.is_over:
        agrees = last == contract if contract is not None else passed_out and last is None
        finished = auction.all_pass() if agrees else auction
    return Fit(finished, contract, leading, len(finished) - len(auction), doubled)


def order_cards(section: Section, first: Seat, deal: Deal | None, contract: Contract) -> tuple[list[Card], dict[int, int], int]:
    """The cards in the order played; the place of each cell's card in that order; how many tricks had to be sorted.

    PBN writes each trick as a row whose columns are seats, beginning with the opening leader (PBN 2.1 §3.5.2). Where the
    hands are known a card belongs to the hand that holds it, whatever its column.
    """
    hands = deal.masks if deal is not None and all(deal.masks) else None
    cards: list[Card] = []
    order: dict[int, int] = {}
    moved_rows, leader, ended = 0, contract.leader, False
    for start in range(0, len(section.cells), 4):
        row = section.cells[start : start + 4]
        columns = [(first + column) % 4 for column in range(len(row))]
        if hands is not None:
            moved_rows += _move_to_holders(row, columns, hands, start)
        cell_of = {seat: start + i for i, (seat, card) in enumerate(zip(columns, row, strict=True)) if card is not None}
        trick = []
        if cell_of and ended:
            raise RecordError(f"trick {start // 4 + 1}: a card after the trick before was left unfinished", line=section.line)
        for turn in range(len(cell_of)):
            index = cell_of.get((leader + turn) % 4)
            if index is None:
                missing = Seat((leader + turn) % 4)
                raise RecordError(f"trick {start // 4 + 1}: no card of {missing}, but one of a later hand", line=section.line)
            order[index] = len(cards) + turn
            trick.append(row[index - start])
        played = tuple(card for card in trick if card is not None)
        cards += played
        ended = len(played) < 4
        if not ended:
            leader = Seat((leader + trick_winner(played, contract.strain)) % 4)
    return cards, order, moved_rows


def _move_to_holders(row: list[Card | None], columns: list[int], hands: tuple[int, int, int, int], start: int) -> int:
    """Change the columns of a row to the seats that hold its cards; 1 if that changed anything."""
    moved, seen = 0, set()
    for i, card in enumerate(row):
        if card is None:
            continue
        mask = card.mask
        if not hands[columns[i]] & mask:
            columns[i] = next((seat for seat in range(4) if hands[seat] & mask), columns[i])
            moved = 1
        if columns[i] in seen:
            raise RecordError(f"trick {start // 4 + 1}: two cards of {Seat(columns[i])}, the second is {card}")
        seen.add(columns[i])
    return moved
