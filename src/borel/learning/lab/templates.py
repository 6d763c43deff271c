"""Template hands (Prorok 2003, 8.8): what a given opening promises on average, as a hand to add to one's own.

An opening that is given does not change while the pair practises, so responder may reckon from the first deal on with
opener's mean lengths and points: each of his learners begins with what every contract scores, on average, on deals with
as many points and trumps as his hand and the template have together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel.learning.lab.openings import STRENGTHS, TO_LEARN, Shape
from borel.learning.lab.pairs import PairDeals

__all__ = ["Template", "contract_values", "opening_templates", "template_rows"]

POINTS, TRUMPS = 41, 27  # of two hands together: 0..40, and 0..26 cards of a suit, which never are so many
LEAN = 20.0  # deals of neighbours that a mean is mixed with


@dataclass(frozen=True, slots=True)
class Template:
    """The mean hand of an opening: lengths of spades, hearts, diamonds and clubs, and points."""

    call: int
    lengths: tuple[float, float, float, float]
    points: float


def opening_templates(deals: PairDeals, openings: NDArray[np.uint8], shapes: list[Shape]) -> list[Template]:
    """The template of every opening that is given and occurs."""
    hands = deals.hands[:, 0].astype(np.int64)
    made, lengths = openings[hands], np.array(shapes)[hands // STRENGTHS]
    found = []
    for call in np.unique(made[made != TO_LEARN]).tolist():
        mean = lengths[made == call].mean(axis=0)
        points = float((hands[made == call] % STRENGTHS).mean())
        found.append(Template(int(call), (mean[0], mean[1], mean[2], mean[3]), points))
    return found


def contract_values(deals: PairDeals, shapes: list[Shape], scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """[38, 41, 27]: the mean score of each contract by common points and trumps (of notrump: by points alone)."""
    lengths = np.array(shapes)[deals.hands.astype(np.int64) // STRENGTHS][:, :, ::-1].sum(axis=1)  # C D H S
    points = (deals.hands.astype(np.int64) % STRENGTHS).sum(axis=1)
    tricks = deals.tricks.max(axis=1).astype(np.int64)
    values = np.zeros((38, POINTS, TRUMPS))
    everywhere = np.repeat(np.arange(len(points)), 4)
    suits = np.zeros((POINTS, TRUMPS, 14))
    np.add.at(suits, (points[everywhere], lengths.reshape(-1), tricks[:, :4].reshape(-1)), 1.0)
    notrump = np.zeros((POINTS, 14))
    np.add.at(notrump, (points, tricks[:, 4]), 1.0)
    for call in range(3, 38):
        counts = np.repeat(notrump[:, None], TRUMPS, axis=1) if call % 5 == 2 else suits
        values[call] = _smooth(counts @ scores[call].astype(np.float64), counts.sum(axis=2))
    return values


def _smooth(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means that lean on those of a point fewer, and below all on a bad result, where there are few deals."""
    means = np.full(sums.shape, -300.0)
    for point in range(len(sums)):
        before = means[max(0, point - 1)]
        means[point] = (sums[point] + LEAN * before) / (counts[point] + LEAN)
    return means


def template_rows(
    template: Template,
    classes: NDArray[np.uint32],
    shapes: list[Shape],
    values: NDArray[np.float64],
    width: int,
) -> tuple[NDArray[np.uint64], NDArray[np.float32]]:
    """Keys and values of responder's learners after an opening, each of a class of hands."""
    hands = np.arange(len(classes))
    points = np.rint(hands % STRENGTHS + template.points).astype(np.int64).clip(max=POINTS - 1)
    own = np.array(shapes)[hands // STRENGTHS]
    fits = np.rint(own + np.array(template.lengths)).astype(np.int64)[:, ::-1]  # C D H S
    options = (template.call, *range(max(3, template.call + 1), 38))[:width]
    worth = np.zeros((len(hands), width))
    for place, call in enumerate(options):
        if call >= 3:
            trumps = fits[:, (call - 3) % 5] if call % 5 != 2 else np.zeros(len(hands), np.int64)
            worth[:, place] = values[call, points, trumps]
    known, first, count = np.unique(classes, return_inverse=True, return_counts=True)
    mean = np.zeros((len(known), width))
    np.add.at(mean, first, worth)
    keys = known.astype(np.uint64) << np.uint64(44) | np.uint64(1 << 6 | template.call)
    return keys, (mean / count[:, None]).astype(np.float32)
