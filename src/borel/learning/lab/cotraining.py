"""Partners who train together (Amit & Markovitch 2006, section 4): from ambiguous rules to agreements.

States for which the rules leave several calls are tagged by PIDM with large means; the tagged examples of one auction
refine its decision net (`agreeing`): the nodes that conflict are intersected, and a tree of the intersection's examples
is hung below them. The refined net goes into the system at once, so that both partners go on with it ("exchange");
without exchange, tagging keeps to the system that training began with.

Limits are generated instances, never seconds, so that a run can be repeated; every refined net is written as it is
made, so that a run can be stopped and gone on with. The system that comes of it is a file that includes its parent
and then what was agreed: a refinement must come after the rules it refines to hang below all of them (Fig. 21).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from random import Random

from borel.auction import Call
from borel.bidding.pidm import PidmBidder
from borel.cards import Hand
from borel.deal import Vulnerability
from borel.dealing import deal_masks
from borel.decision import Limit
from borel.errors import BridgeError
from borel.learning.lab.agreeing import Tag, agreed_rules
from borel.learning.lab.confirming import Rule, Trial, kept_lines, tried
from borel.learning.lab.conflicts import Conflict, collect
from borel.learning.lab.rollouts import UTILITIES, tag_by_rollouts
from borel.learning.runs import Run
from borel.systems import System, load_system
from borel.view import BiddingView

__all__ = ["CoTraining", "CoTrainingSettings", "RefinedNet", "agreed_text"]

TRIALS = "trials.json"  # what agreements gained on fresh deals
FRESH = 1_000_003  # added to the seed: deals that nobody has trained on
TAGGERS = {"pidm": ("estimate", "dd", "ltc"), "rollouts": tuple(UTILITIES)}  # and what each can value contracts by


@dataclass(frozen=True, slots=True)
class CoTrainingSettings:
    """The paper's sizes (5.1), with instances for its five seconds; ``examples`` tagged for each net.

    ``tagger`` is pidm, or rollouts of the rules. Nets are exchanged every so many, for each time the whole system is
    read again. Partners refine nets in turn: every second one is the co-agent's, who may value contracts by another
    ``partner_utility`` (5.4.4). Training may be restricted to deals that ``opening`` opens (5.4 restricts the states
    too).
    """

    system: str = "two_over_one"
    deals: int = 2000
    nets: int = 100
    examples: int = 30
    least: int = 1  # examples of a conflict, below which nothing is agreed
    trust: float = 1.0  # standard errors by which a call must gain on the rules' own to be agreed on
    sample: int = 10
    instances: int = 6000
    utility: str = "estimate"
    partner_utility: str = ""
    tagger: str = "pidm"
    exchange: bool = True
    exchange_every: int = 4
    opening: str = ""
    seed: int = 1

    def check(self) -> None:
        """Complain of what cannot be."""
        if min(self.deals, self.nets, self.instances) < 1 or self.examples < 4 or self.sample < 2 or self.trust < 0:
            raise BridgeError("co-training needs deals, nets, instances, a sample of 2 and 4 examples of a net")
        known = TAGGERS.get(self.tagger)
        if known is None:
            raise BridgeError(f"no tagger {self.tagger[:40]!r}: there are {', '.join(TAGGERS)}")
        for utility in (self.utility, self.partner_utility or self.utility):
            if utility not in known:
                raise BridgeError(f"no utility {utility[:40]!r}: {self.tagger} has {', '.join(known)}")
        if self.opening:
            Call.parse(self.opening)
        load_system(self.system)


@dataclass(frozen=True, slots=True)
class RefinedNet:
    """What was agreed for one auction: the text of its rules, and from how many examples; none if nothing could be."""

    key: tuple[int, ...]
    lines: tuple[str, ...]
    examples: int
    instances: int


class CoTraining:
    """A run of co-training in a folder."""

    def __init__(self, settings: CoTrainingSettings, folder: Path) -> None:
        settings.check()
        self.settings, self.folder = settings, folder
        self.run = Run(folder, "cotrain", asdict(settings))
        self.nets = _read(folder / "nets.jsonl")
        self.parent = load_system(settings.system)
        self.given_up = _given_up(folder / TRIALS, len(self.nets))
        if self.nets:
            self.write()  # an interrupted exchange may have left its files half written
            (folder / "nets.jsonl").write_text("".join(json.dumps(asdict(net)) + "\n" for net in self.nets))

    @classmethod
    def of_folder(cls, folder: Path) -> CoTraining:
        """A run that was begun before, with the settings it was begun with."""
        try:
            kept = json.loads((folder / "run.json").read_text())
            settings = CoTrainingSettings(**kept["settings"])
        except (OSError, ValueError, KeyError, TypeError):
            raise BridgeError(f"{folder} is not a run of co-training") from None
        return cls(settings, folder)

    @cached_property
    def conflicts(self) -> list[Conflict]:
        """The ambiguous states of the random deals."""
        found = collect(self.parent, deal_masks(self.settings.deals, self.settings.seed))
        if not self.settings.opening:
            return found
        wanted = Call.parse(self.settings.opening).index
        return [one for one in found if next((call for call in one.calls if call), wanted) == wanted]

    @property
    def file(self) -> Path:
        """The refined system."""
        return self.folder / "refined.bid"

    def system(self) -> System:
        """The refined system, ready to bid."""
        return load_system(str(self.file)) if self.nets else self.parent

    def after(self, nets: int) -> str:
        """The system after the first so many nets, as bidders name it: its file is written below the run's folder."""
        if nets > len(self.nets):
            raise BridgeError(f"{self.folder} has {len(self.nets)} nets, not {nets}")
        if nets == 0:
            return self.settings.system
        return str(self._write(self.folder / f"after-{nets}", self.nets[:nets]))

    def write(self) -> None:
        """The refined system: `refined.bid` for bidders, `agreed.bid` to be read."""
        self._write(self.folder, self.nets)

    def _write(self, folder: Path, nets: list[RefinedNet]) -> Path:
        folder.mkdir(exist_ok=True)
        parent = Path(self.settings.system)
        if parent.suffix == ".bid" and parent.exists():
            _written(folder / parent.name, parent.read_text(encoding="utf-8"))
        kept = [replace(net, lines=kept_lines(net.key, net.lines, self.given_up)) for net in nets]
        _written(folder / "agreed.bid", agreed_text(kept))
        return _written(
            folder / "refined.bid",
            f'system refined "{self.parent.name}, refined by co-training"\n'
            f"include {parent.name.removesuffix('.bid')}.bid\ninclude agreed.bid\n",
        )

    def confirm(self, deals: int, *, trust: float = 1.0) -> list[Trial]:
        """Try all agreements on so many fresh deals; those that do not gain by ``trust`` errors are given up."""
        self.given_up = set()
        self.write()
        rules: set[Rule] = {(net.key, line.strip()) for net in self.nets for line in net.lines}
        found = tried(self.parent, self.system(), rules, deal_masks(deals, self.settings.seed + FRESH))
        asked = {"nets": len(self.nets), "deals": deals, "trust": trust}
        told = [asdict(one) | {"kept": one.is_confirmed(trust)} for one in found]
        _written(self.folder / TRIALS, json.dumps(asked | {"trials": told}, indent=1) + "\n")
        self.given_up = _given_up(self.folder / TRIALS, len(self.nets))
        self.write()
        return found

    def train(self, progress: Callable[[int], None] | None = None, most: int | None = None) -> None:
        """Refine nets until there are enough, or no state is left; at most so many this time."""
        conflicts = self.conflicts
        wanted = self.settings.nets if most is None else min(self.settings.nets, len(self.nets) + most)
        while len(self.nets) < wanted:
            system = self.system() if self.settings.exchange else self.parent
            first = len(self.nets)
            while len(self.nets) < min(wanted, first + self.settings.exchange_every):
                chosen = self._dearest(conflicts)
                if not chosen:
                    break
                self.nets.append(self._refined(system, chosen))
                if progress is not None:
                    progress(len(self.nets))
            if len(self.nets) == first:
                break
            self._keep(first)
        self.write()

    def _dearest(self, conflicts: list[Conflict]) -> list[Conflict]:
        """The states of the auction that would cost most to search and is not refined yet."""
        done = {net.key for net in self.nets}
        costs: dict[tuple[int, ...], float] = {}
        for one in conflicts:
            if one.key not in done:
                costs[one.key] = costs.get(one.key, 0.0) + one.cost
        if not costs:
            return []
        dearest = max(costs, key=lambda key: costs[key])
        return [one for one in conflicts if one.key == dearest][: self.settings.examples]

    def _refined(self, system: System, conflicts: list[Conflict]) -> RefinedNet:
        settings = self.settings
        is_partners = len(self.nets) % 2 == 1
        utility = settings.partner_utility if is_partners and settings.partner_utility else settings.utility
        tag = _rollouts if settings.tagger == "rollouts" else _pidm
        tags, instances = tag(system, conflicts, settings, utility)
        lines = agreed_rules(self.parent, conflicts, tags, least=settings.least, trust=settings.trust)
        return RefinedNet(conflicts[0].key, tuple(lines), len(tags), instances)

    def _keep(self, first: int) -> None:
        """Write the nets from a number on; of one whose words cannot be read back, only that it was tried."""
        fresh, self.nets = self.nets[first:], self.nets[:first]
        if not self._is_readable(fresh):
            fresh = [one if self._is_readable([one]) else replace(one, lines=()) for one in fresh]
        self.nets += fresh
        self.write()
        with (self.folder / "nets.jsonl").open("a") as file:
            file.writelines(json.dumps(asdict(net)) + "\n" for net in fresh)

    def _is_readable(self, fresh: list[RefinedNet]) -> bool:
        self._write(self.folder, self.nets + fresh)
        try:
            load_system(str(self.file))
        except BridgeError:
            return False
        return True


def agreed_text(nets: list[RefinedNet]) -> str:
    """What was agreed, as rules."""
    lines = ['title "Agreed in co-training"', ""]
    for net in nets:
        lines += [*net.lines, ""] if net.lines else []
    return "\n".join(lines)


def _written(path: Path, text: str) -> Path:
    """A file with this text; one that has it already is left alone, for a system whose files changed is read again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return path


def _pidm(
    system: System, conflicts: list[Conflict], settings: CoTrainingSettings, utility: str
) -> tuple[list[Tag], int]:
    """The calls that PIDM makes with large means, and the layouts it took."""
    tagger = PidmBidder(
        system,
        limit=Limit(instances=settings.instances),
        sample_size=settings.sample,
        utility=utility,
        net_only=True,
        margin=0.0,
        trust=0.0,
    )
    return [_tag(tagger, one, settings.seed) for one in conflicts], tagger.effort.instances


def _rollouts(
    system: System, conflicts: list[Conflict], settings: CoTrainingSettings, utility: str
) -> tuple[list[Tag], int]:
    """The calls that lead to most when both go on by the rules, and the layouts it took."""
    found = [
        tag_by_rollouts(
            system, one, sample=settings.sample, instances=settings.instances, utility=utility, seed=settings.seed
        )
        for one in conflicts
    ]
    return [Tag(one.call, one.gains) for one in found], sum(one.instances for one in found)


def _tag(tagger: PidmBidder, conflict: Conflict, seed: int) -> Tag:
    """The call that PIDM makes with large means."""
    auction = conflict.auction
    view = BiddingView(auction.turn, Hand(conflict.hand), auction, Vulnerability.NONE)
    decision = tagger.decide(view, rng=Random(f"{seed}/{conflict.hand}/{auction}"))
    value = {one.choice.index: one.value or 0.0 for one in decision.candidates}
    own = value.get(conflict.open[0], 0.0)
    return Tag(decision.choice.index, tuple(value.get(call, own) - own for call in conflict.open))


def _read(path: Path) -> list[RefinedNet]:
    """The nets of a run so far; a line cut short by a crash is left out."""
    nets = []
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            values = json.loads(line)
        except ValueError:
            continue
        nets.append(RefinedNet(tuple(values["key"]), tuple(values["lines"]), values["examples"], values["instances"]))
    return nets


def _given_up(path: Path, nets: int) -> set[Rule]:
    """The agreements that were not confirmed; none where nothing was tried yet, or nets have come since."""
    try:
        kept = json.loads(path.read_text())
        return (
            {(tuple(one["key"]), one["rule"]) for one in kept["trials"] if not one["kept"]}
            if kept["nets"] == nets
            else set()
        )
    except (OSError, ValueError, KeyError, TypeError):
        return set()
