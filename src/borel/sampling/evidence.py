"""How well a layout explains the calls that were heard: each hidden seat's past calls, against its model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from borel.auction import Auction, Call, _unchecked
from borel.cards import Seat
from borel.deal import Vulnerability
from borel.decision import CallModel
from borel.sampling.knowledge import View, knowledge_of

__all__ = ["Evidence", "Heard", "evidence_of"]


@runtime_checkable
class OneCallModel(Protocol):
    """A model for which asking about one call is cheaper than asking about all."""

    def chance(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability, call: Call
    ) -> NDArray[np.float64]:
        """[n]: the probability of this call for each of the encoded hands."""
        ...


@dataclass(frozen=True, slots=True)
class Heard:
    """A call by a hidden seat, and the auction before it."""

    seat: Seat
    before: Auction
    call: Call
    position: int


@dataclass(slots=True)
class Evidence:
    """The calls that hidden seats have made, in the order of the auction, with the model of each seat.

    ``floor`` is the least probability any call is given: with it, light preempts and human whims stay imaginable.
    """

    heard: tuple[Heard, ...]
    models: Mapping[Seat, CallModel]
    vulnerability: Vulnerability
    floor: float = 0.0

    def probabilities(self, heard: Heard, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """[n]: the probability, floor included, that the encoded hands make the call that was heard."""
        return np.maximum(self._chance(heard, rows), self.floor)

    def _chance(self, heard: Heard, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        model = self.models[heard.seat]
        if isinstance(model, OneCallModel):
            return model.chance(rows, heard.before, self.vulnerability, heard.call)
        return model.probabilities(rows, heard.before, self.vulnerability)[:, heard.call.index]

    def weights(self, hands: NDArray[np.uint64], order: tuple[int, ...] | None = None) -> NDArray[np.float64]:
        """[n]: the product over the calls heard, for layouts [n, 4]; layouts are dropped as soon as it is zero.

        ``order``: positions in ``heard`` in which to ask, the most telling first.
        """
        weights = np.ones(len(hands))
        alive = np.arange(len(hands))
        for seat, asked in self.by_seat(order):
            rows = self.models[seat].encode(hands[alive, seat])
            for heard in asked:
                chance = self.probabilities(heard, rows)
                weights[alive] *= chance
                keep = chance > 0
                if not keep.all():
                    alive, rows = alive[keep], rows[keep]
                if not len(alive):
                    return weights
        return weights

    def by_seat(self, order: tuple[int, ...] | None = None) -> list[tuple[Seat, list[Heard]]]:
        """The calls grouped by seat, seats and calls in the order given (default: as heard, the last first)."""
        groups: dict[Seat, list[Heard]] = {}
        for i in order if order is not None else range(len(self.heard) - 1, -1, -1):
            groups.setdefault(self.heard[i].seat, []).append(self.heard[i])
        return list(groups.items())

    def telling_order(self, hands: NDArray[np.uint64]) -> tuple[int, ...]:
        """The calls, those first that fewest of these layouts explain: rejecting early saves the most work."""
        passed = np.zeros(len(self.heard))
        for seat, asked in self.by_seat():
            rows = self.models[seat].encode(hands[:, seat])
            for heard in asked:
                i = self.heard.index(heard)
                passed[i] = np.minimum(self.probabilities(heard, rows), 1).sum()
        seats = {seat: min(passed[i] for i, h in enumerate(self.heard) if h.seat is seat) for seat, _ in self.by_seat()}
        return tuple(sorted(range(len(self.heard)), key=lambda i: (seats[self.heard[i].seat], passed[i])))

    def inconsistent(self, hands: NDArray[np.uint64], cut_off: int) -> NDArray[np.int64]:
        """[n]: how many of the calls disagree with each layout, counted from the last back, at most ``cut_off``.

        A call disagrees when its model's probability is not above the floor (bidi.txt, Fig. 2, function Inconsistent).
        """
        counts = np.zeros(len(hands), dtype=np.int64)
        alive = np.arange(len(hands)) if cut_off > 0 else np.zeros(0, dtype=np.int64)
        rows: dict[Seat, NDArray[np.float32]] = {}
        for heard in reversed(self.heard):
            if not len(alive):
                break
            if heard.seat not in rows:
                rows[heard.seat] = self.models[heard.seat].encode(hands[alive, heard.seat])
            counts[alive] += self._chance(heard, rows[heard.seat]) <= self.floor
            keep = counts[alive] < cut_off
            if not keep.all():
                alive = alive[keep]
                rows = {seat: encoded[keep] for seat, encoded in rows.items()}
        return counts


def evidence_of(view: View, models: CallModel | Mapping[Seat, CallModel], floor: float = 0.0) -> Evidence:
    """The calls of the seats that a view does not see, with one model for all or one for each."""
    hidden = knowledge_of(view).hidden
    by_seat = models if isinstance(models, Mapping) else dict.fromkeys(Seat, models)
    auction = view.auction
    heard = tuple(
        Heard(auction.seat_of(i), _unchecked(auction.dealer, auction.calls[:i]), call, i)
        for i, call in enumerate(auction.calls)
        if auction.seat_of(i) in hidden and auction.seat_of(i) in by_seat
    )
    return Evidence(heard, by_seat, view.vulnerability, floor)
