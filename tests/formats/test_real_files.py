"""Real files made by others, where BOREL_DATA names a folder that has them."""

from collections import Counter

import pytest

from borel.formats import jsonl, pbn, wbridge5
from borel.formats.convert import convert


@pytest.fixture(scope="module")
def expert_conversion(data, tmp_path_factory):
    target = tmp_path_factory.mktemp("experts") / "dev.jsonl"
    return convert(str(data / "experts" / "dev.pbn"), str(target)), target


def test_every_expert_table_loads(expert_conversion):
    summary, _ = expert_conversion
    assert (summary.records, summary.bad) == (5784, 0)
    assert summary.repairs["auctions given leading passes"] > 2000


def test_contracts_agree_with_auctions_and_plays_are_legal(expert_conversion):
    _, target = expert_conversion
    counted: Counter[str] = Counter()
    with target.open(encoding="utf-8") as handle:
        for record in jsonl.load(handle):
            counted["tables"] += 1
            if record.auction is not None:
                counted["auctions"] += 1
                assert record.auction.is_over
                assert record.auction.contract == record.contract
            if record.cards:
                counted["plays"] += 1
                assert record.play.cards == record.cards  # the Laws' own check, card by card
    assert counted["tables"] == 5784
    assert counted["auctions"] == 5630
    assert counted["plays"] > 5000


def test_a_second_trip_through_pbn_changes_nothing(expert_conversion, tmp_path):
    _, first = expert_conversion
    convert(str(first), str(tmp_path / "again.pbn"))
    convert(str(tmp_path / "again.pbn"), str(tmp_path / "again.jsonl"))
    assert (tmp_path / "again.jsonl").read_bytes() == first.read_bytes()


def test_every_wbridge5_line_loads(data):
    with (data / "wbridge5" / "dev.txt").open() as handle:
        records = list(wbridge5.load(handle))
    assert len(records) == 5000
    assert all(len(record.cards) == (0 if record.passed_out else 52) for record in records)
    assert pbn.loads(pbn.dumps(records[:200])) == records[:200]
