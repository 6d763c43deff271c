"""Search with a network: the paper's formula, layouts that explain the calls, time that is kept."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from borel import Auction, Hand, Seat, Vulnerability
from borel.auction import PASS
from borel.bidding.comparison import Comparison
from borel.bidding.neural_search import WEIGHT, NeuralSearch, Temper
from borel.clock import Deadline
from borel.dealing import deal_masks
from borel.decision import Limit
from borel.policies.encode import CALLS, SIZE
from borel.policies.network import Network
from borel.scoring import Scoring
from borel.view import BiddingView

VIEW = BiddingView(Seat.S, Hand.parse("AQ5.KJ92.87.AT43"), Auction.parse("N", "1C P"), Vulnerability.NONE)


@pytest.fixture(scope="module")
def passer() -> Network:
    """A network that mostly passes, and otherwise bids anything."""
    rng = np.random.default_rng(3)
    layers = [
        (rng.normal(0, 0.1, (inputs, outputs)).astype(np.float32), np.zeros(outputs, np.float32))
        for inputs, outputs in pairwise([SIZE, 16, CALLS])
    ]
    layers[-1][1][0] = 4.0
    return Network(tuple(layers), {})


def test_the_posterior_is_the_papers(passer):
    search = NeuralSearch(passer, temper=Temper(temperature=50.0))
    calls = list(VIEW.auction.legal_calls()[:2])
    points = np.array([[100.0, 100.0, 100.0, 100.0], [200.0, 150.0, 100.0, 50.0]])
    comparison = Comparison(calls, points, np.full(4, 0.25), Scoring.IMPS)
    found = search.posterior(comparison, np.array([0.8, 0.2], np.float32))
    totals, rollouts = points.sum(axis=1), 4
    expected = np.array([0.8, 0.2]) * np.exp((totals - totals.max()) / (50 * np.sqrt(rollouts)))
    np.testing.assert_allclose(found, expected / expected.sum(), rtol=1e-6)


def test_a_network_that_was_taught_what_calls_gain_is_told_in_imps(passer):
    taught = Network(passer.layers, {"settings": {"by": "calls", "kl": 0.1}})
    search = NeuralSearch(taught, temper=Temper.of(taught))
    calls = list(VIEW.auction.legal_calls()[:2])
    points = np.array([[100.0, 100.0], [150.0, 120.0]])  # 2 and 1 IMPs more
    prior = np.array([1.0, 1e-9], np.float32)
    at_imps = search.posterior(Comparison(calls, points, np.full(2, 0.5), Scoring.IMPS), prior)
    assert np.log(at_imps[1] / at_imps[0]) == pytest.approx(np.log(1e-9) + WEIGHT * 1.5 / 0.1, abs=1e-3)
    at_matchpoints = search.posterior(Comparison(calls, points, np.full(2, 0.5), Scoring.MATCHPOINTS), prior)
    assert np.log(at_matchpoints[1] / at_matchpoints[0]) == pytest.approx(
        np.log(1e-9) + 35 * np.sqrt(2) / 100, abs=1e-3
    )
    assert Temper.of(passer) == Temper()


def test_a_decision_shows_prior_posterior_and_imps(passer):
    search = NeuralSearch(passer, limit=Limit(instances=2000), layouts=40, solve=2)
    decision = search.decide(VIEW, rng=Random(1))
    assert decision.choice in VIEW.auction.legal_calls()
    assert len(decision.candidates) == 4
    assert "before" in decision.why
    assert "IMPs" in decision.candidates[0].why
    again = search.decide(VIEW, rng=Random(1))
    assert again == decision


def test_a_single_candidate_is_not_searched(passer):
    search = NeuralSearch(passer, temper=Temper(least_chance=0.5))
    assert "network" in search.decide(VIEW, rng=Random(1)).why


def test_opponents_bid_on_by_their_own_network(passer):
    """One who never passes while he may bid: with such opponents no auction ends below the seven level."""
    layers = [*passer.layers[:-1], (passer.layers[-1][0], passer.layers[-1][1].copy())]
    layers[-1][1][:3] = -50.0
    bold = Network(tuple(layers), {})
    hands = deal_masks(5, 1)
    quiet, fighting = NeuralSearch(passer), NeuralSearch(passer, opponents=bold)
    ends = [search._rollouts(VIEW, PASS, hands, Random(1)).contracts() for search in (quiet, fighting)]
    assert (ends[0][:, 1] < 30).any()
    assert (ends[1][:, 1] >= 30).all()  # seven of something


def test_a_private_language_is_not_read_by_the_system(passer):
    named = Network(passer.layers, {"system": "sayc"})
    view = BiddingView(Seat.S, VIEW.hand, Auction.parse("N", "1NT P"), Vulnerability.NONE)
    weakest = {}
    for private in (False, True):
        search = NeuralSearch(named, limit=Limit(instances=4000), layouts=200, private=private)
        sample = search._sample(view, Random(2))
        weakest[private] = min(Hand(int(mask)).hcp for mask in sample.hands[:, Seat.N])
    assert weakest[True] < 12 <= weakest[False]  # 15 points, and the three by which a network may stray


def test_when_time_is_over_the_two_likeliest_calls_are_compared_and_no_others(passer):
    search = NeuralSearch(passer, layouts=40, temper=Temper(least_rollouts=1, least_chance=0.0), solve=0)
    calls = list(VIEW.auction.legal_calls()[:4])
    late, early = (search._look(VIEW, calls, end, Random(1)) for end in (Deadline(0.0), Deadline()))
    assert late is not None
    assert early is not None
    assert (late.calls, early.calls) == (calls[:2], calls)
    np.testing.assert_array_equal(late.points, early.points[:2])
