"""`borel train`: from a system to a network that bids it, and on to one that bids it better."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from borel.cli.cluster import Cluster, use_cluster
from borel.cli.show import console, progress_bar, show_json
from borel.errors import BridgeError

if TYPE_CHECKING:
    from borel.bidding.tables import Tables

app = typer.Typer(help="Teach a network a system, and let it improve.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The run's folder: made if it is not there, otherwise gone on with.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Workers = Annotated[
    int | None, typer.Option(min=0, help="Processes (machines' actors with --cluster); all cores if not given.")
]
Report = Callable[[str, int, int], None]


@app.command()
def imitate(
    folder: Folder,
    system: Annotated[str, typer.Option(help="A system by name, or FILE.bid.")] = "sayc",
    boards: Annotated[int, typer.Option(min=0, help="Boards that the system bids for its pupil.")] = 200_000,
    archive: Annotated[
        list[Path] | None,
        typer.Option(
            help="Learn from the auctions of this file too (PBN, LIN, JSON lines); may be repeated.", exists=True
        ),
    ] = None,
    rare: Annotated[
        int, typer.Option(min=0, help="Points of rare auctions, about, at which the system is asked besides.")
    ] = 60_000,
    enough: Annotated[
        int, typer.Option(min=0, help="Times that every rule is to be heard there; 0: as often as it comes.")
    ] = 500,
    again: Annotated[
        Path | None,
        typer.Option(help="An earlier run, whose rare auctions are asked about again: quick.", exists=True),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="Training steps of 2,048 calls each.")] = 20_000,
    width: Annotated[int, typer.Option(min=8, max=4096, help="Units in each hidden layer.")] = 256,
    depth: Annotated[int, typer.Option(min=1, max=12, help="Hidden layers.")] = 4,
    rate: Annotated[float, typer.Option(min=1e-7, max=0.1, help="Learning rate at its highest.")] = 1e-2,
    start: Annotated[
        str | None,
        typer.Option(
            help="Begin with this network, a file or one of the package, which knows something like the system."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Which deals, and where the network starts.")] = 1,
    workers: Workers = None,
    cluster: Cluster = "",
    as_json: Json = False,
) -> None:
    """Bid boards by a system's rules and teach a network to make the same calls.

    Writes FOLDER/policy.safetensors; `borel match neural:FOLDER/policy.safetensors rules:SYSTEM` shows what it has
    learnt. It can be stopped at any time; the same command goes on.
    """
    with _gradients():
        from borel.learning.imitation import ImitationSettings, imitate
        from borel.policies.neural import shipped
    use_cluster(cluster)
    files = archive or []
    names = tuple(path.name for path in files)
    asked = rare if boards else 0  # a pupil of archives alone learns their calls only
    settings = ImitationSettings(system, boards, width, depth, steps, rate, seed, names, asked, enough)
    before = None if start is None else shipped(start)
    with _reporting() as report:
        boards_of = [partial(_boards_of, path) for path in files]
        earlier = None if again is None else again / "boards"
        network = imitate(folder, settings, report, boards_of, workers, before, earlier)
    if as_json:
        show_json(network.manifest)
        return
    held_out = network.manifest["held_out"]
    console.print(
        f"{folder / 'policy.safetensors'}: {held_out['right']:.2%} of {held_out['decisions']:,} held-out calls as the "
        f"system makes them ({held_out['right_not_passes']:.2%} of those that are not passes)"
    )
    if "heard" in network.manifest:
        console.print(_heard(network.manifest["heard"]))


@app.command()
def iterate(
    folder: Folder,
    prior: Annotated[
        str, typer.Option(help="The imitation to start from and to stay near: a file, or one of the package.")
    ],
    bank: Annotated[Path, typer.Option(help="A bank of solved deals.", exists=True)],
    mode: Annotated[str, typer.Option(help="compatible or partnership.")] = "compatible",
    by: Annotated[
        str,
        typer.Option(help="calls: other calls tried one at a time; play: policy gradient; search: the paper's way."),
    ] = "calls",
    rounds: Annotated[
        int | None, typer.Option(min=1, help="How many; 800 by calls, 2,000 by play, 16 by search.")
    ] = None,
    kl: Annotated[
        float | None,
        typer.Option(min=0.0, help="Pull to the imitation: more is more readable; 0.25 (IMPs) by calls, 0.05 by play."),
    ] = None,
    astray: Annotated[
        float,
        typer.Option(min=0.0, max=1.0, help="Share of boards that begin with unlikely calls; by calls."),
    ] = 0.0,
    rehearsal: Annotated[
        int, typer.Option(min=0, help="Steps a round that learn the imitation's rare auctions again; not by search.")
    ] = 0,
    start: Annotated[
        str | None, typer.Option(help="A network to begin with instead of the imitation; not by search.")
    ] = None,
    decisions: Annotated[int, typer.Option(min=8, help="Decisions searched in a round, by search.")] = 2000,
    rate: Annotated[
        float | None, typer.Option(min=1e-7, max=0.1, help="Learning rate; 0.001 by calls, 0.0001 otherwise.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Which boards.")] = 1,
    workers: Workers = None,
    cluster: Cluster = "",
    as_json: Json = False,
) -> None:
    """Improve an imitation without losing the language: by trying calls, by self-play at duplicate, or by search.

    FOLDER/policy.safetensors is the best network measured on held-out deals, by calls the last. It can be stopped at
    any time; the same command goes on, and more rounds may be asked for.
    """
    if by not in ("calls", "play", "search"):
        raise BridgeError(f"--by is calls, play or search, not {by!r}")
    with _gradients():
        from borel.learning.improvement import WAYS, ImprovementSettings, improve
        from borel.learning.search_iteration import SearchSettings
        from borel.learning.search_iteration import iterate as iterate_by_search
        from borel.policies.neural import network_path, shipped
    use_cluster(cluster)
    imitation, before = network_path(prior), None if start is None else shipped(start)
    told = {"rounds": rounds, "rate": rate, "kl": kl}
    given: dict[str, Any] = {name: value for name, value in told.items() if value is not None}
    with _reporting() as report:
        if by in WAYS:
            ways = WAYS[by] | given
            asked = ImprovementSettings(mode, seed=seed, rehearsal=rehearsal, by=by, astray=astray, **ways)
            network = improve(folder, imitation, bank, asked, report, before)
        else:
            given.pop("kl", None)
            wanted = SearchSettings(mode=mode, decisions=decisions, seed=seed, **given)
            network = iterate_by_search(folder, imitation, bank, wanted, report, workers)
    if as_json:
        show_json(network.manifest)
        return
    console.print(f"{folder / 'policy.safetensors'}: of round {network.manifest.get('round', 0)}")


@app.command()
def status(
    folder: Annotated[Path, typer.Argument(help="A run's folder.", exists=True, file_okay=False)],
    plot: Annotated[Path | None, typer.Option(help="Draw the history to this file (extra 'plots').")] = None,
    calibration: Annotated[
        Path | None, typer.Option(help="Draw how often the pupil was right against how sure it was (extra 'plots').")
    ] = None,
    silent: Annotated[
        bool, typer.Option("--silent", help="List the rules that were not heard often enough, and why.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show how far a run has come."""
    from borel.learning.lessons import parts_done
    from borel.learning.rare_shards import rules_heard, silent_rules
    from borel.learning.runs import plot_history, read_history, settings_of
    from borel.systems.errors import SystemFileError

    kind, lines = read_history(folder)
    if plot is not None:
        plot_history(kind, lines, plot)
    if calibration is not None:
        _draw_calibration(folder, calibration)
    boards = folder / "boards"
    asked = settings_of(folder)
    heard, missing = {}, ""
    if any(boards.glob("heard-*.json")):
        try:
            heard = rules_heard(boards, asked["system"])
        except SystemFileError as error:  # the run was begun in another folder, or its system is gone
            missing = f"which rules were heard is not counted: {error}"
    if as_json:
        told = {"heard": heard, "silent": silent_rules(boards)} if heard else {}
        show_json({"kind": kind, "history": lines} | told)
        return
    console.print(f"{folder}: {kind}, {len(lines)} lines of history")
    if kind == "imitation" and asked["boards"]:
        done, of = parts_done(boards, asked["boards"])
        console.print(f"{done} of {of} parts of {asked['boards']:,} boards bid")
    for line in lines[-10:]:
        console.print("  " + ", ".join(f"{name} {value:g}" for name, value in line.items()))
    if heard or missing:
        console.print(_heard(heard) if heard else missing, markup=False)
    for place, (times, why) in silent_rules(boards).items() if silent else ():
        console.print(f"  {place}  {times} times: {why}", markup=False, soft_wrap=True)  # places stay whole


@app.command()
def drift(
    network: Annotated[str, typer.Argument(help="A network of the package by name, or FILE.safetensors.")],
    auctions: Annotated[int, typer.Option(min=1, help="How many of the commonest calls to compare.")] = 100,
    boards: Annotated[int, typer.Option(min=1, help="Boards that the system bids to find them.")] = 1000,
    show: Annotated[int, typer.Option(min=1, help="Lines to print.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Which boards and hands.")] = 1,
    as_json: Json = False,
) -> None:
    """Show the calls whose meaning a network has changed most, with what they mean now.

    For each of the system's commonest calls, the hands that make it by the rules are compared with those that make it
    by the network: 0% apart is the same language, 100% a private one.
    """
    from borel.learning.drift import drifts
    from borel.policies.neural import shipped

    with _reporting() as report:
        found = drifts(shipped(network), boards=boards, auctions=auctions, seed=seed, report=report)
    if as_json:
        show_json([one.as_json() for one in found])
        return
    total = sum(one.count for one in found)
    mean = sum(one.apart * one.count for one in found) / total
    console.print(f"{len(found)} calls compared, {mean:.1%} apart in the mean (weighed by how often they come up)")
    for one in found[:show]:
        line = one.as_json()
        console.print(f"\n{one.apart:.0%}  {line['auction']}", markup=False)
        console.print(f"     rules    {one.rules.frequency:.2%}: {line['rules']}", markup=False)
        console.print(f"     network  {one.network.frequency:.2%}: {line['network']}", markup=False)


def _boards_of(path: Path) -> Tables:
    from borel.cli.arena import read_records
    from borel.learning.archives import boards_of

    return boards_of(read_records(path))


def _heard(counts: dict[str, int]) -> str:
    """How many rules were heard in the rare auctions."""
    often = f"{counts['often']:,} of {counts['rules']:,} rules heard often enough in rare auctions"
    return f"{often}, {counts['seldom']:,} seldom, {counts['never']:,} never"


def _draw_calibration(folder: Path, path: Path) -> None:
    from borel.learning.examination import plot_calibration
    from borel.policies.network import load_network

    learnt = folder / "policy.safetensors"
    bins = load_network(learnt).manifest.get("held_out", {}).get("calibration", []) if learnt.exists() else []
    if not bins:
        raise BridgeError(f"{folder} has no finished imitation whose calibration could be drawn")
    plot_calibration(bins, path)


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
