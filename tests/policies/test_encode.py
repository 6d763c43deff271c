"""What a network sees: against the Laws in Python, and bit by bit against OpenSpiel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies as bridge
from borel import ALL_CALLS, Auction, Hand, Seat, Side, Vulnerability, _core
from borel.policies.encode import FIELDS, SIZE, auction_row, card_rows, legal_row, observation
from borel.view import BiddingView


def as_rows(auction: Auction) -> tuple[np.ndarray, np.ndarray]:
    calls = np.array([[call.index for call in auction.calls]], dtype=np.uint8).reshape(1, -1)
    return calls, np.array([len(auction)], dtype=np.int32)


@given(bridge.auctions())
def test_legal_calls_are_those_of_the_laws(auction):
    expected = {call.index for call in auction.legal_calls()}
    assert set(np.flatnonzero(legal_row(auction))) == expected


@given(bridge.auctions(complete=True))
def test_contracts_are_those_of_the_laws(auction):
    over, bid, declarer, doubled = (int(number) for number in _core.contracts(*as_rows(auction))[0])
    assert over == 1
    if auction.contract is None:
        assert bid == -1
        return
    call = ALL_CALLS[bid + 3]
    assert (call.level, call.strain) == (auction.contract.level, auction.contract.strain)
    assert Seat((auction.dealer + declarer) % 4) is auction.contract.declarer
    assert doubled == auction.contract.doubled


@given(st.lists(st.integers(0, 255), max_size=12))
def test_any_bytes_are_judged_not_trusted(calls):
    auction, legal = Auction(Seat.N), True
    for call in calls:
        if auction.is_over or call >= 38 or ALL_CALLS[call] not in auction.legal_calls():
            legal = False
            break
        auction = auction.after(ALL_CALLS[call])
    row = np.array([calls], dtype=np.uint8).reshape(1, -1), np.array([len(calls)], dtype=np.int32)
    over = int(_core.contracts(*row)[0, 0])
    assert over == (-1 if not legal else int(auction.is_over))
    if not legal:
        assert not _core.legal_calls(*row).any()


def test_fields_cover_the_row():
    covered = [place for field in FIELDS.values() for place in range(field.start, field.stop)]
    assert covered == list(range(SIZE))


def test_a_hand_adds_its_thirteen_cards():
    rows = card_rows(np.array([Hand.parse("AKQ.AKQ.AKQ.AKQJ").mask], dtype=np.uint64))
    assert rows.sum() == 13
    assert rows[0, -4:].tolist() == [1, 1, 1, 1]  # the aces


def test_the_auction_row_has_no_cards():
    row = auction_row(Auction.parse("N", "1C P 1H"), Side.EW, Vulnerability.EW)
    assert not row[FIELDS["cards"]].any()
    assert row[FIELDS["ours vulnerable"]].tolist() == [0, 1]


@given(bridge.deals(), bridge.auctions(), bridge.vulnerabilities)
def test_as_open_spiel_sees_it(deal, auction, vulnerability):
    pyspiel = pytest.importorskip("pyspiel")
    if auction.is_over:
        return
    dealer = auction.dealer
    ours, theirs = vulnerability.includes(dealer.side), vulnerability.includes(dealer.side.other)
    words = f"dealer_vul={str(ours).lower()},non_dealer_vul={str(theirs).lower()},use_double_dummy_result=false"
    state = pyspiel.load_game(f"bridge({words})").new_initial_state()
    turned = [deal.hand(Seat((dealer + turn) % 4)) for turn in range(4)]  # OpenSpiel's player 0 deals
    cards = [[4 * card.rank + card.suit for card in hand] for hand in turned]
    for number in range(52):
        state.apply_action(cards[number % 4][number // 4])
    for call in auction.calls:
        state.apply_action(52 + call.index)
    view = BiddingView(auction.turn, deal.hand(auction.turn), auction, vulnerability)
    assert observation(view).tolist() == state.observation_tensor()[4:484]
