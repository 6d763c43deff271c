"""The parts of a search: tricks of layouts, projected auctions, values, comparisons."""

from random import Random

import numpy as np
import pytest

from borel import Auction, Call, Contract, Hand, Seat, Strain, Vulnerability, _core
from borel.bidding.comparison import Comparison, imps_of
from borel.bidding.judgement import Judge, relaxed
from borel.bidding.projection import project
from borel.bidding.search import encoded
from borel.bidding.utility import losing_tricks, utility_of
from borel.bidding.valuation import Tricks, points_of
from borel.cards import Side
from borel.errors import ParseError
from borel.policies.rules import RuleBidder
from borel.sampling.rules import RuleModel
from borel.scoring import Scoring, imps
from borel.systems.constraints import All, Range
from borel.systems.hand import INDEX
from borel.view import BiddingView


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge(RuleModel("sayc"))


def by_rules(judge: Judge):
    return dict.fromkeys(Seat, lambda rows, auction: judge.rules.probabilities(rows, auction, Vulnerability.NONE))


def test_layouts_looked_at_later_change_nothing_for_those_before():
    deals = _core.deal(30, 10)
    grown, whole = Tricks(deals, 1), Tricks(deals, 1)
    for count in (5, 20, 30):
        grown.use(count)
        assert grown.of(Strain.H, Seat.E).tolist() == whole.of(Strain.H, Seat.E)[:count].tolist()


def test_a_projection_is_what_four_rule_bidders_would_bid(judge):
    deals, bidder = _core.deal(10, 6), RuleBidder("sayc")
    ends = project(Auction(Seat.N), encoded(judge, deals), by_rules(judge))
    for auction, rows in zip(ends.auctions, ends.rows, strict=True):
        for row in rows:
            alone = Auction(Seat.N)
            while not alone.is_over:
                hand = Hand(int(deals[row, alone.turn]))
                view = BiddingView(alone.turn, hand, alone, Vulnerability.NONE)
                alone = alone.after(bidder.decide(view, rng=Random(0)).choice)
            assert alone == auction
    assert sorted(np.concatenate(ends.rows)) == list(range(10))


def test_probabilities_split_a_layout_and_lose_nothing(judge):
    deals = _core.deal(8, 6)
    policies = dict.fromkeys(Seat, lambda rows, a: judge.rules.open_choices(rows, a, Vulnerability.NONE))
    ends = project(Auction(Seat.N), encoded(judge, deals), policies)
    total = np.zeros(8)
    for rows, chances in zip(ends.rows, ends.chances, strict=True):
        total[rows] += chances
    assert total == pytest.approx(1)


def test_rare_ways_are_left_unfinished_and_still_valued(judge):
    deals = _core.deal(40, 6)
    ends = project(Auction(Seat.N), encoded(judge, deals), by_rules(judge), rare=3)
    unfinished = [auction for auction in ends.auctions if not auction.is_over]
    assert unfinished
    points = points_of(ends, Tricks(deals, 1), Side.NS, Vulnerability.NONE)
    assert np.isfinite(points).all()
    assert len(ends.likeliest(2)) == 2


def test_solved_layouts_have_their_exact_tricks_and_correct_the_others():
    deals = _core.deal(12, 5)
    tricks, key = Tricks(deals, 1), (Strain.H, Seat.W)
    before = tricks.of(*key)
    tricks.solve(*key, np.array([0, 1]))
    ns = np.asarray(
        _core.dd_solve(deals[:2], np.full(2, Strain.H, np.uint8), np.zeros(2, np.uint8), np.full((2, 3), 255, np.uint8))
    )
    assert tricks.of(*key)[:2].tolist() == (13 - ns).tolist()
    assert before.shape == (12,)
    assert (tricks.of(*key) == tricks.of(*key)).all()


def test_imps_of_arrays_are_those_of_the_law():
    differences = np.arange(-4500, 4501, 10)
    assert imps_of(differences.astype(float)).tolist() == [imps(int(d)) for d in differences]


def comparison(gain: float, noise: float, layouts: int = 100) -> Comparison:
    rng = np.random.default_rng(1)
    luck = rng.normal(0, 300, layouts)
    points = np.array([luck, luck + gain + rng.normal(0, noise, layouts)])
    return Comparison([Call.parse("P"), Call.parse("1S")], points, np.ones(layouts), Scoring.IMPS)


def test_paired_differences_see_what_separate_means_cannot():
    found = comparison(100, 30)
    assert found.against(1, 0)[1] < found.expected_points(1)[1] / 30
    assert found.leader(0.3, 1.0) == 1
    assert found.is_clear(0.3)


def test_the_rules_call_stands_unless_another_is_better_by_a_margin_and_surely():
    assert comparison(5, 30).leader(0.3, 1.0) == 0
    assert comparison(60, 900, layouts=9).leader(0.3, 3.0) == 0


def test_a_strange_call_must_be_better_by_more_margins():
    found = comparison(100, 30)
    gain, error = found.against(1, 0)
    for strange, leader in ((gain - error - 1.1, 1), (gain - error - 0.9, 0)):  # of margins of one IMP
        found.strange = {Call.parse("1S"): strange}
        assert found.leader(1.0, 1 / 1.16) == leader  # an error: a hundred layouts are asked for 16% more
        assert not found.is_clear(1.0)
    found.strange = {Call.parse("1S"): 100}
    assert found.is_clear(1.0)


def test_matchpoints_count_how_often_not_how_much():
    points = np.array([[100.0, 100, 100, -2000], [90, 90, 90, 600]])
    calls = [Call.parse("P"), Call.parse("X")]
    assert Comparison(calls, points, np.ones(4), Scoring.MATCHPOINTS).against(0, 1)[0] == 0.5
    assert Comparison(calls, points, np.ones(4), Scoring.IMPS).against(0, 1)[0] < 0


def test_the_share_of_layouts_in_which_nothing_scores_more_counts_ties_for_all_and_weights():
    points = np.array([[100.0, 100, 0, 50], [90, 100, 200, -50], [0, 0, 0, 0]])
    calls = [Call.parse(text) for text in ("P", "X", "1S")]
    found = Comparison(calls, points, np.array([1.0, 1, 2, 4]), Scoring.IMPS)
    assert [found.share_best(i) for i in range(3)] == [6 / 8, 3 / 8, 0]


def test_relaxing_widens_strength_and_nothing_else():
    hcp, spades = Range(((INDEX["hcp"], 1.0),), 15, 17), Range(((INDEX["length(S)"], 1.0),), 5, 13)
    wider = relaxed(All((hcp, spades)))
    assert wider == All((Range(hcp.terms, 14, 18), spades))


@pytest.mark.parametrize("name", ["estimate", "dd", "ltc"])
def test_every_utility_is_the_negative_of_the_other_sides(name):
    deal, auction = _core.deal(1, 3)[0], Auction.parse("N", "1S P 2S AP")
    utility = utility_of(name)
    ours, theirs = (utility(deal, auction, side, Vulnerability.NONE) for side in Side)
    assert ours == -theirs
    assert utility(deal, Auction.parse("N", "P P P P"), Side.NS, Vulnerability.NONE) == 0


def test_an_unknown_utility_names_the_known_ones():
    with pytest.raises(ParseError, match="estimate, dd, ltc"):
        utility_of("hope")


def test_losers_are_counted_in_the_three_highest_cards():
    assert losing_tricks(Hand.parse("AKQ2.AK3.A2.5432").mask) == 5
    assert losing_tricks(Hand.parse("K.Q2.J32.A965432").mask) == 8
    assert Contract.parse("2S by N").tricks_needed == 8


def test_a_comparison_less_a_candidate_is_that_of_the_others():
    rng = np.random.default_rng(5)
    points, weights = rng.normal(0, 300, (4, 30)), rng.random(30)
    calls = [Call.parse(text) for text in ("P", "1H", "2H", "3H")]
    comparison = Comparison(list(calls), points, weights, Scoring.IMPS)
    comparison.drop(2)
    others = Comparison([calls[0], calls[1], calls[3]], points[[0, 1, 3]], weights, Scoring.IMPS)
    assert comparison.calls == others.calls
    assert [comparison.value(i) for i in range(3)] == [others.value(i) for i in range(3)]
    assert comparison.leader(0.1, 0.0) == others.leader(0.1, 0.0)


@pytest.mark.parametrize(
    ("hand", "auction", "call"),
    [
        (
            "A8.KJT96.J2.QJ97",
            "1H P 2D P",
            "3D",
        ),  # by agreement a raise; another rule allows it for want of a better call
        ("Q53.KJT95.AQ94.A", "P P P 1H 1S X P", "P"),  # three spades leave no double in
    ],
)
def test_a_call_that_is_read_otherwise_is_not_considered(judge, hand, auction, call):
    row = judge.encode(np.array([Hand.parse(hand).mask], dtype=np.uint64))[0]
    considered = judge.considered(row, Auction.parse("N", auction), Vulnerability.NONE)
    assert Call.parse(call) not in considered


def test_a_double_is_left_in_with_trumps(judge):
    row = judge.encode(np.array([Hand.parse("AQT53.KJT95.9.A4").mask], dtype=np.uint64))[0]
    assert Call.parse("P") in judge.considered(row, Auction.parse("N", "P P P 1H 1S X P"), Vulnerability.NONE)
