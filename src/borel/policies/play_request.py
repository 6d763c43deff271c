"""Play requests of the engine protocol: what one seat may know, and the card with its reason (docs/engine.md)."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

from borel.auction import Auction, Contract
from borel.cards import Card, Seat
from borel.deal import Vulnerability
from borel.decision import CardPlayer
from borel.errors import BridgeError, IllegalCardError, ParseError
from borel.policies.requests import auction_of, hand_of, in_field, known_fields, systems_of, text_of
from borel.scoring import Scoring
from borel.view import PlayView, Systems, next_to_play

__all__ = ["answer_play", "is_play_request", "play_view_of"]

FIELDS = frozenset(
    "hand seat dealer vul auction scoring systems id contract declarer dummy played explanations".split()
)
MARKS = frozenset({"contract", "declarer", "dummy", "played"})  # a request with one of these asks for a card


def is_play_request(request: object) -> bool:
    """Whether a card is asked for, not a call."""
    return isinstance(request, dict) and bool(MARKS & set(request))


def answer_play(request: object, player: CardPlayer, system: str = "", *, rng: Random) -> dict[str, Any]:
    """The card with its reasons; a bad request raises. An undisclosed system is read as the one given."""
    view = play_view_of(request)
    view = replace(view, systems=Systems(view.systems.ns or system, view.systems.ew or system))
    decision = player.decide(view, rng=rng)
    candidates = [{"card": str(c.choice), "why": c.why, **c.figures()} for c in decision.candidates]
    return {"card": str(decision.choice), "why": decision.why, "candidates": candidates}


def play_view_of(request: object) -> PlayView:
    """What the request says; anything missing, unknown, impossible or contradictory raises and is named."""
    fields = known_fields(request, FIELDS)
    contract = _contract(fields)
    played = _played(fields)
    turn = next_to_play(contract, played) if len(played) < 52 else None
    if turn is None:
        raise IllegalCardError("played: all 52 cards have been played")
    decider = contract.declarer if turn is contract.dummy else turn
    seat = Seat.parse(text_of(fields, "seat")) if "seat" in fields else turn
    if seat not in {turn, decider}:
        raise IllegalCardError(f"seat: it is {turn.word}'s turn to play, not {seat.word}'s")
    dummy = hand_of(fields, "dummy") if "dummy" in fields else None
    if (dummy is None) != (not played):
        raise BridgeError("dummy: it is seen after the opening lead, and not before (Law 41D)")
    hand = hand_of(fields, "hand")
    if dummy is not None and hand.mask & dummy.mask:
        raise BridgeError("dummy: a card is in both hands")
    view = PlayView(
        decider, hand, dummy, contract, _auction(fields, contract), played,
        Vulnerability.parse(text_of(fields, "vul", "None")), Scoring.parse(text_of(fields, "scoring", "IMPs")),
        systems_of(fields),
    )  # fmt: skip
    try:
        view.known_play()
    except BridgeError as error:
        if "a revoke" not in str(error):  # who revoked and followed later is believed: play goes on
            raise in_field("played", error) from None
    return view


def _contract(fields: dict[str, Any]) -> Contract:
    declarer = Seat.parse(text_of(fields, "declarer"))
    try:
        return Contract.parse(text_of(fields, "contract"), declarer)
    except BridgeError as error:
        raise in_field("contract", error) from None


def _played(fields: dict[str, Any]) -> tuple[Card, ...]:
    given = fields.get("played", [])
    words = given.split() if isinstance(given, str) else given
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ParseError("list of cards in field 'played'", json.dumps(given)[:80])
    if len(words) > 52:
        raise IllegalCardError(f"played: {len(words)} cards")
    cards = tuple(Card.parse(word) for word in words)
    for i, card in enumerate(cards):
        if card in cards[:i]:
            raise IllegalCardError(f"played: {card} twice")
    return cards


def _auction(fields: dict[str, Any], contract: Contract) -> Auction:
    """The auction, closed by passes if it is not; without one nothing is known but the contract."""
    auction = auction_of(fields)
    if not auction.calls:
        return auction
    auction = auction if auction.is_over else auction.all_pass()
    if auction.contract != contract:
        raise BridgeError(f"auction: it ends in {auction.contract or 'four passes'}, not in {contract}")
    return auction
