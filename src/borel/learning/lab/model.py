"""Learning a partner or an opponent from records: how one player's calls depart from a system's.

The records of all players say what players in general do where the system would call so; the player's own, with less
weight, how he differs from them. What is measured is the likelihood of calls that were kept apart, in nats a call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt

import numpy as np

from borel.auction import Auction
from borel.errors import BridgeError
from borel.record import Record
from borel.sampling.players import (
    DEPARTURES,
    LEAN_HABIT,
    PlayerModel,
    auction_key,
    departures,
    hand_codes,
    kind_of,
    plain_policy,
    situation,
    strength_of,
)
from borel.sampling.rules import RuleModel

__all__ = ["Judged", "Likelihood", "decisions_of", "fit_player", "fit_players", "likelihood"]

LEAST = 20  # decisions of a player, below which nothing can be said of him


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision from the records: whose, on which board, after what, the rules' call, the hand's class, the call."""

    player: str
    board: int
    auction: Auction
    rules: int
    code: int
    call: int


@dataclass(frozen=True, slots=True)
class Likelihood:
    """Mean log-likelihood of calls kept apart, in nats, and what one model gains on another, with ± (95%)."""

    decisions: int
    plain: float
    players: float
    player: float
    gain: float
    gain_error: float
    own_gain: float
    own_gain_error: float

    def as_json(self) -> dict[str, float]:
        """For programs."""
        return {
            "decisions": self.decisions,
            "plain": round(self.plain, 4),
            "players_in_general": round(self.players, 4),
            "player": round(self.player, 4),
            "gain_on_plain": round(self.gain, 4),
            "gain_on_plain_plus_minus": round(self.gain_error, 4),
            "gain_on_players": round(self.own_gain, 4),
            "gain_on_players_plus_minus": round(self.own_gain_error, 4),
        }


def decisions_of(
    records: Iterable[Record], rules: RuleModel, *, progress: Callable[[int], None] | None = None
) -> list[Judged]:
    """Every call of the records whose hand is known, with what the rules would have called."""
    found = []
    for number, record in enumerate(records):
        auction, deal, players = record.auction, record.deal, record.players
        if auction is None or deal is None or not deal.is_complete:
            continue
        rows = rules.encode(np.array([hand.mask for hand in deal.hands], np.uint64))
        codes, vulnerability = hand_codes(rows), record.vulnerability
        if vulnerability is None:
            continue
        for i, call in enumerate(auction.calls):
            seat, before = auction.seat_of(i), Auction(auction.dealer, auction.calls[:i])
            wanted = int(rules.calls(rows[seat : seat + 1], before, vulnerability)[0])
            found.append(Judged(players[seat], number, before, wanted, int(codes[seat]), call.index))
        if progress is not None:
            progress(number + 1)
    return found


def fit_players(rules: RuleModel, decisions: Sequence[Judged]) -> PlayerModel:
    """Players in general: how they depart from the rules, and what they call with what."""
    model = PlayerModel(rules, {"all": [0.0] * len(DEPARTURES)}, decisions=len(decisions))
    for one in decisions:
        departure = int(departures(one.rules, one.auction)[one.call])
        kind = kind_of(one.rules, one.auction, strength_of(one.code))
        model.kinds.setdefault(kind, [0.0] * len(DEPARTURES))[departure] += 1
        model.kinds["all"][departure] += 1
        _count(model.cells, one)
    return model


def fit_player(players: PlayerModel, decisions: Sequence[Judged], names: tuple[str, ...]) -> PlayerModel:
    """One player, or a pair who play the same: habits of departing, and own calls."""
    if len(decisions) < LEAST:
        raise BridgeError(f"{' and '.join(names)}: {len(decisions)} calls are too few to learn from ({LEAST} at least)")
    seen: dict[str, list[float]] = {}
    expected: dict[str, np.ndarray] = {}
    own: dict[str, dict[str, dict[str, int]]] = {}
    for one in decisions:
        where, kinds = situation(one.auction), departures(one.rules, one.auction)
        policy = players.of_players(one.rules, one.code, one.auction)
        shares = np.bincount(kinds[kinds >= 0], policy[kinds >= 0], minlength=len(DEPARTURES))
        expected[where] = expected.get(where, np.zeros(len(DEPARTURES))) + shares
        seen.setdefault(where, [0.0] * len(DEPARTURES))[int(kinds[one.call])] += 1
        _count(own, one)
    habits = {where: _habit(np.asarray(counts), expected[where]) for where, counts in seen.items()}
    return replace(players, habits=habits, own=own, names=names, decisions=len(decisions))


def _habit(seen: np.ndarray, expected: np.ndarray) -> list[float]:
    """How much oftener than expected each departure is made, leaning on what is expected; 1 where nothing is."""
    lean = 1 + LEAN_HABIT / seen.sum()
    return [float(one) for one in np.where(expected > 0, (seen / expected.clip(min=1e-9) + lean - 1) / lean, 1.0)]


def _count(cells: dict[str, dict[str, dict[str, int]]], one: Judged) -> None:
    cell = cells.setdefault(auction_key(one.auction), {}).setdefault(str(one.code), {})
    cell[str(one.call)] = cell.get(str(one.call), 0) + 1


def likelihood(players: PlayerModel, player: PlayerModel, kept: Sequence[Judged]) -> Likelihood:
    """How likely the calls kept apart are to the plain system model, to players in general and to the player's own.

    The plain model departs from the rules as often as players do, to any call alike: a fair rival.
    """
    often = players.kinds["all"]
    smoothing = max(0.01, 1 - often[0] / sum(often))
    logs = np.array(
        [
            [
                log(policy[one.call])
                for policy in (
                    plain_policy(one.rules, one.auction, smoothing),
                    players.policy(one.rules, one.code, one.auction),
                    player.policy(one.rules, one.code, one.auction),
                )
            ]
            for one in kept
        ]
    )
    boards = np.array([one.board for one in kept])
    plain, general, own = (float(mean) for mean in logs.mean(axis=0))
    gains = [
        (float(difference.mean()), _error(difference, boards))
        for difference in (logs[:, 2] - logs[:, 0], logs[:, 2] - logs[:, 1])
    ]
    return Likelihood(len(kept), plain, general, own, *gains[0], *gains[1])


def _error(values: np.ndarray, boards: np.ndarray) -> float:
    """Half of the 95% interval of the mean; the calls of one board count as one."""
    _, board = np.unique(boards, return_inverse=True)
    sums = np.bincount(board, values - values.mean())
    return 1.96 * sqrt(float((sums**2).sum())) / len(values)


def names_in(records: Iterable[Record]) -> Counter[str]:
    """How many boards each player has played."""
    return Counter(name for record in records for name in record.players if name)


def kept_apart(decisions: Sequence[Judged], every: int = 4) -> tuple[list[Judged], list[Judged]]:
    """Decisions to learn from and decisions to measure with: every so many-th board of theirs."""
    boards = sorted({one.board for one in decisions})
    chosen = set(boards[every - 1 :: every])
    return [one for one in decisions if one.board not in chosen], [one for one in decisions if one.board in chosen]
