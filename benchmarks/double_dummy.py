"""Our double-dummy solver against DDS (as shipped by endplay): same answers, and how much faster.

Both run in one process, one thread each, interleaved deal by deal; times are CPU times of the process. Pin it:

    taskset -c 1 python benchmarks/double_dummy.py            # speed: tables, contracts, leads, endings
    python benchmarks/double_dummy.py --check 2000            # equality with DDS on random deals
    python benchmarks/double_dummy.py --list list1000.txt     # equality with a file of known results
    python benchmarks/double_dummy.py --threads --deals 100   # two threads against one, wall clock
    python benchmarks/double_dummy.py --memory 160 --deals 20 # peak memory
"""

from __future__ import annotations

import argparse
import ctypes
import random
import resource
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from borel import _core

SEATS = "NESW"
RANKS = "23456789TJQKA"
NONE = 255
FOUR_VOIDS = "N:.KT98.AJ76.Q5432 Q5432..KT98.AJ76 AJ76.Q5432..KT98 KT98.AJ76.Q5432."
Hands = tuple[int, int, int, int]


class Dds:
    """DDS through ctypes: suits run S H D C there, ranks are bits 2..14."""

    class Deal(ctypes.Structure):
        _fields_ = [
            ("trump", ctypes.c_int),
            ("first", ctypes.c_int),
            ("suit", ctypes.c_int * 3),
            ("rank", ctypes.c_int * 3),
            ("cards", ctypes.c_uint * 4 * 4),
        ]

    class Future(ctypes.Structure):
        _fields_ = [
            ("nodes", ctypes.c_int),
            ("cards", ctypes.c_int),
            ("suit", ctypes.c_int * 13),
            ("rank", ctypes.c_int * 13),
            ("equals", ctypes.c_int * 13),
            ("score", ctypes.c_int * 13),
        ]

    class TableDeal(ctypes.Structure):
        _fields_ = [("cards", ctypes.c_uint * 4 * 4)]

    class Table(ctypes.Structure):
        _fields_ = [("tricks", ctypes.c_int * 4 * 5)]

    def __init__(self) -> None:
        import endplay

        self.lib = ctypes.CDLL(str(Path(endplay.__file__).parent / "_dds" / "libdds.so"))
        self.lib.SetMaxThreads(1)

    @staticmethod
    def holdings(hands: Hands) -> list[list[int]]:
        return [[(hand >> 13 * (3 - suit) & 0x1FFF) << 2 for suit in range(4)] for hand in hands]

    def prepare_table(self, hands: Hands) -> Callable[[], object]:
        deal, table = self.TableDeal(), self.Table()
        for seat, suits in enumerate(self.holdings(hands)):
            deal.cards[seat][:] = suits

        def run() -> object:
            code = self.lib.CalcDDtable(deal, ctypes.byref(table))
            assert code == 1, code
            return [[table.tricks[(3, 2, 1, 0, 4)[strain]][seat] for seat in range(4)] for strain in range(5)]

        return run

    def prepare_board(
        self, hands: Hands, strain: int, leader: int, trick: list[int], solutions: int
    ) -> Callable[[], Future]:
        deal, future = self.Deal(), self.Future()
        deal.trump, deal.first = (3, 2, 1, 0, 4)[strain], leader
        for i, card in enumerate(trick):
            deal.suit[i], deal.rank[i] = 3 - card // 13, card % 13 + 2
        for seat, suits in enumerate(self.holdings(hands)):
            deal.cards[seat][:] = suits

        def run() -> Dds.Future:
            code = self.lib.SolveBoard(deal, -1, solutions, 1, ctypes.byref(future), 0)
            assert code == 1, code
            return future

        return run

    @staticmethod
    def card_values(future: Future) -> dict[int, int]:
        values = {}
        for i in range(future.cards):
            suit = 3 - future.suit[i]
            for rank in range(2, 15):
                if rank == future.rank[i] or future.equals[i] >> rank & 1:
                    values[13 * suit + rank - 2] = future.score[i]
        return values


def deal_random(rng: random.Random, cards_each: int = 13) -> Hands:
    deck = rng.sample(range(52), 4 * cards_each)
    hands = [sum(1 << card for card in deck[seat::4]) for seat in range(4)]
    return hands[0], hands[1], hands[2], hands[3]


def arrays(hands: Hands, strain: int, leader: int, trick: list[int]) -> tuple[np.ndarray, ...]:
    return (
        np.array([hands], np.uint64),
        np.array([strain], np.uint8),
        np.array([leader], np.uint8),
        np.array([trick + [NONE] * (3 - len(trick))], np.uint8),
    )


def legal_cards(hand: int, trick: list[int]) -> list[int]:
    follow = hand & (0x1FFF << 13 * (trick[0] // 13)) if trick else 0
    return [card for card in range(52) if (follow or hand) >> card & 1]


def random_position(rng: random.Random, cards_each: int) -> tuple[Hands, int, int, list[int]]:
    """A random ending at a random point of a trick."""
    hands, strain, leader, trick = list(deal_random(rng, cards_each)), rng.randrange(5), rng.randrange(4), []
    for i in range(rng.randrange(4)):
        seat = (leader + i) % 4
        card = rng.choice(legal_cards(hands[seat], trick))
        hands[seat] &= ~(1 << card)
        trick.append(card)
    return (hands[0], hands[1], hands[2], hands[3]), strain, leader, trick


def seconds_of(job: Callable[[], object]) -> tuple[float, object]:
    start = time.process_time()
    result = job()
    return time.process_time() - start, result


def report(name: str, ours: list[float], theirs: list[float]) -> None:
    a, b = 1000 * np.array(ours), 1000 * np.array(theirs)
    print(
        f"{name:<22} ratio of means {a.mean() / b.mean():.3f}   "
        f"ours {a.mean():.3f} / {np.median(a):.3f} / {np.quantile(a, 0.95):.3f} / {a.max():.3f}   "
        f"DDS {b.mean():.3f} / {np.median(b):.3f} / {np.quantile(b, 0.95):.3f} / {b.max():.3f} ms",
        flush=True,
    )


def time_tables(dds: Dds, deals: list[Hands]) -> None:
    ours, theirs = [], []
    for hands in deals:
        masks = np.array([hands], np.uint64)
        b, expected = seconds_of(dds.prepare_table(hands))
        a, table = seconds_of(lambda masks=masks: _core.dd_tables(masks, threads=1))
        assert table[0].tolist() == expected, (hands, table, expected)
        ours.append(a), theirs.append(b)
    report("20-result table", ours, theirs)


def time_contracts(dds: Dds, deals: list[Hands]) -> None:
    ours, theirs = [], []
    for i, hands in enumerate(deals):
        strain, leader = i % 5, i // 5 % 4
        args = arrays(hands, strain, leader, [])
        b, future = seconds_of(dds.prepare_board(hands, strain, leader, [], 1))
        a, tricks = seconds_of(lambda args=args: _core.dd_solve(*args, threads=1))
        side = future.score[0] if leader % 2 == 0 else 13 - future.score[0]
        assert tricks[0] == side, (hands, strain, leader)
        ours.append(a), theirs.append(b)
    report("one contract", ours, theirs)


def time_values(dds: Dds, name: str, positions: list[tuple[Hands, int, int, list[int]]]) -> None:
    ours, theirs = [], []
    for hands, strain, leader, trick in positions:
        args = arrays(hands, strain, leader, trick)
        b, future = seconds_of(dds.prepare_board(hands, strain, leader, trick, 3))
        a, values = seconds_of(lambda args=args: _core.dd_card_values(*args, threads=1))
        expected = Dds.card_values(future)
        got = {card: int(v) for card, v in enumerate(values[0]) if v >= 0}
        assert expected.items() <= got.items(), (hands, strain, leader, trick, got, expected)
        ours.append(a), theirs.append(b)
    report(name, ours, theirs)


def speed(deals: int, seed: int, jobs: set[str]) -> None:
    rng, dds = random.Random(seed), Dds()
    full = [deal_random(rng) for _ in range(deals)]
    print("CPU ms as mean / median / p95 / slowest")
    _core.dd_tables(np.array([deal_random(rng, 2)], np.uint64), threads=1)
    if "contracts" in jobs:
        time_contracts(dds, full)
    if "leads" in jobs:
        time_values(dds, "all opening leads", [(hands, i % 5, i // 5 % 4, []) for i, hands in enumerate(full)])
    if "tables" in jobs:
        time_tables(dds, full)
    if "endings" in jobs:
        for size in (10, 8, 6, 4):
            time_values(dds, f"{size}-card endings", [random_position(rng, size) for _ in range(2 * deals)])


def check_deal(dds: Dds, rng: random.Random) -> int:
    """The twenty results of one deal and the values of every card in five positions against DDS: how many numbers."""
    hands = deal_random(rng)
    table = _core.dd_tables(np.array([hands], np.uint64), threads=1)[0]
    assert table.tolist() == dds.prepare_table(hands)(), hands
    numbers = 20
    for i in range(5):
        hands, strain, leader, trick = random_position(rng, 13 if i == 0 else rng.randint(2, 12))
        values = _core.dd_card_values(*arrays(hands, strain, leader, trick), threads=1)[0]
        expected = Dds.card_values(dds.prepare_board(hands, strain, leader, trick, 3)())
        got = {card: int(v) for card, v in enumerate(values) if v >= 0}
        assert expected.items() <= got.items(), (hands, strain, leader, trick, got, expected)
        numbers += len(expected)
    return numbers


def check(deals: int, seed: int, done: Path | None) -> None:
    """Compares with DDS deal by deal. A file `done` keeps what was compared (deal, numbers), to go on from there."""
    lines = done.read_text().splitlines() if done and done.exists() else []
    compared = {int(deal): int(numbers) for deal, numbers in map(str.split, lines)}
    dds = Dds()
    for deal in range(deals):
        if deal not in compared:
            compared[deal] = check_deal(dds, random.Random(f"check {seed} {deal}"))
            if done:
                with done.open("a") as file:
                    file.write(f"{deal} {compared[deal]}\n")
        if (deal + 1) % 200 == 0:
            print(f"{deal + 1} deals equal", flush=True)
    numbers = sum(compared[deal] for deal in range(deals))
    print(f"{deals} deals: all {20 * deals} results and {numbers - 20 * deals} card values equal those of DDS")


def parse_pbn(text: str) -> Hands:
    first, rest = text.split(":")
    hands = [0] * 4
    for i, hand in enumerate(rest.split()):
        for suit, holding in zip((3, 2, 1, 0), hand.split("."), strict=True):
            for rank in holding:
                hands[(SEATS.index(first) + i) % 4] |= 1 << 13 * suit + RANKS.index(rank)
    return hands[0], hands[1], hands[2], hands[3]


def check_list(path: Path) -> None:
    """A file in the format of DDS's test lists: TABLE is strain S H D C NT by declarer N E S W."""
    deals, tables = [], []
    for line in path.read_text().splitlines():
        if line.startswith("PBN"):
            deals.append(parse_pbn(line.split('"')[1]))
        elif line.startswith("TABLE"):
            tables.append(np.array(line.split()[1:], int).reshape(5, 4)[[3, 2, 1, 0, 4]])
    start = time.perf_counter()
    ours = _core.dd_tables(np.array(deals, np.uint64))
    seconds = time.perf_counter() - start
    wrong = int((ours != np.array(tables)).any(axis=(1, 2)).sum())
    print(f"{len(deals)} tables of {path.name}: {wrong} differ ({seconds:.1f} s)")
    assert wrong == 0


def threads(deals: int, seed: int) -> None:
    rng = random.Random(seed)
    masks = np.array([deal_random(rng) for _ in range(deals)], np.uint64)
    seconds = {}
    for count in (1, 2):
        start = time.perf_counter()
        _core.dd_tables(masks, threads=count)
        seconds[count] = time.perf_counter() - start
    print(f"two threads are {seconds[1] / seconds[2]:.2f} x one ({seconds[1]:.2f} s, {seconds[2]:.2f} s)")


def memory(deals: int, seed: int, memory_mb: int) -> None:
    """How far the process grows while one thread solves tables; the first is a deal that fills any table."""
    rng = random.Random(seed)
    hands = [parse_pbn(FOUR_VOIDS)] + [deal_random(rng) for _ in range(deals - 1)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _core.dd_tables(np.array(hands, np.uint64), threads=1, memory_mb=memory_mb)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"{deals} tables in one thread at memory_mb={memory_mb}: {grown / 1024:.0f} MB of memory at most")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", default="contracts,leads,tables,endings")
    parser.add_argument("--check", type=int, metavar="DEALS", help="compare with DDS instead of timing")
    parser.add_argument(
        "--done", type=Path, metavar="FILE", help="with --check: keep what was compared, go on from there"
    )
    parser.add_argument("--list", type=Path, metavar="FILE", help="compare with a list of known tables")
    parser.add_argument("--threads", action="store_true", help="one thread against two")
    parser.add_argument("--memory", type=int, metavar="MB", help="peak memory of one thread with a table of so many MB")
    options = parser.parse_args()
    if options.memory:
        memory(options.deals, options.seed, options.memory)
    elif options.list:
        check_list(options.list)
    elif options.check:
        check(options.check, options.seed, options.done)
    elif options.threads:
        threads(options.deals, options.seed)
    else:
        speed(options.deals, options.seed, set(options.jobs.split(",")))


if __name__ == "__main__":
    main()
