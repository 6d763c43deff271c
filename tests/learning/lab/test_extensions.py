"""What the thesis only proposes: a teacher, template hands, agreements about trials, opponents who bid, bred rules."""

import json
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from typer.testing import CliRunner

from borel import BridgeError
from borel.cli.app import app
from borel.learning.lab import genetic
from borel.learning.lab.genetic import GeneticSettings, PairHands, breed_bidding, rule_words, scores_of
from borel.learning.lab.natural import hands_of, lessons, silent_auctions, silent_scores
from borel.learning.lab.openings import learnt_openings, shapes_of
from borel.learning.lab.pairs import pair_deals, score_table
from borel.learning.lab.qtable import QPair, QTableSettings, learn_system
from borel.learning.lab.schedules import rates_at
from borel.learning.lab.survey import cells_of, survey
from borel.systems import load_system

COMMON = shapes_of(128)


def test_a_teacher_is_followed_where_the_pair_has_heard_him(bank):
    """Learnt by heart, one lesson for each class of hands: the pair bids as the teacher did, as far as it can."""
    pair = QPair(QTableSettings(test=20, calls=5, bids=36, q0=-9999, q0_opener=-9999), bank, learnt_openings(COMMON))
    some = pair.training.of(np.arange(0, len(pair.training), 40))
    bid = lessons(silent_auctions(load_system("sayc"), *hands_of(some, pair.masks[0])), 5)
    how = pair.learning(0)
    how.rates = [1.0] * 5
    taught = pair.table.teach(*some.results, bid, how)
    assert taught == (bid[:, 0] != 255).sum() > 100
    keys = {}  # the last lesson of each learner
    for row, calls in zip(some.hands.tolist(), bid.tolist(), strict=True):
        sequence = 1
        for place, call in enumerate(calls):
            if call == 255:
                break
            keys.setdefault(int(pair.classes[place % 2][row[place % 2]]) << 44 | sequence, set()).add(call)
            sequence = sequence << 6 | call
    found, values = pair.table.dump()
    assert set(found.tolist()) == set(keys)
    for key, row in zip(found.tolist(), values, strict=True):
        assert (row > -9999).sum() == len(keys[key])


def test_lessons_end_where_a_pair_must():
    bid = np.array([[3, 5, 0, 255, 255], [3, 5, 8, 0, 255], [3, 5, 8, 13, 0], [0, 0, 255, 255, 255]], np.uint8)
    assert lessons(bid, 3).tolist() == [[3, 5, 0], [3, 5, 8], [255] * 3, [0, 0, 255]]


def test_template_hands_are_a_better_beginning_than_none(bank):
    plain, told = (QPair(QTableSettings(test=400, templates=templates), bank) for templates in (False, True))
    told.prepare()
    assert told.examine()[0] > plain.examine()[0] + 15


def test_opponents_take_what_pays(bank):
    """The score is the pair's own, or less the best that opponents could make above its last call."""
    pair = QPair(QTableSettings(test=30, deals=20_000, epochs=1, rate=0.2, opponents=True), bank)
    pair.learn(0)
    deals, table = pair.examination, score_table()
    scores, bid = pair.table.evaluate(*deals.results)
    alone, same = pair.table.evaluate(deals.hands, deals.tricks, deals.theirs[:0])
    np.testing.assert_array_equal(bid, same)
    assert (scores < alone).any()
    for number in range(0, len(deals), 7):
        for renaming, order in list(enumerate(permutations(range(4))))[::5]:
            last = max(call for call in bid[number, renaming].tolist() if call != 255)
            theirs = {strain: deals.theirs[number, before] for before, strain in enumerate((*order, 4))}
            bought = max(table[call, theirs[(call - 3) % 5]] for call in range(max(3, last + 1), 38))
            assert scores[number, renaming] == min(alone[number, renaming], -bought)


def test_who_called_before_a_trial_learns_nothing_of_it(bank):
    """Responder tries calls at random: openings are worth what that comes to, unless trials are told apart."""
    asked = {"test": 20, "deals": 300_000, "epochs": 1, "explore": 0.9, "rate": 0.1, "calls": 2, "coarse": 1.0}
    worth = {}
    for agreed in (False, True):
        pair = QPair(QTableSettings(**asked, agreed=agreed), bank, learnt_openings(COMMON))
        pair.learn(0)
        keys, values = pair.table.dump()
        worth[agreed] = values[keys & np.uint64((1 << 44) - 1) == 1].max(axis=1).mean()
    assert worth[True] > worth[False] + 50


def test_an_opener_who_waits_learns_later():
    assert rates_at("waiting", 0.1, 4, 0.0)[::2] == [0.0, 0.0]
    assert rates_at("waiting", 0.1, 4, 0.5) == rates_at("decreasing", 0.1, 4, 0.5)


def test_a_survey_goes_on_where_it_was_stopped(bank, tmp_path):
    sizes = {"epochs": 2, "deals": 2_000, "test": 50, "only": 2}
    first = survey("tables", bank, tmp_path / "survey", seeds=1, **sizes)
    path = tmp_path / "survey" / "results.jsonl"
    assert len(path.read_text().splitlines()) == 2
    path.write_text(path.read_text() + '["q0 0, Lr 5/10')  # a line cut short
    both = survey("tables", bank, tmp_path / "survey", seeds=2, **sizes)
    assert [one.results[0] for one in both] == [one.results[0] for one in first]
    assert all(len(one.results) == 2 for one in both)
    assert survey("tables", bank, tmp_path / "survey", seeds=2, **sizes) == both
    assert len(path.read_text().splitlines()) == 4
    with pytest.raises(BridgeError, match="was begun with epochs 2"):
        survey("tables", bank, tmp_path / "survey", seeds=1, **{**sizes, "epochs": 3})
    with pytest.raises(BridgeError, match="no survey 'tabels': there are tables, options"):
        cells_of("tabels")


def test_every_option_of_the_survey_can_be_learnt_with():
    for cell in (*cells_of("tables"), *cells_of("options")):
        settings = dict(cell.settings)
        settings.pop("learnt", None)
        QTableSettings(**settings).check()
    assert len({cell.name for cell in cells_of("options")}) == len(cells_of("options"))


def test_the_first_rule_that_takes_a_hand_decides():
    hands = np.array([[5, 3, 3, 2, 12], [2, 3, 5, 3, 12], [5, 3, 3, 2, 5]])
    rules = np.array(
        [
            [5, 0, 0, 0, 11, 13, 13, 13, 13, 37, 6, 0],  # 1S: five spades, 11 points
            [0, 0, 0, 0, 11, 13, 13, 13, 13, 37, 3, 0],  # 1C: 11 points
            [0, 0, 0, 0, 0, 13, 13, 13, 13, 37, 4, 9],  # 1D, but only after 2D
        ]
    )
    assert genetic._first_call(rules, hands, np.zeros(3, np.int64)).tolist() == [6, 3, 0]
    assert genetic._first_call(rules, hands, np.full(3, 9)).tolist() == [6, 3, 4]
    words = list(rule_words((rules[:2], rules[2:])))
    assert words[1] == "  1S  5+ S, 11+ hcp"
    assert words[-1] == "  after 2D: 1D  any hand"


def test_breeding_betters_bidding(bank):
    parts = [pair_deals(bank, part, COMMON) for part in (slice(0, 2700), slice(2700, 3000))]
    settings = GeneticSettings(population=30, generations=25, openings=8, responses=16, deals=200)
    best, told = breed_bidding(*parts, COMMON, settings)
    assert told[-1].test - told[-1].error > told[0].test + told[0].error
    assert told[-1].mean > told[0].mean + 100
    scores = scores_of(best, PairHands.of(parts[1], COMMON))
    assert parts[1].mean_and_error(scores[:, None])[0] == pytest.approx(told[-1].test)
    with pytest.raises(BridgeError, match="two pairs"):
        GeneticSettings(population=1).check()


def test_breeding_goes_on_where_it_was_stopped(bank, tmp_path):
    parts = [pair_deals(bank, part, COMMON) for part in (slice(0, 900), slice(900, 1000))]
    settings = GeneticSettings(population=8, generations=6, openings=4, responses=4, deals=50)
    best, told = breed_bidding(*parts, COMMON, settings)

    def stop(one):
        if one.number == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        breed_bidding(*parts, COMMON, settings, stop, tmp_path / "run")
    again, after = breed_bidding(*parts, COMMON, settings, folder=tmp_path / "run")
    np.testing.assert_allclose([one.test for one in after], [one.test for one in told], atol=1e-5)
    for one, other in zip(again, best, strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(BridgeError, match="was begun with seed 1"):
        breed_bidding(*parts, COMMON, replace(settings, seed=2), folder=tmp_path / "run")


def test_silent_scores_are_those_of_the_table(bank):
    pair, _ = learn_system(QTableSettings(test=60, deals=20_000, epochs=1, rate=0.2), bank)
    scores, bid = pair.table.evaluate(*pair.examination.results)
    np.testing.assert_array_equal(silent_scores(bid[:, 0], pair.examination.tricks), scores[:, 0])


def test_commands_of_surveys_and_breeding(bank, tmp_path):
    run = CliRunner().invoke(app, ["learn", "survey", str(bank.path), str(tmp_path / "s"), "--quick", "--json"])
    assert run.exit_code == 0, run.output
    assert [one["setting"] for one in json.loads(run.stdout)] == [cell.name for cell in cells_of("tables")[:3]]
    arguments = ["--quick", "--test", "300", "--out", str(tmp_path / "bred"), "--json"]
    run = CliRunner().invoke(app, ["learn", "genetic", str(bank.path), *arguments])
    assert run.exit_code == 0, run.output
    along = json.loads(run.stdout)["along"]
    assert along[-1][1] > along[0][1] + 50
    words = (tmp_path / "bred" / "rules.txt").read_text()
    assert words.startswith("Openings, the first rule that takes the hand:\n")
