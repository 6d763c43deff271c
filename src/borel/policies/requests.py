"""The fields that requests of both kinds share: each is checked, and what is wrong names its field."""

from __future__ import annotations

import json
from typing import Any

from borel.auction import Auction
from borel.cards import Hand, Seat
from borel.errors import BridgeError, DealError, ParseError
from borel.view import Systems

__all__ = ["auction_of", "hand_of", "known_fields", "systems_of", "text_of"]


def known_fields(request: object, fields: frozenset[str]) -> dict[str, Any]:
    """The request, if it is an object and all its fields are known."""
    if not isinstance(request, dict):
        raise ParseError("request", json.dumps(request)[:80], why="expected one JSON object a line")
    unknown = sorted(set(request) - fields)
    if unknown:
        raise ParseError("request", unknown[0], why=f"known fields are {', '.join(sorted(fields))}")
    return request


def text_of(request: dict[str, Any], key: str, default: str | None = None) -> str:
    """A field that is a text."""
    value = request.get(key, default)
    if not isinstance(value, str):
        raise ParseError(f"text in field {key!r}", json.dumps(value)[:80] if key in request else "", why="it is needed")
    return value


def hand_of(request: dict[str, Any], key: str) -> Hand:
    """A field that is a whole hand."""
    hand = Hand.parse(text_of(request, key))
    if len(hand) != 13:
        raise DealError(f"{key}: 13 cards expected, not {len(hand)}")
    return hand


def auction_of(request: dict[str, Any]) -> Auction:
    """The calls from the dealer on: a list or one text."""
    calls = request.get("auction", [])
    dealer = text_of(request, "dealer", "N")
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


def systems_of(request: dict[str, Any]) -> Systems:
    """Both sides' systems by name."""
    given = request.get("systems", {})
    if not isinstance(given, dict) or not all(isinstance(v, str) and k in ("NS", "EW") for k, v in given.items()):
        raise ParseError("pair of systems", json.dumps(given)[:80], why='expected {"NS": "sayc", "EW": "sayc"}')
    return Systems(given.get("NS", ""), given.get("EW", ""))


def in_field(key: str, error: BridgeError) -> BridgeError:
    """The same complaint with the field's name before it."""
    return error if str(error).startswith(f"{key}:") else BridgeError(f"{key}: {error}")
