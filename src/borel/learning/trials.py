"""The faster path of policy iteration: one call is changed, the same deal is bid on, and what that was worth is learnt.

A policy gradient tries what the policy is likely to call, and an imitation is sure of nearly everything: what it never
calls it never learns about. Here a board is bid by everybody's likeliest calls; then at some of the learner's decisions
another call is tried, the likelier ones more often, and the auction goes on from there with the same players. The
difference in IMPs belongs to that one call, since nothing else was changed. The network learns to say it: its
log-odds between two calls are to be the imitation's, and what one is worth more than the other, so many IMPs a unit
(`Learner.weigh`). That is the best policy which pays so much for every unit of divergence from the imitation (Gao et
al. 2024, REBEL, solve for it in the same way), so the price is the dial between strength and language.

Auctions that nobody comes to teach nothing, and what a network calls there drifts. So a share of the boards begins with
some calls that are not the likeliest, drawn at the temperature at which other calls are tried; then all go on as usual,
and only calls after those are learnt from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from borel.bidding.tables import LONGEST, Tables, bid_out, imps_between
from borel.learning.duplicate import greedy
from borel.policies.encode import CALLS
from borel.policies.network import Acting

__all__ = ["TRIED", "Trials", "try_calls"]

ILLEGAL = np.float32(-1e9)
SPREAD = 3.0  # the temperature at which other calls are tried; at 1 only what is likely anyway would be
TRIED = 3  # calls tried a board
STRAY = 6  # calls at most with which a board strays from the usual auctions
LEARNER, PRIOR = 0, 1


class Trials(NamedTuple):
    """What was tried: inputs [n, 480] (as bytes), the usual call and the one tried [n], by how much the imitation's
    logit of the second is greater [n], and what it gained in IMPs [n].
    """

    inputs: NDArray[np.uint8]
    usual: NDArray[np.int32]
    tried: NDArray[np.int32]
    prior: NDArray[np.float32]
    gains: NDArray[np.float32]


def try_calls(
    boards: Tables,
    tricks: NDArray[np.int8],
    networks: tuple[Acting, Acting],
    partners: float,
    rng: np.random.Generator,
    astray: float = 0.0,
) -> Trials:
    """Bid some boards and try other calls there; networks are learner and prior, a share of partners is the prior.

    Half of the opponents are the prior, half the learner. A share of the boards goes astray at first.
    """
    side = rng.integers(0, 2, len(boards))
    seats = _seats(side, partners, rng)
    policies = [greedy(network) for network in networks]
    begun = _stray(boards, networks, seats, astray, rng)
    bid_out(boards, policies, seats)
    usual_scores = boards.ns_scores(tricks)
    rows, positions = _decisions(boards, seats, side)
    usual_since = positions >= begun[rows]
    rows, positions = rows[usual_since], positions[usual_since]
    inputs, legal = boards.inputs(rows, positions), boards.legal(rows, positions)
    usual = boards.calls[rows, positions].astype(np.int64)
    logits, prior = (np.where(legal, network.logits(inputs), ILLEGAL) for network in networks)
    chosen, tried = _draw(logits, prior, usual, TRIED * len(boards), rng)
    rows, positions, usual = rows[chosen], positions[chosen], usual[chosen]
    changed = _until(boards.take(rows), positions)
    changed.make(np.arange(len(rows)), tried)
    bid_out(changed, policies, seats[rows])
    gains = imps_between(changed.ns_scores(tricks[rows]), usual_scores[rows]) * np.where(side[rows] == 0, 1, -1)
    more = prior[chosen, tried] - prior[chosen, usual]
    return Trials(
        inputs[chosen].astype(np.uint8),
        usual.astype(np.int32),
        tried.astype(np.int32),
        more.astype(np.float32),
        gains.astype(np.float32),
    )


def _seats(side: NDArray[np.int64], partners: float, rng: np.random.Generator) -> NDArray[np.int8]:
    """[n, 4]: who sits where."""
    n = len(side)
    seats = np.full((n, 4), LEARNER, np.int8)
    theirs = np.arange(4)[None, :] % 2 != side[:, None]
    seats[theirs & (rng.random(n) < 0.5)[:, None]] = PRIOR
    rows = np.flatnonzero(rng.random(n) < partners)
    seats[rows, side[rows] + 2 * rng.integers(0, 2, len(rows))] = PRIOR
    return seats


def _stray(
    boards: Tables,
    networks: tuple[Acting, Acting],
    seats: NDArray[np.int8],
    share: float,
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    """Begin a share of the boards with calls that need not be the likeliest; how many calls each began with."""
    wanted = np.where(rng.random(len(boards)) < share, rng.integers(1, STRAY + 1, len(boards)), 0)
    left = np.flatnonzero(wanted > 0)
    while len(left):
        who = seats[left, boards.turn(left)]
        for number, network in enumerate(networks):
            rows = left[who == number]
            if len(rows):
                logits = np.where(boards.legal(rows), network.logits(boards.inputs(rows)), ILLEGAL)
                boards.make(rows, (logits / SPREAD + rng.gumbel(size=logits.shape)).argmax(axis=1))
        left = left[(boards.take(left).contracts()[:, 0] == 0) & (boards.lengths[left] < wanted[left])]
    return np.minimum(boards.lengths, wanted).astype(np.int32)


def _decisions(
    boards: Tables, seats: NDArray[np.int8], side: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The learner's own decisions: boards, and how many calls had been made."""
    rows, positions = np.nonzero(np.arange(LONGEST)[None, :] < boards.lengths[:, None])
    turn = (boards.dealer[rows] + positions) % 4
    own = (seats[rows, turn] == LEARNER) & (turn % 2 == side[rows])
    return rows[own], positions[own].astype(np.int32)


def _draw(
    logits: NDArray[np.float32],
    prior: NDArray[np.float32],
    usual: NDArray[np.int64],
    count: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Decisions and the calls to try there: a call the more often the nearer learner or prior are to making it."""
    everyone = np.arange(len(usual))
    behind = np.maximum(logits - logits[everyone, usual, None], prior - prior.max(axis=1, keepdims=True))
    weights = np.exp(np.clip(behind, -60 * SPREAD, 0) / SPREAD)
    weights[logits <= ILLEGAL] = 0
    weights[everyone, usual] = 0
    sums = np.cumsum(weights.reshape(-1), dtype=np.float64)
    drawn = np.searchsorted(sums, rng.random(count) * sums[-1], side="right")
    return drawn // CALLS, drawn % CALLS


def _until(boards: Tables, positions: NDArray[np.int32]) -> Tables:
    """The boards with only so many calls made."""
    boards.lengths[:] = positions
    boards.calls[np.arange(LONGEST)[None, :] >= positions[:, None]] = 0
    return boards
