"""The experiment of Ginsberg's GIB paper (2001, section 2.5): what partition search saves over an ordinary table.

A *node* is one card played by the search. Both searches are the same zero-window search with the same move ordering and
equal cards merged; the bounds from sure and later tricks, the cut by rank and the cache of good cards are off. They
differ only in the table: one entry for each position, or one for a set of positions in which only the ranks that
mattered are kept. Deals that need more than ``node_limit`` nodes are counted as censored and left out of the fit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.cards import Strain
from borel.dd.positions import NO_CARD, Positions
from borel.errors import BridgeError, ParseError

__all__ = ["Fit", "Measured", "fit", "full_deals", "measure", "read_measured", "sample"]

SIZES = range(3, 13)  # cards a hand: 12 to 48 cards
PAPER_FIT = (1.57, 0.76)
PAPER_FULL_DEAL_NODES = 18_000


@dataclass(frozen=True, slots=True)
class Measured:
    """One deal: cards a hand, and the nodes of each search; None beyond the limit."""

    number: int
    cards_each: int
    table_nodes: int | None
    partition_nodes: int | None


@dataclass(frozen=True, slots=True)
class Fit:
    """Least squares on the logarithms: partition nodes = factor * (table nodes) ** power, ± one standard error."""

    factor: float
    power: float
    power_error: float
    deals: int

    def __str__(self) -> str:
        return f"y = {self.factor:.2f} x^{self.power:.3f} (± {self.power_error:.3f}), {self.deals:,} deals"


def sample(numbers: Iterable[int], *, seed: int, sizes: range = SIZES) -> Positions:
    """Random deals, number k having ``sizes[k % len(sizes)]`` cards a hand, in a random strain with a random leader."""
    rows, strains, leaders = [], [], []
    for number in numbers:
        rng = Random(f"partition {seed} {number}")
        cards = rng.sample(range(52), 4 * sizes[number % len(sizes)])
        rows.append([sum(1 << card for card in cards[seat::4]) for seat in range(4)])
        strains.append(rng.randrange(len(Strain)))
        leaders.append(rng.randrange(4))
    n = len(rows)
    columns = np.array(strains, np.uint8), np.array(leaders, np.uint8), np.full((n, 3), NO_CARD, np.uint8)
    return Positions(np.array(rows, np.uint64).reshape(n, 4), *columns)


def options(table: _core.TableKind, *, node_limit: int = 0, merge_equals: bool = True) -> _core.SolverOptions:
    """The search of the experiment: every pruning off but the table."""
    return _core.SolverOptions(
        merge_equals=merge_equals,
        order_moves=True,
        sure_tricks=False,
        later_tricks=False,
        rank_cut=False,
        best_move_cache=False,
        table=table,
        node_limit=node_limit,
    )


def count_nodes(
    many: Positions, switches: _core.SolverOptions, *, threads: int = 0, memory_mb: int = 160
) -> tuple[NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint64]]:
    """North-South's tricks (255 beyond the limit), nodes, and nodes where a trick begins, each with an empty table."""
    columns = many.hands, many.strain, many.leader, many.trick
    counted: Any = _core.dd_nodes(*columns, switches, threads=threads, memory_mb=memory_mb)
    return np.asarray(counted[0]), np.asarray(counted[1]), np.asarray(counted[2])


def measure(
    deals: int = 1000,
    *,
    seed: int = 1,
    node_limit: int = 10**8,
    done: Iterable[Measured] = (),
    merge_equals: bool = True,
    threads: int = 0,
    memory_mb: int = 400,
    batch: int = 10,
) -> Iterator[Measured]:
    """Measure the deals that are not yet ``done``, smallest and largest mixed, yielding each as soon as it is known."""
    known = {measured.number for measured in done}
    left = [number for number in range(deals) if number not in known]
    for first in range(0, len(left), batch):
        numbers = left[first : first + batch]
        many = sample(numbers, seed=seed)
        nodes = []
        tricks = []
        for kind in (_core.TableKind.exact, _core.TableKind.partition):
            switches = options(kind, node_limit=node_limit, merge_equals=merge_equals)
            found, counts, _ = count_nodes(many, switches, threads=threads, memory_mb=memory_mb)
            tricks.append(found)
            nodes.append([None if t == NO_CARD else int(n) for t, n in zip(found, counts, strict=True)])
        _check(numbers, tricks[0], tricks[1])
        for number, plain, partition in zip(numbers, *nodes, strict=True):
            yield Measured(number, SIZES[number % len(SIZES)], plain, partition)


def _check(numbers: list[int], plain: NDArray[np.uint8], partition: NDArray[np.uint8]) -> None:
    """Both searches agree wherever both finished."""
    for number, one, other in zip(numbers, plain, partition, strict=True):
        if NO_CARD not in (one, other) and one != other:
            raise BridgeError(f"deal {number}: {one} tricks with an ordinary table, {other} with partition search")


def full_deals(
    deals: int, *, seed: int = 1, everything: bool = False, threads: int = 0
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """(nodes, nodes at which a trick begins) of full deals by partition search, alone or with ``everything`` on."""
    many = sample(range(deals), seed=seed, sizes=range(13, 14))
    switches = _core.SolverOptions() if everything else options(_core.TableKind.partition)
    return count_nodes(many, switches, threads=threads)[1:]


def fit(points: Iterable[Measured]) -> Fit:
    """The paper's curve through the deals that both searches finished."""
    pairs = [(p.table_nodes, p.partition_nodes) for p in points if p.table_nodes and p.partition_nodes]
    if len(pairs) < 3:
        raise BridgeError(f"a curve needs at least three deals, not {len(pairs)}")
    x, y = np.log(np.array(pairs, float)).T
    power, offset = np.polyfit(x, y, 1)
    spread = np.sqrt(((y - power * x - offset) ** 2).sum() / (len(x) - 2) / ((x - x.mean()) ** 2).sum())
    return Fit(math.exp(offset), float(power), float(spread), len(pairs))


def read_measured(path: Path) -> list[Measured]:
    """What an earlier run wrote, one JSON object a line; a last line cut short is ignored."""
    measured = []
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            measured.append(Measured(**json.loads(line)))
        except (ValueError, TypeError):
            if number < len(lines):
                raise ParseError("measured deal", line, line=number) from None
    return measured


def write_measured(path: Path, points: Iterable[Measured], on_point: Callable[[Measured], object]) -> None:
    """Append points to a file as they come, telling ``on_point`` of each; a last line cut short is dropped first."""
    with path.open("ab+") as raw:
        raw.seek(0)
        raw.truncate(raw.read().rfind(b"\n") + 1)
    with path.open("a", encoding="utf-8") as handle:
        for point in points:
            handle.write(json.dumps(asdict(point)) + "\n")
            handle.flush()
            on_point(point)
