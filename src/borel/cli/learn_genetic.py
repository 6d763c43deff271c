"""`borel learn genetic`: a bidding system bred from ranked rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from borel.cli.show import console, progress_bar, show_json

if TYPE_CHECKING:
    from borel.learning.lab.genetic import Generation

QUICK = {"population": 40, "generations": 60, "deals": 400}


def genetic(
    bank: Annotated[Path, typer.Argument(help="A bank of solved deals (`borel bank build`).")],
    population: Annotated[int, typer.Option(min=2, help="Pairs in a generation.")] = 100,
    generations: Annotated[int, typer.Option(min=1, help="How often they are bred.")] = 400,
    deals: Annotated[int, typer.Option(min=2, help="Deals by which a generation is judged.")] = 1_000,
    mutation: Annotated[float, typer.Option(min=0.0, max=0.5, help="Chance that a rule, or a limit, changes.")] = 0.03,
    test: Annotated[int, typer.Option(min=2, help="Deals at the end of the bank that are kept for tests.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Where the chances come from.")] = 1,
    out: Annotated[
        Path | None, typer.Option(help="A folder for the run, with the best pair's rules: it can be gone on with.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="60 generations of 40 pairs: seconds.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the breeding to this file (extra 'plots').")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Breed pairs of ranked rules: an opening and a response that settles the contract (auctions of two calls)."""
    from borel.errors import BridgeError
    from borel.learning.bank import Bank
    from borel.learning.lab.genetic import GeneticSettings, breed_bidding, rule_words
    from borel.learning.lab.openings import shapes_of
    from borel.learning.lab.pairs import pair_deals

    asked = {"population": population, "generations": generations, "deals": deals} | (QUICK if quick else {})
    settings, opened, shapes = GeneticSettings(mutation=mutation, seed=seed, **asked), Bank.open(bank), shapes_of(128)
    if len(opened) <= test:
        raise BridgeError(f"{bank} has {len(opened)} deals, of which {test} are to be kept for tests")
    parts = (slice(0, len(opened) - test), slice(len(opened) - test, len(opened)))
    training, examination = (pair_deals(opened, part, shapes) for part in parts)
    with progress_bar() as bar:
        task = bar.add_task("breeding", total=settings.generations)
        best, told = breed_bidding(
            training,
            examination,
            shapes,
            settings,
            lambda one: bar.update(task, completed=one.number, description=f"{one.test:.1f} points"),
            out,
        )
    if out is not None:
        (out / "rules.txt").write_text("\n".join(rule_words(best)) + "\n")
    if plot is not None:
        _plot(told, plot)
    if as_json:
        along = [[one.number, round(one.test, 2)] for one in told]
        last = told[-1]
        show_json({"test": round(last.test, 2), "plus_minus": round(last.error, 2), "along": along})
        return
    console.print(f"{told[-1].test:.1f} ± {told[-1].error:.1f} points a deal after {told[-1].number} generations")


def _plot(told: list[Generation], path: Path) -> None:
    from matplotlib.figure import Figure

    from borel.learning.lab.plots import save

    figure = Figure(figsize=(7, 4))
    axes = figure.add_subplot()
    axes.plot([one.number for one in told], [one.mean for one in told], label="mean of a generation")
    axes.plot([one.number for one in told], [one.test for one in told], label="best pair on other deals")
    axes.set_xlabel("generation")
    axes.set_ylabel("points a deal")
    axes.legend()
    axes.grid(visible=True, alpha=0.3)
    save(figure, path)
