"""`borel learn qtable`: a bidding system from nothing but results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from borel.cli.show import console, progress_bar, show_json
from borel.errors import BridgeError

if TYPE_CHECKING:
    from borel.learning.lab.openings import OpeningTable
    from borel.learning.lab.qtable import Epoch, QPair, QTableSettings

QUICK = {"epochs": 10, "deals": 200_000, "test": 100}
LAST = 10  # examinations whose mean is the result, as in tables 9 and 10


def qtable(
    bank: Annotated[Path, typer.Argument(help="A bank of solved deals (`borel bank build`).")],
    out: Annotated[Path | None, typer.Option(help="A folder for the run: it can be stopped and gone on with.")] = None,
    openings: Annotated[
        str, typer.Option(help="natural, learnt (from nothing) or a file: a table of shapes and strengths.")
    ] = "natural",
    shapes: Annotated[int, typer.Option(help="128 (91% of hands) or all 560.")] = 128,
    bids: Annotated[int, typer.Option(min=2, max=36, help="Calls to choose from: pass and the next bids.")] = 16,
    calls: Annotated[int, typer.Option(min=2, max=7, help="Calls of an auction at most.")] = 4,
    epochs: Annotated[int, typer.Option(min=1, help="Each ends with an examination.")] = 200,
    deals: Annotated[int, typer.Option(min=1, help="Auctions in an epoch.")] = 10_000_000,
    test: Annotated[
        int, typer.Option(min=1, help="Deals at the end of the bank that are kept for examinations.")
    ] = 2000,
    rate: Annotated[float, typer.Option(min=0.0, max=1.0, help="Learning rate.")] = 20 / 1024,
    rates: Annotated[
        str, typer.Option(help="A learning rate for each position instead, as 0,0.1,0.1,0.02: opening, response ...")
    ] = "",
    schedule: Annotated[
        str, typer.Option(help="constant, decreasing, alternating, crossing, random, sine or waiting.")
    ] = "constant",
    explore: Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance of any call at all.")] = 0.05,
    choice: Annotated[str, typer.Option(help="greedy, boltzmann or roulette.")] = "greedy",
    warm: Annotated[float, typer.Option(min=1e-3, help="Boltzmann's temperature at first, in points.")] = 100.0,
    cold: Annotated[float, typer.Option(min=1e-3, help="The same at the end.")] = 5.0,
    q0: Annotated[float, typer.Option(help="What a call is thought worth before it is tried, in points.")] = -200.0,
    reward: Annotated[str, typer.Option(help="score, loss, loss+200 or blame: c), a), b), d) of 8.7.1.")] = "score",
    gamma: Annotated[float, typer.Option(min=0.0, max=2.0, help="Above 1 makes longer auctions worth more.")] = 1.0,
    fall: Annotated[float, typer.Option(min=0.0, max=1.0, help="Rate of disappointments, as a share.")] = 1.0,
    limit: Annotated[float, typer.Option(min=0.0, help="Keep values within this of zero (8.7.6).")] = 1e9,
    coarse: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the epochs in which hands are told apart roughly.")
    ] = 0.0,
    teacher: Annotated[str, typer.Option(help="A system whose auctions are learnt from first, such as sayc.")] = "",
    templates: Annotated[
        bool, typer.Option("--templates", help="Responder begins with the mean hand of each given opening.")
    ] = False,
    agreed: Annotated[
        bool, typer.Option("--agreed", help="Partners know when one of them is trying something (8.8.2).")
    ] = False,
    opponents: Annotated[
        bool, typer.Option("--opponents", help="Opponents see all cards and outbid the pair where it pays.")
    ] = False,
    integers: Annotated[bool, typer.Option("--integers", help="Round as the thesis's program did.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Where the chances come from.")] = 1,
    quick: Annotated[bool, typer.Option("--quick", help="2 million auctions: seconds, the same direction.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the learning to this file (extra 'plots').")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let opener and responder learn a system from double-dummy results, each hand and auction a learner of its own.

    With --out the run's folder also gets the system in words: tables.txt (shape by strength) and learnt.bid, rules
    read off by decision trees, which `rules:FOLDER/learnt.bid` seats at a table.
    """
    from borel.learning.bank import Bank
    from borel.learning.lab.qtable import QTableSettings, learn_system

    asked: dict[str, Any] = {"epochs": epochs, "deals": deals, "test": test, **(QUICK if quick else {})}
    settings = QTableSettings(
        shapes=shapes, bids=bids, calls=calls, rate=rate, rates=_rates(rates), schedule=schedule, explore=explore,
        choice=choice, temperatures=(warm, cold), q0=q0, reward=reward, gamma=gamma, fall=fall, limit=limit,
        integers=integers, coarse=coarse, teacher=teacher, templates=templates, agreed=agreed, opponents=opponents,
        seed=seed, **asked,
    )  # fmt: skip
    table = _openings(openings, shapes)
    with progress_bar() as bar:
        task = bar.add_task("learning", total=settings.epochs)
        pair, told = learn_system(
            settings,
            Bank.open(bank),
            openings=table,
            folder=out,
            progress=lambda epoch: bar.update(task, completed=epoch.number, description=f"{epoch.test:.1f} points"),
        )
    if out is not None:
        _write(pair, out)
    if plot is not None:
        _plot(told, plot)
    _show(pair, settings, told, as_json)


def _rates(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in text.split(",")) if text else ()
    except ValueError:
        raise BridgeError(f"not learning rates separated by commas: {text[:60]!r}") from None


def _openings(asked: str, shapes: int) -> OpeningTable:
    from borel.learning.lab.openings import OpeningTable, learnt_openings, natural_openings, shapes_of

    wanted = shapes_of(shapes)
    if asked in ("natural", "learnt"):
        return (natural_openings if asked == "natural" else learnt_openings)(wanted)
    return OpeningTable.parse(Path(asked).read_text(encoding="utf-8"), wanted)


def _write(pair: QPair, out: Path) -> None:
    from borel.learning.lab.learnt import matrix, situations
    from borel.learning.lab.written import read_off

    (out / "openings.txt").write_text(str(pair.openings))
    (out / "tables.txt").write_text("\n".join(matrix(pair, one) for one in situations(pair)))
    (out / "learnt.bid").write_text(read_off(pair).text())


def _plot(told: list[Epoch], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4))
    axes = figure.add_subplot()
    axes.plot([one.number for one in told], [one.training for one in told], label="learning, with exploration")
    axes.plot([one.number for one in told], [one.test for one in told], label="examined on other deals")
    axes.set_xlabel("epoch")
    axes.set_ylabel("points a deal")
    axes.legend()
    axes.grid(visible=True, alpha=0.3)
    figure.savefig(path, bbox_inches="tight")


def _show(pair: QPair, settings: QTableSettings, told: list[Epoch], as_json: bool) -> None:
    last = told[-LAST:]
    mean, (lost, error) = sum(one.test for one in last) / len(last), pair.lost()
    if as_json:
        show_json(
            {
                "test": round(mean, 2),
                "plus_minus": round(last[-1].error, 2),
                "training": round(told[-1].training, 2),
                "lost": round(lost, 2),
                "lost_plus_minus": round(error, 2),
                "learners": told[-1].learners,
                "auctions": settings.epochs * settings.deals,
                "along": [[one.number, round(one.test, 2)] for one in told],
            }
        )
        return
    console.print(f"{mean:.1f} ± {last[-1].error:.1f} points a deal, examined (mean of the last {len(last)} epochs)")
    console.print(f"{lost:.1f} ± {error:.1f} below the best contract; {told[-1].learners:,} learners")
