"""Conventions that `two_over_one` has but does not play unless told to; and a strong club, against which it defends."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from borel.auction import Auction
from borel.cards import Hand, Seat
from borel.deal import Vulnerability
from borel.policies.rules import RuleBidder
from borel.systems.loader import read_system
from borel.view import BiddingView

SYSTEMS = {
    "two_way": "include two_over_one.bid\nconvention two_way on\nconvention checkback off",
    "cappelletti": "include two_over_one.bid\nconvention cappelletti on\nconvention dont off",
    "natural": "include two_over_one.bid\nconvention natural_over_nt on\nconvention dont off",
    "new_minor": "include two_over_one.bid",
}
STRONG_CLUB = """
open
  1C    16+ hcp                 "strong, any shape"   forcing, alert
  1S    11-15 hcp, 5+ S         "spades"
  pass  otherwise
after 1C
  1D    otherwise               "negative"            forcing
"""


@cache
def bidder(name: str) -> RuleBidder:
    if name == "sayc_against_strong_club":
        return RuleBidder("sayc", theirs=read_system(STRONG_CLUB))
    if name == "against_strong_club":
        return RuleBidder("two_over_one", theirs=read_system(STRONG_CLUB))
    return RuleBidder(read_system(SYSTEMS[name]))


def call(name: str, hand: str, auction: str) -> str:
    heard = Auction.parse(Seat.N, auction)
    view = BiddingView(heard.turn, Hand.parse(hand), heard, Vulnerability.NONE)
    return str(bidder(name).decide(view, rng=Random(0)).choice)


@pytest.mark.parametrize(
    ("name", "hand", "auction", "calls", "why"),
    [
        # two-way checkback
        ("two_way", "KQ743.A85.84.Q62", "1C P 1S P 1NT P", "2C", "eleven points: the relay, then an invitation"),
        ("two_way", "A5.K84.KQ73.QJ62", "1C P 1S P 1NT P 2C P", "2D", "as asked"),
        ("two_way", "KQ743.A85.84.Q62", "1C P 1S P 1NT P 2C P 2D P", "2S", "five spades, invites"),
        ("two_way", "KQ743.A85.A4.Q62", "1C P 1S P 1NT P", "2D", "game values: forced to game"),
        ("two_way", "A85.K84.KQ73.J62", "1C P 1S P 1NT P 2D P", "2S", "three-card support"),
        ("two_way", "KQ743.A85.A4.Q62", "1C P 1S P 1NT P 2D P 2S P", "4S", "the fit is found"),
        ("two_way", "Q743.85.QJ8642.2", "1C P 1S P 1NT P", "2C", "weak with diamonds: the relay"),
        ("two_way", "Q743.85.QJ8642.2", "1C P 1S P 1NT P 2C P 2D P", "P", "to play in diamonds"),
        ("two_way", "A85.K84.KQ73.J62", "1C P 1S P 1NT P 2C P 2D P 2S P", "P/4S", "support, a minimum"),
        ("new_minor", "KQ743.A85.A4.Q62", "1C P 1S P 1NT P", "2D", "the other minor asks"),
        ("new_minor", "KQ743.A85.A4.Q62", "1D P 1S P 1NT P", "2C", "the other minor asks"),
        # Cappelletti
        ("cappelletti", "AQ5.KJ84.AQ73.K2", "1NT", "X", "as strong as they are: penalties"),
        ("cappelletti", "5.84.AQ3.KQJ8642", "1NT", "2C", "one long suit"),
        ("cappelletti", "KQ842.AJ953.84.2", "1NT", "2D", "both majors"),
        ("cappelletti", "KQJ42.8.84.AQ953", "1NT", "2S", "spades and a minor"),
        ("cappelletti", "8.84.AQ953.KQJ42", "1NT", "2NT", "both minors"),
        ("cappelletti", "Q842.953.K84.J62", "1NT 2C P", "2D", "which suit?"),
        ("cappelletti", "5.84.AQ3.KQJ8642", "1NT 2C P 2D P", "3C", "clubs"),
        ("cappelletti", "5.AQJ842.A83.Q86", "1NT 2C P 2D P", "2H", "hearts"),
        ("cappelletti", "Q842.9.KJ84.J632", "1NT 2D P", "2S/3S", "prefers spades"),
        ("cappelletti", "4.Q953.KJ84.J632", "1NT 2S P", "2NT", "asks for the minor"),
        ("cappelletti", "KQJ42.8.84.AQ953", "1NT 2S P 2NT P", "3C", "clubs"),
        ("cappelletti", "Q842.953.K84.J62", "1NT X P", "P", "defends"),
        # natural overcalls of their notrump
        ("natural", "KQJ842.8.A84.953", "1NT", "2S", "a good six-card suit"),
        ("natural", "AQ5.KJ84.AQ73.K2", "1NT", "X", "penalties"),
        # against a strong club
        ("against_strong_club", "KQ842.KJ95.84.32", "1C", "X", "both majors"),
        ("against_strong_club", "4.85.KQ842.KJ953", "1C", "1NT", "both minors"),
        ("against_strong_club", "KQT842.95.84.632", "1C", "2S", "a weak jump"),
        ("against_strong_club", "KQJ42.A95.84.632", "1C", "1S", "natural"),
        ("against_strong_club", "Q842.J95.K84.632", "1C", "P", "nothing to say"),
        ("against_strong_club", "Q842.J9.K8432.63", "1C X P", "1S/2S/3S", "answers with the longer major"),
        ("against_strong_club", "KQ842.KJ95.84.32", "1C P 1D", "X", "both majors over the negative"),
        ("sayc_against_strong_club", "KQJ42.A95.84.632", "1C", "1S", "natural"),
        ("sayc_against_strong_club", "84.A5.K73.KQT842", "1C", "2C", "natural: they have not bid clubs"),
        ("sayc_against_strong_club", "KQT842.95.84.632", "1C", "2S", "a weak jump"),
        ("sayc_against_strong_club", "KQ84.KJ95.A84.32", "1C", "P", "a flat thirteen: the hand is theirs"),
        ("sayc_against_strong_club", "AQ84.KJ95.AK4.K2", "1C P 1D", "X", "as strong as opener"),
        ("sayc_against_strong_club", "4.K5.QJ842.KJ953", "1C P 1D", "2NT", "both minors"),
    ],
)
def test_a_convention_that_is_switched_on_is_bid_with_its_answers(name, hand, auction, calls, why):
    assert call(name, hand, auction) in calls.split("/"), why


def test_one_of_a_minor_that_is_not_strong_meets_the_ordinary_defence():
    assert call("new_minor", "KQ842.KJ95.84.32", "1C") == "1S"
