"""From conditions as written to conditions on the hand: what the auction decides is decided, what is left is ranges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from borel.systems.box import Box
from borel.systems.constraints import ANYTHING, NOTHING, Constraint, all_of, any_of, in_range, negated
from borel.systems.errors import SystemFileError, suggestion
from borel.systems.facts import FACTS, SUIT_FACTS, Scene, suit_set
from borel.systems.hand import HAND_FEATURES, LENGTHS, POINTS, SUIT_FEATURES, SUPPORT_FEATURES, index_of
from borel.systems.measures import number_of, takes
from borel.systems.missing import believed, merged
from borel.systems.patterns import Bindings
from borel.systems.readings import Memo
from borel.systems.syntax import (
    AllOf,
    AnyOf,
    Band,
    Combine,
    Compare,
    Definition,
    Expr,
    Function,
    Member,
    NamedBand,
    Not,
    Number,
    Other,
    Quantified,
    SuitRef,
    Term,
    Truth,
    Within,
    Words,
)
from borel.systems.terms import find_missing, find_quantifier, letter, substitute

__all__ = ["Environment", "Linear", "compile_condition"]

INFINITY = float("inf")
LESS = 0.005  # half of the smallest step of any feature
PEOPLE = ("me", "partner", "lho", "rho")
SUIT_LETTERS = {"C": 0, "D": 1, "H": 2, "S": 3}
TRUTH_FROM = {"stopper": 2}  # a stopper is half a stopper only when it is asked for by number
COUNTED = {"rho.bid", "lho.bid", "partner.bid"}


@dataclass(slots=True)
class Environment:
    """What a condition is compiled against: the auction, the variables, the definitions, and the call it is for."""

    scene: Scene
    bindings: Bindings
    memo: Memo
    call: int = -1

    @property
    def definitions(self) -> dict[str, Definition]:
        """The system's definitions."""
        return self.memo.definitions

    def bound(self, bindings: Bindings) -> Environment:
        """The same with other variables."""
        return Environment(self.scene, bindings, self.memo, self.call)

    def calling(self, call: int) -> Environment:
        """The same for one call."""
        return Environment(self.scene, self.bindings, self.memo, call)


@dataclass(slots=True)
class Linear:
    """A sum of features and a constant; ``half`` of a truth counts from ``truth``."""

    terms: dict[int, float]
    constant: float = 0.0
    truth: float = 1.0


def compile_condition(expr: Expr, env: Environment) -> Constraint:
    """The hands that satisfy a condition in this auction: ANYTHING or NOTHING where the auction alone decides."""
    entry = env.memo.entries.get(id(expr)) or env.memo.entry(expr)
    if entry.readers is None or not env.memo.is_on:
        return _compile(expr, entry.guards, env)
    key = tuple([reader(env) for reader in entry.readers])
    known = entry.compiled.get(key)
    if known is None:
        known = entry.compiled.keep(key, _compile(expr, entry.guards, env))
    return known  # type: ignore[return-value]


def _compile(expr: Expr, guards: tuple[Expr, ...], env: Environment) -> Constraint:
    match expr:
        case AllOf(parts):
            if any(compile_condition(guard, env) is NOTHING for guard in guards):
                return NOTHING
            done: list[Constraint] = []
            for part in parts:
                one = compile_condition(part, env)
                if one is NOTHING:
                    return NOTHING
                done.append(one)
            return all_of(done)
        case AnyOf(parts):
            return any_of([compile_condition(part, env) for part in parts])
        case Not(part):
            return negated(compile_condition(part, env))
        case Within(band, measure):
            low, high = _band(band, env)
            return _over(measure, env, lambda linear: _bounded(linear, low, high))
        case Compare(left, sign, right):
            return _compare(left, sign, right, env)
        case Member(suit, suits):
            return ANYTHING if _set_of(suits, env) >> _suit(suit, env) & 1 else NOTHING
        case Truth(term):
            return _truth(term, env)


def _bounded(linear: Linear, low: float, high: float) -> Constraint:
    return in_range(linear.terms, low - linear.constant, high - linear.constant)


def _compare(left: Term, sign: str, right: Term, env: Environment) -> Constraint:
    def difference(linear: Linear) -> Constraint:
        other = _linear(right, env)
        terms = dict(linear.terms)
        for index, weight in other.terms.items():
            terms[index] = terms.get(index, 0.0) - weight
        gap = other.constant - linear.constant
        match sign:
            case ">=":
                return in_range(terms, gap, INFINITY)
            case "<=":
                return in_range(terms, -INFINITY, gap)
            case ">":
                return in_range(terms, gap + LESS, INFINITY)
            case "<":
                return in_range(terms, -INFINITY, gap - LESS)
            case "!=":
                return negated(in_range(terms, gap, gap))
        return in_range(terms, gap, gap)

    return _over(left, env, difference)


def _truth(term: Term, env: Environment) -> Constraint:
    if isinstance(term, Function):
        definition = env.definitions.get(term.name)
        if definition is not None:
            return _use(definition, term, env)
    if isinstance(term, SuitRef):
        raise SystemFileError(f"{term.name} alone says nothing about a hand", term.place, hint=f"4+ {term.name}")
    return _over(term, env, lambda linear: _bounded(linear, linear.truth, INFINITY))


def _use(definition: Definition, call: Function, env: Environment) -> Constraint:
    if isinstance(definition.body, Band | NamedBand):
        raise SystemFileError(f"{definition.name} is a range: say of what", call.place, hint=f"{definition.name} hcp")
    if len(call.arguments) != len(definition.parameters):
        wanted = ", ".join(definition.parameters)
        raise SystemFileError(f"{definition.name}({wanted}) takes {len(definition.parameters)} suits", call.place)
    if len(call.arguments) == 1 and isinstance(call.arguments[0], Quantified | Words):
        every, suits = _quantifier(call.arguments[0], env)
        join = all_of if every else any_of
        return join([_use_with(definition, (suit,), env) for suit in suits])
    return _use_with(definition, tuple(_suit(argument, env) for argument in call.arguments), env)


def _use_with(definition: Definition, suits: tuple[int, ...], env: Environment) -> Constraint:
    key = (definition.name, suits, env.call)
    known = env.scene.memo.get(key)
    if known is None:
        inner = {**env.bindings, **dict(zip(definition.parameters, suits, strict=True))}
        known = env.scene.memo[key] = compile_condition(definition.body, env.bound(inner))  # type: ignore[arg-type]
    return known  # type: ignore[return-value]


def _band(band: Band | NamedBand, env: Environment) -> tuple[float, float]:
    for _ in range(10):
        if isinstance(band, Band):
            return band.low, band.high
        definition = env.definitions.get(band.name)
        if definition is None or not isinstance(definition.body, Band | NamedBand):
            hint = suggestion(band.name, [n for n, d in env.definitions.items() if isinstance(d.body, Band)])
            raise SystemFileError(f"no range is called {band.name!r}", band.place, hint=hint)
        band = definition.body
    raise SystemFileError("a range that is defined by itself", band.place if isinstance(band, NamedBand) else None)


def _quantifier(term: Quantified | Words, env: Environment) -> tuple[bool, list[int]]:
    words = term.suits if isinstance(term, Quantified) else term
    suits = _set_of(words, env)
    return not isinstance(term, Quantified) or term.every, [suit for suit in range(4) if suits >> suit & 1]


def _over(term: Term, env: Environment, build: Callable[[Linear], Constraint]) -> Constraint:
    """Build a condition from a measure; ``each`` and ``any`` become a conjunction or a disjunction over the suits."""
    found = find_quantifier(term)
    if found is None:
        missing = find_missing(term)
        return build(_linear(term, env)) if missing is None else _over_missing(term, missing, env, build)
    every, suits = _quantifier(found, env)
    join = all_of if every else any_of
    return join([_over(substitute(term, found, letter(suit)), env, build) for suit in suits])


def _over_missing(term: Term, missing: Function, env: Environment, build: Callable[[Linear], Constraint]) -> Constraint:
    """A condition on ``missing.aces`` or ``missing.keycards(F)``: for each number held, what partner then has."""
    total, index, own = _asked_for(missing, env)
    partner = env.scene.context.shown[env.scene.seat("partner")]
    parts: list[Constraint] = []
    for mine in range(total + 1):
        told = Combine(Number(float(total - believed(partner, index, total - mine))), -1, own)
        held = in_range({index: 1.0}, mine, mine)
        parts.append(all_of([held, build(_linear(substitute(term, missing, told), env))]))
    return merged(parts, index)


def _asked_for(missing: Function, env: Environment) -> tuple[int, int, Function]:
    """How many there are, the feature's number, and the word for those in this hand."""
    if missing.name == "missing.aces":
        return 4, index_of("aces"), Function("aces", (), missing.place)
    if missing.name == "missing.keycards" and missing.arguments:
        suit = _suit(missing.arguments[0], env)
        return 5, index_of("keycards", suit), Function("keycards", (letter(suit),), missing.place)
    raise SystemFileError(f"no fact is called {missing.name!r}", missing.place, hint="missing.keycards(F)")


def _set_of(words: Words, env: Environment) -> int:
    """A set of suits: set words narrow one another, named suits add up; words before suits narrow them too."""
    names = tuple(part for part in words.parts if isinstance(part, str))
    suits = [part for part in words.parts if not isinstance(part, str)]
    narrowed = suit_set(tuple(name for name in names if name != "side"), env.scene) if names else 0b1111
    if not suits:
        return narrowed
    named = 0
    for suit in suits:
        named |= 1 << _suit(suit, env)
    return narrowed & ~named if "side" in names else narrowed & named


def _suit(term: Term, env: Environment) -> int:
    match term:
        case SuitRef(name, place):
            if name in SUIT_LETTERS:
                return SUIT_LETTERS[name]
            if name not in env.bindings:
                raise SystemFileError(f"the suit {name} is not bound by the auction or the call", place)
            return env.bindings[name]
        case Other(suit, _):
            return _suit(suit, env) ^ 1  # C-D and H-S are neighbours
        case Function(name, _, place):
            raise SystemFileError(f"expected a suit, not {name}", place)
    raise SystemFileError("expected a suit")


def _linear(term: Term, env: Environment) -> Linear:
    match term:
        case Number(value):
            return Linear({}, value)
        case SuitRef() | Other():
            return Linear({LENGTHS[_suit(term, env)]: 1.0})
        case Combine(left, sign, right):
            first, second = _linear(left, env), _linear(right, env)
            terms = dict(first.terms)
            for index, weight in second.terms.items():
                terms[index] = terms.get(index, 0.0) + sign * weight
            return Linear(terms, first.constant + sign * second.constant)
        case Function():
            return _function(term, env)
    raise SystemFileError("each and any belong directly before a set of suits")


def _function(term: Function, env: Environment) -> Linear:
    name, arguments = term.name, term.arguments
    who, _, rest = name.partition(".")
    if rest in ("min", "max", "mid") and who in (*PEOPLE, "combined", "ours", "theirs"):
        return _shown(who, rest, term, env)
    if who == "missing":
        return _missing(term, env)
    if not arguments:
        if name in HAND_FEATURES:
            return Linear({index_of(name): 1.0})
        if name in FACTS:
            memo = env.scene.memo
            if name not in memo:
                memo[name] = float(FACTS[name](env.scene))
            return Linear({}, memo[name])  # type: ignore[arg-type]
        if name in CALL_FACTS or name in ("n", "k"):
            return Linear({}, float(env.bindings[name] if name in "nk" else CALL_FACTS[name](env)))
        return _of_registry(term, env)
    elif name == "shape":
        raise SystemFileError("write shape(4441) as shape = 4441", term.place)
    elif len(arguments) == 1 and not isinstance(arguments[0], Number):
        suit = _suit(arguments[0], env)
        return _of_suit(name, suit, term, env)
    return _of_registry(term, env)


def _of_registry(term: Function, env: Environment) -> Linear:
    """A feature of `borel.features` by its name there: kaplan_rubens, new_losers(M), law_level(M, 5)."""
    arity = takes(term.name)
    if arity is None or not arity[0] <= len(term.arguments) <= arity[1]:
        raise _unknown(term, env)
    arguments = [int(a.value) if isinstance(a, Number) else _suit(a, env) for a in term.arguments]
    index, scale = number_of(term.name, tuple(arguments))
    if index < 0:
        return Linear({}, 0.0)  # such as two_suits(M, X) where both letters are one suit
    return Linear({index: 1.0 / scale}, truth=1.0)


def _of_suit(name: str, suit: int, term: Function, env: Environment) -> Linear:
    if name in SUPPORT_FEATURES or name in SUIT_FEATURES:
        return Linear({index_of(name, suit): 1.0}, truth=TRUTH_FROM.get(name, 1.0))
    if name in ("len", "cards"):
        return Linear({LENGTHS[suit]: 1.0})
    if name in SUIT_FACTS:
        key = (name, suit)
        if key not in env.scene.memo:
            env.scene.memo[key] = float(SUIT_FACTS[name](env.scene, suit))
        return Linear({}, env.scene.memo[key])  # type: ignore[arg-type]
    if name == "fit":
        partner = env.scene.context.shown[env.scene.seat("partner")]
        return Linear({LENGTHS[suit]: 1.0}, partner.low[LENGTHS[suit]], truth=8)
    return _of_registry(term, env)


def _unknown(term: Function, env: Environment) -> SystemFileError:
    known = {*HAND_FEATURES, *SUIT_FEATURES, *SUPPORT_FEATURES, *FACTS, *SUIT_FACTS, *CALL_FACTS, *env.definitions}
    known |= {"fit", "len"} | {f"{who}.{end}" for who in (*PEOPLE, "combined") for end in ("min", "max", "mid")}
    of = " of a suit" if term.arguments else ""
    hint = suggestion(term.name, known)
    if hint == term.name:
        needs = f"{term.name} needs a suit" if not term.arguments else f"{term.name} takes no suit"
        return SystemFileError(needs, term.place, hint=f"{term.name}(M)" if not term.arguments else term.name)
    return SystemFileError(f"no feature or fact{of} is called {term.name!r}", term.place, hint=hint)


def _shown(who: str, end: str, term: Function, env: Environment) -> Linear:
    """``partner.min(F)``: what a seat has shown; ``combined.min(F)``: with what this hand has itself."""
    scene = env.scene
    mine: dict[int, float] = {POINTS: 1.0}
    index = POINTS
    if term.arguments:
        argument = term.arguments[0]
        mine = _linear(argument, env).terms
        index = next(iter(mine))
        if isinstance(argument, Function) and argument.name in ("points", "opening"):
            index = POINTS
    seat = scene.seat("partner" if who in ("combined", "ours") else "lho" if who == "theirs" else who)
    box = scene.context.shown[seat]
    value = _end_of(box, end, index)
    if who in ("ours", "theirs"):  # both hands of a side, as shown
        value += _end_of(scene.context.shown[(seat + 2) % 4], end, index)
    return Linear(dict(mine) if who == "combined" else {}, value)


def shown_number(term: Function, suit: int, env: Environment) -> float:
    """What has been shown of a feature of one suit, whatever suit the term itself speaks of."""
    letter = SuitRef("CDHS"[suit], term.place)
    arguments: list[Term] = []
    for argument in term.arguments:
        if isinstance(argument, Function):
            arguments.append(Function(argument.name, (letter,), term.place) if argument.arguments else argument)
        else:
            arguments.append(letter)
    return _linear(Function(term.name, tuple(arguments), term.place), env).constant


def _end_of(box: Box, end: str, index: int) -> float:
    low, high = box.low[index], box.high[index]
    return low if end == "min" else high if end == "max" else (low + min(high, low + 6)) // 2


def _missing(term: Function, env: Environment) -> Linear:
    """``missing.aces``, ``missing.keycards(F)`` on the right of a comparison: by the lower number of an answer."""
    total, index, _ = _asked_for(term, env)
    return Linear({index: -1.0}, total - env.scene.context.shown[env.scene.seat("partner")].low[index])


def _jump(env: Environment) -> int:
    from borel.systems.patterns import cheapest_level

    call = env.call
    return (call + 2) // 5 - cheapest_level((call - 3) % 5, env.scene.context.last_bid) if call >= 3 else 0


CALL_FACTS: dict[str, Callable[[Environment], float]] = {
    "level": lambda env: (env.call + 2) // 5 if env.call >= 3 else (env.scene.context.last_bid + 2) // 5,
    "jumps": _jump,
    "game-call": lambda env: env.call >= 3 and (env.call + 2) // 5 >= (5, 5, 4, 4, 3)[(env.call - 3) % 5],
}
