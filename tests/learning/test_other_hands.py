from random import Random

import numpy as np
import pytest

from borel import Auction
from borel.auction import ALL_CALLS
from borel.bidding.tables import Tables, random_conditions
from borel.cards import Hand, Seat
from borel.deal import Vulnerability
from borel.dealing import deal_masks
from borel.learning.imitation import ShardBidder, split
from borel.learning.other_hands import OtherHands, load_others, save_others
from borel.learning.rare import RareAuctions
from borel.learning.teacher import bid_by_system
from borel.policies.encode import CARDS, card_rows
from borel.policies.rules import RuleBidder
from borel.systems import load_system
from borel.view import BiddingView


@pytest.fixture(scope="module", params=["boards", "rare auctions"])
def others(request) -> OtherHands:
    if request.param == "rare auctions":
        stock = deal_masks(500, 3).reshape(-1)
        return RareAuctions(load_system("sayc")).walk(stock, 150, np.random.default_rng(3))
    tables = Tables.start(deal_masks(25, 3), *random_conditions(25, np.random.default_rng(3)))
    return bid_by_system(tables, "sayc", asked=6)


def auction_at(points: Tables, place: int, length: int) -> Auction:
    auction = Auction(Seat(int(points.dealer[place])))
    for call in points.calls[place, :length]:
        auction = auction.after(ALL_CALLS[call])
    return auction


def test_the_rules_make_these_calls_and_made_the_seats_earlier_ones(others):
    bidder, points = RuleBidder("sayc"), others.points
    for number in Random(1).sample(range(len(others)), 25):
        place, hand = int(others.places[number]), Hand(int(others.hands[number]))
        vulnerability = Vulnerability(int(points.vulnerable[place] @ [1, 2]))
        length = int(points.lengths[place])
        for made in range(length % 4, length + 1, 4):  # the seat's own turns, this one last
            auction = auction_at(points, place, made)
            call = bidder.decide(BiddingView(auction.turn, hand, auction, vulnerability), rng=Random(0)).choice
            expected = others.calls[number] if made == length else points.calls[place, made]
            assert call.index == expected, (str(hand), str(auction))


def test_an_example_shows_the_hand_and_a_legal_call(others):
    chosen = np.arange(len(others))
    inputs, legal, calls = others.example(chosen)
    assert (inputs[:, CARDS] == card_rows(others.hands)).all()
    assert legal[chosen, calls].all()
    assert not others.points.hands.any()  # nothing is written into the points themselves


def test_they_are_kept_in_a_file_and_joined(others, tmp_path):
    save_others(tmp_path / "others.npz", others)
    both = OtherHands.joined([others, load_others(tmp_path / "others.npz")])
    first, second = both.example(np.arange(len(others))), both.example(np.arange(len(others), len(both)))
    assert all((a == b).all() for a, b in zip(first, second, strict=True))


def test_no_board_that_is_held_out_is_asked_about():
    tables, others = ShardBidder("sayc", 8)((0, 40))
    _, held_out = split(40)
    assert not set(others.hands.tolist()) & set(tables.hands[held_out].reshape(-1).tolist())
    assert (tables.lengths >= 4).all()


def test_a_walk_goes_where_it_has_not_been():
    """Two walks by one listener hear more rules than two that begin anew each, with the same hands and dice."""
    system, stock = load_system("sayc"), deal_masks(500, 5).reshape(-1)
    listener, forgetful = RareAuctions(system), [RareAuctions(system) for _ in range(2)]
    for seed in (5, 6):
        listener.walk(stock, 300, np.random.default_rng(seed))
        forgetful[seed - 5].walk(stock, 300, np.random.default_rng(seed))
    assert len(listener.heard) > len(forgetful[0].heard + forgetful[1].heard)
