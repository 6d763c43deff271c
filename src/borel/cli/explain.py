"""`borel explain`: what an auction has said."""

from __future__ import annotations

from typing import Annotated

import typer

from borel.cli.show import console, show_json

__all__ = ["explain"]


def explain(
    auction: Annotated[str, typer.Option(help="The calls from the dealer on, such as '1NT P 2D'.")],
    dealer: Annotated[str, typer.Option(help="Who dealt: N E S W.")] = "N",
    vul: Annotated[str, typer.Option(help="Who is vulnerable: None NS EW All.")] = "None",
    system: Annotated[str, typer.Option(help="The dealer's side's system: a name, or a .bid file.")] = "sayc",
    theirs: Annotated[str, typer.Option(help="The other side's system; the same if not given.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Explain an auction: what each call means and what each seat has shown."""
    from borel.auction import Auction
    from borel.deal import Vulnerability
    from borel.policies.rules import RuleBidder

    so_far = Auction.parse(dealer, auction)
    meaning = RuleBidder(system, theirs=theirs or None).meaning(so_far, Vulnerability.parse(vul))
    if as_json:
        show_json(meaning.as_json())
        return
    from rich.table import Table

    table = Table("seat", "call", "meaning", "status", box=None, header_style="bold")
    for call in meaning.calls:
        table.add_row(call.seat.word, call.call.symbol, call.text, call.remarks)
    console.print(table)
    for seat in meaning.seats:
        console.print(f"{seat.seat.word} has shown: {seat.words}", markup=False)
    for side, words in meaning.forcing.items():
        if words != "not forced":
            console.print(f"{side} is {words}", markup=False)
