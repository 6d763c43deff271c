"""A policy network in NumPy: dense layers with ReLU, probabilities of 38 calls, weights in a safetensors file.

The file's metadata is the model's manifest: what it was trained on and how, how it did, the version of the encoding,
and a hash of the weights. A file of another version, or whose weights do not match their hash, is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.policies.encode import CALLS, SIZE, VERSION
from borel.policies.weights_file import Arrays, WeightsError, read_weights, write_weights

__all__ = [
    "Acting",
    "Network",
    "QuickNetwork",
    "WeightsError",
    "load_network",
    "masked_probabilities",
    "save_network",
]

FORMAT = "borel-policy"
Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
Rows = NDArray[np.float32]


class Acting(Protocol):
    """Whatever has an opinion of every call: a network, exact or quick."""

    def logits(self, inputs: Rows) -> Rows:
        """[n, 38] for inputs [n, 480]."""


@dataclass(frozen=True, slots=True)
class Network:
    """Dense layers: weights [inputs, outputs] and biases, ReLU between them; ``manifest`` says where it comes from."""

    layers: tuple[Layer, ...]
    manifest: dict[str, Any] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """The size of the hidden layers."""
        return int(self.layers[0][0].shape[1])

    @property
    def price(self) -> float | None:
        """The IMPs that a unit of log-odds stands for, in a network that was taught what calls gain."""
        settings = self.manifest.get("settings", {})
        return float(settings["kl"]) if settings.get("by") == "calls" else None

    def logits(self, inputs: Rows) -> Rows:
        """[n, 38] for inputs [n, 480]."""
        weights, biases = self.layers[0]
        return self.from_first(inputs @ weights + biases)

    def from_first(self, sums: Rows) -> Rows:
        """[n, 38] from what the first layer's units have summed up; the sums are overwritten."""
        values = sums
        for weights, biases in self.layers[1:]:
            np.maximum(values, 0, out=values)
            values = values @ weights
            values += biases
        return values


class QuickNetwork:
    """A network for acting in bulk, in the core: four times as fast on one thread, its logits to two or three digits.

    One call in a thousand is another one, a near one (`benchmarks/learning.py`). Learning and bidders at a table are
    exact; self-play that others learn from need not be.
    """

    def __init__(self, network: Network) -> None:
        self._net = _core.PolicyNet([(np.ascontiguousarray(weights), biases) for weights, biases in network.layers])

    def logits(self, inputs: Rows) -> Rows:
        """[n, 38] for inputs [n, 480], most of which are zero."""
        found: Rows = self._net.logits(np.ascontiguousarray(inputs))
        return found


def masked_probabilities(logits: Rows, legal: NDArray[np.bool_], *, temperature: float = 1.0) -> Rows:
    """[n, 38]: probabilities of the legal calls; the others have none."""
    values = np.where(legal, logits / np.float32(temperature), np.float32(-np.inf))
    values -= values.max(axis=1, keepdims=True)
    np.exp(values, out=values)
    values /= values.sum(axis=1, keepdims=True)
    return values


def save_network(network: Network, path: Path) -> None:
    """Write the weights as half-precision numbers, which lose nothing that matters, and the manifest."""
    arrays = {}
    for number, (weights, biases) in enumerate(network.layers):
        arrays[f"w{number}"], arrays[f"b{number}"] = weights.astype(np.float16), biases.astype(np.float16)
    write_weights(path, arrays, network.manifest | {"format": FORMAT, "encoding": VERSION})


def load_network(path: Path) -> Network:
    """Read a file of weights, and check what it is."""
    arrays, manifest = read_weights(path, FORMAT, "a policy", encoding=VERSION)
    return Network(_layers(path, arrays), manifest)


def _layers(path: Path, arrays: Arrays) -> tuple[Layer, ...]:
    layers = []
    size = SIZE
    for number in range(len(arrays) // 2):
        weights, biases = arrays.get(f"w{number}"), arrays.get(f"b{number}")
        if weights is None or biases is None or weights.ndim != 2 or weights.shape[0] != size:
            raise WeightsError(f"{path}: layer {number} does not fit the one before")
        if biases.shape != weights.shape[1:]:
            raise WeightsError(f"{path}: layer {number} has biases of another size")
        layers.append((weights.astype(np.float32), biases.astype(np.float32)))
        size = weights.shape[1]
    if not layers or size != CALLS:
        raise WeightsError(f"{path}: the last layer has {size} outputs, not {CALLS}")
    return tuple(layers)
