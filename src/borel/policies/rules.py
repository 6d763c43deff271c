"""The bidder that follows a system's rules, and says which rule and why."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, PASS, Auction, Call
from borel.cards import Hand, Seat, Side
from borel.deal import Vulnerability
from borel.decision import Candidate, Decision
from borel.systems import Position, System, load_system
from borel.systems.constraints import met_by
from borel.systems.context import Force
from borel.systems.hand import features_of, features_of_batch
from borel.systems.interpret import Interpretation, option_text
from borel.systems.options import Option
from borel.systems.position import start_of
from borel.systems.system import FALLBACK, SPECIFIC
from borel.systems.words import ANY_HAND, box_words, constraint_words
from borel.view import BiddingView, Systems

__all__ = ["CallMeaning", "Meaning", "RuleBidder", "SeatMeaning"]

_PRIORITY = re.compile(r",? priority [0-9]+")  # in a rule's name; says nothing to a player


@dataclass(frozen=True, slots=True)
class CallMeaning:
    """What one call of an auction means by agreement."""

    seat: Seat
    call: Call
    text: str
    status: str
    convention: str
    alert: str
    rule: str

    @property
    def remarks(self) -> str:
        """Forcing status, convention and alert, as far as there are any; a transfer is announced by its name."""
        parts = (self.status, self.convention.replace("_", " "), self.alert)
        return ", ".join(dict.fromkeys(part for part in parts if part))


@dataclass(frozen=True, slots=True)
class SeatMeaning:
    """What a seat has shown so far: in words, and as ranges of high-card points, points and lengths (C D H S)."""

    seat: Seat
    words: str
    hcp: tuple[int, int]
    points: tuple[int, int]
    lengths: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """An auction explained: call by call, seat by seat, and how far each side is forced."""

    calls: tuple[CallMeaning, ...]
    seats: tuple[SeatMeaning, ...]
    forcing: dict[Side, str]

    def as_json(self) -> dict[str, object]:
        """The explanation as plain values."""
        calls = [
            {"seat": str(c.seat), "call": str(c.call), "meaning": c.text, "status": c.status}
            | {"convention": c.convention, "alert": c.alert, "rule": c.rule}
            for c in self.calls
        ]
        seats = {
            str(s.seat): {
                "shown": s.words,
                "hcp": s.hcp,
                "points": s.points,
                "lengths": dict(zip("CDHS", s.lengths, strict=True)),
            }
            for s in self.seats
        }
        return {"calls": calls, "seats": seats, "forcing": {str(side): words for side, words in self.forcing.items()}}


class RuleBidder:
    """Bids a system by its rules alone; opponents' calls are read by their system.

    >>> from borel.deal import Vulnerability
    >>> view = BiddingView(Seat.N, Hand.parse("AQ5.KJ92.K7.AT43"), Auction(Seat.N), Vulnerability.NONE)
    >>> RuleBidder("sayc").decide(view, rng=Random(0)).choice
    Call.parse('1NT')
    """

    def __init__(self, system: str | System = "sayc", *, theirs: str | System | None = None) -> None:
        self.system = load_system(system) if isinstance(system, str) else system
        self.theirs = self.system if theirs is None else load_system(theirs) if isinstance(theirs, str) else theirs
        self._read: dict[str, System] = {}

    def position(
        self, auction: Auction, vulnerability: Vulnerability, ours: Side, systems: Systems | None = None
    ) -> Position:
        """The point of the auction, with our system and theirs (as the view discloses them, if it does)."""
        theirs = self.theirs
        disclosed = systems.of(Seat(1 - ours)) if systems else ""
        if disclosed:
            if disclosed not in self._read:
                self._read[disclosed] = load_system(disclosed)
            theirs = self._read[disclosed]
        first = self.system if auction.dealer.side == ours else theirs
        second = theirs if auction.dealer.side == ours else self.system
        vulnerable = (vulnerability.includes(auction.dealer.side), vulnerability.includes(auction.dealer.side.other))
        return start_of((first, second), vulnerable).follow(tuple(call.index for call in auction.calls))

    def decide(self, view: BiddingView, *, rng: Random) -> Decision[Call]:
        """The call of the first of the most specific rules that the hand satisfies, with the other candidates."""
        position = self.position(view.auction, view.vulnerability, view.seat.side, view.systems)
        hand = features_of(view.hand.mask, wide=self.system.wide)
        options = position.choose(hand)
        if not options:
            return _last_resort(position, hand)
        chosen = options[0]
        others: dict[int, Option] = {}
        for option in options[1:]:
            others.setdefault(option.call, option)
        others.pop(chosen.call, None)
        meaning = position.meaning(chosen.call)
        return Decision(
            ALL_CALLS[chosen.call],
            f"{_kind(chosen)}{_PRIORITY.sub('', chosen.rule.name)}: {_reason(chosen, hand)}",
            meaning.text,
            (
                Candidate(ALL_CALLS[chosen.call], None, _reason(chosen, hand)),
                *(Candidate(ALL_CALLS[call], None, _reason(option, hand)) for call, option in others.items()),
            ),
        )

    def may_not_pass(self, auction: Auction, vulnerability: Vulnerability = Vulnerability.NONE) -> bool:
        """Whether partner's call forces the seat whose turn it is."""
        context = self.position(auction, vulnerability, auction.turn.side).context
        return context.forced(context.turn)

    def calls_made(
        self, hands: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability, systems: Systems | None = None
    ) -> NDArray[np.int64]:
        """[n]: the call each of [n, features] hands would make next; -1 where no rule applies."""
        position = self.position(auction, vulnerability, auction.turn.side, systems)
        return position.calls_of_batch(hands)

    def probabilities(
        self, hands: list[Hand], auction: Auction, seat: Seat, vulnerability: Vulnerability, call: Call
    ) -> list[float]:
        """For each hand 1 if it would make the call, 0 if not: a model of a player who follows the rules."""
        masks = np.array([hand.mask for hand in hands], dtype=np.uint64)
        features = features_of_batch(masks, wide=self.system.wide or self.theirs.wide)
        return [float(made) for made in self.calls_made(features, auction, vulnerability) == call.index]

    def meaning(self, auction: Auction, vulnerability: Vulnerability = Vulnerability.NONE) -> Meaning:
        """What each call has meant, what each seat has shown, and how far each side is forced."""
        position = self.position(Auction(auction.dealer), vulnerability, auction.dealer.side)
        calls = []
        for index, call in enumerate(auction.calls):
            calls.append(_call_meaning(auction.seat_of(index), call, position.meaning(call.index)))
            position = position.after(call.index)
        seats = tuple(_seat_meaning(position, auction.dealer, turn) for turn in range(4))
        words = {Force.NONE: "not forced", Force.ROUND: "forced for one round", Force.GAME: "forced to game"}
        forcing = {Side((auction.dealer + side) % 2): words[position.context.force[side]] for side in (0, 1)}
        return Meaning(tuple(calls), seats, forcing)


def _reason(option: Option, hand: list[float]) -> str:
    """The rule's words, and what of its condition this hand meets."""
    text, condition = option_text(option), constraint_words(met_by(option.asks, hand))
    return text if condition in (text, ANY_HAND) else f"{text} ({condition})"


def _kind(option: Option) -> str:
    """Where a call comes from when not from a specific agreement."""
    return "" if option.priority >= SPECIFIC else "principle: " if option.priority >= FALLBACK else "fallback: "


def _last_resort(position: Position, hand: list[float]) -> Decision[Call]:
    """No rule at all: pass if that is allowed, otherwise the cheapest bid."""
    context = position.context
    if not context.forced(context.turn):
        return Decision(PASS, "fallback: no rule applies", "no agreement", (Candidate(PASS),))
    call = ALL_CALLS[min(context.last_bid + 1, 37)]
    return Decision(
        call,
        "fallback: no rule applies and partner's call is forcing: the cheapest bid",
        "no agreement",
        (Candidate(call),),
    )


def _call_meaning(seat: Seat, call: Call, meaning: Interpretation) -> CallMeaning:
    rule = meaning.options[0].rule.name if meaning.options else ""
    return CallMeaning(
        seat, call, meaning.text, meaning.status, ", ".join(sorted(meaning.conventions)), meaning.alert, rule
    )


def _seat_meaning(position: Position, dealer: Seat, turn: int) -> SeatMeaning:
    from borel.systems.hand import HCP, LENGTHS, POINTS

    box = position.typical(turn)

    def pair(index: int) -> tuple[int, int]:
        return int(box.low[index]), int(box.high[index])

    return SeatMeaning(
        Seat((dealer + turn) % 4),
        box_words(box) or "any hand",
        pair(HCP),
        pair(POINTS),
        tuple(pair(i) for i in LENGTHS),
    )
