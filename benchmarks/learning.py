"""How fast learning goes: decisions a second of each part, and what a second worker adds.

    python benchmarks/learning.py [--width 256] [--boards 1024] [--workers 1,2] [--json FILE]

Parts: a network's forward pass, exact and quick (as those ask who act in bulk); self-play (both rooms of a round, all
four seats); the learner's steps on the same decisions; the whole loop of `borel train iterate --by play` and of `--by
calls` (tried calls a second, each with the rest of its auction); the teacher (a system bidding boards); searched
decisions of `--by search` with one worker and with more. Networks are untrained ones, whose auctions are longer than
real ones: rates are per decision, so that does not matter. How often a quick network calls as the exact one does is
counted with the package's.
"""

from __future__ import annotations

import argparse
import json
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from borel import compute
from borel.learning.actors import Searched, Searcher
from borel.learning.bank import Bank, build_bank
from borel.learning.duplicate import deal_from
from borel.learning.examination import decisions_of
from borel.learning.learner import GradientSettings, Learner, fresh_layers
from borel.learning.lessons import LessonBidder, Part
from borel.learning.self_play import play_boards, to_batch
from borel.learning.trials import TRIED, Trials, try_calls
from borel.policies.network import Acting, Network, QuickNetwork, save_network
from borel.policies.neural import shipped

SECONDS = 3.0  # for each part, at least


def rate(work: partial[int]) -> float:
    """Decisions a second, the first (which compiles) not counted."""
    work()
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        done += work()
    return done / (time.perf_counter() - started)


def forward(network: Acting, inputs: np.ndarray) -> int:
    """Look at inputs."""
    network.logits(inputs)
    return len(inputs)


def play(network: Network, bank: Bank, boards: int) -> int:
    """One round of self-play."""
    rng = np.random.default_rng(1)
    rooms = play_boards(*deal_from(bank, boards, rng), (network, network, network), 0.5, rng)
    return sum(int(room.tables.lengths.sum()) for room in rooms)


def loop(learner: Learner, bank: Bank, boards: int) -> int:
    """One round of self-play and what is learnt from it; every call of the four seats counts as a decision."""
    network = learner.network()
    rng = np.random.default_rng(1)
    weights, bias = learner.value_layer()
    rooms = play_boards(*deal_from(bank, boards, rng), (network, network, network), 0.5, rng)
    for room in rooms:
        batch = to_batch(room, network, (network, weights, float(bias)), 5.0)
        learner.improve(
            type(batch)._make(np.resize(part, (4096, *part.shape[1:])) for part in batch), GradientSettings()
        )
    return sum(int(room.tables.lengths.sum()) for room in rooms)


def trials(learner: Learner, bank: Bank, boards: int) -> int:
    """One round of tried calls, each with its auction gone on with, and what is learnt from it."""
    network, rng = QuickNetwork(learner.network()), np.random.default_rng(1)
    tried = try_calls(*deal_from(bank, boards, rng), (network, network), 0.5, rng)
    for part in np.split(np.arange(len(tried.gains)), TRIED):
        learner.weigh(Trials._make(one[part] for one in tried), 0.25)
    return len(tried.gains)


def learn(learner: Learner, batch: tuple[np.ndarray, ...]) -> int:
    """One supervised step."""
    learner.imitate(*batch)
    return len(batch[0])


def searched(path: Path, asked: list[Searched], workers: int) -> float:
    """Searched decisions a second, the start of the workers not counted."""
    outcomes = compute.run(partial(Searcher, path, None, 30), asked, workers=workers)
    first = next(outcomes)
    started = time.perf_counter()
    done = sum(len(outcome.item.hands) for outcome in outcomes)
    print(f"  ({workers} workers: first part of {len(first.item.hands)} not counted)")
    return done / (time.perf_counter() - started)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--boards", type=int, default=1024)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    learner = Learner(fresh_layers(asked.width, 4, 1), 1e-4)
    network = learner.network({"system": "sayc"})
    with TemporaryDirectory() as folder:
        bank = build_bank(Path(folder) / "deals.bank", 200, seed=3)
        started = time.process_time()
        _, taught, others = LessonBidder("sayc", 5, 1200)(Part(0))
        found = {"teacher": float(taught.lengths.sum() + len(others)) / (time.process_time() - started)}
        rows = decisions_of(taught, np.arange(len(taught)))
        inputs = np.resize(taught.inputs(rows[:, 0], rows[:, 1].astype(np.int32)), (4096, 480))
        found["forward"] = rate(partial(forward, network, inputs))
        quick = QuickNetwork(network)
        found["forward, quick"] = rate(partial(forward, quick, inputs))
        taught_one = shipped("sayc")
        alike = np.mean(
            taught_one.logits(inputs).argmax(axis=1) == QuickNetwork(taught_one).logits(inputs).argmax(axis=1)
        )
        found["self-play"] = rate(partial(play, network, bank, asked.boards))
        calls = np.resize(taught.calls[rows[:, 0], rows[:, 1]].astype(np.int32), 4096)
        batch = (inputs.astype(np.uint8), np.ones((4096, 38), bool), calls)
        found["learner"] = rate(partial(learn, learner, batch))
        found["whole loop"] = rate(partial(loop, learner, bank, asked.boards))
        found["tried calls"] = rate(partial(trials, learner, bank, asked.boards))
        path = Path(folder) / "network.safetensors"
        save_network(network, path)
        parts = [Searched.of(taught, part, (1, 1, i)) for i, part in enumerate(np.array_split(rows[:400], 20))]
        for workers in map(int, asked.workers.split(",")):
            found[f"search, {workers} workers"] = searched(path, parts, workers)
    print(f"the package's network, exact and quick, makes the same call for {alike:.2%} of inputs")
    for name, value in found.items():
        print(f"{name:20} {value:12,.0f} decisions a second")
    if asked.json:
        asked.json.write_text(json.dumps({name: round(value, 1) for name, value in found.items()}, indent=2) + "\n")


if __name__ == "__main__":
    main()
