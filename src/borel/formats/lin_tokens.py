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
    name, field_text, start, is_lost = "", "", 1, False
    is_value = False
    for text in lines:
        if lines.too_long:
            yield lines.length_error()
            field_text, is_value, is_lost = "", False, True
            continue
        if is_lost or (is_value and field_text.strip()) or (is_value and _BOARD_START.match(text)):
            if _BOARD_START.match(text):
                if not is_lost:
                    yield RecordError(f"the value of {name[:20]!r} is not closed", line=start)
                field_text, is_value, is_lost = "", False, False
            elif is_lost:
                continue
        fields = text.split("|")
        for position, piece in enumerate(fields):
            field_text = f"{field_text}\n{piece}" if field_text and not position else field_text + piece
            if len(field_text) > MAX_RECORD_TEXT:
                yield RecordError(f"a value of more than {MAX_RECORD_TEXT:,} characters", line=start)
                field_text, is_value, is_lost = "", False, True
                break
            if position == len(fields) - 1:
                break  # goes on in the next line
            if is_value:
                yield Command(name, field_text.strip(), start)
            else:
                name, start = field_text.strip().lower(), lines.number
                if name and not _NAME.fullmatch(name):
                    yield RecordError(f"not a command: {name[:40]!r}", line=start)
                    field_text, is_lost = "", True
                    break
            field_text, is_value = "", not is_value
    if field_text.strip() and not is_lost:
        yield RecordError("the text ends inside a command", line=lines.number)


def is_header(name: str) -> bool:
    """Whether a command concerns the whole file."""
    return name in _HEADER
