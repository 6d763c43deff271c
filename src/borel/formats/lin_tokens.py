"""Splitting LIN text into commands, and commands into boards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from borel.errors import RecordError
from borel.formats.report import MAX_RECORD_LINES, MAX_RECORD_TEXT, Lines

__all__ = ["Block", "Command", "blocks"]

_BOARD_START = re.compile(r"\s*(?:qx|pn|vg|md)\|", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9]{1,4}")
_HEADER = frozenset({"vg", "rs", "mp", "bn", "bt", "pw"})  # about the whole file, not about a board


@dataclass(frozen=True, slots=True)
class Command:
    """``name|value|`` and the line where it begins."""

    name: str
    value: str
    line: int


@dataclass(slots=True)
class Block:
    """The commands of one board, or those between boards that concern the whole file."""

    line: int
    commands: list[Command] = field(default_factory=list)
    error: RecordError | None = None
    size: int = 0

    def has(self, *names: str) -> bool:
        """Whether any of these commands is there."""
        return any(command.name in names for command in self.commands)


def blocks(lines: Lines) -> Iterator[Block]:
    """Each board of a LIN text. A board begins with ``qx``; without that, with ``md`` or ``pn`` after a board."""
    block = Block(1)
    for command in _commands(lines):
        starts = not isinstance(command, RecordError) and _starts_board(command.name, block)
        if starts and (block.commands or block.error):
            yield block
            block = Block(command.line or 1)
        if isinstance(command, RecordError):
            block.error = block.error or command
            continue
        if not block.commands:
            block.line = command.line
        _add(block, command)
    if block.commands or block.error:
        yield block


def _starts_board(name: str, block: Block) -> bool:
    if name == "qx":
        return True
    if name in ("pn", "vg"):
        return block.has("md", "mb", "pc")
    return name == "md" and block.has("md", "mb", "pc")


def _add(block: Block, command: Command) -> None:
    """Keep the block within the limits; what is beyond them is not stored."""
    block.size += len(command.value) + len(command.name)
    if block.size > MAX_RECORD_TEXT or len(block.commands) >= MAX_RECORD_LINES:
        limit = f"{MAX_RECORD_LINES:,} commands or {MAX_RECORD_TEXT:,} characters"
        block.error = block.error or RecordError(f"a board of more than {limit}", line=command.line)
        block.commands = block.commands[:8]
    else:
        block.commands.append(command)


def _commands(lines: Lines) -> Iterator[Command | RecordError]:
    """The commands of a text; an error where one is broken off, after which reading goes on at the next board."""
    state = _State()
    for text in lines:
        if lines.too_long:
            yield lines.length_error()
            state.lose()
            continue
        if state.is_lost or state.is_value:
            starts = _BOARD_START.match(text)
            if starts and not state.is_lost:
                yield RecordError(f"the value of {state.name[:20]!r} is not closed", line=state.line)
            if starts:
                state = _State()
            elif state.is_lost:
                continue
        yield from _split(text, state, lines.number)
    if state.text().strip() and not state.is_lost:
        yield RecordError("the text ends inside a command", line=lines.number)


@dataclass(slots=True)
class _State:
    """Where the reader is: in a name or in a value, and what of it has been read."""

    name: str = ""
    line: int = 1
    pieces: list[str] = field(default_factory=list)
    size: int = 0
    is_value: bool = False
    is_lost: bool = False  # after an error, until the next board

    def lose(self) -> None:
        self.pieces, self.size, self.is_value, self.is_lost = [], 0, False, True

    def text(self) -> str:
        return "\n".join(self.pieces)

    def next_field(self) -> None:
        self.pieces, self.size, self.is_value = [], 0, not self.is_value


def _split(text: str, state: _State, line: int) -> Iterator[Command | RecordError]:
    """The commands that end in a line; what is left goes on in the next."""
    *fields, rest = text.split("|")
    for piece in fields:
        state.pieces.append(piece)
        value = state.text().strip()
        if state.is_value:
            yield Command(state.name, value, state.line)
        elif value and not _NAME.fullmatch(value):
            yield RecordError(f"not a command: {value[:40]!r}", line=line)
            state.lose()
            return
        else:
            state.name, state.line = value.lower(), line
        state.next_field()
    if rest or state.pieces:
        state.pieces.append(rest)
        state.size += len(rest)
    if state.size > MAX_RECORD_TEXT or len(state.pieces) > MAX_RECORD_LINES:
        limit = f"{MAX_RECORD_LINES:,} lines or {MAX_RECORD_TEXT:,} characters"
        yield RecordError(f"a value of more than {limit}", line=state.line)
        state.lose()


def is_header(name: str) -> bool:
    """Whether a command concerns the whole file."""
    return name in _HEADER
