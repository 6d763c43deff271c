"""Algorithm 7.1.7: a plan takes in layouts that are like those it was made for, and is never more than achievable."""

from random import Random

import numpy as np
import pytest

from borel import ALL_CARDS, Auction, Board, Card, Contract, Deal, Hand, Play, Seat, Strain, Vulnerability, _core
from borel.arena.table import Table
from borel.cardplay import AchievableSets
from borel.cardplay.endings import Ending
from borel.errors import BridgeError

SAMPLE = 6


def random_ending(seed: int) -> tuple[Ending, int]:
    random = Random(seed)
    deck = random.sample(ALL_CARDS, 16)
    hands = tuple(Hand.of(deck[i * 4 : i * 4 + 4]) for i in range(4))
    return Ending(Deal(hands), Strain(random.randrange(5)), Seat.S, Seat.S), random.randrange(1, 4)


def plans_of(ending: Ending, needed: int, *, spare: int) -> list[tuple[int, float, float, list[int]]]:
    layouts = ending.layouts()
    Random(1).shuffle(layouts)
    seen = [ending.deal.hand(seat).mask for seat in (Seat.S, Seat.N)]
    start = (int(Seat.S), seen, ending.unseen, int(ending.strain), int(Seat.S), [], needed)
    chosen = np.ascontiguousarray(layouts[: SAMPLE + spare])
    weights = np.full(len(chosen), 1 / len(chosen))
    plans, _, _ = _core.squeaky_wheel(*start, chosen, weights, depth=20, spare=spare)
    exact, _, _ = _core.single_dummy(*start, chosen, weights)
    for _, _, double_dummy, won in plans:
        assert not won or any(set(won) <= set(line) for _, line, _ in exact), "more than any line wins"
        assert len(won) / len(chosen) <= double_dummy + 1e-9
    return plans


@pytest.mark.parametrize("seed", range(25))
def test_a_plan_that_takes_in_spare_layouts_is_achievable(seed):
    plans_of(*random_ending(seed), spare=40)


def test_spare_layouts_are_taken_in():
    taken = 0
    for seed in range(10):
        ending, needed = random_ending(seed)
        taken += sum(layout >= SAMPLE for plan in plans_of(ending, needed, spare=40) for layout in plan[3])
    assert taken > 20


def test_a_sample_of_nothing_but_spare_layouts_is_refused():
    ending, needed = random_ending(0)
    seen = [ending.deal.hand(seat).mask for seat in (Seat.S, Seat.N)]
    layouts = ending.layouts()[:5]
    with pytest.raises(ValueError, match="at least one layout"):
        _core.squeaky_wheel(
            int(Seat.S), seen, ending.unseen, int(ending.strain), int(Seat.S), [], needed, layouts, np.full(5, 0.2),
            spare=5,
        )  # fmt: skip


def test_a_player_with_spare_layouts_plays_and_refuses_too_many():
    play = Play(
        Deal.parse("N:AQ7.KJ5.KJ8.QJT4 65.A43.A9742.K32 KJT984.T2.QT63.A 32.Q9876.5.98765"), Contract.parse("4S by S")
    ).after_all(map(Card.parse, "D5 D8 DA D3 D2 D6 S2 DJ H7 H5 HA H2 D9 DT S3".split()))
    auction = Auction(Seat.S).after("4S").all_pass()
    board = Board(play.deal, Seat.S, Vulnerability.NONE)
    view = Table({}, {}).play_view(board, auction, play, ("",) * len(auction))
    decision = AchievableSets(layouts=12, depth=3, seconds=None, spare=12).decide(view, rng=Random(1))
    assert decision.choice in play.legal_cards()
    with pytest.raises(BridgeError, match="1 to 200 layouts"):
        AchievableSets(layouts=150, spare=51)
