"""Directed dealing: exact counts, every layout equally likely, whatever is known."""

from collections import Counter
from itertools import combinations
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from borel import Auction, Contract, Deal, Hand, Play, Seat, Vulnerability, _core
from borel.errors import ImpossibleError
from borel.sampling import HandLimits, Knowledge, knowledge_of
from borel.view import PlayView
from chi_square import alike, two_samples
from strategies import deals

NORTH = Hand.parse("AQ5.KJ92.87.AT43")


def knowing(*hands: Hand) -> Knowledge:
    masks = [hand.mask for hand in hands] + [0] * (4 - len(hands))
    return Knowledge(tuple(masks))


def test_with_nothing_known_but_one_hand_there_are_39_over_13_13_13_layouts():
    assert knowing(NORTH).layouts().count() == pytest.approx(factorial(39) / factorial(13) ** 3, rel=1e-12)


def test_the_textbook_chances_of_a_break_are_exact():
    layouts = knowing(Hand.parse("AQ5.KJ92.87.AT43"), Hand(), Hand.parse("9642.A3.AKJ52.K2")).layouts()
    six_missing = [layouts.chance({Seat.E: [HandLimits.of(S=(n, n))]}) for n in range(7)]
    assert sum(six_missing) == pytest.approx(1)
    exact = [comb(6, n) * comb(20, 13 - n) / comb(26, 13) for n in range(7)]
    assert six_missing == pytest.approx(exact)
    assert six_missing[3] == pytest.approx(0.3553, abs=1e-4)


def test_an_opening_by_east_makes_him_the_likelier_to_hold_the_missing_queen():
    known = knowing(NORTH, Hand(), Hand.parse("964.A3.AKJ52.K52"))
    west_lacks_it = known.lacking(Seat.W, Hand.parse("...Q"))
    opened = {Seat.E: [HandLimits.of(hcp=(8, 37))]}
    assert west_lacks_it.layouts().count() / known.layouts().count() == pytest.approx(0.5)
    assert west_lacks_it.limited(opened).layouts().count() / known.limited(opened).layouts().count() > 0.6


@pytest.mark.parametrize("size", [2, 3])
def test_counts_and_frequencies_agree_with_going_through_every_layout_of_an_ending(size):
    """East, South and West get the last cards: small enough to list."""
    cards = list(Hand.parse("AK.Q2.T.7" if size == 2 else "AKJ.Q2.T3.75"))
    rest = [c for c in range(52) if c not in {card.index for card in cards}]
    fixed = [rest[:13], rest[13 : 26 - size], rest[26 - size : 39 - 2 * size], rest[39 - 2 * size :]]
    masks = [sum(1 << c for c in part) for part in fixed]
    limits = {
        Seat.E: [HandLimits.of(hcp=(0, 20), S=(0, 7))],
        Seat.S: [HandLimits.of(hcp=(5, 18)), HandLimits.of(H=(0, 5))],
        Seat.W: [HandLimits.of(hcp=(3, 30))],
    }
    knowledge = Knowledge(tuple(masks)).limited(limits).lacking(Seat.W, Hand.of([cards[0]]))
    expected = set(listed(cards, masks, size, knowledge))
    drawn = Counter(tuple(map(int, row)) for row in knowledge.layouts().draw(200 * len(expected), seed=1))
    assert set(drawn) == expected
    chi_square = sum((count - 200) ** 2 / 200 for count in drawn.values())
    assert alike(chi_square, max(1, len(expected) - 1))


def listed(cards, masks, size, knowledge):
    """Every layout, by brute force."""
    indices = [card.index for card in cards]
    for east in combinations(indices, size):
        for south in combinations([c for c in indices if c not in east], size):
            parts = (east, south, [c for c in indices if c not in east and c not in south])
            hands = [masks[0], *(m + sum(1 << c for c in part) for m, part in zip(masks[1:], parts, strict=True))]
            fits = all(any(x.admits(Hand(h)) for x in knowledge.limits[s]) for s, h in enumerate(hands) if s)
            if fits and not any(h & f for h, f in zip(hands, knowledge.forbidden, strict=True)):
                yield tuple(hands)


CASES = {
    "nothing known": {},
    "a strong notrump opposite": {Seat.S: [HandLimits.of(hcp=(15, 17), **dict.fromkeys("CDHS", (2, 5)))]},
    "two passes and an opening": {
        Seat.E: [HandLimits.of(hcp=(0, 11))],
        Seat.S: [HandLimits.of(hcp=(12, 21), S=(5, 13))],
        Seat.W: [HandLimits.of(hcp=(0, 11), S=(0, 5))],
    },
    "weak or strong": {Seat.E: [HandLimits.of(hcp=(5, 10), D=(6, 13)), HandLimits.of(hcp=(18, 37))]},
    "alternatives that overlap": {
        Seat.S: [HandLimits.of(S=(5, 13)), HandLimits.of(H=(5, 13)), HandLimits.of(hcp=(12, 37))]
    },
}


@pytest.mark.parametrize("name", CASES)
def test_lengths_and_points_of_every_hidden_hand_are_those_of_plain_rejection(name):
    knowledge = knowing(NORTH).limited(CASES[name])
    plain = _core.deal(400_000, 7, 0, [NORTH.mask, 0, 0, 0])
    fits = np.ones(len(plain), dtype=bool)
    for seat in (Seat.E, Seat.S, Seat.W):
        numbers = _core.hand_numbers(plain[:, seat])
        fits &= np.any([limits.distances(numbers) == 0 for limits in knowledge.limits[seat]], axis=0)
    plain = plain[fits]
    ours = knowledge.layouts().draw(20_000, seed=3)
    assert len(plain) > 1000
    for seat in (Seat.E, Seat.S, Seat.W):
        for column in range(5):
            values = [_core.hand_numbers(hands[:, seat])[:, column].astype(int) for hands in (plain, ours)]
            assert alike(*two_samples(*values)), (seat, column)


def test_the_share_of_alternatives_that_do_not_overlap_is_exact():
    knowledge = knowing(NORTH).limited(CASES["weak or strong"])
    layouts = knowledge.layouts()
    strong = layouts.chance({Seat.E: [HandLimits.of(hcp=(18, 37))]})
    hcp = _core.hand_numbers(layouts.draw(20_000, seed=5)[:, Seat.E])[:, 4]
    assert np.mean(hcp >= 18) == pytest.approx(strong, abs=0.015)


def test_a_layout_depends_on_its_number_and_the_seed_alone():
    layouts = knowing(NORTH).limited(CASES["alternatives that overlap"]).layouts()
    together = layouts.draw(100, seed=9)
    assert (layouts.draw(40, seed=9, first=60) == together[60:]).all()
    assert (layouts.draw(100, seed=10) != together).any()


@given(deals(), st.integers(0, 51), st.randoms(use_true_random=False))
def test_in_play_every_layout_keeps_what_was_seen_and_lets_the_play_be_legal(deal, cards, random):
    contract = Contract.parse("3NT by S")
    play = Play(deal, contract)
    for _ in range(cards):
        play = play.after(random.choice(play.legal_cards()))
    seat = Seat(random.choice([0, 1, 2, 3]))
    dummy = deal.hand(contract.dummy) if play.cards else None
    auction = Auction.parse("S", "1NT P 3NT AP")
    view = PlayView(seat, deal.hand(seat), dummy, contract, auction, play.cards, Vulnerability.NONE)
    layout = knowledge_of(view).layouts().draw(5, seed=cards)
    for row in layout:
        imagined = Deal.of_masks(tuple(map(int, row)))
        assert imagined.hand(seat) == deal.hand(seat)
        assert dummy is None or imagined.hand(contract.dummy) == dummy
        assert Play(imagined, contract, play.cards).cards == play.cards


def test_contradictory_limits_are_an_error_that_says_what_was_asked():
    layouts = knowing(NORTH).limited({Seat.E: [HandLimits.of(hcp=(30, 37))]}).layouts()
    assert layouts.is_empty
    with pytest.raises(ImpossibleError, match="East: 30"):
        layouts.draw(1, seed=1)


def test_without_a_known_hand_the_core_refuses():
    with pytest.raises(ValueError, match="must be known"):
        Knowledge((0, 0, 0, 0)).layouts()


@pytest.mark.parametrize("aces", [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_an_answer_to_an_ace_asking_bid_is_dealt_without_bias(aces):
    limits = {Seat.S: [HandLimits.of(aces=aces, hcp=(8, 37))]}
    plain = _core.deal(200_000, 9, 0, [Hand.parse("KQ5.KJ92.87.A643").mask, 0, 0, 0])
    numbers = _core.hand_numbers(plain[:, Seat.S])
    plain = plain[(numbers[:, 5] == aces[0]) & (numbers[:, 4] >= 8)]
    ours = knowing(Hand.parse("KQ5.KJ92.87.A643")).limited(limits).layouts().draw(5000, seed=3)
    for seat in (Seat.E, Seat.S, Seat.W):
        for column in range(7):
            values = [_core.hand_numbers(hands[:, seat])[:, column].astype(int) for hands in (plain, ours)]
            assert alike(*two_samples(*values)), (seat, column)
