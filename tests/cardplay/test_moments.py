"""What everybody saw when a card was played."""

from borel import Auction, Card, Contract, Deal, Seat, Suit
from borel.cardplay.moments import Moment, moments

DEAL = Deal.parse("N:QJT7.32.8432.AJ3 -.QJ654.AQJT5.Q98 AK43.AKT7.K.KT76 98652.98.976.542")
CARDS = tuple(map(Card.parse, "D7 D2 DA DK H4 HA H8 H2 SA S2 S7 D5".split()))


def at(place: int, auction: Auction | None = None) -> Moment:
    found = moments(Contract.parse("4S by S"), auction or Auction(Seat.S), CARDS, DEAL.hand(Seat.N), set(Seat))
    return dict(found)[place]


def test_the_opening_lead_is_no_moment():
    assert 0 not in dict(moments(Contract.parse("4S by S"), Auction(Seat.S), CARDS, DEAL.hand(Seat.N), [Seat.W]))


def test_the_trick_so_far():
    third = at(2)
    assert (third.seat, third.defends, third.partner_led, third.partner_wins) == (Seat.E, True, True, True)
    assert third.to_beat == Card.parse("D7").rank
    assert third.kind(follows=True) == "third hand, defender"
    last = at(3)
    assert (last.seat, last.defends, last.partner_wins) == (Seat.S, False, False)
    assert at(11).kind(follows=False) == "discard, defender"


def test_what_dummy_still_has_and_whether_it_is_to_play():
    assert at(9).dummy_after
    assert not at(2).dummy_after
    assert at(5).dummy[Suit.D].bit_count() == 3
    assert at(5).gone[Suit.D].bit_count() == 4


def test_who_led_and_who_bid():
    auction = Auction(Seat.S).after("1C").after("P").after("1S").after("P").after("4S")
    moment = at(8, auction)
    assert (Suit.C, Seat.S) in moment.bid  # clubs are a suit too, though the lowest
    assert moment.led == {(Suit.D, Seat.W), (Suit.H, Seat.E)}
    assert moment.has_done(moment.led, Suit.H, ours=False)
    assert not moment.has_done(moment.led, Suit.S, ours=True)
    assert moment.played_in == {Suit.D, Suit.H}
