from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from borel import Auction
from borel.auction import ALL_CALLS
from borel.bidding.tables import Tables, random_conditions
from borel.cards import Hand, Seat
from borel.deal import Vulnerability
from borel.dealing import deal_masks
from borel.learning import lessons, teacher
from borel.learning.lessons import load_lessons, make_lessons, parts_of, split
from borel.learning.other_hands import OtherHands, load_others, save_others
from borel.learning.rare import ASKED, ENOUGH, VAIN, Company, RareAuctions
from borel.learning.seeking import neighbours
from borel.learning.teacher import bid_by_system
from borel.policies.encode import CARDS, card_rows
from borel.policies.rules import RuleBidder
from borel.systems import Situation, load_system
from borel.systems.hand import features_of_batch
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


def test_every_board_is_bid_once_and_none_that_is_held_out_is_asked_about(tmp_path, monkeypatch):
    make_lessons(tmp_path / "whole", "sayc", 8, 162, workers=0)
    whole, asked = load_lessons(tmp_path / "whole", 162)
    _, held_out = split(162)
    assert not set(asked.hands.tolist()) & set(whole.hands[held_out].reshape(-1).tolist())
    assert (whole.contracts()[:, 0] == 1).all()
    assert (whole.hands == deal_masks(162, 8)).all()
    assert len(set(zip(*whole.vulnerable[held_out].T.tolist(), strict=True))) == 4
    monkeypatch.setattr(lessons, "PART", 15)  # three parts of each vulnerability
    assert {part.of for part in parts_of(162)} == {3}
    for branch in (5, 0):  # branches of few boards; none at all, so that the first part has everything
        monkeypatch.setattr(teacher, "BRANCH", branch)
        make_lessons(tmp_path / f"{branch}", "sayc", 8, 162, workers=0)
        parted, others = load_lessons(tmp_path / f"{branch}", 162)
        assert parted.lengths.tolist() == whole.lengths.tolist()
        assert (parted.calls == whole.calls).all()
        assert points_of(others) == points_of(asked)


def points_of(others: OtherHands) -> set[bytes]:
    return {row.tobytes() for row in np.column_stack([others.points.calls, others.points.vulnerable])}


def test_rules_that_were_not_heard_enough_are_asked_more_about():
    system, stock = load_system("sayc"), deal_masks(500, 5).reshape(-1)
    curious, sated = RareAuctions(system), RareAuctions(system, Counter(dict.fromkeys(places(system), ENOUGH)))
    more, fewer = (walker.walk(stock, 100, np.random.default_rng(5)) for walker in (curious, sated))
    assert np.bincount(fewer.places).max() <= ASKED < np.bincount(more.places).max()
    assert len(more) / len(more.points) > 2 * len(fewer) / len(fewer.points)


def test_rules_are_sought_where_a_walk_found_that_they_can_speak_and_given_up_where_they_stay_silent():
    system, stock = load_system("sayc"), deal_masks(500, 5).reshape(-1)
    walker = RareAuctions(system)
    walker.walk(stock, 200, np.random.default_rng(5))
    spelt_out = {place for group in system.blocks if walker._examples(group) for place in places(group)}
    assert set(walker.noted) - spelt_out  # rules of headers that spell no auction out
    lacking = {place for group in walker._lacking() for place in places(group)}
    silent = Counter(dict.fromkeys(places(system), VAIN))
    assert lacking
    assert not RareAuctions(system, _vain=silent)._lacking()


def places(system):
    return [rule.place for rule in system.rules]


@given(st.integers(0, 2**32 - 1))
def test_neighbours_are_hands_that_differ_in_at_most_three_cards(seed):
    hands = deal_masks(3, seed).reshape(-1)
    near = neighbours(hands, 40, np.random.default_rng(seed))
    assert all(int(hand).bit_count() == 13 for hand in near)
    exchanged = [min((int(hand) ^ int(old)).bit_count() for old in hands) for hand in near]
    assert max(exchanged) <= 6
    assert min(exchanged) >= 0


def test_a_small_company_is_filled_up_with_hands_that_would_have_bid_the_same():
    system, rng = load_system("sayc"), np.random.default_rng(2)
    start = Situation((system, system), (False, False)).start()
    hands = deal_masks(3000, 9).reshape(-1)
    everyone = Company(hands, features_of_batch(hands, wide=system.wide))
    strong = everyone.after(start, 8, start.calls_of_batch(everyone.features) == 8)  # open 2C
    assert 0 < len(strong) < 128
    filled = strong.filled(rng, wide=system.wide)
    assert len(filled) > 2 * len(strong)
    assert len(set(filled.hands.tolist())) == len(filled)
    assert (start.calls_of_batch(filled.features) == 8).all()
