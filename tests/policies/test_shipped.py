"""The networks in the package: what they are, where they come from, that they bid as their system does."""

from importlib.resources import files
from random import Random

import pytest

from borel import Auction, Call, Hand, Vulnerability
from borel.bidding.grounded import GroundedBidder
from borel.policies.neural import NeuralBidder, shipped, shipped_networks
from borel.policies.rules import RuleBidder
from borel.policies.spec import bidder, usual_bidder
from borel.view import BiddingView

# hand, auction (North deals): calls that no judgement changes
PLAIN = [
    ("AQ5.KJ92.87.AT43", ""),
    ("KQJ95.A4.K83.J72", ""),
    ("72.J94.T8653.Q62", ""),
    ("A5.KQJ83.Q74.J92", "P P"),
    ("KQ75.83.J962.A84", "1S P"),
    ("J2.KJ9763.A5.Q84", "1NT P"),
    ("A4.Q2.KJ9873.J62", "1H P"),
    ("AKQ92.AKJ4.A.KQ2", ""),
]


def test_there_is_a_network_for_the_standard_system():
    assert "sayc" in shipped_networks()


@pytest.mark.parametrize("name", shipped_networks())
def test_it_says_where_it_comes_from_and_is_small(name):
    network = shipped(name)
    assert network.manifest["system"]
    assert network.manifest["data"]
    assert network.manifest["held_out"]["right"] > 0.9
    assert len(files("borel.policies").joinpath("weights", f"{name}.safetensors").read_bytes()) < 10_000_000


@pytest.mark.parametrize("name", ["sayc", "two_over_one"])
def test_the_heir_of_an_imitation_sits_down_with_its_rules(name):
    assert isinstance(bidder(f"neural:{name}"), GroundedBidder)
    assert usual_bidder(name) == f"neural-search:{name},seconds=1,sampled=4000"


def test_a_network_that_was_brought_up_for_itself_sits_down_alone():
    assert type(bidder("neural:sayc-partnership")) is NeuralBidder


@pytest.mark.parametrize(("hand", "auction"), PLAIN)
def test_it_speaks_the_language_of_its_system(hand, auction):
    so_far = Auction.parse("N", auction)
    view = BiddingView(so_far.turn, Hand.parse(hand), so_far, Vulnerability.NONE)
    rules = RuleBidder("sayc").decide(view, rng=Random(0)).choice
    assert NeuralBidder(shipped("sayc")).decide(view, rng=Random(0)).choice == rules


def test_nobody_looks_ahead_instead_of_answering_a_question():
    asked = Auction.parse("N", "1NT P 4C P 4D P 5C P")
    view = BiddingView(asked.turn, Hand.parse("K2.K9873.KQJ.KQ4"), asked, Vulnerability.NONE)
    kings = bidder("neural-search:sayc,layouts=16").decide(view, rng=Random(0))
    assert (kings.choice, kings.why) == (Call.parse("5D"), "the only call that the rules leave")
