"""What many people at once would take: a queueing simulation with the measured times of bots' decisions.

    python benchmarks/capacity.py --measure 4 --strength steady --save times.json     (minutes: real boards are played)
    python benchmarks/capacity.py --times times.json --people 200 10000 1000000

People and tables are simulated one by one: a person thinks (lognormal, an assumption: many quick clicks and a long
tail), then the bots between this decision and the person's next one decide in turn, each waiting for one of the
search workers; then the person thinks again. Waiting is first come, first served, which for one request a table is what
the server's fair queue does. For each number of people the fewest workers are sought with which 95 of 100 bots'
decisions, waiting included, take no longer than the longest 5% of decisions take alone plus ``--slack`` seconds. A
million people are cells of ten thousand: tables are sticky and share nothing, so cells do not wait for one another.
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import json
import math
import random
import tempfile
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from random import Random

CELL = 10_000
SIGMA = 0.9  # of the lognormal thinking time of people: median 0.67 of the mean
UTILISED = 0.85  # the most of the workers' time that may be in use, second tables included


@dataclass(frozen=True)
class Times:
    """Seconds of single bots' decisions; how many come between a person's two; decisions of a whole board."""

    seconds: list[float]
    bursts: list[int]
    board_decisions: float
    own_decisions: float

    @property
    def mean(self) -> float:
        return sum(self.seconds) / len(self.seconds)


def measure(boards: int, strength: str) -> Times:
    """Play boards with a person (a bot in a person's chair) South, and time every decision."""
    from borel.arena.board_in_play import BoardInPlay
    from borel.cards import Seat
    from borel.deal import Board
    from borel.dealing import deals
    from borel.web.bots import Bot
    from borel.web.tasks import decide

    bot, seconds, bursts, total, own = Bot.of(strength), list[float](), list[int](), 0, 0
    for number, deal in enumerate(deals(boards + 1, 5), 1):
        game, burst = BoardInPlay(Board.numbered(number, deal), frozenset({Seat.S}), bot.systems), 0
        while not game.is_over:
            person = game.turn in game.people
            begun = time.perf_counter()
            decision, _ = decide(bot, game.view(), f"{number}/{game.point}")
            spent = time.perf_counter() - begun
            game.add(decision)
            if number == 1:
                continue  # the first board reads the system
            total += 1
            if person:
                own, burst = own + 1, (bursts.append(burst), 0)[1]
            else:
                seconds.append(spent)
                burst += 1
    return Times(seconds, bursts, total / boards, own / boards)


def store_writes() -> float:
    """Events a second that the store takes from one thread, on this disk."""
    from borel.web.store import WebStore

    async def write(folder: str) -> float:
        store = WebStore(str(Path(folder) / "tables.sqlite"))
        await store.open_table("t", {})
        begun, count = time.perf_counter(), 2_000
        for number in range(count):
            await store.append("t", number, [{"kind": "act", "choice": "SA", "why": "x" * 100, "candidates": []}])
        spent = time.perf_counter() - begun
        store.close()
        return count / spent

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(write(folder))


@dataclass(frozen=True)
class Run:
    p95: float
    busy: float  # share of the workers' time
    decisions: float  # bots' a second
    acts: float  # people's a second


def simulate(times: Times, people: int, workers: int, think: float, *, seconds: float, seed: int) -> Run:
    """A closed queue: thinking people, and one line before all workers."""
    rng, mu = Random(seed), math.log(think) - SIGMA**2 / 2
    events = [
        (rng.uniform(0, think), 0, who, 0) for who in range(people)
    ]  # time, kind (0 click, 1 done), who, bots left
    heapq.heapify(events)
    line: deque[tuple[float, int, int]] = deque()
    free, waits, busy, acts, warm = workers, list[float](), 0.0, 0, seconds / 4

    def serve(now: float, since: float, who: int, left: int) -> None:
        nonlocal busy
        spent = rng.choice(times.seconds)
        heapq.heappush(events, (now + spent, 1, who, left))
        if now > warm:
            busy += spent
            waits.append(now + spent - since)

    while events and events[0][0] < seconds:
        now, kind, who, left = heapq.heappop(events)
        if kind == 0:
            acts += now > warm
            left = rng.choice(times.bursts)
        else:
            free += 1
            if line and free:
                free -= 1
                since, other, rest = line.popleft()
                serve(now, since, other, rest)
        if left == 0:
            heapq.heappush(events, (now + rng.lognormvariate(mu, SIGMA), 0, who, 0))
        elif free:
            free -= 1
            serve(now, now, who, left - 1)
        else:
            line.append((now, who, left - 1))
    span = seconds - warm
    p95 = sorted(waits)[int(0.95 * len(waits))] if waits else 0.0
    return Run(p95, busy / (workers * span), len(waits) / span, acts / span)


def fewest_workers(times: Times, people: int, think: float, slack: float) -> tuple[int, Run, float]:
    """The fewest workers that keep the promise, with all second tables as well, and the share of time in use."""
    target = sorted(times.seconds)[int(0.95 * len(times.seconds))] + slack
    seconds = 600.0 if people <= 2_000 else 200.0
    second_tables = times.board_decisions / max(1.0, times.board_decisions - times.own_decisions)
    needed = people / think * times.mean * sum(times.bursts) / len(times.bursts)  # workers, if nobody ever waited
    low, high = max(1, int(0.5 * needed)), max(2, int(4 * needed) + 4)
    while low < high:
        workers = (low + high) // 2
        run = simulate(times, people, workers, think, seconds=seconds, seed=1)
        if run.p95 <= target and run.busy * (1 + second_tables) <= UTILISED:
            high = workers
        else:
            low = workers + 1
    run = simulate(times, people, low, think, seconds=seconds, seed=2)
    return low, run, run.busy * (1 + second_tables)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", type=int, default=0, help="boards to play for the times of decisions")
    parser.add_argument("--strength", default="steady")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--times", type=Path)
    parser.add_argument("--people", type=int, nargs="+", default=[200, 10_000, 1_000_000])
    parser.add_argument("--think", type=float, default=8.0)
    parser.add_argument("--slack", type=float, default=1.0)
    options = parser.parse_args()
    random.seed(1)
    if options.measure:
        times = measure(options.measure, options.strength)
        if options.save:
            options.save.write_text(json.dumps(times.__dict__), encoding="utf-8")
    else:
        times = Times(**json.loads(options.times.read_text(encoding="utf-8")))
    report(times, options)


def report(times: Times, options: argparse.Namespace) -> None:
    ordered = sorted(times.seconds)
    error = 1.96 * (sum((s - times.mean) ** 2 for s in ordered) / len(ordered)) ** 0.5 / len(ordered) ** 0.5
    between = sum(times.bursts) / len(times.bursts)
    print(f"a bot's decision: {times.mean:.3f} ± {error:.3f} s on average, p50 {ordered[len(ordered) // 2]:.3f}, "
          f"p95 {ordered[int(0.95 * len(ordered))]:.3f} ({len(ordered)} decisions); "
          f"{between:.2f} between a person's two; a board has {times.board_decisions:.0f}, "
          f"{times.own_decisions:.0f} of them the person's")  # fmt: skip
    writes = store_writes()
    print(f"the store takes {writes:,.0f} events a second from one thread")
    print("people     workers  people a worker  p95 wait s  in use  clicks/s  bots' decisions/s  events/s")
    found: dict[int, tuple[int, Run, float]] = {}
    for people in options.people:
        cells = max(1, people // CELL)
        size = people // cells
        found[size] = found.get(size) or fewest_workers(times, size, options.think, options.slack)
        workers, run, busy = found[size]
        rate = cells * (run.acts + run.decisions) * (1 + 1 / times.own_decisions)
        print(f"{people:9,}  {cells * workers:8,}  {people / (cells * workers):15.1f}  {run.p95:10.2f}  {busy:6.0%}"
              f"  {cells * run.acts:8,.0f}  {cells * run.decisions:17,.0f}  {rate:8,.0f}")  # fmt: skip


if __name__ == "__main__":
    main()
