"""JSON lines: one record a line, in Borel's own documented schema (docs/formats.md). Holds all of a record.

>>> record, = loads('{"dealer": "N", "auction": "1NT P 3NT P P P", "tricks": 10}')
>>> print(dumps([record]), end="")
{"dealer": "N", "auction": "1NT P 3NT P P P", "contract": "3NT by N", "tricks": 10}
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from borel.auction import Auction, Call, Contract
from borel.cards import ALL_CARDS, Card, Seat
from borel.deal import Vulnerability
from borel.errors import BridgeError, ParseError, RecordError
from borel.formats.pbn_build import parse_deal
from borel.formats.report import Lines, Report, TextReader, TextWriter
from borel.play import Claim
from borel.record import Annotation, Comment, Record, Tag, notes_of

__all__ = ["dump", "dumps", "from_json", "load", "loads", "to_json"]

KEYS = (
    *("board", "dealer", "vulnerable", "deal", "players", "auction", "call_notes", "contract", "play", "card_notes"),
    *("claim", "tricks", "adjusted", "tags", "comments"),
)
T = TypeVar("T")
_CARD_TEXTS = tuple(str(card) for card in ALL_CARDS)


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
            record = from_json(_object(text))
        except BridgeError as error:
            report.bad(error, lines.number)
            continue
        report.good(lines.number)
        yield record


def loads(text: str, report: Report | None = None) -> list[Record]:
    """Read all records of a text."""
    return list(load(io.StringIO(text), report))


def dump(records: Iterable[Record], handle: TextWriter, report: Report | None = None) -> None:
    """Write records one by one, each on a line."""
    for record in records:
        handle.write(json.dumps(to_json(record), ensure_ascii=False) + "\n")


def dumps(records: Iterable[Record]) -> str:
    """The records as JSON lines."""
    handle = io.StringIO()
    dump(records, handle)
    return handle.getvalue()


def to_json(record: Record) -> dict[str, Any]:
    """The record as a JSON object; what is unknown or empty is left out."""
    contract = "Pass" if record.passed_out else record.contract and str(record.contract)
    values: dict[str, Any] = {
        "board": record.number,
        "dealer": None if record.dealer is None else record.dealer.name,
        "vulnerable": None if record.vulnerability is None else str(record.vulnerability),
        "deal": record.deal and str(record.deal),
        "players": list(record.players) if any(record.players) else None,
        "auction": None if record.auction is None else str(record.auction),
        "call_notes": _notes_to_json(record.call_notes),
        "contract": contract,
        "play": " ".join([_CARD_TEXTS[13 * card.suit + card.rank] for card in record.cards]) or None,
        "card_notes": _notes_to_json(record.card_notes),
        "claim": _claim_to_json(record.claim),
        "tricks": record.tricks,
        "adjusted": record.adjusted or None,
        "tags": [[tag.name, tag.value, *([list(tag.lines)] if tag.lines else [])] for tag in record.tags] or None,
        "comments": [_comment_to_json(comment) for comment in record.comments] or None,
    }
    return {key: value for key, value in values.items() if value is not None}


def from_json(values: dict[str, Any]) -> Record:
    """The record of a JSON object; what is not in the schema raises."""
    for key in values:
        if key not in KEYS:
            raise RecordError(f"unknown key {key[:80]!r}")
    dealer = _parsed(values, "dealer", Seat.parse)
    auction = _parsed(values, "auction", lambda text: _auction(dealer, text))
    cards = _parsed(values, "play", _cards) or ()
    contract = _parsed(values, "contract", lambda text: None if text == "Pass" else Contract.parse(text))
    return Record(
        number=_integer(values, "board"),
        dealer=dealer,
        vulnerability=_parsed(values, "vulnerable", Vulnerability.parse),
        deal=_parsed(values, "deal", parse_deal),
        players=_players(values),
        auction=auction,
        call_notes=_notes(values, "call_notes", len(auction) if auction is not None else 0),
        contract=contract,
        passed_out=values.get("contract") == "Pass",
        cards=cards,
        card_notes=_notes(values, "card_notes", len(cards)),
        claim=_claim(values, len(cards)),
        tricks=_integer(values, "tricks"),
        adjusted=_flag(values, "adjusted"),
        tags=tuple(_tag(tag) for tag in _list(values, "tags")),
        comments=tuple(_comment(comment) for comment in _list(values, "comments")),
    )


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        raise ParseError("JSON text", text, why=f"{error.msg} at column {error.colno}") from None
    except RecursionError:
        raise ParseError("JSON text", text, why="nested too deeply") from None
    except BridgeError:
        raise
    except ValueError as error:  # a number of more digits than Python converts
        raise ParseError("JSON text", text, why=str(error)[:80]) from None
    if not isinstance(value, dict):
        raise ParseError("JSON object", text)
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise RecordError("a key is given twice in one JSON object")
    return values


def _parsed(values: dict[str, Any], key: str, parse: Callable[[str], T]) -> T | None:
    text = values.get(key)
    if text is None:
        return None
    if not isinstance(text, str):
        raise _wrong(key, "a text", text)
    return parse(text)


def _wrong(key: str, expected: str, value: object) -> RecordError:
    return RecordError(f"{key} is {expected}, not {json.dumps(value)[:80]}")


def _integer(values: dict[str, Any], key: str) -> int | None:
    number = values.get(key)
    if number is not None and type(number) is not int:
        raise _wrong(key, "a whole number", number)
    return number


def _flag(values: dict[str, Any], key: str) -> bool:
    value = values.get(key, False)
    if type(value) is not bool:
        raise _wrong(key, "true or false", value)
    return value


def _list(values: dict[str, Any], key: str) -> list[Any]:
    value = values.get(key, [])
    if not isinstance(value, list):
        raise _wrong(key, "a list", value)
    return value


def _auction(dealer: Seat | None, text: str) -> Auction:
    if dealer is None:
        raise RecordError("an auction without a dealer")
    return Auction(dealer, tuple(Call.parse(word) for word in text.split()))


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def _players(values: dict[str, Any]) -> tuple[str, str, str, str]:
    names = values.get("players", ["", "", "", ""])
    if not (isinstance(names, list) and len(names) == 4 and all(isinstance(name, str) for name in names)):
        raise _wrong("players", "a list of four texts, N E S W", names)
    return names[0], names[1], names[2], names[3]


def _notes_to_json(notes: tuple[Annotation, ...]) -> dict[str, Any] | None:
    """By position, only where something is said."""
    return {str(i): _note_to_json(note) for i, note in enumerate(notes) if note} or None


def _note_to_json(note: Annotation) -> dict[str, Any]:
    values = {"explanation": note.explanation, "alerted": note.alerted, "nags": list(note.nags)}
    return {key: value for key, value in values.items() if value}


def _notes(values: dict[str, Any], key: str, count: int) -> tuple[Annotation, ...]:
    given = values.get(key, {})
    if not isinstance(given, dict):
        raise _wrong(key, "an object", given)
    notes = {}
    for position, note in given.items():
        if not (position.isascii() and position.isdecimal() and len(position) < 4 and int(position) < count):
            raise RecordError(f"{key} has a position {position[:20]!r}, but there are {count}")
        if not isinstance(note, dict) or not set(note) <= {"explanation", "alerted", "nags"}:
            raise _wrong(key, "an object of explanation, alerted and nags", note)
        nags = _list(note, "nags")
        if not all(type(nag) is int for nag in nags):
            raise _wrong("nags", "a list of whole numbers", nags)
        explanation = _parsed(note, "explanation", str) or ""
        notes[int(position)] = Annotation(explanation, _flag(note, "alerted"), tuple(nags))
    return notes_of(count, notes)


def _claim_to_json(claim: Claim | None) -> dict[str, Any] | None:
    if claim is None:
        return None
    return {"tricks": claim.declarer_tricks} | ({"by": claim.claimer.name} if claim.claimer is not None else {})


def _claim(values: dict[str, Any], cards: int) -> Claim | None:
    claim = values.get("claim")
    if claim is None:
        return None
    if not isinstance(claim, dict) or not set(claim) <= {"tricks", "by"}:
        raise _wrong("claim", "an object of tricks and by", claim)
    tricks = _integer(claim, "tricks")
    if tricks is None:
        raise _wrong("claim", "an object of tricks and by", claim)
    return Claim(cards, tricks, _parsed(claim, "by", Seat.parse))


def _tag(value: object) -> Tag:
    if not (isinstance(value, list) and 2 <= len(value) <= 3 and all(isinstance(text, str) for text in value[:2])):
        raise _wrong("tags", "a list of [name, value] or [name, value, lines]", value)
    lines = value[2] if len(value) == 3 else []
    if not (isinstance(lines, list) and all(isinstance(line, str) for line in lines)):
        raise _wrong("tags", "a list of [name, value] or [name, value, lines]", value)
    return Tag(value[0], value[1], tuple(lines))


def _comment_to_json(comment: Comment) -> dict[str, Any]:
    place = {"after": comment.after} if comment.after else {}
    return {"text": comment.text} | place | ({"position": comment.position} if comment.position else {})


def _comment(value: object) -> Comment:
    if not isinstance(value, dict) or not set(value) <= {"text", "after", "position"}:
        raise _wrong("comments", "a list of objects of text, after and position", value)
    text, after = _parsed(value, "text", str), _parsed(value, "after", str)
    return Comment(text or "", after or "", _integer(value, "position") or 0)
