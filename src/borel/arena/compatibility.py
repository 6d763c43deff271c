"""How good a partner a bot is to another: Lockhart et al. 2020 ("Human-agent cooperation in bridge bidding"), 4.2.

A deal is bid by four copies of the other bot w, then once more with our bot a in each of the four seats. With S the
score of North-South and W = S(wwww), the deal counts

    IMP(S(awww) - W) - IMP(S(waww) - W) + IMP(S(wwaw) - W) - IMP(S(wwwa) - W)

which is positive for a bot that is a better partner to w than w is. (The paper prints the third term as
IMP(S(wwww) - S(wwww)), which is nothing: a misprint.) On deals where one side never bids in any of the five auctions,
nothing can come of puzzling the opponents; they are reported apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from random import Random
from typing import Any

from borel.arena.experiment import Experiment, Payload, Progress, board_of
from borel.arena.fingerprint import borel_fingerprint, borel_version, files_fingerprint
from borel.arena.match import TIMEOUT, MatchResult, is_one_sided
from borel.arena.room import BotError, Contestant, Room, Watched
from borel.arena.scorer import DoubleDummy, Scorer, ns_scores
from borel.deal import Board
from borel.errors import BridgeError
from borel.scoring import imps
from borel.store import Store

__all__ = ["Compatibility", "CompatibilityScore", "Partnered", "partner_imps"]

SEATINGS = ("wwww", "awww", "waww", "wwaw", "wwwa")


def partner_imps(scores: tuple[int, ...]) -> int:
    """The metric of one deal from North-South's scores with wwww, awww, waww, wwaw and wwwa.

    >>> partner_imps((420, 450, 420, 420, 620)), partner_imps((0, 0, 0, 0, 0))
    (-4, 0)
    """
    datum, north, east, south, west = scores
    return imps(north - datum) - imps(east - datum) + imps(south - datum) - imps(west - datum)


@dataclass(frozen=True, slots=True)
class CompatibilityScore:
    """One deal: the five auctions and North-South scores, the metric, and whether one side never bid."""

    number: int
    deal: str
    auctions: tuple[str, ...] = ()
    ns_scores: tuple[int, ...] = ()
    imps: int = 0
    one_sided: bool = False
    void: str = ""

    @classmethod
    def of_payload(cls, payload: Payload) -> CompatibilityScore:
        """From the store."""
        listed = {key: tuple(payload[key]) for key in ("auctions", "ns_scores")}
        return cls(**{**payload, **listed})


@dataclass(frozen=True, slots=True)
class Partnered:
    """The metric over all deals, and over those where one side never bids."""

    a: str
    w: str
    seed: int
    boards: tuple[CompatibilityScore, ...]

    @property
    def counted(self) -> tuple[CompatibilityScore, ...]:
        """The deals that are not void."""
        return tuple(board for board in self.boards if not board.void)

    @property
    def voids(self) -> tuple[CompatibilityScore, ...]:
        """The deals on which a contestant failed."""
        return tuple(board for board in self.boards if board.void)

    @property
    def result(self) -> MatchResult:
        """IMPs a deal."""
        return MatchResult.of(board.imps for board in self.counted)

    @property
    def one_sided(self) -> MatchResult:
        """IMPs a deal on the deals where one side never bids."""
        return MatchResult.of(board.imps for board in self.counted if board.one_sided)

    def json(self) -> dict[str, Any]:
        """For programs."""
        head = {"a": self.a, "with": self.w, "seed": self.seed}
        return head | self.result.json() | {"void": len(self.voids), "one_side_silent": self.one_sided.json()}


@dataclass(frozen=True, slots=True)
class Compatibility:
    """Bot a as a partner of bot w on the deals of a seed."""

    a: Contestant
    w: Contestant
    seed: int = 0
    timeout: float | None = TIMEOUT
    scorer: Scorer = field(default_factory=DoubleDummy)

    def config(self) -> dict[str, Any]:
        """Everything that decides the results."""
        return {
            "a": self.a.name, "w": self.w.name, "seed": self.seed, "timeout": self.timeout,
            "version": borel_version(), "code": borel_fingerprint(), "scorer": repr(self.scorer),
            "files": [files_fingerprint(self.a.name), files_fingerprint(self.w.name)],
        }  # fmt: skip

    def play(
        self,
        boards: int,
        *,
        store: Store,
        workers: int | None = None,
        fresh: bool = False,
        progress: Progress | None = None,
    ) -> Partnered:
        """Measure on boards 1, 2, ..."""
        experiment = Experiment("compatibility", self.config(), partial(_make_task, self), self._lost, self.timeout)
        run, payloads = experiment.run(
            range(1, boards + 1), store=store, workers=workers, fresh=fresh, progress=progress
        )
        scores = tuple(CompatibilityScore.of_payload(payloads[number]) for number in sorted(payloads))
        found = Partnered(self.a.name, self.w.name, self.seed, scores)
        if not found.counted:
            raise BridgeError(f"no board could be counted: {scores[0].void if scores else 'none were asked for'}")
        run.finish(found.json())
        return found

    def _lost(self, number: int, why: str) -> Payload:
        return asdict(CompatibilityScore(number, str(board_of(self.seed, number).deal), void=why))


def _make_task(setup: Compatibility) -> Callable[[int], Payload]:
    bidders = {name: who.watched(seconds=setup.timeout) for name, who in (("a", setup.a), ("w", setup.w))}
    return lambda number: asdict(measure(bidders, board_of(setup.seed, number), setup.seed, setup.scorer))


def measure(bidders: dict[str, Watched], board: Board, seed: int, scorer: Scorer) -> CompatibilityScore:
    """The five auctions of one deal, all with the same luck."""
    number, deal = board.number or 0, str(board.deal)
    try:
        auctions = [
            Room(seating, bidders).auction(board, rng=Random(f"{seed}/{board.number}"))[0] for seating in SEATINGS
        ]
    except BotError as fault:
        return CompatibilityScore(number, deal, void=str(fault))
    points = tuple(score for _, score in ns_scores(scorer, board, auctions))
    silent = is_one_sided(auctions)
    return CompatibilityScore(number, deal, tuple(map(str, auctions)), points, partner_imps(points), silent)
