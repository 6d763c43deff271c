"""Reading calls: what a call shows is what its rules ask, less what a rule asked earlier would have taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from borel.systems.box import Box, hull
from borel.systems.constraints import ANYTHING, Constraint, any_of
from borel.systems.context import Context, Force
from borel.systems.facts import Scene
from borel.systems.hand import HCP, LENGTHS, POINTS
from borel.systems.options import Option
from borel.systems.system import FALLBACK, RELIED_ON
from borel.systems.words import ANY_HAND, constraint_words, joined

__all__ = ["Interpretation", "interpret", "updated"]

_TIERS = (RELIED_ON, 250, FALLBACK, 50)  # agreements and what is read like them, loose ones, principles, fallbacks
_FORCES = {"forcing": Force.ROUND, "game-forcing": Force.GAME}


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What a call shows: the box of its hands, the rules it can come from, and its words."""

    box: Box  # surely contains the hands that make the call
    options: tuple[Option, ...]
    constraint: Constraint
    text: str
    force: int = Force.NONE
    status: str = ""  # forcing, invitational …, as the rule says
    conventions: frozenset[str] = frozenset()
    alert: str = ""
    agrees: int = -1
    asks: bool = False
    typical: Box = field(default_factory=Box)  # where nearly all of them are


def _tier(priority: int) -> int:
    return next((i for i, floor in enumerate(_TIERS) if priority >= floor), len(_TIERS))


def interpret(options: list[Option], scene: Scene, call: int) -> Interpretation:
    """The meaning of a call here. General principles count only where no specific agreement gives the call."""
    mine = [option for option in options if option.call == call]
    before = scene.context.bounds[scene.me]
    if not mine:
        return _unagreed(before, call)
    mine, boxes = _consistent(mine, before)
    lessened = {
        id(option): box
        for option in mine
        if id(option) in boxes and (box := _less(boxes[id(option)], option, options)) is not None
    }
    kept = lessened or boxes
    mine = [option for option in mine if id(option) in kept] or mine
    box = hull([kept[id(option)] for option in mine if id(option) in kept]) if kept else before
    return _described(mine, box)


def _consistent(mine: list[Option], before: Box) -> tuple[list[Option], dict[int, Box]]:
    """The options of the highest tier that agree with what the seat has shown, and their boxes.

    A call that contradicts every one of its rules takes its best rules, and later words are believed before earlier.
    """
    tiers = sorted({_tier(option.priority) for option in mine})
    by_tier = [[option for option in mine if _tier(option.priority) == tier] for tier in tiers]
    for options in by_tier:
        boxes = {id(option): box for option in options if (box := before.narrowed(option.shows)) is not None}
        if boxes:
            return options, boxes
    for earlier in _relaxed(before):
        boxes = {id(option): box for option in by_tier[0] if (box := earlier.narrowed(option.shows)) is not None}
        if boxes:
            break
    return by_tier[0], boxes


def _relaxed(box: Box) -> Iterator[Box]:
    """What remains of earlier information when a call contradicts it: the strength, or the lengths, or nothing."""
    strength, lengths = Box(), Box()
    strength.low[HCP], strength.high[HCP] = box.low[HCP], box.high[HCP]
    for index in LENGTHS:
        lengths.low[index], lengths.high[index] = box.low[index], box.high[index]
    yield strength
    yield lengths
    yield Box()


def _less(box: Box, option: Option, options: list[Option]) -> Box | None:
    """The box less what rules for other calls that are asked earlier would have taken."""
    left: Box | None = box
    for other in options:
        if other.call == option.call or other.priority < option.priority:
            continue
        if other.priority == option.priority and other.order >= option.order:
            continue
        left = left.without(other.constraint) if left is not None else None
    return left


def _described(mine: list[Option], box: Box) -> Interpretation:
    mine = sorted(mine, key=lambda option: (-option.priority, option.order))
    first = mine[0]
    texts = list(dict.fromkeys(option_text(option) for option in mine))
    if len(texts) > 1 and ANY_HAND in texts:
        texts.remove(ANY_HAND)  # the other rules say more
    statuses = [str(option.rule.clauses.get("force", option.rule.block.clauses.get("force", ""))) for option in mine]
    asks = "asks" in first.rule.clauses
    force = min((_FORCES.get(status, Force.NONE) for status in statuses), default=Force.NONE)
    conventions = frozenset(
        str(clauses["convention"])
        for option in mine
        for clauses in (option.rule.clauses, option.rule.block.clauses)
        if "convention" in clauses
    )
    alert = first.rule.clauses.get("alert", first.rule.clauses.get("announce", ""))
    return Interpretation(
        box=box,
        options=tuple(mine),
        constraint=any_of([option.constraint for option in mine]),
        text=joined(texts),
        force=max(force, Force.ROUND if asks else Force.NONE),
        status=statuses[0] or ("forcing" if asks else ""),
        conventions=conventions,
        alert=str(alert) or ("alert" if "alert" in first.rule.clauses else ""),
        agrees=first.agrees,
        asks=asks,
    )


def option_text(option: Option) -> str:
    """An option's meaning: the rule's words with the suits filled in, or its condition in words."""
    text = option.meaning or option.rule.meaning
    if not text:
        return constraint_words(option.asks if option.shows == option.constraint else option.shows)
    for name, suit in option.bindings.items():
        for form in (f"{{{name}}}",):
            word = ("clubs", "diamonds", "hearts", "spades")[suit] if name not in ("n", "k") else str(suit)
            text = text.replace(form, word)
    return text


def _unagreed(before: Box, call: int) -> Interpretation:
    """A call for which there is no agreement: a suit bid is taken as natural, anything else says nothing."""
    if call < 3 or (call - 3) % 5 == 4:
        return Interpretation(before, (), ANYTHING, "no agreement")
    index = LENGTHS[(call - 3) % 5]
    box = before.copy()
    if box.high[index] >= 4:
        box.low[index] = max(box.low[index], 4)
    if not box._settle():
        box = before
    return Interpretation(box, (), ANYTHING, "no agreement; natural")


def updated(context: Context, call: int, meaning: Interpretation) -> Context:
    """The context after a call."""
    seat, side = context.turn, context.turn % 2
    partner = (seat + 2) % 4
    shown, bounds, natural = list(context.shown), list(context.bounds), list(context.natural)
    shown[seat], bounds[seat] = meaning.typical, meaning.box
    natural[seat] |= _natural(meaning, context, call)
    box = meaning.typical
    width = box.high[POINTS] - box.low[POINTS]
    agreed = meaning.agrees if meaning.agrees >= 0 else _raised(context, call, box, natural[partner])
    force = max(meaning.force, Force.GAME if context.force[side] == Force.GAME else Force.NONE)
    conventions = context.conventions[side] | meaning.conventions
    return replace(
        context,
        calls=(*context.calls, call),
        shown=(shown[0], shown[1], shown[2], shown[3]),
        bounds=(bounds[0], bounds[1], bounds[2], bounds[3]),
        natural=(natural[0], natural[1], natural[2], natural[3]),
        agreed=_with(context.agreed, side, agreed if agreed >= 0 else context.agreed[side]),
        force=_with(context.force, side, force),
        conventions=_with(context.conventions, side, conventions),
        passed=_put(context.passed, seat, context.passed[seat] or (call == 0 and context.last_bidder < 0)),
        limited=_put(context.limited, seat, width <= 6 or box.high[POINTS] <= 12),
        asked=_with(context.asked, side, meaning.asks),
        answered=_with(context.answered, side, call >= 3 and context.asked[side]),
        status=_with(context.status, side, meaning.status),
    )


def _natural(meaning: Interpretation, context: Context, call: int) -> int:
    """The suits a call shows: the one it names with three cards or more, others with four."""
    before = context.shown[context.turn]
    result = 0
    for suit in range(4):
        low = meaning.typical.low[LENGTHS[suit]]
        named = call >= 3 and (call - 3) % 5 == suit
        if (named and low >= 3) or (low >= 4 and low > before.low[LENGTHS[suit]]):
            result |= 1 << suit
    return result


def _raised(context: Context, call: int, box: Box, partner_suits: int) -> int:
    """The suit that a raise agrees, -1 where the call is no raise: an answer to a question never is."""
    suit = (call - 3) % 5 if call >= 3 else 4
    if suit > 3 or not partner_suits >> suit & 1 or context.asked[context.turn % 2]:
        return -1
    partner = context.shown[(context.turn + 2) % 4]
    return suit if partner.low[LENGTHS[suit]] + box.low[LENGTHS[suit]] >= 7 else -1


def _with(pair: tuple, side: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (value, pair[1]) if side == 0 else (pair[0], value)


def _put(flags: tuple[bool, bool, bool, bool], seat: int, value: bool) -> tuple[bool, bool, bool, bool]:  # noqa: FBT001
    result = list(flags)
    result[seat] = value
    return (result[0], result[1], result[2], result[3])
