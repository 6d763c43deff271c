"""One table of a match: bidders that are watched, timed and blamed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from borel.arena.alarm import TooSlow, time_limit
from borel.arena.table import Table
from borel.auction import Auction, Call, Contract
from borel.cards import Seat
from borel.clock import now, processor_time
from borel.deal import Board
from borel.decision import Bidder, Decision
from borel.errors import BridgeError
from borel.policies.program import ProgramBidder
from borel.policies.spec import bidder as bidder_of
from borel.policies.spec import system_of
from borel.systems import load_system
from borel.view import BiddingView, Systems

__all__ = ["BotError", "Contestant", "Room", "Watched"]


@dataclass(frozen=True, slots=True)
class Contestant:
    """A bidder by name, with what it takes to make it in another process.

    ``make`` is a bidder specification, or something importable that gives a bidder when it is called.
    """

    name: str
    make: Any

    @classmethod
    def of(cls, spec: str | Contestant) -> Contestant:
        """The contestant that a specification names."""
        return spec if isinstance(spec, Contestant) else cls(spec, spec)

    def watched(self, *, seconds: float | None = None) -> Watched:
        """Make the bidder, which may then think so many seconds about a call."""
        made: Bidder = bidder_of(self.make) if isinstance(self.make, str) else self.make()
        if seconds is not None and isinstance(made, ProgramBidder):
            made.seconds = seconds
            return Watched(self.name, made)  # its pipe has the clock
        return Watched(self.name, made, seconds, disclosed_system(self.make, made))


def disclosed_system(make: Any, bidder: Bidder) -> str:
    """The system as opponents can read it, by its name or file; an empty text where it is none that can be read."""
    named = make.partition(":")[2].partition(",")[0].strip() if isinstance(make, str) else ""
    for name in (named, system_of(bidder)):
        if name:
            with suppress(BridgeError):
                load_system(name)
                return name
    return ""


class BotError(BridgeError):
    """A bidder died, hung, raised or made an illegal call: the board is void."""

    def __init__(self, name: str, seat: Seat, auction: Auction, why: str) -> None:
        self.name, self.seat, self.why = name, seat, why
        place = f"after {auction}" if auction.calls else "as dealer"
        super().__init__(f"{name} ({seat.word}, {place}): {why}")


@dataclass(slots=True)
class Watched:
    """A bidder whose calls are timed and checked, and whose every failure is a `BotError`.

    Its own limit in seconds, and the time that is reported, are of the processor: see `borel.clock`.
    """

    name: str
    bidder: Bidder
    limit: float | None = None
    system: str = ""
    calls: int = 0
    seconds: float = 0.0  # by the clock of its kind: a program's wait, a bidder's processor time
    slowest: float = 0.0

    def decide(self, view: BiddingView, *, rng: Random) -> Decision[Call]:
        """The bidder's decision, if it is one and its call is legal."""
        is_program = isinstance(self.bidder, ProgramBidder)  # which thinks in a process of its own
        try:
            with time_limit(self.limit), nullcontext() if is_program else processor_time():
                begun = now()
                decision = self.bidder.decide(view, rng=rng)
                took = now() - begun
        except TooSlow:
            raise BotError(
                self.name, view.seat, view.auction, f"gave no answer within {self.limit:g} seconds"
            ) from None
        except Exception as error:  # a bot may raise anything, and the match goes on
            why = str(error) if isinstance(error, BridgeError) else f"{type(error).__name__}: {error}"
            raise BotError(self.name, view.seat, view.auction, why) from error
        self.calls, self.seconds, self.slowest = self.calls + 1, self.seconds + took, max(self.slowest, took)
        if not isinstance(decision, Decision) or not isinstance(decision.choice, Call):
            raise BotError(self.name, view.seat, view.auction, "answered something that is no decision")
        if (reason := view.auction.why_illegal(decision.choice)) is not None:
            raise BotError(self.name, view.seat, view.auction, f"{decision.choice} is not legal: {reason}")
        return decision


@dataclass(frozen=True, slots=True)
class Room:
    """Four seats of a table, by contestant: ``"ABAB"`` has A at North and South."""

    seating: str
    bidders: Mapping[str, Watched] = field(compare=False)

    def auction(self, board: Board, *, rng: Random) -> tuple[Auction, tuple[Decision[Call], ...]]:
        """Bid a board; both sides' systems are disclosed."""
        at = {seat: self.bidders[self.seating[seat]] for seat in Seat}
        systems = Systems(at[Seat.N].system, at[Seat.E].system)
        return Table(at, systems=systems).bid(board, rng=rng)

    def contract(self, board: Board, *, rng: Random) -> tuple[Auction, Contract | None]:
        """The auction and where it ends."""
        auction, _ = self.auction(board, rng=rng)
        return auction, auction.contract
