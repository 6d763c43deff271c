"""A bank of opening leads with every card solved in many layouts: what a way of dealing and choosing costs.

    python benchmarks/fit_people.py --without 0 --out people0.safetensors
    python benchmarks/fit_people.py --without 1 --out people1.safetensors
    python benchmarks/opening_bank.py --positions 400 --networks people0.safetensors people1.safetensors --out leads

On the experts' boards kept for fitting, with the network and the weights of deals that are not this lead's. Solving is
done once; then shares of layouts and ways to choose are tried in seconds. LEAD_DOUBT (hidden.py), LEAD_WEIGHT and
LEAD_TRICK (choice.py) were chosen so. Each is compared by the tricks that the card chosen gives away on the true
layout, beside those that the experts' cards gave away, and by how much of the cards' differences there is foretold.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel import PlayView, dd
from borel.cardplay import choice, hidden
from borel.cardplay.agreements import lead_chances
from borel.cardplay.belief import WithFloor, model_of
from borel.cardplay.clock import Clock
from borel.cardplay.hidden import HiddenHands, tempered
from borel.cardplay.opening_leads import opening_lead_scores
from borel.cardplay.solving import card_tricks
from borel.cardplay.worth import Outlook, gains_of
from borel.cards import Card, Seat
from borel.decision import CallModel, Limit
from borel.errors import BridgeError
from borel.policies.network import load_network
from borel.policies.neural import NeuralModel
from borel.sampling import directed
from borel.view import Systems
from card_play_mistakes import arguments, choice_at, fitting_half, mean, records, view_of
from fit_later_leads import FOLDS, fitted, table_of
from fit_opening_leads import gathered as opening_leads
from fit_people import half_of

LAYOUTS = 24  # by the system, and as many as people bid
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lead:
    """One lead: layouts by the system and as people bid, the defenders' tricks with every card, and the truth."""

    view: PlayView
    deal: int
    hands: NDArray[np.uint64]
    weights: Floats
    people: NDArray[np.bool_]  # which of the layouts
    values: NDArray[np.int64]
    true: NDArray[np.int64]
    theirs: int

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.view.known_play().legal_cards()

    def means(self, doubt: float) -> tuple[Floats, Floats]:
        """IMPs and tricks of each card on average, with so much of the weight on people."""
        share = np.where(self.people, doubt, 1 - doubt)
        outlook = Outlook(self.cards, 13 - self.values, HiddenHands.of(self.hands, self.weights * share))
        gains = gains_of(self.view, self.view.known_play(), outlook)
        return outlook.hidden.weights @ gains, outlook.hidden.weights @ self.values

    def cost(self, scores: Floats) -> float:
        """Tricks that the card with the best score gives away on the true layout."""
        best = np.abs(scores - scores.max()) < 1e-6
        return float((self.true.max() - self.true[best]).mean())


def lead_of(view: PlayView, deal: int, true: dict[Card, int], led: Card, people: CallModel) -> Lead | None:
    """Deal and solve; None where no layout fits."""
    play, model = view.known_play(), model_of(view.systems)
    shown, seats = model.shown(view.auction, view.vulnerability), [seat for seat in Seat if seat is not view.seat]
    parts = []
    ways: tuple[tuple[CallModel, float, bool], ...] = (
        (WithFloor(model, hidden.FLOOR), hidden.FLOOR, True), (people, hidden.PEOPLE_FLOOR, False),
    )  # fmt: skip
    for way, floor, by_system in ways:
        try:
            sample = directed(
                view, dict.fromkeys(seats, way), layouts=4 * LAYOUTS // 3, floor=floor, slack=1, rng=Random(deal),
                shown={seat: shown[seat] for seat in seats if by_system}, limit=Limit(hidden.LEAD_INSTANCES),
            )  # fmt: skip
        except BridgeError:
            return None
        parts.append(HiddenHands.of(sample.hands, tempered(sample.weights)).trimmed(LAYOUTS, Random(deal)))
    cards = play.legal_cards()
    held = np.concatenate([part.held for part in parts])
    solved, _ = card_tricks(play, held, Clock(None), 1)
    return Lead(
        view, deal, np.concatenate([part.hands for part in parts]), np.concatenate([part.weights for part in parts]),
        np.repeat([False, True], [len(part) for part in parts]),
        solved[:, [card.index for card in cards]].astype(np.int64), np.array([true[card] for card in cards]),
        cards.index(led),
    )  # fmt: skip


def gathered(count: int, seed: int, networks: list[Path], out: Path | None) -> list[Lead]:
    """Leads that can be a mistake, with their layouts solved; those in the folder ``out`` are not solved again."""
    every, found = records("experts"), list[Lead]()
    people = [NeuralModel(load_network(network)) for network in networks]
    order = fitting_half(every)
    Random(seed).shuffle(order)
    for number, deal in order:
        whole = choice_at(every[number], 0)
        if len(found) >= count or whole is None or every[number].auction is None:
            continue
        view, place = view_of(every[number], whole, Systems("sayc", "sayc")), out and out / f"{number}.npz"
        if place and place.exists():
            with np.load(place) as kept:
                found.append(Lead(view, deal, *(kept[name] for name in ARRAYS), int(kept["theirs"])))
            continue
        true = dd.card_values(whole)
        if len(set(true.values())) == 1:
            continue
        lead = lead_of(view, deal, true, every[number].cards[0], people[half_of(deal)])
        if lead is not None:
            found.append(lead)
            if place:
                place.parent.mkdir(parents=True, exist_ok=True)
                np.savez(place, theirs=lead.theirs, **{name: getattr(lead, name) for name in ARRAYS})
    return found


ARRAYS = ("hands", "weights", "people", "values", "true")


def preferences(leads: list[Lead]) -> dict[str, list[Floats]]:
    """The textbook's and the experts' preferences for each card of each lead; weights of other deals."""
    every = opening_leads("experts")
    tables = [table_of(every.names, fitted(every, every.deals // 2 % FOLDS != fold)) for fold in range(FOLDS)]
    found: dict[str, list[Floats]] = {"textbook": [], "experts": []}
    for lead in leads:
        view, table = lead.view, tables[lead.deal // 2 % FOLDS]
        book = lead_chances(view.hand, view.contract, view.auction)
        liked = opening_lead_scores(view.hand, view.contract, view.auction, weights=table)
        found["textbook"].append(np.log([book[card] + 1e-3 for card in lead.cards]))
        found["experts"].append(np.array([liked[card] for card in lead.cards]))
    return found


def foretold(true: list[NDArray[np.int64]], parts: list[list[Floats]]) -> float:
    """The share of the squares of the cards' differences that a sum of these parts, scaled at best, explains."""
    truth = np.concatenate([values - values.mean() for values in true])
    columns = np.stack([np.concatenate([row - row.mean() for row in part]) for part in parts], axis=1)
    scale = np.linalg.lstsq(columns, truth, rcond=None)[0]
    return float(1 - ((truth - columns @ scale) ** 2).sum() / (truth**2).sum())


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--networks", type=Path, nargs=2, required=True)
    given = parser.parse_args()
    leads = gathered(given.positions, given.seed, given.networks, given.out)
    liked, deals = preferences(leads), [lead.deal for lead in leads]
    theirs = [float(lead.true.max() - lead.true[lead.theirs]) for lead in leads]
    print(f"{len(leads)} leads; theirs cost {np.mean(theirs):.4f}")
    by_system = [lead.means(0)[0] + 0.4 * book for lead, book in zip(leads, liked["textbook"], strict=True)]
    before = [lead.cost(scores) for lead, scores in zip(leads, by_system, strict=True)]
    for doubt, name in product((0.0, 0.3, hidden.LEAD_DOUBT, 0.7, 1.0), liked):
        means = [lead.means(doubt) for lead in leads]
        share = foretold([lead.true for lead in leads], [[tricks for _, tricks in means], liked[name]])
        print(f"people {doubt}, {name}: {share:.4f} of the differences foretold")
        for weight, trick in product((0.2, choice.LEAD_WEIGHT, 0.7), (0, choice.LEAD_TRICK, 4)):
            rows = zip(leads, means, liked[name], strict=True)
            ours = [lead.cost(imps + trick * tricks + weight * score) for lead, (imps, tricks), score in rows]
            saved = mean([a - b for a, b in zip(theirs, ours, strict=True)], deals)
            more = mean([a - b for a, b in zip(before, ours, strict=True)], deals)
            print(
                f"  preference {weight}, trick {trick}: {np.mean(ours):.4f} tricks, saved {saved[0]:+.4f} ± "
                f"{saved[1]:.4f}; against the system and the textbook {more[0]:+.4f} ± {more[1]:.4f}"
            )


if __name__ == "__main__":
    main()
