"""The part of learning that needs gradients: a network as JAX arrays, supervised steps, policy-gradient steps.

Everything else is NumPy, so that using a network needs no framework. JAX comes with the extra ``train``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from borel.learning.trials import Trials
from borel.policies.encode import CALLS, SIZE
from borel.policies.network import Network

__all__ = ["SCALE", "Batch", "GradientSettings", "Learner", "fresh_layers", "with_value"]

Layers = list[tuple[jax.Array, jax.Array]]
ILLEGAL = -1e9
SCALE = 5.0  # IMPs: about the standard deviation of a board


def fresh_layers(width: int, depth: int, seed: int) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Random layers of He's scale, and one output more than calls: the expected gain of the board."""
    rng = np.random.default_rng(seed)
    sizes = [SIZE, *[width] * depth, CALLS + 1]
    layers = []
    for inputs, outputs in pairwise(sizes):
        ones = 20 if inputs == SIZE else inputs  # about twenty of the inputs are one, the others zero
        scale = np.sqrt(2 / ones) * (0.1 if outputs == CALLS + 1 else 1)
        layers.append((rng.normal(0, scale, (inputs, outputs)).astype(np.float32), np.zeros(outputs, np.float32)))
    return layers


def with_value(network: Network) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """A network's layers with an output for the value, which starts at nothing."""
    *layers, (weights, biases) = network.layers
    nothing = np.zeros((len(weights), 1), np.float32)
    return [*layers, (np.concatenate([weights, nothing], axis=1), np.append(biases, np.float32(0)))]


class Batch(NamedTuple):
    """Decisions to learn from: inputs [n, 480] (as bytes), legal [n, 38], the calls made [n], and for improvement the
    log-probability with which each was made, its advantage, the board's gain, and the prior's logits [n, 38].
    """

    inputs: NDArray[np.uint8]
    legal: NDArray[np.bool_]
    calls: NDArray[np.int32]
    log_chances: NDArray[np.float32]
    advantages: NDArray[np.float32]
    gains: NDArray[np.float32]
    prior: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class GradientSettings:
    """How a policy-gradient step is weighed: PPO's clip, the pull to the prior, curiosity, the value's loss."""

    clip: float = 0.2
    kl: float = 0.05
    entropy: float = 0.0
    value: float = 0.02


class Learner:
    """A network that learns; its parameters and Adam's moments can be saved and restored as arrays."""

    def __init__(self, layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]], rate: float) -> None:
        self.layers: Layers = [(jnp.asarray(w), jnp.asarray(b)) for w, b in layers]
        self.optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.inject_hyperparams(optax.adam)(rate))
        self.state: Any = self.optimizer.init(self.layers)
        self._imitate = jax.jit(partial(_step, _imitation_loss, self.optimizer))
        self._follow = jax.jit(partial(_step, _search_loss, self.optimizer))
        self._weigh = jax.jit(partial(_step, _worth_loss, self.optimizer), static_argnums=(3,))
        self._improve = jax.jit(partial(_step, _policy_loss, self.optimizer), static_argnums=(3,))

    def set_rate(self, rate: float) -> None:
        """Change the learning rate."""
        self.state[1].hyperparams["learning_rate"] = jnp.asarray(rate, jnp.float32)

    def imitate(
        self, inputs: NDArray[np.uint8], legal: NDArray[np.bool_], calls: NDArray[np.int32]
    ) -> tuple[float, float]:
        """One supervised step: its loss and the share of calls that were already right."""
        self.layers, self.state, loss, parts = self._imitate(self.layers, self.state, (inputs, legal, calls), None)
        return float(loss), float(parts["right"])

    def follow(
        self, inputs: NDArray[np.uint8], legal: NDArray[np.bool_], targets: NDArray[np.float32]
    ) -> tuple[float, float]:
        """One step towards what a search found ([n, 38] probabilities): its loss, and the share of calls that agree."""
        self.layers, self.state, loss, parts = self._follow(self.layers, self.state, (inputs, legal, targets), None)
        return float(loss), float(parts["right"])

    def weigh(self, trials: Trials, price: float) -> dict[str, float]:
        """One step towards log-odds that are the imitation's and what the tried calls gained, ``price`` IMPs a unit."""
        self.layers, self.state, loss, parts = self._weigh(self.layers, self.state, trials, price)
        return {"loss": float(loss)} | {name: float(value) for name, value in parts.items()}

    def improve(self, batch: Batch, settings: GradientSettings) -> dict[str, float]:
        """One policy-gradient step, and how it went."""
        self.layers, self.state, loss, parts = self._improve(self.layers, self.state, batch, settings)
        return {"loss": float(loss)} | {name: float(value) for name, value in parts.items()}

    def network(self, manifest: dict[str, Any] | None = None) -> Network:
        """The policy as NumPy, without the value."""
        layers = [(np.asarray(w), np.asarray(b)) for w, b in self.layers]
        last_w, last_b = layers[-1]
        layers[-1] = (last_w[:, :CALLS], last_b[:CALLS])
        return Network(tuple(layers), manifest or {})

    def value_layer(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The weights of the value's output."""
        return np.asarray(self.layers[-1][0][:, CALLS]), np.asarray(self.layers[-1][1][CALLS])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that must be kept to go on learning."""
        leaves = jax.tree_util.tree_leaves((self.layers, self.state))
        return {f"a{number}": np.asarray(leaf) for number, leaf in enumerate(leaves)}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Go on from `arrays`."""
        leaves, shape = jax.tree_util.tree_flatten((self.layers, self.state))
        leaves = [jnp.asarray(arrays[f"a{number}"]) for number in range(len(leaves))]
        self.layers, self.state = jax.tree_util.tree_unflatten(shape, leaves)


def _forward(layers: Layers, inputs: jax.Array) -> jax.Array:
    values = inputs.astype(jnp.float32)
    for number, (weights, biases) in enumerate(layers):
        values = values @ weights + biases
        if number + 1 < len(layers):
            values = jax.nn.relu(values)
    return values


def _step(
    loss_of: Any, optimizer: Any, layers: Layers, state: Any, batch: Any, settings: Any
) -> tuple[Layers, Any, jax.Array, dict[str, jax.Array]]:
    (loss, parts), gradient = jax.value_and_grad(loss_of, has_aux=True)(layers, batch, settings)
    updates, state = optimizer.update(gradient, state, layers)
    return optax.apply_updates(layers, updates), state, loss, parts


def _imitation_loss(layers: Layers, batch: Any, _: None) -> tuple[jax.Array, dict[str, jax.Array]]:
    inputs, legal, calls = batch
    logits = jnp.where(legal, _forward(layers, inputs)[:, :CALLS], ILLEGAL)
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, calls)
    return losses.mean(), {"right": (logits.argmax(axis=1) == calls).mean()}


def _search_loss(layers: Layers, batch: Any, _: None) -> tuple[jax.Array, dict[str, jax.Array]]:
    inputs, legal, targets = batch
    log_policy = jax.nn.log_softmax(jnp.where(legal, _forward(layers, inputs)[:, :CALLS], ILLEGAL))
    losses = -jnp.where(legal, targets * log_policy, 0).sum(axis=1)
    return losses.mean(), {"right": (log_policy.argmax(axis=1) == targets.argmax(axis=1)).mean()}


def _worth_loss(layers: Layers, trials: Trials, price: float) -> tuple[jax.Array, dict[str, jax.Array]]:
    outputs = _forward(layers, jnp.asarray(trials.inputs))
    usual, tried = (
        jnp.take_along_axis(outputs, jnp.asarray(calls)[:, None], axis=1)[:, 0]
        for calls in (trials.usual, trials.tried)
    )
    expected = price * (tried - usual - trials.prior)
    return jnp.square((expected - trials.gains) / SCALE).mean(), {"expected": expected.mean()}


def _policy_loss(layers: Layers, batch: Batch, settings: GradientSettings) -> tuple[jax.Array, dict[str, jax.Array]]:
    outputs = _forward(layers, jnp.asarray(batch.inputs))
    log_policy = jax.nn.log_softmax(jnp.where(batch.legal, outputs[:, :CALLS], ILLEGAL))
    log_prior = jax.nn.log_softmax(jnp.where(batch.legal, batch.prior, ILLEGAL))
    chances = jnp.exp(log_policy)
    made = jnp.take_along_axis(log_policy, jnp.asarray(batch.calls)[:, None], axis=1)[:, 0]
    ratio = jnp.exp(made - batch.log_chances)
    clipped = jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip)
    gain = jnp.minimum(ratio * batch.advantages, clipped * batch.advantages).mean()
    kl = jnp.where(batch.legal, chances * (log_policy - log_prior), 0).sum(axis=1).mean()
    entropy = -jnp.where(batch.legal, chances * log_policy, 0).sum(axis=1).mean()
    value = jnp.square(outputs[:, CALLS] - batch.gains).mean()
    loss = -gain + settings.kl * kl - settings.entropy * entropy + settings.value * value
    moved = (jnp.abs(ratio - 1) > settings.clip).mean()
    return loss, {"kl": kl, "entropy": entropy, "value": value, "clipped": moved}
