"""The three ways to a sample: unbiased, repeatable, within their limits, and never empty."""

from random import Random

import numpy as np
import pytest

from borel import Auction, Hand, Seat, Vulnerability, _core
from borel.decision import Limit
from borel.errors import BridgeError
from borel.sampling import HandLimits, directed, evidence_of, knowledge_of, rbmbmc, soft
from borel.view import BiddingView
from chi_square import alike, two_samples
from small_system import SmallSystem, shown

HAND = Hand.parse("AQ5.KJ92.87.QT43")
AUCTIONS = ["P", "1S P", "P 1D", "1NT P 2S P", "P P 1S P"]


def view_of(text: str, hand: Hand = HAND) -> BiddingView:
    auction = Auction.parse("N", text)
    return BiddingView(auction.turn, hand, auction, Vulnerability.NONE)


def plain_rejection(view: BiddingView, model: SmallSystem, count: int) -> np.ndarray:
    fixed = [0, 0, 0, 0]
    fixed[view.seat] = view.hand.mask
    hands = _core.deal(count, 11, 0, fixed)
    return hands[evidence_of(view, model).inconsistent(hands, 1) == 0]


@pytest.mark.parametrize("text", AUCTIONS)
def test_directed_dealing_gives_what_plain_rejection_gives(text):
    view, model = view_of(text), SmallSystem()
    expected = plain_rejection(view, model, 300_000)
    sample = directed(
        view, model, layouts=10_000, shown=shown(view.auction), limit=Limit(instances=10**6), rng=Random(1)
    )
    assert sample.is_consistent
    assert len(sample) >= 10_000
    for seat in knowledge_of(view).hidden:
        for column in range(5):
            ours, theirs = (_core.hand_numbers(h[:, seat])[:, column].astype(int) for h in (sample.hands, expected))
            assert alike(*two_samples(ours, theirs)), (seat, column)


def test_limits_only_save_work_they_do_not_change_what_is_likely():
    view, model = view_of("1S P"), SmallSystem()
    free = directed(view, model, layouts=1000, limit=Limit(instances=10**6), rng=Random(1))
    aimed = directed(view, model, layouts=1000, shown=shown(view.auction), rng=Random(1))
    assert aimed.instances < free.instances / 4
    assert abs(hcp(free, Seat.N).mean() - hcp(aimed, Seat.N).mean()) < 0.5


def hcp(sample, seat: Seat) -> np.ndarray:
    return _core.hand_numbers(sample.hand(seat))[:, 4].astype(float)


def test_a_stochastic_model_gives_weights_and_the_means_of_its_posterior():
    view, model = view_of("1S P"), SmallSystem(whims=0.3)
    sample = directed(view, model, layouts=3000, limit=Limit(instances=400_000), rng=Random(2))
    hands = _core.deal(200_000, 5, 0, [0, 0, view.hand.mask, 0])
    weights = evidence_of(view, model).weights(hands)
    expected = float(weights @ _core.hand_numbers(hands[:, Seat.N])[:, 4]) / weights.sum()
    assert 3000 <= sample.effective_size < len(sample)
    assert sample.mean(hcp(sample, Seat.N)) == pytest.approx(expected, abs=0.3)


def test_a_floor_leaves_room_for_whims():
    view = view_of("2S P")
    strict = directed(view, SmallSystem(), layouts=300, rng=Random(3))
    human = directed(view, SmallSystem(), layouts=300, floor=0.001, limit=Limit(instances=200_000), rng=Random(3))
    assert hcp(strict, Seat.N).max() <= 10
    assert hcp(human, Seat.N).max() > 10


def test_resampling_and_trimming_keep_the_means():
    view, model = view_of("1S P"), SmallSystem(whims=0.3)
    sample = directed(view, model, layouts=3000, limit=Limit(instances=400_000), rng=Random(2))
    points = sample.mean(hcp(sample, Seat.N))
    even, short = sample.resampled(2000, Random(4)), sample.trimmed(1000, Random(4))
    assert len(even) == 2000
    assert even.effective_size == pytest.approx(2000)
    assert even.mean(hcp(even, Seat.N)) == pytest.approx(points, abs=0.2)
    assert len(short) == pytest.approx(1000, abs=120)
    assert len({tuple(row) for row in short.hands.tolist()}) == len(short)
    assert short.mean(hcp(short, Seat.N)) == pytest.approx(points, abs=0.5)


@pytest.mark.parametrize("text", AUCTIONS)
@pytest.mark.parametrize("instances", [60, 500, 5_000])
def test_rbmbmc_is_figure_2_of_the_paper_whatever_the_batches(text, instances):
    view, model = view_of(text), SmallSystem()
    sample = rbmbmc(view, model, layouts=50, limit=Limit(instances=instances), rng=Random(5))
    hands, counts, used = figure_2(view, model, 50, instances, Random(5))
    assert sample.hands.tolist() == hands
    assert sample.inconsistency.tolist() == counts
    assert sample.instances == used
    assert sample.accepted == counts.count(0)


def figure_2(view, model, size, limit, rng):
    """RBMBMC one instance at a time, as the paper writes it."""
    evidence, layouts, seed = evidence_of(view, model), knowledge_of(view).layouts(), rng.getrandbits(64)

    def inconsistent(row: np.ndarray) -> int:
        return int(evidence.inconsistent(row, len(evidence.heard) + 1)[0])

    hands = [layouts.draw(1, seed, i) for i in range(size)]
    counts, used = [inconsistent(row) for row in hands], size
    while used < limit and max(counts) > 0:
        row = layouts.draw(1, seed, used)
        used += 1
        if (count := inconsistent(row)) < max(counts):
            worst = counts.index(max(counts))
            hands[worst], counts[worst] = row, count
    return [row[0].tolist() for row in hands], counts, used


def test_the_cut_off_only_saves_work():
    view, model = view_of("P 1D P 1S P"), SmallSystem()
    evidence = evidence_of(view, model)
    hands = knowledge_of(view).layouts().draw(500, seed=1)
    whole = evidence.inconsistent(hands, 99)
    for cut_off in range(4):
        assert (evidence.inconsistent(hands, cut_off) == np.minimum(whole, cut_off)).all()


def test_soft_constraints_keep_the_nearest_and_trust_partner_twice_as_much():
    everything = [HandLimits.of(hcp=(37, 37))]
    partner = soft(view_of("1S P"), {Seat.N: everything, Seat.E: everything}, layouts=20, rng=Random(6))
    assert len(partner) == 20
    assert not partner.is_consistent
    assert hcp(partner, Seat.N).mean() > hcp(partner, Seat.E).mean() + 10


def test_soft_constraints_that_can_be_met_are_met():
    view = view_of("1S P")
    sample = soft(view, shown(view.auction), layouts=100, rng=Random(7))
    assert sample.is_consistent
    assert all(shown(view.auction)[Seat.N][0].admits(deal.hand(Seat.N)) for deal in sample.deals())


IMPOSSIBLE = Hand.parse("AKQ.AKQ.AKQ.AKQ2")  # nobody else can have an opening


@pytest.mark.parametrize("method", ["directed", "rbmbmc", "soft"])
def test_a_sample_is_never_empty_and_says_how_far_off_it_is(method):
    view = view_of("1NT P 3NT P", IMPOSSIBLE)
    if method == "soft":
        sample = soft(view, shown(view.auction), layouts=20, limit=Limit(instances=1000), rng=Random(8))
    elif method == "rbmbmc":
        sample = rbmbmc(view, SmallSystem(), layouts=20, limit=Limit(instances=1000), rng=Random(8))
    else:
        sample = directed(
            view, SmallSystem(), layouts=20, shown=shown(view.auction), limit=Limit(instances=1000), rng=Random(8)
        )
    assert len(sample)
    assert (sample.inconsistency > 0).all()
    assert sample.accepted == 0
    assert sample.weights.sum() == pytest.approx(1)


def test_aces_that_nobody_can_hold_are_forgotten_and_the_rest_of_what_was_shown_is_not():
    """Partner shows three aces and a club suit, and we hold two aces: as people at a table will."""
    view = view_of("1S P 1NT P")
    told = HandLimits.of(aces=(3, 4), hcp=(12, 37), C=(5, 13))
    sample = directed(view, SmallSystem(), layouts=20, shown={Seat.S: [told]}, rng=Random(8))
    assert len(sample)
    for deal in sample.deals():
        assert deal.hand(Seat.N) == HAND
        assert HandLimits.of(hcp=(12, 37), C=(5, 13)).admits(deal.hand(Seat.S))


@pytest.mark.parametrize("method", [directed, rbmbmc])
def test_the_same_random_numbers_give_the_same_sample(method):
    view = view_of("1S P")
    first, second = (method(view, SmallSystem(), layouts=50, rng=Random(9)) for _ in range(2))
    assert (first.hands == second.hands).all()
    assert (first.weights == second.weights).all()


def test_seconds_are_obeyed():
    view = view_of("1NT P 3NT P", IMPOSSIBLE)
    sample = rbmbmc(view, SmallSystem(), layouts=50, limit=Limit(seconds=0.3), rng=Random(10))
    assert 0.25 < sample.seconds < 1.0


def test_a_sample_of_no_layouts_is_refused():
    with pytest.raises(BridgeError, match="at least one layout"):
        directed(view_of("P"), SmallSystem(), layouts=0, rng=Random(1))
