"""Models of players who follow a bidding system."""

import json
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import strategies
from borel import Auction, Hand, Seat, Vulnerability, _core
from borel.auction import ALL_CALLS
from borel.cli.app import app
from borel.deal import board_dealer, board_vulnerability
from borel.decision import Limit
from borel.policies.rules import RuleBidder
from borel.sampling import directed, evidence_of, knowledge_of
from borel.sampling.rules import RuleModel
from borel.view import BiddingView
from chi_square import alike, two_samples

HAND = Hand.parse("K85.KJ92.Q87.J43")


@pytest.fixture(scope="module")
def model() -> RuleModel:
    return RuleModel("sayc")


def view_of(text: str) -> BiddingView:
    auction = Auction.parse("N", text)
    return BiddingView(auction.turn, HAND, auction, Vulnerability.NONE)


@pytest.mark.parametrize("text", ["", "1S P", "1NT P 2C P"])
def test_the_model_makes_the_calls_of_the_rule_bidder(model, text):
    auction, bidder = Auction.parse("N", text), RuleBidder("sayc")
    hands = _core.deal(60, 4)[:, auction.turn]
    calls = model.calls(model.encode(hands), auction, Vulnerability.NONE)
    for mask, call in zip(hands, calls, strict=True):
        view = BiddingView(auction.turn, Hand(int(mask)), auction, Vulnerability.NONE)
        assert bidder.decide(view, rng=Random(0)).choice.index == call


def test_a_player_who_judges_may_make_any_call_that_the_rules_leave_open():
    rows = RuleModel().encode(_core.deal(500, 4)[:, 0])
    auction = Auction.parse("N", "1S P")
    firm, free = (RuleModel(undecided=how).probabilities(rows, auction, Vulnerability.NONE) for how in ("first", "any"))
    assert firm.sum(axis=1) == pytest.approx(1)
    assert free.sum(axis=1) == pytest.approx(1)
    assert (free[firm > 0] > 0).all()


@pytest.mark.parametrize("text", ["P", "1NT P", "1S P 2S P", "P P 1D P"])
def test_what_calls_show_excludes_no_hand_that_would_make_them(model, text):
    """Directed dealing against plain rejection, by chi-square on lengths and points of every hidden hand."""
    view = view_of(text)
    fixed = [0, 0, 0, 0]
    fixed[view.seat] = view.hand.mask
    plain = _core.deal(60_000, 11, 0, fixed)
    plain = plain[evidence_of(view, model).inconsistent(plain, 1) == 0]
    shown = model.shown(view.auction, view.vulnerability)
    sample = directed(view, model, layouts=6000, shown=shown, limit=Limit(instances=10**6), rng=Random(1))
    assert sample.is_consistent
    for seat in knowledge_of(view).hidden:
        for column in range(5):
            ours, theirs = (_core.hand_numbers(h[:, seat])[:, column].astype(int) for h in (sample.hands, plain))
            assert alike(*two_samples(ours, theirs)), (seat, column)


def test_every_hand_is_within_what_its_own_calls_show(model):
    for number, deal in enumerate(_core.deal(12, 123)):
        auction, vulnerability = Auction(board_dealer(number + 1)), board_vulnerability(number + 1)
        while not auction.is_over:
            seat, row = auction.turn, model.encode(deal[auction.turn : auction.turn + 1])
            auction = auction.after(ALL_CALLS[int(model.calls(row, auction, vulnerability)[0])])
            shown = model.shown(auction, vulnerability)[seat]
            assert any(limits.admits(Hand(int(deal[seat]))) for limits in shown), f"{Hand(int(deal[seat]))} {auction}"


@settings(max_examples=40)
@given(hands=st.randoms(use_true_random=False), auction=strategies.auctions())
def test_whatever_people_have_bid_there_is_a_sample(model, hands, auction):
    """Nobody who keeps to the system bids so; what it says that the calls show may contradict itself or our cards."""
    assume(not auction.is_over and len(auction) <= 16)
    hand = strategies.shuffled_deal(hands).hand(auction.turn)
    view = BiddingView(auction.turn, hand, auction, Vulnerability.NONE)
    shown = model.shown(auction, Vulnerability.NONE)
    sample = directed(view, model, layouts=10, shown=shown, limit=Limit(instances=300), slack=1, rng=Random(1))
    assert len(sample)
    assert all(deal.hand(auction.turn) == hand for deal in sample.deals())


def test_an_answer_to_blackwood_limits_the_aces_though_a_general_rule_bids_the_same(model):
    """Found by `benchmarks/sampling.py`: "back to the agreed suit" is asked last, when every hand has answered."""
    opener = model.shown(Auction.parse("N", "1S P 2NT P 3S P 4NT P 5H P"), Vulnerability.NONE)[Seat.N]
    none, two, three = (Hand.parse(text) for text in ("KQJ987.KQ5.KQ.J4", "AQJ987.KQ5.A3.J4", "AQJ987.A75.A3.J4"))
    assert any(limits.admits(two) for limits in opener)
    assert not any(limits.admits(hand) for limits in opener for hand in (none, three))


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["sample", "--hand", str(HAND), *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_shows_layouts_and_a_picture_in_words():
    output = run("--auction", "1NT P", "--layouts", "20", "--show")
    assert output.count("N:") == 20
    assert "North: 15-17" in output
    assert "chance of a fit" in output


@pytest.mark.parametrize("method", ["directed", "rbmbmc", "soft"])
def test_the_command_speaks_json_whatever_the_method(method):
    answer = json.loads(run("--auction", "1NT P", "--layouts", "50", "--method", method, "--json"))
    assert answer["layouts"] == 50
    assert answer["consistent"]
    assert 14.9 < answer["seats"]["N"]["hcp_mean"] < 17.1
    assert {"S", "E", "W", "N"} - set(answer["seats"]) == {"S"}
    assert sum(answer["seats"]["E"]["lengths"]["S"].values()) == pytest.approx(1, abs=0.01)


def test_an_unknown_method_is_an_error_that_names_the_three():
    result = CliRunner().invoke(app, ["sample", "--hand", str(HAND), "--method", "magic"])
    assert "directed, rbmbmc or soft" in str(result.exception)


def test_north_is_whoever_the_seat_says(model):
    answer = json.loads(run("--auction", "1NT P", "--seat", "E", "--layouts", "20", "--json"))
    assert Seat.E.name not in answer["seats"]
