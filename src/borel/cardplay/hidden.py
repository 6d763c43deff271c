"""The hidden hands as a card player imagines them: dealt in agreement with the auction and the cards played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.cardplay.belief import DOUBT, Shown, WithFloor, contradicted, disbelieved, model_of, people
from borel.cardplay.clock import Clock
from borel.cards import DECK, Seat
from borel.decision import CallModel, Limit
from borel.errors import ImpossibleError
from borel.play import Play
from borel.sampling import Knowledge, Sample, directed, effective_size, knowledge_of
from borel.view import PlayView

__all__ = ["REVOKE", "HiddenHands", "hidden_seats", "imagine"]

FLOOR = 0.02  # people bid oddly: a call that the system would not make keeps this much of its weight
PEOPLE_FLOOR = 0.002  # one that people hardly ever make; they were asked (benchmarks/lead_bank.py: 0.005 nats a card)
INSTANCES = 3_000  # layouts generated for one decision at most, about a tenth of a second
LEAD_INSTANCES = 12_000  # with three hands hidden few layouts explain every call, and each takes long to solve
LEAD_DOUBT = 0.5  # of the opening leader's layouts are dealt as people bid (benchmarks/opening_bank.py)
LEAST_EFFECTIVE = 8.0  # layouts that a sample should be worth, else calls are read less strictly
CONTRADICTION = "the auction and the play contradict one another: no call is believed"
REVOKE = "no layout fits the cards played (a revoke?): suits shown out of are disbelieved"
SHARE = 0.25  # of the time, at most, for dealing


@dataclass(frozen=True, slots=True)
class HiddenHands:
    """Layouts of the cards, uint64[n, 4], with weights that add up to one.

    ``hands`` are as dealt, ``held`` are the cards not yet played; ``note`` says what had to be disbelieved.
    """

    hands: NDArray[np.uint64]
    held: NDArray[np.uint64]
    weights: NDArray[np.float64]
    note: str = ""

    @classmethod
    def of(
        cls, hands: NDArray[np.uint64], weights: NDArray[np.float64], played: int = 0, note: str = ""
    ) -> HiddenHands:
        """Layouts as dealt, of which some cards have been played since."""
        left = np.uint64(DECK & ~played)
        return cls(hands, np.ascontiguousarray(hands & left), weights / weights.sum(), note)

    def __len__(self) -> int:
        return len(self.weights)

    def chance(self, where: NDArray[np.bool_]) -> float:
        """The weight of some of the layouts."""
        return float(self.weights[where].sum())

    def weighted(self, factors: NDArray[np.float64]) -> HiddenHands:
        """With every weight multiplied; factors that leave nothing are not believed."""
        weights = self.weights * factors
        total = float(weights.sum())
        return replace(self, weights=weights / total) if total > 0 else self

    def rows(self, chosen: NDArray[np.int64]) -> HiddenHands:
        """Some of the layouts, in this order."""
        weights = self.weights[chosen]
        held = np.ascontiguousarray(self.held[chosen])
        return HiddenHands(self.hands[chosen], held, weights / weights.sum(), self.note)

    def trimmed(self, count: int, rng: Random) -> HiddenHands:
        """About so many layouts: light ones are dropped by lot, and those kept made heavier, so means stay unbiased."""
        if len(self) <= count:
            return self
        n = len(self)
        sample = Sample(self.hands, self.weights, np.arange(n, dtype=np.float64), n, n, 0.0).trimmed(count, rng)
        kept = sample.inconsistency.astype(np.int64)  # carries the row numbers
        return HiddenHands(self.hands[kept], np.ascontiguousarray(self.held[kept]), sample.weights, self.note)


def imagine(
    view: PlayView,
    play: Play,
    layouts: int,
    *,
    rng: Random,
    clock: Clock | None = None,
    doubts: Mapping[Seat, float] | None = None,
) -> HiddenHands:
    """So many layouts that agree with the cards played and, as far as the systems are known, with the auction.

    ``doubts`` says how likely each hidden seat does not bid by the system: for a defender as people do, for declarer
    by nothing known. If it is not given, the view decides.
    """
    clock = clock or Clock(None)
    note = ""
    try:
        hands, weights, note = _agreeing(view, layouts, rng, clock, doubts)
    except ImpossibleError:
        hands, weights = _uniform(_without_show_outs(view), layouts, rng)
        note = REVOKE
    return HiddenHands.of(hands, weights, sum(card.mask for card in play.cards), note).trimmed(layouts, rng)


Agreeing = tuple[NDArray[np.uint64], NDArray[np.float64], str]


def _agreeing(view: PlayView, layouts: int, rng: Random, clock: Clock, doubts: Mapping[Seat, float] | None) -> Agreeing:
    """By the auction where both systems are known, else by the cards alone."""
    if not (view.systems.ns and view.systems.ew and len(view.auction)):
        return (*_uniform(knowledge_of(view), layouts, rng), "")
    model = model_of(view.systems)
    shown = model.shown(view.auction, view.vulnerability)
    if doubts is None:
        doubts = _doubts(view, shown)
    otherwise, floor = (people(), PEOPLE_FLOOR) if _defends(view) else (None, FLOOR)
    system = WithFloor(model, FLOOR)
    parts = []
    for seats, share in _explanations(doubts) if view.played else _all_or_none(doubts):
        limit = Limit(
            instances=max(1, round(share * (INSTANCES if view.played else LEAD_INSTANCES))),
            seconds=None if clock.seconds is None else share * SHARE * clock.seconds,
        )
        with suppress(ImpossibleError):  # what was bid cannot be held together with what was played
            sample = directed(
                view, _models(doubts, seats, system, otherwise), layouts=max(1, round(share * layouts)),
                shown={seat: shown[seat] for seat in seats}, limit=limit, floor=floor, slack=1, rng=rng,
            )  # fmt: skip
            parts.append((sample.hands, share * tempered(sample.weights)))
    if not parts:
        return (*_uniform(knowledge_of(view), layouts, rng), CONTRADICTION)
    note = _odd_calls(tuple(seat for seat, doubt in doubts.items() if doubt == 1))
    note = note or (_no_such_hand(contradicted(view, shown)) if _defends(view) else "")
    hands, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    if len(parts) > 1:  # time may end before all are solved: those that come first must be a fair sample
        order = rng.sample(range(len(hands)), len(hands))
        hands, weights = hands[order], weights[order]
    return hands, weights, note


def _doubts(view: PlayView, shown: Shown) -> dict[Seat, float]:
    """Declarer takes the likelier explanation of each seat's calls; a defender hedges."""
    if not _defends(view):
        odd = disbelieved(view, shown)
        return {seat: float(seat in odd) for seat in hidden_seats(view)}
    return dict.fromkeys(hidden_seats(view), DOUBT if view.played else LEAD_DOUBT)


def _defends(view: PlayView) -> bool:
    """Whether the player is a defender."""
    return view.seat.side is not view.contract.side


def _models(
    hidden: Iterable[Seat], believed: Iterable[Seat], system: CallModel, otherwise: CallModel | None
) -> dict[Seat, CallModel]:
    """By what each hidden seat's calls are read: none for a seat whose calls tell nothing."""
    found = {} if otherwise is None else dict.fromkeys(hidden, otherwise)
    return found | dict.fromkeys(believed, system)


def _explanations(doubts: Mapping[Seat, float]) -> list[tuple[list[Seat], float]]:
    """The hidden seats whose calls are believed together, with the share of the layouts that are dealt so."""
    found: list[tuple[list[Seat], float]] = [([], 1.0)]
    for seat, doubt in doubts.items():
        found = [
            (seats, share * part)
            for believed, share in found
            for seats, part in (([*believed, seat], 1 - doubt), (believed, doubt))
            if part > 0
        ]
    return found


def _all_or_none(doubts: Mapping[Seat, float]) -> list[tuple[list[Seat], float]]:
    """The same for the opening lead: there are too few layouts to believe each of three hidden hands apart."""
    doubt = sum(doubts.values()) / len(doubts)
    return [(seats, share) for seats, share in ((list(doubts), 1 - doubt), ([], doubt)) if share > 0]


def tempered(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights made more alike, as little as it takes that the sample does not hang on a handful of layouts.

    >>> tempered(np.array([1.0, *[0.001] * 40])).round(3)[:2].tolist()
    [0.284, 0.018]
    """
    for power in (1.0, 0.8, 0.6, 0.4, 0.2):
        changed = weights**power
        if effective_size(changed) >= min(LEAST_EFFECTIVE, len(weights) / 2):
            break
    return np.asarray(changed / changed.sum())


def _odd_calls(seats: tuple[Seat, ...]) -> str:
    """What is said of players whose calls do not go with the cards that were seen."""
    if not seats:
        return ""
    names = " and ".join(f"{seat.word}'s" for seat in seats)
    return f"the auction and the play contradict one another: {names} calls are not believed"


def _no_such_hand(seats: tuple[Seat, ...]) -> str:
    """What a defender is told of players who cannot have what they have shown: he hedges anyway."""
    names = " and ".join(f"{seat.word}'s" for seat in seats)
    return f"the auction and the cards contradict one another: no hand goes with {names} calls" if seats else ""


def _uniform(knowledge: Knowledge, layouts: int, rng: Random) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Layouts that the cards played allow, each as likely as another."""
    hands = knowledge.layouts().draw(layouts, rng.getrandbits(64))
    return hands, np.full(len(hands), 1 / len(hands))


def _without_show_outs(view: PlayView) -> Knowledge:
    """The cards that were seen, and nothing else."""
    return Knowledge.of(view.known_play().deal)


def hidden_seats(view: PlayView) -> tuple[Seat, ...]:
    """The seats whose cards the player does not see."""
    seen = {view.seat} | ({view.contract.dummy} if view.dummy is not None else set())
    return tuple(seat for seat in Seat if seat not in seen)
