"""How long a bot takes: as long as its strength says, whatever it holds and however soon it has thought.

A bot that answers at once with a singleton and slowly with a choice would tell its cards (Law 73D); and in a blind
trial partner's time would tell which bot it is. So an answer waits until the tempo is over. What everybody can see to
need no thought, dummy's only card and the last trick, is not waited for.
"""

from __future__ import annotations

from borel.arena.board_in_play import BoardInPlay
from borel.web.state import TableState

__all__ = ["tempo"]


def tempo(state: TableState, load: float) -> float:
    """Seconds from the beginning of a bot's turn to its call or card: a function of what everybody here knows."""
    game = state.playing()
    if _plays_itself(game):
        return 0.0
    bots = [bot for bots in state.all_bots for bot in bots]
    return max(bot.hurried(load).tempo[0 if game.play is None else 1] for bot in bots)


def _plays_itself(game: BoardInPlay) -> bool:
    """Whether everybody sees that there is nothing to choose."""
    play = game.play
    if play is None or not play.cards:
        return False
    return len(play.cards) >= 48 or (play.turn is play.contract.dummy and len(play.legal_cards()) == 1)
