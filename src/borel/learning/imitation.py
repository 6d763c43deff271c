"""Imitation (Lockhart et al. 2020, 3.1): bid many deals by a system, and teach a network to make the same calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel.bidding.tables import Tables
from borel.learning.examination import decisions_of, examine, example
from borel.learning.learner import Learner, fresh_layers, with_value
from borel.learning.lessons import Report, load_lessons, make_lessons, split
from borel.learning.other_hands import OtherHands, load_others
from borel.learning.rare import ENOUGH
from borel.learning.rare_shards import RareSettings, make_rare_shards, rules_heard
from borel.learning.runs import Run, RunError, code_version, load_boards, save_boards
from borel.policies.network import Network, save_network
from borel.systems import load_system

__all__ = ["ImitationSettings", "imitate"]

BATCH = 2048
OTHERS, RARE = 0.3, 0.3  # of a batch: answers about other hands than those that were dealt, and in rare auctions
REPORT = 100  # steps between two lines of the history, and two checkpoints
Example = tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.int32]]


@dataclass(frozen=True, slots=True)
class ImitationSettings:
    """What to imitate, how much of it, and the size of the network; ``archives`` are the names of files of records.

    ``rare`` is how many points of rare auctions are read beside the boards, about; ``enough`` how often every rule is
    to be heard there, 0 if none is to be topped up.
    """

    system: str
    boards: int = 200_000
    width: int = 256
    depth: int = 4
    steps: int = 20_000
    rate: float = 1e-2
    seed: int = 1
    archives: tuple[str, ...] = ()
    rare: int = 60_000
    enough: int = ENOUGH


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
    workers: int | None = None,
    start: Network | None = None,
    again: Path | None = None,
) -> Network:
    """Make the boards, train on all but a twentieth, and write ``policy.safetensors``; can be stopped at any time.

    ``start`` is a network that knows something like the system already; its size is the new one's. ``again`` is the
    folder of another imitation's boards, whose rare auctions are asked about again instead of walking the tree.
    """
    asked = {name: getattr(settings, name) for name in settings.__slots__} | {"archives": list(settings.archives)}
    asked |= {} if start is None else {"start": start.manifest["sha256"]}
    rules = {"rules": load_system(settings.system).fingerprint} if settings.boards else {}
    run = Run(folder, "imitation", asked | rules)  # boards by other rules would be another language
    shards = [keep_archive(folder / "boards", number, boards) for number, boards in enumerate(archives)]
    make_lessons(folder / "boards", settings.system, settings.seed, settings.boards, report, workers)
    seldom = RareSettings(settings.system, settings.seed, settings.rare, settings.enough, again)
    rare = make_rare_shards(folder / "boards", seldom, report, workers)
    tables, others = _learnt_from(folder / "boards", settings.boards, shards)
    beside = [(OTHERS, others), (RARE, joined(rare))]
    training, held_out = split(len(tables))
    if not len(training):
        raise RunError(f"{len(tables)} boards are too few: all of them are held out; ask for more")
    layers = fresh_layers(settings.width, settings.depth, settings.seed) if start is None else with_value(start)
    learner = Learner(layers, settings.rate)
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
            losses.append(learner.imitate(*_batch(tables, decisions, beside, rng)))
            step += 1
        loss, right = np.mean(losses, axis=0)
        run.log(step=step, loss=float(loss), right=float(right))
        run.checkpoint(learner.arrays(), step=step)
        if report is not None:
            report(f"learning: {right:.1%} right", step, settings.steps)
    network = learner.network()
    measured = examine(network, tables, held_out).summary(tables)
    manifest = {"kind": "imitation", "system": settings.system, "boards": settings.boards, "steps": settings.steps}
    manifest |= rules | {
        "code": code_version(),
        "seed": settings.seed,
        "held_out": measured,
        "data": _data(settings),
        "rare": settings.rare,
    }
    manifest |= {} if start is None else {"start": start.manifest["sha256"]}
    manifest |= {"heard": rules_heard(folder / "boards", settings.system)} if settings.rare else {}
    finished = Network(network.layers, manifest)
    save_network(finished, folder / "policy.safetensors")
    return finished


def _learnt_from(folder: Path, boards: int, archives: list[Path]) -> tuple[Tables, OtherHands]:
    """The system's boards and those of archives behind them, and answers about other hands."""
    if not boards:
        return load_boards(archives), joined([])
    tables, others = load_lessons(folder, boards)
    behind = [load_boards(archives)] if archives else []
    return Tables.joined([tables, *behind]), others


def joined(paths: list[Path]) -> OtherHands:
    """The answers of several files."""
    return OtherHands.joined([load_others(path) for path in paths])


def _batch(
    tables: Tables, decisions: NDArray[np.int64], beside: list[tuple[float, OtherHands]], rng: np.random.Generator
) -> Example:
    """Calls that were made and, as shares of the batch, answers that the system gave beside them."""
    asked = [
        others.example(rng.integers(0, len(others), int(share * BATCH))) for share, others in beside if len(others)
    ]
    rows, positions = decisions[rng.integers(0, len(decisions), BATCH - sum(len(part[2]) for part in asked))].T
    parts = [example(tables, rows, positions.astype(np.int32)), *asked]
    inputs, legal, calls = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return inputs, legal, calls


def _data(settings: ImitationSettings) -> str:
    own = ["auctions of the system's own rules"] if settings.boards else []
    return "; ".join([*own, *(f"auctions of {name}" for name in settings.archives)])


def _cooling(share: float) -> float:
    """A short warm-up, then a cosine to a hundredth."""
    return min(1.0, share / 0.02 + 0.01) * (0.505 + 0.495 * float(np.cos(np.pi * share)))
