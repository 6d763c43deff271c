"""Suit combinations by enumeration: every layout of the missing cards and every plan, without pruning.

Written for clarity and apart from the core. Missing cards with none of declarer's between them are one kind: a layout
says how many of each kind West has, with the number of ways that can happen.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import comb, prod
from typing import Any

RANKS = "23456789TJQKA"
Layouts = frozenset[int]
Value = frozenset[Layouts]  # sets of layouts of which none contains another
Counts = tuple[int, ...]


def best_chance(dummy: str, hand: str, tricks: int, *, merge: bool = True) -> float:
    """The greatest chance of so many tricks, declarer leading every round from the hand of his choice."""
    north, south = (frozenset(RANKS.index(r) for r in text) for text in (dummy, hand))
    kinds = _kinds(north | south, merge=merge)
    missing = sum(map(len, kinds))
    west = list(product(*(range(len(kind) + 1) for kind in kinds)))
    east = [tuple(len(kind) - n for kind, n in zip(kinds, held, strict=True)) for held in west]
    weights = [
        prod(comb(len(kind), n) for kind, n in zip(kinds, held, strict=True))
        * comb(26 - missing, 13 - sum(held)) / comb(26, 13)
        for held in west
    ]  # fmt: skip
    game = _Game((west, east), [max(kind) for kind in kinds])
    nothing = (0,) * len(kinds)
    value = game.lead(north, south, nothing, nothing, tricks, frozenset(range(len(west))))
    return max((sum(weights[i] for i in won) for won in value), default=0.0)


def _kinds(held: frozenset[int], *, merge: bool) -> list[list[int]]:
    kinds: list[list[int]] = []
    for rank in range(13):
        if rank in held:
            continue
        if merge and kinds and kinds[-1][-1] == rank - 1:
            kinds[-1].append(rank)
        else:
            kinds.append([rank])
    return kinds


def maximal(sets: set[Layouts]) -> Value:
    """Without the sets that others contain."""
    return frozenset(s for s in sets if not any(s < other for other in sets))


class _Game:
    def __init__(self, hidden: tuple[list[Counts], list[Counts]], ranks: list[int]) -> None:
        self.hidden, self.ranks = hidden, ranks
        self.lead = lru_cache(maxsize=None)(self._lead)

    def _lead(self, north: Any, south: Any, w: Counts, e: Counts, needed: int, alive: Layouts) -> Value:
        if needed <= 0:
            return frozenset({alive})
        if needed > max(len(north), len(south)):
            return frozenset({frozenset()})
        found: set[Layouts] = set()
        for from_north in (True, False):
            for card in north if from_north else south:
                found |= self._defend((north, south), (w, e), needed, alive, [card], from_north)
        return maximal(found)

    def _defend(self, seen: Any, gone: Any, needed: int, alive: Layouts, trick: list[int], from_north: bool) -> Value:
        """The second or fourth hand plays any kind that some layout gives it; it discards only when it must."""
        seat = int(from_north) if len(trick) == 1 else int(not from_north)  # after North comes East
        plays: dict[int, set[int]] = {}
        for layout in alive:
            left = [n - g for n, g in zip(self.hidden[seat][layout], gone[seat], strict=True)]
            for kind in [k for k, n in enumerate(left) if n] or [-1]:
                plays.setdefault(kind, set()).add(layout)
        value: Value = frozenset({alive})
        for kind, able in plays.items():
            after = list(gone)
            if kind >= 0:
                after[seat] = tuple(g + (k == kind) for k, g in enumerate(gone[seat]))
            rank = self.ranks[kind] if kind >= 0 else -1
            node = self._third if len(trick) == 1 else self._end
            got = node(seen, tuple(after), needed, frozenset(able), [*trick, rank], from_north)
            value = maximal({a & (b | (alive - able)) for a in value for b in got})
        return value

    def _third(self, seen: Any, gone: Any, needed: int, alive: Layouts, trick: list[int], from_north: bool) -> Value:
        other = seen[1] if from_north else seen[0]
        found: set[Layouts] = set()
        for card in other or {-1}:
            found |= self._defend(seen, gone, needed, alive, [*trick, card], from_north)
        return maximal(found)

    def _end(self, seen: Any, gone: Any, needed: int, alive: Layouts, trick: list[int], from_north: bool) -> Value:
        ours = max(trick[0], trick[2]) > max(trick[1], trick[3])
        north, south = seen
        played = {trick[0], trick[2]}
        return self.lead(north - played, south - played, gone[0], gone[1], needed - ours, alive)
