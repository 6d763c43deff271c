"""Learning end to end on a small scale: the teacher bids as the rules do, a network imitates it, and improves."""

import json
from contextlib import suppress
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from borel import ALL_CALLS, Board, Deal, Hand, Seat, Vulnerability
from borel.bidding.tables import LONGEST, Tables, bid_out, random_conditions
from borel.dealing import deal_masks
from borel.learning.bank import build_bank
from borel.learning.runs import Run, RunError, load_boards, read_history, save_boards
from borel.learning.teacher import bid_by_system
from borel.policies.bid_boards import bid_board
from borel.policies.network import load_network
from borel.policies.rules import RuleBidder
from borel.scoring import ns_score
from borel.view import Systems


@pytest.fixture(scope="module")
def bid_tables() -> Tables:
    tables = Tables.start(deal_masks(60, 11), *random_conditions(60, np.random.default_rng(1)))
    bid_by_system(tables, "sayc")
    return tables


def board_of(tables: Tables, row: int) -> Board:
    north, east, south, west = (Hand(int(mask)) for mask in tables.hands[row])
    vulnerability = next(
        v
        for v in Vulnerability
        if [v.includes(Seat.N.side), v.includes(Seat.E.side)] == tables.vulnerable[row].tolist()
    )
    return Board(Deal((north, east, south, west)), Seat(int(tables.dealer[row])), vulnerability, 1)


def test_the_teacher_bids_as_the_rule_bidder_does(bid_tables):
    bidder = RuleBidder("sayc")
    for row in range(30):
        auction, _ = bid_board(board_of(bid_tables, row), (bidder, bidder), Systems("sayc", "sayc"), rng=Random(0))
        calls = [ALL_CALLS[call] for call in bid_tables.calls[row, : bid_tables.lengths[row]]]
        assert calls == list(auction.calls)


def test_scores_are_those_of_the_laws(bid_tables):
    rng = np.random.default_rng(2)
    tricks = rng.integers(0, 14, (len(bid_tables), 5, 4)).astype(np.int8)
    scores = bid_tables.ns_scores(tricks)
    for row in range(len(bid_tables)):
        board = board_of(bid_tables, row)
        auction = _auction(bid_tables, row)
        contract = auction.contract
        taken = int(tricks[row, contract.strain, contract.declarer]) if contract else 0
        assert scores[row] == ns_score(contract, taken, board.vulnerability)


def _auction(tables: Tables, row: int):
    from borel import Auction

    auction = Auction(Seat(int(tables.dealer[row])))
    for call in tables.calls[row, : tables.lengths[row]]:
        auction = auction.after(ALL_CALLS[call])
    assert auction.is_over
    return auction


def test_any_policy_reaches_the_end():
    def wild(inputs, legal):
        return legal.shape[1] - 1 - np.argmax(legal[:, ::-1], axis=1)  # the highest legal call, redoubles and all

    def climber(inputs, legal):
        return np.array([np.flatnonzero(row)[min(1, row.sum() - 1)] for row in legal])

    for policy in (wild, climber):
        tables = Tables.start(deal_masks(5, 1), *random_conditions(5, np.random.default_rng(1)))
        bid_out(tables, [policy], np.zeros((5, 4), np.int8))
        assert (tables.contracts()[:, 0] == 1).all()
        assert tables.lengths.max() <= LONGEST


def test_boards_are_kept(bid_tables, tmp_path):
    path = tmp_path / "boards.npz"
    save_boards(path, bid_tables)
    again = load_boards([path, path])
    assert len(again) == 2 * len(bid_tables)
    np.testing.assert_array_equal(again.calls[: len(bid_tables)], bid_tables.calls)


def test_a_run_is_not_mixed_with_another(tmp_path):
    run = Run(tmp_path / "run", "imitation", {"system": "sayc"})
    run.log(step=1, right=0.5)
    with (tmp_path / "run" / "history.jsonl").open("a") as file:
        file.write('{"step": 2, "ri')  # a crash
    assert read_history(tmp_path / "run") == ("imitation", [{"step": 1, "right": 0.5}])
    run.log(step=2, right=0.6)
    run.log(step=2, right=0.7)  # killed before the checkpoint, and on from the one before
    assert read_history(tmp_path / "run")[1] == [{"step": 1, "right": 0.5}, {"step": 2, "right": 0.7}]
    with pytest.raises(RunError, match="begun with system 'sayc', not 'other'"):
        Run(tmp_path / "run", "imitation", {"system": "other"})
    with pytest.raises(RunError, match="run of kind 'imitation'"):
        Run(tmp_path / "run", "improvement", {})
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    with pytest.raises(RunError, match="not empty and not a training run"):
        Run(tmp_path / "full", "imitation", {})


def test_a_run_that_has_kept_nothing_may_begin_otherwise(tmp_path):
    folder = tmp_path / "run"
    Run(folder, "imitation", {"archives": ["mistyped.pbn"]})
    (folder / "boards").mkdir()
    Run(folder, "imitation", {"archives": ["session.pbn"]}).log(step=1, right=0.5)
    with pytest.raises(RunError, match=r"begun with archives \['session.pbn'\]"):
        Run(folder, "imitation", {"archives": ["mistyped.pbn"]})


@pytest.mark.parametrize("text", ["", "{broken", "[]", "{}", '{"settings": 3}', "\x00\xff"])
def test_a_run_whose_settings_are_unreadable_is_refused(tmp_path, text):
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RunError, match="cannot be read"):
        Run(tmp_path, "imitation", {})
    assert (tmp_path / "run.json").read_text() == text


@pytest.mark.slow
def test_imitation(tmp_path):
    """A tiny run: the loss falls, and a run that has come to its end stays there."""
    pytest.importorskip("jax")
    from borel.learning.imitation import ImitationSettings, imitate

    settings = ImitationSettings("sayc", boards=200, width=64, depth=2, steps=400, seed=4, rare=0)
    network = imitate(tmp_path / "pupil", settings)
    lines = [json.loads(line) for line in (tmp_path / "pupil" / "history.jsonl").read_text().splitlines()]
    assert lines[-1]["loss"] < lines[0]["loss"]
    assert network.manifest["held_out"]["right"] > 0.5  # passes alone would be nearly that
    again = imitate(tmp_path / "pupil", settings)  # finished: nothing is trained again
    np.testing.assert_array_equal(again.layers[0][0], network.layers[0][0])


@pytest.mark.slow
def test_a_run_does_not_go_on_by_other_rules(tmp_path):
    pytest.importorskip("jax")
    from borel.learning.imitation import ImitationSettings, imitate

    mine = tmp_path / "mine.bid"
    mine.write_text("include sayc.bid\n")
    settings = ImitationSettings(str(mine), boards=12, width=8, depth=1, steps=1, rare=0)
    with pytest.raises(RunError, match="4 boards are too few"):
        imitate(tmp_path / "few", replace(settings, boards=4))
    network = imitate(tmp_path / "pupil", settings)
    mine.write_text("include sayc.bid\nopen\n  replace 1NT  12-14 hcp, balanced\n")
    with pytest.raises(RunError, match=f"begun with rules {network.manifest['rules']!r}"):
        imitate(tmp_path / "pupil", settings)


@pytest.mark.slow
def test_rare_auctions_are_learnt_from_and_rehearsed(tmp_path):
    """From another network on; what was heard is told; self-play with rehearsal stays nearer to the system there."""
    pytest.importorskip("jax")
    from borel.learning import imitation
    from borel.learning.imitation import ImitationSettings, imitate
    from borel.learning.improvement import ImprovementSettings, improve

    asked = ImitationSettings("sayc", boards=100, width=64, depth=2, steps=200, seed=4, rare=300, enough=0)
    imitate(tmp_path / "first", asked)
    first = load_network(tmp_path / "first" / "policy.safetensors")
    second = imitate(tmp_path / "second", asked, start=first)
    told = [
        json.loads((tmp_path / name / "history.jsonl").read_text().splitlines()[-1]) for name in ("first", "second")
    ]
    assert told[1]["loss"] < told[0]["loss"]
    assert second.manifest["start"] == first.manifest["sha256"]
    heard = second.manifest["heard"]
    assert heard["rules"] == heard["often"] + heard["seldom"] + heard["never"] > heard["never"] > 0
    bank, prior = build_bank(tmp_path / "small.bank", 120, seed=2), tmp_path / "second" / "policy.safetensors"
    rare = imitation.joined([tmp_path / "second" / "boards" / "rare-000.npz"])
    inputs, legal, calls = rare.example(np.arange(len(rare)))
    right = []
    for rehearsal in (0, 8):
        settings = ImprovementSettings(
            rounds=2, boards=128, measure_every=1, measure_boards=50, kl=0.0, rate=1e-3, by="play"
        )
        folder = tmp_path / f"after-{rehearsal}"
        with suppress(RunError):  # two rounds need not make it better at duplicate
            improve(folder, prior, bank.path, replace(settings, rehearsal=rehearsal))
        network = load_network(folder / "pool-000002.safetensors")
        right.append(np.mean(np.where(legal, network.logits(inputs.astype(np.float32)), -np.inf).argmax(1) == calls))
    assert right[1] > right[0]  # 0.85 and 0.82 when this was written
    with pytest.raises(RunError, match="no rare auctions"):
        improve(
            tmp_path / "x", tmp_path / "after-0" / "pool-000002.safetensors", bank.path, replace(settings, rehearsal=1)
        )


@pytest.mark.slow
def test_self_play_improves_a_network_that_knows_nothing(tmp_path):
    pytest.importorskip("jax")
    from borel.learning.improvement import ImprovementSettings, improve
    from borel.learning.learner import Learner, fresh_layers
    from borel.policies.network import save_network

    save_network(Learner(fresh_layers(64, 2, 1), 1e-3).network({"system": "sayc"}), tmp_path / "prior.safetensors")
    bank = build_bank(tmp_path / "small.bank", 120, seed=2)
    asked = ImprovementSettings(rounds=2, boards=256, measure_every=1, measure_boards=200, kl=0.0, rate=1e-3, by="play")
    improve(tmp_path / "better", tmp_path / "prior.safetensors", bank.path, asked)
    lines = [json.loads(line) for line in (tmp_path / "better" / "history.jsonl").read_text().splitlines()]
    assert lines[-1]["gain"] > 1  # IMPs a board; 7.5 when this was written
    better = load_network(tmp_path / "better" / "policy.safetensors")
    assert better.manifest["kind"] == "improvement"
    small = replace(asked, rounds=1, rate=1e-7)
    improve(tmp_path / "on", tmp_path / "prior.safetensors", bank.path, small, start=better)
    gone_on = load_network(tmp_path / "on" / "policy.safetensors")
    np.testing.assert_allclose(gone_on.layers[0][0], better.layers[0][0], atol=1e-5)
    assert gone_on.manifest["settings"]["start"]["sha256"] == better.manifest["sha256"]
    assert gone_on.manifest["imitation"] == load_network(tmp_path / "prior.safetensors").manifest["sha256"]


@pytest.mark.slow
def test_calls_tried_one_at_a_time_improve_a_network_that_knows_nothing(tmp_path):
    pytest.importorskip("jax")
    from borel.learning.improvement import ImprovementSettings, improve
    from borel.learning.learner import Learner, fresh_layers
    from borel.policies.network import save_network

    save_network(Learner(fresh_layers(64, 2, 1), 1e-3).network({"system": "sayc"}), tmp_path / "prior.safetensors")
    bank = build_bank(tmp_path / "small.bank", 120, seed=2)
    asked = ImprovementSettings(rounds=12, boards=256, measure_every=6, measure_boards=200)
    improve(tmp_path / "better", tmp_path / "prior.safetensors", bank.path, asked)
    lines = [json.loads(line) for line in (tmp_path / "better" / "history.jsonl").read_text().splitlines()]
    assert lines[-1]["gain"] > 1, lines
    for bad, words in ((replace(asked, kl=0), "above 0"), (replace(asked, by="luck"), "calls or play")):
        with pytest.raises(RunError, match=words):
            improve(tmp_path / "worse", tmp_path / "prior.safetensors", bank.path, bad)
    assert not (tmp_path / "worse").exists()


@pytest.mark.slow
@pytest.mark.parametrize("by", ["calls", "play"])
def test_an_improvement_that_is_stopped_between_examinations_goes_on_from_its_last_checkpoint(
    tmp_path, monkeypatch, by
):
    """Past selves are opponents by play; one that was examined after the last checkpoint is not there yet."""
    pytest.importorskip("jax")
    from borel.learning import improvement
    from borel.learning.learner import Learner, fresh_layers
    from borel.policies.network import save_network

    def stop(_words, done, _of):
        if done == 5:
            raise KeyboardInterrupt

    prior = tmp_path / "prior.safetensors"
    save_network(Learner(fresh_layers(16, 2, 1), 1e-3).network({"system": "sayc"}), prior)
    bank = build_bank(tmp_path / "small.bank", 120, seed=2).path
    asked = improvement.ImprovementSettings(rounds=7, boards=48, measure_every=2, measure_boards=20, kl=0.1, by=by)
    whole = improvement.improve(tmp_path / "whole", prior, bank, asked)
    monkeypatch.setattr(improvement, "KEEP", 0.0)
    with pytest.raises(KeyboardInterrupt):
        improvement.improve(tmp_path / "stopped", prior, bank, asked, stop)
    (tmp_path / "stopped" / "pool-000006.safetensors").write_bytes(prior.read_bytes())
    stopped = improvement.improve(tmp_path / "stopped", prior, bank, asked)
    assert read_history(tmp_path / "stopped") == read_history(tmp_path / "whole")
    np.testing.assert_array_equal(stopped.layers[0][0], whole.layers[0][0])


@pytest.mark.slow
def test_iteration_by_search_goes_on_where_it_was(tmp_path):
    """Two rounds of a few searches: the parts are kept, the gate decides, and a folder of other settings is refused."""
    pytest.importorskip("jax")
    from borel.learning.learner import Learner, fresh_layers
    from borel.learning.search_iteration import SearchSettings, iterate
    from borel.policies.network import load_network, save_network

    prior = Learner(fresh_layers(16, 2, 1), 1e-3).network({"system": "sayc"})
    save_network(prior, tmp_path / "prior.safetensors")
    bank = build_bank(tmp_path / "small.bank", 120, seed=2)
    asked = SearchSettings(rounds=1, decisions=60, layouts=4, measure_boards=100, epochs=1)
    folder = tmp_path / "run"
    iterate(folder, tmp_path / "prior.safetensors", bank.path, asked, workers=0)
    kept = {path.name: path.stat().st_mtime_ns for path in folder.glob("searched-*.npz")}
    assert len(kept) == 2
    more = SearchSettings(rounds=2, decisions=60, layouts=4, measure_boards=100, epochs=1)
    network = iterate(folder, tmp_path / "prior.safetensors", bank.path, more, workers=0)
    assert {name: (folder / name).stat().st_mtime_ns for name in kept} == kept
    kind, lines = read_history(folder)
    assert kind == "search iteration"
    assert [line["round"] for line in lines] == [1, 2]
    assert load_network(folder / "policy.safetensors").manifest["sha256"] == network.manifest["sha256"]
    with pytest.raises(RunError, match="begun with bank '108 deals"):
        iterate(folder, tmp_path / "prior.safetensors", build_bank(bank.path, 130, seed=2).path, more, workers=0)
    bank = build_bank(tmp_path / "again.bank", 120, seed=2)
    other = SearchSettings(rounds=2, decisions=80, layouts=4)
    with pytest.raises(RunError, match="begun with decisions 60"):
        iterate(folder, tmp_path / "prior.safetensors", bank.path, other, workers=0)


def test_a_network_says_what_its_forerunner_learnt_from():
    pytest.importorskip("jax")
    from borel.learning.improvement import manifest_of
    from borel.learning.runs import code_version
    from borel.policies.network import Network

    prior = Network((), {"system": "sayc", "sha256": "abc", "data": "auctions of club.pbn", "settings": {"old": 1}})
    made = manifest_of(prior, "improvement", {"kl": 0.1}, 7, "self-play")
    assert made == {
        "system": "sayc",
        "kind": "improvement",
        "settings": {"kl": 0.1},
        "round": 7,
        "prior": "abc",
        "code": code_version(),
        "imitation": "abc",
        "data": "auctions of club.pbn; self-play",
    }
    again = manifest_of(Network((), made), "improvement", {}, 8, "self-play")
    assert again["data"] == "auctions of club.pbn; self-play"
