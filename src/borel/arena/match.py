"""Duplicate matches: teams of four, every deal played twice with the sides exchanged, scored in IMPs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from random import Random
from typing import Any

from borel.arena.experiment import Experiment, Payload, Progress, board_of
from borel.arena.fingerprint import borel_fingerprint, borel_version, files_fingerprint, fingerprint_of
from borel.arena.room import BotError, Contestant, Room, Watched
from borel.arena.scorer import DoubleDummy, Scorer, outcomes
from borel.arena.statistics import Estimate, Running, Sequence, finite
from borel.auction import Auction
from borel.cards import Seat
from borel.deal import Board, Deal, Vulnerability
from borel.errors import BridgeError
from borel.scoring import imps
from borel.store import Store

__all__ = ["BoardScore", "Match", "MatchResult", "RoomScore", "TimeSpent", "is_one_sided"]

ROOMS = ("ABAB", "BABA")  # who sits N E S W in the open and in the closed room
TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class MatchResult:
    """IMPs a board with their error.

    >>> print(MatchResult.of([3, -1, 0, 5, 2, -4]))
    +0.83 ± 2.55 imps/board over 6 boards (95%)
    """

    imps: tuple[float, ...]

    @classmethod
    def of(cls, imps: Iterable[float]) -> MatchResult:
        """From the IMPs of each board."""
        return cls(tuple(imps))

    @property
    def estimate(self) -> Estimate:
        """The mean with its standard error."""
        return Estimate.of(self.imps)

    def json(self) -> dict[str, Any]:
        """The result for programs."""
        estimate = self.estimate
        low, high = estimate.interval()
        return {
            "imps_per_board": estimate.mean,
            "standard_error": finite(estimate.standard_error),
            "interval": [finite(low), finite(high)],
            "confidence": 0.95,
            "boards": estimate.count,
            "total_imps": sum(self.imps),
        }

    def __str__(self) -> str:
        estimate = self.estimate
        boards = f"{estimate.count} board" + "s" * (estimate.count != 1)
        return f"{estimate.mean:+.2f} ± {estimate.half_width():.2f} imps/board over {boards} (95%)"


def is_one_sided(auctions: Iterable[Auction]) -> bool:
    """Whether one side made no bid in any of some auctions (passes, doubles and redoubles are none).

    >>> is_one_sided([Auction.parse("N", "1H X 2H P P P"), Auction.parse("N", "1H P P P")])
    True
    """
    bids = [{auction.seat_of(i).side for i, call in enumerate(auction.calls) if call.is_bid} for auction in auctions]
    return len(set().union(*bids)) < 2


@dataclass(frozen=True, slots=True)
class RoomScore:
    """What happened at one table: the auction, the contract's tricks, North-South's points, each call's reason, cards.

    There are cards only where the contract was played, and not those after a claim.
    """

    seating: str
    auction: str
    contract: str
    tricks: int | None
    ns_score: int
    whys: tuple[str, ...] = ()
    cards: str = ""

    def __str__(self) -> str:
        return f"{self.contract or 'passed out'}{'' if self.tricks is None else f', {self.tricks} tricks'}"


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """Calls made and seconds taken by a contestant."""

    calls: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    @property
    def per_call(self) -> float:
        """Mean seconds a call."""
        return self.seconds / self.calls if self.calls else 0.0

    def plus(self, other: TimeSpent) -> TimeSpent:
        """Both together."""
        return TimeSpent(self.calls + other.calls, self.seconds + other.seconds, max(self.slowest, other.slowest))


@dataclass(frozen=True, slots=True)
class BoardScore:
    """One board of a match: both rooms and the IMPs to A; or why it is void, and through whose fault."""

    number: int
    deal: str
    dealer: str
    vulnerability: str
    rooms: tuple[RoomScore, ...] = ()
    imps: int = 0
    void: str = ""
    at_fault: str = ""
    time: dict[str, TimeSpent] = field(default_factory=dict, compare=False)

    @property
    def board(self) -> Board:
        """The board that was played."""
        return Board(
            Deal.parse(self.deal), Seat.parse(self.dealer), Vulnerability.parse(self.vulnerability), self.number
        )

    @property
    def one_sided(self) -> bool:
        """Whether one side never bid, in either room."""
        return is_one_sided(Auction.parse(self.dealer, room.auction) for room in self.rooms)

    def payload(self) -> Payload:
        """For the store."""
        return asdict(self)

    @classmethod
    def of_payload(cls, payload: Payload) -> BoardScore:
        """From the store."""
        rooms = tuple(RoomScore(**{**room, "whys": tuple(room["whys"])}) for room in payload["rooms"])
        time = {name: TimeSpent(**spent) for name, spent in payload["time"].items()}
        return cls(**{**payload, "rooms": rooms, "time": time})


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: its boards in order, and the sequential test if there was one."""

    a: str
    b: str
    seed: int
    boards: tuple[BoardScore, ...]
    planned: int
    sequence: Sequence | None = None

    @property
    def counted(self) -> tuple[BoardScore, ...]:
        """The boards that are not void."""
        return tuple(board for board in self.boards if not board.void)

    @property
    def voids(self) -> tuple[BoardScore, ...]:
        """The boards that do not count, because a contestant failed."""
        return tuple(board for board in self.boards if board.void)

    @property
    def result(self) -> MatchResult:
        """IMPs a board to A."""
        return MatchResult.of(board.imps for board in self.counted)

    @property
    def one_sided(self) -> MatchResult:
        """IMPs a board where one side never bids: there is nobody to disturb, only partner to be understood."""
        return MatchResult.of(board.imps for board in self.counted if board.one_sided)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval that may be believed: after stopping early, the sequential one."""
        estimate = self.result.estimate
        return estimate.interval() if self.sequence is None else self.sequence.interval(estimate)

    def swings(self, count: int = 10) -> list[BoardScore]:
        """The boards that decided the match, greatest first."""
        moved = sorted((board for board in self.counted if board.imps), key=lambda b: (-abs(b.imps), b.number))
        return moved[:count]

    def json(self, swings: int = 10) -> dict[str, Any]:
        """For programs: what is the same for the same seed, and apart from it the time that was taken."""
        sequential = None
        if self.sequence is not None:
            low, high = map(finite, self.interval)
            decided = self.sequence.is_decided(self.result.estimate)
            sequential = {"alpha": self.sequence.alpha, "interval": [low, high], "decided": decided}
        times = {side: self.time(side) for side in "AB"}
        return {
            "a": self.a, "b": self.b, "seed": self.seed, "planned": self.planned, **self.result.json(),
            "one_side_silent": self.one_sided.json(),
            "void": len(self.voids),
            "voids": [{"board": b.number, "at_fault": b.at_fault, "why": b.void} for b in self.voids],
            "sequential": sequential,
            "swings": [
                {"board": b.number, "imps": b.imps, "rooms": list(map(str, b.rooms))} for b in self.swings(swings)
            ],
            "seconds_per_call": {side: spent.per_call for side, spent in times.items()},
            "slowest_call": {side: spent.slowest for side, spent in times.items()},
        }  # fmt: skip

    def time(self, side: str) -> TimeSpent:
        """The calls and seconds of A or B."""
        total = TimeSpent()
        for board in self.boards:
            total = total.plus(board.time.get(side, TimeSpent()))
        return total


@dataclass(frozen=True, slots=True)
class Match:
    """A against B on the deals of a seed, or on those given.

    >>> from borel.store import Store
    >>> match = Match.between("uniform:passes=0.7", "uniform:passes=0.7", seed=1)
    >>> print(match.play(2, store=Store("none"), workers=0).result)
    +0.00 ± 0.00 imps/board over 2 boards (95%)
    """

    a: Contestant
    b: Contestant
    seed: int = 0
    timeout: float | None = TIMEOUT
    scorer: Scorer = field(default_factory=DoubleDummy)
    deals: tuple[Board, ...] = ()  # those given, instead of the seed's

    @classmethod
    def between(cls, a: str | Contestant, b: str | Contestant, **options: Any) -> Match:
        """A match of two specifications."""
        return cls(Contestant.of(a), Contestant.of(b), **options)

    def config(self) -> dict[str, Any]:
        """Everything that decides the results."""
        return {
            "a": self.a.name, "b": self.b.name, "seed": self.seed, "timeout": self.timeout,
            "version": borel_version(), "code": borel_fingerprint(), "scorer": repr(self.scorer),
            "files": [files_fingerprint(self.a.name), files_fingerprint(self.b.name)],
            **({"deals": fingerprint_of(map(repr, self.deals))} if self.deals else {}),
        }  # fmt: skip

    def board(self, number: int) -> Board:
        """The board with this number in the match, counted from 1."""
        return replace(self.deals[number - 1], number=number) if self.deals else board_of(self.seed, number)

    def play(
        self,
        boards: int,
        *,
        store: Store,
        workers: int | None = None,
        fresh: bool = False,
        progress: Progress | None = None,
        sequence: Sequence | None = None,
        margin: float = 0.0,
        finish: bool = True,
    ) -> Played:
        """Play boards 1, 2, ... (of deals that were given, at most all); with a sequence, stop when it is decided.

        Without ``finish`` the run stays open: played again, it gives the same boards without playing them.
        """
        boards = min(boards, len(self.deals)) if self.deals else boards
        experiment = Experiment("match", self.config(), partial(_make_task, self), self._lost, self.timeout)
        run, payloads = experiment.run(
            range(1, boards + 1), store=store, workers=workers, fresh=fresh, progress=progress,
            stop=_stopping(sequence, margin) if sequence else None,
        )  # fmt: skip
        scores = tuple(BoardScore.of_payload(payloads[number]) for number in sorted(payloads))
        played = Played(self.a.name, self.b.name, self.seed, scores, boards, sequence)
        if not played.counted:
            why = played.voids[0].void if played.voids else "no boards were asked for"
            raise BridgeError(f"no board could be counted: {why}")
        if finish:
            run.finish(played.result.json() | {"void": len(played.voids)})
        return played

    def _lost(self, number: int, why: str) -> Payload:
        return _void(self.board(number), why).payload()


def _void(board: Board, why: str, at_fault: str = "") -> BoardScore:
    return BoardScore(
        board.number or 0, str(board.deal), str(board.dealer), str(board.vulnerability), void=why, at_fault=at_fault
    )


def _stopping(sequence: Sequence, margin: float) -> Callable[[Payload], bool]:
    """A function that sees the boards one by one and says when enough is known."""
    running = Running()

    def stop(payload: Payload) -> bool:
        if not payload["void"]:
            running.add(payload["imps"])
        return sequence.is_decided(running.estimate, margin=margin)

    return stop


def _make_task(match: Match) -> Callable[[int], Payload]:
    """In a worker: make the bidders once, then play boards."""
    bidders = {name: who.watched(seconds=match.timeout) for name, who in (("A", match.a), ("B", match.b))}
    return lambda number: play_board(bidders, match.board(number), match.seed, match.scorer).payload()


def play_board(bidders: dict[str, Watched], board: Board, seed: int, scorer: Scorer) -> BoardScore:
    """Play one board in both rooms. Equal contestants have equal luck in both, so they tie."""
    for watched in bidders.values():
        watched.calls, watched.seconds, watched.slowest = 0, 0.0, 0.0
    try:
        bid = [Room(seating, bidders).auction(board, rng=Random(f"{seed}/{board.number}")) for seating in ROOMS]
    except BotError as fault:
        return _void(board, str(fault), fault.name)
    auctions: list[Auction] = [auction for auction, _ in bid]
    rooms = tuple(
        RoomScore(
            seating, str(auction), str(auction.contract or ""), end.tricks, end.ns_score,
            tuple(d.why for d in decisions), " ".join(map(str, end.cards)),
        )
        for seating, (auction, decisions), end in zip(ROOMS, bid, outcomes(scorer, board, auctions), strict=True)
    )  # fmt: skip
    time = {name: TimeSpent(w.calls, w.seconds, w.slowest) for name, w in bidders.items()}
    swing = imps(rooms[0].ns_score - rooms[1].ns_score)
    return BoardScore(
        board.number or 0, str(board.deal), str(board.dealer), str(board.vulnerability), rooms, swing, time=time
    )
