"""Several bots, each against each other on the same boards, in victory points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from borel.arena.match import Match, Played
from borel.arena.room import Contestant
from borel.arena.statistics import Estimate
from borel.errors import BridgeError
from borel.scoring import victory_points
from borel.store import Store

__all__ = ["RoundRobin", "Standing", "round_robin"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A contestant's place: victory points over all its matches, and IMPs a board with their error."""

    name: str
    victory_points: float
    imps: Estimate


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """All matches, and the table."""

    names: tuple[str, ...]
    matches: tuple[Played, ...]

    def points(self, match: Played) -> tuple[float, float]:
        """The victory points of both sides of a match, on the WBF scale for its number of boards."""
        result = match.result
        mine = victory_points(sum(result.imps), len(result.imps))
        return mine, round(20 - mine, 2)

    def table(self) -> list[Standing]:
        """The contestants, best first. A board is one observation: its swings in several matches go together."""
        found = []
        for name in self.names:
            points, swings = 0.0, dict[int, list[float]]()
            for match in self.matches:
                if name in (match.a, match.b):
                    sign = 1 if name == match.a else -1
                    points += self.points(match)[0 if name == match.a else 1]
                    for board in match.counted:
                        swings.setdefault(board.number, []).append(sign * board.imps)
            means = [sum(values) / len(values) for values in swings.values()]
            found.append(Standing(name, round(points, 2), Estimate.of(means)))
        return sorted(found, key=lambda standing: -standing.victory_points)

    def json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "standings": [
                {
                    "name": standing.name,
                    "victory_points": standing.victory_points,
                    "imps_per_board": standing.imps.mean,
                    "standard_error": standing.imps.json()["standard_error"],
                    "boards": standing.imps.count,
                }
                for standing in self.table()
            ],
            "matches": [
                {"a": match.a, "b": match.b, "victory_points": list(self.points(match)), "void": len(match.voids)}
                | match.result.json()
                for match in self.matches
            ],
        }


def round_robin(
    contestants: Sequence[str | Contestant],
    boards: int,
    *,
    store: Store,
    fresh: bool = False,
    options: Mapping[str, Any] | None = None,
    **how: Any,
) -> RoundRobin:
    """Play each against each other; ``options`` are those of `Match`, the rest are those of `Match.play`.

    The matches become history together, so that a tournament that is broken off goes on with the match it was in.
    """
    entered = [Contestant.of(contestant) for contestant in contestants]
    names = tuple(contestant.name for contestant in entered)
    if len(set(names)) < len(names):
        raise BridgeError("a contestant is entered twice in a round robin")
    matches = [Match(a, b, **(options or {})) for a, b in combinations(entered, 2)]
    for match in matches:
        match.play(boards, store=store, fresh=fresh, finish=False, **how)
    return RoundRobin(names, tuple(match.play(boards, store=store, **(how | {"progress": None})) for match in matches))
