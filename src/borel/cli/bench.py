"""`borel bench`: experiments that can be run again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from borel.cli.show import console, progress_bar, show_json

if TYPE_CHECKING:
    from borel.dd.experiment import Measured

app = typer.Typer(help="Experiments that can be run again.", no_args_is_help=True)


@app.callback()
def _bench() -> None:
    """Experiments that can be run again."""


@app.command()
def partition(
    deals: Annotated[int, typer.Option(min=3, help="Deals of 12 to 48 cards, as many of each size.")] = 1000,
    seed: Annotated[int, typer.Option(help="Which deals.")] = 1,
    node_limit: Annotated[
        int, typer.Option(min=1000, help="Nodes beyond which a deal is censored; the full experiment has 100000000.")
    ] = 10**7,
    full: Annotated[int, typer.Option(min=0, help="Full deals to count nodes of.")] = 100,
    all_cards: Annotated[bool, typer.Option("--all-cards", help="Do not merge equal cards.")] = False,
    minutes: Annotated[float, typer.Option(min=0.0, help="Stop after so long; 0 is never.")] = 0.0,
    out: Annotated[
        Path | None, typer.Option(help="Keep the measurements in this file, and go on from what it has.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the figure to this file (extra 'plots').")] = None,
    threads: Annotated[int, typer.Option(min=0, help="Threads; 0 is one a core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Nodes of partition search against nodes with an ordinary transposition table: figure 3 of the GIB paper.

    A node is one card played by the search. Both searches are the same but for the table, with all other prunings off.
    """
    import tempfile
    from time import monotonic

    from borel.dd import experiment

    with tempfile.TemporaryDirectory() as folder, progress_bar() as bar:
        path = out or Path(folder) / "partition.jsonl"
        points = experiment.read_measured(path)
        task = bar.add_task("deals", total=deals, completed=len(points))
        stop = monotonic() + 60 * minutes if minutes else float("inf")

        def note(point: Measured) -> None:
            points.append(point)
            bar.update(task, advance=1)
            if monotonic() > stop:
                raise StopIteration

        run = experiment.measure(
            deals, seed=seed, node_limit=node_limit, done=points, merge_equals=not all_cards, threads=threads
        )
        try:
            experiment.write_measured(path, run, note)
        except StopIteration:
            bar.console.print(f"stopped after {minutes:g} minutes with {len(points)} of {deals} deals")
    summary = _summary(points, full, seed, threads)
    if plot is not None:
        experiment_plot(points, plot)
    if as_json:
        show_json(summary)
    else:
        _show(points, summary)


def _summary(points: list[Measured], full: int, seed: int, threads: int) -> dict[str, object]:
    """The figures of the experiment."""
    from borel.dd import experiment

    curve = experiment.fit(points)
    censored = sum(p.table_nodes is None for p in points)
    summary: dict[str, object] = {"deals": len(points), "censored": censored}
    summary |= {"factor": curve.factor, "power": curve.power, "power_error": curve.power_error, "curve": str(curve)}
    if full:
        for name, everything in (("full_deal_nodes", False), ("full_deal_nodes_all_prunings", True)):
            nodes, trick_nodes = experiment.full_deals(full, seed=seed, everything=everything, threads=threads)
            summary[name] = {"mean": float(nodes.mean()), "at_tricks": float(trick_nodes.mean()), "deals": full}
    return summary


def _show(points: list[Measured], summary: dict[str, object]) -> None:
    """The figures as text."""
    from statistics import geometric_mean

    from rich.table import Table

    table = Table("cards", "deals", "ordinary table", "partition", "ratio", "censored", title="Geometric mean of nodes")
    for size in sorted({p.cards_each for p in points}):
        same = [p for p in points if p.cards_each == size]
        both = [(p.table_nodes, p.partition_nodes) for p in same if p.table_nodes and p.partition_nodes]
        plain, partition = (geometric_mean(column) for column in zip(*both, strict=True)) if both else (0.0, 0.0)
        ratio = f"{plain / partition:.1f}" if both else "-"
        cells = (4 * size, len(same), f"{plain:,.0f}", f"{partition:,.0f}", ratio, len(same) - len(both))
        table.add_row(*map(str, cells))
    console.print(table)
    console.print(f"Partition nodes y against ordinary nodes x: {summary['curve']}; the paper: y = 1.57 x^0.76")
    for name, words in (
        ("full_deal_nodes", "partition search alone"),
        ("full_deal_nodes_all_prunings", "all prunings on"),
    ):
        found = summary.get(name)
        if isinstance(found, dict):
            mean, at_tricks = found["mean"], found["at_tricks"]
            console.print(
                f"Full deals, {words}: {mean:,.0f} nodes on average, {at_tricks:,.0f} of them where a trick begins"
                f" ({found['deals']} deals; the paper: 18,000)"
            )


def experiment_plot(points: list[Measured], path: Path) -> None:
    """Figure 3 of the paper, with our deals: both axes logarithmic, y = x dotted, the fitted curve solid."""
    from borel.dd import experiment
    from borel.errors import BridgeError

    try:
        import matplotlib
    except ImportError:
        raise BridgeError("a plot needs matplotlib: pip install 'borel-bridge[plots]'") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    curve = experiment.fit(points)
    both = [(p.table_nodes, p.partition_nodes, p.cards_each) for p in points if p.table_nodes and p.partition_nodes]
    x, y, size = zip(*both, strict=True)
    figure, axes = pyplot.subplots(figsize=(7, 6), layout="constrained")
    dots = axes.scatter(x, y, s=6, c=[4 * each for each in size], cmap="viridis")
    figure.colorbar(dots, label="cards in the deal")
    ends = [min(x), max(x)]
    axes.plot(ends, ends, ":", color="grey", label="y = x")
    axes.plot(ends, [curve.factor * e**curve.power for e in ends], color="black", label=str(curve))
    axes.set(xscale="log", yscale="log", xlabel="nodes, ordinary transposition table", ylabel="nodes, partition search")
    axes.legend()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
