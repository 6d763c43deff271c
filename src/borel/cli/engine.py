"""`borel engine`: the engine as a program that other programs drive."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

__all__ = ["engine"]


def engine(
    bidder: Annotated[
        str, typer.Option(help="Who answers: neural-search:sayc,seconds=1 (if not given), rules:sayc, rules:FILE.bid …")
    ] = "",
    player: Annotated[
        str, typer.Option(help="Who plays the cards: borel:seconds=1, monte_carlo:layouts=50 …")
    ] = "borel",
    seed: Annotated[int, typer.Option(help="Seed for bidders and players that use chance.")] = 0,
) -> None:
    """Read one JSON object a line and answer one a line, until the input ends."""
    from borel.policies.engine import serve
    from borel.policies.spec import bidder as make_bidder
    from borel.policies.spec import card_player, usual_bidder

    chosen, playing = make_bidder(bidder or usual_bidder()), card_player(player)
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    for answer in serve(sys.stdin, chosen, playing, seed=seed):
        print(answer, flush=True)
