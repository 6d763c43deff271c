"""A player's model: probabilities that are ones, habits that are found, a file that a bidder can use."""

import json
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from borel import BridgeError, Hand
from borel.auction import ALL_CALLS, Auction, Call
from borel.cards import Seat
from borel.cli.app import app
from borel.deal import Deal, Vulnerability
from borel.dealing import deal_masks
from borel.formats import pbn
from borel.learning.lab.model import decisions_of, fit_player, fit_players, kept_apart, likelihood
from borel.policies.spec import bidder
from borel.record import Record
from borel.sampling import directed
from borel.sampling.players import PlayerModel, departures, load_player, plain_policy
from borel.sampling.rules import RuleModel
from borel.systems.hand import HCP
from borel.view import BiddingView

RULES = RuleModel("sayc")
AUCTIONS = ["", "P", "1NT P", "1H X", "1S P 2S 3C", "3D", "1C 1S X P"]


def passer(masks, shy):
    """A board bid by the rules, but for a seat who passes instead of every bid at the one level."""
    auction, hands = Auction(Seat.N), [Hand(int(mask)) for mask in masks]
    while not auction.is_over:
        rows = RULES.encode(np.array([hands[auction.turn].mask], np.uint64))
        call = int(RULES.calls(rows, auction, Vulnerability.NONE)[0])
        auction = auction.after("P" if auction.turn is shy and 3 <= call < 8 else ALL_CALLS[call])
    return auction


@pytest.fixture(scope="module")
def records():
    found = []
    for number, masks in enumerate(deal_masks(36, 4)):
        players = ("Ann", "Bob", "Shy", "Dan") if number < 24 else ("Eve", "Fay", "Guy", "Hal")
        auction = passer(masks, Seat.S if number < 24 else None)
        deal = Deal.of_masks(tuple(int(mask) for mask in masks))
        found.append(
            Record(
                number=number + 1,
                dealer=Seat.N,
                vulnerability=Vulnerability.NONE,
                deal=deal,
                players=players,
                auction=auction,
            )
        )
    return found


@given(st.sampled_from(AUCTIONS), st.integers(0, 1000))
def test_every_hand_has_a_policy_of_legal_calls(text, seed):
    auction = Auction.parse("N", text)
    model = PlayerModel(RULES)
    rows = model.encode(deal_masks(5, seed).reshape(-1))
    policy = model.probabilities(rows, auction, Vulnerability.NONE)
    np.testing.assert_allclose(policy.sum(axis=1), 1)
    legal = [call.index for call in auction.legal_calls()]
    assert (policy[:, legal] > 0).all()
    assert policy[:, legal].sum() == pytest.approx(len(rows))
    calls = RULES.calls(rows, auction, Vulnerability.NONE)
    assert (policy.argmax(axis=1) == calls).mean() > 0.9
    np.testing.assert_allclose(plain_policy(int(calls[0]), auction).sum(), 1)


def test_departures_are_named_from_the_rules_call():
    kinds = departures(Call.parse("2S").index, Auction.parse("N", "1S P"))
    told = {text: int(kinds[Call.parse(text).index]) for text in ("2S", "P", "3S", "2H", "3C", "4C", "X", "1H")}
    assert told == {"2S": 0, "P": 1, "3S": 3, "2H": 5, "3C": 6, "4C": 7, "X": -1, "1H": -1}


def test_a_habit_is_found_and_measured(records):
    decisions = decisions_of(records, RULES)
    general = fit_players(RULES, [one for one in decisions if one.player != "Shy"])
    own = [one for one in decisions if one.player == "Shy"]
    learnt, kept = kept_apart(own, every=2)
    shy = fit_player(general, learnt, ("Shy",))
    found = likelihood(general, shy, kept)
    assert found.player > found.players
    assert found.gain == pytest.approx(found.player - found.plain)
    opening = next(one for one in own if one.rules in range(3, 8) and one.call == 0)
    assert (
        shy.policy(opening.rules, opening.code, opening.auction)[0]
        > 2 * general.policy(opening.rules, opening.code, opening.auction)[0]
    )
    with pytest.raises(BridgeError, match="too few"):
        fit_player(general, own[:3], ("Shy",))


def test_a_model_goes_to_a_file_and_into_sampling_and_search(records, tmp_path):
    decisions = decisions_of(records, RULES)
    general = fit_players(RULES, decisions)
    shy = fit_player(general, [one for one in decisions if one.player == "Shy"], ("Shy",))
    path = tmp_path / "shy.json"
    shy.save(path)
    again = load_player(path)
    one = decisions[7]
    np.testing.assert_allclose(
        again.policy(one.rules, one.code, one.auction), shy.policy(one.rules, one.code, one.auction), atol=1e-3
    )
    auction = Auction.parse("N", "P P")
    view = BiddingView(Seat.S, Hand.parse("AQ72.K5.QJ43.K86"), auction, Vulnerability.NONE)
    points = []  # the share of opening hands that partner passes with
    for model in (RULES, {Seat.N: again, Seat.E: RULES, Seat.W: RULES}):
        sample = directed(view, model, layouts=300, rng=Random(1))
        hands = RULES.encode(np.ascontiguousarray(sample.hands[:, Seat.N]))
        points.append(float(np.average(hands[:, HCP] >= 14, weights=sample.weights)))
    assert points[1] > points[0] == 0  # partner's pass does not deny an opening
    for kind in ("borel", "pidm", "lookahead"):
        made = bidder(f"{kind}:sayc,instances=200,layouts=8,partner={path}")
        later = BiddingView(Seat.S, view.hand, Auction.parse("N", "1D P"), Vulnerability.NONE)
        assert made.decide(later, rng=Random(1)).choice in later.auction.legal_calls()
        assert made.players["partner"].names == ("Shy",)


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other"}', '{"format": "borel-player", "version": 9}'])
def test_a_file_that_is_no_model_is_refused(text, tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(BridgeError, match="is not a player's model"):
        load_player(path)


def test_the_command_learns_a_model(records, tmp_path):
    file, out = tmp_path / "played.pbn", tmp_path / "shy.json"
    file.write_text(pbn.dumps(records))
    result = CliRunner().invoke(
        app, ["learn", "model", str(file), "--player", "Shy", "--quick", "--out", str(out), "--json"]
    )
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["player"] > found["players_in_general"]
    assert load_player(out).names == ("Shy",)
    result = CliRunner().invoke(app, ["learn", "model", str(file), "--player", "Shi"])
    assert result.exit_code != 0
    assert "no player 'Shi' in these records; did you mean Shy?" in str(result.exception)
