"""Matching auction patterns: which suits and levels the variables of a pattern stand for in an auction."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, reduce
from operator import or_

from borel.systems.syntax import CallSpec, Element, Pattern

__all__ = ["Bindings", "domain_of", "expand_call", "match", "may_end", "possible_calls"]

Bindings = dict[str, int]
STRAINS = {"C": 0, "D": 1, "H": 2, "S": 3, "NT": 4}
GAME_LEVEL = (5, 5, 4, 4, 3)
PASS, DOUBLE, REDOUBLE = 0, 1, 2


def domain_of(variable: str) -> tuple[int, ...]:
    """The suits a variable may stand for: M the majors, m the minors, any other letter all four."""
    return (2, 3) if variable == "M" else (0, 1) if variable == "m" else (0, 1, 2, 3)


def bind_suit(variable: str, suit: int, bindings: Bindings) -> Bindings | None:
    """The bindings with one more; different letters are different suits."""
    known = bindings.get(variable)
    if known is not None:
        return bindings if known == suit else None
    if suit not in domain_of(variable) or any(
        value == suit for name, value in bindings.items() if name.isalpha() and name not in "nk"
    ):
        return None
    return {**bindings, variable: suit}


def may_end(pattern: Pattern, calls: tuple[int, ...]) -> bool:
    """Whether the last calls may fit the end of a pattern, whatever its variables stand for: a quick first look."""
    masks = _masks.get(id(pattern))
    if masks is None:
        _kept.append(pattern)
        masks = _masks[id(pattern)] = _end_masks(pattern)
    if len(masks) > len(calls):
        return False
    for mask, call in zip(masks, reversed(calls), strict=False):  # noqa: SIM110 - a generator costs more
        if not mask >> call & 1:
            return False
    return True


def _end_masks(pattern: Pattern) -> tuple[int, ...]:
    """For the places of a pattern from its end, back to one that stands for any number of calls: the calls allowed."""
    masks = []
    for element in reversed(pattern):
        if element.anything:
            break
        masks.append(reduce(or_, map(_mask, element.calls), 0))
    return tuple(masks)


@cache
def _mask(spec: CallSpec) -> int:
    """The calls that a call of a pattern may be; patterns have few different ones."""
    return sum(1 << call for call in range(38) if _may_be(spec, call))


def _may_be(spec: CallSpec, call: int) -> bool:
    if spec.kind == "any":
        return True
    if call < 3 or spec.kind in ("pass", "double", "redouble"):
        return call < 3 and spec.kind == ("pass", "double", "redouble")[call]
    level, strain = (call + 2) // 5, (call - 3) % 5
    if spec.kind == "anybid" or spec.strain not in STRAINS or STRAINS[spec.strain] == strain:
        return spec.kind != "bid" or bool(spec.level_variable) or spec.low <= level <= spec.high
    return False


_masks: dict[int, tuple[int, ...]] = {}
_kept: list[Pattern] = []  # so that their identities stay their own


def match(pattern: Pattern, calls: tuple[int, ...], opening: int) -> Iterator[Bindings]:
    """Every way the calls (numbered 0..37) fit the pattern; ``opening`` is the position of the first bid.

    Calls of the side that is to call now are the pattern's own, the others are in parentheses.
    """
    if pattern and pattern[0].anything:
        yield from _match(pattern, 0, calls, 0, {})
    else:
        yield from _match(pattern, 0, calls, opening, {})


def _match(pattern: Pattern, at: int, calls: tuple[int, ...], position: int, bindings: Bindings) -> Iterator[Bindings]:
    if at == len(pattern):
        if position == len(calls):
            yield bindings
        return
    element = pattern[at]
    if element.anything:
        for start in range(position, len(calls) + 1):
            yield from _match(pattern, at + 1, calls, start, bindings)
        return
    if position >= len(calls) or element.ours != ((len(calls) - position) % 2 == 0):
        return
    for found in _match_call(element, calls, position, bindings):
        yield from _match(pattern, at + 1, calls, position + 1, found)


def _match_call(element: Element, calls: tuple[int, ...], position: int, bindings: Bindings) -> Iterator[Bindings]:
    call = calls[position]
    for spec in element.calls:
        if spec.kind == "any":
            yield bindings
        elif call < 3:
            if spec.kind == ("pass", "double", "redouble")[call]:
                yield bindings
        elif spec.kind == "anybid":
            yield bindings
        elif spec.kind not in ("pass", "double", "redouble"):
            found = _match_bid(spec, call, last_bid(calls, position), bindings)
            if found is not None:
                yield found


def last_bid(calls: tuple[int, ...], before: int) -> int:
    """The highest bid before a position, as a number; 2 when there is none."""
    return next((calls[i] for i in range(before - 1, -1, -1) if calls[i] >= 3), 2)


def cheapest_level(strain: int, last: int) -> int:
    """The lowest level at which a strain can be bid over a bid."""
    return (last + 1 - 3 - strain + 4) // 5 + 1 if last >= 3 else 1


def _match_bid(spec: CallSpec, call: int, last: int, bindings: Bindings) -> Bindings | None:
    level, strain = (call + 2) // 5, (call - 3) % 5
    found: Bindings | None = bindings
    if spec.strain in STRAINS:
        if STRAINS[spec.strain] != strain:
            return None
    elif spec.strain != "*":
        found = bind_suit(spec.strain, strain, bindings) if strain < 4 else None
    if found is None:
        return None
    if spec.level_variable:
        wanted = level - spec.plus
        known = found.get(spec.level_variable)
        if known is not None:
            return found if known == wanted else None
        return {**found, spec.level_variable: wanted}
    if spec.kind != "bid":
        return found if level == _special_level(spec.kind, strain, last) else None
    return found if spec.low <= level <= spec.high else None


def _special_level(kind: str, strain: int, last: int) -> int:
    if kind == "game":
        return GAME_LEVEL[strain]
    if kind in ("slam", "grand"):
        return 6 if kind == "slam" else 7
    return cheapest_level(strain, last) + ("cheapest", "jump", "double jump").index(kind)


def expand_call(spec: CallSpec, calls: tuple[int, ...], bindings: Bindings) -> list[int]:
    """The bids a rule's call stands for here, in rising order; other calls by number. Not all need be legal."""
    if spec.kind in ("pass", "double", "redouble"):
        return [("pass", "double", "redouble").index(spec.kind)]
    last = last_bid(calls, len(calls))
    if spec.kind in ("any", "anybid"):
        return list(range(3, 38)) if spec.kind == "anybid" else list(range(38))
    strains = range(5) if spec.strain == "*" else (STRAINS.get(spec.strain, bindings.get(spec.strain, -1)),)
    levels: list[int]
    result = []
    for strain in strains:
        if spec.level_variable:
            levels = [bindings.get(spec.level_variable, 0) + spec.plus]
        elif spec.kind != "bid":
            levels = [_special_level(spec.kind, strain, last)]
        else:
            levels = list(range(spec.low, spec.high + 1))
        result += [3 + 5 * (level - 1) + strain for level in levels if 1 <= level <= 7 and strain >= 0]
    return sorted(result)


def possible_calls(specs: tuple[CallSpec, ...], bindings: Bindings) -> int:
    """Every call that some of these may stand for, in any auction, as a bit set; free variables may be any suit."""
    result = 0
    for spec in specs:
        if spec.kind in ("cheapest", "jump", "double jump"):
            last_bids: tuple[tuple[int, ...], ...] = tuple((call,) for call in range(2, 38))
        else:
            last_bids = ((),)
        is_free = len(spec.strain) == 1 and spec.strain not in STRAINS and spec.strain != "*"
        suits = domain_of(spec.strain) if is_free and spec.strain not in bindings else (None,)
        for suit in suits:
            bound = bindings if suit is None else {**bindings, spec.strain: suit}
            for calls in last_bids:
                for call in expand_call(spec, calls, bound):
                    result |= 1 << call
    return result
