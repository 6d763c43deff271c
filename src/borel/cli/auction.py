"""`borel auction`: bid every board of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from borel.cli.show import console, progress_bar, show_json

__all__ = ["auction"]


def auction(
    file: Annotated[Path, typer.Argument(help="A PBN file with deals.")],
    system: Annotated[str, typer.Option(help="North-South's system: a name, or a .bid file.")] = "sayc",
    theirs: Annotated[str, typer.Option(help="East-West's system; the same if not given.")] = "",
    out: Annotated[Path | None, typer.Option(help="Where to write the boards with their auctions.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a board.")] = False,
) -> None:
    """Bid every board of a file by rules, and write the auctions."""
    from borel.policies.tournament import bid_boards, load_boards, write_boards

    boards = load_boards(file)
    results = []
    with progress_bar() as progress:
        for result in progress.track(bid_boards(boards, system, theirs or system), total=len(boards)):
            results.append(result)
            if as_json:
                show_json(result.as_json())
    if out is not None:
        write_boards(boards, results, out)
        console.print(f"{len(results)} boards bid, written to {out}")
    elif not as_json:
        for result in results:
            console.print(f"board {result.number}: {result.contract}   {result.auction}", markup=False)
