"""How good players choose their cards: conditional logits of the experts' cards on the boards kept for fitting.

    python benchmarks/fit_habits.py             # held out: nats a card, and by chance
    python benchmarks/fit_habits.py --write     # src/borel/cardplay/habit_weights.py, from all of them
    python benchmarks/fit_habits.py --read 400  # held out: what they tell about the hidden hands, nats a position

One logit for each place in the trick and side, and for discards. ``--read`` asks a defender's layouts: by how much the
true one is likelier, among those dealt by auction and play, when the hidden players' cards are read with this power.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel import Play
from borel.cardplay import habits
from borel.cardplay.habits import Weights, kind_and_notes, read_habits
from borel.cardplay.hidden import HiddenHands, imagine
from borel.cardplay.moments import moments
from borel.cards import Seat, Suit
from borel.errors import BridgeError
from borel.record import Record
from borel.view import Systems
from card_play_mistakes import FILES, arguments, choice_at, fitting_half, mean, records, view_of

RIDGE, STEPS = 3.0, 12  # of Newton's method
FOLDS = 2
LEAST = 0.1  # weights that count less are left out
LAYOUTS = 150
POWERS = (0.5, 0.7, 0.8, 0.9, 1.0)
PLACE = Path(habits.__file__).with_name("habit_weights.py")
HEAD = "Weights of what speaks for a card, by the moment at which it is played (benchmarks/fit_habits.py)."
Floats = NDArray[np.float64]
Found = tuple[int, list[dict[str, float]], int]  # deal, what speaks for each card that might be played, the card played


@dataclass(frozen=True, slots=True)
class Choices:
    """Cards chosen at one kind of moment: all candidates in a row, [cards, names], and where each choice begins."""

    names: tuple[str, ...]
    notes: Floats
    first: NDArray[np.int64]
    made: NDArray[np.int64]
    deals: NDArray[np.int64]

    @classmethod
    def of(cls, found: list[Found]) -> Choices:
        """As arrays."""
        names = tuple(sorted({name for _, cards, _ in found for card in cards for name in card}))
        place = {name: i for i, name in enumerate(names)}
        sizes = [len(cards) for _, cards, _ in found]
        first = np.cumsum([0, *sizes[:-1]])
        notes = np.zeros((sum(sizes), len(names)))
        for row, card in enumerate(card for _, cards, _ in found for card in cards):
            for name, value in card.items():
                notes[row, place[name]] = value
        made = first + np.array([made for *_, made in found])
        return cls(names, notes, first, made, np.array([deal for deal, *_ in found]))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many cards might have been played."""
        return np.diff(np.append(self.first, len(self.notes)))

    def some(self, rows: NDArray[np.bool_]) -> Choices:
        """A part of them."""
        sizes = self.sizes
        first = np.cumsum(np.append(0, sizes[rows][:-1]))
        made = first + (self.made - self.first)[rows]
        return Choices(self.names, self.notes[np.repeat(rows, sizes)], first, made, self.deals[rows])

    def chances(self, weights: Floats) -> Floats:
        """Of every candidate."""
        parts = np.exp(self.notes @ weights)
        return np.asarray(parts / np.repeat(np.add.reduceat(parts, self.first), self.sizes))

    def fitted(self) -> Floats:
        """The weights that make the cards played likeliest, small ones preferred."""
        weights = np.zeros(len(self.names))
        for _ in range(STEPS):
            chances = self.chances(weights)
            means = np.add.reduceat(self.notes * chances[:, None], self.first)
            apart = self.notes - np.repeat(means, self.sizes, axis=0)
            slope = self.notes[self.made].sum(axis=0) - means.sum(axis=0) - RIDGE * weights
            curve = (apart * chances[:, None]).T @ apart + RIDGE * np.eye(len(weights))
            weights = weights + np.linalg.solve(curve, slope)
        return weights

    def table(self, weights: Floats) -> dict[str, float]:
        """By name, the strongest first."""
        pairs = sorted(zip(self.names, weights.tolist(), strict=True), key=lambda pair: -abs(pair[1]))
        return {name: weight for name, weight in pairs if abs(weight) >= LEAST}


def gathered(name: str) -> dict[str, Choices]:
    """The cards after the opening lead that a set's boards for fitting have from hands other than dummy, by kind."""
    every, found = records(name), defaultdict[str, list[Found]](list)
    for number, deal in fitting_half(every):
        for kind, notes, made in choices_of(every[number]):
            found[kind].append((deal, notes, made))
    return {kind: Choices.of(rows) for kind, rows in sorted(found.items())}


def choices_of(record: Record) -> Iterator[tuple[str, list[dict[str, float]], int]]:
    """Each card of a record that was not forced: its kind, what speaks for each candidate, and which was played."""
    deal, contract = record.deal, record.contract
    assert deal is not None
    assert contract is not None
    if record.auction is None:
        return
    seats = [seat for seat in Seat if seat is not contract.dummy]
    play = Play(deal, contract)
    turns = dict(moments(contract, record.auction, record.cards, deal.hand(contract.dummy), seats))
    for i, card in enumerate(record.cards):
        if i in turns and len(play.legal_cards()) > 1:
            moment, held = turns[i], play.held(play.turn)
            kind, notes = kind_and_notes(moment, follows=card.suit is moment.suit)
            suits = [card.suit] if card.suit is moment.suit else [suit for suit in Suit if held.suit_mask(suit)]
            cards = {
                (suit, rank): told for suit in suits for rank, told in notes(moment, suit, held.suit_mask(suit)).items()
            }
            yield kind, list(cards.values()), list(cards).index((card.suit, card.rank))
        try:
            play = play.after(card)
        except BridgeError:
            return


def weights_of(every: dict[str, Choices], without: int | None = None) -> Weights:
    """Every kind's table; from all deals, or from all but one fold."""
    found = {}
    for kind, choices in every.items():
        some = choices if without is None else choices.some(choices.deals // 2 % FOLDS != without)
        found[kind] = some.table(some.fitted())
    return found


def show(every: dict[str, Choices]) -> None:
    """How well cards held out are foretold."""
    for kind, choices in every.items():
        nats, plain = [], []
        for fold in range(FOLDS):
            out = choices.deals // 2 % FOLDS == fold
            rest = choices.some(out)
            nats += np.log(rest.chances(choices.some(~out).fitted())[rest.made]).tolist()
            plain += (-np.log(rest.sizes)).tolist()
        print(f"{kind}: {len(nats)} cards held out, {np.mean(nats):.3f} nats ({np.mean(plain):.3f} by chance)")


def read(name: str, count: int, every: dict[str, Choices], seed: int) -> None:
    """What the habits of other deals tell about the hidden hands of a set."""
    boards, random = records(name), Random(seed)
    order = fitting_half(boards)
    random.shuffle(order)
    tables = [weights_of(every, fold) for fold in range(FOLDS)]
    gains: list[list[float]] = []
    for number, deal in order:
        record = boards[number]
        points = range(2, len(record.cards))
        for k in random.sample(points, len(points)) if record.auction is not None else ():
            play = choice_at(record, k)
            if play is None or play.turn.side is play.contract.side:
                continue
            gains.append(_told(record, play, tables[deal // 2 % FOLDS], Random(f"{number}/{k}")))
            break
        if len(gains) == count:
            break
    for power, column in zip(POWERS, zip(*gains, strict=True), strict=True):
        middle, error = mean(list(column))
        print(f"{name}, {len(gains)} positions, power {power}: {middle:+.3f} ± {error:.3f} nats over not reading")


def _told(record: Record, whole: Play, weights: Weights, random: Random) -> list[float]:
    """The logarithm of how much likelier the true layout becomes, for every power."""
    view = view_of(record, whole, Systems("sayc", "sayc"))
    play = view.known_play()
    hidden = imagine(view, play, LAYOUTS, rng=random)
    true = np.array([[whole.deal.hand(seat).mask for seat in Seat]], np.uint64)
    both = HiddenHands.of(np.concatenate([hidden.hands, true]), np.ones(len(hidden) + 1))
    factors = read_habits(view, play, both, weights)
    return [float(np.log(factors[-1] ** power / (hidden.weights @ factors[:-1] ** power))) for power in POWERS]


def text_of(tables: Weights) -> str:
    """The module with the tables."""
    lines = [f'"""{HEAD}"""\n', "WEIGHTS: dict[str, dict[str, float]] = {"]
    for kind, table in tables.items():
        lines += [
            f'    "{kind}": {{',
            *(f'        "{name}": {weight:.2f},' for name, weight in table.items()),
            "    },",
        ]
    return "\n".join([*lines, "}\n"])


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--read", type=int, metavar="POSITIONS", help="of each set")
    given = parser.parse_args()
    every = gathered("experts")
    if given.write:
        PLACE.write_text(text_of(weights_of(every)))
    elif given.read:
        for name in FILES:
            read(name, given.read, every, given.seed)
    else:
        show(every)


if __name__ == "__main__":
    main()
