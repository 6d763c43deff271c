"""Rules that were not heard often enough: hands drawn from their conditions follow them, and silence is explained."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from borel import Auction, Hand
from borel.cli.app import app
from borel.dealing import Dealer
from borel.learning import rare_shards
from borel.learning.other_hands import load_others
from borel.learning.rare import ENOUGH
from borel.learning.rare_shards import (
    RareSettings,
    heard_in,
    make_rare_shards,
    rules_heard,
    rules_in_force,
    silent_rules,
)
from borel.learning.runs import Run, code_version
from borel.learning.topping_up import TopUp, fitting_points, prolonged, strayed
from borel.systems import Situation, load_system
from borel.systems.hand import features_of_batch

STOCK = np.concatenate(list(Dealer(5).blocks(300))).reshape(-1)
NOBODY = (False, False)
SMALL = """system small "Small"

open
  1NT  15-17 hcp, balanced      "strong"
  2NT  20-21 hcp, balanced      "very strong"
  1C   0-37 hcp                 "all else" priority low
  1D   22+ hcp, balanced        "a strong hand that opens a club" priority 250

after 1NT
  4C   18+ hcp                  "how many aces" convention gerber
  3S   30+ hcp, 9+ S, aces = 0  "more points than such a hand has" priority high
  3NT  10-17 hcp                "to play"
  P    otherwise                "enough"

after 1NT 3NT
  4NT  18+ hcp                  "more than was shown"
  P    otherwise                "to play"

after ... 4C using gerber
  4D   aces = 0                 "none"
  4H   aces >= 1                "some"
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("systems") / "small.bid"
    path.write_text(SMALL)
    return path


def rule_of(system, text, header=""):
    return next(rule for rule in system.rules if rule.text == text and header in rule.block.text)


def test_hands_are_drawn_from_a_rule_that_dealt_hands_hardly_follow(small):
    """Twenty points and more are one hand in a hundred, and a hand without an ace opposite 4C is never dealt to 1NT."""
    system = load_system(str(small))
    topped = TopUp(system, STOCK, 1).rule(rule_of(system, "2NT"), 300, [])
    assert len(topped.hands) >= 300
    assert topped.strangers == 0
    assert all(Hand(hand).hcp in (20, 21) for hand in topped.hands)
    for (vulnerable, calls), (hands, call) in topped.found.items():
        position = Situation((system, system), vulnerable).start().follow(calls)
        assert (position.calls_of_batch(features_of_batch(hands, wide=system.wide)) == call).all()


def test_a_rule_that_speaks_at_one_point_only_is_heard_as_often_there(small):
    system = load_system(str(small))
    point = (NOBODY, tuple(call.index for call in Auction.parse("N", "1NT P 4C P").calls))
    topped = TopUp(system, STOCK, 1).rule(rule_of(system, "4H", "gerber"), 300, [point])
    assert len(topped.found) == 1
    assert len(topped.hands) >= 300
    assert topped.strangers == 0


def test_why_a_rule_is_silent_is_told(small):
    system = load_system(str(small))
    top = TopUp(system, STOCK, 1)
    taken = top.rule(rule_of(system, "1D"), 20, [])
    assert not taken.hands
    assert "other rules take its hands" in taken.why
    assert f"taken by {rule_of(system, '1C').place}" in taken.why
    impossible = top.rule(rule_of(system, "3S"), 20, [])
    assert not impossible.hands
    assert "no hand found that satisfies it" in impossible.why


def test_a_header_that_does_not_say_how_its_auctions_begin_is_tried_behind_others(small):
    system = load_system(str(small))
    answers = next(group for group in system.blocks if "gerber" in group.block.text)
    after_1nt = tuple(call.index for call in Auction.parse("N", "1NT P").calls)
    longer = prolonged(answers, [(NOBODY, after_1nt)])
    wanted = tuple(call.index for call in Auction.parse("N", "1NT P 4C P").calls)
    assert (NOBODY, wanted) in longer
    assert fitting_points(answers, [(NOBODY, after_1nt), (NOBODY, wanted)], 5) == [(NOBODY, wanted)]
    top = TopUp(system, STOCK, 1)
    assert not top.rule(rule_of(system, "4H", "gerber"), 40, []).hands  # nobody has said where
    assert len(top.rule(rule_of(system, "4H", "gerber"), 40, longer).hands) >= 40


def test_hands_that_would_not_have_bid_so_are_taken_only_where_no_others_are(small):
    """Who answers 4C has opened 1NT; nobody who has opened it has eighteen points later."""
    system = load_system(str(small))
    top = TopUp(system, STOCK, 1)
    opener = (NOBODY, tuple(call.index for call in Auction.parse("N", "1NT P 4C P").calls))
    some = top.rule(rule_of(system, "4H", "gerber"), 40, [opener])
    assert len(some.hands) >= 40
    assert some.strangers == 0
    assert all(15 <= Hand(hand).hcp <= 17 for hand in some.hands)
    more = top.rule(rule_of(system, "4NT"), 40, [])
    assert more.strangers == len(more.hands) >= 40
    assert "no such hand would have bid so" in more.why


def test_every_rule_is_heard_as_often_as_asked_or_said_to_be_silent(small, tmp_path, monkeypatch):
    """Shards of walks, then shards of seldom rules; made again, they are read from their files."""
    monkeypatch.setattr(rare_shards, "RULES", 3)
    monkeypatch.setattr(rare_shards, "STOCK", 500)
    asked = RareSettings(str(small), 3, 60, 100)
    paths = make_rare_shards(tmp_path, asked, workers=0)
    assert len(paths) > 2
    heard, silent = heard_in(tmp_path, len(paths)), silent_rules(tmp_path)
    for rule in load_system(str(small)).rules:
        assert heard[str(rule.place)] >= 100 or str(rule.place) in silent
    assert silent
    told = rules_heard(tmp_path, str(small))
    assert told["rules"] == 12
    assert told["never"] >= 2
    before = [load_others(path).hands.tolist() for path in paths]
    paths[-1].unlink()
    assert make_rare_shards(tmp_path, asked, workers=0) == paths
    assert [load_others(path).hands.tolist() for path in paths] == before
    assert json.loads((tmp_path / "heard-000.json").read_text())
    untopped = make_rare_shards(tmp_path / "plain", RareSettings(str(small), 3, 60, 0), workers=0)
    assert len(untopped) == 1


def test_status_says_which_rules_were_heard_and_which_not(small, tmp_path, monkeypatch):
    monkeypatch.setattr(rare_shards, "STOCK", 500)
    small = Path(shutil.copy(small, tmp_path))
    Run(tmp_path / "run", "imitation", {"system": str(small), "boards": 40_000})
    make_rare_shards(tmp_path / "run" / "boards", RareSettings(str(small), 3, 60, ENOUGH), workers=0)
    command = ["train", "status", str(tmp_path / "run"), "--silent"]
    told = " ".join(CliRunner().invoke(app, command, env={"COLUMNS": "400"}).stdout.split())
    assert "of 12 rules heard often enough" in told
    assert "0 of 8 parts of 40,000 boards bid" in told
    assert f"{rule_of(load_system(str(small)), '1D').place} 0 times: other rules" in told
    read = json.loads(CliRunner().invoke(app, ["train", "status", str(tmp_path / "run"), "--json"]).stdout)
    assert read["heard"]["rules"] == 12
    assert len(read["silent"]) == read["heard"]["rules"] - read["heard"]["often"]
    small.unlink()
    told = " ".join(CliRunner().invoke(app, command, env={"COLUMNS": "400"}).stdout.split())
    assert "0 of 8 parts of 40,000 boards bid" in told
    assert "which rules were heard is not counted: no system file" in told


def test_a_network_says_which_code_made_it():
    told = code_version()
    assert told.startswith("version ") or len(told.split(" and ")[0]) == 12


def test_hands_are_asked_about_again_after_the_rules_have_changed(small, tmp_path, monkeypatch):
    """The same hands at the same points; where a rule has changed its call is the new one, and rules count anew."""
    monkeypatch.setattr(rare_shards, "STOCK", 500)
    paths = make_rare_shards(tmp_path / "first", RareSettings(str(small), 3, 60, 40), workers=0)
    same = make_rare_shards(tmp_path / "same", RareSettings(str(small), 3, 60, 0, again=tmp_path / "first"), workers=0)
    assert len(same) == len(paths)
    for before, after in zip(map(load_others, paths), map(load_others, same), strict=True):
        assert answers(before) == answers(after)
    changed = small.with_name("changed.bid")
    changed.write_text(SMALL.replace("15-17 hcp, balanced", "16-18 hcp, balanced"))
    other = make_rare_shards(
        tmp_path / "other", RareSettings(str(changed), 3, 60, 40, again=tmp_path / "first"), workers=0
    )
    assert len(other) > len(paths)  # what is seldom now is topped up
    openings = [one for path in other for one in answers(load_others(path)) if not any(one[1])]
    assert {Hand(hand).hcp for _, _, hand, call in openings if call == 7} == {16, 17, 18}
    heard = heard_in(tmp_path / "other", len(other))
    places = {str(rule.place): rule for rule in load_system(str(changed)).rules}
    assert set(heard) <= set(places)
    assert all(times >= 40 or place in silent_rules(tmp_path / "other") for place, times in heard.items())


def test_principles_are_found_where_an_auction_strays_and_readings_are_not_waited_for():
    """After calls that the system would not make no agreement takes the hands of a principle."""
    system = load_system("sayc")
    in_force = rules_in_force(system)
    assert not any(rule.place.file == "common/readings.bid" for rule in in_force)
    principles = [rule for rule in in_force if rule.place.file == "common/principles.bid"]
    start = tuple(call.index for call in Auction.parse("N", "1H P 1S P 2C P").calls)
    found = strayed(system, {rule.place for rule in principles}, [(NOBODY, start)], 60, np.random.default_rng(3))
    assert len(found) > len(principles) / 4
    for place, where in list(found.items())[:5]:
        position = Situation((system, system), NOBODY).start().follow(where[0][1])
        assert place in {option.rule.place for option in position.options}
    assert not strayed(system, {rule.place for rule in principles}, [], 60, np.random.default_rng(3))


def answers(others):
    """Every answer as who is vulnerable, the calls before, the hand and the call."""
    points = others.points
    where = [
        (tuple(vulnerable.tolist()), tuple(calls[:length].tolist()))
        for calls, length, vulnerable in zip(points.calls, points.lengths, points.vulnerable, strict=True)
    ]
    made = zip(others.places, others.hands.tolist(), others.calls.tolist(), strict=True)
    return sorted((*where[place], hand, call) for place, hand, call in made)
