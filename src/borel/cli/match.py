"""`borel match` and `borel history`: who is stronger, with error bars."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from borel.cli.arena import (
    Fresh,
    Json,
    Out,
    Place,
    Seed,
    Timeout,
    Workers,
    check_outs,
    finish,
    read_records,
    working,
)
from borel.cli.cluster import Cluster, use_cluster
from borel.errors import BridgeError

if TYPE_CHECKING:
    from borel.arena import Played
    from borel.deal import Board

__all__ = ["WithPlayAlone", "history", "match"]


Bidders = Annotated[
    list[str],
    typer.Argument(
        metavar="A B...",
        help="Two bidders, or more for a round robin: rules:SYSTEM, rules:FILE.bid, borel:SYSTEM,seconds=1, "
        "pidm:..., lookahead:..., neural:..., uniform, cmd:PROGRAM (one that speaks the protocol of borel engine).",
    ),
]
StopEarly = Annotated[
    bool, typer.Option("--stop-early", help="Stop when it is decided: wrongly in at most 5% of matches.")
]
Margin = Annotated[
    float, typer.Option(min=0, help="With --stop-early: stop too when the difference is surely smaller than this.")
]
PLAYER = "borel:seconds=0.25"
Player = Annotated[
    str | None,
    typer.Option(
        "--play",
        help=f"Play the cards: alone with {PLAYER} at all seats, else with the player named, as in --play "
        "monte_carlo:layouts=20. Without it contracts are scored double dummy.",
    ),
]
MostBoards = Annotated[
    int | None,
    typer.Option("--boards", "-n", min=1, max=10_000_000, help="How many boards; 100, or all those of the file."),
]
Deals = Annotated[
    Path | None, typer.Option(help="Play the deals of a PBN, LIN or JSON-lines file instead of random ones.")
]


class WithPlayAlone(TyperCommand):
    """A command whose ``--play`` may stand alone, before another option or at the end."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give a lone ``--play`` the default players."""
        words: list[str] = []
        for word, following in zip(args, [*args[1:], "-"], strict=True):
            words += [word, PLAYER] if word == "--play" and following.startswith("-") else [word]
        return super().parse_args(ctx, words)


Swings = Annotated[int, typer.Option(min=0, help="How many of the greatest swings to list.")]


def match(
    bidders: Bidders,
    boards: MostBoards = None,
    seed: Seed = 0,
    deals: Deals = None,
    stop_early: StopEarly = False,
    margin: Margin = 0.0,
    play: Player = None,
    swings: Swings = 10,
    workers: Workers = None,
    cluster: Cluster = "",
    timeout: Timeout = 60.0,
    store: Place = None,
    fresh: Fresh = False,
    as_json: Json = False,
    out: Out = None,
) -> None:
    """Match bidders: teams of four, every deal twice with sides exchanged, IMPs a board with their error.

    Boards are stored as they are finished: a match that is interrupted or killed goes on when the same command is given
    again. A bidder that dies, hangs or answers nonsense makes the board void; the match goes on.
    """
    from borel.arena import Match, Sequence
    from borel.arena.report import round_robin_document
    from borel.arena.round_robin import round_robin
    from borel.arena.scorer import DoubleDummy, PlayedOut
    from borel.policies.spec import card_player

    if len(bidders) < 2:
        raise BridgeError("a match needs two bidders, as in: borel match rules:sayc uniform")
    use_cluster(cluster)
    check_outs(out, pbn=len(bidders) == 2)
    if play is not None:
        card_player(play)
    given = _boards_of(deals) if deals is not None else ()
    boards = boards or len(given) or 100
    options: dict[str, Any] = {"seed": seed, "timeout": timeout, "deals": given}
    options["scorer"] = DoubleDummy() if play is None else PlayedOut(play)
    how: dict[str, Any] = {"workers": workers, "fresh": fresh, "margin": margin}
    how["sequence"] = Sequence() if stop_early else None
    with working("boards", store) as (opened, advance):
        if len(bidders) > 2:
            tournament = round_robin(bidders, boards, store=opened, options=options, progress=advance, **how)
        else:
            played = Match.between(*bidders, **options).play(boards, store=opened, progress=advance, **how)
    if len(bidders) > 2:
        finish(round_robin_document(tournament), tournament.json(), {}, as_json=as_json, out=out)
    else:
        _show(played, swings, as_json=as_json, out=out)


def _boards_of(path: Path) -> tuple[Board, ...]:
    """The boards of a file; one whose dealer and vulnerability are not given has those of its place in the file."""
    from borel.deal import Board

    found = []
    for number, record in enumerate(read_records(path), 1):
        if record.deal is None or not record.deal.is_complete:
            raise BridgeError(f"{path}: board {record.number or number} has no complete deal")
        found.append(record.board or Board.numbered(number, record.deal))
    if not found:
        raise BridgeError(f"{path}: no deals")
    return tuple(found)


def _show(played: Played, swings: int, *, as_json: bool, out: Out) -> None:
    from borel.arena.report import match_document, match_records

    details = {"details": [board.payload() for board in played.boards]}
    document = match_document(played, swings=swings)
    finish(document, played.json(swings), details, as_json=as_json, out=out, records=lambda: match_records(played))


def history(store: Place = None, as_json: Json = False, out: Out = None) -> None:
    """Show every match in the store: strength over time, with error bars."""
    from dataclasses import asdict

    from borel.arena.report import history_document
    from borel.store import Store

    check_outs(out, pbn=False)
    with Store(store) as opened:
        runs = opened.runs("match", finished=True)
    data = {"matches": [asdict(run) for run in runs]}
    finish(history_document(runs), data, {}, as_json=as_json, out=out)
