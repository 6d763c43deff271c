"""The fast path of policy iteration: self-play on the deal bank, scored at duplicate, held to the system by a KL term.

Every deal is bid twice, once with the learner's side North-South and once East-West; the difference in IMPs is what
the learner's calls gain. Opponents are the imitation, the learner itself and its past selves (a pool keeps it from
learning to beat itself only). In compatible mode half of the boards have the imitation as the learner's partner, so
that a call which only a copy of itself would understand costs what it would cost at the club. The weight of the KL term
is the dial between strength and compatibility.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel.bidding.tables import Tables, imps_between
from borel.learning.learner import Batch
from borel.policies.encode import CALLS
from borel.policies.network import Network, masked_probabilities

__all__ = ["Played", "play_boards", "to_batch"]

LEARNER, PRIOR, OPPONENT = 0, 1, 2
Decisions = NDArray[np.int64]


@dataclass(slots=True)
class Played:
    """One room of boards: tables, the learner's decisions [m, 2], how likely each call was, each board's IMPs."""

    tables: Tables
    decisions: Decisions
    log_chances: NDArray[np.float32]
    gains: NDArray[np.float64]


def play_boards(
    boards: Tables,
    tricks: NDArray[np.int8],
    networks: tuple[Network, Network, Network],
    partners: float,
    rng: np.random.Generator,
) -> tuple[Played, Played]:
    """Both rooms of some boards; networks are learner, prior and opponent; a share of partners is the prior."""
    with_prior = rng.random(len(boards)) < partners
    learner_seat = rng.integers(0, 2, len(boards))  # which of the two seats, where partner is the prior
    rooms = []
    for side in (0, 1):
        seats = np.full((len(boards), 4), OPPONENT, np.int8)
        seats[:, [side, side + 2]] = LEARNER
        rows = np.flatnonzero(with_prior)
        seats[rows, side + 2 * learner_seat[rows]] = PRIOR
        rooms.append(_room(boards.again(), networks, seats, rng))
    scores = [room.tables.ns_scores(tricks) for room in rooms]
    gains = imps_between(scores[0], scores[1])
    rooms[0].gains = rooms[1].gains = gains
    return rooms[0], rooms[1]


def _room(
    tables: Tables, networks: tuple[Network, Network, Network], seats: NDArray[np.int8], rng: np.random.Generator
) -> Played:
    made: list[Decisions] = []
    chances: list[NDArray[np.float32]] = []
    left = tables.open_rows()
    while len(left):
        who = seats[left, tables.turn(left)]
        for number, network in enumerate(networks):
            rows = left[who == number]
            if not len(rows):
                continue
            policy = masked_probabilities(network.logits(tables.inputs(rows)), tables.legal(rows))
            calls = _draw(policy, rng)
            if number == LEARNER:
                made.append(np.stack([rows, tables.lengths[rows]], axis=1))
                chances.append(np.log(policy[np.arange(len(rows)), calls]))
            tables.make(rows, calls)
        left = left[tables.take(left).contracts()[:, 0] == 0]
    return Played(tables, np.concatenate(made), np.concatenate(chances), np.zeros(len(tables)))


def _draw(policy: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.int64]:
    """One call from each row of probabilities."""
    sums = np.cumsum(policy, axis=1)
    drawn = (rng.random((len(policy), 1)) * sums[:, -1:] >= sums).sum(axis=1)
    last = CALLS - 1 - np.argmax(policy[:, ::-1] > 0, axis=1)  # rounding must not choose an illegal call
    return np.asarray(np.minimum(drawn, last))


def to_batch(room: Played, prior: Network, baseline: tuple[Network, NDArray[np.float32], float], scale: float) -> Batch:
    """What the learner learns from one room: calls weighed by how much better the board went than was to be expected.

    ``baseline`` is the learner's network with the weights and bias of its value; gains are divided by ``scale``.
    """
    rows, positions = room.decisions[:, 0], room.decisions[:, 1].astype(np.int32)
    inputs = room.tables.inputs(rows, positions)
    gains = (room.gains[rows] / scale).astype(np.float32)
    expected = _values(inputs, *baseline)
    return Batch(
        inputs.astype(np.uint8),
        room.tables.legal(rows, positions),
        room.tables.calls[rows, positions].astype(np.int32),
        room.log_chances,
        gains - expected,
        gains,
        prior.logits(inputs),
    )


def _values(
    inputs: NDArray[np.float32], network: Network, weights: NDArray[np.float32], bias: float
) -> NDArray[np.float32]:
    values = inputs
    for layer_weights, biases in network.layers[:-1]:
        values = np.maximum(values @ layer_weights + biases, 0)
    return np.asarray(values @ weights + np.float32(bias))
