"""Bidders by name: ``rules:sayc``, ``borel:sayc,seconds=1``, ``cmd:PROGRAM --option``, ``uniform``.

A specification is a kind and, after a colon, an argument and options; after ``cmd:`` the rest is a command line.
A kind is one line of `KINDS`: where its maker lives (imported only when it is asked for) and how it is written. Other
packages add kinds by an entry point of the group ``borel.bidders`` (or ``borel.card_players``) that names
such a maker.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from borel.decision import Bidder, CardPlayer
from borel.errors import BridgeError, quote

__all__ = [
    "KINDS",
    "PLAYER_KINDS",
    "Options",
    "SpecError",
    "bidder",
    "bidder_help",
    "card_player",
    "system_of",
    "usual_bidder",
]

# kind: (module:maker, how it is written and what it is). A maker takes the argument and the options.
KINDS: dict[str, tuple[str, str]] = {
    "rules": ("borel.policies.spec:rules_from_spec", "rules:SYSTEM or rules:FILE.bid - a system without search"),
    "uniform": ("borel.policies.uniform:from_spec", "uniform[:passes=0.7] - any legal call"),
    "cmd": ("borel.policies.program:from_spec", "cmd:PROGRAM ... - a program that speaks the engine protocol"),
    "borel": ("borel.bidding.borel:from_spec", "borel:SYSTEM,seconds=1 - Borel search on a system"),
    "pidm": ("borel.bidding.pidm:from_spec", "pidm:SYSTEM,seconds=1 - PIDM search on a system"),
    "lookahead": ("borel.bidding.lookahead:from_spec", "lookahead:SYSTEM,seconds=1 - probabilistic lookahead"),
    "neural": ("borel.bidding.grounded:from_spec", "neural:MODEL or neural:FILE.safetensors - a network"),
    "neural-search": ("borel.bidding.neural_search:from_spec", "neural-search:MODEL,seconds=1 - search with a network"),
}
PLAYER_KINDS: dict[str, tuple[str, str]] = {
    "borel": (
        "borel.cardplay.specs:achievable",
        "borel[:seconds=1] - the default: plans as declarer",
    ),
    "achievable": ("borel.cardplay.specs:achievable", "achievable[:layouts=100,depth=24,seconds=1] - achievable sets"),
    "monte_carlo": ("borel.cardplay.specs:monte_carlo", "monte_carlo[:layouts=50,seconds=1] - Monte Carlo card play"),
    "recursive": ("borel.cardplay.specs:recursive", "recursive[:layouts=20,seconds=2] - layouts seen from all seats"),
}
SAMPLED = 4000  # hands that say what a call shows: 0.03 s
WHOLE = frozenset({"cmd"})  # kinds whose argument is everything after the colon


class SpecError(BridgeError):
    """A bidder specification that cannot be read."""


@dataclass(slots=True)
class Options:
    """The ``key=value`` options of a specification; one that nobody asked for is an error."""

    spec: str
    values: Mapping[str, str] = field(default_factory=dict)
    asked: dict[str, None] = field(default_factory=dict)

    def text(self, key: str, default: str | None = None) -> str | None:
        """An option as it is written."""
        self.asked[key] = None
        return self.values.get(key, default)

    def number(
        self, key: str, default: float | None = None, *, low: float | None = None, high: float | None = None
    ) -> float | None:
        """An option that is a number within limits."""
        text = self.text(key)
        if text is None:
            return default
        try:
            value = float(text)
        except ValueError:
            raise SpecError(f"{key} is a number, not {quote(text)}, in bidder {quote(self.spec)}") from None
        if (low is not None and not value >= low) or (high is not None and not value <= high):
            limits = f"{'' if low is None else f'{low:g}'}..{'' if high is None else f'{high:g}'}"
            raise SpecError(f"{key} is within {limits}, not {quote(text)}, in bidder {quote(self.spec)}")
        return value

    def integer(self, key: str, default: int | None = None, *, low: int | None = None) -> int | None:
        """An option that is a whole number."""
        value = self.number(key, None, low=low)
        if value is None:
            return default
        if value != int(value):
            raise SpecError(f"{key} is a whole number, not {value:g}, in bidder {quote(self.spec)}")
        return int(value)

    def no_argument(self, argument: str) -> None:
        """Complain of an argument where there is nothing to name."""
        if argument:
            raise SpecError(f"bidder {quote(self.spec)} takes options only, not {quote(argument)}")

    def check_all_asked(self) -> None:
        """Complain of a misspelt option."""
        for key in self.values:
            if key not in self.asked:
                known = ", ".join(self.asked) or "none"
                raise SpecError(f"unknown option {quote(key)} in bidder {quote(self.spec)} (known: {known})")


def bidder(spec: str) -> Bidder:
    """Make the bidder that a specification names.

    >>> bidder("uniform:passes=0.7")
    UniformBidder(passes=0.7, system='')
    >>> bidder("rule:sayc")
    Traceback (most recent call last):
    borel.policies.spec.SpecError: unknown kind of bidder 'rule' in 'rule:sayc'; did you mean rules?
    """
    made: Bidder = _make(spec, KINDS, "bidder")
    return made


def card_player(spec: str) -> CardPlayer:
    """Make the card player that a specification names, such as ``monte_carlo:layouts=20``."""
    made: CardPlayer = _make(spec, PLAYER_KINDS, "card player")
    return made


def _make(spec: str, kinds: Mapping[str, tuple[str, str]], what: str) -> Any:
    kind, _, rest = spec.strip().partition(":")
    kind = kind.strip()
    if not kind:
        raise SpecError(f"not a {what}: {quote(spec)}; kinds are {', '.join(kinds)}")
    argument, values = (rest.strip(), {}) if kind in WHOLE else _split(rest, spec)
    options = Options(spec, values)
    try:
        made = _maker(kind, kinds, what, spec)(argument, options)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("borel"):
            raise SpecError(f"{what} {quote(spec)} needs the package {error.name}, which is not installed") from None
        raise SpecError(f"{what} {quote(spec)}: this version of Borel has no {kind!r} yet") from None
    options.check_all_asked()
    return made


def usual_bidder(system: str = "sayc", seconds: float = 1.0) -> str:
    """The specification of the bidder that commands use unless they are told otherwise; with no time, the rules alone.

    >>> usual_bidder("sayc"), usual_bidder("mine.bid"), usual_bidder("mine.bid", seconds=0)
    ('neural-search:sayc,seconds=1,sampled=4000', 'borel:mine.bid,seconds=1', 'rules:mine.bid')
    """
    from borel.policies.neural import shipped_networks

    if not seconds:
        return f"rules:{system}"
    if system in shipped_networks():
        return f"neural-search:{system},seconds={seconds:g},sampled={SAMPLED}"
    return f"borel:{system},seconds={seconds:g}"


def bidder_help() -> str:
    """How each kind of bidder is written."""
    return "; ".join(text for _, text in KINDS.values())


def system_of(bidder: Bidder) -> str:
    """The name of the bidding system that a bidder discloses; an empty text if it has none."""
    system: Any = getattr(bidder, "system", "")
    return system if isinstance(system, str) else str(getattr(system, "name", ""))


def rules_from_spec(argument: str, options: Options) -> Bidder:
    """``rules:sayc``, ``rules:FILE.bid``; ``rules`` alone is SAYC."""
    from borel.policies.rules import RuleBidder

    return RuleBidder(argument or "sayc")


def _split(rest: str, spec: str) -> tuple[str, dict[str, str]]:
    """The argument, which comes first and has no ``=``, and the options."""
    argument, values = "", dict[str, str]()
    for position, part in enumerate(rest.split(",") if rest.strip() else []):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if equals:
            if key in values:
                raise SpecError(f"option {quote(key)} twice in bidder {quote(spec)}")
            values[key] = value
        elif position == 0:
            argument = key
        else:
            raise SpecError(f"{quote(part)} is not an option (key=value) in bidder {quote(spec)}")
    return argument, values


def _maker(kind: str, kinds: Mapping[str, tuple[str, str]], what: str, spec: str) -> Callable[[str, Options], Any]:
    if kind in kinds:
        module, _, name = kinds[kind][0].partition(":")
        found: Callable[[str, Options], Any] = getattr(import_module(module), name)
        return found
    for point in entry_points(group=f"borel.{what.replace(' ', '_')}s", name=kind):
        loaded: Callable[[str, Options], Any] = point.load()
        return loaded
    near = difflib.get_close_matches(kind, kinds, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"kinds are {', '.join(kinds)}"
    raise SpecError(f"unknown kind of {what} {quote(kind)} in {quote(spec)}; {hint}")
