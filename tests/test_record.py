"""A record fills in what follows and refuses what contradicts."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

import strategies as bridge
from borel import Auction, Card, Claim, Contract, Deal, Play, Scoring, Seat, Vulnerability
from borel.errors import BridgeError, RecordError
from borel.record import Annotation, Comment, Record, Tag, tricks_range

AUCTION = Auction.parse("N", "1NT P 3NT P P P")
DEAL = bridge.shuffled_deal(Random(4))


def test_a_finished_auction_decides_dealer_and_contract():
    record = Record(auction=AUCTION)
    assert (record.dealer, record.contract, record.passed_out) == (Seat.N, Contract.parse("3NT by N"), False)
    assert Record(auction=Auction.parse("E", "P P P P")).passed_out


@given(bridge.plays())
def test_the_cards_are_checked_as_play_checks_them(play):
    record = Record(deal=play.deal, contract=play.contract, cards=play.cards)
    assert record.play == play
    assert record.tricks == (play.declarer_tricks if len(play.cards) == 52 else None)
    for card in play.held(play.turn):
        legal = play.is_over or card in play.legal_cards()
        try:
            tricks_range(play.deal, play.contract, (*play.cards, card))
        except BridgeError:
            assert not legal
        else:
            assert legal


@given(bridge.plays())
def test_hands_that_are_not_given_may_have_played_anything_left(play):
    record = Record(contract=play.contract, cards=play.cards)
    assert record.play.cards == play.cards
    assert record.play.tricks_won(play.contract.side) == play.tricks_won(play.contract.side)


def test_an_empty_deal_is_no_deal():
    assert Record(deal=Deal.parse("N:- - - -")) == Record()


def test_a_claim_decides_the_tricks():
    record = Record(contract=Contract.parse("3NT by N"), claim=Claim(0, 9, Seat.N))
    assert record.tricks == 9
    assert record.play.claim is None, "without the hands the tricks left cannot be counted"
    assert replace(record, deal=DEAL).play == Play(DEAL, record.contract, (), record.claim)


@pytest.mark.parametrize(
    ("parts", "error"),
    [
        ({"auction": AUCTION, "dealer": Seat.E}, "East is dealer, but the auction begins with North"),
        ({"auction": AUCTION, "contract": Contract.parse("3NT by S")}, "the auction ends in 3NT by N"),
        ({"auction": AUCTION, "passed_out": True}, "passed out, but the auction ends in 3NT by N"),
        ({"auction": Auction(Seat.N), "contract": Contract.parse("1C by N")}, "the auction is not over"),
        ({"passed_out": True, "tricks": 0}, "passed out, but with 0 tricks"),
        ({"cards": (Card.parse("SA"),)}, "cards were played without a contract"),
        ({"claim": Claim(0, 9)}, "a claim without a contract"),
        ({"auction": AUCTION, "claim": Claim(3, 9)}, "a claim after 3 cards, but 0 were played"),
        ({"auction": AUCTION, "claim": Claim(0, 14)}, "a claim of 14 tricks"),
        ({"auction": AUCTION, "claim": Claim(0, 9), "tricks": 8}, "8 tricks, but the claim was 9"),
        ({"tricks": 14}, "declarer takes 0 to 13 tricks"),
        ({"number": 0}, "board numbers are 1 to 999999999, not 0"),
        ({"auction": AUCTION, "call_notes": (Annotation("x"),)}, "1 annotations for 6 calls"),
        ({"tags": (Tag("not a name", ""),)}, "not the name of a tag"),
        ({"tags": (Tag("Event", ""),)}, "absent where that is empty"),
        ({"tags": (Tag("T", "", ("[x",)),)}, "not a line of a table"),
        ({"tags": (Tag("Claim", "N"),)}, "a claim is a part of its own"),
        ({"tags": (Tag("Board", "7"),)}, "Board has a place of its own"),
        ({"comments": (Comment(" x"),)}, "not a comment"),
        ({"comments": (Comment("x}\ny"),)}, "contains a brace"),
        ({"comments": (Comment("x", "Nowhere"),)}, "which the record does not have"),
        ({"comments": (Comment("x", "Auction", 7),), "auction": AUCTION}, "a comment after 7 of 6"),
        ({"players": ("a\nb", "", "", "")}, "a control character"),
    ],
)
def test_a_contradiction_raises(parts, error):
    with pytest.raises(RecordError) as caught:
        Record(**parts)
    assert error in str(caught.value)


def test_a_result_against_the_play_must_be_meant():
    played = Record(deal=DEAL, contract=Contract.parse("1NT by S"), cards=all_cards())
    wrong = (played.tricks + 1) % 14
    with pytest.raises(RecordError, match=f"a result of {wrong} tricks for declarer, who has {played.tricks}"):
        replace(played, tricks=wrong)
    assert replace(played, tricks=wrong, adjusted=True).adjusted
    assert not replace(played, adjusted=True).adjusted, "there is nothing to adjust"


def all_cards() -> tuple[Card, ...]:
    play, random = Play(DEAL, Contract.parse("1NT by S")), Random(1)
    while not play.is_over:
        play = play.after(random.choice(play.legal_cards()))
    return play.cards


def test_a_record_knows_score_scoring_systems_and_board():
    record = Record(3, Seat.S, Vulnerability.EW, DEAL, contract=Contract.parse("3NT by E"), tricks=9)
    record = record.with_tag("Scoring", "IMP;Cross").with_tag("BidSystemEW", "Acol")
    assert (record.ns_score, record.scoring, record.systems.of(Seat.W)) == (-600, Scoring.IMPS, "Acol")
    assert (record.board.deal, record.board.number) == (DEAL, 3)
    assert Record().board is None
    assert Record().ns_score is None


def test_tags_have_the_order_in_which_pbn_exports_them():
    record = Record(tags=(Tag("T", "", ("row",)), Tag("Z", "1"), Tag("Scoring", "MP"), Tag("Event", "Cup")))
    assert [tag.name for tag in record.tags] == ["Event", "Scoring", "Z", "T"]
