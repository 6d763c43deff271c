"""Systems from Q-tables: the core against a slow oracle, the thesis's settings in the small, rules that can be read."""

import json
from itertools import permutations

import numpy as np
import pytest
from estimated_bank import estimated
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from borel import BridgeError, Hand, _core
from borel.auction import ALL_CALLS, Auction, Call
from borel.cards import Seat
from borel.cli.app import app
from borel.deal import Vulnerability
from borel.dealing import deal_masks
from borel.learning.bank import Bank, pack
from borel.learning.lab.learnt import matrix, situations
from borel.learning.lab.natural import hands_of, silent_auctions, silent_scores
from borel.learning.lab.openings import OpeningTable, OpeningTableError, learnt_openings, natural_openings, shapes_of
from borel.learning.lab.pairs import best_scores, pair_deals, score_table
from borel.learning.lab.qtable import QPair, QTableSettings, learn_system
from borel.learning.lab.schedules import SCHEDULES, rates_at
from borel.learning.lab.trees import Leaf, actions_of, grow, leaves
from borel.learning.lab.written import read_off
from borel.policies.spec import bidder
from borel.systems import load_system
from borel.systems.check import check_system
from borel.view import BiddingView

COMMON = shapes_of(128)


def test_there_are_as_many_shapes_as_the_thesis_counts():
    assert len(COMMON) == 128
    assert len(shapes_of(560)) == 560
    numbers = _core.hand_numbers(deal_masks(4000, 2).reshape(-1))[:, 3::-1].astype(int)
    share = np.mean([tuple(row) in set(COMMON) for row in numbers.tolist()])
    assert share == pytest.approx(0.91, abs=0.01)
    with pytest.raises(BridgeError, match="not of 104"):
        shapes_of(104)


@pytest.mark.parametrize(
    ("shape", "printed"),
    [
        ("6421", "P P P P 1S 1S 1S 1S 1S 1S 1S 1S 2S 2S 2S 2S"),
        ("6331", "P 3S 2D 2D 2D 1S 1S 1S 1S 1S 1S 1S 2S 2S 2S 2S"),
        ("6322", "P 3S 2D 2D 2D 1S 1S 1S 1S 1S 1S 1S 1S 2S 2S 2S"),
        ("5521", "P P P P 1S 1S 1S 1S 1S 1S 1S 1S 2S 2S 2S 2S"),
        ("5431", "P P P P P 1S 1S 1S 1S 1S 1S 1S 1S 2S 2S 2S"),
        ("5422", "P P P P P P 1S 1S 1S 1S 1S 1S 1S 2S 2S 2S"),
    ],
)
def test_natural_openings_are_those_printed_in_the_thesis(shape, printed):
    row = natural_openings(COMMON).rows[tuple(map(int, shape))]
    assert [str(call).replace("Pass", "P") for call in row] == printed.split()


def test_a_table_of_openings_round_trips():
    for table in (natural_openings(shapes_of(560)), learnt_openings(COMMON)):
        read = OpeningTable.parse("# ours\n" + str(table), list(table.rows))
        assert read == table


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "an empty table"),
        ("6421 P", "line 1: not 'shape' and the lowest points"),
        ("shape 0 7 4", "line 1: classes begin at 0 and rise"),
        ("shape 0 4\n6422 P 1S", "line 2: not a shape of 13 cards, spades first: '6422'"),
        ("shape 0 4\n6421 P", "line 2: 1 calls for 2 classes"),
        ("shape 0 4\n6421 P X", r"line 2: not an opening \(P, 1C to 7NT, \? or \.\): 'X'"),
        ("shape 0 4\n6421 . 1S", "line 2: not an opening"),
        ("shape 0 4\n\n6421 P 1S\n6421 P 1S", "line 4: shape 6421 a second time"),
        ("shape 0 4\n6421 P 1S", "no line for 127 of 128 shapes, the first is 6412"),
    ],
)
def test_a_malformed_table_is_named_with_its_line(text, error):
    with pytest.raises(OpeningTableError, match=error):
        OpeningTable.parse(text, COMMON)


def replayed(pair, rows, hands, tricks, order):
    """One auction as the rows of the table have it, call by call: the oracle of the core's examination."""
    numbers = {shape: number for number, shape in enumerate(pair.shapes)}
    moved = []
    for hand in hands.tolist():
        shape = [0] * 4
        for suit in range(4):
            shape[order[suit]] = pair.shapes[hand // 38][3 - suit]
        moved.append(numbers[tuple(shape[::-1])] * 38 + hand % 38)
    calls = []
    opening = pair.openings.openings(pair.shapes)[moved[0]]
    while len(calls) < pair.settings.calls and not (calls[-1:] == [0] and len(calls) > 1):
        if not calls and opening != 255:
            calls.append(int(opening))
            continue
        who = len(calls) % 2
        key = 1
        for call in calls:
            key = key << 6 | call
        row = rows.get(int(pair.classes[who][moved[who]]) << 44 | key)
        options = [0, *range(max(3, max(calls, default=0) + 1), 38)][: pair.settings.bids]
        calls.append(0 if row is None else options[int(row[: len(options)].argmax())])
    last = max(calls)
    if not last:
        return calls, 0
    strain = (last - 3) % 5
    declarer = next(i for i, call in enumerate(calls) if call and (call - 3) % 5 == strain) % 2
    return calls, score_table()[last, tricks[declarer, [*order, 4].index(strain)]]


@pytest.mark.parametrize(
    ("settings", "openings"),
    [({}, natural_openings), ({"bids": 36, "calls": 6}, learnt_openings), ({"bids": 5, "calls": 2}, natural_openings)],
)
def test_the_core_bids_as_an_oracle_does(bank, settings, openings):
    pair = QPair(QTableSettings(test=40, deals=20_000, epochs=1, rate=0.2, **settings), bank, openings(COMMON))
    pair.learn(0)
    deals = pair.examination
    scores, bid = pair.table.evaluate(*deals.results)
    keys, values = pair.table.dump()
    rows = dict(zip(keys.tolist(), values, strict=True))
    for number in range(0, len(deals), 5):
        for renaming, order in list(enumerate(permutations(range(4))))[::7]:
            calls, score = replayed(pair, rows, deals.hands[number], deals.tricks[number], order)
            made = bid[number, renaming]
            assert made[made != 255].tolist() == calls
            assert scores[number, renaming] == score


def one_deal(**settings):
    """Learners who meet one deal in 24 renamings, each another class, and try calls at random."""
    masks = np.array([[Hand.parse(text).mask for text in HANDS]], np.uint64)
    tricks = estimated(masks)
    two = Bank(None, 1, pack(np.repeat(masks, 2, axis=0), np.repeat(tricks, 2, axis=0)))
    pair = QPair(QTableSettings(calls=2, rate=1.0, explore=1.0, test=1, deals=40_000, epochs=1, **settings), two)
    pair.training = pair_deals(two, slice(0, 1), pair.shapes)
    north = pair.training  # the first row: North opens
    pair.training = north.of(slice(0, 1))
    pair.learn(0)
    keys, values = pair.table.dump()
    return pair, dict(zip(keys.tolist(), values, strict=True))


HANDS = ("AKQ52.K32.QJ5.32", "JT.QJT4.AT98.QJ9", "9843.A8765.7.AK4", "76.9.K6432.T8765")


def test_what_is_learnt_of_one_deal_is_its_scores():
    _, plain = one_deal()
    _, loss = one_deal(reward="loss")
    _, more = one_deal(reward="loss+200")
    _, blame = one_deal(reward="blame")
    assert plain.keys() == loss.keys() == more.keys() == blame.keys()
    assert len(plain) == 24
    table = {float(score) for score in score_table().reshape(-1)} | {0.0}
    for key, scores in plain.items():
        assert {float(score) for score in scores} <= table
        lacking = set((scores - loss[key]).tolist())
        assert len(lacking) == 1  # the best contract, the same for all calls
        assert lacking.pop() >= max(scores)
        np.testing.assert_allclose(more[key], loss[key] + 200)
        assert set((scores - blame[key]).tolist()) <= {0.0, 100.0}
        assert blame[key][scores.argmax()] == scores.max()


def test_the_options_do_what_they_say(bank):
    def after(**settings):
        pair = QPair(QTableSettings(test=20, deals=30_000, epochs=1, **settings), bank)
        pair.learn(0)
        return pair.table.dump()[1], pair

    values, _ = after(limit=150.0, rate=0.5)
    assert np.abs(values[values != -200]).max() <= 150
    values, _ = after(integers=True)
    assert (values == np.rint(values)).all()
    assert not (after()[0] == np.rint(after()[0])).all()
    values, pair = after(gamma=0.0, rate=1.0)
    keys, _ = pair.table.dump()
    responses = values[(keys & np.uint64((1 << 44) - 1)) >> np.uint64(6) == 1]
    assert set(np.unique(responses[:, 1:]).tolist()) == {-200.0, 0.0}  # opener has still to call: nothing counts yet
    values, pair = after(rates=(0.0, 0.0, 0.0, 0.5))
    keys, _ = pair.table.dump()
    sequences = keys & np.uint64((1 << 44) - 1)
    assert (values[sequences < 1 << 18] == np.where(sequences < 1 << 12, -200, -100)[sequences < 1 << 18, None]).all()
    assert (values[sequences >= 1 << 18] != -200).any()
    for choice in ("boltzmann", "roulette"):
        assert after(choice=choice)[1].table.rows > 1000


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_schedule_gives_rates(schedule):
    made = [rates_at(schedule, 0.1, 4, epoch / 25, epoch=epoch) for epoch in range(25)]
    assert all(len(rates) == 4 and all(0 <= rate <= 1 for rate in rates) for rates in made)
    assert (len({tuple(rates) for rates in made}) == 1) == (schedule == "constant")


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"schedule": "slow"}, "no schedule 'slow'"),
        ({"choice": "best"}, "no choice 'best'"),
        ({"reward": "imps"}, "no reward 'imps'"),
        ({"calls": 8}, "2 to 7 calls"),
        ({"rates": (0.1, 0.2)}, "4 rates within 0..1"),
        ({"test": 3000}, "of which 3000 are to be kept"),
    ],
)
def test_settings_that_cannot_be_are_refused(bank, settings, error):
    with pytest.raises(BridgeError, match=error):
        QPair(QTableSettings(**settings), bank)


def test_a_pair_learns_and_a_stopped_run_goes_on(bank, tmp_path):
    settings = QTableSettings(epochs=6, deals=100_000, test=200, rate=0.1, explore=0.05)
    whole, told = learn_system(settings, bank)
    assert told[-1].training > told[0].training + 100
    lost, _ = whole.lost()
    best, _ = whole.examination.mean_and_error(best_scores(whole.examination, whole.scores))
    assert lost == pytest.approx(best - told[-1].test, abs=0.01)

    class StoppedError(Exception):
        pass

    def stop(epoch):
        if epoch.number == 5:
            raise StoppedError

    with pytest.raises(StoppedError):
        learn_system(settings, bank, folder=tmp_path / "run", every=2, progress=stop)
    _, again = learn_system(settings, bank, folder=tmp_path / "run", every=2)
    assert [one.number for one in again] == [1, 2, 3, 4, 5, 6]
    assert again[-1].test == pytest.approx(told[-1].test, abs=1e-4)
    with pytest.raises(BridgeError):
        learn_system(QTableSettings(epochs=6, deals=100_000, test=200, seed=2), bank, folder=tmp_path / "run")


def test_a_rough_beginning_learns_sooner_and_can_be_gone_on_with(bank, tmp_path):
    settings = {"epochs": 6, "deals": 60_000, "test": 300, "rate": 0.1, "choice": "boltzmann", "explore": 0.0}
    fine, _ = learn_system(QTableSettings(**settings), bank)
    rough, told = learn_system(QTableSettings(**settings, coarse=0.5), bank, folder=tmp_path / "run")
    deals = rough.examination
    gain, error = deals.mean_and_error(rough.table.evaluate(*deals.results)[0] - fine.table.evaluate(*deals.results)[0])
    assert gain > error  # deal by deal
    again, _ = learn_system(QTableSettings(**settings, coarse=0.5), bank, folder=tmp_path / "run")
    assert again.examine()[0] == pytest.approx(told[-1].test)


@given(st.integers(0, 2**32 - 1))
def test_a_deep_tree_loses_nothing_and_its_leaves_are_a_partition(seed):
    rng = np.random.default_rng(seed)
    features = np.unique(rng.integers(0, 5, (12, 3)), axis=0)
    values, weights = rng.normal(size=(len(features), 4)), rng.random(len(features)) + 0.1
    tree = grow(features, values, weights, worth=0.0, depth=12)
    covered = []
    for ranges, leaf in leaves(tree, dict.fromkeys(range(3), (0, 4))):
        inside = [all(low <= row[f] <= high for f, (low, high) in ranges.items()) for row in features]
        covered.append(inside)
        assert leaf.action == int((weights[inside] @ values[inside]).argmax())
        assert set(actions_of(tree, features[inside]).tolist()) == {leaf.action}
    assert (np.array(covered).sum(axis=0) == 1).all()
    assert isinstance(grow(features, values, weights, worth=1e9), Leaf)


@pytest.mark.parametrize("coarse", [0.0, 1.0])
def test_a_learnt_system_can_be_read_and_seated(coarse, bank, tmp_path):
    settings = QTableSettings(epochs=4, deals=200_000, test=100, rate=0.1, coarse=coarse)
    pair, _ = learn_system(settings, bank)
    found = situations(pair, deals=500)
    assert found[0].calls == (0,)  # most often opener passes
    assert "shape" in matrix(pair, found[0])
    path = tmp_path / "learnt.bid"
    written = read_off(pair, deals=1500)
    path.write_text(written.text())
    assert not [one for one in check_system(load_system(str(path))) if one.kind == "unreachable"]
    deals = pair.examination
    bid = silent_auctions(load_system(str(path)), *hands_of(deals, pair.masks[1]))
    np.testing.assert_array_equal(silent_scores(bid, deals.tricks), written.scores(deals))
    seated = bidder(f"rules:{path}")
    rng = np.random.default_rng(1)
    for one in found[:6]:
        auction = Auction(Seat.N)
        for call in one.calls:
            auction = auction.after(ALL_CALLS[call]).after(Call.parse("P"))
        hand = Hand(int(deal_masks(1, int(rng.integers(1000)))[0][auction.turn]))
        decision = seated.decide(BiddingView(auction.turn, hand, auction, Vulnerability.NONE), rng=None)
        assert decision.choice in auction.legal_calls()


def test_the_command_learns_and_writes(bank, tmp_path):
    out = tmp_path / "run"
    arguments = ["learn", "qtable", str(bank.path), "--quick", "--out", str(out), "--rate", "0.1", "--json"]
    result = CliRunner().invoke(app, [*arguments, "--against", "sayc"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["along"][-1][1] > found["along"][0][1]
    assert (out / "learnt.bid").read_text().startswith("system learnt")
    assert {"learnt.bid", "sayc", "gain"} <= found.keys()
    assert OpeningTable.parse((out / "openings.txt").read_text(), COMMON) == natural_openings(COMMON)


def test_fresh_deals_are_those_of_the_other_bank(bank, tmp_path):
    other = tmp_path / "other.bank"
    other.write_bytes(bank.path.read_bytes()[: 256 + 23 * 60])  # its first sixty deals
    arguments = ["learn", "qtable", str(bank.path), "--quick", "--rate", "0.1", "--json"]
    result = CliRunner().invoke(app, [*arguments, "--fresh", str(other)])
    assert result.exit_code == 0, result.output
    settings = QTableSettings(epochs=10, deals=200_000, test=100, rate=0.1)
    pair, _ = learn_system(settings, bank)
    deals = pair_deals(Bank.open(other), slice(None), COMMON)
    assert json.loads(result.stdout)["fresh deals"] == pytest.approx(pair.examine(deals), abs=0.01)


def test_what_cannot_be_read_is_said_before_the_learning(bank, tmp_path):
    table = tmp_path / "mine.txt"
    table.write_text("shape 0 4\n6421 P X\n")
    arguments = ["learn", "qtable", str(bank.path), "--quick"]
    for asked, error in [
        (["--openings", str(table)], "mine.txt: line 2: not an opening"),
        (["--against", "nosuch"], "no system file 'nosuch'"),
        (["--fresh", str(table)], "mine.txt is not a bank of deals"),
    ]:
        result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "run"), *asked])
        assert result.exit_code != 0
        assert error in str(result.exception) + result.output
        assert not (tmp_path / "run").exists()
