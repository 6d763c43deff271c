"""The small games: their rules, and the failures and successes of the thesis in the small."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from borel import BridgeError
from borel.cli.app import app
from borel.learning.lab import trials
from borel.learning.lab.breeding import BreedingSettings, breed
from borel.learning.lab.climbing import PAYMENTS, ClimbingSettings, climb
from borel.learning.lab.partners import QSettings, learn_by_q
from borel.learning.lab.rebidding import learn_to_rebid
from borel.learning.lab.talking import GAMES, game_named
from borel.learning.lab.trials import climbing_trials, talking_trials


@given(st.permutations(range(5)))
def test_only_one_language_is_perfect_in_the_sum_game(words):
    """Whatever the Thinker does: a word that is not the number bars some sum."""
    game = game_named("sum")
    says = np.array([words])
    best = sum(
        game.paid[:, :, other, :][np.arange(5), words].max(axis=1).sum() for other in range(5)
    )  # each sum by itself, the Thinker told everything
    assert (best == 25) == (words == list(range(5)))
    answers = np.array([[[min(9, o + w + 1) for w in range(5)] for o in range(5)]])
    assert game.worth(says, answers)[0] <= best / 25


@pytest.mark.parametrize("name", GAMES)
def test_a_perfect_language_exists_and_is_bred(name):
    tried = (breed(game_named(name), BreedingSettings(generations=400), seed=seed) for seed in range(1, 9))
    bred = next(one for one in tried if one.best[-1] == 1.0)  # some populations stick
    assert bred.best[-1] == 1.0
    assert game_named(name).worth(bred.says, bred.answers)[0] == 1.0


def test_independent_learners_stick_and_annealed_ones_do_not():
    game = game_named("sum")
    plain = learn_by_q(game, QSettings(cycles=15_000, rate=0.05), pairs=20, points=1)
    annealed = learn_by_q(game, QSettings(cycles=15_000, rate=0.1, temperatures=(1.0, 0.02)), pairs=20, points=1)
    assert plain.worth[-1].mean() < 0.85
    assert annealed.worth[-1].mean() > 0.9
    np.testing.assert_array_equal(annealed.worth[-1], game.worth(annealed.says, annealed.answers))


def test_what_independent_learners_expect_at_first_decides_what_they_find():
    game, plain = game_named("sum"), QSettings(cycles=15_000, rate=0.05)
    worth = [
        learn_by_q(game, replace(plain, begun=begun), pairs=20, points=1).worth[-1].mean()
        for begun in ((0.0, 0.01), (0.0, 1.0), (2.0, 2.0))
    ]
    assert worth[0] + 0.05 < worth[1] < worth[2] - 0.05


def test_joint_action_learners_climb_and_independent_ones_settle():
    ends = {joint: climb(ClimbingSettings(joint=joint), pairs=30)[-1] for joint in (False, True)}
    assert (ends[True] == PAYMENTS.max()).mean() >= 0.9
    assert (ends[False] == 7).mean() > 0.5


def test_a_third_bid_says_more_than_two_can():
    settings = QSettings(cycles=12_000, rate=0.2, temperatures=(0.5, 0.02))
    two = learn_by_q(game_named("sum", 10), settings, pairs=4, points=1).worth[-1]
    assert two.max() <= game_named("sum", 10).best == 0.5  # ten numbers, five words
    assert learn_to_rebid(settings, pairs=4).mean() > 0.5


def test_trials_go_on_where_they_were_stopped(tmp_path, monkeypatch):
    asked = {"seeds": 6, "quick": True, "folder": tmp_path / "run"}
    whole = climbing_trials(**asked)
    path = tmp_path / "run" / "trials.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], lines[2][:40]]))  # stopped in the middle of the third kind
    made = []
    monkeypatch.setattr(trials, "climb", lambda *given, **more: (made.append(given), climb(*given, **more))[1])
    again = climbing_trials(**asked)
    assert len(made) == 1
    assert [one.as_json() for one in again] == [one.as_json() for one in whole]
    with pytest.raises(BridgeError, match="was begun with seeds 6"):
        climbing_trials(**{**asked, "seeds": 7})


def test_the_sum_game_in_the_small_has_the_direction_of_the_large():
    result = CliRunner().invoke(app, ["learn", "sumgame", "--quick", "--seeds", "10", "--json"])
    found = {one["learners"]: one["mean"] for one in json.loads(result.stdout)}
    assert found["independent"] < 0.85
    assert min(found["annealed"], found["genetic, begun anew"]) > found["independent"] + 0.1


def test_trials_can_be_asked_for_from_the_command_line(tmp_path):
    result = CliRunner().invoke(app, ["learn", "climbing", "--quick", "--seeds", "20", "--json"])
    found = {one["learners"]: one for one in json.loads(result.stdout)}
    assert found["joint action"]["perfect"] >= 0.9
    assert found["independent"]["mean"] < found["joint action"]["mean"]
    assert len(climbing_trials(seeds=5, quick=True)) == 3
    with pytest.raises(BridgeError, match="no game 'summ'"):
        talking_trials("summ")
