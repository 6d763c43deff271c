"""Compiled conditions in words that a player reads, and that the language reads back.

What nodes have in common is a long conjunction: the strength of an opening twice over, limits within limits. Here
limits on one thing become one, alternatives that the rest decides are left out, and what the system has a name for
(``sound``) is called by it.
"""

from __future__ import annotations

from borel.systems.compiler import Environment, compile_condition
from borel.systems.constraints import ANYTHING, NOTHING, All, Constraint, Either, Range, all_of, any_of
from borel.systems.errors import SystemFileError
from borel.systems.hand import BASE, RANGES, name_of, scale_of
from borel.systems.position import start_of
from borel.systems.syntax import Expr
from borel.systems.system import System

__all__ = ["Wording", "simplified"]

INFINITY = float("inf")


class Wording:
    """The words of a system: what it has names for is called by them."""

    def __init__(self, system: System) -> None:
        env = Environment(start_of((system, system), (False, False)).scene, {}, system.memo)
        self.names: dict[Constraint, str] = {}
        for name, definition in system.memo.definitions.items():
            if definition.parameters or not isinstance(definition.body, Expr):
                continue
            try:
                meant = compile_condition(definition.body, env)
            except SystemFileError:
                continue  # it speaks of a suit or a call that only some auctions have
            if isinstance(meant, Either) and len(meant.parts) > 1:
                self.names.setdefault(meant, name)

    def text(self, constraint: Constraint) -> str:
        """A condition, simplified, as a rule has it."""
        kept = simplified(constraint, named=frozenset(self.names))
        parts = kept.parts if isinstance(kept, All) else (kept,)
        return ", ".join(self._part(part) for part in sorted(parts, key=_order)) or "hcp >= 0"

    def _part(self, part: Constraint) -> str:
        if isinstance(part, Range):
            return range_text(part)
        if isinstance(part, All):
            return " and ".join(map(self._part, part.parts)) or "hcp >= 0"
        if part in self.names:
            return self.names[part]
        return "(" + " or ".join(f"({self._part(one)})" for one in part.parts) + ")"


def simplified(
    constraint: Constraint, known: tuple[Range, ...] = (), named: frozenset[Constraint] = frozenset()
) -> Constraint:
    """The same hands among those that are within ``known`` ranges, in fewer words; ``named`` parts are left whole."""
    parts = constraint.parts if isinstance(constraint, All) else (constraint,)
    ranges = _merged([part for part in parts if isinstance(part, Range)])
    if ranges is None:
        return NOTHING
    around = (*known, *ranges)
    wanted: list[Constraint] = [one for one in ranges if not any(_implies(other, one) for other in known)]
    for part in parts:
        if not isinstance(part, Either) or _is_wider(part, parts):
            continue
        short = _simplified_either(part, around, named)
        if short is NOTHING:
            return NOTHING
        if short is not ANYTHING:
            wanted.append(part if part in named else short)
    done = all_of(wanted)
    flattened = any(not isinstance(part, Range) and part not in parts for part in wanted) and isinstance(done, All)
    return simplified(done, known, named) if flattened and done != constraint else done


def _is_wider(part: Either, others: tuple[Constraint, ...]) -> bool:
    """Whether another of the alternatives to be met has some of these alternatives and no more."""
    return any(isinstance(one, Either) and set(one.parts) < set(part.parts) for one in others)


def _simplified_either(part: Either, around: tuple[Range, ...], named: frozenset[Constraint]) -> Constraint:
    left = [simplified(one, around, named) for one in part.parts if not _excluded(one, around)]
    return ANYTHING if any(one is ANYTHING for one in left) else any_of(left)


def _excluded(part: Constraint, around: tuple[Range, ...]) -> bool:
    """Whether no hand within the ranges satisfies it, as far as one range tells."""
    if isinstance(part, Range):
        return any(one.terms == part.terms and (one.low > part.high or one.high < part.low) for one in around)
    return (any if isinstance(part, All) else all)(_excluded(one, around) for one in part.parts)


def _implies(one: Range, other: Range) -> bool:
    return one.terms == other.terms and one.low >= other.low and one.high <= other.high


def _merged(ranges: list[Range]) -> list[Range] | None:
    """One range for each sum of features; None if two exclude each other."""
    found: dict[tuple[tuple[int, float], ...], tuple[float, float]] = {}
    for one in ranges:
        low, high = found.get(one.terms, (-INFINITY, INFINITY))
        found[one.terms] = (max(low, one.low), min(high, one.high))
    if any(low > high for low, high in found.values()):
        return None
    return [Range(terms, low, high) for terms, (low, high) in found.items()]


def _order(part: Constraint) -> tuple[int, str]:
    """What has a name first, then strength, lengths, comparisons of suits, and the rest."""
    if not isinstance(part, Range):
        return 0, ""
    name = name_of(part.terms[0][0])
    if len(part.terms) > 1:
        return 3, name
    return (1 if name in ("hcp", "points") else 2 if name.startswith("length") else 4), name


def range_text(part: Range) -> str:
    """One range, so that it is read back as one; of a sum, what is added comes first."""
    terms = sorted(part.terms, key=lambda term: -term[1])
    if terms[0][1] < 0:
        return range_text(Range(tuple((index, -weight) for index, weight in terms), -part.high, -part.low))
    if len(terms) == 2 and [weight for _, weight in terms] == [1, -1] and all(index < BASE for index, _ in terms):
        compared = _compared(*(_feature_text(index, 1) for index, _ in terms), part.low, part.high)
        if compared:
            return compared
    scale = scale_of(terms[0][0])
    total = " + ".join(_feature_text(index, weight) for index, weight in terms).replace("+ -", "- ")
    low, high = part.low / scale, part.high / scale
    plain = _plain(terms[0][0], total, low, high) if len(terms) == 1 else ""
    if plain:
        return plain
    if low == high:
        return _bound(total, "=", low)
    bounds = [_bound(total, ">=", low)] if low > -INFINITY else []
    bounds += [_bound(total, "<=", high)] if high < INFINITY else []
    return " and ".join(bounds) or "hcp >= 0"


def _compared(one: str, other: str, low: float, high: float) -> str:
    """Two suits, or two counts: which is more."""
    if high == INFINITY and low in (0, 1):
        return f"{one} {'>=' if low == 0 else '>'} {other}"
    if low == -INFINITY and high in (0, -1):
        return f"{one} {'<=' if high == 0 else '<'} {other}"
    return ""


def _plain(index: int, total: str, low: float, high: float) -> str:
    """``15-17 hcp``, ``5+ S``, ``balanced``: whole numbers of one thing, its own limits left out."""
    least, most = (value / scale_of(index) for value in RANGES[index])
    low, high = (least if low == -INFINITY else low), (most if high == INFINITY else high)
    if low != int(low) or high != int(high) or low < 0:
        return ""
    if (least, most) == (0, 1):
        return total if low > 0 else f"not {total}" if high < 1 else ""
    if low == high:
        return f"{low:g} {total}"
    amount = f"{low:g}+" if high >= most else f"<={high:g}" if low <= least else f"{low:g}-{high:g}"
    return f"{amount} {total}"


def _bound(total: str, relation: str, limit: float) -> str:
    """A comparison; the language has no numbers below zero."""
    return f"{total} {relation} {limit:g}" if limit >= 0 else f"{total} + {-limit:g} {relation} 0"


def _feature_text(index: int, weight: float) -> str:
    name = name_of(index)
    name = name[7] if index < BASE and name.startswith("length(") else name
    return name if weight == 1 else f"-{name}" if weight == -1 else f"{weight:g} * {name}"
