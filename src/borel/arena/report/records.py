"""Matches and reviews as records, for PBN: both rooms of every board, each call with its reason as a comment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from borel.arena.match import BoardScore, Played, RoomScore
from borel.arena.review import Reviewed
from borel.auction import Auction
from borel.cards import Card
from borel.record import Comment, Record, Tag

__all__ = ["match_records", "review_records"]

LONGEST = 400  # characters of a reason


def match_records(match: Played) -> Iterator[Record]:
    """Open and closed room of every board; a void one without an auction, saying why."""
    for score in match.boards:
        if score.void:
            yield replace(_head(match, score), comments=(_comment(f"void: {score.void}"),))
        for name, room in zip(("Open", "Closed"), score.rooms, strict=False):
            yield _room(match, score, room, name)


def _head(match: Played, score: BoardScore) -> Record:
    board = score.board
    event = Tag("Event", _line(f"{match.a} - {match.b}, seed {match.seed}"))
    return Record(board.number, board.dealer, board.vulnerability, board.deal, tags=(event, Tag("Scoring", "IMP")))


def _room(match: Played, score: BoardScore, room: RoomScore, name: str) -> Record:
    head = _head(match, score)
    n, e, s, w = (_line(match.a if letter == "A" else match.b) for letter in room.seating)
    auction = Auction.parse(score.dealer, room.auction)
    reasons = [_comment(why, "Auction", i) for i, why in enumerate(room.whys, 1) if _line(why)]
    how = "played" if room.cards else "double dummy"
    swing = _comment(f"{score.imps:+d} imps to {match.a}; {how} {room}")
    points = Tag("Score", f"NS {room.ns_score}")
    return replace(
        head,
        players=(n, e, s, w),
        auction=auction,
        cards=tuple(map(Card.parse, room.cards.split())),
        tricks=room.tricks,
        tags=(*head.tags, Tag("Room", name), points, Tag("ScoreIMP", f"NS {_ns_imps(score, room)}")),
        comments=(swing, *reasons),
    )


def _ns_imps(score: BoardScore, room: RoomScore) -> int:
    return score.imps if room.seating[0] == "A" else -score.imps


def review_records(review: Reviewed, records: Sequence[Record]) -> Iterator[Record]:
    """The session's records, with a comment on every call that the bidder would not make."""
    for board, record in zip(review.boards, records, strict=True):
        comments = [
            _comment(f"{review.bidder}: {call.better}, {call.cost:+.1f} imps: {call.why}", "Auction", call.position + 1)
            for call in board.calls
            if call.differs
        ]
        comments += [
            _comment(f"{card.tricks} tricks, {card.cost:.0f} imps; {card.better} {card.why}", "Play", card.position + 1)
            for card in board.cards
        ]
        yield replace(record, comments=(*record.comments, *comments))


def _comment(text: str, after: str = "", position: int = 0) -> Comment:
    return Comment(_line(text), after, position)


def _line(text: str) -> str:
    """A text on one line, without braces and control characters."""
    cleaned = "".join(letter if letter.isprintable() else " " for letter in text.replace("{", "(").replace("}", ")"))
    return " ".join(cleaned.split())[:LONGEST].strip()  # a cut may fall on a space
