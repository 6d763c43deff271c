"""How far a defender should believe calls, fitted to the recorded boards kept for fitting.

    python benchmarks/fit_belief.py --positions 800     # DOUBT of borel/cardplay/belief.py

For a defender's positions the hidden cards are dealt four times: both hidden players bid by the system, one of them, or
as people do. What counts is where the unseen cards really were: the mean logarithm of the chance given to it, a card,
mixed with every doubt. The two sets count alike: experts have agreements of their own, WBridge5 bids much as the system
does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel import Play, PlayView
from borel.cardplay import belief
from borel.cardplay.agreements import STANDARD
from borel.cardplay.hidden import HiddenHands, imagine
from borel.cardplay.signals import read_lead, read_signals
from borel.view import Systems
from card_play_mistakes import FILES, arguments, choice_at, fitting_half, mean, records, view_of

LAYOUTS = 200
STEPS = [step / 20 for step in range(21)]
ONE = np.uint64(1)
SURE = 0.01  # no card's place is surer than this
Chances = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """One position: who has the unseen cards, and the layouts by every explanation of the calls."""

    truth: NDArray[np.bool_]
    view: PlayView
    hidden: dict[tuple[bool, bool], HiddenHands]  # by whether partner and declarer are believed
    places: NDArray[np.uint64]

    def chances(self) -> dict[tuple[bool, bool], Chances]:
        """By every explanation, the chance that partner has each of the unseen cards."""
        partner = self.view.seat.partner
        return {
            pair: np.asarray(hidden.weights @ (hidden.held[:, [partner]] >> self.places & ONE).astype(float))
            for pair, hidden in self.hidden.items()
        }

    def likelihood(self, chances: dict[tuple[bool, bool], Chances], doubt: float) -> float:
        """The mean logarithm of the chance of what is, a card."""
        mixed = np.zeros(len(self.truth))
        for believed, part in chances.items():
            shares = [1 - doubt if trusted else doubt for trusted in believed]
            mixed += shares[0] * shares[1] * part
        mixed = np.clip(mixed, SURE, 1 - SURE)
        return float(np.log(np.where(self.truth, mixed, 1 - mixed)).mean())


def layouts(view: PlayView, play: Play, believed: tuple[bool, bool], rng: Random) -> HiddenHands:
    """Layouts with the calls of partner and of declarer by the system or not, weighted by lead and signals."""
    doubts = {view.seat.partner: 1.0 - believed[0], view.contract.declarer: 1.0 - believed[1]}
    hidden = imagine(view, play, LAYOUTS, rng=rng, doubts=doubts)
    return hidden.weighted(read_lead(view, play, hidden, STANDARD) * read_signals(view, play, hidden, STANDARD))


def case_of(whole: Play, view: PlayView, rng: Random) -> Case:
    play, partner, declarer = view.known_play(), view.seat.partner, view.contract.declarer
    hidden = {pair: layouts(view, play, pair, rng) for pair in product((True, False), repeat=2)}
    unseen = whole.held(partner).mask | whole.held(declarer).mask
    places = np.array([index for index in range(52) if unseen >> index & 1], np.uint64)
    truth = np.array([whole.held(partner).mask >> int(index) & 1 for index in places], bool)
    return Case(truth, view, hidden, places)


def cases(name: str, count: int, seed: int) -> Iterator[Case]:
    """One position of a defender from each board."""
    every, random = records(name), Random(f"{seed}/{name}")
    order = [number for number, _ in fitting_half(every)]
    random.shuffle(order)
    for number in order:
        record = every[number]
        last = len(record.cards)
        for k in random.sample(range(1, last), last - 1):
            play = choice_at(record, k)
            if play is None or play.turn.side is play.contract.side or record.auction is None:
                continue
            yield case_of(play, view_of(record, play, Systems("sayc", "sayc")), Random(f"{number}/{k}"))
            count -= 1
            break
        if not count:
            return


def fit_doubts(found: dict[str, list[Case]]) -> None:
    """DOUBT by a grid."""
    chances = {name: [case.chances() for case in some] for name, some in found.items()}

    def score(name: str, doubt: float) -> list[float]:
        return [case.likelihood(c, doubt) for case, c in zip(found[name], chances[name], strict=True)]

    grids = {name: {doubt: float(np.mean(score(name, doubt))) for doubt in STEPS} for name in found}
    fitted = max(STEPS, key=lambda doubt: sum(grid[doubt] for grid in grids.values()))
    print(f"DOUBT = {fitted}, the sets counting alike")
    for name, grid in grids.items():
        own = max(grid, key=lambda doubt: grid[doubt])
        for doubt in dict.fromkeys((fitted, own, belief.DOUBT)):
            gain = mean([a - b for a, b in zip(score(name, doubt), score(name, 0), strict=True)])
            print(
                f"{name}, {len(found[name])} positions, {doubt}: {gain[0]:+.4f} ± {gain[1]:.4f} nats over believing all"
            )


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--positions", type=int, default=800, help="of each set")
    given = parser.parse_args()
    fit_doubts({name: list(cases(name, given.positions, given.seed)) for name in FILES})


if __name__ == "__main__":
    main()
