"""A sample in words: what each hidden hand probably holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.cards import ALL_CARDS, Card, Rank, Seat, Suit
from borel.sampling.sample import Sample

__all__ = ["Fit", "Picture", "SeatPicture", "distribution", "mean_of", "usual"]

FIT = 8  # cards of a suit between two hands


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """The distribution of one hidden hand: its points, its lengths, and the chance of each honour."""

    seat: Seat
    hcp: dict[int, float]
    lengths: dict[Suit, dict[int, float]]
    honours: dict[Card, float]

    def words(self) -> str:
        """One line: points and lengths with their usual ranges, shape most likely, honours likely held."""
        suits = ", ".join(f"{suit.symbol} {usual(self.lengths[suit])}" for suit in reversed(Suit))
        sure = [(card, chance) for card, chance in self.honours.items() if chance >= 0.5]
        ranked = sorted(sure, key=lambda pair: -pair[1])
        held = ", ".join(f"{card.symbol} {chance:.0%}" for card, chance in ranked[:6])
        return f"{self.seat.word}: {usual(self.hcp)} hcp; {suits}" + (f"; probably {held}" if held else "")


@dataclass(frozen=True, slots=True)
class Fit:
    """The cards that a side probably has between its hands in a suit."""

    seats: tuple[Seat, Seat]
    suit: Suit
    mean: float
    chance: float  # of eight or more


@dataclass(frozen=True, slots=True)
class Picture:
    """What a sample says of each hidden hand and of the fits of both sides."""

    seats: tuple[SeatPicture, ...]
    fits: tuple[Fit, ...]

    @classmethod
    def of(cls, sample: Sample, hidden: tuple[Seat, ...]) -> Picture:
        """The picture of the hidden seats."""
        numbers = {seat: _core.hand_numbers(sample.hand(seat)) for seat in Seat}
        seats = tuple(_seat_picture(sample, seat, numbers[seat]) for seat in hidden)
        pairs = [pair for pair in ((Seat.N, Seat.S), (Seat.E, Seat.W)) if set(pair) & set(hidden)]
        fits = tuple(_fit(sample, pair, suit, numbers) for pair in pairs for suit in reversed(Suit))
        return cls(seats, fits)

    def words(self) -> list[str]:
        """A line for each hidden hand and one for each side's fits."""
        lines = [picture.words() for picture in self.seats]
        for pair in dict.fromkeys(fit.seats for fit in self.fits):
            likely = [fit for fit in self.fits if fit.seats == pair and fit.chance >= 0.05]
            texts = [f"{fit.suit.symbol} {fit.chance:.0%} ({fit.mean:.1f} cards)" for fit in likely]
            names = f"{pair[0].word} and {pair[1].word}"
            lines.append(f"{names}: chance of a fit of eight or more: {', '.join(texts) or 'little in any suit'}")
        return lines

    def as_json(self) -> dict[str, object]:
        """Everything, for programs."""
        return {
            "seats": {
                str(picture.seat): {
                    "hcp": _shares(picture.hcp),
                    "hcp_mean": round(mean_of(picture.hcp), 3),
                    "lengths": {str(suit): _shares(lengths) for suit, lengths in picture.lengths.items()},
                    "honours": {str(card): round(chance, 4) for card, chance in picture.honours.items()},
                }
                for picture in self.seats
            },
            "fits": [
                {"seats": "".join(map(str, fit.seats)), "suit": str(fit.suit), "mean": round(fit.mean, 3),
                 "chance": round(fit.chance, 4)}
                for fit in self.fits
            ],
        }  # fmt: skip


def _seat_picture(sample: Sample, seat: Seat, numbers: NDArray[np.int8]) -> SeatPicture:
    hand = sample.hand(seat)
    honours = [card for card in ALL_CARDS if card.rank >= Rank.JACK]
    chances = {card: sample.mean((hand >> np.uint64(card.index) & np.uint64(1)).astype(np.float64)) for card in honours}
    return SeatPicture(
        seat,
        distribution(numbers[:, 4], sample.weights),
        {suit: distribution(numbers[:, suit], sample.weights) for suit in Suit},
        {card: chance for card, chance in chances.items() if chance > 0},
    )


def _fit(sample: Sample, pair: tuple[Seat, Seat], suit: Suit, numbers: dict[Seat, NDArray[np.int8]]) -> Fit:
    cards = numbers[pair[0]][:, suit] + numbers[pair[1]][:, suit]
    return Fit(pair, suit, sample.mean(cards.astype(np.float64)), sample.mean((cards >= FIT).astype(np.float64)))


def distribution(values: NDArray[np.int8], weights: NDArray[np.float64]) -> dict[int, float]:
    """The share of each value."""
    shares = np.bincount(values.astype(np.intp), weights)
    return {int(value): float(shares[value]) for value in np.flatnonzero(shares)}


def mean_of(shares: dict[int, float]) -> float:
    """The mean of a distribution."""
    return sum(value * share for value, share in shares.items())


def usual(shares: dict[int, float]) -> str:
    """The mean and the range that holds at least four fifths, with a tenth at most on either side."""
    low = high = next(iter(shares))
    below = 0.0
    for value, share in shares.items():
        if below <= 0.1:
            low = value
        if below < 0.9:
            high = value
        below += share
    mean = mean_of(shares)
    return f"{low}" if low == high else f"{low}-{high} (mean {mean:.1f})"


def _shares(shares: dict[int, float]) -> dict[str, float]:
    return {str(value): round(share, 4) for value, share in shares.items()}
