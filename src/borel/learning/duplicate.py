"""Boards of a bank bid at duplicate: dealing them, the likeliest calls of a network, and two policies compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borel.bidding.tables import Policy, Tables, bid_out, imps_between, random_conditions
from borel.learning.bank import Bank, symmetric
from borel.policies.network import Acting

__all__ = ["compare", "deal_from", "greedy"]


def deal_from(bank: Bank, count: int, rng: np.random.Generator) -> tuple[Tables, NDArray[np.int8]]:
    """Boards from the bank, with suits renamed and seats turned at random, and their results."""
    rows = np.sort(rng.choice(len(bank), count, replace=count > len(bank)))
    suits = tuple(int(suit) for suit in rng.permutation(4))
    hands, tricks = symmetric(bank.hands(rows), bank.tricks(rows), suits, int(rng.integers(0, 4)))  # type: ignore[arg-type]
    return Tables.start(hands, *random_conditions(count, rng)), tricks


def greedy(network: Acting) -> Policy:
    """The policy that makes the likeliest legal call."""

    def policy(inputs: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.asarray(np.where(legal, network.logits(inputs), -np.inf).argmax(axis=1))

    return policy


def compare(first: Policy, second: Policy, boards: Tables, tricks: NDArray[np.int8]) -> tuple[float, float]:
    """IMPs a board that the first policy wins from the second at duplicate, and the standard error."""
    scores = []
    for seats in ((0, 1, 0, 1), (1, 0, 1, 0)):
        room = boards.again()
        bid_out(room, [first, second], np.tile(np.array(seats, np.int8), (len(boards), 1)))
        scores.append(room.ns_scores(tricks))
    gains = imps_between(scores[0], scores[1])
    return float(gains.mean()), float(gains.std() / np.sqrt(len(gains)))
