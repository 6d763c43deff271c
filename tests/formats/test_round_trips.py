"""Any valid record survives every format that promises to hold it."""

import io

import pytest
import strategies as bridge
from hypothesis import given, settings
from record_strategies import records

from borel import Seat, Vulnerability
from borel.formats import FORMATS, jsonl, lin, pbn, url, wbridge5
from borel.record import Record
from borel.formats.report import Report
from dataclasses import replace
from hypothesis import strategies as st


@given(st.lists(records(), max_size=3))
@settings(max_examples=300)
def test_pbn_holds_all_of_a_record(written):
    assert pbn.loads(pbn.dumps(written)) == written


@given(st.lists(records(), max_size=3))
@settings(max_examples=300)
def test_json_lines_hold_all_of_a_record(written):
    text = jsonl.dumps(written)
    assert jsonl.loads(text) == written
    assert text.count("\n") == len(written)


def held_by_lin(record: Record) -> Record:
    """What the documentation says LIN keeps, so that a second trip changes nothing."""
    return lin.loads(lin.dumps([record]))[0]


@given(records().filter(lambda record: record.deal is not None))
@settings(max_examples=200)
def test_lin_keeps_the_board_the_calls_and_the_cards(record):
    read = held_by_lin(record)
    assert (read.number, read.vulnerability) == (record.number, record.vulnerability)
    assert all(hand == kept for hand, kept in zip(record.deal, read.deal, strict=True) if hand.mask)
    if record.auction is not None and record.auction.calls:
        assert (read.auction, read.contract, read.cards) == (record.auction, record.contract, record.cards)
        assert [note.alerted for note in read.call_notes] == [note.alerted for note in record.call_notes] or not any(
            note.alerted or note.explanation for note in record.call_notes
        )
        if not record.adjusted:
            assert read.tricks == record.tricks
    assert held_by_lin(read) == read


@given(records().filter(lambda record: record.deal is not None))
@settings(max_examples=100)
def test_the_url_holds_what_lin_holds(record):
    assert url.loads(url.dumps([record])) == lin.loads(lin.dumps([record]))


@given(bridge.randoms)
def test_wbridge5_numbers_hold_a_complete_board(random):
    auction = bridge.random_auction(random, Seat.N, complete=True)
    deal, cards = bridge.shuffled_deal(random), ()
    if auction.contract is not None:
        from record_strategies import played

        cards = played(random, deal, auction, 52).cards
    record = Record(None, Seat.N, Vulnerability.NONE, deal, auction=auction, cards=cards)
    assert wbridge5.loads(wbridge5.dumps([record])) == [record]


@pytest.mark.parametrize("name", FORMATS)
def test_load_reads_only_as_far_as_it_is_asked(name):
    record = wbridge5.loads(wbridge5.dumps([]))
    assert record == []
    handle = CountingHandle("".join(str(i) for i in range(10)))
    assert list(FORMATS[name].load(io.StringIO(""))) == []
    assert handle.lines == 0


class CountingHandle(io.StringIO):
    """Counts the lines that were asked for."""

    lines = 0

    def readline(self, size=-1, /):
        self.lines += 1
        return super().readline(size)


def test_a_record_that_lost_something_to_lin_is_counted():
    report = Report()
    record = Record(deal=bridge.shuffled_deal(__import__("random").Random(1))).with_tag("Event", "Cup")
    lin.dump([replace(record)], io.StringIO(), report)
    assert report.losses == {"records without some of their tags": 1}
