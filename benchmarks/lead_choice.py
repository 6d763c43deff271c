"""What a way to choose between later leads costs, with the layouts that the player himself imagines.

    python benchmarks/fit_people.py --without 0 --out people0.safetensors
    python benchmarks/fit_people.py --without 1 --out people1.safetensors
    python benchmarks/lead_choice.py --positions 600 --networks people0.safetensors people1.safetensors --out choices

On the experts' boards kept for fitting, with network, habits and preferences of deals that are not this lead's. Solving
is done once; then ways to choose are tried in seconds. Each is judged by the tricks and IMPs that the card chosen gives
away on the true layout, beside what the experts' cards gave away. LATER_WEIGHT and TRICK (choice.py) were chosen so.
`lead_bank.py` asks the same of ways to believe.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from borel import Play, PlayView, dd
from borel.cardplay import choice, hidden, monte_carlo
from borel.cardplay.agreements import STANDARD
from borel.cardplay.choice import small_cards_alike
from borel.cardplay.clock import Clock
from borel.cardplay.habits import read_habits
from borel.cardplay.hidden import HiddenHands
from borel.cardplay.later_leads import later_lead_scores
from borel.cardplay.worth import Outlook, card_worths, look_ahead, smooth_imps
from borel.clock import processor_time
from borel.decision import CallModel
from borel.policies.network import load_network
from borel.policies.neural import NeuralModel
from borel.scoring import score
from borel.view import Systems
from card_play_mistakes import arguments, choice_at, fitting_half, mean, records, view_of
from fit_habits import gathered as habits_of
from fit_habits import weights_of
from fit_later_leads import FOLDS, fitted, table_of
from fit_later_leads import gathered as preferences_of
from fit_people import half_of
from lead_bank import points
from opening_bank import foretold

LAYOUTS, SECONDS = 100, 0.5  # the default player's, and the time of the comparison with experts
ARRAYS = ("hands", "weights", "tricks", "true")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lead:
    """One lead: declarer's tricks with every card in the layouts, -1 where not solved, and the defenders' in truth."""

    view: PlayView
    deal: int
    theirs: int
    hands: NDArray[np.uint64]
    weights: Floats
    tricks: NDArray[np.int64]
    true: NDArray[np.int64]

    def means(self) -> tuple[Floats, Floats]:
        """IMPs and tricks of every card on average."""
        play = self.view.known_play()
        cards = play.legal_cards()
        outlook = Outlook(cards, self.tricks, HiddenHands.of(self.hands, self.weights))
        worths = card_worths(self.view, play, outlook)
        return np.array([worths[card].gain for card in cards]), np.array([worths[card].tricks for card in cards])

    def imps(self) -> Floats:
        """What every card gives away on the true layout, in IMPs."""
        view, play = self.view, self.view.known_play()
        theirs = 13 - play.tricks_won(view.contract.side.other) - self.true
        vulnerable = view.vulnerability.includes(view.contract.side)
        points = np.array([-score(view.contract, int(tricks), vulnerable=vulnerable) for tricks in theirs], float)
        return smooth_imps(points.max() - points)


def lead_of(view: PlayView, whole: Play, deal: int, theirs: int, random: Random) -> Lead | None:
    """Imagine and solve as the player does; None where no card can be a mistake."""
    values, play = dd.card_values(whole), view.known_play()
    true = np.array([values[card] for card in play.legal_cards()], np.int64)
    if len(set(true.tolist())) == 1:
        return None
    hidden.imagine(view, play, 8, rng=random)  # the auction is heard before cards are played
    with processor_time():
        clock = Clock(SECONDS)
        layouts = monte_carlo.imagined(view, play, LAYOUTS, clock=clock, agreements=STANDARD, rng=random)
        outlook = look_ahead(view, play, layouts, clock=clock, threads=1)
    return Lead(view, deal, theirs, outlook.hidden.hands, outlook.hidden.weights, outlook.tricks, true)


def gathered(count: int, seed: int, networks: list[Path], out: Path | None) -> list[Lead]:
    """Leads that can be a mistake, with their layouts solved; those in the folder ``out`` are not solved again."""
    every, found = records("experts"), list[Lead]()
    deals = dict(fitting_half(every))
    people: list[CallModel] = [NeuralModel(load_network(network)) for network in networks]
    choices = habits_of("experts")
    habits = [weights_of(choices, without) for without in range(2)]
    for number, k in points("experts", seed):
        record, deal = every[number], deals[number]
        whole = choice_at(record, k)
        if len(found) >= count or whole is None or record.auction is None:
            continue
        view, place = view_of(record, whole, Systems("sayc", "sayc")), out and out / f"{number}-{k}.npz"
        theirs = view.known_play().legal_cards().index(record.cards[k])
        if place and place.exists():
            with np.load(place) as kept:
                found.append(Lead(view, deal, theirs, *(kept[name] for name in ARRAYS)))
            continue
        model, weights = people[half_of(deal)], habits[half_of(deal)]
        with (
            patch.object(hidden, "people", lambda model=model: model),
            patch.object(monte_carlo, "read_habits", partial(read_habits, weights=weights)),
        ):
            lead = lead_of(view, whole, deal, theirs, Random(f"{number}/{k}"))
        if lead is not None:
            found.append(lead)
            if place:
                place.parent.mkdir(parents=True, exist_ok=True)
                np.savez(place, **{name: getattr(lead, name) for name in ARRAYS})
    return found


def liked(leads: list[Lead]) -> Iterator[Floats]:
    """The experts' preferences for each card of each lead; weights of other deals."""
    every = preferences_of("experts")
    tables = [table_of(every.names, fitted(every, every.deals // 2 % FOLDS != fold)) for fold in range(FOLDS)]
    for lead in leads:
        scores = later_lead_scores(lead.view, lead.view.known_play(), tables[lead.deal // 2 % FOLDS])
        yield np.array(list(small_cards_alike(scores).values()))


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--networks", type=Path, nargs=2, required=True)
    given = parser.parse_args()
    leads = gathered(given.positions, given.seed, given.networks, given.out)
    scores, means, deals = list(liked(leads)), [lead.means() for lead in leads], [lead.deal for lead in leads]
    lost = [(lead.true.max() - lead.true).astype(float) for lead in leads], [lead.imps() for lead in leads]
    theirs = [np.array([row[lead.theirs] for row, lead in zip(part, leads, strict=True)]) for part in lost]
    true, tricks = [lead.true for lead in leads], [part for _, part in means]
    print(f"{len(leads)} leads; theirs cost {theirs[0].mean():.4f} tricks, {theirs[1].mean():.4f} IMPs")
    print(f"{foretold(true, [tricks]):.4f} of the differences foretold by tricks, ", end="")
    print(f"{foretold(true, [tricks, scores]):.4f} with preferences")
    for weight, trick in product((0, 0.1, choice.LATER_WEIGHT, 0.4), (0, 1, 2, choice.TRICK, 8)):
        worth = [imps + trick * taken + weight * like for (imps, taken), like in zip(means, scores, strict=True)]
        told = []
        for part, other in zip(lost, theirs, strict=True):
            ours = [float(row[np.abs(w - w.max()) < 1e-6].mean()) for row, w in zip(part, worth, strict=True)]
            saved = mean((other - ours).tolist(), deals)
            told.append(f"{np.mean(ours):.4f}, saved {saved[0]:+.4f} ± {saved[1]:.4f}")
        print(f"preference {weight}, trick {trick}: tricks {told[0]}; IMPs {told[1]}")


if __name__ == "__main__":
    main()
