"""The engine protocol: one JSON object a line in, one a line out, whatever comes in."""

import json

import pytest

from borel.policies.engine import serve
from borel.policies.rules import RuleBidder
from borel.policies.spec import bidder as make_bidder

GOOD = {"hand": "AQJT9.Q875.97.K7", "seat": "E", "dealer": "N", "vul": "None", "auction": ["P"]}


@pytest.fixture(scope="module")
def bidder() -> RuleBidder:
    return RuleBidder("sayc")


def ask(bidder: RuleBidder, *lines: str) -> list[dict[str, object]]:
    return [json.loads(answer) for answer in serve(lines, bidder)]


def test_a_good_request_gets_a_call_with_its_reasons(bidder):
    (answer,) = ask(bidder, json.dumps(GOOD))
    assert answer["call"] == "1S"
    assert answer["why"]
    assert answer["meaning"]
    assert answer["candidates"][0]["call"] == "1S"


def test_a_bidder_with_a_network_says_which_hands_call_so_and_the_rules_do_not(bidder):
    (plain,) = ask(bidder, json.dumps(GOOD))
    assert "sampled" not in plain
    (answer,) = serve([json.dumps(GOOD)], make_bidder("neural-search:sayc,layouts=4,sampled=4000"))
    told = json.loads(answer)
    assert told["call"] == "1S"
    assert "♠ 5-" in told["sampled"]


def test_the_call_forms_of_the_protocol_are_understood(bidder):
    for auction in (["1N", "P"], ["1NT", "p"], "1NT P", ["1nt", "Pass"]):
        request = {
            "hand": "AQJT9.Q875.97.K7",
            "dealer": "S",
            "vul": "All",
            "auction": auction,
            "scoring": "matchpoints",
        }
        (answer,) = ask(bidder, json.dumps(request))
        assert "call" in answer, answer


def test_an_id_is_repeated_also_with_an_error(bidder):
    assert ask(bidder, json.dumps(GOOD | {"id": 7}))[0]["id"] == 7
    assert ask(bidder, json.dumps(GOOD | {"id": 8, "seat": "N"}))[0]["id"] == 8


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("garbage", "not JSON"),
        ("[" * 100000, "not JSON"),
        ("[1]", "object"),
        ("{}", "hand"),
        (json.dumps(GOOD | {"hand": "AQ"}), "hand"),
        (json.dumps(GOOD | {"hand": "AQJT9.Q875.97.K"}), "13 cards"),
        (json.dumps(GOOD | {"hand": 5}), "hand"),
        (json.dumps(GOOD | {"seat": "Q"}), "seat"),
        (json.dumps(GOOD | {"seat": "S"}), "turn"),
        (json.dumps(GOOD | {"dealer": None}), "dealer"),
        (json.dumps(GOOD | {"vul": "maybe"}), "vulnerability"),
        (json.dumps(GOOD | {"auction": ["1C", "1C"]}), "not legal"),
        (json.dumps(GOOD | {"auction": ["P", "P", "P", "P"]}), "over"),
        (json.dumps(GOOD | {"auction": [1]}), "auction"),
        (json.dumps(GOOD | {"auction": ["P"] * 1000}), "auction"),
        (json.dumps(GOOD | {"systems": {"NS": "nosuch"}}), "nosuch"),
        (json.dumps(GOOD | {"systems": [1]}), "systems"),
        (json.dumps(GOOD | {"colour": "red"}), "colour"),
    ],
)
def test_bad_input_gets_an_error_and_the_next_line_is_served(bidder, line, words):
    first, second = ask(bidder, line, json.dumps(GOOD))
    assert list(first) == ["error"]
    assert words in first["error"]
    assert second["call"] == "1S"


def test_blank_lines_are_skipped(bidder):
    assert len(ask(bidder, "", "  \n", json.dumps(GOOD))) == 1
