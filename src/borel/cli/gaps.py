"""`borel system gaps`: where does judgement most often overrule the rules?"""

from __future__ import annotations

from typing import Annotated

import typer

from borel.cli.show import console, progress_bar, show_json

__all__ = ["gaps"]


def gaps(
    system: Annotated[str, typer.Argument(help="A system's name, or a .bid file.")] = "sayc",
    deals: Annotated[int, typer.Option(min=1, help="How many random deals to bid.")] = 20,
    layouts: Annotated[int, typer.Option(min=4, help="Layouts for each decision.")] = 48,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 1,
    most: Annotated[int, typer.Option(min=1, help="How many auctions to list.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the auctions where search most often overrules the rules: holes in a system show there."""
    from borel.bidding.borel import BorelBidder
    from borel.bidding.gaps import find_gaps
    from borel.decision import Limit

    search = BorelBidder(system, limit=Limit(layouts=layouts), solve=0)
    with progress_bar() as bar:
        task = bar.add_task("deals", total=deals)
        found = find_gaps(search, deals, seed, progress=lambda done: bar.update(task, completed=done))
    if as_json:
        show_json(
            [
                {"auction": str(gap.auction), "dealer": str(gap.auction.dealer), "searched": gap.searched,
                 "overruled": gap.overruled, "imps": round(gap.gain, 2), "examples": gap.examples}
                for gap in found[:most]
            ]
        )  # fmt: skip
        return
    effort = search.effort
    console.print(f"{deals} deals: {effort.decisions} decisions, {effort.lookaheads} searched", markup=False)
    for gap in found[:most]:
        title = str(gap.auction) or "(opening)"
        console.print(f"{gap.gain:+6.1f} IMPs  {gap.overruled} of {gap.searched}  {title}", markup=False)
        console.print(f"              {gap.examples[0]}", markup=False)
