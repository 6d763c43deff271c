"""What the ends of projected auctions are worth: tricks by the fast estimate or double dummy, then points."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.auction import Auction, Contract
from borel.bidding.projection import Ends
from borel.cards import Seat, Side, Strain
from borel.clock import Deadline
from borel.deal import Vulnerability
from borel.policies.tricks import SPREAD, estimate_tricks, trick_chances
from borel.scoring import score

__all__ = ["Tricks", "points_of"]

SURE_TO_BE_DOUBLED = 3  # tricks down: opponents who let that pass would be blundering
STEPS = 20  # of an estimated trick, in tables
SHRINK = 4.0  # solved layouts that the estimate's own word weighs as much as


@dataclass(slots=True)
class Tricks:
    """Declarer's tricks in each layout of a sample, asked for by strain and declarer.

    The estimate is made whole tricks by a random error of its known spread, one for each layout, strain and side, so
    that candidates that reach the same contract get the same tricks. Layouts solved double dummy have the exact number,
    and correct the estimate of the others: an error that comes from our own hand is the same in all layouts.
    """

    hands: NDArray[np.uint64]  # [n, 4]
    seed: int
    estimates: dict[tuple[Strain, Seat], NDArray[np.float64]] = field(default_factory=dict)
    exact: dict[tuple[Strain, Seat], NDArray[np.int8]] = field(default_factory=dict)  # -1: not solved
    noise: NDArray[np.float64] | None = None
    known: dict[tuple[Strain, Seat], NDArray[np.int64]] = field(default_factory=dict)  # until more is solved
    used: int = 0  # layouts looked at so far; all, if it is nothing

    def use(self, count: int) -> None:
        """Look at the first so many layouts: what is never looked at is never estimated."""
        if count != self.used:
            self.used = count
            self.known.clear()

    def of(self, strain: Strain, declarer: Seat) -> NDArray[np.int64]:
        """[n]: tricks."""
        key = (strain, declarer)
        if key not in self.known:
            self.known[key] = self._of(strain, declarer)
        return self.known[key]

    def _of(self, strain: Strain, declarer: Seat) -> NDArray[np.int64]:
        estimate = self.estimate(strain, declarer)
        spread = SPREAD[strain is Strain.NT]
        if self.noise is None:
            self.noise = np.random.default_rng(self.seed).standard_normal((len(self.hands), 5, 2))
        noise = self.noise[: len(estimate), strain, declarer.side]
        noisy = estimate + self._correction(strain, declarer) + spread * noise
        tricks = np.clip(np.rint(noisy), 0, 13).astype(np.int64)
        solved = self.exact.get((strain, declarer))
        return tricks if solved is None else np.where(solved[: len(tricks)] >= 0, solved[: len(tricks)], tricks)

    def estimate(self, strain: Strain, declarer: Seat) -> NDArray[np.float64]:
        """[n]: the fast estimate, made once for each layout that is looked at."""
        key, count = (strain, declarer), self.used or len(self.hands)
        made = self.estimates.get(key)
        if made is None:
            made = self.estimates[key] = estimate_tricks(self.hands[:count], strain, declarer)
        elif len(made) < count:
            more = estimate_tricks(self.hands[len(made) : count], strain, declarer)
            made = self.estimates[key] = np.concatenate([made, more])
        return made[:count]

    def _correction(self, strain: Strain, declarer: Seat) -> float:
        """The mean error of the estimate on the layouts that were solved, drawn towards nothing where they are few."""
        errors = [
            (self.exact[key][: len(made)] - made)[self.exact[key][: len(made)] >= 0]
            for key in ((strain, declarer), (strain, declarer.partner))
            if key in self.exact
            for made in (self.estimate(*key),)
        ]
        known = np.concatenate(errors) if errors else np.zeros(0)
        return float(known.sum() / (len(known) + SHRINK))

    def solve(
        self,
        strain: Strain,
        declarer: Seat,
        layouts: NDArray[np.int64],
        *,
        threads: int = 1,
        seconds: float | None = None,
    ) -> None:
        """Solve some layouts double dummy; TimeoutError when the seconds are over before."""
        solved = self.exact.setdefault((strain, declarer), np.full(len(self.hands), -1, dtype=np.int8))
        wanted = layouts[solved[layouts] < 0]
        if not len(wanted):
            return
        n = len(wanted)
        leaders, strains = np.full(n, declarer.lho, np.uint8), np.full(n, strain, np.uint8)
        nobody = np.full((n, 3), 255, np.uint8)
        deals = np.ascontiguousarray(self.hands[wanted])
        tricks = _core.dd_solve(deals, strains, leaders, nobody, threads=threads, seconds=seconds)
        ns = np.asarray(tricks, dtype=np.int8)
        solved[wanted] = ns if declarer.side is Side.NS else 13 - ns
        self.known.clear()

    def solve_for(
        self, contracts: list[tuple[Strain, Seat]], deadline: Deadline, *, threads: int = 1, most: int = 24
    ) -> int:
        """Solve the first layouts in turn for several contracts, as long as time allows; returns how many."""
        done = 0
        for first in range(min(most, len(self.hands))):
            for strain, declarer in contracts:
                left = deadline.left
                if left < 0.01:
                    return done
                try:
                    seconds = None if left == float("inf") else left
                    self.solve(strain, declarer, np.array([first]), threads=threads, seconds=seconds)
                except TimeoutError:
                    return done
                done += 1
        return done


@lru_cache(maxsize=4096)
def _worth(contract: Contract, *, vulnerable: bool, distrusted: bool) -> NDArray[np.float64]:
    """[14]: declarer's points by tricks; distrusted contracts that fail badly are doubled."""
    doubled = Contract(contract.level, contract.strain, contract.declarer, max(1, contract.doubled))
    fails = contract.tricks_needed - SURE_TO_BE_DOUBLED
    return np.array(
        [
            score(doubled if distrusted and tricks <= fails else contract, tricks, vulnerable=vulnerable)
            for tricks in range(14)
        ],
        dtype=np.float64,
    )


@lru_cache(maxsize=4096)
def _expected(contract: Contract, *, vulnerable: bool) -> NDArray[np.float64]:
    """[13 * STEPS + 1]: what a contract is worth to declarer by the estimate of its tricks, in steps."""
    estimates = np.arange(13 * STEPS + 1) / STEPS
    chances = trick_chances(estimates, SPREAD[contract.strain is Strain.NT])
    return np.asarray(chances @ _worth(contract, vulnerable=vulnerable, distrusted=True))


def points_of(ends: Ends, tricks: Tricks, side: Side, vulnerability: Vulnerability) -> NDArray[np.float64]:
    """[n]: a side's expected points in each layout. Its own failing contracts count as doubled, deservedly."""
    points = np.zeros(tricks.used or len(tricks.hands))
    for auction, layouts, chances in zip(ends.auctions, ends.rows, ends.chances, strict=True):
        contract = auction.contract
        if contract is None:
            continue
        for reached, members in _reached(auction, contract, tricks, layouts, vulnerability):
            ours = reached.side is side
            worth = _worth(reached, vulnerable=vulnerability.includes(reached.side), distrusted=ours)
            taken = tricks.of(reached.strain, reached.declarer)[layouts[members]]
            points[layouts[members]] += chances[members] * worth[taken] * (1 if ours else -1)
    return points


def _reached(
    auction: Auction, contract: Contract, tricks: Tricks, layouts: NDArray[np.int64], vulnerability: Vulnerability
) -> list[tuple[Contract, NDArray[np.int64]]]:
    """The contract of a finished auction; of an unfinished one, what looks best to the last bidder's side."""
    if auction.is_over:
        return [(contract, np.arange(len(layouts)))]
    vulnerable = vulnerability.includes(contract.side)
    choices = [contract, *_higher(contract)]
    expected = np.array(
        [
            _expected(choice, vulnerable=vulnerable)[
                np.rint(tricks.estimate(choice.strain, choice.declarer)[layouts] * STEPS).astype(np.int64)
            ]
            for choice in choices
        ]
    )
    best = expected.argmax(axis=0)
    return [(choice, np.flatnonzero(best == i)) for i, choice in enumerate(choices) if (best == i).any()]


def _higher(contract: Contract) -> list[Contract]:
    """The cheapest bid, game and small slam of each strain above a contract, played by the same declarer."""
    found = []
    for strain in Strain:
        cheapest = contract.level + (strain <= contract.strain)
        game = 3 if strain is Strain.NT else 4 if strain.is_major else 5
        levels = sorted({level for level in (cheapest, game, 6) if cheapest <= level <= 7})
        found += [Contract(level, strain, contract.declarer) for level in levels]
    return found
