"""What a bidder or card player answers, and the small protocols that rules, networks, searches and people all meet."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from borel.auction import Auction, Call
from borel.cards import Card
from borel.deal import Vulnerability
from borel.view import BiddingView, PlayView

__all__ = ["Bidder", "CallModel", "Candidate", "CardPlayer", "Decision", "Limit"]

Choice = TypeVar("Choice", Call, Card)


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Choice]):
    """A call or card that was considered, its value to the seat, and why it was considered.

    ``chance``: how likely it is to be right: a network's probability, the share of a search's layouts in which no other
    candidate scores more, for a card the share in which the contract is made (or beaten).
    """

    choice: Choice
    value: float | None = None
    why: str = ""
    chance: float | None = None

    def figures(self) -> dict[str, float]:
        """What is known of ``value`` and ``chance``, for programs."""
        known = {"value": self.value, "chance": self.chance}
        return {name: figure for name, figure in known.items() if figure is not None}


@dataclass(frozen=True, slots=True)
class Decision(Generic[Choice]):
    """The chosen call or card with its reasons.

    ``why`` speaks of the hand: it is for its own seat and, after the board, for everyone. ``meaning`` is what the call
    says by agreement: it is public, and so is ``sampled``, what hands make the call as this bidder bids. A card player
    may ``claim``: declarer's tricks in all, if everybody agrees; the choice is then the card to play if they do not.
    """

    choice: Choice
    why: str
    meaning: str = ""
    candidates: tuple[Candidate[Choice], ...] = ()
    claim: int | None = None
    sampled: str = ""


@dataclass(frozen=True, slots=True)
class Limit:
    """How much effort a decision may cost. Layouts and instances can be repeated exactly, seconds cannot."""

    layouts: int | None = None
    instances: int | None = None
    seconds: float | None = None


class Bidder(Protocol):
    """Anything that can call: rules, a network, a search, a person, a program at the other end of a wire."""

    def decide(self, view: BiddingView, *, rng: Random) -> Decision[Call]:
        """Choose a legal call for the seat whose view this is."""
        ...


class CardPlayer(Protocol):
    """Anything that can play cards."""

    def decide(self, view: PlayView, *, rng: Random) -> Decision[Card]:
        """Choose a legal card for the hand whose turn it is."""
        ...


class CallModel(Protocol):
    """What one expects of a player: how likely each hand is to make each call. Sampling and lookahead live on it.

    Rules answer with zeros and ones, networks with anything between. Hands come in batches of 52-bit sets.
    """

    def encode(self, hands: NDArray[np.uint64]) -> NDArray[np.float32]:
        """[n, width]: what the model looks at in each of [n] hands; made once for all calls of the auction."""
        ...

    def probabilities(
        self, rows: NDArray[np.float32], auction: Auction, vulnerability: Vulnerability
    ) -> NDArray[np.float64]:
        """[n, 38]: the probability of each call, were each of the encoded hands the one whose turn it is."""
        ...
