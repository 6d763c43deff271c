"""How well a bidder bids: agreement with tables, teachers and another program; self-bid boards; loss against par.

    BOREL_DATA=/path/to/data python benchmarks/bidding.py agreement --bidder rules:sayc --set sayc
    BOREL_DATA=/path/to/data python benchmarks/bidding.py boards --bidder rules:sayc --count 10000
    BOREL_DATA=/path/to/data python benchmarks/bidding.py absurd

A bidder is named as in the arena: ``rules:sayc``, ``rules:FILE.bid``, or ``module:function`` that makes a ``Bidder``.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

sys.path.insert(0, str(Path(__file__).parent))

from bidding_boards import BidBoard, bid_board, report_boards, report_records
from bidding_cases import Case, data_folder, lessons_cases, sayc_cases, stage, wbridge5_cases
from borel.auction import PASS, Auction, Call
from borel.cards import Strain
from borel.decision import Bidder
from borel.formats import pbn, wbridge5
from borel.policies.spec import bidder
from borel.view import BiddingView

SETS: dict[str, Callable[[Path], Iterator[Case]]] = {
    "sayc": sayc_cases,
    "lessons": lessons_cases,
    "wbridge5": wbridge5_cases,
}
DEFAULT_BIDDER = {"sayc": "rules:sayc", "lessons": "rules:two_over_one", "wbridge5": "rules:sayc"}

_bidder: Bidder | None = None  # one a process, made by the pool's initializer


def _start(spec: str) -> None:
    global _bidder
    _bidder = bidder(spec)


class Answer(NamedTuple):
    """A bidder's call for a case, with its reasons."""

    case: Case
    call: Call
    why: str


def answer(case: Case) -> Answer:
    """What this process's bidder calls."""
    assert _bidder is not None
    view = BiddingView(case.auction.turn, case.hand, case.auction, case.vulnerability)
    try:
        decision = _bidder.decide(view, rng=Random(0))
    except Exception as error:
        return Answer(case, PASS, f"EXCEPTION {type(error).__name__}: {error}")
    return Answer(case, decision.choice, f"{decision.why} [{decision.meaning}]")


Item = TypeVar("Item")
Result = TypeVar("Result")


def run(
    work: Callable[[Item], Result], items: Iterable[Item], spec: str, *, processes: int, chunk: int = 200
) -> Iterator[Result]:
    """Apply ``work`` to every item with a bidder in each process, in order, showing progress."""
    began = last = time.perf_counter()

    def watched(results: Iterable[Result]) -> Iterator[Result]:
        nonlocal last
        for number, result in enumerate(results, 1):
            yield result
            if (now := time.perf_counter()) - last > 10:
                last = now
                print(f"  {number} done in {now - began:.0f} s", file=sys.stderr, flush=True)

    if processes <= 1:
        _start(spec)
        yield from watched(map(work, items))
        return
    with ProcessPoolExecutor(processes, initializer=_start, initargs=(spec,)) as pool:
        yield from watched(pool.map(work, items, chunksize=chunk))


def pattern(auction: Auction) -> str:
    """The auction seen from the seat to call: opponents in parentheses, leading passes as a count, majors named M."""
    words, position = [], len(auction)
    for i, call in enumerate(auction.calls):
        text = str(call)
        if call.is_bid and call.strain is not Strain.NT:
            text = f"{call.level}{'M' if call.strain.is_major else 'm'}"
        words.append(text if (position - i) % 2 == 0 else f"({text})")
    joined = " ".join(words)
    lead = re.match(r"(?:\(?P\)? ?)*", joined)
    passes = lead.group(0).split() if lead else []
    return (f"{len(passes)}p: " if passes else "") + " ".join(joined.split()[len(passes) :])


class Tally:
    """Right and wrong answers by some key."""

    def __init__(self) -> None:
        self.right: Counter[str] = Counter()
        self.total: Counter[str] = Counter()

    def add(self, key: str, *, right: bool) -> None:
        """Count one answer."""
        self.total[key] += 1
        self.right[key] += right

    def line(self, key: str) -> str:
        """``key: 83.1% of 1204``."""
        return f"{key}: {100 * self.right[key] / max(1, self.total[key]):.2f}% of {self.total[key]}"

    def lost_most(self) -> list[str]:
        """Keys by the number of wrong answers."""
        return sorted(self.total, key=lambda key: self.right[key] - self.total[key])


def in_fold(case: Case, fold: str) -> bool:
    """Whether a board belongs to a fold: every fifth is held out of the tuning of rules."""
    board = int(case.source.split(":")[1])
    return (board % 5 == 0) == (fold == "held")


def agreement(args: argparse.Namespace) -> None:
    """Measure agreement on one set and list the disagreements by kind of auction."""
    cases: Iterable[Case] = SETS[args.set](data_folder())
    if args.fold != "all":
        cases = (case for case in cases if in_fold(case, args.fold))
    if args.stride > 1:
        cases = (case for i, case in enumerate(cases) if i % args.stride == args.offset)
    if args.grep:
        cases = (case for case in cases if re.search(args.grep, f"{pattern(case.auction)} | {stage(case.auction)}"))
    cases = islice(cases, args.limit)
    tally, wrong, kinds = Tally(), defaultdict(list), Tally()
    for case, call, why in run(answer, cases, args.bidder or DEFAULT_BIDDER[args.set], processes=args.processes):
        right = call == case.expected and not why.startswith("EXCEPTION")
        tally.add("all", right=right)
        if case.expected != PASS:
            tally.add("non-pass", right=right)
        if not any(earlier.is_bid for earlier in case.auction.calls):
            tally.add("opening calls", right=right)
        if why.startswith("EXCEPTION"):
            tally.add("exceptions", right=False)
        kind = f"{case.topic if args.by == 'topic' else stage(case.auction)}"
        kinds.add(kind if args.by != "pattern" else pattern(case.auction), right=right)
        if not right:
            key = {"topic": case.topic, "stage": stage(case.auction), "pattern": pattern(case.auction)}[args.by]
            wrong[key].append((case, call, why))
    for key in tally.total:
        print(tally.line(key))
    print()
    for key in kinds.lost_most()[: args.kinds]:
        print(f"-{kinds.total[key] - kinds.right[key]:4d}  {kinds.line(key)}")
        shown: Counter[str] = Counter(f"{case.expected}->{call}" for case, call, _ in wrong[key])
        if shown:
            print("       " + ", ".join(f"{pair} {n}" for pair, n in shown.most_common(12)))
        for case, call, why in wrong[key][: args.examples]:
            print(f"       {case.hand!s:18} [{case.auction}] {case.vulnerability} {case.expected} not {call}: {why}")


def boards(args: argparse.Namespace) -> None:
    """Bid random (or solved) boards with four such bidders and report what went wrong and what it cost."""
    jobs = ((args.seed, number, args.solved) for number in range(1, args.count + 1))
    results: list[BidBoard] = list(run(_bid, jobs, args.bidder or "rules:sayc", processes=args.processes, chunk=20))
    report_boards(results, shown=args.shown)


def absurd(_: argparse.Namespace) -> None:
    """Count the absurd ends of other bidders' auctions: a program's, and world championships'."""
    with (data_folder() / "wbridge5" / "dev.txt").open() as lines:
        report_records("WBridge5", wbridge5.load(lines))
    with (data_folder() / "experts" / "dev.pbn").open() as lines:
        report_records("world championships", pbn.load(lines))


def _bid(job: tuple[int, int, bool]) -> BidBoard:
    assert _bidder is not None
    seed, number, solved = job
    return bid_board(_bidder, seed, number, solved=solved)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    agree = commands.add_parser("agreement", help="agreement with one of the sets")
    agree.add_argument("--set", choices=sorted(SETS), required=True)
    agree.add_argument("--bidder")
    agree.add_argument("--by", choices=("topic", "stage", "pattern"), default="topic")
    agree.add_argument("--kinds", type=int, default=60, help="kinds of auction to list")
    agree.add_argument("--examples", type=int, default=0, help="disagreements to show of each kind")
    agree.add_argument("--fold", choices=("all", "tuned", "held"), default="all", help="boards tuned on, or held out")
    agree.add_argument("--stride", type=int, default=1, help="take every so many-th case")
    agree.add_argument("--offset", type=int, default=0)
    agree.add_argument("--limit", type=int)
    agree.add_argument("--grep", help="only auctions whose pattern or stage matches")
    agree.add_argument("--processes", type=int, default=1)
    agree.set_defaults(run=agreement)
    play = commands.add_parser("boards", help="boards bid by four such bidders")
    play.add_argument("--bidder")
    play.add_argument("--count", type=int, default=10_000)
    play.add_argument("--seed", type=int, default=1)
    play.add_argument("--solved", action="store_true", help="use the solved deals of BOREL_DATA and compare with par")
    play.add_argument("--shown", type=int, default=20)
    play.add_argument("--processes", type=int, default=2)
    play.set_defaults(run=boards)
    ends = commands.add_parser("absurd", help="absurd ends in the auctions of others")
    ends.set_defaults(run=absurd)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
