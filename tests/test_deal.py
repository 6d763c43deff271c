import pytest
from hypothesis import given
from hypothesis import strategies as st

from borel import ALL_CARDS, Board, Deal, Hand, Seat, Side, Vulnerability
from borel.errors import DealError, ParseError
from strategies import deals, partial_deals, seats


@given(deals() | partial_deals(), seats)
def test_deal_text_round_trips_from_any_seat(deal, first):
    assert Deal.parse(str(deal)) == deal == eval(repr(deal))
    assert Deal.parse(deal.text(first)) == deal
    assert Deal.of_masks(deal.masks) == deal


@given(partial_deals())
def test_every_card_of_a_deal_is_held_or_unknown(deal):
    for card in ALL_CARDS:
        holder = deal.holder(card)
        assert (holder is None) == (card in deal.unknown)
        assert holder is None or card in deal.hand(holder)


@given(deals(), st.integers(0, 3))
def test_rotation_moves_hands_clockwise(deal, turns):
    for seat in Seat:
        assert deal.rotated(turns).hand(Seat((seat + turns) % 4)) == deal.hand(seat)


def test_a_card_held_twice_names_card_and_holders():
    with pytest.raises(DealError, match="SA is held by North and South"):
        Deal.parse("N:A... - A... -")


@pytest.mark.parametrize("text", ["", "N", "N:", "N:- - -", "X:- - - -", "N:- - - - -", "AKQ...", "N:1... - - -"])
def test_what_is_not_a_deal_is_said(text):
    with pytest.raises(ParseError, match="not a "):
        Deal.parse(text)


def test_unknown_hands_are_representable():
    deal = Deal.parse("W:AKQJ.T98.765.432 - T987.AKQ.432.J98 -")
    assert deal.hand(Seat.N) == Hand(0)
    assert not deal.is_complete
    assert len(deal.unknown) == 26
    assert deal.with_hand(Seat.W, Hand(0)).hand(Seat.W) == Hand(0)


def test_diagram_shows_every_suit_of_every_hand():
    deal = Deal.parse("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    assert deal.diagram().count("AKQJT98765432") == 4
    assert deal.diagram().count("—") == 12


def test_board_numbers_give_dealer_and_vulnerability_by_law_2():
    sequence = [
        "None",
        "NS",
        "EW",
        "All",
        "NS",
        "EW",
        "All",
        "None",
        "EW",
        "All",
        "None",
        "NS",
        "All",
        "None",
        "NS",
        "EW",
    ]
    for number in range(1, 65):
        board = Board.numbered(number, Deal.parse("N:- - - -"))
        assert board.dealer is Seat((number - 1) % 4)
        assert str(board.vulnerability) == sequence[(number - 1) % 16]
    with pytest.raises(DealError, match="begin at 1"):
        Board.numbered(0, Deal.parse("N:- - - -"))


def test_vulnerability_reads_pbn_and_lin_words():
    for words, expected in {
        "None Love - o": Vulnerability.NONE,
        "NS n N/S": Vulnerability.NS,
        "EW e": Vulnerability.EW,
        "All Both b": Vulnerability.ALL,
    }.items():
        for word in words.split():
            assert Vulnerability.parse(word) is expected
    assert [Vulnerability.ALL.includes(side) for side in Side] == [True, True]
    assert [Vulnerability.EW.includes(side) for side in Side] == [False, True]
    with pytest.raises(ParseError, match="not a vulnerability"):
        Vulnerability.parse("maybe")
