"""The oracle: minimax as plain as the rules of the game, with no bounds and no equal cards.

Only values between tricks are remembered. In Python for a few cards; the same in C++ (minimax.cpp beside this file,
compiled when a test asks for it) for six.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from borel import Card, Deal, Seat, Strain
from borel.dd import Position

SUIT = 0x1FFF


def legal_mask(hand: int, trick: tuple[int, ...]) -> int:
    following = hand & SUIT << 13 * (trick[0] // 13) if trick else 0
    return following or hand


def winning_place(trick: tuple[int, ...], strain: int) -> int:
    """The highest trump, else the highest card of the suit led."""
    trumps = [card for card in trick if card // 13 == strain]
    return trick.index(max(trumps or [card for card in trick if card // 13 == trick[0] // 13]))


class Minimax:
    """Values of one strain, for North-South."""

    def __init__(self, strain: int) -> None:
        self.strain, self.known = strain, {}

    def value(self, hands: tuple[int, ...], leader: int, trick: tuple[int, ...] = ()) -> int:
        if not trick:
            if not any(hands):
                return 0
            if (hands, leader) in self.known:
                return self.known[hands, leader]
        turn = (leader + len(trick)) % 4
        legal = legal_mask(hands[turn], trick)
        values = [self.after(hands, leader, trick, card) for card in range(52) if legal >> card & 1]
        best = max(values) if turn % 2 == 0 else min(values)
        if not trick:
            self.known[hands, leader] = best
        return best

    def after(self, hands: tuple[int, ...], leader: int, trick: tuple[int, ...], card: int) -> int:
        """The value once the seat on turn has played a card."""
        turn = (leader + len(trick)) % 4
        rest = tuple(hand & ~(1 << card) if seat == turn else hand for seat, hand in enumerate(hands))
        trick = (*trick, card)
        if len(trick) < 4:
            return self.value(rest, leader, trick)
        winner = (leader + winning_place(trick, self.strain)) % 4
        return (winner % 2 == 0) + self.value(rest, winner)


def minimax_cards(position: Position) -> dict[Card, int]:
    """What the side on turn takes after each legal card, by plain minimax."""
    oracle, hands = Minimax(position.strain), position.deal.masks
    trick = tuple(card.index for card in position.trick)
    legal = legal_mask(hands[position.turn], trick)
    north_south = {card: oracle.after(hands, position.leader, trick, card) for card in range(52) if legal >> card & 1}
    return {
        Card.of_index(card): value if position.turn % 2 == 0 else position.tricks_left - value
        for card, value in north_south.items()
    }


def compiled_minimax(folder: Path) -> ctypes.CDLL:
    """minimax.cpp as a library."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler for the oracle")
    library = folder / "minimax.so"
    source = Path(__file__).with_name("minimax.cpp")
    subprocess.run([compiler, "-O2", "-std=c++20", "-shared", "-fPIC", source, "-o", library], check=True)
    return ctypes.CDLL(str(library))


def random_ending(rng: Random, cards_each: int, played: int) -> Position:
    """A random ending, with ``played`` cards on the table; from few or from all suits and ranks."""
    suits = rng.sample(range(4), rng.choice([4, 4, 3, 2])) if cards_each > 1 else range(4)
    top = rng.choice([13, 13, -(-4 * cards_each // len(suits)) + 1])
    deck = [13 * suit + rank for suit in suits for rank in range(13 - min(top, 13), 13)]
    if len(deck) < 4 * cards_each:
        deck = list(range(52))
    cards = rng.sample(deck, 4 * cards_each)
    hands = [sum(1 << card for card in cards[seat::4]) for seat in range(4)]
    strain, leader, trick = Strain(rng.randrange(5)), Seat(rng.randrange(4)), ()
    for turn in range(played):
        seat = (leader + turn) % 4
        legal = legal_mask(hands[seat], trick)
        card = rng.choice([card for card in range(52) if legal >> card & 1])
        hands[seat] &= ~(1 << card)
        trick = (*trick, card)
    deal = Deal.of_masks((hands[0], hands[1], hands[2], hands[3]))
    return Position(deal, strain, leader, tuple(map(Card.of_index, trick)))
