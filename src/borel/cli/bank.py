"""`borel bank`: deals with their double-dummy results, the fuel of learning."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Annotated

import typer

from borel.cli.cluster import Cluster, use_cluster
from borel.cli.show import console, progress_bar, show_json

app = typer.Typer(help="Deals with their double-dummy results, to learn and measure with.", no_args_is_help=True)


@app.command()
def build(
    path: Annotated[Path, typer.Argument(help="The bank: made if it is not there, otherwise gone on with.")],
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Deals it shall have in the end.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Which deals.")] = 1,
    threads: Annotated[int, typer.Option(min=0, help="Threads, or processors of the cluster; 0 is all there are.")] = 0,
    solved: Annotated[
        Path | None, typer.Option("--from", help="Take deals and results from a text file (may be .gz) instead.")
    ] = None,
    cluster: Cluster = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Solve random deals until the bank has so many; it can be stopped at any time and gone on with."""
    from borel.learning.bank import build_bank, import_solved

    use_cluster(cluster)
    if solved is not None:
        opener = gzip.open if solved.suffix == ".gz" else open
        with opener(solved, "rt", encoding="ascii") as lines:
            bank = import_solved(lines, path)
    else:
        with progress_bar() as bar:
            task = bar.add_task("solving", total=count)
            bank = build_bank(
                path, count, seed, threads=threads, progress=lambda done: bar.update(task, completed=done)
            )
    if as_json:
        show_json({"deals": len(bank)})
    else:
        console.print(f"{path}: {len(bank):,} deals")


@app.command()
def info(
    path: Annotated[Path, typer.Argument(help="A bank.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Say what a bank holds: deals, and declarer's mean tricks in each strain."""
    from borel.cards import Strain
    from borel.learning.bank import Bank

    bank = Bank.open(path)
    means = bank.tricks().mean(axis=(0, 2)) if len(bank) else [0.0] * 5
    tricks = {str(strain): round(float(mean), 3) for strain, mean in zip(Strain, means, strict=True)}
    if as_json:
        show_json({"deals": len(bank), "seed": bank.seed, "bytes": path.stat().st_size, "mean_tricks": tricks})
        return
    origin = "from a file" if bank.seed < 0 else f"seed {bank.seed}"
    console.print(f"{path}: {len(bank):,} deals ({origin}), {path.stat().st_size:,} bytes")
    console.print("declarer's mean tricks: " + ", ".join(f"{strain} {mean:.2f}" for strain, mean in tricks.items()))
