"""A person at a table with three bots: acts, takes back, claims, and hears what calls mean."""

from random import Random

import pytest

from borel import Board, Deal, Seat, Vulnerability
from borel.arena.card_review import review_cards
from borel.arena.session import Session
from borel.cardplay import MonteCarlo
from borel.errors import BridgeError
from borel.policies.rules import RuleBidder
from borel.record import Record
from strategies import shuffled_deal

# South has the whole of spades and enough outside to be left in peace.
DEAL = Deal.parse("N:432.432.432.5432 765.J76.JT87.876 AKQJ.AKQ.AKQ.AKQ T98.T985.965.JT9")


def session_of(deal: Deal) -> Session:
    board = Board(deal, Seat.S, Vulnerability.NONE, 1)
    return Session(board, Seat.S, RuleBidder("sayc"), MonteCarlo(1, threads=1))


def bots(session: Session) -> None:
    while not session.is_over and not session.is_persons_turn:
        session.bot_acts()


def playing(deal: Deal) -> Session:
    session = session_of(deal)
    session.act("7NT")
    bots(session)
    while session.play is None:
        session.act("P")
        bots(session)
    return session


def test_a_person_declares_and_claims():
    session = playing(DEAL)
    assert session.play is not None
    assert session.turn is Seat.S
    assert session.hint().choice in session.play.legal_cards()
    assert session.claim(13)
    assert session.is_over
    assert session.result().ns_score == 1520
    session.undo()
    assert not session.is_over


def test_taking_back_goes_to_the_last_own_decision_and_the_bots_do_the_same_again():
    session = playing(shuffled_deal(Random(2)))
    before = (list(session.calls), list(session.cards))
    card = session.play.legal_cards()[0]
    session.act(str(card))
    bots(session)
    after = list(session.cards)
    session.undo()
    assert (session.calls, session.cards) == before
    session.act(str(card))
    bots(session)
    assert session.cards == after


def test_what_is_wrong_is_said_and_nothing_changes():
    session = session_of(DEAL)
    for text in ("8NT", "SA", "XX", ""):
        with pytest.raises(BridgeError):
            session.act(text)
    with pytest.raises(BridgeError, match="nothing"):
        session.undo()
    with pytest.raises(BridgeError, match="claim"):
        session.claim(3)
    session = playing(DEAL)
    with pytest.raises(BridgeError):
        session.claim(14)
    assert not session_of(DEAL).explained().calls


def test_a_false_claim_is_refused():
    session = playing(shuffled_deal(Random(7)))
    left = 13
    if session.play.contract.side is Seat.S.side:
        assert not session.claim(left)
        assert not session.is_over


def test_cards_that_cost_a_trick_are_priced():
    session = playing(shuffled_deal(Random(5)))
    random = Random(1)
    while not session.is_over:
        if session.is_persons_turn:
            session.act(str(random.choice(session.play.legal_cards())))
        else:
            session.bot_acts()
    play = session.play
    record = Record(
        deal=session.board.deal, dealer=Seat.S, vulnerability=Vulnerability.NONE, auction=session.auction,
        cards=play.cards,
    )  # fmt: skip
    found = review_cards(record, MonteCarlo(1, threads=1))
    assert found  # a person who plays at random in seven notrump loses something
    assert all(card.tricks > 0 and card.better and card.why for card in found)
    assert [str(play.cards[card.position]) for card in found] == [card.card for card in found]
