"""Shards of a system's answers in rare auctions: walks first, then whatever rules were not heard often enough.

Shards are made in rounds, by several workers at once; each is a file, and those that are there are kept. What was heard
in a shard, where rules can speak, and why a rule stayed silent stand beside it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from borel import compute
from borel.dealing import Dealer
from borel.errors import BridgeError
from borel.learning.lessons import Report
from borel.learning.other_hands import OtherHands, Where, load_others, save_others
from borel.learning.rare import ENOUGH, RareAuctions
from borel.learning.topping_up import TopUp, answers_of, fitting_points, prolonged, strayed
from borel.systems import System, load_system
from borel.systems.check import is_in_force
from borel.systems.errors import Place
from borel.systems.syntax import Rule
from borel.systems.system import PRIORITIES, priority_of

__all__ = ["RareSettings", "make_rare_shards", "rules_heard", "rules_in_force", "silent_rules"]

SHARD = 5_000  # points: a minute of work
ROUND = 4  # shards that are made knowing the same: as many can be made at once, and the result is always the same
STOCK = 25_000  # deals whose hands hold the rare auctions
RULES = 40  # that are topped up in one shard: half a minute of work
SEEDS = 1_000  # deals whose hands others are bred from
PATIENCE = (16, 64)  # points at which a rule may be silent before it is given up, the first time and once more
LESSONS = 8  # parts of the boards whose points are looked at too
STRAYED, NOTED = 1_500, 80  # auctions that stray from those of the system, and points of them noted for a rule
FITTING = 60  # points of the walks that fit a header, at most
Shard = tuple[int, int, dict[str, int]]  # its number, its points, what was heard before
Wanted = tuple[str, int, list[Where]]  # a rule by its place, how many hands are wanted for it, where it can speak
Made = tuple[OtherHands, dict[str, dict[str, Any]]]  # answers, and what is kept beside them by name


@dataclass(frozen=True, slots=True)
class RareSettings:
    """The system, a seed, about how many points to read, how often every rule is to be heard (0: no topping up).

    ``again`` is the folder of other shards, whose hands are asked about again instead of reading new points.
    """

    system: str
    seed: int
    points: int
    enough: int = ENOUGH
    again: Path | None = None

    @property
    def shards(self) -> int:
        """How many there are before rules are topped up."""
        return -(-self.points // SHARD) if self.again is None else len(list(self.again.glob("rare-*.npz")))


def make_rare_shards(
    folder: Path, asked: RareSettings, report: Report | None = None, workers: int | None = None
) -> list[Path]:
    """Ask a system about rare auctions, and top up the rules that were heard too seldom."""
    if not asked.points:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    count, words = asked.shards, "rare auctions"
    if asked.again is not None:
        shards: list[tuple[int, Any]] = [(n, asked.again / f"rare-{n:03d}.npz") for n in range(count)]
        _make(folder, partial(AskedAgain, asked.system), shards, report, words, count, workers)
    for first in range(0, count, ROUND) if asked.again is None else ():
        before = heard_in(folder, first)
        sizes = {n: min(SHARD, asked.points - n * SHARD) for n in range(first, min(first + ROUND, count))}
        shards = [(n, (n, size, before)) for n, size in sizes.items()]
        _make(folder, partial(RareAsker, asked.system, asked.seed), shards, report, words, count, workers)
    for patience in PATIENCE if asked.enough else ():
        wanted = wanted_rules(folder, load_system(asked.system), count, asked.enough)
        parts = [wanted[first : first + RULES] for first in range(0, len(wanted), RULES)]
        shards = [(count + number, part) for number, part in enumerate(parts)]
        topper = partial(Topper, asked.system, asked.seed, patience)
        _make(folder, topper, shards, report, "seldom rules", len(parts) + count, workers)
        count += len(parts)
    return [folder / f"rare-{number:03d}.npz" for number in range(count)]


def _make(
    folder: Path,
    make: Any,
    shards: Sequence[tuple[int, Any]],
    report: Report | None,
    words: str,
    of: int,
    workers: int | None,
) -> None:
    """Make those shards that are not there yet."""
    missing = [shard for shard in shards if not (folder / f"rare-{shard[0]:03d}.npz").exists()]
    for outcome in compute.run(partial(_Numbered, make), missing, workers=workers):
        number = outcome.item[0]
        if outcome.value is None:
            raise BridgeError(f"part {number} of the rare auctions could not be bid: {outcome.error}")
        answers, beside = outcome.value
        for name, kept in beside.items():
            (folder / f"{name}-{number:03d}.json").write_text(json.dumps(kept))
        save_others(folder / f"rare-{number:03d}.npz", answers)  # last: it says that the shard is done
        if report is not None:
            report(words, len(list(folder.glob("rare-*.npz"))), of)


class _Numbered:
    """Makes the value of an item that has its number beside it."""

    def __init__(self, make: Any) -> None:
        self._make = make()

    def __call__(self, item: tuple[int, Any]) -> Made:
        made: Made = self._make(item[1])
        return made


class RareAsker:
    """Reads shards of rare auctions; one in each worker."""

    def __init__(self, system: str, seed: int) -> None:
        self.system, self.seed = load_system(system), seed
        self._places = {str(rule.place): rule.place for rule in self.system.rules}

    def __call__(self, shard: Shard) -> Made:
        """Answers, how often each rule gave one, and where rules can speak; told how often each was heard before."""
        number, points, before = shard
        rare = RareAuctions(self.system, Counter({self._places[place]: times for place, times in before.items()}))
        stock = np.concatenate(list(Dealer(self.seed + 1, first=number * STOCK).blocks(STOCK))).reshape(-1)
        answers = rare.walk(stock, points, np.random.default_rng([self.seed, number, 1]))
        heard = {str(place): times - before.get(str(place), 0) for place, times in rare.heard.items()}
        return answers, {"heard": heard, "noted": {str(place): where for place, where in rare.noted.items()}}


class AskedAgain:
    """Asks about the hands of other shards again; one in each worker."""

    def __init__(self, system: str) -> None:
        self.system = load_system(system)

    def __call__(self, path: Path) -> Made:
        """Answers of these rules, how often each gave one, and where rules can speak."""
        rare = RareAuctions(self.system)
        answers = rare.again(load_others(path), np.random.default_rng(len(path.name)))
        heard = {str(place): times for place, times in rare.heard.items() if times}
        return answers, {"heard": heard, "noted": {str(place): where for place, where in rare.noted.items()}}


class Topper:
    """Tops up some rules; one in each worker."""

    def __init__(self, system: str, seed: int, patience: int) -> None:
        self.system = load_system(system)
        self._rules = {str(rule.place): rule for rule in self.system.rules}
        stock = np.concatenate(list(Dealer(seed + 2).blocks(SEEDS))).reshape(-1)
        self._top = TopUp(self.system, stock, seed + patience, patience)

    def __call__(self, wanted: list[Wanted]) -> Made:
        """Answers that follow these rules, how many each gave, and why some gave no more."""
        topped = {place: self._top.rule(self._rules[place], count, where) for place, count, where in wanted}
        short = {place: topped[place].why for place, count, _ in wanted if len(topped[place].hands) < count}
        heard = {place: len(one.hands) for place, one in topped.items()}
        strangers = {place: one.strangers for place, one in topped.items() if one.strangers}
        return answers_of(topped.values()), {"heard": heard, "short": short, "strangers": strangers}


def wanted_rules(folder: Path, system: System, shards: int, enough: int) -> list[Wanted]:
    """The rules not heard often enough in the first shards, how many hands they lack, and where they can speak."""
    heard = heard_in(folder, shards)
    lacking = [rule for rule in rules_in_force(system) if heard[str(rule.place)] < enough]
    noted = noted_in(folder, shards)
    walked = _points_of(folder, shards)
    for place, where in _strayed(folder, system, {rule.place for rule in lacking if _floats(rule)}, walked).items():
        noted[place] = [*where, *noted.get(place, [])]
    groups = {rule.place: group for group in system.blocks for rule in group.rules}
    headers = {id(groups[rule.place]): groups[rule.place] for rule in lacking if _floats(rule)}
    found = {
        key: [*fitting_points(group, walked, FITTING), *prolonged(group, walked)] for key, group in headers.items()
    }
    known = {str(rule.place): found.get(id(groups[rule.place]), []) for rule in lacking}
    return [(place, enough - heard[place], [*noted.get(place, []), *where]) for place, where in known.items()]


def noted_in(folder: Path, shards: int) -> dict[str, list[Where]]:
    """Where rules can speak, as the first shards have noted it down."""
    noted: dict[str, list[Where]] = {}
    for number in range(shards):
        path = folder / f"noted-{number:03d}.json"
        for place, where in json.loads(path.read_text()).items() if path.exists() else ():
            noted.setdefault(place, []).extend(_where(one) for one in where)
    return noted


def _floats(rule: Rule) -> bool:
    """Whether a rule's header spells no auction out."""
    return all(pattern[0].anything for pattern in rule.block.patterns)


def _strayed(folder: Path, system: System, wanted: set[Place], points: list[Where]) -> dict[str, list[Where]]:
    """Where these rules can speak in auctions that nobody has foreseen; looked for once."""
    path = folder / "strayed.json"
    if not path.exists():
        found = strayed(system, wanted, points, STRAYED, np.random.default_rng(len(points)))
        path.write_text(json.dumps({str(place): where[:: -(-len(where) // NOTED)] for place, where in found.items()}))
    return {place: [_where(one) for one in where] for place, where in json.loads(path.read_text()).items()}


def _points_of(folder: Path, shards: int) -> list[Where]:
    """Where the first shards, and the boards' own parts, have asked: each point once, in any order, not all of them."""
    found: dict[Where, None] = {}
    walks = [folder / f"rare-{number:03d}.npz" for number in range(shards)]
    for path in (*walks, *sorted(folder.glob("others-*.npz"))[:LESSONS]):
        points = load_others(path).points
        for calls, length, vulnerable in zip(points.calls, points.lengths, points.vulnerable, strict=True):
            found[(bool(vulnerable[0]), bool(vulnerable[1])), tuple(calls[:length].tolist())] = None
    every = list(found)
    return [every[number] for number in np.random.default_rng(len(every)).permutation(len(every))]


def _where(one: Any) -> Where:
    (ours, theirs), calls = one
    return (bool(ours), bool(theirs)), tuple(calls)


def heard_in(folder: Path, shards: int) -> Counter[str]:
    """How often each rule spoke in the first shards of rare auctions."""
    heard: Counter[str] = Counter()
    for number in range(shards):
        heard.update(json.loads((folder / f"heard-{number:03d}.json").read_text()))
    return heard


def rules_in_force(system: System) -> list[Rule]:
    """Those that can be heard: of conventions that are played, and none that forbid or only say how a call is read.

    The last come after the pass that is for every hand, so that no hand is bid by them.
    """
    chosen_by = (rule for rule in system.rules if rule.prefix != "never" and priority_of(rule) >= PRIORITIES["last"])
    return [rule for rule in chosen_by if is_in_force(rule, system)]


def rules_heard(folder: Path, system: str) -> dict[str, int]:
    """Of the rules in force how many spoke often enough in the rare auctions, how many seldom, how many never."""
    heard = heard_in(folder, len(list(folder.glob("heard-*.json"))))
    times = [heard[str(rule.place)] for rule in rules_in_force(load_system(system))]
    often, never = sum(n >= ENOUGH for n in times), times.count(0)
    return {"rules": len(times), "often": often, "seldom": len(times) - often - never, "never": never}


def silent_rules(folder: Path) -> dict[str, tuple[int, str]]:
    """The rules that were not heard often enough, with how often they were and why, as far as was seen."""
    heard = heard_in(folder, len(list(folder.glob("heard-*.json"))))
    short: dict[str, str] = {}
    for path in sorted(folder.glob("short-*.json")):
        topped = json.loads((folder / path.name.replace("short", "heard")).read_text())
        kept = {place: why for place, why in short.items() if place not in topped}
        short = kept | json.loads(path.read_text())
    return {place: (heard[place], why) for place, why in short.items()}
