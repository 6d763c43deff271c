"""The engine protocol: one JSON object a line in, one a line out (docs/engine.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from borel.auction import Auction
from borel.cards import Hand, Seat
from borel.deal import Vulnerability
from borel.decision import Bidder
from borel.errors import BridgeError, DealError, IllegalCallError, ParseError
from borel.scoring import Scoring
from borel.view import BiddingView, Systems

__all__ = ["answer", "answer_line", "serve", "view_of"]

FIELDS = frozenset({"hand", "seat", "dealer", "vul", "auction", "scoring", "systems", "id"})
MAX_LINE = 100_000


def serve(lines: Iterable[str], bidder: Bidder, *, seed: int = 0) -> Iterator[str]:
    """One answer for each line that is not blank; a bad line is answered with an error and the next is served."""
    for line in lines:
        if line.strip():
            yield json.dumps(answer_line(line, bidder, rng=Random(seed)), ensure_ascii=False)


def answer_line(line: str, bidder: Bidder, *, rng: Random) -> dict[str, Any]:
    """The answer to one line of text."""
    if len(line) > MAX_LINE:
        return {"error": f"a line has at most {MAX_LINE} characters"}
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"error": f"not JSON: {str(error)[:200]}"}
    return answer(request, bidder, rng=rng)


def answer(request: object, bidder: Bidder, *, rng: Random) -> dict[str, Any]:
    """The answer to one request: the call with its reasons, or what was wrong. An ``id`` is repeated."""
    mark = {"id": request["id"]} if isinstance(request, dict) and "id" in request else {}
    try:
        decision = bidder.decide(view_of(request), rng=rng)
    except BridgeError as error:
        return {"error": str(error), **mark}
    candidates = [
        {"call": str(c.choice), "why": c.why, **({} if c.value is None else {"value": c.value})}
        for c in decision.candidates
    ]
    call = {"call": str(decision.choice), "why": decision.why, "meaning": decision.meaning, "candidates": candidates}
    return {**call, **mark}


def view_of(request: object) -> BiddingView:
    """What the request says the seat may know; anything missing, unknown or contradictory raises and is named."""
    if not isinstance(request, dict):
        raise ParseError("request", json.dumps(request)[:80], why="expected one JSON object a line")
    unknown = sorted(set(request) - FIELDS)
    if unknown:
        raise ParseError("request", unknown[0], why=f"known fields are {', '.join(sorted(FIELDS))}")
    hand = Hand.parse(_text(request, "hand"))
    if len(hand) != 13:
        raise DealError(f"hand: 13 cards expected, not {len(hand)}")
    auction = _auction(request)
    if auction.is_over:
        raise IllegalCallError("auction: it is over (Law 22)")
    seat = Seat.parse(_text(request, "seat")) if "seat" in request else auction.turn
    if seat is not auction.turn:
        raise IllegalCallError(f"seat: it is {auction.turn.word}'s turn, not {seat.word}'s")
    vulnerability = Vulnerability.parse(_text(request, "vul", "None"))
    scoring = Scoring.parse(_text(request, "scoring", "IMPs"))
    return BiddingView(seat, hand, auction, vulnerability, scoring, _systems(request))


def _text(request: dict[str, Any], key: str, default: str | None = None) -> str:
    value = request.get(key, default)
    if not isinstance(value, str):
        raise ParseError(f"text in field {key!r}", json.dumps(value)[:80] if key in request else "", why="it is needed")
    return value


def _auction(request: dict[str, Any]) -> Auction:
    calls = request.get("auction", [])
    dealer = _text(request, "dealer", "N")
    if isinstance(calls, str):
        return Auction.parse(dealer, calls)
    if not isinstance(calls, list) or not all(isinstance(call, str) for call in calls):
        raise ParseError("list of calls in field 'auction'", json.dumps(calls)[:80])
    if len(calls) > 400:  # no legal auction is longer than 319 calls
        raise ParseError("list of calls in field 'auction'", f"{len(calls)} calls", why="no auction is that long")
    auction = Auction(Seat.parse(dealer))
    for call in calls:
        auction = auction.after(call)
    return auction


def _systems(request: dict[str, Any]) -> Systems:
    given = request.get("systems", {})
    if not isinstance(given, dict) or not all(isinstance(v, str) and k in ("NS", "EW") for k, v in given.items()):
        raise ParseError("object of systems", json.dumps(given)[:80], why='expected {"NS": "sayc", "EW": "sayc"}')
    return Systems(given.get("NS", ""), given.get("EW", ""))
