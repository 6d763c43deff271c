import pytest
from hypothesis import given

from borel import Card, Claim, Contract, Deal, Play, Seat, Side, Strain
from borel.errors import IllegalCardError
from borel.play import trick_winner
from strategies import cards, deals, plays


@given(plays())
def test_a_play_rebuilds_from_its_repr(play):
    assert eval(repr(play)) == play
    assert hash(eval(repr(play))) == hash(play)
    assert Play(play.deal, play.contract).after_all(play.cards) == play


@given(plays(), cards)
def test_legal_cards_are_just_those_that_can_be_played(play, card):
    if card in play.legal_cards():
        assert play.after(card).cards == (*play.cards, card)
    else:
        with pytest.raises(IllegalCardError, match=str(card)):
            play.after(card)


@given(plays())
def test_tricks_add_up(play):
    complete = [trick for trick in play.tricks if len(trick.cards) == 4]
    for side in Side:
        assert play.tricks_won(side) == sum(trick.winner(play.strain).side is side for trick in complete)
    assert len(play.cards) + sum(len(play.held(seat)) for seat in Seat) == 52
    assert play.is_over == (len(play.cards) == 52)
    assert (play.dummy is None) == (len(play.cards) == 0)


@given(deals())
def test_a_whole_play_gives_thirteen_tricks(deal):
    play = Play(deal, Contract.parse("3NT by S"))
    assert play.turn is Seat.W
    while not play.is_over:
        play = play.after(play.legal_cards()[0])
    assert play.tricks_won(Side.NS) + play.tricks_won(Side.EW) == 13


@pytest.mark.parametrize(
    ("trick", "strain", "winner"),
    [
        ("S2 SA SK S3", "NT", 1),
        ("S2 HA HK H3", "NT", 0),
        ("S2 SA C2 S3", "C", 2),
        ("S2 C3 C2 CA", "C", 3),
        ("C2 SA C3 S2", "C", 2),
    ],
)
def test_the_highest_trump_or_card_of_the_suit_led_wins(trick, strain, winner):
    assert trick_winner(tuple(map(Card.parse, trick.split())), Strain.parse(strain)) == winner


DEAL = Deal.parse("N:AK.A.. QJ.K.. T9.Q.. 87.J..")


def test_a_revoke_names_the_suit_and_the_law():
    play = Play(DEAL, Contract.parse("1NT by S")).after("S8").after("SA").after("SQ")
    with pytest.raises(
        IllegalCardError, match=r"HQ is not legal for S after S8 SA SQ: a revoke, spades were led \(Law 44C\)"
    ):
        play.after("HQ")


def test_suits_shown_out_are_known():
    deal = Deal.parse("N:A.2.. K.3.. .Q.2. Q.4..")
    play = Play(deal, Contract.parse("1NT by S")).after_all(map(Card.parse, ["SQ", "SA", "SK", "HQ"]))
    assert [suit.word for suit in play.shown_out(Seat.S)] == ["spades"]
    assert play.shown_out(Seat.E) == frozenset()


def test_claims_end_the_play_and_must_be_possible():
    play = Play(DEAL, Contract.parse("1NT by S")).after_all(map(Card.parse, ["S8", "SA", "SQ", "S9"]))
    claimed = play.claimed(3, Seat.S)
    assert claimed.is_over
    assert claimed.declarer_tricks == 3
    assert claimed.claim == Claim(4, 3, Seat.S)
    with pytest.raises(IllegalCardError, match="the play is over"):
        claimed.after("SK")
    for impossible in (0, 4):
        with pytest.raises(IllegalCardError, match="can reach 3"):
            play.claimed(impossible)
    with pytest.raises(IllegalCardError, match="a claim after 3 cards, but 4 were played"):
        Play(DEAL, play.contract, play.cards, Claim(3, 1))
