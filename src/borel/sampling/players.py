"""A player of flesh and blood as a model: the system's calls, corrected by how players and this one depart from them.

Four steps, each leaning on the one before where it has seen little (Dirichlet smoothing): what the rules would call;
how players depart from that (a higher bid, a pass, another suit ...); what players call with such a hand after such an
auction; the same of this player. `borel learn model` fits one from records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel.auction import Auction
from borel.deal import Vulnerability
from borel.errors import BridgeError
from borel.sampling.rules import RuleModel
from borel.systems.hand import HCP, LENGTHS

__all__ = ["DEPARTURES", "PlayerModel", "auction_key", "departures", "hand_codes", "load_player", "situation"]

FORMAT, VERSION = "borel-player", 1
DEPARTURES = ("as the rules", "pass", "double", "higher", "lower", "another strain", "jump", "double jump")
POINTS = np.array([5, 8, 10, 12, 15, 18, 20])  # limits of the classes of strength
# Weights of what is leant on, in decisions; chosen on records of other players than the measured ones.
LEAN_KIND, LEAN_PLAYERS, LEAN_PLAYER, LEAN_HABIT = 20.0, 4.0, 8.0, 20.0
SMOOTHING = 0.05  # of the plain system model, where nothing is known: the chance of any call but the rules' own

Floats = NDArray[np.float64]
Counts = dict[str, dict[str, int]]


def situation(auction: Auction) -> str:
    """Roughly where an auction stands for whoever is to call: nobody has bid, we alone have, they alone, or both."""
    sides = {auction.seat_of(i).side is auction.turn.side for i, call in enumerate(auction.calls) if call.is_bid}
    return {(): "open", (True,): "ours", (False,): "theirs"}.get(tuple(sides), "both")


def auction_key(auction: Auction) -> str:
    """An auction as its next caller sees it: passes before the first bid count only while there is none."""
    first = next((i for i, call in enumerate(auction.calls) if call.is_bid), None)
    if first is None:
        return f"{len(auction.calls)} passes"
    caller = (auction.turn - auction.seat_of(first)) % 4
    return f"{caller}: {' '.join(str(call) for call in auction.calls[first:])}"


def hand_codes(rows: NDArray[np.float32]) -> NDArray[np.int64]:
    """[n]: class of strength, longest suit (the highest of several) and its length, as one number."""
    lengths = rows[:, list(LENGTHS)].astype(np.int64)
    longest = 3 - lengths[:, ::-1].argmax(axis=1)
    length = np.searchsorted([5, 6], lengths.max(axis=1), side="right")
    strength = np.searchsorted(POINTS, rows[:, HCP], side="right")
    return np.asarray((strength * 4 + longest) * 3 + length)


def departures(rules: int, auction: Auction) -> NDArray[np.int64]:
    """[38]: how each call departs from the rules' own, as a number in `DEPARTURES`; -1 if it is not legal."""
    kinds = np.full(38, -1)
    least = max((call.index for call in auction.calls), default=0)
    least = least if least >= 3 else 2
    for call in auction.legal_calls():
        kinds[call.index] = _departure(rules, call.index, least)
    return kinds


def _departure(rules: int, call: int, last_bid: int) -> int:
    if call == rules:
        return 0
    if call < 3:
        return 1 if call == 0 else 2
    if rules >= 3 and (call - rules) % 5 == 0:
        return 3 if call > rules else 4
    return 5 + min(2, (call - last_bid - 1) // 5)


def kind_of(rules: int, auction: Auction, strong: int) -> str:
    """What departures are counted by: the situation, the rules' call, and the hand's strength."""
    call = ("pass", "double", "redouble")[rules] if rules < 3 else f"level {min(4, (rules - 3) // 5 + 1)}"
    return f"{situation(auction)}, {call}, {('weak', 'middling', 'strong')[strong]}"


@dataclass(slots=True)
class PlayerModel:
    """The model of one player or pair; without ``own`` and ``habits``, of players in general."""

    rules: RuleModel
    kinds: dict[str, list[float]] = field(default_factory=dict)
    cells: dict[str, Counts] = field(default_factory=dict)
    habits: dict[str, list[float]] = field(default_factory=dict)
    own: dict[str, Counts] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    decisions: int = 0

    def encode(self, hands: NDArray[np.uint64]) -> NDArray[np.float32]:
        """[n, features]: the features that rules speak of."""
        return self.rules.encode(hands)

    def probabilities(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability
    ) -> NDArray[np.float64]:
        """[n, 38]: worked out once for each call of the rules and class of hands."""
        calls, codes = self.rules.calls(rows, auction, vulnerability), hand_codes(rows)
        known, place = np.unique(np.stack([calls, codes], axis=1), axis=0, return_inverse=True)
        policies = [self.policy(int(call), int(code), auction) for call, code in known]
        return np.stack(policies)[place.reshape(-1)] if len(rows) else np.zeros((0, 38))

    def policy(self, rules: int, code: int, auction: Auction) -> Floats:
        """[38]: what a hand of a class calls that the rules would have call so."""
        policy = self.of_players(rules, code, auction)
        habit = self.habits.get(situation(auction))
        if habit is not None:
            policy = policy * np.asarray(habit)[departures(rules, auction)]
            policy /= policy.sum()
        return _leaning(self.own.get(auction_key(auction), {}).get(str(code)), policy, LEAN_PLAYER)

    def of_players(self, rules: int, code: int, auction: Auction) -> Floats:
        """[38]: the same of players in general."""
        policy = self.departing(rules, code, auction)
        return _leaning(self.cells.get(auction_key(auction), {}).get(str(code)), policy, LEAN_PLAYERS)

    def departing(self, rules: int, code: int, auction: Auction) -> Floats:
        """[38]: the rules' call and departures from it; calls of one kind share alike."""
        every = np.asarray(self.kinds.get("all", PLAIN), dtype=np.float64) + 0.5
        counts = np.asarray(self.kinds.get(kind_of(rules, auction, strength_of(code)), [0.0] * len(DEPARTURES)))
        shares = counts + LEAN_KIND * every / every.sum()
        kinds = departures(rules, auction)
        members = np.bincount(kinds[kinds >= 0], minlength=len(DEPARTURES))
        policy = np.where(kinds >= 0, (shares / members.clip(min=1))[kinds], 0.0)
        return np.asarray(policy / policy.sum())

    def save(self, path: Path) -> None:
        """Write the model as JSON."""
        values = {
            "format": FORMAT,
            "version": VERSION,
            "system": self.rules.ns.name,
            "players": list(self.names),
            "decisions": self.decisions,
            "kinds": self.kinds,
            "habits": {where: [round(one, 4) for one in habit] for where, habit in self.habits.items()},
            "own": self.own,
            "cells": self.cells,
        }
        path.write_text(json.dumps(values, indent=1) + "\n")


PLAIN = [95.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]


def strength_of(code: int) -> int:
    """Weak (below 10 points), middling or strong (15 and more), of a hand's number."""
    return int(np.searchsorted([3, 5], code // 12, side="right"))


def _leaning(counts: Mapping[str, int] | None, policy: Floats, lean: float) -> Floats:
    """What was seen, leaning on what was expected."""
    if not counts:
        return policy
    seen = policy * lean
    for call, count in counts.items():
        seen[int(call)] += count if policy[int(call)] > 0 else 0
    return np.asarray(seen / seen.sum())


def plain_policy(rules: int, auction: Auction, smoothing: float = SMOOTHING) -> Floats:
    """[38]: the plain system model: the rules' call, and a little for every other."""
    legal = departures(rules, auction) >= 0
    policy = np.where(legal, smoothing / max(1, legal.sum() - 1), 0.0)
    policy[rules] = 1 - smoothing if legal.sum() > 1 else 1.0
    return policy


def load_player(path: Path) -> PlayerModel:
    """Read a model that `borel learn model` has written."""
    try:
        values: dict[str, Any] = json.loads(path.read_text())
        if values["format"] != FORMAT or values["version"] != VERSION:
            raise BridgeError(f"{path} is not a player's model of version {VERSION}")
        names: Sequence[str] = values["players"]
        return PlayerModel(
            RuleModel(values["system"]),
            values["kinds"],
            values["cells"],
            values["habits"],
            values["own"],
            tuple(names),
            int(values["decisions"]),
        )
    except (OSError, ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
        if isinstance(error, BridgeError):
            raise
        raise BridgeError(f"{path} is not a player's model") from None
