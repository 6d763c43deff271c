"""What decisions cost a bidder that samples and looks ahead: the variables of Amit & Markovitch 2006, 5.1.1."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Protocol, runtime_checkable

__all__ = ["CountsEffort", "Effort"]


@dataclass(frozen=True, slots=True)
class Effort:
    """Sums over decisions.

    >>> Effort(decisions=4, lookaheads=1, lookahead_calls=6).ratio
    0.25
    """

    decisions: int = 0
    lookaheads: int = 0  # decisions for which two or more actions had to be compared
    lookahead_calls: int = 0  # calls made before them
    instances: int = 0  # layouts generated, those that were rejected included
    sampling_failures: int = 0  # samples that were not entirely consistent with the auction

    def __add__(self, other: Effort) -> Effort:
        return Effort(*(mine + its for mine, its in zip(astuple(self), astuple(other), strict=True)))

    def __sub__(self, other: Effort) -> Effort:
        return Effort(*(mine - its for mine, its in zip(astuple(self), astuple(other), strict=True)))

    @property
    def ratio(self) -> float:
        """The share of decisions that needed a lookahead."""
        return self.lookaheads / self.decisions if self.decisions else 0.0

    @property
    def stage(self) -> float:
        """How many calls had been made, on average, when a lookahead was begun."""
        return self.lookahead_calls / self.lookaheads if self.lookaheads else 0.0


@runtime_checkable
class CountsEffort(Protocol):
    """A bidder that keeps count of what it does."""

    @property
    def effort(self) -> Effort:
        """All effort since the bidder was made."""
        ...
