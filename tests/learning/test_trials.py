"""What another call is worth: the same board bid again, call by call, with that one call changed."""

from __future__ import annotations

import numpy as np

from borel.bidding.tables import bid_out, imps_between
from borel.learning import trials
from borel.learning.bank import build_bank
from borel.learning.duplicate import deal_from, greedy
from borel.policies.network import Network
from borel.policies.neural import shipped


def test_a_gain_is_that_of_the_board_bid_again_with_one_call_changed(tmp_path, monkeypatch):
    """Checked by bidding every board again, one call at a time, in both ways."""
    learner, prior = shipped("sayc"), shipped("sayc-imitation")
    bank = build_bank(tmp_path / "small.bank", 40, seed=5)
    boards, tricks = deal_from(bank, 40, np.random.default_rng(1))
    who = {}
    monkeypatch.setattr(trials, "_seats", lambda side, partners, rng: who.setdefault("seats", _some_seats(side, rng)))
    monkeypatch.setattr(trials, "_decisions", _kept(who, trials._decisions))
    monkeypatch.setattr(trials, "_draw", _kept(who, trials._draw))
    tried = trials.try_calls(boards, tricks, (learner, prior), 0.5, np.random.default_rng(2))
    rows, positions = who["_decisions"]
    chosen, calls = who["_draw"]
    assert len(tried.gains) == len(chosen) == 120
    assert tried.gains.any()
    np.testing.assert_array_equal(tried.tried, calls)
    for number in range(0, len(chosen), 7):
        row, at = rows[chosen[number]], positions[chosen[number]]
        scores = []
        for call in (None, int(calls[number])):
            room = boards.take(np.array([row])).again()
            _bid(room, (learner, prior), who["seats"][row], int(at), call)
            scores.append(room.ns_scores(tricks[row : row + 1]))
        seat = (int(boards.dealer[row]) + int(at)) % 4
        gained = imps_between(scores[1], scores[0])[0] * (1 if seat % 2 == 0 else -1)
        assert gained == tried.gains[number]
        assert who["seats"][row][seat] == trials.LEARNER
        inputs = boards.inputs(np.array([row]), np.array([at], np.int32))
        logits = prior.logits(inputs)[0]
        np.testing.assert_allclose(
            tried.prior[number], logits[tried.tried[number]] - logits[tried.usual[number]], rtol=1e-3, atol=1e-3
        )


def test_boards_that_go_astray_are_learnt_from_after_that(tmp_path, monkeypatch):
    """Auctions become others; nobody learns from the calls that made them so."""
    learner, prior = shipped("sayc"), shipped("sayc-imitation")
    bank = build_bank(tmp_path / "small.bank", 100, seed=5)
    boards, tricks = deal_from(bank, 100, np.random.default_rng(1))
    usual, who, draw = boards.again(), {}, trials._draw
    for name in ("_stray", "_decisions"):
        monkeypatch.setattr(trials, name, _kept(who, getattr(trials, name)))
    monkeypatch.setattr(trials, "_draw", lambda *args: (who.update(learnt=len(args[2])), draw(*args))[1])
    trials.try_calls(boards, tricks, (learner, prior), 0.0, np.random.default_rng(2), 1.0)
    begun, (rows, positions) = who["_stray"], who["_decisions"]
    assert 1 <= begun.min() < begun.max() <= trials.STRAY
    assert who["learnt"] == (positions >= begun[rows]).sum() < len(positions)
    bid_out(usual, [greedy(learner)], np.zeros((100, 4), np.int8))
    assert (boards.calls != usual.calls).any()
    assert not trials._stray(usual, (learner, prior), np.zeros((100, 4), np.int8), 0.0, np.random.default_rng(3)).any()


def test_only_other_legal_calls_are_tried_and_likely_ones_more_often():
    rng = np.random.default_rng(0)
    logits = np.full((2, 38), trials.ILLEGAL)
    logits[0, :4] = [0, -3, -9, -30]
    logits[1, 5:7] = [4, 1]
    prior = logits.copy()
    prior[0, 3] = 1  # the imitation's own call is tried, though the learner has given it up
    rows, calls = trials._draw(logits, prior, np.array([0, 5]), 4000, rng)
    assert {*zip(rows.tolist(), calls.tolist(), strict=True)} == {(0, 1), (0, 2), (0, 3), (1, 6)}
    counts = [int(((rows == 0) & (calls == call)).sum()) for call in (3, 1, 2)]
    assert counts == sorted(counts, reverse=True)


def _some_seats(side, rng):
    seats = np.zeros((len(side), 4), np.int8)
    seats[np.arange(len(side)), (side + 2) % 4] = rng.integers(0, 2, len(side))
    return seats


def _kept(who, function):
    def called(*args):
        who[function.__name__] = function(*args)
        return who[function.__name__]

    return called


def _bid(room, networks: tuple[Network, Network], seats, at: int, call: int | None) -> None:
    only = np.array([0])
    while room.contracts()[0, 0] == 0:
        seat = int(room.turn(only)[0])
        own = greedy(networks[seats[seat]])(room.inputs(only), room.legal(only))
        room.make(only, np.array([call]) if call is not None and room.lengths[0] == at else own)
