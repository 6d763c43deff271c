"""What a pair that learns from tables bids on: solved deals of a bank, as shapes, strengths and tricks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.auction import ALL_CALLS, Contract
from borel.cards import Seat
from borel.errors import BridgeError
from borel.learning.bank import Bank
from borel.learning.lab.openings import STRENGTHS, OpeningTable, Shape
from borel.scoring import score

__all__ = ["PairDeals", "best_scores", "classes_of", "coarser", "pair_deals", "score_table"]

DOUBLED_DOWN = 3  # "contracts going more than two down were assumed to be doubled" (9.1)


@dataclass(frozen=True, slots=True)
class PairDeals:
    """``hands`` [n, 2] as 38 * shape + points, opener's first; ``tricks`` [n, 2, 5] of each as declarer, by strain.

    ``theirs`` [n, 5] are the tricks of the better of two opponents, or [0, 5]: then they pass. ``boards`` [n] numbers
    the deals they come from: each deal is bid from all four seats; ``openers`` [n] says from which.
    """

    hands: NDArray[np.uint16]
    tricks: NDArray[np.uint8]
    theirs: NDArray[np.uint8]
    boards: NDArray[np.int64]
    openers: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def results(self) -> tuple[NDArray[np.uint16], NDArray[np.uint8], NDArray[np.uint8]]:
        """What the core takes: hands, tricks, and the opponents' tricks."""
        return self.hands, self.tricks, self.theirs

    def of(self, rows: slice | NDArray[np.int64]) -> PairDeals:
        """Some of the deals."""
        theirs = self.theirs[rows] if len(self.theirs) else self.theirs
        return PairDeals(self.hands[rows], self.tricks[rows], theirs, self.boards[rows], self.openers[rows])

    def mean_and_error(self, scores: NDArray[np.float32]) -> tuple[float, float]:
        """Mean of [n, 24] scores, with half of its 95% interval: what comes from one deal counts as one."""
        by_row = scores.mean(axis=1, dtype=np.float64)
        _, board = np.unique(self.boards, return_inverse=True)
        sums = np.bincount(board, by_row)
        sizes = np.bincount(board)
        mean = float(by_row.mean())
        residual = sums - mean * sizes
        return mean, 1.96 * float(np.sqrt((residual**2).sum()) / len(by_row))


def pair_deals(bank: Bank, rows: slice, shapes: list[Shape], *, opponents: bool = False) -> PairDeals:
    """The deals of a bank whose opener and responder both have one of the shapes; every seat opens once.

    With ``opponents`` the deals tell what opponents can make too, and they will bid.
    """
    masks, tricks = bank.hands(rows), bank.tricks(rows)
    numbers = {tuple(reversed(shape)): number for number, shape in enumerate(shapes)}
    described = _core.hand_numbers(masks.reshape(-1)).astype(np.int64)  # lengths C D H S, points
    known = [numbers.get(tuple(map(int, lengths)), -1) for lengths in described[:, :4]]
    shape, points = np.array(known).reshape(-1, 4), described[:, 4].reshape(-1, 4)
    hand = np.where(shape >= 0, shape * STRENGTHS + points, -1)
    found, results, theirs, boards = [], [], [], []
    for opener in range(4):
        pair = np.stack([hand[:, opener], hand[:, (opener + 2) % 4]], axis=1)
        kept = (pair >= 0).all(axis=1)
        found.append(pair[kept])
        both = np.stack([tricks[:, :, opener], tricks[:, :, (opener + 2) % 4]], axis=1)
        results.append(both[kept])
        theirs.append(np.maximum(tricks[:, :, (opener + 1) % 4], tricks[:, :, (opener + 3) % 4])[kept])
        boards.append(np.flatnonzero(kept))
    if not sum(map(len, found)):
        raise BridgeError(f"no deal of {bank.path} has two hands of the {len(shapes)} shapes")
    return PairDeals(
        np.concatenate(found).astype(np.uint16),
        np.concatenate(results).astype(np.uint8),
        np.concatenate(theirs).astype(np.uint8) if opponents else np.zeros((0, 5), np.uint8),
        np.concatenate(boards),
        np.repeat(np.arange(4), [len(one) for one in boards]),
    )


def score_table() -> NDArray[np.float32]:
    """[38, 14]: what a contract scores, nobody vulnerable, by declarer's tricks; a pass scores nothing."""
    table = np.zeros((38, 14), np.float32)
    for call in ALL_CALLS[3:]:
        for tricks in range(14):
            doubled = 1 if call.level + 6 - tricks >= DOUBLED_DOWN else 0
            table[call.index, tricks] = score(
                Contract(call.level, call.strain, Seat.N, doubled), tricks, vulnerable=False
            )
    return table


def best_scores(deals: PairDeals, scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """[n, 24]: the best score that each deal allows in each renaming of suits, in the core's order."""
    from itertools import permutations

    by_strain = np.stack([scores[3 + strain :: 5].max(axis=0) for strain in range(5)]).clip(min=0)
    most = deals.tricks.max(axis=1)
    best = np.zeros((len(deals), 24), np.float32)
    for number, order in enumerate(permutations(range(4))):
        for before, strain in enumerate((*order, 4)):
            best[:, number] = np.maximum(best[:, number], by_strain[strain][most[:, before]])
    return best


def classes_of(
    table: OpeningTable, shapes: list[Shape], *, precise: bool = True
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """[38 * shapes] twice: the classes in which opener and responder learn.

    With ``precise`` an opener whose opening is given counts points from the fewest that open so with the shape, up to
    fifteen more: the opening has told the rest (9.2).
    """
    classes = len(table.bounds)
    strength = np.array([table.class_of(points) for points in range(STRENGTHS)])
    responder = np.arange(len(shapes))[:, None] * max(16, classes) + strength[None, :]
    opener = responder.copy()
    openings = table.openings(shapes).reshape(len(shapes), STRENGTHS)
    for number in range(len(shapes)) if precise else ():
        for call in set(openings[number].tolist()) - {255}:
            points = np.flatnonzero(openings[number] == call)
            opener[number, points] = number * max(16, classes) + (points - points[0]).clip(max=15)
    return opener.reshape(-1).astype(np.uint32), responder.reshape(-1).astype(np.uint32)


def coarser(table: OpeningTable, shapes: list[Shape]) -> NDArray[np.uint32]:
    """By class, one of fewer: lengths below three and above five are not told apart, nor are neighbouring strengths."""
    width = max(16, len(table.bounds))
    groups: dict[tuple[int, ...], int] = {}
    group = [groups.setdefault(tuple(min(5, max(3, n)) for n in shape), len(groups)) for shape in shapes]
    strengths = np.arange(width) // 2
    return np.asarray(np.array(group)[:, None] * width + strengths[None, :], np.uint32).reshape(-1)
