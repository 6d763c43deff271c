"""What the arena's commands share: options, the store, progress, and what is said when they are interrupted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from borel.cli.show import errors_console, progress_bar, show_json

if TYPE_CHECKING:
    from borel.arena.report import Document
    from borel.record import Record
    from borel.store import Store

__all__ = ["Boards", "Fresh", "Json", "Out", "Place", "Seed", "Timeout", "Workers", "finish", "working"]

Seed = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same seed gives the same deals and result.")]
Boards = Annotated[int, typer.Option("--boards", "-n", min=1, max=10_000_000, help="How many boards.")]
Workers = Annotated[int | None, typer.Option(min=0, help="Processes; all cores unless given, 0 for none but this.")]
Timeout = Annotated[float, typer.Option(min=0.01, help="Seconds a bidder may take for a call; then the board is void.")]
Place = Annotated[
    str | None,
    typer.Option("--store", help="File or database URL where boards are kept as they come; 'none' keeps nothing."),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Begin anew instead of going on where the same command stopped.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Out = Annotated[
    list[Path] | None,
    typer.Option("--out", help="Also write a report: .txt, .json, .pbn or .html. May be given more than once."),
]


@contextmanager
def working(what: str, place: str | None) -> Iterator[tuple[Store, Callable[[int, int], None]]]:
    """A store and a progress bar. Ctrl-C ends the work with a word on what is safe."""
    from borel.store import Store

    done, total = 0, 0
    with Store(place) as store, progress_bar() as bar:
        task = bar.add_task(what, total=None)

        def advance(now: int, of: int) -> None:
            nonlocal done, total
            if total == 0 and now:
                errors_console.print(f"going on: {now} of {of} boards are already there (--fresh begins anew)")
            done, total = now, of
            bar.update(task, completed=now, total=of)

        try:
            yield store, advance
        except KeyboardInterrupt:
            bar.stop()
            kept = "nothing is kept" if store.place == "none" else "the same command goes on from there"
            errors_console.print(f"interrupted: {done} of {total} boards are done; {kept}")
            sys.exit(130)


def finish(
    document: Document,
    data: dict[str, Any],
    details: dict[str, Any],
    *,
    as_json: bool,
    out: list[Path] | None,
    records: Callable[[], Iterator[Record]] | None = None,
) -> None:
    """Write the reports that were asked for, then show the result."""
    from borel.arena.report import write_report

    for path in out or []:
        write_report(path, document, data | details, records() if records is not None else None)
    if as_json:
        show_json(data)
    else:
        typer.echo(str(document))


def check_outs(out: list[Path] | None, *, pbn: bool) -> None:
    """Complain of bad report names before the work begins."""
    from borel.arena.report import FORMATS, check_target

    for path in out or []:
        check_target(path, formats=[suffix for suffix in FORMATS if pbn or suffix != ".pbn"])


def read_records(path: Path) -> Iterator[Record]:
    """The records of a file in any format Borel reads; a bad one is said and left out."""
    from borel.errors import BridgeError
    from borel.formats import FORMATS, Report, format_of, sniff
    from borel.formats.files import open_source

    report = Report(on_bad=lambda error: errors_console.print(f"left out: {path}: {error}", markup=False))
    with open_source(str(path)) as source:
        name = format_of(str(path)) or sniff(source.text.read(4096))
        if name is None:
            raise BridgeError(f"{path}: not recognised as PBN, LIN or JSON lines")
        source.text.seek(0)
        yield from FORMATS[name].load(source.text, report)
