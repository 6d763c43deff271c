"""Imitation (Lockhart et al. 2020, 3.1): bid many deals by a system, and teach a network to make the same calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel.bidding.tables import Tables, random_conditions
from borel.dealing import Dealer
from borel.learning.examination import decisions_of, examine, example
from borel.learning.learner import Learner, fresh_layers
from borel.learning.runs import Run, load_boards, save_boards
from borel.learning.teacher import bid_by_system
from borel.policies.network import Network, save_network

__all__ = ["ImitationSettings", "imitate", "make_shards"]

SHARD = 20_000  # boards
BATCH = 2048
REPORT = 200  # steps between two lines of the history, and two checkpoints
Report = Callable[[str, int, int], None]  # what is being done, how much of it, of how much


@dataclass(frozen=True, slots=True)
class ImitationSettings:
    """What to imitate, how much of it, and the size of the network; ``archives`` are the names of files of records."""

    system: str
    boards: int = 200_000
    width: int = 256
    depth: int = 4
    steps: int = 20_000
    rate: float = 1e-3
    seed: int = 1
    archives: tuple[str, ...] = ()


def make_shards(folder: Path, settings: ImitationSettings, report: Report | None = None) -> list[Path]:
    """Bid the boards by the system, a shard at a time; shards that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for first in range(0, settings.boards, SHARD):
        count = min(SHARD, settings.boards - first)
        path = folder / f"boards-{first:09d}.npz"
        paths.append(path)
        if path.exists():
            continue
        hands = np.concatenate(list(Dealer(settings.seed, first=first).blocks(count)))
        conditions = random_conditions(count, np.random.default_rng([settings.seed, first]))
        tables = Tables.start(hands, *conditions)
        done = [first]

        def tell(boards: int, done: list[int] = done) -> None:
            done[0] += boards
            if report is not None:
                report("bidding", done[0], settings.boards)

        bid_by_system(tables, settings.system, progress=tell)
        save_boards(path, tables)
    return paths


def keep_archive(folder: Path, number: int, boards: Callable[[], Tables]) -> Path:
    """A shard of auctions that were really held; read once, kept with the run."""
    path = folder / f"archive-{number:03d}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        save_boards(path, boards())
    return path


def imitate(
    folder: Path,
    settings: ImitationSettings,
    report: Report | None = None,
    archives: Sequence[Callable[[], Tables]] = (),
) -> Network:
    """Make the boards, train on all but a twentieth, and write ``policy.safetensors``; can be stopped at any time."""
    asked = {name: getattr(settings, name) for name in settings.__slots__} | {"archives": list(settings.archives)}
    run = Run(folder, "imitation", asked)
    shards = [keep_archive(folder / "boards", number, boards) for number, boards in enumerate(archives)]
    tables = load_boards(make_shards(folder / "boards", settings, report) + shards)
    training, held_out = split(len(tables))
    learner = Learner(fresh_layers(settings.width, settings.depth, settings.seed), settings.rate)
    step = 0
    if (kept := run.resume()) is not None:
        learner.restore(kept[0])
        step = int(kept[1]["step"])
    decisions = decisions_of(tables, training)
    while step < settings.steps:
        rng = np.random.default_rng([settings.seed, step])
        losses = []
        for _ in range(min(REPORT, settings.steps - step)):
            learner.set_rate(settings.rate * _cooling(step / settings.steps))
            rows, positions = decisions[rng.integers(0, len(decisions), BATCH)].T
            losses.append(learner.imitate(*example(tables, rows, positions.astype(np.int32))))
            step += 1
        loss, right = np.mean(losses, axis=0)
        run.log(step=step, loss=float(loss), right=float(right))
        run.checkpoint(learner.arrays(), step=step)
        if report is not None:
            report(f"learning: {right:.1%} right", step, settings.steps)
    network = learner.network()
    measured = examine(network, tables, held_out).summary(tables)
    manifest = {"kind": "imitation", "system": settings.system, "boards": settings.boards, "steps": settings.steps}
    manifest |= {"seed": settings.seed, "held_out": measured, "data": _data(settings)}
    finished = Network(network.layers, manifest)
    save_network(finished, folder / "policy.safetensors")
    return finished


def split(count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The boards to learn from, and those held out: every twentieth."""
    rows = np.arange(count)
    return rows[rows % 20 != 0], rows[rows % 20 == 0]


def _data(settings: ImitationSettings) -> str:
    own = ["auctions of the system's own rules"] if settings.boards else []
    return "; ".join([*own, *(f"auctions of {name}" for name in settings.archives)])


def _cooling(share: float) -> float:
    """A short warm-up, then a cosine to a hundredth."""
    return min(1.0, share / 0.02 + 0.01) * (0.505 + 0.495 * float(np.cos(np.pi * share)))
