"""Play requests of the engine protocol: a card for a good one, a named field for a bad one, and never silence."""

import json
from random import Random

import pytest

from borel import Auction, Contract, Play, Seat
from borel.cardplay import MonteCarlo
from borel.policies.engine import serve
from borel.policies.rules import RuleBidder
from strategies import shuffled_deal

GOOD = {
    "hand": "AQJT9.Q875.97.K7", "contract": "4S", "declarer": "E", "dealer": "N",
    "auction": ["P", "1S", "P", "4S", "P", "P", "P"], "dummy": "K872.A3.KQ52.Q42", "played": ["DA"], "seat": "W",
}  # fmt: skip


@pytest.fixture(scope="module")
def bidder() -> RuleBidder:
    return RuleBidder("sayc")


def ask(bidder: RuleBidder, *requests: object) -> list[dict[str, object]]:
    lines = [json.dumps(request) for request in requests]
    return [json.loads(answer) for answer in serve(lines, bidder, MonteCarlo(1, threads=1))]


def test_a_card_with_its_reason(bidder):
    (answer,) = ask(bidder, GOOD | {"id": 4})
    assert answer["card"] in ("DK", "DQ", "D5", "D2")
    assert answer["why"]
    assert answer["id"] == 4
    assert answer["candidates"][0]["card"] == answer["card"]


@pytest.mark.parametrize("cards", [0, 1, 2, 3, 4, 19, 30, 47, 51])
def test_every_seat_gets_a_legal_card_at_any_point(bidder, cards):
    """The request is made of what the seat may know, as the protocol says: dummy's seat with declarer's hand."""
    random = Random(cards)
    play = Play(shuffled_deal(random), Contract.parse("2H by N"))
    while len(play.cards) < cards:
        play = play.after(random.choice(play.legal_cards()))
    decider = Seat.N if play.turn is Seat.S else play.turn
    request = {
        "hand": str(play.deal.hand(decider)), "contract": "2H", "declarer": "N", "seat": str(play.turn),
        "dealer": "N", "auction": [str(call) for call in Auction.parse("N", "2H AP")],
        "played": [str(card) for card in play.cards],
    }  # fmt: skip
    if play.cards:
        request["dummy"] = str(play.deal.hand(Seat.S))
    (answer,) = ask(bidder, request)
    assert answer.get("card") in [str(card) for card in play.legal_cards()], answer


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"contract": "8S"}, "contract"),
        ({"contract": 4}, "contract"),
        ({"declarer": "Q"}, "seat"),
        ({"declarer": "S"}, ""),
        ({"seat": "N"}, "turn"),
        ({"dummy": "AQJT9.Q875.97.K7"}, "dummy"),
        ({"dummy": "K872.A3.KQ52.Q4"}, "13 cards"),
        ({"played": []}, "dummy"),
        ({"played": ["DA", "DA"]}, "twice"),
        ({"played": ["D9"]}, ""),
        ({"played": ["DA", "D3"]}, "played"),
        ({"played": 7}, "played"),
        ({"played": ["ZZ"]}, "card"),
        ({"auction": ["P", "1S", "P", "3S", "P", "P", "P"]}, "auction"),
        ({"auction": ["1S", "1C"]}, ""),
        ({"vul": "some"}, ""),
        ({"colour": 1}, "colour"),
        ({"hand": "AQJT9.Q875.97"}, "hand"),
    ],
)
def test_a_bad_request_is_answered_with_what_is_wrong(bidder, change, words):
    without_seat = {key: value for key, value in GOOD.items() if key != "seat" or "played" not in change}
    good, bad, again = ask(bidder, GOOD, without_seat | change, GOOD)
    assert "error" in bad
    assert words in bad["error"]
    assert good == again


def test_a_bidding_engine_says_that_it_does_not_play(bidder):
    (line,) = serve([json.dumps(GOOD)], bidder)
    assert "only bids" in json.loads(line)["error"]


def test_rubbish_in_every_field_is_answered(bidder):
    """Random values in random fields: one answer a line, always an object with a card or an error."""
    random = Random(3)
    rubbish = [None, "", "x" * 50, -1, 3.5, [], {}, ["SA"], "SA SK", True, "🂡", [[]], "N", "4S", {"NS": 1}]
    requests = []
    for _ in range(150):
        request = dict(GOOD)
        for key in random.sample(sorted(GOOD), random.randint(1, 3)):
            request[key] = random.choice(rubbish)
        requests.append(request)
    for answer in ask(bidder, *requests):
        assert ("card" in answer) != ("error" in answer)
