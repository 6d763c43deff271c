"""How far a defender should believe calls (FINE and ODD of borel/cardplay/belief.py), fitted to even-numbered boards.

    python benchmarks/fit_belief.py --positions 800

For a defender's positions the hidden cards are dealt four times: believing both hidden players, one of them, none. What
counts is where the unseen cards really were: the mean logarithm of the chance given to it, a card, mixed with every
pair of doubts. The two sets count alike: experts have agreements of their own, WBridge5 bids much as the system does.
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
from card_play_mistakes import FILES, arguments, choice_at, mean, records, view_of

LAYOUTS = 200
STEPS = [step / 20 for step in range(17)]
SURE = 0.01  # no card's place is surer than this
Chances = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """One position: where the unseen cards were, and the chance of each by every explanation of the calls."""

    record: int
    odd: tuple[bool, bool]  # the calls of the defender's own hand and of dummy are not those of the system
    truth: NDArray[np.bool_]
    chances: dict[tuple[bool, bool], Chances]  # partner believed, declarer believed: that partner has each card

    def likelihood(self, fine: float, odd: float) -> float:
        """The mean logarithm of the chance of what is, a card."""
        doubts = [odd if strange else fine for strange in self.odd]
        mixed = np.zeros(len(self.truth))
        for believed, chances in self.chances.items():
            parts = [1 - doubt if trusted else doubt for trusted, doubt in zip(believed, doubts, strict=True)]
            mixed += parts[0] * parts[1] * chances
        mixed = np.clip(mixed, SURE, 1 - SURE)
        return float(np.log(np.where(self.truth, mixed, 1 - mixed)).mean())


def partners_cards(view: PlayView, play: Play, believed: tuple[bool, bool], rng: Random) -> HiddenHands:
    """Layouts with the calls of partner and of declarer believed or not, weighted by lead and signals."""
    partner = view.seat.partner
    doubts = {partner: 1.0 - believed[0], view.contract.declarer: 1.0 - believed[1]}
    hidden = imagine(view, play, LAYOUTS, rng=rng, doubts=doubts)
    return hidden.weighted(read_lead(view, play, hidden, STANDARD) * read_signals(view, play, hidden, STANDARD))


def case_of(number: int, whole: Play, view: PlayView, rng: Random) -> Case:
    play, partner = view.known_play(), view.seat.partner
    hidden = {pair: partners_cards(view, play, pair, rng) for pair in product((True, False), repeat=2)}
    some = next(iter(hidden.values())).held
    unseen = int(some[0, partner] | some[0, view.contract.declarer])
    places = np.array([index for index in range(52) if unseen >> index & 1], np.uint64)
    chances = {
        pair: np.asarray(h.weights @ (h.held[:, [partner]] >> places & np.uint64(1)).astype(float))
        for pair, h in hidden.items()
    }
    truth = np.array([whole.held(partner).mask >> int(index) & 1 for index in places], bool)
    odd = tuple(belief.foreign(view, seat) == belief.ODD for seat in (partner, view.contract.declarer))
    return Case(number, (odd[0], odd[1]), truth, chances)


def cases(name: str, count: int, seed: int) -> Iterator[Case]:
    """One position of a defender from each board."""
    every, random = records(name), Random(f"{seed}/{name}")
    order = list(range(0, len(every), 2))
    random.shuffle(order)
    for number in order:
        record = every[number]
        for k in random.sample(range(1, len(record.cards)), len(record.cards) - 1):
            play = choice_at(record, k)
            if play is None or play.turn.side is play.contract.side or record.auction is None:
                continue
            view = view_of(record, play, Systems("sayc", "sayc"))
            yield case_of(number, play, view, Random(f"{number}/{k}"))
            count -= 1
            break
        if not count:
            return


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--positions", type=int, default=800, help="of each set")
    given = parser.parse_args()
    found = {name: list(cases(name, given.positions, given.seed)) for name in FILES}
    grids = {
        name: {pair: float(np.mean([case.likelihood(*pair) for case in some])) for pair in product(STEPS, STEPS)}
        for name, some in found.items()
    }
    both = {pair: sum(grid[pair] for grid in grids.values()) for pair in product(STEPS, STEPS)}
    fitted = max(both, key=lambda pair: both[pair])
    print(f"FINE, ODD = {fitted}, the sets counting alike")
    for name, some in found.items():
        own = max(grids[name], key=lambda pair: grids[name][pair])
        for pair in dict.fromkeys((fitted, own, (belief.FINE, belief.ODD))):
            gain = mean([case.likelihood(*pair) - case.likelihood(0, 0) for case in some])
            print(
                f"{name}, {len(some)} positions, {pair}: {gain[0]:+.4f} ± {gain[1]:.4f} nats a card over believing all"
            )


if __name__ == "__main__":
    main()
