import pytest
from hypothesis import given

from borel import ALL_CALLS, DOUBLE, PASS, REDOUBLE, Auction, Call, Contract, Seat, Strain
from borel.errors import IllegalCallError, ParseError
from strategies import auctions, calls, contracts


@given(calls)
def test_call_text_round_trips(call):
    assert Call.parse(str(call)) == call == eval(repr(call))
    assert Call.parse(call.symbol) == call == Call.parse(str(call).lower())
    if call.is_bid:
        assert Call.bid(call.level, call.strain) == call


def test_calls_are_numbered_as_stated():
    assert [str(c) for c in ALL_CALLS[:6]] == ["P", "X", "XX", "1C", "1D", "1H"]
    assert str(ALL_CALLS[37]) == "7NT"
    assert [Call.parse(t) for t in ("pass", "Dbl", "D", "Rdbl", "R")] == [PASS, DOUBLE, DOUBLE, REDOUBLE, REDOUBLE]
    assert Call.parse("2N") == Call.parse("2NT") == Call.bid(2, Strain.NT)


@pytest.mark.parametrize("text", ["", "0C", "8C", "1Z", "1", "NT", "XXX", "1 C", "PP"])
def test_what_is_not_a_call_is_said(text):
    with pytest.raises(ParseError, match="not a call"):
        Call.parse(text)


@given(auctions())
def test_auction_text_round_trips(auction):
    assert Auction.parse(auction.dealer, str(auction)) == auction == eval(repr(auction))
    assert Auction(auction.dealer, auction.calls) == auction
    assert hash(Auction(auction.dealer, auction.calls)) == hash(auction)


@given(auctions())
def test_legal_calls_are_just_those_that_can_be_made(auction):
    legal = set(auction.legal_calls())
    assert list(auction.legal_calls()) == sorted(legal)
    for call in ALL_CALLS:
        if call in legal:
            assert auction.after(call).calls[-1] == call
        else:
            with pytest.raises(IllegalCallError, match=str(call)):
                auction.after(call)


@given(auctions(complete=True))
def test_a_finished_auction_has_a_contract_unless_passed_out(auction):
    assert auction.is_over
    assert auction.legal_calls() == ()
    assert (auction.contract is None) == auction.is_passed_out
    if auction.contract:
        assert auction.contract.bid == auction.last_bid
        declarers = [
            auction.seat_of(i)
            for i, call in enumerate(auction)
            if call.is_bid
            and call.strain is auction.contract.strain
            and auction.seat_of(i).side is auction.contract.side
        ]
        assert auction.contract.declarer is declarers[0]


@pytest.mark.parametrize(
    ("calls_text", "contract"),
    [
        ("1S P 2S P 4S P P P", "4S by N"),
        ("1S P 2H P 3H P 4H P P P", "4H by S"),
        ("1S X XX P P P", "1SXX by N"),
        ("P P P 1C X P P P", "1CX by W"),
        ("1S P P X P P P", "1SX by N"),
        ("1NT 2H X P P P", "2HX by E"),
        ("1H 2H 2S 3S P P P", "3S by W"),
        ("7NT X XX AP", "7NTXX by N"),
    ],
)
def test_declarer_and_doubling(calls_text, contract):
    assert str(Auction.parse("N", calls_text).contract) == contract


@pytest.mark.parametrize(
    ("calls_text", "call", "law"),
    [
        ("", "X", "Law 19"),
        ("", "XX", "Law 19"),
        ("1C", "1C", "Law 18"),
        ("1C P", "X", "Law 19"),
        ("1C X", "X", "Law 19"),
        ("1C X P", "XX", "Law 19"),
        ("1C X XX", "X", "Law 19"),
        ("P P P P", "1C", "Law 22"),
        ("1C P P P", "P", "Law 22"),
    ],
)
def test_illegal_calls_cite_the_law(calls_text, call, law):
    with pytest.raises(IllegalCallError, match=law):
        Auction.parse("N", calls_text).after(call)


def test_three_opening_passes_do_not_end_the_auction():
    auction = Auction.parse("E", "P P P")
    assert not auction.is_over
    assert auction.turn is Seat.N
    assert auction.after("P").is_passed_out


@given(contracts)
def test_contract_text_round_trips(contract):
    assert Contract.parse(str(contract)) == contract == eval(repr(contract))
    assert Contract.parse(contract.text, contract.declarer) == contract
    assert Contract.parse(contract.pretty()) == contract


@pytest.mark.parametrize("text", ["", "8S by N", "4S", "4SXXX by N", "4S by Q", "Pass", "4SS"])
def test_what_is_not_a_contract_is_said(text):
    with pytest.raises(ParseError, match="not a contract"):
        Contract.parse(text)


def test_diagram_begins_with_west():
    lines = Auction.parse("N", "1NT P 3NT AP").diagram().splitlines()
    assert lines[0].split() == ["West", "North", "East", "South"]
    assert lines[1] == "       1NT    Pass   3NT"
    assert lines[2].split() == ["Pass", "Pass", "Pass"]
