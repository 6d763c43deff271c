"""How the auction goes on in many layouts at once: each player calls from his own cards by his own model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, PASS, Auction
from borel.cards import Seat
from borel.clock import Deadline

__all__ = ["Ends", "OutOfTimeError", "Policy", "project"]

Policy = Callable[[NDArray[np.float32], Auction], NDArray[np.float64]]  # encoded hands [n, width] -> [n, 38]
LONGEST = 60  # calls; rules that bid on for ever are cut short
NEVER = Deadline()
NEGLIGIBLE = 0.01  # branches of less weight are not followed


class OutOfTimeError(Exception):
    """The deadline passed before the projection was done."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Where the auction ends: for every way there, the layouts it happens in and with what probability.

    Ways too rare to be followed are left unfinished: their auctions are not over.
    """

    auctions: tuple[Auction, ...]
    rows: tuple[NDArray[np.int64], ...]
    chances: tuple[NDArray[np.float64], ...]

    def likeliest(self, count: int = 3) -> list[tuple[Auction, float]]:
        """The ends of greatest weight, each with its share."""
        weights = [float(chances.sum()) for chances in self.chances]
        total = sum(weights) or 1.0
        ranked = sorted(zip(self.auctions, weights, strict=True), key=lambda pair: -pair[1])
        return [(auction, weight / total) for auction, weight in ranked[:count]]


def project(
    auction: Auction,
    rows: Mapping[Seat, NDArray[np.float32]],
    policies: Mapping[Seat, Policy],
    *,
    rare: float = 0.0,
    deadline: Deadline = NEVER,
) -> Ends:
    """Follow the models from here to the end, layouts that go the same way together.

    ``rows``: every seat's encoded hands, [n, width] each. A policy of zeros and ones sends a layout one way; others
    split it by the probabilities, without cut-off but for branches that hardly weigh. Where less than ``rare`` layouts
    go a way, it is left unfinished: new points of an auction are dear, for the rules must be read for each.
    """
    n = len(next(iter(rows.values())))
    open_nodes = [(auction, np.arange(n), np.ones(n))]
    ends: list[tuple[Auction, NDArray[np.int64], NDArray[np.float64]]] = []
    while open_nodes:
        here, layouts, chances = open_nodes.pop()
        if here.is_over or (len(here) > len(auction) and float(chances.sum()) < rare):
            ends.append((here, layouts, chances))
            continue
        if len(here) >= LONGEST:
            ends.append((here.all_pass(), layouts, chances))
            continue
        if deadline.is_over:
            raise OutOfTimeError
        policy = policies[here.turn](rows[here.turn][layouts], here)
        open_nodes += _branches(here, layouts, chances, policy)
    auctions, indices, weights = zip(*ends, strict=True)
    return Ends(auctions, indices, weights)


def _branches(
    here: Auction, layouts: NDArray[np.int64], chances: NDArray[np.float64], policy: NDArray[np.float64]
) -> list[tuple[Auction, NDArray[np.int64], NDArray[np.float64]]]:
    """The next calls, with the layouts in which they are made; illegal ones count as passes."""
    weights = policy * chances[:, None]
    weights[weights < NEGLIGIBLE] = 0
    lost = chances / np.maximum(weights.sum(axis=1), 1e-12)
    branches = []
    for index in np.flatnonzero(weights.any(axis=0)):
        call = ALL_CALLS[index]
        members = np.flatnonzero(weights[:, index])
        going = weights[members, index] * lost[members]
        legal = call if here.is_legal(call) else PASS
        branches.append((here.after(legal), layouts[members], going))
    return branches
