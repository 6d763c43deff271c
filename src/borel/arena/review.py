"""Reviewing a session: for every call of every player, what the bidder would have done and what the difference cost.

Both calls, the player's and the bidder's, are continued to the end of the auction with the bidder at all four seats, on
the same layouts; the two contracts are scored double dummy and the difference counts in IMPs for the caller's side.
The layouts are samples of what the caller could know, or the actual deal alone, which knows where every card is and is
therefore only an indication: the report says which. All calls are read by the bidder's own system.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import sha256
from random import Random
from typing import Any, Protocol

from borel.arena.card_review import CardReview, review_cards
from borel.arena.experiment import Experiment, Payload, Progress
from borel.arena.fingerprint import borel_fingerprint, borel_version, files_fingerprint
from borel.arena.match import TIMEOUT
from borel.arena.room import BotError, Contestant, Watched, disclosed_system
from borel.arena.scorer import DoubleDummy, Scorer, ns_scores
from borel.arena.statistics import Estimate
from borel.arena.table import Table
from borel.auction import Auction, Call
from borel.cards import Seat, Side
from borel.deal import Board, Deal
from borel.decision import Bidder, Limit
from borel.errors import BridgeError
from borel.policies.spec import card_player
from borel.record import Record
from borel.sampling import directed
from borel.sampling.rules import RuleModel
from borel.scoring import imps
from borel.store import Store
from borel.systems import System, load_system
from borel.view import BiddingView

__all__ = ["ActualDeal", "BoardReview", "CallReview", "Layouts", "Review", "Reviewed", "Sampled"]


Weighted = tuple[Sequence[Deal], Sequence[float]]


class Layouts(Protocol):
    """Where the hidden cards may be, as far as a seat can know."""

    def of(self, view: BiddingView, deal: Deal, bidder: Bidder, *, rng: Random) -> Weighted:
        """Deals that agree with the view, and their weights."""
        ...


@dataclass(frozen=True, slots=True)
class ActualDeal:
    """The deal as it was."""

    def of(self, view: BiddingView, deal: Deal, bidder: Bidder, *, rng: Random) -> Weighted:
        """One layout: the actual one."""
        return [deal], [1.0]


@dataclass(frozen=True, slots=True)
class Sampled:
    """Layouts that agree with the auction, every call read by the reviewing bidder's own system.

    ``floor`` is the least probability of any call, because people do not bid by the book.
    """

    layouts: int = 16
    floor: float = 0.02
    instances: int = 20_000

    def of(self, view: BiddingView, deal: Deal, bidder: Bidder, *, rng: Random) -> Weighted:
        """A weighted sample of what the caller could know; the actual deal has no part in it."""
        system = getattr(bidder, "system", None)
        model = _model(system if isinstance(system, System) else load_system("sayc"))
        limit = Limit(instances=self.instances)
        sample = directed(view, model, layouts=self.layouts, floor=self.floor, limit=limit, rng=rng)
        sample = sample.trimmed(self.layouts, rng)
        return sample.deals(), sample.weights.tolist()


_MODELS: dict[int, RuleModel] = {}  # by the identity of the system, which the model keeps


def _model(system: System) -> RuleModel:
    if id(system) not in _MODELS:
        _MODELS[id(system)] = RuleModel(system)
    return _MODELS[id(system)]


@dataclass(frozen=True, slots=True)
class CallReview:
    """One call: what was said, what the bidder says and why, and the IMPs that the difference cost the caller."""

    position: int
    seat: str
    player: str
    call: str
    better: str
    why: str
    cost: float = 0.0
    standard_error: float | None = None

    @property
    def differs(self) -> bool:
        """Whether the bidder would have called something else."""
        return self.call != self.better

    @property
    def round(self) -> int:
        """The round of the auction, from 1."""
        return self.position // 4 + 1


@dataclass(frozen=True, slots=True)
class BoardReview:
    """One record: its calls, or why it could not be reviewed."""

    number: int
    board: str
    deal: str = ""
    auction: str = ""
    contract: str = ""
    calls: tuple[CallReview, ...] = ()
    void: str = ""
    cards: tuple[CardReview, ...] = ()  # those that cost something

    @classmethod
    def of_payload(cls, payload: Payload) -> BoardReview:
        """From the store."""
        calls = tuple(CallReview(**call) for call in payload["calls"])
        cards = tuple(CardReview(**card) for card in payload.get("cards", ()))
        return cls(**{**payload, "calls": calls, "cards": cards})


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A session that was reviewed."""

    bidder: str
    layouts: str
    boards: tuple[BoardReview, ...]

    @property
    def calls(self) -> list[tuple[BoardReview, CallReview]]:
        """Every call with its board."""
        return [(board, call) for board in self.boards for call in board.calls]

    @property
    def cards(self) -> list[tuple[BoardReview, CardReview]]:
        """Every card that cost something with its board."""
        return [(board, card) for board in self.boards for card in board.cards]

    @property
    def voids(self) -> tuple[BoardReview, ...]:
        """The records that could not be reviewed."""
        return tuple(board for board in self.boards if board.void)

    def worst(self, count: int = 20) -> list[tuple[BoardReview, CallReview]]:
        """The dearest calls, dearest first."""
        dear = [(board, call) for board, call in self.calls if call.cost > 0]
        return sorted(dear, key=lambda pair: -pair[1].cost)[:count]

    def by_player(self) -> dict[str, tuple[int, int, Estimate]]:
        """For each player: calls, calls that differ, and cost a call with its error; dearest first."""
        groups: dict[str, list[CallReview]] = {}
        for _, call in self.calls:
            groups.setdefault(call.player or call.seat, []).append(call)
        table = {
            name: (len(calls), sum(call.differs for call in calls), Estimate.of(call.cost for call in calls))
            for name, calls in groups.items()
        }
        return dict(sorted(table.items(), key=lambda entry: -entry[1][2].mean))

    def by_round(self) -> dict[int, Estimate]:
        """Cost a call in each round of the auction."""
        groups: dict[int, list[float]] = {}
        for _, call in self.calls:
            groups.setdefault(call.round, []).append(call.cost)
        return {number: Estimate.of(groups[number]) for number in sorted(groups)}

    def json(self) -> dict[str, Any]:
        """For programs."""
        costs = Estimate.of(call.cost for _, call in self.calls)
        agreed = sum(not call.differs for _, call in self.calls)
        return {
            "bidder": self.bidder,
            "layouts": self.layouts,
            "boards": len(self.boards) - len(self.voids),
            "void": len(self.voids),
            "calls": costs.count,
            "agreement": agreed / costs.count if costs.count else None,
            "imps_per_call": costs.json(),
            "players": {
                name: {"calls": calls, "differ": differ, "imps_per_call": cost.json()}
                for name, (calls, differ, cost) in self.by_player().items()
            },
            "rounds": {str(number): cost.json() for number, cost in self.by_round().items()},
            "reviews": [asdict(board) for board in self.boards],
        }


@dataclass(frozen=True, slots=True)
class Review:
    """A bidder's opinion on records."""

    bidder: Contestant
    records: Sequence[Record]
    layouts: Layouts = field(default_factory=ActualDeal)
    seed: int = 0
    timeout: float | None = TIMEOUT
    scorer: Scorer = field(default_factory=DoubleDummy)
    player: str = ""  # who is asked about cards that cost something; nobody if empty

    def config(self) -> dict[str, Any]:
        """Everything that decides the results."""
        return {
            "bidder": self.bidder.name, "layouts": repr(self.layouts), "seed": self.seed, "timeout": self.timeout,
            "player": self.player,
            "records": sha256("\n".join(map(repr, self.records)).encode()).hexdigest()[:16],
            "version": borel_version(), "code": borel_fingerprint(), "files": files_fingerprint(self.bidder.name),
        }  # fmt: skip

    def run(
        self, *, store: Store, workers: int | None = None, fresh: bool = False, progress: Progress | None = None
    ) -> Reviewed:
        """Review every record."""
        experiment = Experiment("review", self.config(), partial(_make_task, self), self._lost, self.timeout)
        run, payloads = experiment.run(
            range(1, len(self.records) + 1), store=store, workers=workers, fresh=fresh, progress=progress
        )
        reviews = tuple(BoardReview.of_payload(payloads[number]) for number in sorted(payloads))
        found = Reviewed(self.bidder.name, repr(self.layouts), reviews)
        if not found.calls:
            raise BridgeError(f"nothing to review: {reviews[0].void if reviews else 'there are no records'}")
        run.finish({key: value for key, value in found.json().items() if key != "reviews"})
        return found

    def _lost(self, number: int, why: str) -> Payload:
        return asdict(BoardReview(number, _board_name(self.records[number - 1], number), void=why))


def _make_task(review: Review) -> Callable[[int], Payload]:
    bidder = review.bidder.watched(seconds=review.timeout)
    player = card_player(review.player) if review.player else None

    def task(number: int) -> Payload:
        record = review.records[number - 1]
        found = review_record(bidder, record, number, review)
        if not found.void:
            system = disclosed_system(review.bidder.make, bidder.bidder) or "sayc"
            found = replace(found, cards=review_cards(record, player, system=system, seed=review.seed))
        return asdict(found)

    return task


def _board_name(record: Record, number: int) -> str:
    return str(record.number) if record.number is not None else record.tag("Board") or str(number)


def review_record(bidder: Watched, record: Record, number: int, review: Review) -> BoardReview:
    """Every call of one record."""
    name, board, auction = _board_name(record, number), record.board, record.auction
    if board is None or not board.deal.is_complete:
        return BoardReview(number, name, void="the deal, the dealer or the vulnerability is not known")
    if auction is None or not auction.calls:
        return BoardReview(number, name, void="there is no auction")
    head = BoardReview(number, name, str(board.deal), str(auction), str(auction.contract or ""))
    try:
        calls = tuple(
            _review_call(bidder, record, board, auction, position, review) for position in range(len(auction))
        )
    except BotError as fault:
        return BoardReview(number, name, void=str(fault))
    return BoardReview(number, name, head.deal, head.auction, head.contract, calls)


def _review_call(
    bidder: Watched, record: Record, board: Board, auction: Auction, position: int, review: Review
) -> CallReview:
    so_far = Auction(auction.dealer, auction.calls[:position])
    seat, call, rng = so_far.turn, auction[position], Random(f"{review.seed}/{board.number}/{position}")
    explained = record.explanations[:position]
    view = BiddingView(seat, board.deal.hand(seat), so_far, board.vulnerability, explanations=explained)
    decision = bidder.decide(view, rng=rng)
    found = CallReview(position, str(seat), record.players[seat], str(call), str(decision.choice), decision.why)
    if decision.choice == call:
        return found
    deals, weights = review.layouts.of(view, board.deal, bidder.bidder, rng=rng)
    losses = [
        loss_in_imps(bidder, Board(deal, board.dealer, board.vulnerability, board.number), so_far,
                     (call, decision.choice), explained, review.scorer, seed=f"{review.seed}/{position}")
        for deal in deals
    ]  # fmt: skip
    total = sum(weights)
    mean = sum(weight * loss for weight, loss in zip(weights, losses, strict=True)) / total
    spread = sum((weight / total) ** 2 * (loss - mean) ** 2 for weight, loss in zip(weights, losses, strict=True))
    error = spread**0.5 if len(losses) > 1 else None
    return CallReview(position, found.seat, found.player, found.call, found.better, found.why, mean, error)


def loss_in_imps(
    bidder: Watched,
    board: Board,
    so_far: Auction,
    calls: tuple[Call, Call],
    explained: tuple[str, ...],
    scorer: Scorer,
    *,
    seed: str,
) -> int:
    """The IMPs that the second call gains over the first for the caller's side, the bidder continuing for everybody."""
    table = Table(dict.fromkeys(Seat, bidder))
    ends = []
    for call in calls:
        auction, meanings, rng = so_far.after(call), [*explained, ""], Random(seed)
        while not auction.is_over:
            decision = bidder.decide(table.bidding_view(board, auction, tuple(meanings)), rng=rng)
            auction = auction.after(decision.choice)
            meanings.append(decision.meaning)
        ends.append(auction)
    if ends[0].contract == ends[1].contract:
        return 0
    (_, mine), (_, better) = ns_scores(scorer, board, ends)
    sign = 1 if so_far.turn.side is Side.NS else -1
    return imps(sign * (better - mine))
