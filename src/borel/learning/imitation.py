"""Imitation (Lockhart et al. 2020, 3.1): bid many deals by a system, and teach a network to make the same calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel import compute
from borel.bidding.tables import Tables, random_conditions
from borel.dealing import Dealer
from borel.errors import BridgeError
from borel.learning.examination import decisions_of, examine, example
from borel.learning.learner import Learner, fresh_layers
from borel.learning.other_hands import OtherHands, load_others, save_others
from borel.learning.runs import Run, load_boards, save_boards
from borel.learning.teacher import bid_by_system
from borel.policies.network import Network, save_network
from borel.systems import load_system

__all__ = ["ImitationSettings", "imitate", "make_shards"]

SHARD = 5000  # boards: two minutes of work, which is what a killed run loses
BATCH = 2048
OTHERS = 0.5  # of a batch: answers about other hands than those that were dealt
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
    rate: float = 1e-2
    seed: int = 1
    archives: tuple[str, ...] = ()


def make_shards(
    folder: Path, settings: ImitationSettings, report: Report | None = None, workers: int | None = None
) -> list[Path]:
    """Bid the boards by the system, a shard at a time, on several cores or machines; shards that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    firsts = range(0, settings.boards, SHARD)
    paths = {first: folder / f"boards-{first:09d}.npz" for first in firsts}
    missing = [(first, min(SHARD, settings.boards - first)) for first in firsts if not paths[first].exists()]
    done = settings.boards - sum(count for _, count in missing)
    for outcome in compute.run(partial(ShardBidder, settings.system, settings.seed), missing, workers=workers):
        if outcome.value is None:
            raise BridgeError(f"the boards from {outcome.item[0]} on could not be bid: {outcome.error}")
        tables, others = outcome.value
        save_others(others_of(paths[outcome.item[0]]), others)
        save_boards(paths[outcome.item[0]], tables)  # last: it says that the shard is done
        done += outcome.item[1]
        if report is not None:
            report("bidding", done, settings.boards)
    return list(paths.values())


class ShardBidder:
    """Deals and bids shards of boards; one in each worker, so that a system is loaded once."""

    def __init__(self, system: str, seed: int) -> None:
        self.system, self.seed = load_system(system), seed

    def __call__(self, shard: tuple[int, int]) -> tuple[Tables, OtherHands]:
        """The boards from a number on, bid to their ends; and answers about other hands, not for boards held out."""
        first, count = shard
        hands = np.concatenate(list(Dealer(self.seed, first=first).blocks(count)))
        tables = Tables.start(hands, *random_conditions(count, np.random.default_rng([self.seed, first])))
        training, held_out = split(count)
        learnt, unseen = tables.take(training), tables.take(held_out)
        others = bid_by_system(learnt, self.system)
        bid_by_system(unseen, self.system, asked=0)
        for rows, part in ((training, learnt), (held_out, unseen)):
            tables.calls[rows], tables.lengths[rows] = part.calls, part.lengths
        return tables, others


def others_of(path: Path) -> Path:
    """Where the answers about other hands are that belong to a shard of boards."""
    return path.with_name(path.name.replace("boards", "others"))


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
) -> Network:
    """Make the boards, train on all but a twentieth, and write ``policy.safetensors``; can be stopped at any time."""
    asked = {name: getattr(settings, name) for name in settings.__slots__} | {"archives": list(settings.archives)}
    run = Run(folder, "imitation", asked)
    shards = [keep_archive(folder / "boards", number, boards) for number, boards in enumerate(archives)]
    made = make_shards(folder / "boards", settings, report, workers)
    tables = load_boards(made + shards)
    others = OtherHands.joined([load_others(others_of(path)) for path in made]) if made else None
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
            losses.append(learner.imitate(*_batch(tables, decisions, others, rng)))
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


def _batch(
    tables: Tables, decisions: NDArray[np.int64], others: OtherHands | None, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.int32]]:
    """Calls that were made and, where the system answered about them, calls with other hands."""
    beside = int(OTHERS * BATCH) if others is not None and len(others) else 0
    rows, positions = decisions[rng.integers(0, len(decisions), BATCH - beside)].T
    made = example(tables, rows, positions.astype(np.int32))
    if not beside or others is None:
        return made
    asked = others.example(rng.integers(0, len(others), beside))
    return np.concatenate([made[0], asked[0]]), np.concatenate([made[1], asked[1]]), np.concatenate([made[2], asked[2]])


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
