"""`borel learn costudy`: runs of co-training, tested and compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from borel.cli.show import console, progress_bar, show_json
from borel.errors import BridgeError

if TYPE_CHECKING:
    from borel.learning.lab.costudy import Line

QUICK = {"problems": 6, "layouts": 2}


def costudy(
    folders: Annotated[list[Path], typer.Argument(help="Runs of `borel learn cotrain`.")],
    points: Annotated[str, typer.Option(help="After how many nets, separated by commas.")] = "0,20,40,60,80,100",
    samples: Annotated[str, typer.Option(help="Layouts of a decision (Fig. 14).")] = "3",
    limits: Annotated[str, typer.Option(help="Layouts generated for a decision, at most (Fig. 15).")] = "600",
    problems: Annotated[int, typer.Option(min=2, help="Challenges.")] = 100,
    layouts: Annotated[int, typer.Option(min=1, help="Layouts that value a contract.")] = 20,
    bidder: Annotated[str, typer.Option(help="pidm, or rules: the refined system by itself.")] = "pidm",
    opening: Annotated[str, typer.Option(help="Only challenges that the rules open so (Fig. 13).")] = "",
    seed: Annotated[int, typer.Option(min=0, help="Which challenges.")] = 7,
    quick: Annotated[bool, typer.Option("--quick", help="Six challenges.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the study to this file (extra 'plots').")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Test co-trained systems on challenges, and compare each with the untrained one problem by problem."""
    from borel.learning.lab.costudy import study
    from borel.learning.lab.cotested import TestSettings

    asked: dict[str, Any] = {"problems": problems, "layouts": layouts} | (QUICK if quick else {})
    settings = TestSettings(bidder=bidder, opening=opening, seed=seed, **asked)
    numbers = [_numbers(text) for text in (points, samples, limits)]
    with progress_bar() as bar:
        task = bar.add_task("runs", total=len(folders) * len(numbers[1]) * len(numbers[2]))
        found = list(
            study(
                folders,
                settings,
                points=numbers[0],
                samples=numbers[1],
                limits=numbers[2],
                progress=lambda done: bar.update(task, completed=done),
            )
        )
    if plot is not None:
        _plot(found, plot)
    if as_json:
        show_json([line.as_json() for line in found])
        return
    _show(found)


def _numbers(text: str) -> tuple[int, ...]:
    words = text.split(",")
    if not all(word.strip().isdecimal() for word in words):
        raise BridgeError(f"not numbers separated by commas: {text[:60]!r}")
    return tuple(int(word) for word in words)


def _show(found: list[Line]) -> None:
    from rich.table import Table

    names = ("run", "nets", "sample", "IMPs", "gain", "looks", "used", "dealt", "failed", "stage")
    table = Table(*names, box=None, header_style="bold")
    for line in found:
        one = line.found
        table.add_row(
            line.run, str(line.tried), f"{line.sample}/{line.instances}", f"{one.imps:.2f}±{one.error:.2f}",
            f"{line.gain:+.2f}±{line.gain_error:.2f}", str(one.lookaheads), str(one.used), str(one.instances),
            str(one.failures), f"{one.stage:.1f}",
        )  # fmt: skip
    console.print(table)
    console.print(
        "sample/limit of a decision; IMPs a problem and the gain on the untrained system; lookaheads; refined nets "
        "used; layouts dealt; samples that failed; calls made before a lookahead"
    )


def _plot(found: list[Line], path: Path) -> None:
    """Four pictures: score, lookaheads and nets used, instances and failures, stage (Fig. 9 to 12)."""
    from matplotlib.figure import Figure

    from borel.learning.lab.plots import save

    values: dict[str, Callable[[Line], float]] = {
        "gain, IMPs a problem": lambda line: line.gain,
        "lookaheads": lambda line: line.found.lookaheads,
        "instances": lambda line: line.found.instances,
        "stage of lookaheads": lambda line: line.found.stage,
    }
    figure = Figure(figsize=(9, 6))
    groups: dict[str, list[Line]] = {}
    for line in found:
        groups.setdefault(f"{line.run}, sample {line.sample}, limit {line.instances}", []).append(line)
    for place, (name, value) in enumerate(values.items(), 1):
        axes = figure.add_subplot(2, 2, place)
        for label, lines in groups.items():
            axes.plot([line.tried for line in lines], [value(line) for line in lines], marker=".", label=label)
        axes.set_xlabel("nets")
        axes.set_ylabel(name)
        axes.grid(visible=True, alpha=0.3)
    figure.axes[0].legend(fontsize="x-small")
    save(figure, path)
