"""`borel convert`: from one file format to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from borel.cli.show import console, errors_console, progress_bar, show_json

if TYPE_CHECKING:
    from borel.errors import BridgeError
    from borel.formats.convert import Summary

_FORMATS = "pbn, lin, url, jsonl, wbridge5"


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="The file to read; - is standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - is standard output.")],
    source_format: Annotated[
        str | None, typer.Option("--from", help=f"The format of IN: {_FORMATS}. By its extension or content otherwise.")
    ] = None,
    target_format: Annotated[
        str | None, typer.Option("--to", help="The format of OUT. By its extension otherwise.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first bad record and leave OUT as it was.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Convert records of boards between PBN, LIN, hand-viewer URLs, JSON lines and WBridge5's numbers.

    Bad records are reported by line and reason, and the good ones kept; exit code 1 says that there were any.
    """
    import borel.formats.convert as library
    from borel.formats import format_named

    with progress_bar() as progress:
        task = progress.add_task(f"{source} (bytes)", total=None)

        def show_bad(error: BridgeError) -> None:
            progress.console.print(f"{source}: {error}", markup=False, soft_wrap=True, style="red")

        summary = library.convert(
            source,
            target,
            source_format=format_named(source_format) if source_format else None,
            target_format=format_named(target_format) if target_format else None,
            on_bad=None if strict else show_bad,
            on_progress=lambda done, total: progress.update(task, completed=done, total=total),
        )
    _show(summary, as_json=as_json)
    if summary.bad:
        raise typer.Exit(1)


def _show(summary: Summary, *, as_json: bool) -> None:
    """On standard output, unless the records went there."""
    to_errors = summary.target == "-"
    if as_json:
        if to_errors:
            errors_console.print_json(data=summary.to_json(), indent=None)
        else:
            show_json(summary.to_json())
        return
    out = errors_console if to_errors else console
    rate = summary.records / summary.seconds if summary.seconds else 0.0
    bad = f", {summary.bad:,} bad" if summary.bad else ""
    took = f"in {summary.seconds:.1f} s ({rate:,.0f}/s)"
    line = f"{summary.source} → {summary.target}: {summary.records:,} records{bad} {took}"
    out.print(line, markup=False, soft_wrap=True)
    for title, counts in (("repaired", summary.repairs), ("not held by the format", summary.losses)):
        for kind, count in sorted(counts.items(), key=lambda item: -item[1]):
            out.print(f"  {title}: {count:,} {kind}", markup=False, soft_wrap=True)
