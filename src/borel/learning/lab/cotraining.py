"""Partners who train together (Amit & Markovitch 2006, section 4): from ambiguous rules to agreements.

States for which the rules leave several calls are tagged by PIDM with large means; the tagged examples of one auction
refine its decision net: the nodes that conflict are intersected, and a tree of the intersection's examples is hung
below them. The refined net goes into the system at once, so that both partners go on with it ("exchange"); without
exchange, tagging keeps to the system that training began with.

Limits are generated instances, never seconds, so that a run can be repeated; every refined net is written as it is
made, so that a run can be stopped and gone on with. The system that comes of it is a file that includes its parent
and then what was agreed: a refinement must come after the rules it refines to hang below all of them (Fig. 21).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, Call
from borel.bidding.pidm import PidmBidder
from borel.cards import Hand
from borel.deal import Vulnerability
from borel.dealing import deal_masks
from borel.decision import Limit
from borel.errors import BridgeError
from borel.learning.lab.conflicts import Conflict, collect, header_text, nodes_in_conflict, position_after
from borel.learning.lab.rollouts import UTILITIES, tag_by_rollouts
from borel.learning.lab.trees import Ranges, id3, leaves
from borel.learning.lab.wording import Wording
from borel.learning.runs import Run
from borel.systems import System, load_system
from borel.systems.constraints import Constraint, Range, all_of
from borel.systems.decision_net import Node
from borel.systems.hand import INDEX, RANGES, features_of
from borel.systems.options import Option
from borel.view import BiddingView

__all__ = ["CoTraining", "CoTrainingSettings", "RefinedNet", "agreed_text"]

# What a tree may ask of a hand: attributes of the paper's appendix A that players speak of.
ASKED = (
    *(f"length({suit})" for suit in "CDHS"),
    *("hcp", "points", "controls", "losers", "aces", "balanced"),
    *(f"hcp({suit})" for suit in "CDHS"),
    *(f"quality({suit})" for suit in "CDHS"),
)
COLUMNS = [INDEX[name] for name in ASKED]
TAGGERS = {"pidm": ("estimate", "dd", "ltc"), "rollouts": tuple(UTILITIES)}  # and what each can value contracts by


@dataclass(frozen=True, slots=True)
class CoTrainingSettings:
    """The paper's sizes (5.1), with instances for its five seconds; ``examples`` tagged for each net.

    ``tagger`` is pidm, or rollouts of the rules. Partners refine nets in turn: every second one is the co-agent's, who
    may value contracts by another ``partner_utility`` (5.4.4). Training may be restricted to deals that ``opening``
    opens (5.4 restricts the states too).
    """

    system: str = "two_over_one"
    deals: int = 2000
    nets: int = 100
    examples: int = 30
    least: int = 4  # examples of a conflict, below which nothing is concluded
    sample: int = 10
    instances: int = 6000
    utility: str = "estimate"
    partner_utility: str = ""
    tagger: str = "pidm"
    exchange: bool = True
    opening: str = ""
    seed: int = 1

    def check(self) -> None:
        """Complain of what cannot be."""
        if min(self.deals, self.nets, self.instances) < 1 or self.examples < self.least or self.sample < 2:
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

    def write(self) -> None:
        """The refined system: `refined.bid` for bidders, `agreed.bid` to be read."""
        parent = Path(self.settings.system)
        if parent.suffix == ".bid" and parent.exists():
            (self.folder / parent.name).write_text(parent.read_text(encoding="utf-8"))
        (self.folder / "agreed.bid").write_text(agreed_text(self.nets))
        self.file.write_text(
            f'system refined "{self.parent.name}, refined by co-training"\n'
            f"include {parent.name.removesuffix('.bid')}.bid\ninclude agreed.bid\n"
        )

    def train(self, progress: Callable[[int], None] | None = None, most: int | None = None) -> None:
        """Refine nets until there are enough, or no state is left; at most so many this time."""
        conflicts = self.conflicts
        wanted = self.settings.nets if most is None else min(self.settings.nets, len(self.nets) + most)
        while len(self.nets) < wanted:
            chosen = self._dearest(conflicts)
            if not chosen:
                break
            self._add(self._refined(chosen))
            if progress is not None:
                progress(len(self.nets))
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

    def _refined(self, conflicts: list[Conflict]) -> RefinedNet:
        settings = self.settings
        system = self.system() if settings.exchange else self.parent
        is_partners = len(self.nets) % 2 == 1
        utility = settings.partner_utility if is_partners and settings.partner_utility else settings.utility
        tag = _rollouts if settings.tagger == "rollouts" else _pidm
        tags, instances = tag(system, conflicts, settings, utility)
        lines = _agreed(self.parent, conflicts, tags, settings.least)
        return RefinedNet(conflicts[0].key, tuple(lines), len(tags), instances)

    def _add(self, net: RefinedNet) -> None:
        """Keep a refined net, unless its words cannot be read back: then only that it was tried."""
        self.nets.append(net)
        self.write()
        try:
            load_system(str(self.file))
        except BridgeError:
            self.nets[-1] = net = RefinedNet(net.key, (), net.examples, net.instances)
            self.write()
        with (self.folder / "nets.jsonl").open("a") as file:
            file.write(json.dumps(asdict(net)) + "\n")


def agreed_text(nets: list[RefinedNet]) -> str:
    """What was agreed, as rules."""
    lines = ['title "Agreed in co-training"', ""]
    for net in nets:
        lines += [*net.lines, ""] if net.lines else []
    return "\n".join(lines)


def _pidm(
    system: System, conflicts: list[Conflict], settings: CoTrainingSettings, utility: str
) -> tuple[list[int], int]:
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
) -> tuple[list[int], int]:
    """The calls that lead to most when both go on by the rules, and the layouts it took."""
    found = [
        tag_by_rollouts(
            system, one, sample=settings.sample, instances=settings.instances, utility=utility, seed=settings.seed
        )
        for one in conflicts
    ]
    return [one.call for one in found], sum(one.instances for one in found)


def _tag(tagger: PidmBidder, conflict: Conflict, seed: int) -> int:
    """The call that PIDM makes with large means."""
    auction = conflict.auction
    view = BiddingView(auction.turn, Hand(conflict.hand), auction, Vulnerability.NONE)
    return tagger.decide(view, rng=Random(f"{seed}/{conflict.hand}/{auction}")).choice.index


def _agreed(system: System, conflicts: list[Conflict], tags: list[int], least: int) -> list[str]:
    """The rules of one auction: a block for each priority, a tree for each set of nodes that conflict."""
    position = position_after(system, conflicts[0].calls)
    groups: dict[tuple[int, ...], tuple[list[Node[Option]], list[int]]] = {}
    for i, one in enumerate(conflicts):
        nodes = nodes_in_conflict(position, one.hand, wide=system.wide)
        groups.setdefault(tuple(sorted(map(id, nodes))), (nodes, []))[1].append(i)
    blocks: dict[int, list[str]] = {}
    wording = Wording(system)
    for nodes, members in groups.values():
        if len(members) < least:
            continue
        both = all_of([node.constraint for node in nodes])
        hands = np.array([features_of(conflicts[i].hand, wide=system.wide) for i in members])[:, COLUMNS]
        rules = _rules(both, hands.astype(np.int64), np.array([tags[i] for i in members]), wording)
        wanted = " or ".join(dict.fromkeys(str(ALL_CALLS[call]) for i in members for call in conflicts[i].open))
        blocks.setdefault(nodes[0].priority, []).extend([f"  # {wanted}?", *rules])
    lines: list[str] = []
    for priority, rules in blocks.items():
        lines += [header_text(conflicts[0].key, priority), *rules]
    return lines


def _rules(both: Constraint, hands: NDArray[np.int64], tags: NDArray[np.int64], wording: Wording) -> list[str]:
    """The intersection of the nodes that conflict, divided by a tree where the tags differ."""
    every: Ranges = {i: (int(RANGES[column][0]), int(RANGES[column][1])) for i, column in enumerate(COLUMNS)}
    lines = []
    for ranges, leaf in leaves(id3(hands, tags), every):
        parts: list[Constraint] = [
            Range(((COLUMNS[i], 1.0),), *map(float, limits)) for i, limits in ranges.items() if limits != every[i]
        ]
        call = "pass" if leaf.action == 0 else str(ALL_CALLS[leaf.action])
        words = wording.text(all_of([both, *parts]))
        lines.append(f'  {call:<5} {words}  "agreed in co-training, {leaf.weight:.0f} examples"')
    return lines


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
