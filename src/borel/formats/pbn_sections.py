"""The auction and play sections of a PBN game (PBN 2.1 §3.5): tokens, notes, and the two repairs they often need."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from borel.auction import PASS, Auction, Call, Contract
from borel.cards import ALL_CARDS, Card, Seat
from borel.deal import Deal
from borel.errors import BridgeError, RecordError
from borel.formats.report import clean, with_line
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
    cells: list[int] = field(default_factory=list)  # the numbers of cards; -1 where a hand has none in the row
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
            return len(section.calls) + 1  # what is said after AP is said after the first of these passes
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
    if _read_plain_play(text, section):
        return section

    def cell(token: str) -> int:
        if len(section.cells) >= 52:
            raise RecordError("more than 52 cards")
        section.cells.append(-1 if token.strip("-") == "" else Card.parse(token).index)
        return len(section.cells)

    _read(text, section, notes, cell)
    return section


_PLAIN_CELLS = {str(card): card.index for card in ALL_CARDS} | {"-": -1}


def _read_plain_play(text: str, section: Section) -> bool:
    """The short way for a section of cards, dashes and an end mark, as most are; False where there is anything else."""
    words = text.split()
    if words and words[-1] in ("*", "+"):
        section.unfinished = words.pop() == "+"
    try:
        section.cells = [_PLAIN_CELLS[word] for word in words]
    except KeyError:
        return False
    if len(words) > 52:
        section.cells = []
        return False
    return True


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


def order_cards(section: Section, first: Seat, deal: Deal | None, contract: Contract) -> tuple[list[int], int]:
    """The places of the cards among the cells, in the order played; and how many tricks had to be sorted.

    PBN writes each trick as a row whose columns are seats, beginning with the opening leader (PBN 2.1 §3.5.2). Where
    the hands are known a card belongs to the hand that holds it, whatever its column.
    """
    hands = deal.masks if deal is not None and all(deal.masks) else None
    cells, strain = section.cells, int(contract.strain)
    played: list[int] = []
    moved_rows, leader, ended = 0, int(contract.leader), False
    for start in range(0, len(cells), 4):
        by_seat, count, moved = _row(cells, start, int(first), hands)
        if not count:
            ended = True
            continue
        if ended:
            raise RecordError(f"trick {start // 4 + 1}: a card after an unfinished trick")
        moved_rows += moved
        best_suit = best_rank = winner = -1
        for turn in range(count):
            place = by_seat[(leader + turn) & 3]
            if place < 0:
                raise RecordError(
                    f"trick {start // 4 + 1}: no card of {Seat((leader + turn) % 4)}, but one of a later hand"
                )
            played.append(place)
            suit, rank = divmod(cells[place], 13)
            if not turn or (suit == best_suit and rank > best_rank) or (suit != best_suit and suit == strain):
                best_suit, best_rank, winner = suit, rank, (leader + turn) & 3
        leader, ended = winner, count < 4
    return played, moved_rows


def _row(
    cells: list[int], start: int, first: int, hands: tuple[int, int, int, int] | None
) -> tuple[list[int], int, int]:
    """Where each seat's card of a row is (-1 for none), how many there are, and 1 if any was not in its column."""
    by_seat, count, moved = [-1, -1, -1, -1], 0, 0
    for place in range(start, min(start + 4, len(cells))):
        card = cells[place]
        if card < 0:
            continue
        seat = (first + place) & 3
        if hands is not None and not hands[seat] >> card & 1:
            seat = next((holder for holder in range(4) if hands[holder] >> card & 1), seat)
            moved = 1
        if by_seat[seat] >= 0:
            raise RecordError(f"trick {start // 4 + 1}: two cards of {Seat(seat)}, the second is {ALL_CARDS[card]}")
        by_seat[seat] = place
        count += 1
    return by_seat, count, moved
