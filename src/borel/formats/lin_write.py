"""Writing LIN: one board a line, as BBO's own archives do."""

from __future__ import annotations

from borel.auction import Call
from borel.cards import Hand, Suit
from borel.deal import Vulnerability
from borel.errors import RecordError
from borel.formats.lin_read import DEALERS, ORDER
from borel.formats.report import Report
from borel.record import Record

__all__ = ["board_text"]

_DIGITS = {seat: digit for digit, seat in DEALERS.items()}
_VULNERABLE = {Vulnerability.NONE: "o", Vulnerability.NS: "n", Vulnerability.EW: "e", Vulnerability.ALL: "b"}
_CALLS = ("p", "d", "r")
_HELD_TAGS = ("Room",)


def board_text(record: Record, report: Report) -> str:
    """The commands of one board. What LIN cannot hold is counted in the report; a board without deal raises."""
    if record.deal is None:
        raise RecordError("cannot be written as LIN: no deal")
    if record.auction is not None and record.dealer is None:
        raise RecordError("cannot be written as LIN: no dealer")
    _count_losses(record, report)
    parts = [*_head(record), *_comments(record, "", 0)]
    if record.auction is not None:
        parts += [*_calls(record), "pg||", *_cards(record)]
    parts += [f"{tag.name[4:6]}|{_value(tag.value)}|" for tag in record.tags if tag.name.startswith("Lin_")]
    return "".join(parts)


def _head(record: Record) -> list[str]:
    room = "c" if record.tag("Room") == "Closed" else "o"
    parts = [f"qx|{room}{record.number}|"] if record.number is not None else []
    if any(record.players):
        parts.append("pn|" + ",".join(_value(record.players[seat]).replace(",", " ") for seat in ORDER) + "|")
    assert record.deal is not None
    digit = _DIGITS[record.dealer] if record.dealer is not None else "0"
    parts.append(f"st||md|{digit}" + ",".join(_hand(record.deal.hand(seat)) for seat in ORDER) + "|")
    if record.number is not None:
        parts.append(f"rh||ah|Board {record.number}|")
    if record.vulnerability is not None:
        parts.append(f"sv|{_VULNERABLE[record.vulnerability]}|")
    return parts


def _hand(hand: Hand) -> str:
    return "".join(f"{suit}{hand.holding(suit)}" for suit in reversed(Suit)) if hand.mask else ""


def _calls(record: Record) -> list[str]:
    assert record.auction is not None
    parts = []
    for position, call in enumerate(record.auction.calls):
        note = record.call_notes[position] if record.call_notes else None
        parts.append(f"mb|{_call(call)}{'!' if note and note.alerted else ''}|")
        if note and note.explanation:
            parts.append(f"an|{_value(note.explanation)}|")
        parts += _comments(record, "Auction", position + 1)
    return parts


def _call(call: Call) -> str:
    return str(call).replace("NT", "N") if call.is_bid else _CALLS[call.index]


def _cards(record: Record) -> list[str]:
    parts = []
    for position, card in enumerate(record.cards):
        parts.append(f"pc|{card}|")
        parts += _comments(record, "Play", position + 1)
        if position % 4 == 3:
            parts.append("pg||")
    if record.tricks is not None and not record.adjusted and (record.claim or len(record.cards) < 52):
        parts.append(f"mc|{record.tricks}|pg||")
    return parts


def _comments(record: Record, after: str, position: int) -> list[str]:
    """The comments at a place; all that stand among the tags are written before the auction."""
    if not record.comments:
        return []
    if after == "":
        texts = [comment.text for comment in record.comments if not comment.position]
    else:
        texts = [comment.text for comment in record.comments if (comment.after, comment.position) == (after, position)]
    return [f"nt|{_value(text)}|" for text in texts]


def _value(text: str) -> str:
    return text.replace("|", "/").replace("\n", " ")


def _count_losses(record: Record, report: Report) -> None:
    if any(tag.name not in _HELD_TAGS and not tag.name.startswith("Lin_") for tag in record.tags):
        report.loss("records without some of their tags")
    if record.auction is None and record.contract is not None:
        report.loss("contracts, plays and results without an auction")
    if record.card_notes or any(note.nags for note in record.call_notes):
        report.loss("records without notes on cards or glyphs")
    if record.adjusted:
        report.loss("results that the play does not lead to")
    if record.claim is not None and record.claim.claimer is not None:
        report.loss("names of the claiming seat")
