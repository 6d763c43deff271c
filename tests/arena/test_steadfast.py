"""A defect in one decision does not stop the board."""

from random import Random

from borel import PASS, Auction, Board, Card, Decision, Seat, Vulnerability
from borel.arena.steadfast import SteadfastBidder, SteadfastPlayer
from borel.arena.table import Table
from borel.auction import Call
from strategies import shuffled_deal


class Fails:
    def decide(self, view, *, rng):
        raise ValueError("no layout found")


class Cheats:
    def decide(self, view, *, rng):
        return Decision(Call.parse("XX") if not hasattr(view, "played") else Card.parse("SA"), "")


def test_who_fails_or_cheats_passes_and_plays_low():
    board = Board(shuffled_deal(Random(1)), Seat.N, Vulnerability.NONE, 1)
    for player in (Fails(), Cheats()):
        table = Table(dict.fromkeys(Seat, SteadfastBidder(player)), dict.fromkeys(Seat, SteadfastPlayer(player)))
        auction, calls = table.bid(board, rng=Random(1))
        assert auction.is_passed_out
        assert all(call.choice == PASS and "failed" in call.why for call in calls)
        bid = Auction.parse("N", "1NT AP")
        play, cards = table.play(board, bid, ("",) * 4, rng=Random(1))
        assert len(play.cards) == 52
        assert "failed" in cards[0].why
