"""The engine protocol: one JSON object a line in, one a line out (docs/engine.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from borel.cards import Seat
from borel.deal import Vulnerability
from borel.decision import Bidder, CardPlayer
from borel.errors import BridgeError, IllegalCallError
from borel.policies.play_request import answer_play, is_play_request
from borel.policies.requests import auction_of, hand_of, known_fields, systems_of, text_of
from borel.policies.spec import system_of
from borel.scoring import Scoring
from borel.view import BiddingView

__all__ = ["answer", "answer_line", "serve", "view_of"]

FIELDS = frozenset({"hand", "seat", "dealer", "vul", "auction", "scoring", "systems", "id"})
MAX_LINE = 100_000


def serve(lines: Iterable[str], bidder: Bidder, player: CardPlayer | None = None, *, seed: int = 0) -> Iterator[str]:
    """One answer for each line that is not blank; a bad line is answered with an error and the next is served."""
    for line in lines:
        if line.strip():
            yield json.dumps(answer_line(line, bidder, player, rng=Random(seed)), ensure_ascii=False)


def answer_line(line: str, bidder: Bidder, player: CardPlayer | None = None, *, rng: Random) -> dict[str, Any]:
    """The answer to one line of text."""
    if len(line) > MAX_LINE:
        return {"error": f"a line has at most {MAX_LINE} characters"}
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"error": f"not JSON: {str(error)[:200]}"}
    return answer(request, bidder, player, rng=rng)


def answer(request: object, bidder: Bidder, player: CardPlayer | None = None, *, rng: Random) -> dict[str, Any]:
    """The answer to one request: the call or card with its reasons, or what was wrong. An ``id`` is repeated."""
    mark = {"id": request["id"]} if isinstance(request, dict) and "id" in request else {}
    try:
        if is_play_request(request):
            if player is None:
                raise BridgeError("this engine only bids: a card was asked for")
            return {**answer_play(request, player, system_of(bidder), rng=rng), **mark}
        decision = bidder.decide(view_of(request), rng=rng)
    except BridgeError as error:
        return {"error": str(error), **mark}
    candidates = [
        {"call": str(candidate.choice), "why": candidate.why, **candidate.figures()}
        for candidate in decision.candidates
    ]
    call = {"call": str(decision.choice), "why": decision.why, "meaning": decision.meaning, "candidates": candidates}
    sampled = {"sampled": decision.sampled} if decision.sampled else {}
    return {**call, **sampled, **mark}


def view_of(request: object) -> BiddingView:
    """What the request says the seat may know; anything missing, unknown or contradictory raises and is named."""
    fields = known_fields(request, FIELDS)
    hand, auction = hand_of(fields, "hand"), auction_of(fields)
    if auction.is_over:
        raise IllegalCallError("auction: it is over (Law 22)")
    seat = Seat.parse(text_of(fields, "seat")) if "seat" in fields else auction.turn
    if seat is not auction.turn:
        raise IllegalCallError(f"seat: it is {auction.turn.word}'s turn, not {seat.word}'s")
    vulnerability = Vulnerability.parse(text_of(fields, "vul", "None"))
    scoring = Scoring.parse(text_of(fields, "scoring", "IMPs"))
    return BiddingView(seat, hand, auction, vulnerability, scoring, systems_of(fields))
