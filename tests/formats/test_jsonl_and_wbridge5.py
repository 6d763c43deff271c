"""JSON lines and WBridge5's numbers: the schema, and what is wrong."""

from pathlib import Path

import pytest

from borel import Claim, Seat
from borel.formats import Report, jsonl, wbridge5

CORPUS = Path(__file__).parent.parent / "data" / "formats"
NUMBERS = " ".join(map(str, range(52)))


def errors_of(module, text):
    errors = []
    records = module.loads(text, Report(on_bad=lambda error: errors.append(str(error))))
    return records, errors


def test_the_corpus_is_written_as_it_was_read():
    text = (CORPUS / "schema.jsonl").read_text(encoding="utf-8")
    records = jsonl.loads(text)
    assert jsonl.dumps(records) == text
    assert records[0].claim == Claim(4, 9, Seat.E)
    assert records[0].card_notes[0].explanation == "top of a sequence"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{", "not a JSON text"),
        ("[]", "not a JSON object"),
        ('{"x": 1}', "unknown key 'x'"),
        ('{"board": 1, "board": 2}', "a key is given twice"),
        ('{"board": "1"}', 'board is a whole number, not "1"'),
        ('{"board": true}', "board is a whole number, not true"),
        ('{"board": ' + "9" * 5000 + "}", "Exceeds the limit"),
        ('{"dealer": 3}', "dealer is a text, not 3"),
        ('{"deal": ""}', "not a deal"),
        ('{"auction": "1C"}', "an auction without a dealer"),
        ('{"players": ["a", "b"]}', "players is a list of four texts"),
        ('{"tags": [["Event"]]}', "tags is a list of"),
        ('{"tags": [["Dealer", "N"]]}', "Dealer has a place of its own"),
        ('{"tags": [["A", "1"], ["A", "2"]]}', "tag A twice"),
        ('{"comments": [{"text": "x", "after": "Auction"}]}', "a comment on the auction of a record that has none"),
        ('{"dealer": "N", "auction": "1C", "call_notes": {"1": {}}}', "call_notes has a position '1', but there are 1"),
        ('{"contract": "4S by N", "tricks": 14}', "declarer takes 0 to 13 tricks, not 14"),
        ('{"contract": "4S by N", "claim": {"by": "N"}}', "claim is an object of tricks and by"),
        ('{"contract": "4S by N", "play": "SA SA"}', "SA is not legal for S after SA"),
        ('{"players": ["\\u0000", "", "", ""]}', "a control character"),
        ('{"players": ["\\ud800", "", "", ""]}', "a control character"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_wrong_in_json_is_said(text, error):
    records, errors = errors_of(jsonl, text)
    assert records == []
    assert len(errors) == 1
    assert error in errors[0]
    assert errors[0].endswith("(line 1)")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1 2 3", "3 numbers, but a deal and its shortest auction are 56"),
        (NUMBERS + " 52 52 52 55", "the auction is not over after P P P 1C"),
        (NUMBERS + " 52 52 52 52 1", "1 cards were played"),
        (NUMBERS + " 55 55 52 52 52", "1C is not legal after 1C"),
        (NUMBERS.replace("51", "50") + " 52 52 52 52", "HA is held by South and West"),
        (NUMBERS.replace("51", "x") + " 52 52 52 52", "not a card (0..51): 'x'"),
        ("0 " * 1000, "more than 423 numbers"),
    ],
)
def test_what_is_wrong_in_numbers_is_said(text, error):
    records, errors = errors_of(wbridge5, text)
    assert records == []
    assert len(errors) == 1
    assert error in errors[0]


def test_cards_are_dealt_in_turn_from_north():
    record = wbridge5.loads(NUMBERS + " 52 52 52 52")[0]
    assert str(record.deal.hand(Seat.N)) == "...AKQJT98765432"
    assert str(record.deal.hand(Seat.W)) == "AKQJT98765432..."
