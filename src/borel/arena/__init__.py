"""The arena: tables, matches and what they show, with error bars."""

from borel.arena.match import BoardScore, Match, MatchResult, Played
from borel.arena.room import BotError, Contestant
from borel.arena.statistics import Estimate, Sequence
from borel.arena.table import BoardResult, Table

__all__ = [
    "BoardResult", "BoardScore", "BotError", "Contestant", "Estimate", "Match", "MatchResult", "Played", "Sequence",
    "Table",
]  # fmt: skip
