"""The solver against DDS, by way of endplay: twenty results a deal, and every card in mid-play."""

from random import Random

import numpy as np
import pytest

from borel import Deal, Seat, Strain, dd
from borel.dd import Positions
from borel.dd.experiment import sample
from dd.minimax import random_ending

double_dummy = pytest.importorskip("double_dummy", reason="benchmarks/double_dummy.py holds the way to DDS")
pytest.importorskip("endplay")


@pytest.fixture(scope="module")
def dds():
    return double_dummy.Dds()


def compare_tables(dds, deals: int, seed: int) -> None:
    hands = sample(range(deals), seed=seed, sizes=range(13, 14)).hands
    for masks, table in zip(hands, dd.tables(hands), strict=True):
        expected = dds.prepare_table(tuple(int(mask) for mask in masks))()
        assert table.tolist() == expected, Deal.of_masks(tuple(int(mask) for mask in masks))


def test_twenty_results_of_random_deals_equal_those_of_dds(dds):
    compare_tables(dds, 5, seed=21)


@pytest.mark.slow
def test_twenty_results_of_many_deals_equal_those_of_dds(dds):
    compare_tables(dds, 200, seed=22)


def test_every_card_in_mid_play_is_worth_what_dds_says(dds):
    rng = Random(23)
    positions = [random_ending(rng, 2 + i % 10, rng.randrange(4)) for i in range(100)]
    for position, values in zip(positions, dd.card_values(Positions.of(positions)), strict=True):
        trick = [card.index for card in position.trick]
        future = dds.prepare_board(position.deal.masks, int(position.strain), int(position.leader), trick, 3)()
        assert {int(i): int(values[i]) for i in np.flatnonzero(values >= 0)} == dds.card_values(future), position


def test_the_table_agrees_with_solving_each_contract_by_itself():
    deal = Deal.of_masks(tuple(int(mask) for mask in sample([5], seed=24, sizes=range(9, 10)).hands[0]))
    table = dd.table(deal)
    for strain in Strain:
        for declarer in Seat:
            assert table[strain, declarer] == 9 - dd.solve(deal, strain, declarer.lho)
