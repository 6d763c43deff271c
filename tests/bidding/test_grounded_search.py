"""Search that starts from a network with its rules: which calls it compares, and what it says of them."""

from random import Random

import numpy as np
import pytest

from borel import Auction, Call, Hand, Vulnerability
from borel.bidding.grounded import BORDER, GroundedBidder
from borel.bidding.grounded_search import GroundedSearch
from borel.bidding.neural_search import NeuralSearch
from borel.decision import Limit
from borel.errors import BridgeError
from borel.policies.encode import CALLS, SIZE
from borel.policies.network import Network
from borel.policies.spec import bidder
from borel.view import BiddingView, Systems

FIGHT = Auction.parse("N", "1H 1S 2H")
HAND = Hand.parse("KJ84.72.A95.8643")


def fond_of(call: str) -> Network:
    biases = np.zeros(CALLS, np.float32)
    biases[Call.parse(call).index] = 10
    return Network(((np.zeros((SIZE, CALLS), np.float32), biases),), {"system": "sayc"})


def searcher(call: str) -> GroundedSearch:
    prior = GroundedBidder(fond_of(call), fond_of("2S"))
    return GroundedSearch(prior, limit=Limit(layouts=16, instances=4000), solve=0)


def calls_compared(search: GroundedSearch, view: BiddingView) -> list[Call]:
    judge = search.judge_for(view)
    return search.candidates(judge, judge.encode(np.array([view.hand.mask], np.uint64))[0], view)


def test_the_networks_call_comes_first_and_the_rules_call_is_compared():
    view = BiddingView(FIGHT.turn, HAND, FIGHT, Vulnerability.NONE)
    rules = searcher("2S").rules_call(view)
    assert rules == Call.parse("2S")
    assert calls_compared(searcher("4S"), view)[:2] == [Call.parse("4S"), rules]
    assert calls_compared(searcher("2S"), view)[0] == rules


def test_opponents_of_another_system_are_met_by_the_rules_alone():
    view = BiddingView(FIGHT.turn, HAND, FIGHT, Vulnerability.NONE, systems=Systems("two_over_one", "sayc"))
    assert Call.parse("4C") not in calls_compared(searcher("4C"), view)


def test_a_decision_says_what_the_network_thought_before():
    view = BiddingView(FIGHT.turn, HAND, FIGHT, Vulnerability.NONE)
    decision = searcher("4S").decide(view, rng=Random(1))
    assert decision.choice in FIGHT.legal_calls()
    told = {candidate.choice: candidate.why for candidate in decision.candidates}
    assert told[Call.parse("4S")].startswith("expected to gain +5.0 IMPs on the rules' 2S; ")
    assert "expected" not in told[Call.parse("2S")]
    assert "the network's" in decision.why
    assert searcher("2S").decide(view, rng=Random(1)).why.startswith("the rules' call; ")


def test_what_the_imitation_would_not_expect_must_look_better_by_more():
    view = BiddingView(FIGHT.turn, HAND, FIGHT, Vulnerability.NONE)
    strange = searcher("4S").strange(view)
    assert strange[Call.parse("2S")] == 0  # the rules' call, and the imitation's
    assert strange[Call.parse("4S")] == pytest.approx(10 / BORDER)
    assert set(strange) == set(FIGHT.legal_calls())


def test_who_looks_ahead_by_what():
    assert isinstance(bidder("neural-search:sayc,seconds=0.1"), GroundedSearch)
    by_network = bidder("neural-search:sayc,seconds=0.1,rollouts=network")
    assert isinstance(by_network, NeuralSearch)
    assert by_network.networks[2] is not by_network.network
    assert not by_network.private
    partnership = bidder("neural-search:sayc-partnership,seconds=0.1")
    assert isinstance(partnership, NeuralSearch)
    assert partnership.private
    assert partnership.networks[2].manifest["kind"] == "imitation"
    for wrong in ("sayc,rollouts=dice", "sayc-partnership,rollouts=rules"):
        with pytest.raises(BridgeError, match="rollouts are by"):
            bidder(f"neural-search:{wrong}")
