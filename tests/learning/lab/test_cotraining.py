"""Co-training: conflicts are found, agreements resolve them, and a stopped run goes on."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from borel import BridgeError, Hand
from borel.auction import Call
from borel.cli.app import app
from borel.dealing import deal_masks
from borel.learning.lab import costudy, cotraining, rollouts
from borel.learning.lab.agreeing import SPREAD, Tag, agreed_rules, confirmed
from borel.learning.lab.conflicts import Conflict, collect, header_text, nodes_in_conflict, position_after
from borel.learning.lab.cotraining import CoTraining, CoTrainingSettings, RefinedNet
from borel.learning.lab.natural import silent_auctions
from borel.learning.lab.rollouts import tag_by_rollouts
from borel.learning.lab.trees import Leaf, id3, leaves
from borel.learning.lab.wording import Wording
from borel.systems import load_system
from borel.systems.constraints import Range, all_of, any_of
from borel.systems.hand import INDEX, features_of
from borel.systems.loader import read_system

# Two rules that want the same hands, as in the paper's example (4.2.4), and one that does not.
AMBIGUOUS = """system ambiguous "Two ways"
open
  1NT   15-17 hcp, balanced
  1H    11-23 hcp, 5+ H
  1S    11-23 hcp, 5+ S, H <= 4
  pass  otherwise
"""


@pytest.fixture
def system(tmp_path):
    path = tmp_path / "ambiguous.bid"
    path.write_text(AMBIGUOUS)
    return str(path)


def offered(system, conflict):
    position = position_after(system, conflict.calls)
    return {option.call for option in position.choose(features_of(conflict.hand, wide=system.wide))}


def test_conflicts_are_states_with_several_calls(system):
    loaded = load_system(system)
    conflicts = collect(loaded, deal_masks(400, 3))
    assert conflicts
    for one in conflicts:
        assert len(one.open) >= 2
        assert set(one.open) == offered(loaded, one)
        assert len(nodes_in_conflict(position_after(loaded, one.calls), one.hand, wide=loaded.wide)) >= 2


@pytest.mark.parametrize("name", ["sayc", "two_over_one"])
def test_conditions_read_back_as_they_were(name):
    """Whatever a rule says of a hand can be written in the language and means the same."""
    system = load_system(name)
    hands = deal_masks(60, 9).reshape(-1).tolist()
    checked = 0
    for one in collect(system, deal_masks(12, 5)):
        position = position_after(system, one.calls)
        for node in nodes_in_conflict(position, one.hand, wide=system.wide):
            text = Wording(read_system("open\n  1C  12+ hcp")).text(node.constraint)
            again = read_system(f"open\n  1NT  {text}")
            read, wide = position_after(again, ()), system.wide or again.wide
            for hand in hands[::7]:
                chosen = read.choose(features_of(hand, wide=wide))
                assert bool(chosen) == node.constraint.admits(features_of(hand, wide=wide)), text
            checked += 1
    assert checked > 10


def test_headers_tell_who_has_passed():
    assert header_text((0,), 500) == "open seats 1-2, priority 500"
    assert header_text((1, 3, 0, 5, 0), 450) == "after 1C (P) 1H (P) seats 3-4, priority 450"


@given(st.integers(0, 2**32 - 1))
def test_a_tree_divides_by_what_tells_the_tags(seed):
    rng = np.random.default_rng(seed)
    features = rng.integers(0, 10, (60, 4))
    tags = (features[:, 2] > 5).astype(np.int64) + 3
    tree = id3(features, tags)
    if len(set(tags.tolist())) == 1:
        assert isinstance(tree, Leaf)
        return
    if min(np.bincount(tags)[3:]) < 3:
        return  # too few to conclude anything from
    for ranges, leaf in leaves(tree, dict.fromkeys(range(4), (0, 9))):
        inside = [all(low <= row[f] <= high for f, (low, high) in ranges.items()) for row in features]
        assert set(tags[inside].tolist()) == {leaf.action}


def test_agreements_resolve_conflicts_and_the_run_goes_on(system, tmp_path, monkeypatch):
    """Tags by a simple judgement instead of a search: 1NT unless the hearts are good."""

    def tag(tagger, conflict, seed):
        wanted = conflict.open[int(features_of(conflict.hand)[INDEX["quality(H)"]] >= 5)]
        return Tag(wanted, tuple(3.0 * (call == wanted) for call in conflict.open))

    monkeypatch.setattr(cotraining, "_tag", tag)
    settings = CoTrainingSettings(system=system, deals=3000, nets=2, examples=40)
    first = CoTraining(settings, tmp_path / "run")
    first.train(most=1)
    assert len(first.nets) == 1
    again = CoTraining(settings, tmp_path / "run")
    assert again.nets == first.nets
    again.train()
    refined, parent = again.system(), load_system(system)
    conflicts = [one for one in collect(parent, deal_masks(3000, 1)) if one.key == again.nets[0].key]
    assert len(conflicts) > 10
    settled = [len(offered(refined, one)) == 1 for one in conflicts]
    assert np.mean(settled) > 0.9
    right = [offered(refined, one) == {tag(None, one, 0).call} for one in conflicts]
    assert np.mean(right) > 0.8
    text = (tmp_path / "run" / "agreed.bid").read_text()
    assert "agreed in co-training" in text
    assert "quality(H)" in text
    with pytest.raises(BridgeError):
        CoTraining(CoTrainingSettings(system=system, seed=9), tmp_path / "run")


# Two conflicts: in the first the rules' own call is far better than the other, in the second it is far worse.
GOOD_AND_BAD = """system daring "Good and bad"
open
  1NT   15-17 hcp, balanced
  7NT   15-17 hcp, 5+ H
  7C    18-21 hcp, balanced
  2NT   18-21 hcp, 5+ S
  pass  otherwise
"""


def test_agreements_that_do_not_gain_on_fresh_deals_are_given_up(tmp_path, monkeypatch):
    def tag(tagger, conflict, seed):
        return Tag(conflict.open[1], (0.0, 3.0))

    monkeypatch.setattr(cotraining, "_tag", tag)
    path = tmp_path / "daring.bid"
    path.write_text(GOOD_AND_BAD)
    settings = CoTrainingSettings(system=str(path), deals=6000, nets=1, examples=80)
    training = CoTraining(settings, tmp_path / "run")
    training.train()
    agreed = tmp_path / "run" / "agreed.bid"
    assert "  7NT" in agreed.read_text()
    trials = {trial.rule[:3]: trial for trial in training.confirm(4000)}
    assert trials["7NT"].gain < 0 < trials["2NT"].gain
    assert min(trial.deals for trial in trials.values()) >= 5
    for run in (training, CoTraining(settings, tmp_path / "run")):  # a run that is gone on with remembers
        run.write()
        assert "  7NT" not in agreed.read_text()
        assert "  2NT" in agreed.read_text()
        load_system(str(run.file))
    hands = deal_masks(4000, settings.seed + cotraining.FRESH)
    bid = [silent_auctions(one, hands[:, 0].copy(), hands[:, 2].copy()) for one in (training.parent, training.system())]
    parted = (bid[0] != bid[1]).any(axis=1)
    assert set(bid[0][parted, 0].tolist()) == {Call.parse("7C").index}


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12))
def test_a_leaf_departs_from_the_rules_only_where_its_states_gain_by_it(gains):
    states = [Conflict((), i, (7, 5), 0.0) for i in range(len(gains))]
    tags = [Tag(5, (0.0, gain)) for gain in gains]
    leaf = Leaf(5, float(len(gains)))
    error = np.sqrt((np.var(gains) * len(gains) + SPREAD**2) / len(gains) ** 2)
    assert confirmed(leaf, states, tags, 1.0) == (5 if np.mean(gains) > error else 7)
    assert confirmed(leaf, states, tags, 1e9) == 7
    assert confirmed(Leaf(7, 1.0), states, tags, 1.0) == 7


OVERLAPPING = """system overlapping "Three ways"
open
  1S    11-21 hcp, 5+ S
  1NT   15-17 hcp, balanced
  1H    11-21 hcp, 5+ H
  1C    11-21 hcp, 3+ C
  pass  otherwise
after 1S
  2C    12+ hcp, 4+ C, game-forcing
  2D    12+ hcp, 4+ D, game-forcing
  2S    6-13 hcp, 3+ S
  pass  otherwise
after 1S 2C
  2S    when game-forced
  pass  otherwise
"""


@pytest.mark.parametrize("open_calls", [(7, 3), (8, 9), (8, 11), None])
def test_agreements_on_the_rules_own_calls_change_nothing(open_calls, tmp_path):
    """Whatever other rules take the same hands, and whatever the rules say of a call: the pair bids as before."""
    path = tmp_path / "overlapping.bid"
    path.write_text(OVERLAPPING)
    parent = load_system(str(path))
    conflicts = [one for one in collect(parent, deal_masks(1500, 2)) if open_calls in (None, one.open)]
    run = CoTraining(CoTrainingSettings(system=str(path)), tmp_path / "run")
    for key in {one.key for one in conflicts}:
        some = [one for one in conflicts if one.key == key]
        tags = [Tag(one.open[-1], (0.0,) * len(one.open)) for one in some]
        rules = agreed_rules(parent, some, tags, least=1, trust=1.0)
        run.nets.append(RefinedNet(key, tuple(rules), len(some), 0))
    assert run.nets
    run.write()
    assert run.system().name == "refined"
    hands = deal_masks(1500, 3)
    auctions = [silent_auctions(one, hands[:, 0], hands[:, 2]) for one in (parent, run.system())]
    np.testing.assert_array_equal(*auctions)
    left = [one for one in collect(run.system(), deal_masks(1500, 2)) if one.open == open_calls]
    assert not left


def test_settings_that_cannot_be_are_refused(tmp_path):
    with pytest.raises(BridgeError, match="4 examples"):
        CoTraining(CoTrainingSettings(examples=2), tmp_path)


def test_the_command_trains_tests_and_writes_a_system(system, tmp_path):
    arguments = ["learn", "cotrain", str(tmp_path / "run"), "--system", system, "--quick", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [one["problems"] for one in found["tests"]] == [6, 6]
    assert found["tests"][-1]["lookaheads"] <= found["tests"][0]["lookaheads"]
    load_system(found["system"])


def test_words_are_those_of_the_system_and_no_more_than_needed():
    system = load_system("two_over_one")
    wording = Wording(system)
    position = position_after(system, ())
    opened = {option.call: option.constraint for option in position.options if option.call in (3, 6)}
    text = wording.text(all_of([opened[6], opened[3]]))
    assert "sound" in text
    assert len(text) < 100
    length = INDEX["length(S)"]
    several = [Range(((length, 1.0),), 4, 13), Range(((length, 1.0),), 0, 6), Range(((INDEX["hcp"], 1.0),), 12, 37)]
    either = any_of([Range(((length, 1.0),), 3, 13), Range(((INDEX["hcp"], 1.0),), 20, 37)])
    assert wording.text(all_of([*several, either])) == "12+ hcp, 4-6 S"


def rolled(system, text, calls, **settings):
    """The tag of a hand that opens with 1NT or 1H."""
    asked = {"sample": 12, "instances": 3000, "utility": "estimate", "seed": 1} | settings
    conflict = Conflict(calls, Hand.parse(text).mask, (7, 5), 0.0)
    return tag_by_rollouts(load_system(system), conflict, **asked)


RESPONSES = """
after 1NT
  pass  hcp >= 0
after 1H
  4H    3+ H, 9+ hcp
  pass  otherwise
"""


def test_rollouts_choose_what_leads_to_more(tmp_path):
    """Partner passes 1NT and raises hearts to game: with a fine hand 1H is worth more, by any utility."""
    path = tmp_path / "raising.bid"
    path.write_text(AMBIGUOUS + RESPONSES)
    for utility in ("estimate", "dd", "ltc", "trumps"):
        found = rolled(str(path), "K43.AKQJ5.A32.32", (), utility=utility, sample=24)
        assert found.call == 5, utility
        assert found.gains[0] == 0
        assert found.gains[1] > 1
        assert found.instances == 500
        assert not found.failed
    with pytest.raises(BridgeError, match="no utility 'luck'"):
        rolled(str(path), "K43.AKQJ5.A32.32", (), utility="luck")


def test_layouts_fit_what_partner_has_said(system):
    loaded = load_system(system)
    conflict = Conflict((6, 0), Hand.parse("2.AKQJ5.KQ32.A32").mask, (7, 5), 0.0)  # partner has opened 1S
    layouts, dealt = rollouts._layouts(loaded, conflict, 40, 6000, np.random.default_rng(1))
    assert 40 <= dealt <= 6000
    assert (layouts[:, 0] == conflict.hand).all()
    assert (np.bitwise_or.reduce(layouts, axis=1) == (1 << 52) - 1).all()
    position = position_after(loaded, ())
    for partner in layouts[:, 2].tolist():
        assert position.choose(features_of(partner, wide=loaded.wide))[0].call == 6
    none, dealt = rollouts._layouts(loaded, conflict, 40, 3, np.random.default_rng(1))
    assert dealt == 3
    assert len(none) < 40


def test_studies_compare_runs_problem_by_problem(system, tmp_path, monkeypatch):
    settings = CoTrainingSettings(system=system, deals=400, nets=1, examples=8, tagger="rollouts")
    CoTraining(settings, tmp_path / "run").train()
    arguments = ["learn", "costudy", str(tmp_path / "run"), "--quick", "--points", "0,1", "--limits", "60", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    before, after = json.loads(result.stdout)
    assert (before["tried"], after["tried"], before["gain"]) == (0, 1, 0.0)
    assert after["lookaheads"] <= before["lookaheads"]
    assert after["gain"] == pytest.approx(after["imps"] - before["imps"], abs=0.01)
    path = tmp_path / "run" / "studies.jsonl"
    path.write_text(path.read_text() + "[[1, {")  # stopped in the middle of a line
    monkeypatch.setattr(costudy, "solve", None)  # what was tested is not solved again
    again = CliRunner().invoke(app, arguments)
    assert json.loads(again.stdout) == [before, after]
    with pytest.raises(BridgeError, match="is not a run of co-training"):
        CoTraining.of_folder(tmp_path)
    with pytest.raises(BridgeError, match="has 1 nets, not 5"):
        CoTraining.of_folder(tmp_path / "run").after(5)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"tagger": "guess"}, "no tagger 'guess': there are pidm, rollouts"),
        ({"utility": "trumps"}, "no utility 'trumps': pidm has estimate, dd, ltc"),
        ({"tagger": "rollouts", "partner_utility": "x"}, "no utility 'x'"),
        ({"opening": "8C"}, "8C"),
    ],
)
def test_what_cannot_be_trained_is_refused(wrong, error, tmp_path):
    with pytest.raises(BridgeError, match=error):
        CoTraining(CoTrainingSettings(**wrong), tmp_path / "run")


def test_a_net_that_cannot_be_read_back_is_left_out(system, tmp_path):
    run = CoTraining(CoTrainingSettings(system=system), tmp_path / "run")
    good, bad = (RefinedNet((0,), ("open seats 1-2, priority 500", f"  {rule}"), 4, 9) for rule in ("1NT 15 hcp", "1?"))
    run.nets = [good, bad]
    run._keep(0)
    assert [bool(net.lines) for net in run.nets] == [True, False]
    assert [bool(net.lines) for net in CoTraining.of_folder(tmp_path / "run").nets] == [True, False]
    load_system(str(run.file))


def test_an_interrupted_exchange_keeps_what_was_learnt(system, tmp_path):
    run = CoTraining(CoTrainingSettings(system=system), tmp_path / "run")
    run.nets = [RefinedNet((0,), ("open seats 1-2, priority 500", "  1NT 15 hcp"), 4, 9)]
    run._keep(0)
    with (tmp_path / "run" / "nets.jsonl").open("a") as file:
        file.write('{"key": [0, 3], "lines": ["after 1')  # stopped in the middle of a line
    (tmp_path / "run" / "agreed.bid").write_text("open seats 1-2, prio")
    again = CoTraining.of_folder(tmp_path / "run")
    assert again.nets == run.nets
    assert "1NT 15 hcp" in (tmp_path / "run" / "agreed.bid").read_text()
    assert again.system().name == "refined"
