import pytest
from hypothesis import given

from borel import ALL_CARDS, Card, Hand, Rank, Seat, Side, Strain, Suit
from borel.errors import DealError, ParseError
from strategies import cards, hands


@given(cards)
def test_card_text_round_trips(card):
    assert Card.parse(str(card)) == card == eval(repr(card))
    assert Card.parse(card.symbol) == card == Card.parse(str(card).lower())
    assert Card.of_index(card.index) == card
    assert 1 << card.index == card.mask


@pytest.mark.parametrize("text", ["ST", "S10", "♠10", "♤T", "st", "s10", "TS", "10S", "10♠", " ST "])
def test_ten_of_spades_has_many_spellings(text):
    assert Card.parse(text) == Card(Suit.S, Rank.TEN)


@pytest.mark.parametrize("text", ["", "S", "S1", "SAA", "A", "XX", "S11", "SA HK", "🂡", "S" * 1000])
def test_what_is_not_a_card_is_said(text):
    with pytest.raises(ParseError, match="not a card"):
        Card.parse(text)


def test_the_encoding_is_the_one_that_is_stated():
    assert [c.index for c in ALL_CARDS] == list(range(52))
    assert Card.parse("C2").index == 0
    assert Card.parse("SA").index == 51
    assert Card.parse("D2").index == 13
    assert [s.value for s in (Seat.N, Seat.E, Seat.S, Seat.W)] == [0, 1, 2, 3]
    assert [str(s) for s in Strain] == ["C", "D", "H", "S", "NT"]


def test_enumerations_rebuild_from_their_repr():
    for kind in (Seat, Side, Suit, Strain, Rank):
        for member in kind:
            assert eval(repr(member)) is member
    for kind in (Seat, Suit, Strain, Rank):
        for member in kind:
            assert kind.parse(str(member)) is member


def test_seats_go_round_clockwise():
    for seat in Seat:
        assert seat.lho.rho is seat is seat.partner.partner
        assert seat.lho.lho is seat.partner
        assert seat.side is seat.partner.side is seat.lho.side.other
        assert seat in seat.side.seats
        assert [seat.turns_to(other) for other in (seat, seat.lho, seat.partner, seat.rho)] == [0, 1, 2, 3]


@given(hands)
def test_hand_text_round_trips(hand):
    assert Hand.parse(str(hand)) == hand == eval(repr(hand))
    assert Hand.parse(hand.pretty()) == hand
    assert Hand.of(hand) == hand
    assert len(hand) == sum(hand.lengths) == len(list(hand))
    assert hand.hcp == sum(card.rank.hcp for card in hand)


def test_hands_read_tens_symbols_and_letters():
    hand = Hand.parse("AQ5.KJ92.87.AT43")
    for text in ("AQ5.KJ92.87.A1043", "♠AQ5 ♥KJ92 ♦87 ♣A1043", "sAQ5hKJ92d87cAT43", "S:AQ5 H:KJ92 D:87 C:A 10 4 3"):
        assert Hand.parse(text) == hand
    assert Hand.parse("♠AKQ ♥- ♦— ♣2") == Hand.parse("AKQ...2")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("AKQ.J", "2 suits instead of four"),
        ("AKQ.J.X.2", "'X' is not a rank"),
        ("AAK...", "A twice in one suit"),
        ("AKQJT98765432.2..", "14 cards"),
        ("SAKSQ", "spades twice"),
        ("AKQ", "expected S.H.D.C"),
        ("A" * 5000, "far too long"),
    ],
)
def test_what_is_not_a_hand_is_said(text, why):
    with pytest.raises(ParseError, match="not a hand") as error:
        Hand.parse(text)
    assert why in str(error.value)
    assert len(str(error.value)) < 250


def test_a_hand_holds_at_most_thirteen_different_cards():
    with pytest.raises(DealError, match="at most 13"):
        Hand((1 << 14) - 1)
    with pytest.raises(DealError, match="52-bit"):
        Hand(1 << 52)
    with pytest.raises(DealError, match="SA twice"):
        Hand.of([Card.parse("SA"), Card.parse("SA")])
    with pytest.raises(DealError, match="SK is not in"):
        Hand.parse("A...").without(Card.parse("SK"))
    assert Hand.parse("AK...").without(Card.parse("SK")) == Hand.parse("A...")
