"""`borel tablemanager`: the network protocol of computer bridge, as server and as client."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from borel.cli.show import console, errors_console, show_json

if TYPE_CHECKING:
    from borel.deal import Board
    from borel.table_manager import BoardPlayed

__all__ = ["app"]

app = typer.Typer(help="Matches between programs over the protocol of computer bridge.", no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Show what is said and who comes and goes.")]


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 2000,
    boards: Annotated[int, typer.Option(min=1, help="How many boards to deal.")] = 16,
    seed: Annotated[int, typer.Option(min=0, help="Which boards.")] = 1,
    file: Annotated[Path | None, typer.Option(help="Boards from a PBN or LIN file instead.")] = None,
    ns: Annotated[str, typer.Option(help="North-South's name.")] = "North-South",
    ew: Annotated[str, typer.Option(help="East-West's name.")] = "East-West",
    seconds: Annotated[float, typer.Option(min=0.1, help="How long a program may be silent.")] = 120.0,
    patience: Annotated[float, typer.Option(min=0.1, help="How long an empty seat is waited for.")] = 600.0,
    out: Annotated[Path | None, typer.Option(help="Where to write the boards as they were played: PBN.")] = None,
    compare: Annotated[
        Path | None, typer.Option(help="The PBN of the other room: the match is scored in IMPs.")
    ] = None,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Run a table for four programs that speak the protocol, version 18."""
    import asyncio

    from borel.formats import pbn
    from borel.table_manager import TableManager

    def note(text: str) -> None:
        if verbose or not as_json:
            errors_console.print(text, markup=False)

    manager = TableManager(
        _boards(boards, seed, file), (ns, ew), seconds, patience, watch=note, done=lambda played: note(_line(played))
    )
    played = asyncio.run(manager.run(host, port))
    records = [each.record for each in played if each.record is not None]
    if out is not None:
        out.write_text(pbn.dumps(records), encoding="utf-8")
    margin = None if compare is None else _margin(played, compare)
    if as_json:
        rows = [{"board": each.board.number, "result": _line(each), "void": each.void, "seconds": list(each.seconds),
                 "ns_score": each.record.ns_score if each.record else None} for each in played]  # fmt: skip
        show_json({"boards": rows, "imps": margin})
    elif margin is not None:
        console.print(f"North-South here against the other room: {margin:+d} IMPs")


def _boards(count: int, seed: int, file: Path | None) -> list[Board]:
    from borel.deal import Board
    from borel.dealing import deals

    if file is None:
        return [Board.numbered(number, deal) for number, deal in enumerate(deals(count, seed), 1)]
    from borel.cli.arena import read_records

    found = [record.board for record in read_records(file)]
    return [board for board in found if board is not None and board.deal.is_complete]


def _line(played: BoardPlayed) -> str:
    record = played.record
    if record is None:
        return f"Board {played.board.number}: {played.void}"
    result = "passed out" if record.contract is None else f"{record.contract}, {record.tricks} tricks"
    return f"Board {played.board.number}: {result}, North-South {record.ns_score:+d}"


def _margin(played: list[BoardPlayed], other: Path) -> int:
    """The IMPs of this room's North-South against the other room's, on the boards that both have."""
    from borel.cli.arena import read_records
    from borel.scoring import imps

    there = {record.number: record.ns_score for record in read_records(other)}
    total = 0
    for each in played:
        mine = each.record.ns_score if each.record else None
        theirs = there.get(each.board.number)
        if mine is not None and theirs is not None:
            total += imps(mine - theirs)
    return total


@app.command()
def join(
    host: Annotated[str, typer.Argument(help="The server.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Its port.")] = 2000,
    seat: Annotated[str, typer.Option(help="N E S W, or any.")] = "any",
    name: Annotated[str, typer.Option(help="What to be called.")] = "Borel",
    bidder: Annotated[str, typer.Option(help="How to bid.")] = "borel:sayc,seconds=1",
    player: Annotated[str, typer.Option(help="How to play.")] = "borel:seconds=1",
    theirs: Annotated[str, typer.Option(help="The opponents' system, if it is one of Borel's.")] = "",
    scoring: Annotated[str, typer.Option(help="IMPs or matchpoints.")] = "IMPs",
    seed: Annotated[int, typer.Option(help="Seed for what uses chance.")] = 0,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Take a seat at a server and play until the session ends."""
    from borel.cards import Seat
    from borel.policies.spec import bidder as make_bidder
    from borel.policies.spec import card_player, system_of
    from borel.scoring import Scoring
    from borel.table_manager import Client, SocketLines
    from borel.table_manager.alerts import alerts_of

    place = None if seat.lower() == "any" else Seat.parse(seat)
    bids, plays, form = make_bidder(bidder), card_player(player), Scoring.parse(scoring)
    system = system_of(bids) or "sayc"
    wire = (lambda who, line: errors_console.print(f"{who:6} {line}", markup=False)) if verbose else None
    lines = SocketLines.connect(host, port)
    try:
        client = Client(lines, bids, plays, place, name, system, theirs, form, seed, alerts_of(system), wire)
        boards = client.run()
    finally:
        lines.close()
    if as_json:
        show_json({"boards": boards, "seat": str(client.seat)})
    else:
        console.print(f"{boards} boards as {client.seat.word if client.seat is not None else '?'}")
