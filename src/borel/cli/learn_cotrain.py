"""`borel learn cotrain`: partners who turn ambiguous rules into agreements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from borel.cli.show import console, progress_bar, show_json

if TYPE_CHECKING:
    from borel.learning.lab.cotested import Tested

QUICK_TRAINING = {"deals": 40, "nets": 1, "examples": 5, "instances": 120, "sample": 4}
QUICK_TEST = {"problems": 6, "instances": 60, "layouts": 2}
QUICK_CONFIRM = 300


def cotrain(
    folder: Annotated[Path, typer.Argument(help="A folder for the run: it can be stopped and gone on with.")],
    system: Annotated[str, typer.Option(help="The system to refine.")] = "two_over_one",
    deals: Annotated[int, typer.Option(min=1, help="Random deals in which ambiguous states are looked for.")] = 2000,
    nets: Annotated[int, typer.Option(min=1, help="Auctions to refine.")] = 100,
    examples: Annotated[int, typer.Option(min=4, help="States tagged for each.")] = 30,
    sample: Annotated[int, typer.Option(min=2, help="Layouts of a tagging.")] = 10,
    instances: Annotated[int, typer.Option(min=1, help="Layouts generated for a tagging, at most.")] = 6000,
    trust: Annotated[
        float, typer.Option(min=0.0, help="Standard errors by which a call must gain on the rules' own to be agreed.")
    ] = 1.0,
    utility: Annotated[
        str, typer.Option(help="estimate, dd or ltc (rollouts: or trumps): what contracts are valued by.")
    ] = "estimate",
    partner_utility: Annotated[str, typer.Option(help="The same of the co-agent, who refines every second net.")] = "",
    tagger: Annotated[
        str, typer.Option(help="pidm, a search, or rollouts: both go on by the rules; much faster.")
    ] = "pidm",
    opening: Annotated[str, typer.Option(help="Only states of auctions that open so, such as 1NT.")] = "",
    exchange: Annotated[bool, typer.Option(help="Partners exchange their nets.")] = True,
    exchange_every: Annotated[int, typer.Option(min=1, help="After how many nets.")] = 4,
    confirm: Annotated[
        int, typer.Option(min=0, help="Fresh deals on which an agreement must gain when all is agreed; 0: not asked.")
    ] = 20_000,
    confirm_trust: Annotated[float, typer.Option(min=0.0, help="By how many standard errors.")] = 1.0,
    seed: Annotated[int, typer.Option(min=0, help="Where the deals come from.")] = 1,
    test_every: Annotated[int, typer.Option(min=0, help="Test after so many nets (the paper: 4); 0 is never.")] = 4,
    problems: Annotated[int, typer.Option(min=2, help="Challenges of a test.")] = 100,
    test_sample: Annotated[int, typer.Option(min=2, help="Layouts of a decision in a test.")] = 3,
    test_instances: Annotated[int, typer.Option(min=1, help="Layouts generated for it, at most.")] = 600,
    test_bidder: Annotated[str, typer.Option(help="Who is tested: pidm, or the refined rules by themselves.")] = "pidm",
    layouts: Annotated[int, typer.Option(min=1, help="Layouts that value a contract in a test.")] = 20,
    quick: Annotated[bool, typer.Option("--quick", help="One net of five examples and six challenges.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the learning curve (extra 'plots').")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Co-train a pair: tag ambiguous states by a deep search, and turn the tags into rules both partners know.

    FOLDER/refined.bid is the refined system (it includes its parent and agreed.bid); any bidder can use it.
    """
    from borel.learning.lab.cotested import TestSettings, examine, tests_so_far
    from borel.learning.lab.cotraining import CoTraining, CoTrainingSettings

    asked = {"deals": deals, "nets": nets, "examples": examples, "instances": instances, "sample": sample}
    asked |= QUICK_TRAINING if quick else {}
    test: dict[str, Any] = {"problems": problems, "instances": test_instances, "layouts": layouts} | (
        QUICK_TEST if quick else {}
    )
    training = CoTraining(
        CoTrainingSettings(
            system=system,
            trust=trust,
            utility=utility,
            partner_utility=partner_utility,
            tagger=tagger,
            opening=opening,
            exchange=exchange,
            exchange_every=exchange_every,
            seed=seed,
            **asked,
        ),
        folder,
    )
    tests = TestSettings(sample=test_sample, bidder=test_bidder, opening=opening, system=system, **test)
    total = training.settings.nets
    with progress_bar() as bar:
        task = bar.add_task("nets refined", total=total, completed=len(training.nets))
        if test_every and not tests_so_far(folder):
            examine(training, tests)
        while len(training.nets) < total:
            before = len(training.nets)
            step = test_every - before % test_every if test_every else total
            training.train(lambda done: bar.update(task, completed=done), step)
            if test_every and len(training.nets) > before:
                examine(training, tests)
            if len(training.nets) < min(total, before + step):
                break  # no ambiguous state is left
        bar.update(task, description="tried on fresh deals")
        if confirm:
            training.confirm(min(confirm, QUICK_CONFIRM) if quick else confirm, trust=confirm_trust)
    _show(tests_so_far(folder) if test_every else [], training.file, plot, as_json)


def _show(found: list[Tested], file: Path, plot: Path | None, as_json: bool) -> None:
    from dataclasses import asdict

    if plot is not None and found:
        _plot(found, plot)
    if as_json:
        show_json({"system": str(file), "tests": [asdict(one) for one in found]})
        return
    from rich.table import Table

    names = ("nets", "IMPs a problem", "±", "lookaheads", "nets used", "instances", "failures", "stage")
    table = Table(*names, box=None, header_style="bold")
    for one in found:
        numbers = (f"{one.imps:.2f}", f"{one.error:.2f}", str(one.lookaheads), str(one.used), str(one.instances))
        table.add_row(str(one.nets), *numbers, str(one.failures), f"{one.stage:.1f}")
    console.print(table)
    console.print(f"the refined system: {file}")


def _plot(found: list[Tested], path: Path) -> None:
    from matplotlib.figure import Figure

    from borel.learning.lab.plots import save

    figure = Figure(figsize=(7, 4))
    axes = figure.add_subplot()
    axes.errorbar(
        [one.nets for one in found], [one.imps for one in found], yerr=[one.error for one in found], marker="."
    )
    axes.set_xlabel("refined nets")
    axes.set_ylabel("IMPs a problem")
    axes.grid(visible=True, alpha=0.3)
    save(figure, path)
