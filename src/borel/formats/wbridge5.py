"""The training data of WBridge5 published with OpenSpiel: one deal a line, all in numbers.

A line is 52 card numbers (``4 * rank + suit``), dealt in turn to N E S W; the calls (52 pass, 53 double, 54 redouble,
55 1C … 89 7NT); and, unless passed out, the 52 cards in the order played. North deals and neither side is vulnerable.
Any other numbering than Borel's is converted here and nowhere else.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

from borel.auction import ALL_CALLS, Auction, Call
from borel.cards import ALL_CARDS, Card, Hand, Seat
from borel.deal import Deal, Vulnerability
from borel.errors import BridgeError, ParseError, RecordError
from borel.formats.report import Lines, Report, TextReader, TextWriter
from borel.record import Record

__all__ = ["dump", "dumps", "load", "loads"]

_CARDS: dict[str, Card] = {str(i): ALL_CARDS[13 * (i % 4) + i // 4] for i in range(52)}
_CALLS: dict[str, Call] = {str(52 + call.index): call for call in ALL_CALLS}
_CARD_NUMBERS = {card: number for number, card in _CARDS.items()}
_MOST_NUMBERS = 52 + 319 + 52  # the longest auction has 319 calls


def load(handle: TextReader, report: Report | None = None) -> Iterator[Record]:
    """Read records one by one. The first bad one raises, unless a report with ``on_bad`` is given."""
    report = Report() if report is None else report
    lines = Lines(handle)
    for text in lines:
        if not text or text.isspace():
            continue
        try:
            if lines.too_long:
                raise lines.length_error()
            record = _parse(text)
        except BridgeError as error:
            report.bad(error, lines.number)
            continue
        report.good(lines.number)
        yield record


def loads(text: str, report: Report | None = None) -> list[Record]:
    """Read all records of a text."""
    return list(load(io.StringIO(text), report))


def dump(records: Iterable[Record], handle: TextWriter, report: Report | None = None) -> None:
    """Write records one by one. A record that the format cannot hold is bad."""
    report = Report() if report is None else report
    for record in records:
        try:
            line = _line(record)
        except BridgeError as error:
            report.unwritable(error)
            continue
        if any(record.players) or record.tags or record.comments or record.call_notes or record.card_notes:
            report.loss("records without their players, tags, notes and comments")
        handle.write(line + "\n")


def dumps(records: Iterable[Record]) -> str:
    """The records as lines of numbers."""
    handle = io.StringIO()
    dump(records, handle)
    return handle.getvalue()


def _parse(text: str) -> Record:
    words = text.split(maxsplit=_MOST_NUMBERS)
    if len(words) > _MOST_NUMBERS:
        raise RecordError(f"more than {_MOST_NUMBERS} numbers")
    if len(words) < 56:
        raise RecordError(f"{len(words)} numbers, but a deal and its shortest auction are 56")
    hands = [_hand(words, seat) for seat in Seat]
    deal = Deal((hands[0], hands[1], hands[2], hands[3]))
    end = next((i for i in range(52, len(words)) if words[i] not in _CALLS), len(words))
    auction = Auction(Seat.N, tuple(_CALLS[word] for word in words[52:end]))
    if not auction.is_over:
        raise RecordError(f"the auction is not over after {auction}")
    cards = tuple(_card(word) for word in words[end:])
    if len(cards) != (0 if auction.is_passed_out else 52):
        raise RecordError(f"{len(cards)} cards were played")
    return Record(None, Seat.N, Vulnerability.NONE, deal, auction=auction, cards=cards)


def _hand(words: list[str], seat: Seat) -> Hand:
    return Hand.of(_card(word) for word in words[seat:52:4])


def _card(word: str) -> Card:
    card = _CARDS.get(word)
    if card is None:
        raise ParseError("card (0..51)", word)
    return card


def _line(record: Record) -> str:
    """The numbers of a record; each hand is written from its highest card down."""
    if record.deal is None or not record.deal.is_complete:
        raise RecordError("cannot be written for WBridge5: the deal is not complete")
    if record.dealer is not Seat.N or record.vulnerability is not Vulnerability.NONE:
        raise RecordError("cannot be written for WBridge5: North deals and nobody is vulnerable in that format")
    if record.auction is None or not record.auction.is_over or len(record.cards) != 52 * (not record.passed_out):
        raise RecordError("cannot be written for WBridge5: auction or play is not complete")
    dealt = [card for turn in zip(*record.deal.hands, strict=True) for card in turn]
    numbers = [_CARD_NUMBERS[card] for card in dealt]
    numbers += [str(52 + call.index) for call in record.auction]
    numbers += [_CARD_NUMBERS[card] for card in record.cards]
    return " ".join(numbers)
