"""What a board is compared with: par, and four bots at a second table.

One decision at a time, so that a worker is free again after each and nobody at the first table waits for the second.
"""

from __future__ import annotations

from borel.arena.board_in_play import BoardInPlay
from borel.scoring import Result, ns_score
from borel.web.state import TableState
from borel.web.tasks import Reference, Task, result_words
from borel.web.thinking import Thinking

__all__ = ["second_table"]


async def second_table(thinking: Thinking, key: str, state: TableState) -> Reference:
    """The same board with a bot at every seat; in bidding practice the contract counts double dummy."""
    board, bots, name = state.playing().board, state.bots, f"{state.seed}/{state.number}"
    game = BoardInPlay(board, frozenset(), bots[0].systems, state.settings.form)
    playing = state.settings.mode == "play"
    while not game.is_over and (playing or not game.auction.is_over):
        arguments = {"bot": bots[game.turn], "view": game.view(), "key": f"{name}/{game.point}", "aloud": False}
        decision, _ = await thinking.ask(key, Task("decide", arguments), urgent=False)
        if decision.claim is not None:  # bots claim what is certain however the cards lie
            game.settle(decision.claim)
        else:
            game.add(decision)
    par, par_text, tricks = await thinking.ask(key, Task("par_of", {"board": board}), urgent=False)
    contract = game.auction.contract
    if contract is None:
        return Reference(par, par_text, 0, "passed out", tricks)
    taken = game.play.declarer_tricks if playing and game.play else tricks[str(contract.strain)][str(contract.declarer)]
    points = ns_score(contract, taken, board.vulnerability)
    return Reference(par, par_text, points, result_words(Result(contract, taken)), tricks)
