"""Advice to the person whose turn it is, and the finished board as a record."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from borel.arena.board_in_play import BoardInPlay
from borel.auction import Call
from borel.cards import Seat
from borel.record import Record
from borel.web.bots import Bot
from borel.web.questions import SECONDS, candidates_of
from borel.web.state import TableState
from borel.web.tasks import Task
from borel.web.thinking import Thinking

__all__ = ["hint", "record_of"]


async def hint(thinking: Thinking, key: str, game: BoardInPlay, bot: Bot) -> dict[str, Any]:
    """What a bot would do with the person's view, why, and what else it thought of."""
    advisor = replace(bot, bidding="adviser", seconds=max(SECONDS, bot.seconds), silent=False)
    arguments = {"bot": advisor, "view": game.view(), "key": f"hint/{game.point}"}
    decision, meaning = await thinking.ask(key, Task("decide", arguments))
    kind = "call" if isinstance(decision.choice, Call) else "card"
    return {
        "choice": str(decision.choice), "symbol": decision.choice.symbol, "why": decision.why,
        "meaning": meaning.get("text", ""), "candidates": candidates_of(decision), "kind": kind,
    }  # fmt: skip


def record_of(state: TableState) -> Record:
    """The board as a record that files can hold; passes out and auctions without play too."""
    game = state.playing()
    board, play = game.board, game.play if state.settings.mode == "play" else None
    names = [
        state.names.get(seat, seat.word) if seat in state.settings.seats else f"Borel {seat.word}" for seat in Seat
    ]
    return Record(
        number=board.number, dealer=board.dealer, vulnerability=board.vulnerability, deal=board.deal,
        players=(names[0], names[1], names[2], names[3]), auction=game.auction,
        cards=play.cards if play else (), claim=play.claim if play else None,
    )  # fmt: skip
