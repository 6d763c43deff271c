"""A bidding system: its rules after all includes, replacements and switches, and its definitions."""

from __future__ import annotations

from dataclasses import dataclass, field

from borel.systems.syntax import Block, CallSpec, Definition, Element, Pattern, Rule

__all__ = ["PRIORITIES", "System"]

# words for priorities; a rule of higher priority is asked first (the else chain of the net)
PRIORITIES = {"top": 900, "high": 700, "normal": 500, "low": 300, "principle": 200, "fallback": 100, "last": 10}


@dataclass(slots=True)
class BlockRules:
    """A block with its rules, in order."""

    block: Block
    rules: list[Rule]


@dataclass(slots=True)
class System:
    """The rules of a partnership, ready to be matched against auctions."""

    name: str
    title: str
    rules: list[Rule]
    definitions: dict[str, Definition]
    switches: dict[str, tuple[bool, str]]
    files: tuple[str, ...] = ()
    by_length: dict[int, list[tuple[BlockRules, Pattern]]] = field(default_factory=dict)
    floating: list[tuple[BlockRules, Pattern | None]] = field(default_factory=list)
    openings: list[BlockRules] = field(default_factory=list)
    bands: dict[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        blocks: dict[int, BlockRules] = {}
        for rule in self.rules:
            if id(rule.block) not in blocks:
                blocks[id(rule.block)] = BlockRules(rule.block, [])
            blocks[id(rule.block)].rules.append(rule)
        for group in blocks.values():
            self._file(group)

    def _file(self, group: BlockRules) -> None:
        block = group.block
        if block.kind == "open":
            self.openings.append(group)
        elif not block.patterns:
            self.floating.append((group, None))
        for pattern in block.patterns:
            if any(element.anything for element in pattern):
                self.floating.append((group, pattern))
            else:
                self.by_length.setdefault(len(pattern), []).append((group, pattern))

    def is_on(self, convention: str) -> bool:
        """Whether a convention is played; those never mentioned are."""
        return self.switches.get(convention, (True, ""))[0]

    @property
    def blocks(self) -> list[BlockRules]:
        """Every block once, in file order."""
        seen: dict[int, BlockRules] = {}
        for rule in self.rules:
            seen.setdefault(id(rule.block), BlockRules(rule.block, [])).rules.append(rule)
        return list(seen.values())

    def __repr__(self) -> str:
        return f"<System {self.name}: {len(self.rules)} rules>"


__all__ += ["BlockRules", "CallSpec", "Element"]
