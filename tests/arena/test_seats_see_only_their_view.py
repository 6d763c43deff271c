"""A table shows each seat its view and nothing else: with other hidden hands, every view would have been the same."""

from random import Random

import pytest
from hypothesis import given

from borel import (
    ALL_CALLS,
    PASS,
    Auction,
    Board,
    Call,
    Card,
    Contract,
    Deal,
    Decision,
    Play,
    Seat,
    Vulnerability,
)
from borel.arena.table import Table
from borel.errors import BridgeError, DealError, IllegalCallError
from borel.view import BiddingView, PlayView, next_to_play, played_by
from strategies import contracts, deals, randoms, shuffled_deal


class Anyone:
    """Calls and plays at random, and remembers every view it was shown."""

    def __init__(self) -> None:
        self.views: list[BiddingView | PlayView] = []

    def decide(self, view, *, rng):
        self.views.append(view)
        if isinstance(view, BiddingView):
            legal = view.auction.legal_calls()
            return Decision(PASS if rng.random() < 0.6 else rng.choice(legal[:8]), "a secret", "public")
        return Decision(rng.choice(view.legal_cards()), "a secret")


def run(deal: Deal, seed: int):
    anyone = Anyone()
    seats = dict.fromkeys(Seat, anyone)
    board = Board(deal, Seat.E, Vulnerability.NS, 2)
    return Table(seats, seats).run(board, rng=Random(seed)), anyone.views


def swap_hidden(deal: Deal, keep: set[Seat], random: Random) -> Deal:
    """The same deal with the cards of all other hands dealt again."""
    hidden = [seat for seat in Seat if seat not in keep]
    cards = [card for seat in hidden for card in deal.hand(seat)]
    random.shuffle(cards)
    masks = list(deal.masks)
    for i, seat in enumerate(hidden):
        masks[seat] = sum(card.mask for card in cards[13 * i : 13 * i + 13])
    return Deal.of_masks(tuple(masks))


@given(deals(), randoms)
def test_bidding_views_do_not_depend_on_hidden_hands(deal, random):
    table = Table(dict.fromkeys(Seat, Anyone()))
    auction = Auction(Seat.E).after("1C").after("P")
    other = swap_hidden(deal, {auction.turn}, random)
    views = [table.bidding_view(Board(d, Seat.E, Vulnerability.NS, 2), auction, ("natural", "")) for d in (deal, other)]
    assert views[0] == views[1]
    assert hash(views[0]) == hash(views[1])


@given(deals(), contracts, randoms)
def test_play_views_do_not_depend_on_hidden_hands(deal, contract, random):
    auction = Auction(Seat.N)
    play = Play(deal, contract).after(next(iter(deal.hand(contract.leader))))
    table, seat = Table(dict.fromkeys(Seat, Anyone())), contract.declarer
    opponents = swap_hidden(deal, {seat, contract.dummy, contract.leader}, random)
    views = [
        table.play_view(Board(d, Seat.N, Vulnerability.ALL), auction, Play(d, contract, play.cards), ())
        for d in (deal, opponents)
    ]
    assert views[0] == views[1]
    assert views[0].seat is seat
    assert views[0].turn is contract.dummy


def test_a_board_runs_from_deal_to_score_and_shows_no_secrets():
    for seed in range(20):
        deal = shuffled_deal(Random(seed))
        result, views = run(deal, seed)
        assert result.auction.is_over
        for view in views:
            assert view.hand == deal.hand(view.seat)
            assert "secret" not in repr(view)
        if result.play:
            assert len(result.play.cards) == len(result.cards) == 52
            assert result.ns_score == result.result.ns_score(Vulnerability.NS)
            lead = next(view for view in views if isinstance(view, PlayView))
            assert lead.dummy is None


@given(deals(), contracts, randoms)
def test_who_played_what_is_known_from_the_cards_alone(deal, contract, random):
    play = Play(deal, contract)
    for _ in range(random.randrange(52)):
        play = play.after(random.choice(play.legal_cards()))
    assert next_to_play(contract, play.cards) is play.turn
    for seat, card in zip(played_by(contract, play.cards), play.cards, strict=True):
        assert card in deal.hand(seat)


def test_declarer_decides_for_dummy():
    deal = shuffled_deal(Random(1))
    contract = Contract.parse("3NT by S")
    play = Play(deal, contract).after(next(iter(deal.hand(Seat.W))))
    table = Table(dict.fromkeys(Seat, Anyone()))
    view = table.play_view(Board(deal, Seat.N, Vulnerability.NONE), Auction(Seat.N), play, ())
    assert (view.seat, view.turn, view.dummy) == (Seat.S, Seat.N, deal.hand(Seat.N))
    assert set(view.legal_cards()) == set(play.legal_cards())


def test_incomplete_boards_and_illegal_answers_are_refused():
    class Cheat:
        def decide(self, view, *, rng):
            return Decision(ALL_CALLS[2], "")

    with pytest.raises(DealError, match="all 52 cards"):
        Table(dict.fromkeys(Seat, Cheat())).run(
            Board(Deal.parse("N:- - - -"), Seat.N, Vulnerability.NONE), rng=Random(1)
        )
    with pytest.raises(IllegalCallError, match="XX is not legal"):
        Table(dict.fromkeys(Seat, Cheat())).bid(
            Board(shuffled_deal(Random(1)), Seat.N, Vulnerability.NONE), rng=Random(1)
        )


def test_a_contract_that_was_not_played_has_no_score():
    seats = dict.fromkeys(Seat, Anyone())
    board = Board(shuffled_deal(Random(3)), Seat.W, Vulnerability.NONE)
    result = Table(seats).run(board, rng=Random(3))
    assert result.auction.contract
    with pytest.raises(BridgeError, match="bid but not played"):
        result.ns_score  # noqa: B018


def test_a_watcher_sees_every_decision_in_turn():
    seen: list[tuple[Seat, Call | Card]] = []
    seats = dict.fromkeys(Seat, Anyone())
    table = Table(seats, watch=lambda seat, decision: seen.append((seat, decision.choice)))
    auction, decisions = table.bid(Board(shuffled_deal(Random(3)), Seat.W, Vulnerability.NONE), rng=Random(3))
    assert [choice for _, choice in seen] == list(auction) == [d.choice for d in decisions]
    assert seen[0][0] is Seat.W
