"""The bidding commands: a person's question, a program's JSON, one-line errors."""

import json

import pytest
from typer.testing import CliRunner

from borel.cli.app import app
from borel.errors import BridgeError

run = CliRunner()


def output(*arguments: str) -> str:
    result = run.invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_bid_explains_its_call():
    text = output("bid", "--hand", "AQ5.KJ92.K7.A1043")
    assert "1NT" in text
    assert "why:" in text


def test_bid_answers_programs_in_json():
    answer = json.loads(output("bid", "--hand", "AQ5.KJ92.K7.A1043", "--vul", "NS", "--dealer", "E", "--json"))
    assert answer["call"] == "1NT"
    assert answer["seat"] == "E"
    assert answer["candidates"]
    assert answer["sampled"].startswith("15-17 (mean")


def test_bid_goes_by_the_rules_alone_where_it_is_asked_to_or_opponents_play_another_system():
    told = [
        output("bid", "--hand", "AQ5.KJ92.87.A1043", "--auction", "1D 1S", *more)
        for more in (("--seconds", "10"), ("--seconds", "0"))
    ]
    assert [("layouts" in text) for text in told] == [True, False]
    assert [("hands that call so" in text) for text in told] == [True, False]
    strangers = output("bid", "--hand", "AQ5.KJ92.87.A1043", "--auction", "1D 1S", "--theirs", "two_over_one")
    assert strangers == told[1]


def test_bid_asks_the_bidder_that_is_named():
    told = output("bid", "--hand", "AQ5.KJ92.87.A1043", "--auction", "1C P", "--bidder", "neural:sayc,trust=none")
    assert "% sure" in told
    answer = json.loads(output("bid", "--hand", "AQ5.KJ92.K7.A1043", "--bidder", "rules:two_over_one", "--json"))
    assert answer["system"] == "two_over_one"


def test_explain_tells_what_was_shown():
    told = output("explain", "--auction", "1NT P 2D")
    assert "North has shown" in told
    assert "forcing, transfer" in told
    assert "transfer, transfer" not in told
    meaning = json.loads(output("explain", "--auction", "1NT P 2D", "--json"))
    assert [call["call"] for call in meaning["calls"]] == ["1NT", "P", "2D"]
    assert meaning["seats"]["S"]["lengths"]["H"][0] >= 5


@pytest.mark.slow
def test_explain_shows_the_hands_that_call_so_and_where_rules_and_network_differ():
    told = output("explain", "--auction", "1C P P X", "--sampled")
    assert "West's X, by the rules (13." in told
    assert "By the network, not by the rules" in told
    sampled = json.loads(output("explain", "--auction", "1C P P X", "--sampled", "--json"))["sampled"]
    assert set(sampled) == {"the rules", "the network"}
    assert len(sampled["the network"]["examples"]) == 6


@pytest.mark.parametrize(
    "arguments",
    [
        ("bid", "--hand", "AQ5"),
        ("bid", "--hand", "AQ5.KJ92.K7.A1043", "--auction", "1C 1C"),
        ("bid", "--hand", "AQ5.KJ92.K7.A1043", "--auction", "P P P P"),
        ("bid", "--hand", "AQ5.KJ92.K7.A1043", "--system", "nosuch"),
        ("bid", "--hand", "AQ5.KJ92.K7.A1043", "--bidder", "nosuch"),
        ("bid", "--hand", "AQ5.KJ92.K7.A1043", "--bidder", "rules:sayc", "--seconds", "2"),
        ("explain", "--auction", "8C"),
        ("system", "card", "nosuch"),
    ],
)
def test_bad_input_raises_an_error_of_one_line(arguments):
    with pytest.raises(BridgeError) as caught:
        run.invoke(app, list(arguments), catch_exceptions=False)
    assert "\n" not in str(caught.value)


def test_the_card_is_markdown_or_html(tmp_path):
    assert output("system", "card", "sayc").startswith("# ")
    page = tmp_path / "card.html"
    output("system", "card", "sayc", "--out", str(page))
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_check_finds_what_is_wrong_with_a_system(tmp_path):
    file = tmp_path / "poor.bid"
    file.write_text(
        "convention drury on\nopen\n  1NT  15-17 hcp, balanced\n"
        "  1C  12+ hcp, 3+ C\n  1D  12+ hcp, 3+ D\n  2H  50 hcp\n"
        "after 1NT\n  2C  8+ hcp   asks, convention stayman\n  3C  20+ S\nafter 1NT 2D  using multi\n  2H\n"
    )
    text = output("system", "check", str(file), "--hands", "800")
    for kind in ("unanswered", "convention", "unreachable", "gap"):
        assert f": {kind}:" in text, kind
    assert ": overlap:" not in text
    assert ": overlap:" in output("system", "check", str(file), "--hands", "800", "--kind", "overlap")


def test_show_writes_out_the_rules_of_an_auction_or_draws_its_net():
    assert "Stayman" in output("system", "show", "sayc", "--auction", "1NT P")
    assert output("system", "show", "sayc", "--auction", "1NT P", "--dot").startswith("digraph")
    assert output("system", "show", "sayc", "--auction", "1NT P", "--svg").startswith("<svg")


def test_every_board_of_a_file_is_bid(tmp_path):
    from borel.formats import pbn

    source, target = tmp_path / "deals.pbn", tmp_path / "bid.pbn"
    source.write_text('[Board "3"]\n[Deal "N:AKQ2.KQ4.A32.K54 J43.JT9.K84.QJT9 T98.A87.QJT9.A32 765.6532.765.876"]\n')
    output("auction", str(source), "--out", str(target))
    (record,) = pbn.loads(target.read_text(encoding="utf-8"))
    assert record.auction is not None
    assert record.auction.is_over
    assert record.contract is not None
