"""Reports: text, JSON, PBN with comments, one HTML page."""

import json
import re
import sys
from pathlib import Path

import pytest
from toys import LIGHT, LUCKY, SOUND, Tricks, raising

from borel.arena import Contestant, Match, Sequence
from borel.arena.compatibility import Compatibility
from borel.arena.report import (
    Bars,
    Curve,
    Document,
    Histogram,
    Table,
    Text,
    check_target,
    compatibility_document,
    history_document,
    html_text,
    match_document,
    match_records,
    round_robin_document,
    write_report,
)
from borel.arena.report.plots import can_plot
from borel.arena.round_robin import round_robin
from borel.errors import BridgeError
from borel.formats import pbn
from borel.store import Store

PAGE = Document(
    "A & B <script>",
    "+1.0 ± 0.5",
    (
        Text("x < y"),
        Table("Cells", ("name", "n"), [("<b>", 1), ("ö", 2)]),
        Curve("Curve", "x", "y", [1, 2], [0.0, 1.0], [-1.0, 0.0], [1.0, 2.0]),
        Histogram("Swings", "IMPs", [1, 1, -3]),
        Bars("Bars", "y", ["a", "b"], [1.0, 2.0], [0.1, 0.2]),
    ),
)


@pytest.fixture(scope="module")
def played():
    with Store("none") as store:
        return Match.between(Contestant("broken", raising), LIGHT, seed=1, scorer=Tricks()).play(
            12, store=store, workers=0
        )


def test_a_match_is_reported_in_text_with_its_swings_voids_and_time(played):
    text = str(match_document(played))
    assert text.splitlines()[1] == str(played.result)
    assert "Swings" in text
    assert f"Void: {len(played.voids)}" in text
    assert "an ordinary bug" in text
    assert "seconds a call" in text


def test_a_match_that_stopped_early_says_which_interval_may_be_believed():
    with Store("none") as store:
        stopped = Match.between(SOUND, LIGHT, seed=5, scorer=Tricks()).play(
            300, store=store, workers=0, sequence=Sequence(least=5)
        )
    text = str(match_document(stopped))
    assert re.search(r"(A|B) is better after \d+ of 300 boards. Confidence sequence", text)


def test_a_match_as_pbn_has_both_rooms_with_reasons_and_reads_back(played):
    records = pbn.loads(pbn.dumps(match_records(played)))
    assert len(records) == 2 * len(played.counted) + len(played.voids)
    rooms = [record for record in records if record.auction is not None]
    assert {record.tag("Room") for record in rooms} == {"Open", "Closed"}
    assert any("imps to broken" in comment.text for comment in rooms[0].comments)
    assert any(comment.after == "Auction" for comment in rooms[0].comments)
    void = next(record for record in records if record.auction is None)
    assert void.comments[0].text.startswith("void: broken")


def test_a_page_needs_nothing_else_and_escapes_what_it_quotes():
    page = html_text(PAGE)
    assert "A &amp; B &lt;script&gt;" in page
    assert "&lt;b&gt;" in page
    assert not re.search(r'(src|href)="(?!#)', page)
    assert page.count("<svg") == (3 if can_plot() else 0)


def test_a_page_is_the_same_whenever_it_is_made():
    assert html_text(PAGE) == html_text(PAGE)


def test_without_matplotlib_a_page_has_its_tables(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = html_text(PAGE)
    assert "<svg" not in page
    assert "<table>" in page


def test_the_suffix_decides_the_form(tmp_path, played):
    document, data = match_document(played), played.json()
    for suffix in (".txt", ".json", ".pbn", ".html"):
        write_report(tmp_path / f"r{suffix}", document, data, match_records(played))
    assert (tmp_path / "r.txt").read_text(encoding="utf-8") == str(document) + "\n"
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["boards"] == len(played.counted)
    assert (tmp_path / "r.pbn").read_text(encoding="utf-8").startswith("% PBN 2.1")
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_report_that_cannot_be_written_is_refused_before_the_work(tmp_path):
    with pytest.raises(BridgeError, match=r"a report is one of \*.txt"):
        check_target(tmp_path / "report.doc")
    with pytest.raises(BridgeError, match="no such folder"):
        check_target(tmp_path / "nowhere" / "report.txt")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_is_said(played, tmp_path):
    target = tmp_path / "r.txt"
    target.symlink_to("/dev/full")
    with pytest.raises(BridgeError, match=r"r\.txt: No space left on device"):
        write_report(target, match_document(played), {})


def test_other_results_have_reports_too():
    with Store("none") as store:
        options = {"seed": 1, "scorer": Tricks()}
        tournament = round_robin([SOUND, LIGHT, LUCKY], 10, store=store, options=options, workers=0)
        partners = Compatibility(LIGHT, SOUND, scorer=Tricks()).play(10, store=store, workers=0)
        history = store.runs("match", finished=True)
    assert "victory points" in str(round_robin_document(tournament))
    assert "one side never bids" in str(compatibility_document(partners))
    text = str(history_document(history))
    assert "3 matches" in text
    assert "± " in text
