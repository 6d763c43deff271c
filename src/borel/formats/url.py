"""BBO's hand-viewer URL, one a line: the form with ``lin=`` and the form with hands, ``n= s= e= w= d= v= a= p=``.

>>> link = "https://www.bridgebase.com/tools/handviewer.html?n=sakqhakqdakqcakqj&d=s&v=n&b=3&a=p(no)p7n"
>>> record, = loads(link)
>>> record.number, record.dealer, str(record.auction), record.explanations[0]
(3, Seat.S, 'P P 7NT', 'no')
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, quote, urlsplit

from borel.auction import Auction, Call
from borel.cards import DECK, Card, Hand, Seat
from borel.deal import Deal, Vulnerability
from borel.errors import BridgeError, ParseError, RecordError
from borel.formats import lin
from borel.formats.lin_write import board_text
from borel.formats.report import Lines, Report, TextReader, TextWriter, clean
from borel.play import Claim
from borel.record import Annotation, Record, Tag, is_board_number, notes_of

__all__ = ["dump", "dumps", "load", "loads"]

VIEWER = "https://www.bridgebase.com/tools/handviewer.html?lin="
_CALL = re.compile(r"\s*-?\s*([1-7](?:NT|[CDHSN])|P|D|XX|X|R)(!?)(?:\(([^)]*)\))?(!?)", re.IGNORECASE)
_CARD = re.compile(r"\s*-?\s*([CDHS](?:10|[2-9TJQKA]))", re.IGNORECASE)
_NAMES = {"nn": Seat.N, "en": Seat.E, "sn": Seat.S, "wn": Seat.W}
_KNOWN = frozenset({"n", "e", "s", "w", "d", "v", "b", "a", "p", "c", *_NAMES})
_MAX_FIELDS = 200


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
            record = _parse(text.strip(), report)
        except BridgeError as error:
            report.bad(_at(error, lines.number), lines.number)
            continue
        report.good(lines.number)
        yield record


def _at(error: BridgeError, line: int) -> BridgeError:
    """The LIN inside a URL has its own lines; what counts is the line of the URL."""
    if isinstance(error, ParseError):
        return ParseError(error.what, error.text, why=error.why, line=line)
    return RecordError(error.what if isinstance(error, RecordError) else str(error), line=line)


def loads(text: str, report: Report | None = None) -> list[Record]:
    """Read all records of a text."""
    return list(load(io.StringIO(text), report))


def dump(records: Iterable[Record], handle: TextWriter, report: Report | None = None) -> None:
    """Write records one by one, each on a line, in the form with ``lin=``, which holds more."""
    report = Report() if report is None else report
    for record in records:
        try:
            text = board_text(record, report)
        except BridgeError as error:
            report.unwritable(error)
            continue
        handle.write(VIEWER + quote(text, safe="") + "\n")


def dumps(records: Iterable[Record]) -> str:
    """The records as URLs."""
    handle = io.StringIO()
    dump(records, handle)
    return handle.getvalue()


def _parse(text: str, report: Report) -> Record:
    try:
        query = urlsplit(text).query if "?" in text else ""
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError as error:
        raise ParseError("hand-viewer URL", text, why=str(error)[:80]) from None
    fields = {key.lower(): clean(value) for key, value in pairs}
    if len(fields) < len(pairs):
        raise ParseError("hand-viewer URL", text, why="a field is given twice")
    if "lin" in fields:
        inner = Report()
        records = lin.loads(fields["lin"], inner)
        if len(records) != 1:
            raise ParseError("hand-viewer URL", text, why=f"{len(records)} boards in lin=")
        report.repairs += inner.repairs
        return records[0]
    if not fields.keys() & {"n", "e", "s", "w", "a"}:
        raise ParseError("hand-viewer URL", text, why="no lin=, no hands and no auction")
    return _record(fields)


def _record(fields: dict[str, str]) -> Record:
    """The record of the form with hands."""
    dealer = Seat.parse(fields["d"]) if fields.get("d") else None
    auction, notes = _auction(dealer, fields.get("a", ""))
    cards = _cards(fields.get("p", ""))
    if auction is not None and cards and not auction.is_over:
        auction = auction.all_pass()
    claim, number, names = fields.get("c", ""), fields.get("b", ""), dict.fromkeys(Seat, "")
    names |= {_NAMES[key]: value for key, value in fields.items() if key in _NAMES}
    if claim and not (claim.isascii() and claim.isdecimal() and len(claim) <= 2):
        raise ParseError("claim (declarer's tricks)", claim)
    return Record(
        number=int(number) if is_board_number(number) else None,
        dealer=dealer,
        vulnerability=Vulnerability.parse(fields["v"]) if fields.get("v") else None,
        deal=_deal(fields),
        players=(names[Seat.N], names[Seat.E], names[Seat.S], names[Seat.W]),
        auction=auction,
        call_notes=notes_of(len(auction), notes) if auction is not None else (),
        cards=cards,
        claim=Claim(len(cards), int(claim)) if claim else None,
        tags=tuple(Tag(f"Url_{key}", value) for key, value in fields.items() if key not in _KNOWN and value),
    )


def _deal(fields: dict[str, str]) -> Deal:
    hands = [Hand.parse(fields.get(seat.name.lower(), "")) for seat in Seat]
    if sorted(len(hand) for hand in hands) == [0, 13, 13, 13]:
        rest = DECK & ~(hands[0].mask | hands[1].mask | hands[2].mask | hands[3].mask)
        if rest.bit_count() == 13:
            hands[[len(hand) for hand in hands].index(0)] = Hand(rest)
    return Deal((hands[0], hands[1], hands[2], hands[3]))


def _auction(dealer: Seat | None, text: str) -> tuple[Auction | None, dict[int, Annotation]]:
    """``a=1c!(could be short)p1n``: alerts and explanations follow their call."""
    calls: list[Call] = []
    notes: dict[int, Annotation] = {}
    position = 0
    while match := _CALL.match(text, position):
        position = match.end()
        calls.append(Call.parse(match[1]))
        if match[2] or match[3] or match[4]:
            notes[len(calls) - 1] = Annotation((match[3] or "").strip(), alerted=bool(match[2] or match[4]))
    if text[position:].strip(" -"):
        raise ParseError("auction", text, why=f"no call at {text[position : position + 20]!r}")
    if not calls:
        return None, {}
    if dealer is None:
        raise RecordError("an auction without a dealer")
    return Auction(dealer, tuple(calls)), notes


def _cards(text: str) -> tuple[Card, ...]:
    cards: list[Card] = []
    position = 0
    while match := _CARD.match(text, position):
        position = match.end()
        cards.append(Card.parse(match[1]))
    if text[position:].strip(" -"):
        raise ParseError("play", text, why=f"no card at {text[position : position + 20]!r}")
    return tuple(cards)
