"""`borel solve`: double-dummy tables, par, leads and the cost of each card."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from borel.cli.show import console, errors_console, progress_bar, show_json

if TYPE_CHECKING:
    from rich.progress import Progress

    from borel.cards import Seat
    from borel.dd import Trace
    from borel.dd.boards import Solution
    from borel.deal import Board, Vulnerability
    from borel.formats import Report
    from borel.formats.files import Source
    from borel.record import Record

_DEAL = re.compile(r"\s*(n|e|s|w|north|east|south|west)\s*:", re.IGNORECASE)


def solve(
    source: Annotated[
        str,
        typer.Argument(metavar="DEAL|FILE", help='A deal such as "N:AK.… … … …", a file of boards, or - for stdin.'),
    ],
    contract: Annotated[
        str | None, typer.Option("--contract", "-c", help='Show the leads against this contract, such as "4S by N".')
    ] = None,
    dealer: Annotated[str, typer.Option(help="Who deals a deal given as text.")] = "N",
    vulnerable: Annotated[str, typer.Option(help="Who is vulnerable on it: None, NS, EW or All.")] = "None",
    trace: Annotated[bool, typer.Option("--trace", help="Show what each card played cost.")] = False,
    threads: Annotated[int, typer.Option(min=0, help="Threads; 0 is one a core.")] = 0,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Give up when a few dozen boards take longer.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object for each board.")] = False,
) -> None:
    """Solve deals double dummy: the twenty results, par, the best leads, and the cost of each card played.

    Reads a deal as text, or a file in any format that borel convert reads, or a file with one deal on a line. Boards
    that cannot be solved are reported and the others solved; exit code 1 says that there were any.
    """
    from borel.auction import Contract
    from borel.cards import Seat
    from borel.dd.boards import solve_boards
    from borel.deal import Vulnerability
    from borel.errors import BridgeError

    against = Contract.parse(contract) if contract else None
    defaults = (Seat.parse(dealer), Vulnerability.parse(vulnerable))
    bad = 0
    with progress_bar() as bar, _boards(source, defaults, bar) as (boards, report):
        for solution in solve_boards(boards, contract=against, trace=trace, threads=threads, seconds=seconds):
            if isinstance(solution, BridgeError):
                bad += 1
                errors_console.print(f"borel: {solution}", style="red", markup=False, soft_wrap=True)
            elif as_json:
                show_json(solution.to_json())
            else:
                _show(solution)
    if bad or report.bad_records:
        raise typer.Exit(1)


@contextmanager
def _boards(
    source: str, defaults: tuple[Seat, Vulnerability], bar: Progress
) -> Iterator[tuple[Iterator[Board | Record], Report]]:
    """The boards of a text or a file, read as they are asked for."""
    from borel.errors import BridgeError
    from borel.formats import FORMATS, Report, format_of, sniff
    from borel.formats.files import open_source

    def show_bad(error: BridgeError) -> None:
        errors_console.print(f"{source}: {error}", style="red", markup=False, soft_wrap=True)

    report = Report(on_bad=show_bad)
    if _DEAL.match(source):
        yield _text_boards([source], defaults, None), report
        return
    with open_source(source) as opened:
        start = opened.text.read(1000)
        opened.text.seek(0)
        if _DEAL.match(start):
            boards: Iterator[Board | Record] = _text_boards(opened.text, defaults, report)
        else:
            name = format_of(source) or sniff(start)
            if name is None:
                raise BridgeError(f"{source}: neither deals nor a format that borel convert reads")
            boards = FORMATS[name].load(opened.text, report)
        yield _watched(boards, opened, bar), report


def _text_boards(
    lines: Iterable[str], defaults: tuple[Seat, Vulnerability], report: Report | None
) -> Iterator[Board | Record]:
    """Deals written one on a line."""
    from borel.deal import Board, Deal
    from borel.errors import BridgeError

    dealer, vulnerability = defaults
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            yield Board(Deal.parse(line), dealer, vulnerability)
        except BridgeError as error:
            if report is None:
                raise
            report.bad(error, number)


def _watched(boards: Iterator[Board | Record], opened: Source, bar: Progress) -> Iterator[Board | Record]:
    """The boards, with the progress bar told how far the file is read."""
    task = bar.add_task("solving (bytes)", total=opened.size)
    for board in boards:
        bar.update(task, completed=opened.position())
        yield board


def _show(solution: Solution) -> None:
    """For people: the diagram beside the table, then par, leads and the play."""
    from rich.table import Table as Grid
    from rich.text import Text

    board = solution.board
    number = f"Board {board.number}   " if board.number is not None else ""
    console.print(f"{number}Dealer {board.dealer.word}   Vulnerable {board.vulnerability}", style="bold")
    grid = Grid.grid(padding=(0, 6))
    grid.add_row(Text(board.deal.diagram()), Text("\n" + str(solution.table)))
    console.print(grid)
    if solution.par is not None:
        console.print(f"Par {solution.par}")
    if solution.leads and solution.contract is not None:
        _show_leads(solution)
    if solution.trace is not None:
        _show_trace(solution.trace)
    console.print()


def _show_leads(solution: Solution) -> None:
    """The defence's tricks after each lead, the best first, as in ``6: ♠K ♠Q   5: ♥4``."""
    leads = solution.leads or {}
    groups = [
        f"{tricks}: " + " ".join(card.symbol for card, value in leads.items() if value == tricks)
        for tricks in sorted(set(leads.values()), reverse=True)
    ]
    assert solution.contract is not None
    leader = solution.contract.leader.word
    console.print(f"{leader}'s leads against {solution.contract.pretty()} (tricks for the defence)", markup=False)
    console.print("  " + "   ".join(groups), markup=False)


def _show_trace(trace: Trace) -> None:
    """The play trick by trick: each card, with what it cost in red."""
    from rich.text import Text

    console.print(f"Play of {trace.play.contract.pretty()}: declarer can take {trace.tricks[0]} at the start")
    played = list(trace)
    for first in range(0, len(played), 4):
        line = Text(f" {first // 4 + 1:2}. {played[first].seat}")
        for card in played[first : first + 4]:
            line.append(f"  {card.card.symbol}")
            line.append(f" −{card.cost}" if card.cost else "   ", style="bold red")
        line.append(f"  → {played[min(first + 3, len(played) - 1)].declarer_tricks}")
        console.print(line)
    sides = {"declarer": trace.play.contract.side, "the defence": trace.play.contract.side.other}
    console.print("Given away: " + ", ".join(f"{name} {trace.cost(*side.seats)}" for name, side in sides.items()))
