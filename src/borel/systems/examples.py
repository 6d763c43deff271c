"""Example auctions of a header's pattern, and hands to try in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.systems.context import Context
from borel.systems.hand import HCP, features_of_batch
from borel.systems.patterns import Bindings, _match_call, domain_of, expand_call
from borel.systems.position import Position
from borel.systems.syntax import Block, CallSpec, Pattern, SuitRef, Words
from borel.systems.system import BlockRules

__all__ = [
    "HandBank",
    "consistent",
    "deal_hands",
    "example_auctions",
    "examples_of",
    "has_wildcards",
    "more_examples_of",
    "prolonged_auctions",
]

_NOTHING_SHOWN = (Context().shown, Context().bounds)  # made once: of a context only the calls are asked here
EXAMPLES = 4  # auctions of one pattern
MORE = 60  # where these were not enough: spread over all that the pattern fits
ALL = 4000  # of these at most
STRONG_HAND = 17  # points; a tenth of the hands have at least so many, for calls that ordinary hands seldom make
WILD = 12  # calls that a wildcard stands for there
WILDCARDS = ("any", "anybid")
_STILL_WORDS = {"major": 12, "majors": 12, "minor": 3, "minors": 3, "red": 6, "black": 9, "suit": 15, "suits": 15}


@dataclass(slots=True)
class HandBank:
    """Random hands with their features; who has made which calls is remembered, for auctions begin alike."""

    masks: NDArray[np.uint64]
    features: NDArray[np.float32]
    callers: dict[tuple[int, tuple[int, ...]], NDArray[np.int64]] = field(default_factory=dict)


def deal_hands(count: int, seed: int, *, wide: bool, strong: bool = False) -> HandBank:
    """Random hands; with ``strong``, a tenth as many strong ones besides."""
    ordinary = _random_masks(count, Random(seed))
    bank = HandBank(ordinary, features_of_batch(ordinary, wide=wide))
    if not strong:
        return bank
    others = _random_masks(4 * count, Random(seed + 1))
    features = features_of_batch(others, wide=wide)
    chosen = np.flatnonzero(features[:, HCP] >= STRONG_HAND)[: count // 10]
    return HandBank(np.concatenate([ordinary, others[chosen]]), np.concatenate([bank.features, features[chosen]]))


def _random_masks(count: int, random: Random) -> NDArray[np.uint64]:
    generator = np.random.default_rng(random.getrandbits(32))
    cards = np.argsort(generator.random((-(-count // 4), 52)), axis=1).reshape(-1, 4, 13).astype(np.uint64)
    return np.asarray(np.left_shift(np.uint64(1), cards).sum(axis=2, dtype=np.uint64).reshape(-1)[:count])


def consistent(start: Position, calls: tuple[int, ...], bank: HandBank) -> NDArray[np.int64]:
    """The hands of the bank that would have made the calls of the seat that is to call."""
    if len(calls) < 4:  # it has not called yet
        return np.arange(len(bank.masks))
    last = len(calls) - 4
    key = (id(start), calls[: last + 1])
    known = bank.callers.get(key)
    if known is None:
        members, position = consistent(start, calls[:last], bank), start.follow(calls[:last])
        known = members[position.calls_of_batch(bank.features[members]) == calls[last]] if len(members) else members
        bank.callers[key] = known
    return known


def examples_of(group: BlockRules) -> Iterator[tuple[bool, tuple[int, ...]]]:
    """Example auctions of a header; in all seats and both vulnerabilities where its rules speak of those."""
    words = group.block.text + " ".join(rule.source for rule in group.rules)
    seats = range(4) if "seat" in words or "passed" in words or group.block.kind == "open" else (0,)
    colours = (False, True) if "vulnerable" in words or "favorable" in words else (False,)
    patterns = [pattern for pattern in group.block.patterns if not pattern[0].anything]
    auctions = [calls for pattern in patterns for calls in example_auctions(pattern, block=group.block)]
    for calls in auctions or ([()] if group.block.kind == "open" else []):
        for passes in seats:
            for vulnerable in colours:
                yield vulnerable, (0,) * passes + calls


def more_examples_of(group: BlockRules, limit: int = MORE) -> Iterator[tuple[bool, tuple[int, ...]]]:
    """Many more of them, also by passed hands: for rules that the first ones did not reach."""
    for pattern in group.block.patterns:
        if not pattern[0].anything:
            for calls in spread_auctions(pattern, limit, block=group.block):
                yield False, calls
                yield False, (0, 0, *calls)


def example_auctions(
    pattern: Pattern, limit: int = EXAMPLES, *, block: Block | None = None, wild: int = 1
) -> list[tuple[int, ...]]:
    """A few auctions that a pattern fits, the dealer opening; the suits as the header narrows them.

    A wildcard (``bid``, ``*``) stands for its ``wild`` cheapest calls.
    """
    total = len([element for element in pattern if not element.anything])
    allowed = _domains(block) if block else {}
    found = (calls for calls in _extended(pattern, 0, (), {}, allowed, wild) if len(calls) == total)
    return list(islice(dict.fromkeys(found), limit))


def spread_auctions(pattern: Pattern, limit: int, *, block: Block | None = None) -> list[tuple[int, ...]]:
    """Auctions of a pattern from all corners of it: every so many-th of those that it fits."""
    every = example_auctions(pattern, ALL, block=block, wild=WILD)
    return every[:: max(1, len(every) // limit)]


def prolonged_auctions(pattern: Pattern, calls: tuple[int, ...], *, block: Block) -> list[tuple[int, ...]]:
    """An auction with the calls of a pattern behind it, where these are legal: a few of the ways."""
    return list(islice(_extended(pattern, 0, calls, {}, _domains(block), 1), EXAMPLES))


def has_wildcards(block: Block) -> bool:
    """Whether a header leaves some call open, so that its auctions cannot all be played out."""
    return any(spec.kind in WILDCARDS for pattern in block.patterns for element in pattern for spec in element.calls)


def _domains(block: Block) -> dict[str, int]:
    """The suits of each variable that the header's ``for`` clauses leave, as far as words alone tell."""
    result = {}
    for name, words in block.domains.items():
        suits = _static(words)
        if suits is not None:
            result[name] = suits
    return result


def _static(words: Words) -> int | None:
    named, narrowed = 0, 15
    for part in words.parts:
        if isinstance(part, SuitRef) and part.name in "CDHS":
            named |= 1 << "CDHS".index(part.name)
        elif isinstance(part, str) and part in _STILL_WORDS:
            narrowed &= _STILL_WORDS[part]
        else:
            return None
    return narrowed & named if named else narrowed


def _extended(
    pattern: Pattern, at: int, calls: tuple[int, ...], bindings: Bindings, allowed: dict[str, int], wild: int
) -> Iterator[tuple[int, ...]]:
    if at == len(pattern):
        yield calls
        return
    element = pattern[at]
    if element.anything:
        yield from _extended(pattern, at + 1, calls, bindings, allowed, wild)
        return
    for call in _possible(element.calls, calls, bindings, wild):
        for bound in _match_call(element, (*calls, call), len(calls), bindings):
            if all(name not in bound or suits >> bound[name] & 1 for name, suits in allowed.items()):
                yield from _extended(pattern, at + 1, (*calls, call), bound, allowed, wild)
                break


def _possible(specs: tuple[CallSpec, ...], calls: tuple[int, ...], bindings: Bindings, wild: int) -> list[int]:
    context = Context(calls, *_NOTHING_SHOWN)
    found: list[int] = []
    for spec in specs:
        free = len(spec.strain) == 1 and spec.strain not in "CDHS*" and spec.strain not in bindings
        suits = domain_of(spec.strain) if free else (-1,)
        levels = range(1, 8) if spec.level_variable and spec.level_variable not in bindings else (0,)
        for suit in suits:
            for level in levels:
                bound = {**bindings, spec.strain: suit} if free else dict(bindings)
                if level:
                    bound[spec.level_variable] = level - spec.plus
                found += expand_call(spec, calls, bound)[: wild if spec.kind in WILDCARDS else 3]
    return [call for call in dict.fromkeys(found) if context.is_legal(call)]
