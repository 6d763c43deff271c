"""Double dummy: what every contract and every card is worth when all four hands are seen.

A value of a *position* (`solve`, `card_values`, `lead_values`) counts the tricks that the side of the seat on turn
still takes, the trick in progress included, so ``solve(p) == max(card_values(p).values())``. A value of a *contract*
(`table`, `tables`, `play_trace`, `par`) counts declarer's tricks in all.

One position or deal at a time for people; arrays of many for programs, spread over all cores with the GIL released.
Every long call takes ``seconds`` and ``progress`` and stops at Ctrl-C; a `DeadlineError` or an `InterruptedBatch`
carries what was done.
"""

from borel.dd.batch import DeadlineError, InterruptedBatch, Progress
from borel.dd.positions import Hands, Position, Positions, hands_array
from borel.dd.solving import Table, card_values, lead_values, par, solve, table, tables
from borel.dd.trace import PlayedCard, Trace, play_trace

__all__ = [
    "DeadlineError",
    "Hands",
    "InterruptedBatch",
    "PlayedCard",
    "Position",
    "Positions",
    "Progress",
    "Table",
    "Trace",
    "card_values",
    "hands_array",
    "lead_values",
    "par",
    "play_trace",
    "solve",
    "table",
    "tables",
]
