"""The solver against plain minimax, at every point of a trick and in every strain."""

import ctypes
from random import Random

import numpy as np
import pytest

from borel import Card, dd
from borel.dd import Position, Positions
from dd.endings import named_positions
from dd.minimax import compiled_minimax, minimax_cards, random_ending


def endings(seed: int, sizes: list[int]) -> list[Position]:
    rng = Random(seed)
    return [random_ending(rng, size, rng.randrange(4)) for size in sizes]


def test_every_card_of_small_endings_is_worth_what_minimax_says():
    for position in endings(1, [1 + i % 3 for i in range(300)]):
        expected = minimax_cards(position)
        assert dd.card_values(position) == expected, position
        assert dd.solve(position) == max(expected.values()), position


def test_a_batch_gives_what_single_positions_give():
    positions = endings(2, [1 + i % 11 for i in range(66)])
    values = dd.card_values(Positions.of(positions), threads=2)
    solved = dd.solve(Positions.of(positions), threads=2)
    for position, row, tricks in zip(positions, values, solved, strict=True):
        assert {Card.of_index(i): row[i] for i in range(52) if row[i] >= 0} == dd.card_values(position)
        assert tricks == dd.solve(position) == row.max()


@pytest.mark.slow
def test_ten_thousand_endings_of_one_to_six_cards_equal_minimax(tmp_path):
    oracle = compiled_minimax(tmp_path)
    sizes = Random(3).choices(range(1, 7), weights=[3, 5, 5, 5, 3, 1], k=10_500)
    positions = endings(4, sizes)
    values = dd.card_values(Positions.of(positions))
    solved = dd.solve(Positions.of(positions))
    seen = set()
    for position, row, tricks in zip(positions, values, solved, strict=True):
        expected = compiled_values(oracle, position)
        assert np.array_equal(row, expected), position
        assert tricks == expected.max(), position
        seen.add((len(position.trick), position.strain, position.tricks_left))
    assert len(seen) == 4 * 5 * 6, "some strain, size or point of a trick was never tried"


@pytest.mark.slow
def test_named_endings_equal_minimax(tmp_path):
    oracle = compiled_minimax(tmp_path)
    for position in named_positions():
        if position.tricks_left <= 6:
            values = dd.card_values(Positions.of([position]))[0]
            assert np.array_equal(values, compiled_values(oracle, position)), position


def compiled_values(oracle: ctypes.CDLL, position: Position) -> np.ndarray:
    """What the side on turn takes after each card, -1 where it is not legal."""
    hands = (ctypes.c_uint64 * 4)(*position.deal.masks)
    trick = (ctypes.c_int * 3)(*(card.index for card in position.trick))
    values = (ctypes.c_int * 52)()
    oracle.card_values(hands, int(position.strain), int(position.leader), trick, len(position.trick), values)
    north_south = np.array(values)
    mine = north_south if position.turn % 2 == 0 else position.tricks_left - north_south
    return np.where(north_south < 0, -1, mine)
