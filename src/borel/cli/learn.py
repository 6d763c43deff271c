"""`borel learn`: the laboratory, where partners who know nothing find a language."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from borel.cli.learn_costudy import costudy
from borel.cli.learn_cotrain import cotrain
from borel.cli.learn_genetic import genetic
from borel.cli.learn_model import model
from borel.cli.learn_qtable import qtable
from borel.cli.learn_survey import survey
from borel.cli.show import console, progress_bar, show_json

if TYPE_CHECKING:
    from borel.learning.lab.trials import Trial

app = typer.Typer(help="Experiments: how partners come to understand each other.", no_args_is_help=True)
app.command()(qtable)
app.command()(survey)
app.command()(genetic)
app.command()(model)
app.command()(cotrain)
app.command()(costudy)

Seeds = Annotated[int, typer.Option(min=2, help="Pairs of learners, each with its own chance.")]
Seed = Annotated[int, typer.Option(min=0, help="Where the chances come from.")]
Quick = Annotated[
    bool, typer.Option("--quick", help="Fewer steps and at most 30 seeds: under a minute, the same direction.")
]
Out = Annotated[Path | None, typer.Option(help="A folder for the trials: they can be stopped and gone on with.")]
Plot = Annotated[Path | None, typer.Option(help="Draw the learning to this file, SVG or PNG (extra 'plots').")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def sumgame(
    game: Annotated[str, typer.Option(help="sum, listening, thinking or combining.")] = "sum",
    numbers: Annotated[int, typer.Option(min=2, max=12, help="Numbers 1 to this; the Sum-game has five words.")] = 5,
    seeds: Seeds = 100,
    seed: Seed = 1,
    quick: Quick = False,
    out: Out = None,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Let two partners find a language in which one says enough for the other to answer.

    Independent learners, as in the thesis, stick at a poor language; the genetic algorithm, which breeds pairs, does
    not; nor do independent learners who cool down slowly. With --numbers 10 there are fewer words than numbers, and a
    third bid is tried too.
    """
    from borel.learning.lab.trials import plot_trials, talking_trials

    with progress_bar() as bar:
        task = bar.add_task("", total=None)
        found = talking_trials(
            game,
            numbers=numbers,
            seeds=seeds,
            seed=seed,
            quick=quick,
            folder=out,
            report=lambda words, done, total: bar.update(task, description=words, completed=done, total=total),
        )
    if plot is not None:
        plot_trials(found, plot, along="share of the learning time", value="share of answers right")
    _show(found, as_json)


@app.command()
def climbing(
    seeds: Seeds = 100,
    seed: Seed = 1,
    quick: Quick = False,
    out: Out = None,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Let two partners climb to a payment of 11 that punishes whoever tries it alone."""
    from borel.learning.lab.trials import climbing_trials, plot_trials

    found = climbing_trials(seeds=seeds, seed=seed, quick=quick, folder=out)
    if plot is not None:
        plot_trials(found, plot, along="share of the learning time", value="payment of the greedy actions")
    _show(found, as_json)


def _show(found: list[Trial], as_json: bool) -> None:
    if as_json:
        show_json([trial.as_json() for trial in found])
        return
    from rich.table import Table

    table = Table("learners", "seeds", "mean", "±", "perfect", box=None, header_style="bold")
    for trial in found:
        numbers = (f"{trial.mean:.3f}", f"{trial.error:.3f}", f"{trial.perfect:.0%}")
        table.add_row(trial.name, str(len(trial.ends)), *numbers)
    console.print(table)
