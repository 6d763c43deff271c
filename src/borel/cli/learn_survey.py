"""`borel learn survey`: many settings of the Q-tables, compared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from borel.cli.show import console, progress_bar, show_json

if TYPE_CHECKING:
    from borel.learning.lab.survey import Surveyed

QUICK = {"epochs": 2, "deals": 50_000, "seeds": 1, "test": 100, "only": 3}


def survey(
    bank: Annotated[Path, typer.Argument(help="A bank of solved deals (`borel bank build`).")],
    folder: Annotated[Path, typer.Argument(help="A folder for the survey: it can be stopped and gone on with.")],
    which: Annotated[str, typer.Option(help="tables: 9 and 10 of the thesis; options: its other trials, and ours.")] = (
        "tables"
    ),
    epochs: Annotated[int, typer.Option(min=1, help="Each ends with an examination.")] = 200,
    deals: Annotated[int, typer.Option(min=1, help="Auctions in an epoch.")] = 10_000_000,
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each setting.")] = 3,
    quick: Annotated[bool, typer.Option("--quick", help="Three settings of 100,000 auctions.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the results to this file (extra 'plots').")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare settings of the Q-tables over some seeds; the sizes of the thesis unless told otherwise."""
    from borel.learning.bank import Bank
    from borel.learning.lab.survey import cells_of
    from borel.learning.lab.survey import survey as run

    asked = {"epochs": epochs, "deals": deals, "seeds": seeds} | (QUICK if quick else {})
    with progress_bar() as bar:
        task = bar.add_task("settings", total=len(cells_of(which)[: asked.get("only")]) * asked["seeds"])
        found = run(which, Bank.open(bank), folder, progress=lambda done: bar.update(task, completed=done), **asked)
    if plot is not None:
        _plot(found, plot)
    if as_json:
        show_json(
            [
                {"setting": one.cell, "mean": round(one.mean, 2), "plus_minus": round(one.spread, 2)}
                | {"results": [round(result, 2) for result in one.results]}
                for one in found
            ]
        )
        return
    from rich.table import Table

    table = Table("setting", "points a deal", "±", box=None, header_style="bold")
    for one in found:
        table.add_row(one.cell, f"{one.mean:.1f}", f"{one.spread:.1f}")
    console.print(table)


def _plot(found: list[Surveyed], path: Path) -> None:
    from matplotlib.figure import Figure

    from borel.learning.lab.plots import save

    figure = Figure(figsize=(7, 0.3 * len(found) + 1))
    axes = figure.add_subplot()
    places = range(len(found))
    axes.errorbar([one.mean for one in found], places, xerr=[one.spread for one in found], fmt="o", capsize=2)
    axes.set_yticks(places, [one.cell for one in found])
    axes.invert_yaxis()
    axes.set_xlabel("points a deal")
    axes.grid(visible=True, alpha=0.3)
    save(figure, path)
