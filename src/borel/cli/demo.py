"""`borel demo`: one board from the deal to the score, with every call explained."""

from __future__ import annotations

import time
from random import SystemRandom
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as Grid

from borel.auction import PASS
from borel.cli.show import console, errors_console, show_json

if TYPE_CHECKING:
    from borel.arena.table import BoardResult
    from borel.scoring import Par


def demo(
    seed: Annotated[int | None, typer.Option(help="Which board; without it one is picked, and named.")] = None,
    seconds: Annotated[float, typer.Option(min=0.01, max=60, help="Time for each call and card.")] = 0.25,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Deal a board, bid it, play it, and compare the result with par."""
    from borel import dd
    from borel.arena.exhibition import exhibition

    seed = SystemRandom().randrange(1, 1_000_000) if seed is None else seed
    started = time.perf_counter()
    with errors_console.status("bidding and playing") as status:
        result = exhibition(seed, seconds=seconds, watch=lambda text: status.update(text))
        par = dd.par(result.board)
    seconds = time.perf_counter() - started
    if json:
        show_json(_document(result, par, seed, seconds))
    else:
        _show(result, par, seed, seconds)


def _document(result: BoardResult, par: Par, seed: int, seconds: float) -> dict[str, Any]:
    board, contract = result.board, result.auction.contract
    return {
        "seed": seed,
        "board": board.number,
        "dealer": str(board.dealer),
        "vulnerable": str(board.vulnerability),
        "deal": str(board.deal),
        "auction": [
            {"call": str(d.choice), "meaning": d.meaning, "sampled": d.sampled, "why": d.why} for d in result.calls
        ],
        "contract": str(contract) if contract else None,
        "play": [{"card": str(d.choice), "why": d.why} for d in result.cards],
        "result": str(result.result) if result.result else None,
        "ns_score": result.ns_score,
        "par": par.ns_score,
        "seconds": round(seconds, 2),
    }


def _show(result: BoardResult, par: Par, seed: int, seconds: float) -> None:
    from borel.scoring import imps

    board = result.board
    console.print(
        f"[bold]Board {board.number}[/]  dealer {board.dealer.word}, {_vulnerable(board.vulnerability)}"
        f"  [dim](borel demo --seed {seed})[/]\n"
    )
    console.print(board.deal.diagram() + "\n", highlight=False)
    _show_auction(result)
    _show_play(result)
    outcome = result.result
    told = f"{outcome.contract.pretty()}, {_made(outcome.over)}" if outcome else "Passed out"
    console.print(f"[bold]{told}[/]: North-South {result.ns_score:+d}")
    reached = ", ".join(str(r) for r in par.results) or "passed out"
    swing = imps(result.ns_score - par.ns_score)
    console.print(f"Par: North-South {par.ns_score:+d} ({reached}); against par {swing:+d} IMPs for North-South")
    console.print(f"[dim]{seconds:.1f} seconds[/]")


def _vulnerable(vulnerability: Any) -> str:
    return ("nobody vulnerable", "North-South vulnerable", "East-West vulnerable", "everybody vulnerable")[
        vulnerability
    ]


def _made(over: int) -> str:
    return "made exactly" if over == 0 else f"{over} over" if over > 0 else f"{-over} down"


def _show_auction(result: BoardResult) -> None:
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("", "call", "meaning"):
        grid.add_column(heading)
    for position, decision in enumerate(result.calls):
        seat, call = result.auction.seat_of(position), decision.choice
        meaning = escape(decision.meaning) if call != PASS else f"[dim]{escape(decision.meaning)}[/]"
        grid.add_row(seat.word, call.symbol, meaning)
    console.print(grid)
    console.print()


def _show_play(result: BoardResult) -> None:
    if result.play is None:
        return
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("trick", "", "", "", "", "won by"):
        grid.add_column(heading)
    for number, trick in enumerate(result.play.tricks, 1):
        winner = trick.winner(result.play.strain)
        cards = []
        for turn, card in enumerate(trick.cards):
            seat = (trick.leader + turn) % 4
            text = f"{'NESW'[seat]} {card.symbol}"
            cards.append(f"[bold]{text}[/]" if seat == winner else text)
        grid.add_row(str(number), *cards, *[""] * (4 - len(cards)), winner.word if len(cards) == 4 else "")
    console.print(grid)
    if (claim := result.play.claim) is not None and claim.claimer is not None:
        console.print(f"{claim.claimer.word} claims: {escape(result.cards[-1].why.partition(': ')[2])}")
    console.print()
