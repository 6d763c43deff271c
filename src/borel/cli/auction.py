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
    out: Annotated[Path | None, typer.Option(help="Where to write the boards with their auctions (PBN).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a board.")] = False,
) -> None:
    """Bid every board of a file by rules, and write the auctions with what each call means."""
    from borel.formats import pbn
    from borel.policies.bid_boards import bid_records

    with file.open(encoding="utf-8", errors="replace") as handle:
        records = list(pbn.load(handle))
    done = []
    with progress_bar() as progress:
        for record in progress.track(bid_records(records, system, theirs or system), total=len(records)):
            done.append(record)
            contract = str(record.contract) if record.contract else "passed out"
            if as_json:
                show_json({"board": record.number, "auction": str(record.auction), "contract": contract})
            elif out is None:
                console.print(f"board {record.number}: {contract}   {record.auction}", markup=False, soft_wrap=True)
    if out is not None:
        with out.open("w", encoding="utf-8") as handle:
            pbn.dump(done, handle)
        console.print(f"{len(done)} boards bid, written to {out}")
