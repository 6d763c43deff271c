"""Reviews: what a call cost, who paid, and what could not be judged."""

from dataclasses import dataclass, replace

import pytest
from toys import LIGHT, SOUND, Tricks, raising

from borel import Auction, Deal, Seat, Side, Vulnerability
from borel.arena import Contestant
from borel.arena.experiment import board_of
from borel.arena.report import review_records
from borel.arena.review import Review
from borel.errors import BridgeError
from borel.formats import pbn
from borel.record import Record
from borel.scoring import imps, ns_score
from borel.store import Store

STRONG = Deal.parse("N:AQ5.KJ92.K7.AT43 JT98.Q54.T98.982 K42.A83.Q62.KQ75 763.T76.AJ543.J6")
NAMES = ("Nan", "Ed", "Sue", "Wes")


def record(calls, deal=STRONG, **more):
    auction = Auction.parse("N", calls)
    return Record(1, Seat.N, Vulnerability.NONE, deal, NAMES, auction, **more)


def review(records, bidder=SOUND, workers=0, **options):
    with Store("none") as store:
        return Review(bidder, records, scorer=Tricks(), **options).run(store=store, workers=workers)


def test_calls_that_the_bidder_would_make_cost_nothing():
    found = review([record("1NT P 3NT P P P")])
    assert not any(call.differs or call.cost for _, call in found.calls)
    assert found.json()["agreement"] == 1


def test_a_missed_game_costs_the_difference_in_imps_to_the_one_who_missed_it():
    found = review([record("1NT P P P")])
    (_, worst), *others = found.worst()
    assert (worst.player, worst.call, worst.better) == ("Sue", "P", "3NT")
    board = board_of(1, 1)
    taken = Tricks().tricks(replace(board, deal=STRONG), [Auction.parse("N", "1NT P 3NT AP")])[0]
    game = ns_score(Auction.parse("N", "1NT P 3NT AP").contract, taken, Vulnerability.NONE)
    part = ns_score(Auction.parse("N", "1NT AP").contract, taken, Vulnerability.NONE)
    assert worst.cost == imps(game - part) > 0
    assert not others


def test_costs_are_counted_for_the_side_that_called():
    turned = STRONG.rotated(1)
    found = review([replace(record("P 1NT P P P", turned))])
    worst = found.worst()[0][1]
    assert (Seat.parse(worst.seat).side, worst.player, worst.better) == (Side.EW, "Wes", "3NT")
    assert worst.cost > 0


def test_players_and_rounds_are_summed_up():
    found = review([record("1NT P P P"), record("1NT P 3NT P P P")])
    table = found.by_player()
    assert next(iter(table)) == "Sue"
    calls, differ, cost = table["Sue"]
    assert (calls, differ) == (2, 1)
    assert cost.mean == found.worst()[0][1].cost / 2
    assert set(found.by_round()) == {1, 2}


def test_records_that_cannot_be_reviewed_are_reported():
    found = review([record("1NT P P P"), Record(2, Seat.N, Vulnerability.NONE, STRONG), Record(3)])
    assert [board.void for board in found.voids] == [
        "there is no auction",
        "the deal, the dealer or the vulnerability is not known",
    ]
    assert found.json()["void"] == 2


def test_nothing_to_review_is_an_error():
    with pytest.raises(BridgeError, match="nothing to review: there is no auction"):
        review([Record(2, Seat.N, Vulnerability.NONE, STRONG)])


def test_a_failing_bidder_makes_the_record_void():
    deal = board_of(1, 1).deal
    found = review([record("P P P P", deal.rotated(turn)) for turn in range(4)] + [record("P P P P")],
                   Contestant("broken", raising))  # fmt: skip
    assert len(found.boards) == 5


@dataclass(frozen=True)
class Rotations:
    """Layouts for a test: the two other hands exchanged, or not."""

    def of(self, view, deal, bidder, *, rng):
        lho, rho = view.seat.lho, view.seat.rho
        other = deal.with_hand(lho, deal.hand(rho).__class__(0)).with_hand(rho, deal.hand(lho))
        return [deal, other.with_hand(lho, deal.hand(rho))], [1.0, 3.0]


def test_sampled_layouts_give_a_weighted_cost_with_its_error():
    found = review([record("1NT P P P")], layouts=Rotations())
    worst = found.worst()[0][1]
    assert worst.cost > 0
    assert worst.standard_error == 0  # the opponents' hands do not matter to the toy tricks
    assert "Rotations" in found.layouts


def test_the_session_comes_back_as_pbn_with_comments():
    records = [record("1NT P P P")]
    text = pbn.dumps(review_records(review(records), records))
    assert "sound: 3NT, +" in text
    assert pbn.loads(text)[0].auction == records[0].auction


def test_workers_do_not_change_the_review():
    records = [record("1NT P P P"), record("P P P P"), record("1NT P 3NT P P P")]
    assert review(records, LIGHT, workers=2).boards == review(records, LIGHT).boards
