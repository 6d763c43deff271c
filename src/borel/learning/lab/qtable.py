"""A bidding system from nothing but results: the Q-tables of Prorok 2003, chapters 8 and 9, in the core.

Opener and responder bid without opponents on deals of a bank; every pair of a hand's class and a sequence of calls is a
learner of its own, and is paid the score. Each epoch ends with an examination on other deals, without exploring.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel._core import QChoice, QLearning, QReward, QTable
from borel.errors import BridgeError
from borel.learning.bank import Bank
from borel.learning.lab.natural import hands_of, lessons, silent_auctions
from borel.learning.lab.openings import OpeningTable, natural_openings, shapes_of
from borel.learning.lab.pairs import PairDeals, best_scores, classes_of, coarser, pair_deals, score_table
from borel.learning.lab.schedules import rates_at
from borel.learning.lab.templates import contract_values, opening_templates, template_rows
from borel.learning.runs import Run, read_history
from borel.systems import System, load_system

__all__ = ["REWARDS", "QPair", "QTableSettings", "learn_system"]

CHOICES = {"greedy": QChoice.GREEDY, "boltzmann": QChoice.BOLTZMANN, "roulette": QChoice.ROULETTE}
REWARDS = {"score": QReward.SCORE, "loss": QReward.LOSS, "loss+200": QReward.LOSS_PLUS, "blame": QReward.BLAME}
NO_LIMIT = 1e9
LESSONS = 40_000  # auctions of a teacher, at most
LESSON_RATES = (0.5, 0.1, 0.03)  # of each time that they are gone through


@dataclass(frozen=True, slots=True)
class QTableSettings:
    """The settings of the thesis's long run (Fig. 35) unless told otherwise, but in floating point.

    ``rate`` and ``explore`` are shares; ``rates`` has one for each position instead. ``q0`` is what an untried call of
    responder is thought to be worth (of opener: -100, 9.3); ``temperatures`` from and to, for Boltzmann's choice;
    ``limit`` keeps values within plus and minus it (8.7.6); ``integers`` rounds as the thesis's program did; ``fall``
    is hysteretic below 1. ``coarse`` is the share of the epochs in which hands are told apart only roughly: what is
    learnt then is where the finer learners begin.

    Before learning, ``teacher`` names a system whose auctions are learnt from first (8.7.1), and ``templates`` lets
    responder begin with what contracts are worth opposite each given opening's mean hand (8.8). ``agreed`` partners
    know when one of them is trying something (8.8.2); ``opponents`` bid too: they see all the cards and outbid the
    pair's last call where it pays.
    """

    shapes: int = 128
    bids: int = 16
    calls: int = 4
    epochs: int = 200
    deals: int = 10_000_000
    test: int = 2_000
    rate: float = 20 / 1024
    rates: tuple[float, ...] = ()
    schedule: str = "constant"
    explore: float = 0.05
    choice: str = "greedy"
    temperatures: tuple[float, float] = (100.0, 5.0)
    q0: float = -200.0
    q0_opener: float = -100.0
    reward: str = "score"
    gamma: float = 1.0
    fall: float = 1.0
    limit: float = NO_LIMIT
    integers: bool = False
    precise: bool = True
    coarse: float = 0.0
    teacher: str = ""
    templates: bool = False
    agreed: bool = False
    opponents: bool = False
    seed: int = 1

    def check(self) -> None:
        """Complain of what cannot be."""
        if self.choice not in CHOICES:
            raise BridgeError(f"no choice {self.choice[:40]!r}: there are {', '.join(CHOICES)}")
        if self.reward not in REWARDS:
            raise BridgeError(f"no reward {self.reward[:40]!r}: there are {', '.join(REWARDS)}")
        if not 2 <= self.calls <= 7 or not 2 <= self.bids <= 36:
            raise BridgeError("an auction has 2 to 7 calls, and 2 to 36 to choose from")
        if self.rate <= 0 or (self.rates and len(self.rates) != self.calls) or not all(0 <= r <= 1 for r in self.rates):
            raise BridgeError(f"a rate above 0, or {self.calls} rates within 0..1, one for each call")
        if not 0 <= self.coarse <= 1:
            raise BridgeError(f"a share of the epochs is within 0..1, not {self.coarse:g}")
        if min(self.epochs, self.deals, self.test) < 1:
            raise BridgeError("at least one epoch, one deal to learn from and one to be examined on")
        rates_at(self.schedule, self.rate, self.calls, 0.0)
        if self.teacher:
            load_system(self.teacher)


@dataclass(frozen=True, slots=True)
class Epoch:
    """What an epoch came to: mean scores while learning and when examined, the latter's ±, and the learners."""

    number: int
    training: float
    test: float
    error: float
    learners: int


class QPair:
    """Opener and responder with their tables, on the deals of a bank."""

    def __init__(self, settings: QTableSettings, bank: Bank, openings: OpeningTable | None = None) -> None:
        settings.check()
        if len(bank) <= settings.test:
            raise BridgeError(f"{bank.path} has {len(bank)} deals, of which {settings.test} are to be kept for tests")
        self.settings, self.shapes = settings, shapes_of(settings.shapes)
        self.openings = openings if openings is not None else natural_openings(self.shapes)
        parts = (slice(0, len(bank) - settings.test), slice(len(bank) - settings.test, len(bank)))
        self.training, self.examination = (
            pair_deals(bank, part, self.shapes, opponents=settings.opponents) for part in parts
        )
        self.masks = tuple(bank.hands(part) for part in parts)  # of training and of examination
        self.scores = score_table()
        self.classes = classes_of(self.openings, self.shapes, precise=settings.precise)
        self.parent: QTable | None = None
        if settings.coarse > 0:
            self.parent = self.table = self._table(self._rough())
        else:
            self.table = self._table(self.classes)

    def _table(self, classes: tuple[NDArray[np.uint32], NDArray[np.uint32]]) -> QTable:
        settings = self.settings
        return QTable(
            np.array(self.shapes, np.uint8)[:, ::-1].copy(),
            self.openings.openings(self.shapes),
            *classes,
            self.scores,
            [settings.q0 if position % 2 else settings.q0_opener for position in range(settings.calls)],
            settings.bids,
        )

    def _rough(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        rough = coarser(self.openings, self.shapes)
        return rough[self.classes[0]], rough[self.classes[1]]

    @property
    def learners(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """By hand, the classes of opener and of responder that the table's rows speak of."""
        return self._rough() if self.is_coarse else self.classes

    @property
    def is_coarse(self) -> bool:
        """Whether hands are still told apart only roughly."""
        return self.table is self.parent

    def refine(self) -> None:
        """From now on tell all classes of hands apart; each begins with what was learnt of hands like it."""
        if self.parent is None:
            return
        rough = coarser(self.openings, self.shapes)
        self.table = self._table(self.classes)
        self.table.inherit(self.parent, rough, rough)

    def learning(self, epoch: int) -> QLearning:
        """How the pair learns in an epoch."""
        settings, how = self.settings, QLearning()
        share = epoch / settings.epochs
        rates = rates_at(settings.schedule, settings.rate, settings.calls, share, epoch=epoch, seed=settings.seed)
        own = settings.rates or (settings.rate,) * settings.calls
        how.rates = [rate * mine / settings.rate for rate, mine in zip(rates, own, strict=True)]
        how.explore = settings.explore
        how.choice, how.reward = CHOICES[settings.choice], REWARDS[settings.reward]
        warm, cold = settings.temperatures
        how.temperature = warm * (cold / warm) ** share
        how.gamma, how.fall, how.integers = settings.gamma, settings.fall, settings.integers
        how.low, how.high = -settings.limit, settings.limit
        how.agreed = settings.agreed
        return how

    def prepare(self) -> None:
        """What is known before the first deal: template hands, and what a teacher's auctions have led to."""
        if self.settings.templates:
            openings = self.openings.openings(self.shapes)
            values = contract_values(self.training, self.shapes, self.scores)
            for template in opening_templates(self.training, openings, self.shapes):
                self.table.load(*template_rows(template, self.learners[1], self.shapes, values, self.settings.bids))
        if self.settings.teacher:
            self._be_taught(load_system(self.settings.teacher))

    def _be_taught(self, teacher: System) -> None:
        some = self.training.of(np.arange(0, len(self.training), max(1, len(self.training) // LESSONS)))
        bid = lessons(silent_auctions(teacher, *hands_of(some, self.masks[0])), self.settings.calls)
        how = self.learning(0)
        for rate in LESSON_RATES:
            how.rates = [rate] * self.settings.calls
            self.table.teach(*some.results, bid, how)

    def learn(self, epoch: int) -> Epoch:
        """One epoch and its examination."""
        if self.is_coarse and epoch >= self.settings.coarse * self.settings.epochs:
            self.refine()
        how, settings = self.learning(epoch), self.settings
        mean = self.table.learn(*self.training.results, settings.deals, how, settings.seed, epoch)
        test, error = self.examine()
        return Epoch(epoch + 1, mean, test, error, self.table.rows)

    def examine(self, deals: PairDeals | None = None) -> tuple[float, float]:
        """Mean score and ± on other deals than those learnt from."""
        deals = self.examination if deals is None else deals
        scores, _ = self.table.evaluate(*deals.results)
        return deals.mean_and_error(scores)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that was learnt."""
        names = ("keys", "values", "coarse_keys", "coarse_values")
        tables = [self.table, *([] if self.parent is None or self.is_coarse else [self.parent])]
        return dict(zip(names, (part for table in tables for part in table.dump()), strict=False))

    def resume(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what was learnt before."""
        if "coarse_keys" in arrays:
            self.table.load(arrays["coarse_keys"], arrays["coarse_values"])
            self.refine()
        self.table.load(arrays["keys"], arrays["values"])

    def lost(self) -> tuple[float, float]:
        """What the examined auctions lack to the best contracts, double dummy, in points; with ±."""
        scores, _ = self.table.evaluate(*self.examination.results)
        return self.examination.mean_and_error(best_scores(self.examination, self.scores) - scores)


def learn_system(
    settings: QTableSettings,
    bank: Bank,
    *,
    openings: OpeningTable | None = None,
    folder: Path | None = None,
    every: int = 20,
    progress: Callable[[Epoch], None] | None = None,
) -> tuple[QPair, list[Epoch]]:
    """Let a pair learn; with a folder the run can be stopped and gone on with, every so many epochs."""
    pair = QPair(settings, bank, openings)
    run = None if folder is None else _run_of(pair, bank, folder)
    told = [] if run is None else _resumed(pair, run)
    done = len(told)
    if not told:
        pair.prepare()
    for epoch in range(done, settings.epochs):
        told.append(pair.learn(epoch))
        if progress is not None:
            progress(told[-1])
        if run is not None and ((epoch + 1) % every == 0 or epoch + 1 == settings.epochs):
            for one in told[done:]:
                run.log(**asdict(one))
            done = epoch + 1
            run.checkpoint(pair.arrays(), epoch=done)
    return pair, told


def _run_of(pair: QPair, bank: Bank, folder: Path) -> Run:
    """The run's folder, which goes on with the settings, the openings and the bank that it was begun with."""
    settings = {
        name: list(value) if isinstance(value, tuple) else value for name, value in asdict(pair.settings).items()
    }
    given = {"openings": hash_of(pair.openings), "bank": [bank.seed, len(bank)]}
    return Run(folder, "qtable", settings | given)


def _resumed(pair: QPair, run: Run) -> list[Epoch]:
    """What the pair has learnt in the run before, and the epochs that it took."""
    kept = run.resume()
    if kept is None:
        return []
    arrays, numbers = kept
    pair.resume(arrays)
    _, history = read_history(run.folder)
    return _told(history)[: int(numbers["epoch"])]


def _told(history: list[dict[str, float]]) -> list[Epoch]:
    """The epochs of a run's history; one that was told twice, because the run was stopped between, counts once."""
    last = {int(one["number"]): one for one in history}
    return [
        Epoch(number, one["training"], one["test"], one["error"], int(one["learners"])) for number, one in last.items()
    ]


def hash_of(openings: OpeningTable) -> str:
    """A short name for a table of openings: a run goes on with the table it was begun with."""
    return sha256(str(openings).encode()).hexdigest()[:12]
