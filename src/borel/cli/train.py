"""`borel train`: from a system to a network that bids it, and on to one that bids it better."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from borel.cli.show import console, progress_bar, show_json
from borel.errors import BridgeError

app = typer.Typer(help="Teach a network a system, and let it improve.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The run's folder: made if it is not there, otherwise gone on with.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Report = Callable[[str, int, int], None]


@app.command()
def imitate(
    folder: Folder,
    system: Annotated[str, typer.Option(help="A system by name, or FILE.bid.")] = "sayc",
    boards: Annotated[int, typer.Option(min=100, help="Boards that the system bids for its pupil.")] = 200_000,
    steps: Annotated[int, typer.Option(min=1, help="Training steps of 2,048 calls each.")] = 20_000,
    width: Annotated[int, typer.Option(min=8, max=4096, help="Units in each hidden layer.")] = 256,
    depth: Annotated[int, typer.Option(min=1, max=12, help="Hidden layers.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="Which deals, and where the network starts.")] = 1,
    as_json: Json = False,
) -> None:
    """Bid boards by a system's rules and teach a network to make the same calls.

    Writes FOLDER/policy.safetensors; `borel match neural:FOLDER/policy.safetensors rules:SYSTEM` shows what it has
    learnt. It can be stopped at any time; the same command goes on.
    """
    with _gradients():
        from borel.learning.imitation import ImitationSettings, imitate
    settings = ImitationSettings(system, boards, width, depth, steps, seed=seed)
    with _reporting() as report:
        network = imitate(folder, settings, report)
    if as_json:
        show_json(network.manifest)
        return
    held_out = network.manifest["held_out"]
    console.print(
        f"{folder / 'policy.safetensors'}: {held_out['right']:.2%} of {held_out['decisions']:,} held-out calls as the "
        f"system makes them ({held_out['right_not_passes']:.2%} of those that are not passes)"
    )


@app.command()
def iterate(
    folder: Folder,
    prior: Annotated[Path, typer.Option(help="The imitation to start from and to stay near.", exists=True)],
    bank: Annotated[Path, typer.Option(help="A bank of solved deals.", exists=True)],
    mode: Annotated[str, typer.Option(help="compatible or partnership.")] = "compatible",
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of 1,024 boards, both rooms.")] = 2000,
    kl: Annotated[float, typer.Option(min=0.0, help="Pull to the imitation: more is more readable, 0 is free.")] = 0.05,
    rate: Annotated[float, typer.Option(min=1e-7, max=0.1, help="Learning rate.")] = 1e-4,
    seed: Annotated[int, typer.Option(min=0, help="Which boards.")] = 1,
    as_json: Json = False,
) -> None:
    """Improve an imitation by self-play at duplicate, without losing the language.

    The best network measured on held-out deals is FOLDER/policy.safetensors. It can be stopped at any time; the same
    command goes on, and more rounds may be asked for.
    """
    with _gradients():
        from borel.learning.improvement import ImprovementSettings, improve
    settings = ImprovementSettings(mode=mode, rounds=rounds, kl=kl, rate=rate, seed=seed)
    with _reporting() as report:
        network = improve(folder, prior, bank, settings, report)
    if as_json:
        show_json(network.manifest)
        return
    console.print(f"{folder / 'policy.safetensors'}: the best of {rounds} rounds")


@app.command()
def status(
    folder: Annotated[Path, typer.Argument(help="A run's folder.", exists=True, file_okay=False)],
    plot: Annotated[Path | None, typer.Option(help="Draw the history to this file (extra 'plots').")] = None,
    as_json: Json = False,
) -> None:
    """Show how far a run has come."""
    from borel.learning.runs import plot_history, read_history

    kind, lines = read_history(folder)
    if plot is not None:
        plot_history(kind, lines, plot)
    if as_json:
        show_json({"kind": kind, "history": lines})
        return
    console.print(f"{folder}: {kind}, {len(lines)} lines of history")
    for line in lines[-10:]:
        console.print("  " + ", ".join(f"{name} {value:g}" for name, value in line.items()))


@contextmanager
def _gradients() -> Iterator[None]:
    """Training needs JAX, which the base install does not have."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in ("jax", "optax"):
            raise
        raise BridgeError(f"training needs {error.name}: pip install 'borel-bridge[train]'") from None


@contextmanager
def _reporting() -> Iterator[Report]:
    """A bar that says what is being done."""
    with progress_bar() as bar:
        task = bar.add_task("", total=None)
        yield lambda words, done, total: bar.update(task, description=words, completed=done, total=total)
