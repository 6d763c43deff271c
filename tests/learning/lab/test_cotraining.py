"""Co-training: conflicts are found, agreements resolve them, and a stopped run goes on."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from borel import BridgeError
from borel.cli.app import app
from borel.dealing import deal_masks
from borel.learning.lab import cotraining
from borel.learning.lab.conflicts import collect, header_text, nodes_in_conflict, position_after
from borel.learning.lab.cotraining import CoTraining, CoTrainingSettings
from borel.learning.lab.trees import Leaf, id3, leaves
from borel.learning.lab.wording import Wording
from borel.systems import load_system
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
        return conflict.open[int(features_of(conflict.hand)[INDEX["quality(H)"]] >= 5)]

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
    right = [offered(refined, one) == {tag(None, one, 0)} for one in conflicts]
    assert np.mean(right) > 0.8
    text = (tmp_path / "run" / "agreed.bid").read_text()
    assert "agreed in co-training" in text
    assert "quality(H)" in text
    with pytest.raises(BridgeError):
        CoTraining(CoTrainingSettings(system=system, seed=9), tmp_path / "run")


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
