"""Splitting PBN text into games and their entries, one pass over the lines (PBN 2.1 §3: import format)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from borel.errors import RecordError
from borel.formats.report import MAX_RECORD_LINES, MAX_RECORD_TEXT, Lines, Report, clean

__all__ = ["Entry", "Game", "games"]

# Possessive, so that a long text without its closing quote costs neither time nor memory.
_TAG = re.compile(r'\s*+\[\s*+([A-Za-z]\w*+)\s++"((?:[^"\\]++|\\.)*+)"\s*+\]')
_LENIENT_TAG = re.compile(r'\s*\[\s*([A-Za-z]\w*)\s+"(.*)"\s*\]\s*$')
_TAG_INSIDE = re.compile(r'"\s*\]|\[\s*\w+\s*"')  # then the quotes are not merely forgotten to be escaped
_ESCAPE = re.compile(r'\\(["\\#])')
_SECTIONS = frozenset({"Auction", "Play", "Note"})
_OPENING = frozenset({"Event", "Board"})  # tags that begin a game: a second one shows that an empty line is missing


@dataclass(slots=True)
class Entry:
    """A tag pair with the text that follows it; ``content[i]`` is what stands on line ``line + i``."""

    name: str
    value: str
    line: int
    content: list[str] = field(default_factory=list)
    inherits: bool = False  # the value was "#": that of the previous game (PBN 2.1 §3.4.1)
    sticky: bool = False  # the value began with "##": that of this and of all following games

    @property
    def text(self) -> str:
        """The text that follows the tag pair."""
        return "\n".join(self.content)


@dataclass(slots=True)
class Game:
    """The entries of one game; the first has no name and holds the comments before the first tag."""

    line: int
    entries: list[Entry]
    error: RecordError | None = None
    names: set[str] = field(default_factory=set)
    size: int = 0

    def has_tags(self) -> bool:
        """Whether any tag was read."""
        return len(self.entries) > 1


def games(lines: Lines, report: Report) -> Iterator[Game]:
    """Each game of a PBN text. Empty lines separate games; those in comments and before a section do not."""
    splitter = _Splitter(lines, report)
    for text in lines:
        if (done := splitter.take(text)) is not None:
            yield done
    if (last := splitter.finish()) is not None:
        yield last


class _Splitter:
    """Takes lines one by one and gives a game back when the next one begins."""

    def __init__(self, lines: Lines, report: Report) -> None:
        self.lines, self.report = lines, report
        self.game = _new_game(1)
        self.in_comment = False
        self.after_blank = False

    def take(self, text: str) -> Game | None:
        """Add a line; the game it ends, if it begins another."""
        done = None
        stripped = text.lstrip()
        if self.in_comment:
            if not (self.after_blank and _TAG.match(text)):
                self.after_blank = not stripped
                self.add(text)
                self.in_comment = still_open(text, inside=True, anywhere=self.among_calls())
                return None
            self.fail("a comment is not closed")
            self.in_comment = False
        if not stripped or text[0] == "%":  # PBN 2.1 §2.5: a percent sign in the first column escapes the line
            self.after_blank = self.after_blank or not stripped
            self.add("")
            return None
        is_tag = stripped[0] == "["
        if self.after_blank:
            self.after_blank = False
            done = self.begins_another(stripped, is_tag=is_tag)
        if is_tag:
            return self.add_tags(text) or done
        self.add(text)
        self.in_comment = "{" in text and still_open(text, inside=False, anywhere=self.among_calls())
        return done

    def begins_another(self, stripped: str, *, is_tag: bool) -> Game | None:
        """After an empty line: the game before it, unless the line can only continue that one."""
        game = self.game
        if not game.has_tags() and game.error is None:  # comments before the first tag
            return None
        match = _TAG.match(stripped) if is_tag else None
        name = match[1] if match else ""
        continues = (
            name in _SECTIONS and (name == "Note" or name not in game.names) if is_tag else stripped[0] not in "{;"
        )
        if continues:
            self.report.repair("empty lines inside a game")
            return None
        self.game = _new_game(self.lines.number)
        return game

    def add_tags(self, text: str) -> Game | None:
        """Read the tag pairs of a line; the game before it, if an empty line between the games is missing."""
        done, position = None, 0
        while match := _TAG.match(text, position):
            name, position = match[1], match.end()
            if name in _OPENING and name in self.game.names and not self.is_repeated(match):
                self.report.repair("empty lines missing between games")
                done, self.game = self.game, _new_game(self.lines.number)
            self.add_entry(name, match[2])
        rest = text[position:]
        if not rest.lstrip().startswith("["):
            self.add_rest(rest)
        elif (lenient := _LENIENT_TAG.match(rest)) and not _TAG_INSIDE.search(lenient[2]):
            self.report.repair("quotes inside a tag")
            self.add_entry(lenient[1], lenient[2].replace("\\", "\\\\"))
        else:
            self.fail(f"not a tag pair: {rest.strip()[:80]!r}")
        return done

    def among_calls(self) -> bool:
        """Whether the text now being read is that of an auction or a play."""
        return self.game.entries[-1].name in ("Auction", "Play")

    def is_repeated(self, match: re.Match[str]) -> bool:
        """Whether the same tag pair is merely given twice."""
        value = _ESCAPE.sub(r"\1", match[2])
        return any(entry.name == match[1] and entry.value == value for entry in self.game.entries)

    def add_entry(self, name: str, raw: str) -> None:
        inherits, sticky = raw in ("#", "##"), len(raw) > 2 and raw.startswith("##")
        value = _ESCAPE.sub(r"\1", raw[2:] if sticky else raw) if "\\" in raw or sticky else raw
        self.game.entries.append(Entry(name, clean(value), self.lines.number, [], inherits, sticky))
        self.game.names.add(name)
        self.measure(raw)

    def add_rest(self, rest: str) -> None:
        """What follows the last tag pair on its line."""
        self.game.entries[-1].content.append(rest)
        self.in_comment = "{" in rest and still_open(rest, inside=False, anywhere=self.among_calls())

    def add(self, text: str) -> None:
        game = self.game
        if not game.has_tags() and not game.size:
            game.line = game.entries[0].line = self.lines.number + (not text)
        if text or game.size:
            self.measure(text)
            if game.error is None:
                game.entries[-1].content.append(text)

    def measure(self, text: str) -> None:
        """Keep the game within the limits; what is beyond them is not stored."""
        game = self.game
        game.size += len(text) + 1
        if self.lines.too_long:
            game.error = game.error or self.lines.length_error()
        if game.size > MAX_RECORD_TEXT or self.lines.number - game.line > MAX_RECORD_LINES:
            limit = f"{MAX_RECORD_LINES:,} lines or {MAX_RECORD_TEXT:,} characters"
            self.fail(f"a game of more than {limit}")
            game.entries, game.names = game.entries[:2], set()

    def fail(self, what: str) -> None:
        if self.game.error is None:
            too_long = self.lines.too_long  # then whatever else is wrong comes of the cut
            self.game.error = self.lines.length_error() if too_long else RecordError(what, line=self.lines.number)

    def finish(self) -> Game | None:
        """The last game, once the text has ended."""
        if self.in_comment:
            self.fail("the text ends inside a comment")
        if self.game.has_tags() or self.game.error is not None:
            return self.game
        comments, others = split_comments(self.game.entries[0].text)
        if others:
            self.fail("text without any tag pair")
            return self.game
        if comments:
            self.report.loss("comments outside any game", len(comments))
        return None


def _new_game(line: int) -> Game:
    return Game(line, [Entry("", "", line)])


def still_open(text: str, *, inside: bool, anywhere: bool) -> bool:
    """Whether a brace comment is open at the end of a line (PBN 2.1 §2.6).

    Comments stand ``anywhere`` among calls and cards; after other tags only where a line begins, for the lines of a
    table may have braces of their own.
    """
    position = 0
    while True:
        if inside:
            position = text.find("}", position) + 1
            if not position:
                return True
        if anywhere:
            opening, rest_of_line = text.find("{", position), text.find(";", position)
            if opening < 0 or 0 <= rest_of_line < opening:
                return False
        else:
            opening = len(text) - len(text[position:].lstrip())
            if text[opening : opening + 1] != "{":
                return False
        inside, position = True, opening + 1


def split_comments(text: str) -> tuple[list[str], list[str]]:
    """The comments in the text after a tag, and its other lines."""
    comments: list[str] = []
    lines: list[str] = []
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        end = text.find("}" if text[position] == "{" else "\n", position)
        end = len(text) if end < 0 else end
        if text[position] in "{;":
            comments.append(text[position + 1 : end].strip())
        else:
            lines.append(clean(text[position:end].strip()))
        position = end + 1
    return [comment for comment in comments if comment], lines
