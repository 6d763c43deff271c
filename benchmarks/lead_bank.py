"""A bank of defenders' later leads with every card solved in many layouts: what a way of believing and choosing costs.

    python benchmarks/lead_bank.py --positions 1600 --out leads         # on the boards kept for fitting; goes on

Solving is done once. Then any weights of the layouts and any way to choose are tried in seconds: the tricks that the
card chosen gives away on the true layout, those that the experts' cards gave away beside them, and the mean logarithm
of the chance given to where each unseen card was. DOUBT (belief.py), BY_THE_BOOK and NO_MISTAKE (monte_carlo.py)
were chosen so, with network and weights fitted to the other half of these boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel import Play, PlayView, dd
from borel.cardplay import belief, choice, monte_carlo
from borel.cardplay.agreements import STANDARD
from borel.cardplay.clock import Clock
from borel.cardplay.habits import read_habits
from borel.cardplay.hidden import HiddenHands, hidden_seats, imagine
from borel.cardplay.later_leads import later_lead_scores
from borel.cardplay.reading import MOST_CARDS_LEFT, costs_of_cards
from borel.cardplay.signals import read_lead, read_signals
from borel.cardplay.solving import card_tricks
from borel.cardplay.worth import Outlook, gains_of
from borel.errors import BridgeError
from borel.view import Systems, played_by
from card_play_mistakes import arguments, choice_at, fitting_half, mean, records, view_of

SIZES = {(True, True): 28, (True, False): 14, (False, True): 14, (False, False): 48}  # believed: partner, declarer
SURE = 0.01
ARRAYS = ("hands", "explained", "dealt", "values", "true", "theirs", "partners", "unseen")
READ = "read_"
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lead:
    """One lead: the layouts with what speaks for each, every card's values, and the truth."""

    view: PlayView
    hands: NDArray[np.uint64]
    explained: NDArray[np.int64]  # by which of SIZES
    dealt: Floats  # the weights within each
    read: dict[str, Floats]
    values: NDArray[np.int64]  # the defenders' tricks from here on, [layouts, cards]
    true: NDArray[np.int64]
    theirs: int
    partners: int  # the cards that partner really holds
    unseen: int

    def belief(self, doubt: float, book: float, mistake: float, *, hedge: bool = True) -> Floats:
        """The weights of the layouts."""
        weights = np.zeros(len(self.dealt))
        for i, pair in enumerate(SIZES):
            some = self.explained == i
            share = np.prod([1 - doubt if trusted else doubt for trusted in pair])
            weights[some] = share * self.dealt[some] / max(self.dealt[some].sum(), 1e-9)
        hidden = HiddenHands.of(self.hands, weights)
        signals = self.read["signals"]
        signals = (1 - doubt) * signals / (hidden.weights @ signals) + doubt if hedge else signals
        by_habit = self.read["habits"] ** monte_carlo.BY_HABIT
        told = self.read["lead"] ** book * signals * by_habit * mistake ** self.read["costs"]
        return hidden.weighted(told).weights

    def cost(self, weights: Floats, scores: float, tricks: float) -> float:
        """Tricks that the card chosen gives away on the true layout."""
        view, play = self.view, self.view.known_play()
        won, lost = (play.tricks_won(side) for side in (view.contract.side, view.contract.side.other))
        declarers = won + (13 - won - lost - self.values)
        outlook = Outlook(play.legal_cards(), declarers, HiddenHands.of(self.hands, weights))
        liked = np.array(list(later_lead_scores(view, play).values()))
        worth = weights @ (gains_of(view, play, outlook) + tricks * self.values) + scores * liked
        best = np.abs(worth - worth.max()) < 1e-6
        return float((self.true.max() - self.true[best]).mean())

    def nats(self, weights: Floats) -> float:
        """The mean logarithm of the chance given to where the unseen cards are."""
        places = np.array([i for i in range(52) if self.unseen >> i & 1], np.uint64)
        chances = weights @ (self.hands[:, [self.view.seat.partner]] >> places & np.uint64(1)).astype(float)
        truth = np.array([self.partners >> int(i) & 1 for i in places], bool)
        chances = np.clip(chances, SURE, 1 - SURE)
        return float(np.log(np.where(truth, chances, 1 - chances)).mean())


def lead_of(view: PlayView, whole: Play, made: int, name: str) -> Lead | None:
    """Deal, read and solve; None where no card can be a mistake or no layout fits an explanation."""
    values = dd.card_values(whole)
    if len(set(values.values())) == 1:
        return None
    play, partner, declarer = view.known_play(), view.seat.partner, view.contract.declarer
    try:
        parts = [
            imagine(view, play, size, rng=Random(f"{name}/{i}"), doubts={partner: 1.0 - a, declarer: 1.0 - b})
            for i, ((a, b), size) in enumerate(SIZES.items())
        ]
    except BridgeError:
        return None
    hands = np.concatenate([part.hands for part in parts])
    hidden = HiddenHands.of(hands, np.ones(len(hands)), sum(card.mask for card in play.cards))
    solved, _ = card_tricks(play, hidden.held, Clock(None), 1)
    cards = play.legal_cards()
    read = {
        "lead": read_lead(view, play, hidden, STANDARD), "signals": read_signals(view, play, hidden, STANDARD),
        "habits": read_habits(view, play, hidden), "costs": _costs(view, play, hidden),
    }  # fmt: skip
    return Lead(
        view, hands, np.repeat(np.arange(len(parts)), [len(part) for part in parts]),
        np.concatenate([part.weights for part in parts]), read,
        solved[:, [card.index for card in cards]].astype(np.int64),
        np.array([values[card] for card in cards]), [card.index for card in cards].index(made),
        whole.held(partner).mask, whole.held(partner).mask | whole.held(declarer).mask,
    )  # fmt: skip


def _costs(view: PlayView, play: Play, hidden: HiddenHands) -> Floats:
    """Tricks that the hidden hands' cards gave away in each layout."""
    players, seats, total = played_by(view.contract, play.cards), hidden_seats(view), np.zeros(len(hidden))
    for first in range(4 * (13 - MOST_CARDS_LEFT), len(play.cards), 4):
        costs = costs_of_cards(view, play, hidden.hands, first, first + 4, Clock(None))
        assert costs is not None
        total += costs[:, [i for i in range(4) if players[first + i] in seats]].sum(axis=1)
    return total


def points(name: str, seed: int) -> Iterator[tuple[int, int]]:
    """Later leads of defenders, at most two of a record."""
    every, random = records(name), Random(seed)
    order = [number for number, _ in fitting_half(every)]
    random.shuffle(order)
    for number in order:
        places = list(range(4, len(every[number].cards), 4))
        chosen = (k for k in random.sample(places, len(places)) if _is_lead(choice_at(every[number], k)))
        yield from ((number, k) for k, _ in zip(chosen, range(2), strict=False))


def _is_lead(play: Play | None) -> bool:
    return play is not None and play.turn.side is not play.contract.side


def gathered(count: int, seed: int, out: Path | None) -> list[Lead]:
    """Leads with their layouts solved; those in the folder ``out`` are not solved again."""
    found: list[Lead] = []
    every = records("experts")
    for number, k in points("experts", seed):
        if len(found) >= count:
            break
        record = every[number]
        if record.auction is None:
            continue
        whole = choice_at(record, k)
        assert whole is not None
        view = view_of(record, whole, Systems("sayc", "sayc"))
        place = out / f"{number}-{k}.npz" if out else None
        if place and place.exists():
            lead = kept(place, view)
        else:
            lead = lead_of(view, whole, record.cards[k].index, f"{number}/{k}")
            if place:
                keep(place, lead)
        if lead is not None:
            found.append(lead)
    return found


def keep(place: Path, lead: Lead | None) -> None:
    """Write a lead as arrays; an empty file says that there was none at this point."""
    place.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, NDArray[np.generic]] = {}
    if lead is not None:
        arrays = {name: np.asarray(getattr(lead, name)) for name in ARRAYS}
        arrays |= {READ + name: values for name, values in lead.read.items()}
    part = place.with_suffix(".part.npz")  # a killed run leaves no half of a file behind
    np.savez(part, allow_pickle=False, **arrays)
    part.replace(place)


def kept(place: Path, view: PlayView) -> Lead | None:
    """A lead read back; what the seat saw is told anew."""
    with np.load(place, allow_pickle=False) as arrays:
        if not arrays.files:
            return None
        read = {name.removeprefix(READ): arrays[name] for name in arrays.files if name.startswith(READ)}
        hands, explained, dealt, values, true, theirs, partners, unseen = (arrays[name] for name in ARRAYS)
    return Lead(view, hands, explained, dealt, read, values, true, int(theirs), int(partners), int(unseen))


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--positions", type=int, default=400)
    given = parser.parse_args()
    leads = gathered(given.positions, given.seed, given.out)
    theirs = [float(lead.true.max() - lead.true[lead.theirs]) for lead in leads]
    book, mistake = monte_carlo.BY_THE_BOOK, monte_carlo.NO_MISTAKE

    def show(name: str, weights: Callable[[Lead], Floats], scores: float, tricks: float) -> None:
        believed = [weights(lead) for lead in leads]
        ours = [lead.cost(w, scores, tricks) for lead, w in zip(leads, believed, strict=True)]
        nats = mean([lead.nats(w) for lead, w in zip(leads, believed, strict=True)])[0]
        saved = mean([a - b for a, b in zip(theirs, ours, strict=True)])
        print(f"{name}: {np.mean(ours):.4f} tricks, saved {saved[0]:+.4f} ± {saved[1]:.4f}; {nats:.4f} nats")

    print(f"{len(leads)} leads; theirs cost {np.mean(theirs):.4f}")
    for doubt in (0.0, 0.5, belief.DOUBT, 1.0):
        show(f"doubt {doubt}", lambda x, d=doubt: x.belief(d, book, mistake), choice.LATER_WEIGHT, choice.TRICK)  # type: ignore[misc]
    show("signals believed", lambda x: x.belief(belief.DOUBT, 1, 0.12, hedge=False), choice.LATER_WEIGHT, choice.TRICK)
    for scores, tricks in product((0, 0.1, 0.2, 0.4), (0, 1, 4)):
        show(f"preference {scores}, trick {tricks}", lambda x: x.belief(belief.DOUBT, book, mistake), scores, tricks)


if __name__ == "__main__":
    main()
