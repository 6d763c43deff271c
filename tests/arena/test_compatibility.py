"""How good a partner a bot is."""

import pytest
from toys import LIGHT, LUCKY, SOUND, Tricks

from borel.arena.compatibility import SEATINGS, Compatibility, partner_imps
from borel.auction import Auction
from borel.scoring import imps
from borel.store import Store


def measure(a, w, boards=30, workers=0):
    with Store("none") as store:
        return Compatibility(a, w, seed=2, scorer=Tricks()).play(boards, store=store, workers=workers)


def test_a_bot_is_exactly_as_good_a_partner_to_itself_as_itself():
    assert set(measure(LUCKY, LUCKY).result.imps) == {0}


def test_each_seat_counts_once_with_the_sign_of_its_side():
    # Only one seat differs from the table of four w's, by +10 imps to North-South.
    for seat, sign in enumerate((1, -1, 1, -1)):
        scores = [0] * 5
        scores[seat + 1] = 430
        assert partner_imps(tuple(scores)) == 10 * sign


def test_the_metric_is_that_of_the_paper_with_its_misprint_corrected():
    found = measure(LIGHT, SOUND)
    assert any(board.imps for board in found.boards)
    for board in found.boards:
        s = dict(zip(SEATINGS, board.ns_scores, strict=True))
        w = s["wwww"]
        wanted = imps(s["awww"] - w) - imps(s["waww"] - w) + imps(s["wwaw"] - w) - imps(s["wwwa"] - w)
        assert board.imps == wanted


def test_deals_on_which_one_side_never_bids_are_found():
    found = measure(LIGHT, SOUND)
    for board in found.boards:
        bidders = set()
        for text in board.auctions:
            auction = Auction.parse("NESW"[(board.number - 1) % 4], text)
            bidders |= {auction.seat_of(i).side for i, call in enumerate(auction) if call.is_bid}
        assert board.one_sided == (len(bidders) < 2)
    assert 0 < len(found.one_sided.imps) < len(found.result.imps)
    assert found.json()["one_side_silent"]["boards"] == len(found.one_sided.imps)


def test_workers_do_not_change_the_result():
    assert measure(LIGHT, SOUND, 8, workers=2).boards == measure(LIGHT, SOUND, 8).boards


def test_a_void_deal_is_reported():
    from toys import raising

    from borel.arena import Contestant

    found = measure(Contestant("broken", raising), SOUND, 12)
    assert found.voids
    assert len(found.counted) + len(found.voids) == 12
    assert found.json()["void"] == len(found.voids)


def test_what_never_works_is_an_error():
    from functools import partial

    from borel.arena import Contestant
    from borel.errors import BridgeError

    with pytest.raises(BridgeError, match="no board could be counted"):
        measure(Contestant("no bidder", partial(object)), SOUND, 2)
