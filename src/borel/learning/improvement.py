"""Policy improvement as a run: bid, learn, now and then measure against the imitation, keep the best proven one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from borel.learning.bank import Bank
from borel.learning.duplicate import compare, deal_from, greedy
from borel.learning.learner import SCALE, Batch, GradientSettings, Learner, with_value
from borel.learning.other_hands import OtherHands, load_others
from borel.learning.runs import Run, RunError, code_version
from borel.learning.self_play import play_boards, to_batch
from borel.learning.trials import TRIED, Trials, try_calls
from borel.policies.network import Network, QuickNetwork, load_network, save_network

__all__ = [
    "WAYS",
    "ImprovementSettings",
    "check_mode",
    "improve",
    "keep_imitation",
    "manifest_of",
    "open_bank",
]

POOL = 8  # past selves kept as opponents
SLICE = 4096  # decisions a gradient step
REHEARSED = 2048  # answers in a step of rehearsal
LAST = 0.05  # of the rate is left in the last round of trials
HELD_OUT = 0.1  # of the bank, for measuring
KEEP = 20.0  # seconds of work that a killed run loses at most, about
Report = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class ImprovementSettings:
    """``mode`` is compatible or partnership; ``kl`` is the pull to the imitation; rounds of so many boards each.

    ``by`` is calls (one call at a time is tried, `trials`) or play (policy gradient, `self_play`). By calls ``kl`` is
    in IMPs, the rate falls to a twentieth by the last round, and a share of the boards goes ``astray`` at first, so
    that auctions which nobody comes to are learnt too. ``rehearsal`` steps a round learn rare auctions again.
    """

    mode: str = "compatible"
    rounds: int = 800
    boards: int = 2048
    rate: float = 1e-3
    kl: float = 0.25
    measure_every: int = 50
    measure_boards: int = 16_000  # standard error 0.03 IMPs: the best of several is not the luckiest
    seed: int = 1
    rehearsal: int = 0
    by: str = "calls"
    astray: float = 0.0


WAYS: dict[str, dict[str, Any]] = {
    "calls": {},
    "play": {"rounds": 2000, "boards": 1024, "rate": 1e-4, "kl": 0.05, "measure_every": 100},
}  # what improvement by each way is set to


def improve(
    folder: Path,
    prior_path: Path,
    bank_path: Path,
    settings: ImprovementSettings,
    report: Report | None = None,
    start: Network | None = None,
) -> Network:
    """Improve an imitation on boards of a bank; can be stopped at any time and gone on with.

    ``start`` is a network to begin with instead of the imitation, which it is held to all the same: one that was
    improved before, from an earlier imitation or at a greater rate.

    With ``rehearsal`` the system's answers in rare auctions, from the folder of the imitation, are learnt again in so
    many steps of every round: self-play hardly comes there, and what is not used drifts (measured: docs/training.md).
    """
    check_mode(settings.mode)
    if settings.by not in WAYS:
        raise RunError(f"networks are improved by {' or '.join(WAYS)}, not by {settings.by!r}")
    if settings.by == "calls" and settings.kl <= 0:
        raise RunError("by calls the pull to the imitation is a price in IMPs and must be above 0")
    if settings.by != "calls" and settings.astray:
        raise RunError("boards go astray where other calls are tried, by calls")
    prior, (bank, unseen) = load_network(prior_path), open_bank(bank_path)
    asked: dict[str, Any] = {name: getattr(settings, name) for name in settings.__slots__ if name != "rounds"}
    asked |= {} if start is None else {"start": start.manifest["sha256"]}
    run = Run(folder, "improvement", asked | {"prior": prior.manifest["sha256"], "bank": bank.name})
    keep_imitation(folder, prior)
    rare = _rare_answers(prior_path) if settings.rehearsal else None
    work = _Work(run, prior, (bank, unseen), settings, rare, start)
    while work.round < settings.rounds:
        work.go_on()
        if report is not None:
            report(work.words(), work.round, settings.rounds)
    return work.finish()


def keep_imitation(folder: Path, prior: Network) -> None:
    """Keep the imitation beside its heir, which will be heard as far as this one knew its system."""
    path = folder / "imitation.safetensors"
    if not path.exists():
        save_network(prior, path)


def _rare_answers(prior_path: Path) -> OtherHands:
    paths = sorted((prior_path.parent / "boards").glob("rare-*.npz"))
    if not paths:
        raise RunError(f"no rare auctions beside {prior_path} to rehearse; imitate with --rare, or --rehearsal 0")
    return OtherHands.joined([load_others(path) for path in paths])


def check_mode(mode: str) -> None:
    """Complain of a mode that there is not."""
    if mode not in ("compatible", "partnership"):
        raise RunError(f"mode is compatible or partnership, not {mode!r}")


def open_bank(path: Path) -> tuple[Bank, Bank]:
    """The deals to learn from, and those held out for measuring."""
    bank = Bank.open(path)
    if len(bank) < 100:
        raise RunError(f"{path} has {len(bank)} deals; learning needs at least 100")
    cut = int(len(bank) * (1 - HELD_OUT))
    return Bank(bank.path, bank.seed, bank.records[:cut]), Bank(bank.path, bank.seed, bank.records[cut:])


def manifest_of(prior: Network, kind: str, settings: dict[str, Any], number: int, data: str) -> dict[str, Any]:
    """What a network says of itself that was made from another: what that one learnt from counts too."""
    kept = {name: value for name, value in prior.manifest.items() if name in ("system", "rules", "boards", "held_out")}
    before = str(prior.manifest.get("data", ""))
    learnt = before if data in before else "; ".join(filter(None, (before, data)))
    before_it = prior.manifest.get("sha256", "")
    made = {"kind": kind, "settings": settings, "round": number, "prior": before_it, "code": code_version()}
    return kept | made | {"data": learnt, "imitation": prior.manifest.get("imitation", before_it)}


class _Work:
    """One improvement run in progress."""

    def __init__(
        self,
        run: Run,
        prior: Network,
        banks: tuple[Bank, Bank],
        settings: ImprovementSettings,
        rare: OtherHands | None = None,
        start: Network | None = None,
    ) -> None:
        self.run, self.prior, self.settings, self.rare, self.start = run, prior, settings, rare, start
        self.quick_prior = QuickNetwork(prior)
        self.usual = greedy(self.quick_prior)
        self.bank, self.unseen = banks
        self.learner = Learner(with_value(start or prior), settings.rate)
        self.pool: list[Network] = [prior]
        self.round, self.best, self.last = 0, 0.0, 0.0
        if (kept := run.resume()) is not None:
            self.learner.restore(kept[0])
            self.round, self.best = int(kept[1]["round"]), kept[1]["best"]
            paths = (run.folder / f"pool-{number:06d}.safetensors" for number in range(1, self.round + 1))
            self.pool = [prior, *(load_network(path) for path in paths if path.exists())][-POOL:]
        self.kept = monotonic()

    def go_on(self) -> None:
        """One round: boards are bid, gradient steps on what was learnt there, now and then an examination."""
        rng = np.random.default_rng([self.settings.seed, self.round])
        partners = 0.5 if self.settings.mode == "compatible" else 0.0
        told = self._try(rng, partners) if self.settings.by == "calls" else self._play(rng, partners)
        if self.rare is not None:
            for _ in range(self.settings.rehearsal):
                self.learner.imitate(*self.rare.example(rng.integers(0, len(self.rare), REHEARSED)))
        self.round += 1
        if self.round % self.settings.measure_every == 0 or self.round == self.settings.rounds:
            self._measure({name: float(np.mean([one[name] for one in told])) for name in told[0]})
        elif monotonic() - self.kept < KEEP:
            return
        self.run.checkpoint(self.learner.arrays(), round=self.round, best=self.best)
        self.kept = monotonic()

    def _try(self, rng: np.random.Generator, partners: float) -> list[dict[str, float]]:
        """Other calls tried one at a time."""
        done = self.round / self.settings.rounds
        self.learner.set_rate(self.settings.rate * (LAST + (1 - LAST) * (1 + np.cos(np.pi * done)) / 2))
        boards, tricks = deal_from(self.bank, self.settings.boards, rng)
        acting = QuickNetwork(self.learner.network()), self.quick_prior
        trials = try_calls(boards, tricks, acting, partners, rng, self.settings.astray)
        parts = np.split(np.arange(len(trials.gains)), TRIED)
        return [self.learner.weigh(Trials._make(a[part] for a in trials), self.settings.kl) for part in parts]

    def _play(self, rng: np.random.Generator, partners: float) -> list[dict[str, float]]:
        """Boards in both rooms, with calls drawn by their probabilities."""
        current = self.learner.network()
        opponent = current if rng.random() < 0.4 else self.pool[int(rng.integers(0, len(self.pool)))]
        boards, tricks = deal_from(self.bank, self.settings.boards, rng)
        rooms = play_boards(boards, tricks, (current, self.prior, opponent), partners, rng)
        weights, bias = self.learner.value_layer()
        baseline = (current, weights, float(bias))
        batch = _joined([to_batch(room, self.prior, baseline, SCALE) for room in rooms], rng)
        return [self.learner.improve(part, GradientSettings(kl=self.settings.kl)) for part in _slices(batch)]

    def _measure(self, told: dict[str, float]) -> None:
        asked = {name: getattr(self.settings, name) for name in self.settings.__slots__}
        asked |= {} if self.start is None else {"start": _told(self.start)}
        data = "self-play on deals solved double dummy"
        network = self.learner.network()
        gain, error = self._against_prior(network)
        made = manifest_of(self.prior, "improvement", asked, self.round, data)
        network = Network(network.layers, made | {"gain": round(gain, 4), "standard_error": round(error, 4)})
        self.last = gain
        self.run.log(round=self.round, gain=gain, error=error, **told)
        path = self.run.folder / f"pool-{self.round:06d}.safetensors"
        save_network(network, path)
        self.pool = [*self.pool, load_network(path)][-POOL:]  # rounded, as a run that goes on will find it
        if gain > self.best or (self.settings.by == "calls" and gain > 0):  # there the rate falls: the last is best
            self.best = gain
            save_network(network, self.run.folder / "policy.safetensors")

    def _against_prior(self, network: Network) -> tuple[float, float]:
        """IMPs a board against the imitation, and their standard error, on some turns of the held-out deals."""
        rng, policies = np.random.default_rng([self.settings.seed, 77]), (greedy(QuickNetwork(network)), self.usual)
        size = min(self.settings.measure_boards, len(self.unseen))
        found = [
            compare(*policies, *deal_from(self.unseen, size, rng))
            for _ in range(max(1, self.settings.measure_boards // size))
        ]
        gains, errors = zip(*found, strict=True)
        return float(np.mean(gains)), float(np.mean(errors))  # the same deals again: they make no smaller error

    def words(self) -> str:
        """How it goes."""
        return f"improving: {self.last:+.2f} IMPs a board against the imitation"

    def finish(self) -> Network:
        """The best network that was measured; by calls the last one."""
        path = self.run.folder / "policy.safetensors"
        if not path.exists():
            raise RunError(f"no network in {self.run.folder} was better than the imitation")
        return load_network(path)


def _told(start: Network) -> dict[str, Any]:
    """What a run began with: which network, and how that one was made."""
    return {"sha256": start.manifest["sha256"]} | {
        name: start.manifest[name] for name in ("kind", "settings", "round") if name in start.manifest
    }


def _joined(batches: list[Batch], rng: np.random.Generator) -> Batch:
    """Both rooms' decisions in random order, advantages brought to one scale."""
    whole = [np.concatenate(parts) for parts in zip(*batches, strict=True)]
    order = rng.permutation(len(whole[0]))
    batch = Batch(*(part[order] for part in whole))
    spread = batch.advantages.std() + np.float32(1e-6)
    return batch._replace(advantages=(batch.advantages - batch.advantages.mean()) / spread)


def _slices(batch: Batch) -> list[Batch]:
    """Parts of one size, so that a step is compiled once; the last is filled up from the beginning."""
    rows = np.resize(np.arange(len(batch.calls)), -(-len(batch.calls) // SLICE) * SLICE)
    return [Batch._make(part[chosen] for part in batch) for chosen in rows.reshape(-1, SLICE)]
