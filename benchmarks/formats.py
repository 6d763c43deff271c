"""How fast records are converted, and that memory does not grow with the file.

    python benchmarks/formats.py [--megabytes 20] [--boards 2000] [--seed 1] [--folder DIR]

Boards with random auctions and complete plays are written as PBN again and again until the file is large enough, then
converted by the library function behind `borel convert`, each conversion in a process of its own so that its peak
memory can be read. Speeds are per second of processor time, so that a busy machine does not matter. The same conversion
at two sizes shows whether memory depends on size.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from borel import ALL_CARDS, Auction, Board, Deal, Hand, Play
from borel.formats import pbn
from borel.formats.convert import convert
from borel.record import Annotation, Record

CONVERSIONS = [
    tuple(pair.split("-"))
    for pair in ("pbn-jsonl", "jsonl-pbn", "pbn-pbn", "pbn-lin", "lin-jsonl", "lin-url", "url-jsonl")
]


def random_record(number: int, random: Random) -> Record:
    """A board from deal to last card."""
    deck = random.sample(ALL_CARDS, 52)
    n, e, s, w = (Hand.of(deck[i : i + 13]) for i in range(0, 52, 13))
    board = Board.numbered(number, Deal((n, e, s, w)))
    auction = Auction(board.dealer).after(random.choice(("1C", "1H", "1NT")))
    while not auction.is_over:
        legal = auction.legal_calls()
        auction = auction.after(legal[0] if random.random() < 0.6 else legal[min(3, len(legal) - 1)])
    notes = tuple(
        Annotation("natural, forcing" if call.is_bid and i % 5 == 0 else "") for i, call in enumerate(auction)
    )
    assert auction.contract is not None
    play = Play(board.deal, auction.contract)
    while not play.is_over:
        play = play.after(random.choice(play.legal_cards()))
    names = ("Nora North", "Ed East", "Sue South", "Wes West")
    return Record(number, board.dealer, board.vulnerability, board.deal, names, auction, notes, cards=play.cards)


def write_large(path: Path, games: str, megabytes: float) -> None:
    """Repeat the games until the file has its size; nothing large is held in memory."""
    with path.open("w", encoding="utf-8") as handle:
        while handle.tell() < megabytes * 1e6:
            handle.write(games)


def measured(source: str, target: str) -> tuple[int, float, float]:
    """Records, seconds and peak megabytes of one conversion; runs in a fresh process."""
    started = time.process_time()
    summary = convert(source, target)
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    return summary.records, seconds, peak


def run(source: Path, target: Path) -> tuple[int, float, float]:
    """`measured` in a process of its own."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(measured, (str(source), str(target)))


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="Conversion speed and memory.")
    parser.add_argument("--megabytes", type=float, default=20, help="size of the larger PBN file")
    parser.add_argument("--boards", type=int, default=2000, help="different boards in it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=None, help="where to put the files")
    options = parser.parse_args()
    random = Random(options.seed)
    games = pbn.dumps(random_record(number, random) for number in range(1, options.boards + 1))
    table = Table("conversion", "input", "records", "records/s", "MB/s", "peak memory", title="borel convert")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder)
        write_large(path / "small.pbn", games, options.megabytes / 10)
        write_large(path / "large.pbn", games, options.megabytes)
        jobs = [("large", *CONVERSIONS[0]), *(("small", *conversion) for conversion in CONVERSIONS)]
        for size, source, target in jobs:
            read, written = path / f"{size}.{source}", path / f"{size}{'2' * (source == target)}.{target}"
            records, seconds, peak = run(read, written)
            megabytes = read.stat().st_size / 1e6
            speed = f"{records / seconds:,.0f}", f"{megabytes / seconds:.1f}"
            table.add_row(f"{source} → {target}", f"{megabytes:,.1f} MB", f"{records:,}", *speed, f"{peak:.0f} MB")
    Console().print(table)


if __name__ == "__main__":
    main()
