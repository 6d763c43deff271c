"""Dealing: repeatable, exact, around the cards that were given."""

import math
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from borel import Deal, Hand, Seat, Suit, _core
from borel.dealing import Dealer, deal, deal_masks, deals, join_predealt
from borel.errors import DealError, ImpossibleError
from borel.features import features
from strategies import partial_deals

STRONG = "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)"


def chi_square(observed, expected):
    """The p-value of counts against expected counts, by the Wilson-Hilferty approximation."""
    observed, expected = np.asarray(observed, dtype=float), np.asarray(expected, dtype=float)
    statistic, freedom = ((observed - expected) ** 2 / expected).sum(), observed.size - 1
    z = ((statistic / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    return 0.5 * math.erfc(z / math.sqrt(2))


def found_numbers(dealer, count):
    """The numbers of the next deals."""
    parts = []
    while sum(len(part) for part in parts) < count:
        parts.append(dealer.block(count - sum(len(part) for part in parts))[1])
    return np.concatenate(parts)


def test_a_deal_depends_on_seed_and_number_alone():
    batch = deal_masks(50, 7)
    assert [d.masks for d in deals(50, 7)] == [tuple(row) for row in batch.tolist()]
    assert all(deal(7, i).masks == tuple(batch[i].tolist()) for i in range(50))
    assert list(islice(Dealer(7), 3)) == list(deals(3, 7))
    assert list(deals(5, 8)) != list(deals(5, 7))


def test_the_first_deals_of_a_seed_never_change():
    assert str(deal(1, 0)) == FIRST_DEAL


FIRST_DEAL = "N:A74.QJ73.AQ53.43 KJ82.AT865.87.AT 653.4.K64.QJ9872 QT9.K92.JT92.K65"


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_threads_and_batches_do_not_change_the_deals(threads):
    whole = deal_masks(300, 5, where=STRONG)
    assert np.array_equal(deal_masks(300, 5, where=STRONG, threads=threads), whole)
    dealer = Dealer(5, where=STRONG, threads=threads)
    parts = [block for size in (1, 7, 100, 192) for block in dealer.blocks(size)]
    assert np.array_equal(np.concatenate(parts), whole)


def test_a_condition_picks_deals_of_the_seed_in_order():
    dealer = Dealer(5, where=STRONG)
    numbers = found_numbers(dealer, 20)
    assert (np.diff(numbers.astype(np.int64)) > 0).all()
    assert [deal(5, number) for number in numbers.tolist()] == list(deals(20, 5, where=STRONG))
    every = list(deals(int(numbers[-1]) + 1, 5))
    assert sum(dealer.condition.holds(d) for d in every) == len(numbers)


def test_every_deal_is_a_deal():
    batch = deal_masks(2000, 3)
    assert (np.bitwise_or.reduce(batch, axis=1) == (1 << 52) - 1).all()
    assert (np.bitwise_count(batch) == 13).all()


def test_every_card_is_equally_likely_in_every_hand():
    count = 40_000
    batch = deal_masks(count, 17)
    for card in range(52):
        seats = ((batch >> np.uint64(card)) & np.uint64(1)).sum(axis=0)
        assert chi_square(seats, [count / 4] * 4) > 1e-5, f"card {card}"


def test_suit_lengths_come_as_often_as_they_should():
    count = 100_000
    batch = deal_masks(count, 23)
    for seat in Seat:
        for suit in Suit:
            lengths = features(batch[:, seat].copy(), [f"length({suit})"])[:, 0]
            observed = np.bincount(np.clip(lengths, 0, 8), minlength=9)
            exact = [math.comb(13, n) * math.comb(39, 13 - n) / math.comb(52, 13) for n in range(14)]
            expected = [count * p for p in [*exact[:8], sum(exact[8:])]]
            assert chi_square(observed, expected) > 1e-5


def points_distribution():
    """How many of the hands of thirteen cards have each number of points, exactly."""
    ways = {(0, 0): 1}
    for value in [4, 3, 2, 1] * 4:
        for (cards, points), number in list(ways.items()):
            ways[cards + 1, points + value] = ways.get((cards + 1, points + value), 0) + number
    total = [0] * 41
    for (cards, points), number in ways.items():
        if cards <= 13:
            total[points] += number * math.comb(36, 13 - cards)
    return [number / math.comb(52, 13) for number in total]


def test_points_come_as_often_as_they_should():
    count = 100_000
    batch = deal_masks(count, 29)
    exact = points_distribution()
    for seat in Seat:
        points = features(batch[:, seat].copy(), ["hcp"])[:, 0]
        observed = np.bincount(np.clip(points, 0, 24), minlength=25)
        assert chi_square(observed, [count * p for p in [*exact[:24], sum(exact[24:])]]) > 1e-5


def test_given_a_condition_the_rest_is_as_it_should_be():
    """Given that North has five spades, the other eight are spread over three hands of thirteen alike."""
    count = 30_000
    batch = deal_masks(count, 31, where="spades(north) == 5")
    lengths = features(batch[:, Seat.S].copy(), ["length(S)"])[:, 0]
    exact = [math.comb(8, n) * math.comb(31, 13 - n) / math.comb(39, 13) for n in range(9)]
    observed = np.bincount(np.clip(lengths, 0, 6), minlength=7)
    assert chi_square(observed, [count * p for p in [*exact[:6], sum(exact[6:])]]) > 1e-5


def test_given_cards_the_rest_is_as_it_should_be():
    count = 30_000
    given = {Seat.E: Hand.parse("AKQJT98..."), Seat.W: Hand.parse(".AK..")}
    batch = deal_masks(count, 37, predealt=given)
    # 43 cards are left: 13 places North, 6 East, 13 South, 11 West.
    for card in (0, 12, 20, 40, 44):
        seats = ((batch >> np.uint64(card)) & np.uint64(1)).sum(axis=0)
        assert chi_square(seats, [count * places / 43 for places in (13, 6, 13, 11)]) > 1e-5


@settings(max_examples=60)
@given(partial_deals(), st.integers(0, 2**64 - 1))
def test_predealt_cards_stay_where_they_are(given_deal, seed):
    dealt = deal(seed, 0, predealt=given_deal)
    assert dealt.is_complete
    assert all(hand.mask & ~full.mask == 0 for hand, full in zip(given_deal, dealt, strict=True))


def test_cards_given_twice_are_refused():
    with pytest.raises(DealError, match="SA is held by North and South"):
        deal(1, 0, predealt={Seat.N: Hand.parse("A..."), Seat.S: Hand.parse("A...")})
    with pytest.raises(DealError, match="SA twice in one hand"):
        join_predealt({Seat.N: Hand.parse("A...")}, {Seat.N: Hand.parse("AK...")})
    with pytest.raises(DealError, match="at most 13 cards"):
        join_predealt({Seat.N: Hand.parse("AKQJT98765432...")}, {Seat.N: Hand.parse(".A..")})


def test_the_core_refuses_cards_that_are_no_partial_deal():
    with pytest.raises(ValueError, match="not a partial deal"):
        _core.deal(1, 1, 0, [1, 1, 0, 0])
    with pytest.raises(ValueError, match="not a partial deal"):
        _core.deal(1, 1, 0, [(1 << 14) - 1, 0, 0, 0])


def test_cards_of_the_script_and_of_the_call_are_put_together():
    dealt = next(deals(1, 1, where="predeal north SAK\nspades(north) >= 4", predealt={Seat.N: Hand.parse("Q...")}))
    assert dealt.hand(Seat.N).holding(Suit.S).startswith("AKQ")
    assert dealt.hand(Seat.N).length(Suit.S) >= 4


@pytest.mark.parametrize("threads", [1, 3])
def test_what_cannot_be_met_stops_after_the_stated_tries(threads):
    with pytest.raises(ImpossibleError, match="not met in 50,000 tries after 0 deals"):
        list(deals(1, 1, where="hcp(north) > 37", max_tries=50_000, threads=threads))
    with pytest.raises(ImpossibleError, match=r"not met in 200 tries after [1-9]\d* deals"):
        list(deals(10_000, 1, where="hcp(north) >= 20", max_tries=200, threads=threads))


def test_tries_are_counted_for_each_deal():
    dealer = Dealer(9, where="hcp(north) >= 20")
    numbers = found_numbers(dealer, 5)
    gaps = np.diff(np.concatenate([[-1], numbers.astype(np.int64)]))
    longest = int(gaps.max())
    assert len(list(deals(5, 9, where="hcp(north) >= 20", max_tries=longest))) == 5
    with pytest.raises(ImpossibleError):
        list(deals(5, 9, where="hcp(north) >= 20", max_tries=longest - 1))
    assert (dealer.tries, dealer.found) == (int(numbers[-1]) + 1, 5)


@pytest.mark.parametrize(("seed", "options"), [(-1, {}), (2**64, {}), (1, {"max_tries": 0}), (1, {"first": -1})])
def test_numbers_out_of_range_are_refused(seed, options):
    with pytest.raises(DealError):
        Dealer(seed, **options)


def test_no_deals_are_no_deals():
    assert list(deals(0, 1)) == []
    assert deal_masks(0, 1, where="1").shape == (0, 4)


def test_a_complete_deal_predealt_is_that_deal():
    given_deal = deal(3, 3)
    assert deal(1, 0, predealt=given_deal) == given_deal
    assert isinstance(given_deal, Deal)
