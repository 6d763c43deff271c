"""Reading PBN games one after another: what a game leaves out, it has from the game before."""

from __future__ import annotations

from borel.errors import RecordError
from borel.formats.pbn_build import build
from borel.formats.pbn_games import Game
from borel.formats.report import Report
from borel.record import Record

__all__ = ["PbnReader"]

# Tags that are inherited when absent, by what they describe. Others (results, scores, annotators) are not.
_EVENT_TAGS = ("Event", "Site", "Date", "Scoring", "Competition", "EventDate", "EventSponsor")
_MATCH_TAGS = ("Stage", "Round", "Session", "HomeTeam", "VisitTeam")
_BOARD_TAGS = ("Board", "Dealer", "Vulnerable", "Deal")
_TABLE_TAGS = ("North", "East", "South", "West")


class PbnReader:
    """Reads games one after another, remembering what the next one may inherit."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.previous: dict[str, str] = {}
        self.sticky: dict[str, str] = {}
        self.tables: list[dict[str, str]] = []  # the players of this board's tables so far
        self.tables_before: list[dict[str, str]] = []  # and of the board before

    def read(self, game: Game) -> Record:
        """The record of a game, or a BridgeError with its line."""
        values, lines = self._resolve(game)  # also when the game is bad: the next one may inherit from it
        if game.error is not None:
            raise game.error
        return build(game, values, lines, self.report)

    def _resolve(self, game: Game) -> tuple[dict[str, str], dict[str, int]]:
        """The value of every tag, inherited ones included, and the line of each tag that is given."""
        values: dict[str, str] = {}
        lines: dict[str, int] = {}
        for entry in game.entries[1:]:
            name = entry.name
            if name == "Note":
                continue
            if entry.sticky:
                self.sticky[name] = entry.value
            value = self.previous.get(name, "") if entry.inherits else entry.value
            if name in values and values[name] != value and game.error is None:
                game.error = RecordError(f"tag {name} twice", line=entry.line)
            values[name], lines[name] = value, entry.line
        self._inherit(values)
        self.previous = values
        return values, lines

    def _inherit(self, values: dict[str, str]) -> None:
        """Fill in absent tags from the game before, as real files mean them.

        A tag is not inherited past a change of what it depends on: the deal not when another board is named, the
        teams not when another event is. Players are those of the same table on the board before: a file with two
        tables a board names both line-ups on the first board only.
        """
        previous, given = self.previous, len(values)
        same_event = all(values.get(name, old) == old for name, old in _known(previous, ("Event",)))
        same_match = same_event and all(values.get(name, old) == old for name, old in _known(previous, _MATCH_TAGS))
        same_board = same_match and all(values.get(name, old) == old for name, old in _known(previous, _BOARD_TAGS))
        self._next_table(same_match=same_match, same_board=same_board)
        inheritable = (*_EVENT_TAGS[:4], *_BOARD_TAGS, *_TABLE_TAGS)
        if any(name not in values and previous.get(name) for name in inheritable):
            for names, same in ((_EVENT_TAGS, same_event), (_MATCH_TAGS, same_match), (_BOARD_TAGS, same_board)):
                if same:
                    values |= {name: previous[name] for name in names if name not in values and previous.get(name)}
        players = self._players_here()
        values |= {name: players[name] for name in _TABLE_TAGS if name not in values and players.get(name)}
        self.tables.append({name: values.get(name, "") for name in _TABLE_TAGS})
        values |= {name: value for name, value in self.sticky.items() if name not in values}
        if len(values) > given:
            self.report.repair("tags inherited", len(values) - given)

    def _next_table(self, *, same_match: bool, same_board: bool) -> None:
        if not same_match:
            self.tables, self.tables_before = [], []
        elif not same_board:
            self.tables, self.tables_before = [], self.tables
        del self.tables[1000:]  # a file without board numbers must not grow a list for ever

    def _players_here(self) -> dict[str, str]:
        table = len(self.tables)
        if table < len(self.tables_before):
            return self.tables_before[table]
        return self.tables[-1] if self.tables else {}


def _known(values: dict[str, str], names: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(name, values[name]) for name in names if values.get(name)]
