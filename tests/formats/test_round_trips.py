"""Any valid record survives every format that promises to hold it."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_strategies import played, records

import strategies as bridge
from borel import Seat, Vulnerability
from borel.formats import FORMATS, Report, jsonl, lin, pbn, url, wbridge5
from borel.record import Record


@given(st.lists(records(), max_size=2))
@settings(max_examples=100)
def test_pbn_holds_all_of_a_record(written):
    assert pbn.loads(pbn.dumps(written)) == written


@given(records())
@settings(max_examples=100)
def test_json_lines_hold_all_of_a_record(written):
    text = jsonl.dumps([written])
    assert jsonl.loads(text) == [written]
    assert text.count("\n") == 1


def held_by_lin(record: Record) -> Record:
    """What LIN keeps of a record."""
    return lin.loads(lin.dumps([record]))[0]


@given(records().filter(lambda record: record.deal is not None))
@settings(max_examples=60)
def test_lin_keeps_the_board_the_calls_and_the_cards(record):
    read = held_by_lin(record)
    assert (read.number, read.vulnerability) == (record.number, record.vulnerability)
    assert all(hand == kept for hand, kept in zip(record.deal, read.deal, strict=True) if hand.mask)
    if record.auction is not None and record.auction.calls:
        assert (read.auction, read.contract, read.cards) == (record.auction, record.contract, record.cards)
        alerts = [note.alerted for note in record.call_notes] or [False] * len(record.auction)
        assert ([note.alerted for note in read.call_notes] or [False] * len(record.auction)) == alerts
        assert record.adjusted or read.tricks == record.tricks
    assert held_by_lin(read) == read, "a second trip must change nothing"


@given(records().filter(lambda record: record.deal is not None))
@settings(max_examples=60)
def test_the_url_holds_what_lin_holds(record):
    assert url.loads(url.dumps([record])) == [held_by_lin(record)]


@given(bridge.randoms)
@settings(max_examples=40)
def test_wbridge5_numbers_hold_a_complete_board(random):
    auction, deal = bridge.random_auction(random, Seat.N, complete=True), bridge.shuffled_deal(random)
    cards = played(random, deal, auction, 52).cards if auction.contract is not None else ()
    record = Record(None, Seat.N, Vulnerability.NONE, deal, auction=auction, cards=cards)
    assert wbridge5.loads(wbridge5.dumps([record])) == [record]


class CountingHandle(io.StringIO):
    """Counts the lines that were asked for."""

    lines = 0

    def readline(self, size=-1, /):
        self.lines += 1
        return super().readline(size)


def complete_record() -> Record:
    line = "{} 52 52 52 52\n".format(" ".join(map(str, range(52))))
    return wbridge5.loads(line)[0]


@pytest.mark.parametrize("name", FORMATS)
def test_reading_is_lazy(name):
    text = FORMATS[name].dumps([complete_record()] * 100)
    handle = CountingHandle(text)
    assert next(FORMATS[name].load(handle)) == complete_record()
    assert handle.lines < text.count("\n") / 10


def test_what_lin_cannot_hold_is_counted():
    report = Report()
    lin.dump([complete_record().with_tag("Event", "Cup")], io.StringIO(), report)
    assert report.losses == {"records without some of their tags": 1}
