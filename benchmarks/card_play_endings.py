"""Exact single dummy: how long random endings take (Ginsberg 2001, section 6.5: 32 cards in about a minute)."""

from __future__ import annotations

import argparse
from random import Random
from statistics import median
from time import perf_counter, process_time

from borel import ALL_CARDS, Deal, Hand, Seat, Strain, dd
from borel.cardplay.endings import Ending
from borel.clock import processor_time


def ending_of(random: Random, size: int) -> tuple[Ending, int]:
    """A random ending, declarer South on lead, and the tricks that he takes double dummy as the cards lie."""
    deck = random.sample(ALL_CARDS, 4 * size)
    n, e, s, w = (Hand.of(deck[i * size : (i + 1) * size]) for i in range(4))
    deal, strain = Deal((n, e, s, w)), Strain(random.randrange(5))
    return Ending(deal, strain, Seat.S, Seat.S), dd.solve(deal, strain, Seat.S)


def every(ending: Ending, tricks: int, seconds: float) -> tuple[bool, str]:
    try:
        found = ending.lines(tricks, seconds=seconds)
    except TimeoutError:
        return False, "not finished"
    return True, f"{len(found)} lines, best {found[0].chance:.1%}" if found else "no line"


def best(ending: Ending, tricks: int, seconds: float) -> tuple[bool, str]:
    found = ending.best(tricks, seconds=seconds)
    told = f"best {found.line.chance:.1%}" if found.line else "no line"
    return found.proved, told if found.proved else f"not finished: {told}, at most {found.bound:.1%}"


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=8, help="cards a hand")
    parser.add_argument("--endings", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--every", action="store_true", help="the whole antichain, not only the best lines")
    given = parser.parse_args(words)
    random, times, late = Random(given.seed), list[float](), 0
    for number in range(given.endings):
        ending, tricks = ending_of(random, given.cards)
        started, wall = process_time(), perf_counter()
        with processor_time():  # a busy machine changes nothing
            finished, told = (every if given.every else best)(ending, max(1, tricks), given.seconds)
        late += not finished
        times.append(process_time() - started)
        print(f"{number:3}: {times[-1]:8.3f} CPU s ({perf_counter() - wall:.1f} s), {told}", flush=True)
    ordered = sorted(times)
    ninety = ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))]
    print(
        f"{4 * given.cards} cards, {len(times)} endings: median {median(times):.3f}, 90% {ninety:.3f}, slowest "
        f"{ordered[-1]:.3f} CPU seconds; {late} not finished in {given.seconds:g} s"
    )
