"""What the parser makes of a system file: blocks with patterns, rules with conditions, nothing evaluated yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from borel.systems.errors import Place

__all__ = [
    "AllOf",
    "AnyOf",
    "Band",
    "Block",
    "CallSpec",
    "Combine",
    "Compare",
    "Definition",
    "Element",
    "Expr",
    "Function",
    "Member",
    "NamedBand",
    "Not",
    "Number",
    "Other",
    "Pattern",
    "Quantified",
    "Rule",
    "SuitRef",
    "Term",
    "Truth",
    "Within",
    "Words",
]


@dataclass(frozen=True, slots=True)
class Number:
    """A number, such as 4 or 1.5."""

    value: float


@dataclass(frozen=True, slots=True)
class SuitRef:
    """A suit by letter (C D H S) or a suit variable (M m X Y Z F …)."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Other:
    """``other(M)``: the other suit of the same rank."""

    suit: SuitRef | Other
    place: Place


@dataclass(frozen=True, slots=True)
class Words:
    """A set of suits in words: ``unbid majors``, ``theirs``, ``H S``."""

    parts: tuple[str | SuitRef | Other, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Quantified:
    """``each unbid major`` or ``any minor``."""

    every: bool
    suits: Words


@dataclass(frozen=True, slots=True)
class Function:
    """A feature or a fact by name, perhaps of something: ``hcp``, ``quality(X)``, ``partner.min(F)``."""

    name: str
    arguments: tuple[Term, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Combine:
    """A sum or difference: the left term and ``sign`` times the right one."""

    left: Term
    sign: int
    right: Term


Term = Number | SuitRef | Other | Words | Quantified | Function | Combine


@dataclass(frozen=True, slots=True)
class Band:
    """A range of numbers, both ends included."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class NamedBand:
    """A range that a ``let`` names."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Within:
    """A measure in a range: ``15-17 hcp``, ``5+ M``."""

    band: Band | NamedBand
    measure: Term


@dataclass(frozen=True, slots=True)
class Compare:
    """Two sums compared: ``S >= H``, ``points + partner.min >= 25``."""

    left: Term
    sign: str
    right: Term


@dataclass(frozen=True, slots=True)
class Member:
    """A suit among others: ``F in H S``."""

    suit: Term
    suits: Words


@dataclass(frozen=True, slots=True)
class Truth:
    """A feature or fact that must be so: ``balanced``, ``fit(F)``."""

    term: Term


@dataclass(frozen=True, slots=True)
class Not:
    """A condition denied."""

    part: Expr


@dataclass(frozen=True, slots=True)
class AllOf:
    """Conditions that must all hold."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Conditions of which one must hold."""

    parts: tuple[Expr, ...]


Expr = Within | Compare | Member | Truth | Not | AllOf | AnyOf


@dataclass(frozen=True, slots=True)
class CallSpec:
    """A call or a family of calls: ``1NT``, ``2X``, ``3-4M``, ``cheapest Y``, ``*``, ``X``.

    ``kind`` is bid, pass, double, redouble, any, anybid or one of cheapest, jump, double jump, game, slam, grand. A
    level variable (``n``) is in ``level_variable`` with ``plus`` added; ``strain`` is a letter, ``NT`` or ``*``.
    """

    kind: str
    strain: str = ""
    low: int = 1
    high: int = 7
    level_variable: str = ""
    plus: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Element:
    """One place of an auction pattern: whose call, and what it may be; ``anything`` stands for any number of calls."""

    ours: bool
    calls: tuple[CallSpec, ...] = ()
    anything: bool = False


Pattern = tuple[Element, ...]


@dataclass(slots=True)
class Block:
    """A header with the auctions it is about and the conditions that all its rules share."""

    kind: str  # open, after, whenever, never
    text: str
    place: Place
    section: str = ""
    patterns: tuple[Pattern, ...] = ()
    conditions: list[Expr] = field(default_factory=list)
    clauses: dict[str, object] = field(default_factory=dict)
    domains: dict[str, Words] = field(default_factory=dict)
    variables: frozenset[str] | None = None  # those the conditions mention, once known


@dataclass(slots=True)
class Rule:
    """One line under a header: calls, the hands that make them, and what is said about them."""

    block: Block
    prefix: str  # "", never, replace, drop
    calls: tuple[CallSpec, ...]
    text: str
    place: Place
    conditions: list[Expr] = field(default_factory=list)
    meaning: str = ""
    otherwise: bool = False
    clauses: dict[str, object] = field(default_factory=dict)
    domains: dict[str, Words] = field(default_factory=dict)
    order: int = 0
    variables: frozenset[str] | None = None
    source: str = ""  # the line as written

    @property
    def name(self) -> str:
        """The rule's name: its own, or its block and call, such as ``after 1NT / 2C``."""
        named = self.clauses.get("named")
        return str(named) if named else f"{self.block.text} / {self.text}"


@dataclass(frozen=True, slots=True)
class Definition:
    """A ``let``: a range, or a condition with suit parameters."""

    name: str
    parameters: tuple[str, ...]
    body: Band | NamedBand | Expr
    place: Place
