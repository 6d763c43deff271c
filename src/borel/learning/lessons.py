"""Boards that a system bids for its pupil, in parts that can be made one by one, on several cores or machines.

To read a point of an auction is dear, and the boards that come there share it. So boards are parted by vulnerability
and by how their auctions begin, not by number (docs/training.md has what that saves). A twentieth is held out; these
boards are bid with the others and never asked about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel import compute
from borel.bidding.tables import VULNERABLE, Tables
from borel.dealing import Dealer
from borel.errors import BridgeError
from borel.learning.other_hands import OtherHands, load_others, save_others
from borel.learning.runs import load_arrays, load_boards, save_arrays
from borel.learning.teacher import ASKED, bid_by_system
from borel.systems import load_system

__all__ = [
    "LessonBidder",
    "Part",
    "Report",
    "held_out",
    "load_lessons",
    "make_lessons",
    "parts_done",
    "parts_of",
    "split",
]

PART = 5000  # boards, about: half a minute of work, which is what a killed run loses
ANSWERS = 20_000_000  # about other hands, at most: more would fill the memory
Report = Callable[[str, int, int], None]  # what is being done, how much of it, of how much


@dataclass(frozen=True, slots=True)
class Part:
    """The boards of one vulnerability (of `VULNERABLE`, the dealer's side first): which part of so many."""

    vulnerable: int
    number: int = 0
    of: int = 1

    @property
    def name(self) -> str:
        """Of the files."""
        return f"{self.vulnerable}-{self.number:04d}.npz"


def parts_of(boards: int) -> list[Part]:
    """All parts of so many boards, the numbers of each vulnerability in turn, so that any few are a fair sample."""
    of = -(-boards // (4 * PART))
    return [Part(vulnerable, number, of) for number in range(of) for vulnerable in range(min(4, boards))]


def held_out(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which boards are not learnt from: every twentieth four, so that each vulnerability is there."""
    return np.asarray(numbers // 4 % 20 == 0)


def split(count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The boards to learn from, and those held out."""
    return np.flatnonzero(~held_out(np.arange(count))), np.flatnonzero(held_out(np.arange(count)))


class LessonBidder:
    """Deals boards and bids parts of them; one in each worker, so that a system is loaded once."""

    def __init__(self, system: str, seed: int, boards: int) -> None:
        self.system, self.seed, self.boards = load_system(system), seed, boards
        self.asked = max(4, min(ASKED, ANSWERS // (3 * max(1, boards))))

    @cached_property
    def _hands(self) -> NDArray[np.uint64]:
        return np.concatenate(list(Dealer(self.seed).blocks(self.boards)))

    def __call__(self, part: Part) -> tuple[NDArray[np.int64], Tables, OtherHands]:
        """The numbers of a part's boards, the boards bid to their ends, and answers about other hands."""
        numbers = np.arange(part.vulnerable, self.boards, 4)
        dealer = np.random.default_rng([self.seed, part.vulnerable]).integers(0, 4, len(numbers)).astype(np.int8)
        ours, theirs = VULNERABLE[part.vulnerable]
        vulnerable = np.where((dealer % 2 == 0)[:, None], [ours, theirs], [theirs, ours])
        tables = Tables.start(self._hands[numbers], dealer, vulnerable)
        learnt, walk = ~held_out(numbers), (part.number, part.of)
        others = bid_by_system(tables, self.system, self.asked, learnt=learnt, part=walk)
        done = np.flatnonzero(tables.contracts()[:, 0])
        return numbers[done], tables.take(done), others


def make_lessons(
    folder: Path, system: str, seed: int, boards: int, report: Report | None = None, workers: int | None = None
) -> None:
    """Bid the boards by the system, a part at a time; parts that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [part for part in parts_of(boards) if not (folder / f"boards-{part.name}").exists()]
    made = set(parts_of(boards)) - set(missing)
    done = sum(len(load_arrays(folder / f"boards-{part.name}")["numbers"]) for part in made)
    for outcome in compute.run(partial(LessonBidder, system, seed, boards), missing, workers=workers):
        if outcome.value is None:
            raise BridgeError(f"the boards of part {outcome.item} could not be bid: {outcome.error}")
        numbers, tables, others = outcome.value
        save_others(folder / f"others-{outcome.item.name}", others)
        save_lesson(folder / f"boards-{outcome.item.name}", numbers, tables)  # last: it says that the part is done
        done += len(numbers)
        if report is not None:
            report("bidding", done, boards)


def parts_done(folder: Path, boards: int) -> tuple[int, int]:
    """How many parts of so many boards have been bid, and how many there are."""
    parts = parts_of(boards)
    return sum((folder / f"boards-{part.name}").exists() for part in parts), len(parts)


def save_lesson(path: Path, numbers: NDArray[np.int64], tables: Tables) -> None:
    """A part's boards with their numbers."""
    longest = max(1, int(tables.lengths.max(initial=0)))
    arrays = {name: getattr(tables, name) for name in Tables.__slots__} | {"calls": tables.calls[:, :longest]}
    save_arrays(path, arrays | {"numbers": numbers})


def load_lessons(folder: Path, boards: int) -> tuple[Tables, OtherHands]:
    """All boards in the order of their numbers, and all answers about other hands."""
    parts = parts_of(boards)
    paths = [folder / f"boards-{part.name}" for part in parts]
    numbers = np.concatenate([load_arrays(path)["numbers"] for path in paths])
    others = OtherHands.joined([load_others(folder / f"others-{part.name}") for part in parts])
    return load_boards(paths).take(np.argsort(numbers)), others
