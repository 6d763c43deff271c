"""Deals a second: plain, with conditions, with threads, and endplay's generator. `python benchmarks/dealing.py`."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from borel.cards import Hand, Seat
from borel.dealing import Dealer, deals

CONDITIONS = {
    "15-17 balanced": "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)",
    "game with a 4-4 fit": "hearts(north) == 4 && hearts(south) == 4 && hcp(north) + hcp(south) >= 25",
    "weak two": "hcp(south) >= 5 && hcp(south) <= 10 && spades(south) == 6 && top3(south, spades) >= 2",
    "strong two clubs": "hcp(north) >= 22 && losers(north) <= 4",
    "five losers, by cccc": "cccc(west) >= 1800 && losers(west) <= 5",
}
ENDPLAY_SECONDS = 3.0


def rate(source: Dealer, seconds: float) -> tuple[float, float]:
    """Tries and finds a second."""
    start, now = time.perf_counter(), 0.0
    while now < seconds:
        source.block(1 << 17)
        now = time.perf_counter() - start
    return source.tries / now, source.found / now


def endplay_rate(condition: str) -> float | None:
    """Endplay's finds a second; None where endplay is not installed or finds none in the time."""
    try:
        from endplay.dealer import generate_deals
    except ImportError:
        return None
    start, found = time.perf_counter(), 0
    conditions = [condition.replace("cccc(west) >= 1800", "cccc(west) >= 18")] if condition else []
    for _ in generate_deals(*conditions, produce=100_000, seed=1, max_attempts=10**9):
        found += 1
        if time.perf_counter() - start > ENDPLAY_SECONDS:
            break
    return found / (time.perf_counter() - start)


def add_row(table: Table, name: str, source: Callable[[int], Dealer], condition: str | None, seconds: float) -> None:
    tries, found = rate(source(1), seconds)
    many, _ = rate(source(len(os.sched_getaffinity(0))), seconds)
    theirs = endplay_rate(condition) if condition is not None else None
    table.add_row(
        name,
        f"{tries:,.0f}",
        f"{many:,.0f}",
        f"{found:,.0f}",
        f"{theirs:,.1f}" if theirs else "",
        f"{found / theirs:,.0f}×" if theirs else "",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    seconds = parser.parse_args().seconds
    table = Table(title="Dealing")
    table.add_column("condition")
    for heading in ("deals/s looked at", "with all threads", "found/s", "endplay found/s", "faster"):
        table.add_column(heading, justify="right")
    add_row(table, "none", lambda threads: Dealer(1, threads=threads), "", seconds)
    given = {Seat.N: Hand.parse("AKQ5.KJ92.87.A43")}
    add_row(table, "none, North given", lambda threads: Dealer(1, predealt=given, threads=threads), None, seconds)
    for name, text in CONDITIONS.items():
        add_row(table, name, lambda threads, text=text: Dealer(1, where=text, threads=threads), text, seconds)
    start = time.perf_counter()
    count = sum(1 for _ in deals(200_000, 1))
    table.add_row("none, as Deal values", f"{count / (time.perf_counter() - start):,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
