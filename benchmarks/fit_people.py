"""The network of how people bid, tuned on the calls of the experts' boards kept for fitting.

    python benchmarks/fit_people.py                          # held out: nats a call on a fifth of those boards
    python benchmarks/fit_people.py --out people.safetensors # all of them: src/borel/cardplay/people.safetensors
    python benchmarks/fit_people.py --without 0 --out FILE   # all but one half of the deals, which it has not seen then

It begins as `neural:two_over_one`, which is too sure of itself: the last layer is made smaller first. Spot cards are
dealt anew among their neighbours every time, so that hands are not learnt by heart. Needs the extra ``train`` (JAX).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from borel.auction import Auction
from borel.cards import Side
from borel.policies.encode import CARDS, auction_row, card_rows, legal_row
from borel.policies.network import Network, save_network
from borel.policies.neural import shipped
from card_play_mistakes import arguments, fitting_half, records

START, CALMED = "two_over_one", 0.08  # the last layer's factor, from a grid of 0.05 to 0.3
RATE, DROPPED, NEAR, BATCH = 5e-4, 0.1, 3e-4, 512
SPOTS, SPREAD = 8, 1.5
FOLDS = 5
Weights = list[tuple[Any, Any]]


def calls_of(name: str) -> tuple[NDArray[np.int8], NDArray[np.bool_], NDArray[np.int64], NDArray[np.uint64], list[int]]:
    """Every call: the auction before it, the legal calls, which it was, the hand, and the deal's number."""
    rows, legal, made, hands, deals = [], [], [], [], []
    every = records(name)
    for number, deal in fitting_half(every):
        record = every[number]
        if record.auction is None or record.deal is None or record.vulnerability is None:
            continue
        for i, call in enumerate(record.auction.calls):
            seat, before = record.auction.seat_of(i), Auction(record.auction.dealer, record.auction.calls[:i])
            rows.append(auction_row(before, Side(seat.side), record.vulnerability).astype(np.int8))
            legal.append(legal_row(before))
            made.append(call.index)
            hands.append(record.deal.hand(seat).mask)
            deals.append(deal)
    return np.array(rows), np.array(legal), np.array(made), np.array(hands, np.uint64), deals


def half_of(deal: int) -> int:
    """To which half of the deals for fitting one belongs."""
    return deal // 2 % 2


def like_hands(hands: NDArray[np.uint64], rng: np.random.Generator) -> NDArray[np.uint64]:
    """The same hands with spot cards exchanged for others of about their rank."""
    found = hands & np.uint64(sum(0x1F00 << 13 * suit for suit in range(4)))
    places = np.arange(SPOTS, dtype=np.uint64)
    for suit in range(4):
        bits = hands[:, None] >> (places + np.uint64(13 * suit)) & np.uint64(1)
        order = np.argsort(np.arange(SPOTS) + rng.normal(0, SPREAD, bits.shape), axis=1)
        found |= (np.take_along_axis(bits, order, 1) << places).sum(1).astype(np.uint64) << np.uint64(13 * suit)
    return np.asarray(found)


def costs(layers: Weights, inputs: Any, legal: Any, made: Any, key: Any = None) -> Any:
    """[n]: minus the logarithm of each call's chance; with a key, some units are left out."""
    values = inputs
    for number, (weights, biases) in enumerate(layers):
        values = values @ weights + biases
        if number < len(layers) - 1:
            values = jax.nn.relu(values)
            if key is not None:
                key, used = jax.random.split(key)
                values = values * jax.random.bernoulli(used, 1 - DROPPED, values.shape) / (1 - DROPPED)
    chances = jax.nn.log_softmax(jnp.where(legal, values, -1e9))
    return -jnp.take_along_axis(chances, made[:, None], 1)[:, 0]


def inputs_of(rows: NDArray[np.int8], hands: NDArray[np.uint64]) -> NDArray[np.float32]:
    inputs = rows.astype(np.float32)
    inputs[:, CARDS] = card_rows(hands)
    return inputs


def tuned(data: Any, epochs: int, seed: int) -> Weights:
    """The network after so many rounds over the calls, by Adam."""
    rows, legal, made, hands = data
    start = [(jnp.array(w), jnp.array(b)) for w, b in shipped(START).layers]
    start[-1] = (start[-1][0] * CALMED, start[-1][1] * CALMED)

    def loss(layers: Weights, *batch: Any) -> Any:
        moved = sum(((a - b) ** 2).sum() for a, b in zip(jax.tree.leaves(layers), jax.tree.leaves(start), strict=True))
        return costs(layers, *batch).mean() + NEAR * moved

    @jax.jit  # type: ignore[untyped-decorator]
    def step(state: Any, t: int, rate: float, *batch: Any) -> Any:
        layers, first, second = state
        slope = jax.grad(loss)(layers, *batch)
        first = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, first, slope)
        second = jax.tree.map(lambda a, g: 0.999 * a + 0.001 * g * g, second, slope)
        layers = jax.tree.map(
            lambda w, a, b: w - rate * (a / (1 - 0.9**t)) / (jnp.sqrt(b / (1 - 0.999**t)) + 1e-8), layers, first, second
        )
        return layers, first, second

    nothing = jax.tree.map(jnp.zeros_like, start)
    state, rng, t, total = (start, nothing, nothing), np.random.default_rng(seed), 0, epochs * (len(made) // BATCH)
    for _ in range(epochs):
        order = rng.permutation(len(made))
        for at in range(0, len(made) - BATCH + 1, BATCH):
            some, t = order[at : at + BATCH], t + 1
            inputs = inputs_of(rows[some], like_hands(hands[some], rng))
            rate = RATE * (1 - 0.9 * t / total)
            state = step(state, t, rate, inputs, legal[some], made[some], jax.random.PRNGKey(t))
    return [(np.asarray(w), np.asarray(b)) for w, b in state[0]]


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--without", type=int, choices=(0, 1), help="a half of the deals")
    given = parser.parse_args()
    rows, legal, made, hands, deals = calls_of("experts")
    held_out = np.array([deal // 2 % FOLDS == 0 for deal in deals]) & (given.out is None)
    if given.without is not None:
        held_out = np.array([half_of(deal) == given.without for deal in deals])
    layers = tuned([part[~held_out] for part in (rows, legal, made, hands)], given.epochs, given.seed)
    if given.out is None:
        first = [(w, b) for w, b in shipped(START).layers]
        for name, some in ((START, first), ("tuned", layers)):
            cost = costs(some, inputs_of(rows, hands)[held_out], legal[held_out], made[held_out])
            print(f"{name}: {float(cost.mean()):.3f} nats a call lost, {int(held_out.sum())} calls held out")
        return
    calls = int((~held_out).sum())
    manifest = {"start": START, "calls": calls, "epochs": given.epochs, "seed": given.seed, "of": "experts"}
    save_network(Network(tuple((w, b) for w, b in layers), manifest), Path(given.out))


if __name__ == "__main__":
    main()
