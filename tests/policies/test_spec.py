"""Bidders by name, and what is said of names that are none."""

from random import Random

import pytest

from borel import Auction, BiddingView, Hand, Seat, Vulnerability
from borel.policies.program import question
from borel.policies.spec import KINDS, Options, SpecError, bidder, card_player, system_of
from borel.policies.uniform import UniformBidder

VIEW = BiddingView(
    Seat.E, Hand.parse("AQJT9.Q875.97.K7"), Auction.parse("N", "P"), Vulnerability.NONE, explanations=("",)
)


def test_a_specification_has_a_kind_and_options():
    assert bidder("uniform") == UniformBidder()
    assert bidder(" uniform: passes = 0.25 ") == UniformBidder(0.25)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "not a bidder: ''; kinds are rules, uniform"),
        ("uniforn", r"unknown kind of bidder 'uniforn' in 'uniforn'; did you mean uniform\?"),
        ("xyzzy:1", "unknown kind of bidder 'xyzzy' in 'xyzzy:1'; kinds are rules, uniform, cmd"),
        ("uniform:passes=often", "passes is a number, not 'often'"),
        ("uniform:passes=2", "passes is within 0..1, not '2'"),
        ("uniform:passes=nan", "passes is within 0..1, not 'nan'"),
        ("uniform:pass=0.5", r"unknown option 'pass' in bidder 'uniform:pass=0.5' \(known: passes\)"),
        ("uniform:passes=0.5,passes=0.6", "option 'passes' twice"),
        ("uniform:passes=0.5,more", "'more' is not an option"),
        ("uniform:sayc", "takes options only, not 'sayc'"),
        ("cmd:", "names no program"),
        ("cmd:/nowhere/bot", "there is no program '/nowhere/bot'"),
        ("cmd:'half", "No closing quotation"),
    ],
)
def test_what_is_wrong_with_a_specification_is_said(spec, message):
    with pytest.raises(SpecError, match=message):
        bidder(spec)


def test_a_kind_that_is_not_there_yet_is_said(monkeypatch):
    monkeypatch.setitem(KINDS, "later", ("borel.policies.later:from_spec", "later:X - not yet"))
    with pytest.raises(SpecError, match="this version of Borel has no 'later' yet"):
        bidder("later:x")


def test_a_kind_is_one_line(monkeypatch):
    monkeypatch.setitem(KINDS, "calm", ("borel.policies.uniform:from_spec", "calm - the same by another name"))
    assert bidder("calm:passes=1") == UniformBidder(1.0)


def test_card_players_have_names_too():
    assert card_player("monte_carlo:layouts=3").layouts == 3
    with pytest.raises(SpecError, match=r"unknown kind of card player 'montecarlo'.*did you mean monte_carlo"):
        card_player("montecarlo")


def test_options_are_numbers_within_limits():
    options = Options("x:n=3,m=1.5", {"n": "3", "m": "1.5"})
    assert options.integer("n") == 3
    assert options.integer("absent", 7) == 7
    with pytest.raises(SpecError, match="m is a whole number"):
        options.integer("m")


def test_the_question_is_that_of_the_engine_protocol():
    asked = question(VIEW)
    assert {key: asked[key] for key in ("hand", "seat", "dealer", "vul", "auction")} == {
        "hand": "AQJT9.Q875.97.K7",
        "seat": "E",
        "dealer": "N",
        "vul": "None",
        "auction": ["P"],
    }


def test_a_bidder_that_never_bids_is_silent():
    rng = Random(1)
    assert all(str(UniformBidder(1.0).decide(VIEW, rng=rng).choice) == "P" for _ in range(50))
    assert system_of(UniformBidder()) == ""
