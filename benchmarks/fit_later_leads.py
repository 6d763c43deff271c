"""What good defenders lead after the first trick: a conditional logit of experts' leads on the boards kept for fitting.

    python benchmarks/fit_later_leads.py             # held out: nats a lead and how often the likeliest was led
    python benchmarks/fit_later_leads.py --write     # src/borel/cardplay/later_lead_weights.py, from all of them

A lead is as likely as the exponential of the sum of its features' weights; notrump has differences of its own. Cards
that are equal count as one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel.cardplay import later_leads
from borel.cardplay.worth import equals_of
from borel.view import Systems
from card_play_mistakes import arguments, choice_at, fitting_half, records, view_of

MOST = 13
RIDGE, RIDGE_NOTRUMP = 4.0, 8.0  # of the squares of the weights
STEPS, RATE = 400, 0.05
FOLDS = 5
LEAST = 0.12  # features that count less in both columns are left out
PLACE = Path(later_leads.__file__).with_name("later_lead_weights.py")
HEAD = "Weights of the features of a lead, against a suit contract and notrump (fit_later_leads.py)."
Floats = NDArray[np.float64]
Found = tuple[list[dict[str, float]], list[bool], bool, int]


@dataclass(frozen=True, slots=True)
class Leads:
    """Decisions: features [n, 13, 2 * names], which of the 13 places are cards, which are the lead or its equals."""

    names: tuple[str, ...]
    features: Floats
    legal: NDArray[np.bool_]
    made: NDArray[np.bool_]
    deals: NDArray[np.int64]


def gathered(name: str) -> Leads:
    """The leads after the first of a set's boards for fitting."""
    every, found = records(name), []
    for number, deal in fitting_half(every):
        record = every[number]
        for k in range(4, len(record.cards), 4):
            play = choice_at(record, k)
            if play is None or play.turn.side is play.contract.side or record.auction is None:
                continue
            view = view_of(record, play, Systems("sayc", "sayc"))
            equal = equals_of(play, record.cards[k])
            cards = later_leads.features_of(view, view.known_play())
            made = [bool(equal & card.mask) for card in cards]
            found.append((list(cards.values()), made, play.strain.suit is None, deal))
    return leads_of(found)


def leads_of(found: list[Found]) -> Leads:
    """As arrays: for each lead the cards' features, which of them was led, whether it was notrump, and the deal."""
    names = tuple(sorted({name for cards, *_ in found for card in cards for name in card}))
    place = {name: i for i, name in enumerate(names)}
    features = np.zeros((len(found), MOST, 2 * len(names)))
    legal, made_ = np.zeros((len(found), MOST), bool), np.zeros((len(found), MOST), bool)
    for i, (cards, made, notrump, _) in enumerate(found):
        legal[i, : len(cards)], made_[i, : len(cards)] = True, made
        for j, card in enumerate(cards):
            for key, value in card.items():
                features[i, j, place[key]] = value
                features[i, j, len(names) + place[key]] = value * notrump
    return Leads(names, features, legal, made_, np.array([deal for *_, deal in found]))


def chances(leads: Leads, weights: Floats, rows: NDArray[np.bool_]) -> Floats:
    scores = np.where(leads.legal[rows], leads.features[rows] @ weights, -np.inf)
    parts = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


def fitted(leads: Leads, rows: NDArray[np.bool_]) -> Floats:
    """The likeliest weights, by Adam on the whole set."""
    made, n = leads.made[rows], len(leads.names)
    flat = leads.features[rows].reshape(-1, 2 * n)
    ridge = np.concatenate([np.full(n, RIDGE), np.full(n, RIDGE_NOTRUMP)])
    weights, first, second = np.zeros(2 * n), np.zeros(2 * n), np.zeros(2 * n)
    for t in range(1, STEPS + 1):
        now = chances(leads, weights, rows)
        wanted = now * made
        wanted /= wanted.sum(axis=1, keepdims=True)
        slope = (now - wanted).ravel() @ flat + ridge * weights
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= RATE * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.99**t)) + 1e-8)
    return weights


def table_of(names: tuple[str, ...], weights: Floats) -> dict[str, tuple[float, float]]:
    """Each feature's weight against a suit contract and against notrump, the strongest first."""
    pairs = {name: (weights[i], weights[len(names) + i]) for i, name in enumerate(names)}
    kept = {name: pair for name, pair in pairs.items() if max(map(abs, pair)) >= LEAST}
    ordered = sorted(kept.items(), key=lambda item: -max(map(abs, item[1])))
    return {name: (float(suits), float(suits + more)) for name, (suits, more) in ordered}


def text_of(names: tuple[str, ...], weights: Floats, head: str) -> str:
    """The module with the table."""
    rows = [
        f'    "{name}": ({suits:.2f}, {notrump:.2f}),' for name, (suits, notrump) in table_of(names, weights).items()
    ]
    return f'"""{head}"""\n\nWEIGHTS: dict[str, tuple[float, float]] = {{\n' + "\n".join(rows) + "\n}\n"


def show(leads: Leads) -> None:
    """How well leads held out are foretold."""
    nats, right, plain = [], [], []
    for fold in range(FOLDS):
        out = leads.deals // 2 % FOLDS == fold
        now, made = chances(leads, fitted(leads, ~out), out), leads.made[out]
        nats.append(np.log((now * made).sum(axis=1)))
        right.append(made[np.arange(len(now)), now.argmax(axis=1)])
        plain.append(np.log(made.sum(axis=1) / leads.legal[out].sum(axis=1)))
    mean = [float(np.concatenate(x).mean()) for x in (nats, plain, right)]
    print(f"{len(leads.deals)} leads held out: {mean[0]:.3f} nats ({mean[1]:.3f} by chance), {mean[2]:.1%} guessed")


def run(doc: str, gather: Callable[[str], Leads], place: Path, head: str) -> None:
    """The command: show how well held-out leads are foretold, or write the table fitted to all of them."""
    parser = arguments(doc)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    leads = gather("experts")
    if given.write:
        place.write_text(text_of(leads.names, fitted(leads, np.ones(len(leads.deals), bool)), head))
        return
    show(leads)


if __name__ == "__main__":
    run(__doc__ or "", gathered, PLACE, HEAD)
