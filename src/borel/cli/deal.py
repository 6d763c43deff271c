"""`borel deal`: random boards, with conditions."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from borel.cli.show import console, errors_console, progress_bar, show_json

if TYPE_CHECKING:
    from borel.cards import Hand, Seat
    from borel.deal import Deal, Vulnerability
    from borel.dealing import Condition, Dealer
    from borel.formats.report import TextWriter
    from borel.record import Record

_PATIENCE = 2.0  # seconds before a progress bar appears
_SHOWN = 500  # boards between two looks at the clock


@dataclass(frozen=True, slots=True)
class _Order:
    """What to deal and how to number it."""

    count: int
    first: int
    dealer: Seat | None
    vulnerability: Vulnerability | None


def deal(
    count: Annotated[
        int | None, typer.Option("--count", "-n", min=1, help="How many boards; 1, or the script's.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Which boards: the same seed gives the same ones.")] = None,
    where: Annotated[
        str,
        typer.Option(
            metavar="EXPR", help="Only deals that satisfy a condition of dealer's language; @FILE reads a script."
        ),
    ] = "",
    north: Annotated[str, typer.Option(metavar="HAND", help="Cards North has, such as AKQ.J2.. or SAKQ HJ2.")] = "",
    east: Annotated[str, typer.Option(metavar="HAND", help="Cards East has.")] = "",
    south: Annotated[str, typer.Option(metavar="HAND", help="Cards South has.")] = "",
    west: Annotated[str, typer.Option(metavar="HAND", help="Cards West has.")] = "",
    form: Annotated[
        str, typer.Option("--format", "-f", help="text, pbn, lin, jsonl or url; by the extension of --out otherwise.")
    ] = "",
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where to write; - is standard output.")
    ] = "-",
    number_from: Annotated[int, typer.Option(min=1, help="The number of the first board.")] = 1,
    dealer: Annotated[str, typer.Option(metavar="SEAT", help="Who deals every board; by its number otherwise.")] = "",
    vul: Annotated[str, typer.Option(help="None, NS, EW or All on every board; by its number otherwise.")] = "",
    max_tries: Annotated[
        int, typer.Option(min=1, help="Tries for each deal before a condition is given up.")
    ] = 10_000_000,
    threads: Annotated[int, typer.Option(min=0, help="Threads that look for deals; 0 is one for each processor.")] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a summary as JSON, with the boards unless --out.")
    ] = False,
) -> None:
    """Deal boards at random, around cards that are given, with conditions in the language of the dealer program.

    borel deal -n 8 --where "hcp(north) >= 15 && shape(north, any 4333 + any 4432 + any 5332)"
    """
    from borel.cards import Seat
    from borel.deal import Vulnerability
    from borel.dealing import Dealer, read_condition

    condition = read_condition(where) if where else None
    for note in condition.notes if condition else ():
        errors_console.print(note, markup=False, soft_wrap=True)
    given_seed = _seed(seed, condition)
    source = Dealer(
        secrets.randbelow(2**32) if given_seed is None else given_seed,
        where=condition,
        predealt=_hands({Seat.N: north, Seat.E: east, Seat.S: south, Seat.W: west}),
        max_tries=max_tries,
        threads=threads or _processors(),
    )
    order = _Order(
        count or (condition.produce if condition and condition.produce else 1),
        number_from,
        Seat.parse(dealer) if dealer else condition.dealer if condition else None,
        Vulnerability.parse(vul) if vul else condition.vulnerability if condition else None,
    )
    try:
        _write(source, order, _format(form, out), out, as_json=as_json)
    finally:
        if given_seed is None and source.found:
            errors_console.print(f"--seed {source.seed} deals these boards again", markup=False, soft_wrap=True)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _seed(seed: int | None, condition: Condition | None) -> int | None:
    """The seed given, or the script's, if there is one."""
    return condition.seed if seed is None and condition is not None else seed


def _hands(texts: dict[Seat, str]) -> dict[Seat, Hand]:
    from borel.cards import Hand

    return {seat: Hand.parse(text) for seat, text in texts.items() if text}


def _format(form: str, out: str) -> str:
    from borel.formats import format_named, format_of

    if form.lower() == "text":
        return "text"
    return format_named(form) if form else format_of(out) or "text"


def _write(source: Dealer, order: _Order, form: str, out: str, *, as_json: bool) -> None:
    """Write the boards; then, if it is wanted, the summary."""
    from borel.dealing.boards import boards
    from borel.formats import jsonl
    from borel.formats.files import open_target

    start = time.perf_counter()
    records = boards(
        _watched(source, order.count), first=order.first, dealer=order.dealer, vulnerability=order.vulnerability
    )
    shown: dict[str, Any] = {"seed": source.seed, "count": order.count}
    if as_json and out == "-":
        shown["boards"] = [jsonl.to_json(record) for record in records]
    else:
        with open_target(out) as handle:
            _dump(records, handle, form)
    shown |= {"tries": source.tries, "seconds": round(time.perf_counter() - start, 3)}
    if as_json:
        show_json(shown | ({} if out == "-" else {"out": out, "format": form}))
    elif out != "-":
        console.print(f"{order.count:,} boards of seed {source.seed} → {out}", markup=False, soft_wrap=True)


def _dump(records: Iterator[Record], handle: TextWriter, form: str) -> None:
    from borel.dealing.boards import diagram
    from borel.formats import FORMATS

    if form != "text":
        FORMATS[form].dump(records, handle)
        return
    for index, record in enumerate(records):
        handle.write(("\n" if index else "") + diagram(record))


def _watched(source: Dealer, count: int) -> Iterator[Deal]:
    """The deals one by one, with a progress bar once that takes a while."""
    from borel.dealing import as_deals

    start, given = time.perf_counter(), 0
    progress = progress_bar()
    task = progress.add_task("boards", total=count)
    try:
        for masks in source.blocks(count):
            if not progress.live.is_started and time.perf_counter() - start > _PATIENCE:
                progress.start()
            progress.update(task, description=f"boards ({source.tries:,} tries)")
            for deal in as_deals(masks):
                yield deal
                given += 1
                if given % _SHOWN == 0 and time.perf_counter() - start > _PATIENCE:
                    progress.start()
                    progress.update(task, completed=given)
    finally:
        progress.stop()
