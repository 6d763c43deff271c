"""Policy iteration by search (Lockhart et al. 2020, 3.3): actors search, the learner imitates what they found, a gate
accepts a new network only if it beats the one before at duplicate.

The current policy is the prior and bids for the searcher and the opponents; in compatible mode partner is the
imitation, so that a call helps only if someone who bids the system understands it. Tricks in rollouts are estimated;
the gate scores with the bank's exact results.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel import compute
from borel.bidding.tables import Tables, bid_out
from borel.learning.actors import Searched, Searcher
from borel.learning.bank import Bank
from borel.learning.duplicate import compare, deal_from, greedy
from borel.learning.examination import decisions_of
from borel.learning.improvement import check_mode, keep_imitation, manifest_of, open_bank
from borel.learning.learner import Learner, with_value
from borel.learning.runs import Run, load_arrays, read_history, save_arrays
from borel.policies.network import Network, load_network, save_network

__all__ = ["SearchSettings", "iterate"]

BATCH = 512
PART = 50  # decisions that an actor searches before it reports: seconds of work
Report = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Rounds of so many searched decisions; the learner goes ``epochs`` times over the last ``window`` rounds."""

    mode: str = "compatible"
    rounds: int = 16
    decisions: int = 2000
    layouts: int = 30
    rate: float = 1e-4
    epochs: int = 4
    window: int = 4
    measure_boards: int = 4000
    seed: int = 1


def iterate(
    folder: Path,
    prior_path: Path,
    bank_path: Path,
    settings: SearchSettings,
    report: Report | None = None,
    workers: int | None = None,
) -> Network:
    """Rounds of search and learning; can be stopped at any time, and goes on within the round it was in."""
    check_mode(settings.mode)
    prior, (bank, unseen) = load_network(prior_path), open_bank(bank_path)
    asked: dict[str, Any] = {name: getattr(settings, name) for name in settings.__slots__ if name != "rounds"}
    run = Run(folder, "search iteration", asked | {"prior": prior.manifest["sha256"], "bank": bank.name})
    keep_imitation(folder, prior)
    accepted = folder / "policy.safetensors"
    if not accepted.exists():
        save_network(prior, accepted)
    for number in range(len(read_history(folder)[1]), settings.rounds):
        partner = prior_path if settings.mode == "compatible" else None
        actors = partial(Searcher, accepted, partner, settings.layouts)
        _search(run, actors, load_network(accepted), bank, settings, number, report, workers)
        _learn_and_gate(run, accepted, unseen, settings, number)
    return load_network(accepted)


def _search(
    run: Run,
    actors: Callable[[], Callable[[Searched], NDArray[np.float32]]],
    current: Network,
    bank: Bank,
    settings: SearchSettings,
    number: int,
    report: Report | None,
    workers: int | None,
) -> None:
    """Search a round's decisions; each part is kept in a file as soon as it is done."""
    tables, decisions = _decisions(current, bank, settings, number)
    parts = np.array_split(decisions, -(-len(decisions) // PART))
    paths = [run.folder / f"searched-{number:04d}-{part:04d}.npz" for part in range(len(parts))]
    done = sum(path.exists() for path in paths)
    missing = [
        Searched.of(tables, rows, (settings.seed, number, part))
        for part, rows in enumerate(parts)
        if not paths[part].exists()
    ]
    for outcome in compute.run(actors, missing, workers=workers):
        part = outcome.item.seed[2]
        if outcome.value is not None:  # else every worker that tried it has died: its decisions are left out
            rows, positions = parts[part][:, 0], parts[part][:, 1].astype(np.int32)
            inputs = tables.inputs(rows, positions).astype(np.uint8)
            legal = tables.legal(rows, positions)
            save_arrays(paths[part], {"inputs": inputs, "legal": legal, "targets": outcome.value})
        done += 1
        if report is not None:
            words = f"round {number + 1} of {settings.rounds}: searching"
            report(words, number * len(parts) + done, settings.rounds * len(parts))


def _decisions(current: Network, bank: Bank, settings: SearchSettings, number: int) -> tuple[Tables, NDArray[np.int64]]:
    """Decisions of boards that the current policy has bid, drawn at random: three of a board in the mean."""
    rng = np.random.default_rng([settings.seed, number])
    tables, _ = deal_from(bank, max(8, settings.decisions // 3), rng)
    bid_out(tables, [greedy(current)], np.zeros((len(tables), 4), np.int8))
    every = decisions_of(tables, np.arange(len(tables)))
    return tables, every[np.sort(rng.permutation(len(every))[: settings.decisions])]


def _learn_and_gate(run: Run, accepted: Path, unseen: Bank, settings: SearchSettings, number: int) -> None:
    """A pupil of the last rounds' searches; it takes the place of the policy if it beats it on unseen deals."""
    current = load_network(accepted)
    paths = [
        path
        for one in range(max(0, number + 1 - settings.window), number + 1)
        for path in sorted(run.folder.glob(f"searched-{one:04d}-*.npz"))
    ]
    kept = [load_arrays(path) for path in paths]
    inputs, legal, targets = (np.concatenate([part[name] for part in kept]) for name in ("inputs", "legal", "targets"))
    learner = Learner(with_value(current), settings.rate)
    rng = np.random.default_rng([settings.seed, number, 1])
    losses = []
    for _ in range(settings.epochs * -(-len(inputs) // BATCH)):
        rows = rng.integers(0, len(inputs), BATCH)
        losses.append(learner.follow(inputs[rows], legal[rows], targets[rows]))
    asked = {name: getattr(settings, name) for name in settings.__slots__}
    data = "searched decisions on deals solved double dummy"
    pupil = learner.network(manifest_of(current, "search iteration", asked, number + 1, data))
    boards, tricks = deal_from(unseen, settings.measure_boards, np.random.default_rng([settings.seed, 77]))
    gain, error = compare(greedy(pupil), greedy(current), boards, tricks)
    if gain > error:
        save_network(pupil, accepted)
    loss, agreed = np.mean(losses, axis=0)
    run.log(round=number + 1, gain=gain, error=error, accepted=float(gain > error), loss=loss, agreed=agreed)
