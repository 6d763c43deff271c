"""Reading system files: each line is parsed by the grammar; indentation says what belongs to what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken, VisitError

from borel.systems.builder import Builder, Clause
from borel.systems.errors import Place, SystemFileError, suggestion
from borel.systems.syntax import AllOf, Block, Definition, Expr, Rule

__all__ = ["SystemFile", "parse_condition", "parse_system"]

KEYWORDS = tuple(
    re.findall(
        r"\S+",
        """system include convention let drop title open after whenever never replace otherwise forcing game-forcing
        non-forcing invitational sign-off asks alert announce using playing agrees priority seats when unless for
        through named shows pass cheapest jump game slam each any unbid major minor theirs ours not and or balanced hcp
        points""",
    )
)


@dataclass(slots=True)
class SystemFile:
    """The contents of one file, in its order: includes, switches, definitions, drops and rules."""

    name: str
    system: str = ""
    title: str = ""
    includes: list[tuple[str, Place]] = field(default_factory=list)
    included: list[str] = field(default_factory=list)  # their names, once found
    switches: dict[str, tuple[bool, str]] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    dropped: list[tuple[str, Place]] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    text: str = ""


_LOCK = Lock()


@cache
def _lark() -> tuple[Lark, Builder]:
    """The parser, and the builder that makes our objects while it parses."""
    grammar = files("borel.systems").joinpath("grammar.lark").read_text(encoding="utf-8")
    builder = Builder(Place("", 1), "")
    parser = Lark(grammar, start=["line", "rule"], parser="lalr", maybe_placeholders=False, transformer=builder)
    return parser, builder


def parse_system(text: str, name: str) -> SystemFile:
    """Read the text of a system file; ``name`` is for error messages."""
    result = SystemFile(name, text=text)
    block: Block | None = None
    section = ""
    for line, column, content in _logical_lines(text, name):
        place = Place(name, line, column)
        if column == 1:
            item = _parse(content, "line", place)
            if isinstance(item, Block):
                block = item
                block.section = section
            elif item.kind == "title":
                section = str(item.value)
            else:
                _direct(result, item, place)
                block = None if item.kind != "let" else block
        elif block is None:
            raise SystemFileError("an indented rule needs a header above it (open, after …, whenever …)", place)
        else:
            rule = _parse(content, "rule", place)
            rule.block = block
            if block.kind == "never":
                rule.prefix = "never"
            rule.order = len(result.rules)
            result.rules.append(rule)
    return result


def parse_condition(text: str) -> Expr:
    """Read a condition by itself, such as ``15-17 hcp, balanced``."""
    rule = _parse("P " + text, "rule", Place("condition", 1, 1))
    return AllOf(tuple(rule.conditions))


def _direct(result: SystemFile, item: Clause, place: Place) -> None:
    match item.kind:
        case "system":
            assert isinstance(item.value, tuple)
            result.system, result.title = item.value
        case "include":
            result.includes.append((str(item.value), place))
        case "switch":
            assert isinstance(item.value, tuple)
            result.switches[item.value[0]] = item.value[1:]
        case "let":
            assert isinstance(item.value, Definition)
            result.definitions[item.value.name] = item.value
        case "drop_named":
            result.dropped.append((str(item.value), place))


def _parse(content: str, start: str, place: Place) -> Any:
    parser, builder = _lark()
    try:
        with _LOCK:  # there is one builder, and it knows one place at a time
            builder.place, builder.text = place, content
            return parser.parse(content, start=start)
    except UnexpectedInput as error:
        raise _explain(error, content, place) from None
    except VisitError as error:
        if isinstance(error.orig_exc, SystemFileError):
            raise error.orig_exc from None
        raise


def _explain(error: UnexpectedInput, content: str, place: Place) -> SystemFileError:
    """A syntax error in a player's words."""
    if isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        return SystemFileError("the line ends too early", Place(place.file, place.line, place.column + len(content)))
    offset = max(0, (error.column or 1) - 1) if isinstance(error, UnexpectedCharacters | UnexpectedToken) else 0
    found = re.match(r"[\w.-]+|\S", content[offset:])
    word = found.group() if found else content[offset : offset + 1]
    where = Place(place.file, place.line, place.column + offset)
    hint = suggestion(word, KEYWORDS)
    return SystemFileError(f"{word!r} is not understood here", where, hint=hint if hint != word else "")


def _logical_lines(text: str, name: str) -> Iterator[tuple[int, int, str]]:
    """Lines without comments; a line indented deeper than the first rule of its block continues the line above."""
    pending: tuple[int, int, str] | None = None
    indent = 0
    for number, raw in enumerate(text.splitlines(), 1):
        if "\t" in raw[: len(raw) - len(raw.lstrip())]:
            raise SystemFileError("indent with spaces, not tabs", Place(name, number, 1))
        line = _without_comment(raw).rstrip()
        if not line.strip():
            continue
        column = len(line) - len(line.lstrip()) + 1
        if pending and ((column > 1 and indent and column > indent) or (column > 1 and line.lstrip().startswith("| "))):
            pending = (pending[0], pending[1], pending[2] + " " + line.strip().removeprefix("| "))
            continue
        if pending:
            yield pending
        indent = 0 if column == 1 else (indent or column)
        pending = (number, column, line.strip())
    if pending:
        yield pending


def _without_comment(line: str) -> str:
    quoted = False
    for i, letter in enumerate(line):
        if letter == '"':
            quoted = not quoted
        elif letter == "#" and not quoted:
            return line[:i]
    return line
