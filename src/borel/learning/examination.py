"""How well a network makes its teacher's calls on unseen boards: by round, by kind of auction, by certainty."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel.bidding.tables import Tables
from borel.errors import BridgeError
from borel.policies.network import Network, masked_probabilities

__all__ = ["KINDS", "Examined", "decisions_of", "examine", "example", "plot_calibration"]

KINDS = ("opening", "uncontested", "contested")  # nobody, one side, both sides have bid or doubled
AT_ONCE = 8192
BINS = 10


@dataclass(frozen=True, slots=True)
class Examined:
    """A network's answers: decisions [m, 2] (board, calls before), whether each was the teacher's call, how sure the
    network was of its own call, how likely it thought the teacher's.
    """

    decisions: NDArray[np.int64]
    right: NDArray[np.bool_]
    sureness: NDArray[np.float32]
    chances: NDArray[np.float32]

    def summary(self, tables: Tables) -> dict[str, Any]:
        """What goes into the manifest."""
        boards, positions = self.decisions.T
        passes = tables.calls[boards, positions] == 0
        rounds, kinds = positions // 4, kinds_of(tables, self.decisions)
        return {
            "decisions": len(self.right),
            "right": _share(self.right),
            "right_not_passes": _share(self.right[~passes]),
            "log_likelihood": round(float(np.log(np.maximum(self.chances, 1e-12)).mean()), 5),
            "right_by_round": [_share(self.right[rounds == number]) for number in range(int(rounds.max()) + 1)],
            "right_by_kind": {
                name: {"decisions": int((kinds == kind).sum()), "right": _share(self.right[kinds == kind])}
                for kind, name in enumerate(KINDS)
                if (kinds == kind).any()
            },
            "calibration": self.calibration(),
        }

    def calibration(self) -> list[dict[str, float]]:
        """For each tenth of certainty: how sure the network was, how often it was right, how many decisions."""
        bins = np.minimum((self.sureness * BINS).astype(np.int64), BINS - 1)
        return [
            {
                "sure": round(float(self.sureness[bins == number].mean()), 4),
                "right": _share(self.right[bins == number]),
                "decisions": int((bins == number).sum()),
            }
            for number in range(BINS)
            if (bins == number).any()
        ]


def examine(network: Network, tables: Tables, rows: NDArray[np.int64]) -> Examined:
    """Ask a network for every call that was made on some boards."""
    decisions = decisions_of(tables, rows)
    if not len(decisions):
        raise BridgeError("no boards were held out: there are too few to learn from")
    right, sureness, chances = [], [], []
    for first in range(0, len(decisions), AT_ONCE):
        boards, positions = decisions[first : first + AT_ONCE].T
        inputs, legal, calls = example(tables, boards, positions.astype(np.int32))
        policy = masked_probabilities(network.logits(inputs.astype(np.float32)), legal)
        right.append(policy.argmax(axis=1) == calls)
        sureness.append(policy.max(axis=1))
        chances.append(policy[np.arange(len(calls)), calls])
    return Examined(decisions, np.concatenate(right), np.concatenate(sureness), np.concatenate(chances))


def decisions_of(tables: Tables, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """[m, 2]: the board and the position of every call made on some boards."""
    lengths = tables.lengths[rows]
    boards = np.repeat(rows, lengths)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.stack([boards, np.arange(len(boards)) - starts], axis=1)


def example(
    tables: Tables, rows: NDArray[np.int64], positions: NDArray[np.int32]
) -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.int32]]:
    """What was seen, what was legal and what was called at some decisions."""
    inputs = tables.inputs(rows, positions).astype(np.uint8)
    return inputs, tables.legal(rows, positions), tables.calls[rows, positions].astype(np.int32)


def kinds_of(tables: Tables, decisions: NDArray[np.int64]) -> NDArray[np.int64]:
    """[m]: the number in `KINDS` of the auction before each decision."""
    boards, positions = decisions.T
    calls = tables.calls[boards]
    spoken = (calls != 0) & (np.arange(calls.shape[1]) < positions[:, None])
    sides = spoken[:, 0::2].any(axis=1).astype(np.int64) + spoken[:, 1::2].any(axis=1)
    return np.asarray(sides, dtype=np.int64)


def plot_calibration(bins: list[dict[str, float]], path: Path) -> None:
    """How often the network was right against how sure it was; a point's area is its share of the decisions."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 5))
    axes = figure.add_subplot()
    counts = np.array([one["decisions"] for one in bins], dtype=np.float64)
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
    axes.scatter([one["sure"] for one in bins], [one["right"] for one in bins], 20 + 600 * counts / counts.sum())
    axes.set_xlabel("how sure the network was of its call")
    axes.set_ylabel("how often the teacher made it")
    axes.grid(visible=True, alpha=0.3)
    figure.savefig(path, bbox_inches="tight")


def _share(right: NDArray[np.bool_]) -> float:
    return round(float(right.mean()), 4) if len(right) else 0.0
