"""A bidding system: its rules after all includes, replacements and switches, and its definitions."""

from __future__ import annotations

from dataclasses import dataclass, field

from borel.systems.readings import Memo
from borel.systems.recall import Recall
from borel.systems.remembered import Remembered
from borel.systems.syntax import Block, Definition, Pattern, Rule

__all__ = [
    "FALLBACK",
    "LAST_LOOK",
    "PRIORITIES",
    "RELIED_ON",
    "SPECIFIC",
    "BlockRules",
    "Index",
    "System",
    "priority_of",
]

# words for priorities; a rule of higher priority is asked first (the else chain of the net)
PRIORITIES = {"top": 900, "high": 700, "normal": 500, "low": 300, "principle": 200, "fallback": 100, "last": 10}


@dataclass(slots=True)
class BlockRules:
    """A block with its rules, in order."""

    block: Block
    rules: list[Rule]


SPECIFIC = 450  # agreements have this priority or more; below it are loose agreements, principles, fallbacks
MOST_AUCTIONS = 20_000  # whose matching blocks are remembered
FALLBACK = 150  # below this a rule is only for hands that no other takes
LAST_LOOK = "last_look"  # the switch of `last_look.py`, to which no call belongs
RELIED_ON = 430  # principles of this priority or more are read as agreements are: partner relies on them


def priority_of(rule: Rule) -> int:
    """A rule's priority: its own, its block's, or normal; ``otherwise`` comes just after the block's other rules."""
    priority = rule.clauses.get("priority", rule.block.clauses.get("priority", PRIORITIES["normal"]))
    assert isinstance(priority, int)
    return priority - 1 if rule.otherwise else priority


@dataclass(slots=True)
class Index:
    """Blocks filed by the auctions they can match: by the number of calls from the opening bid, or anywhere."""

    by_length: dict[int, list[tuple[BlockRules, Pattern]]] = field(default_factory=dict)
    floating: list[tuple[BlockRules, Pattern | None]] = field(default_factory=list)
    openings: list[BlockRules] = field(default_factory=list)
    matched: Remembered[tuple[int, ...], list[tuple[BlockRules, dict[str, int]]]] = field(
        default_factory=lambda: Remembered(MOST_AUCTIONS)
    )

    @classmethod
    def of(cls, rules: list[Rule]) -> Index:
        """File the blocks of these rules."""
        index = cls()
        for group in _grouped(rules):
            block = group.block
            if block.kind == "open":
                index.openings.append(group)
            elif not block.patterns:
                index.floating.append((group, None))
            for pattern in block.patterns:
                if any(element.anything for element in pattern):
                    index.floating.append((group, pattern))
                else:
                    index.by_length.setdefault(len(pattern), []).append((group, pattern))
        return index


def _grouped(rules: list[Rule]) -> list[BlockRules]:
    groups: dict[int, BlockRules] = {}
    for rule in rules:
        groups.setdefault(id(rule.block), BlockRules(rule.block, [])).rules.append(rule)
    return list(groups.values())


@dataclass(slots=True)
class System:
    """The rules of a partnership, ready to be matched against auctions."""

    name: str
    title: str
    rules: list[Rule]
    definitions: dict[str, Definition]
    switches: dict[str, tuple[bool, str]]
    files: tuple[str, ...] = ()
    wide: bool = False  # its rules use words that only the registry of features has
    fingerprint: str = ""  # of the text of all its files: another one is another system
    specific: Index = field(init=False)
    general: Index = field(init=False)
    negative: Index = field(init=False)
    memo: Memo = field(init=False, repr=False, compare=False)
    recall: Recall = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.memo, self.recall = Memo(self.definitions), Recall()
        positive = [rule for rule in self.rules if rule.prefix != "never"]
        self.specific = Index.of([rule for rule in positive if priority_of(rule) >= RELIED_ON])
        self.general = Index.of([rule for rule in positive if priority_of(rule) < RELIED_ON])
        self.negative = Index.of([rule for rule in self.rules if rule.prefix == "never"])

    @property
    def looks_last(self) -> bool:
        """Whether a last look is taken before a call that may end the auction: only where the system says so."""
        return self.switches.get(LAST_LOOK, (False, ""))[0]

    def is_on(self, convention: str) -> bool:
        """Whether a convention is played; those never mentioned are."""
        return self.switches.get(convention, (True, ""))[0]

    @property
    def blocks(self) -> list[BlockRules]:
        """Every block once, in file order."""
        return _grouped(self.rules)

    def __repr__(self) -> str:
        return f"<System {self.name}: {len(self.rules)} rules>"
