"""The DDS project's thousand deals: every table, every opening lead, every card of every play."""

from pathlib import Path

import numpy as np
import pytest

from borel import Card, dd
from borel.dd import Positions
from dd.lists import ListedDeal, read_list


def check(deals: list[ListedDeal]) -> None:
    tables = dd.tables([listed.deal for listed in deals])
    leads = dd.card_values(Positions.of(listed.position for listed in deals))
    for listed, table, values in zip(deals, tables, leads, strict=True):
        assert table.tolist() == listed.table, listed.deal
        assert {Card.of_index(i): values[i] for i in np.flatnonzero(values >= 0)} == listed.leads, listed.position
        # The list stops where the last trick begins: what follows is forced.
        assert dd.play_trace(listed.play).tricks[: len(listed.trace)] == listed.trace, listed.play


def deals_of(data: Path, name: str) -> list[ListedDeal]:
    return list(read_list(data / "double_dummy" / name))


def test_ten_listed_deals_have_their_known_tables_leads_and_traces(data):
    deals = deals_of(data, "list10.txt")
    assert len(deals) == 10
    check(deals)


@pytest.mark.slow
def test_a_thousand_listed_deals_have_their_known_tables_leads_and_traces(data):
    deals = deals_of(data, "list1000.txt")
    assert len(deals) == 1000
    check(deals)
