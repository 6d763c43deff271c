"""Lines are read as people's programs write them, and written so that they are read back."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from borel import ALL_CALLS, ALL_CARDS, Hand, Seat, Vulnerability
from borel.errors import BridgeError
from borel.table_manager import messages
from borel.table_manager.messages import Connecting, Spelling
from strategies import deals

seats, spellings = st.sampled_from(Seat), st.sampled_from(Spelling)


@given(seats, st.sampled_from(ALL_CALLS), spellings, st.text("abc 15-+", max_size=30), st.booleans())
def test_calls_are_read_back(seat, call, spelling, meaning, alert):
    meaning = " ".join(meaning.split())
    line = spelling.call(seat, call, meaning, alert=alert)
    assert messages.read_call(line) == (seat, call, meaning)
    assert messages.read_call(line.upper().replace(" ", "  "))[:2] == (seat, call)


@given(seats, st.sampled_from(ALL_CARDS), spellings)
def test_cards_are_read_back(seat, card, spelling):
    assert messages.read_card(spelling.card(seat, card)) == (seat, card)


@given(deals(), seats)
def test_hands_are_read_back_whatever_the_case_and_order(deal, seat):
    line = messages.cards_line(seat.word, deal.hand(seat))
    assert messages.read_cards(line) == (seat.word.lower(), deal.hand(seat))
    assert messages.read_cards(line.upper().replace(" :", ":")) == (seat.word.lower(), deal.hand(seat))
    head, _, suits = line.partition(" : ")
    turned = " ".join(reversed([part.strip() + "." for part in suits.rstrip(".").split(".")]))
    assert messages.read_cards(f"{head} : {turned}")[1] == deal.hand(seat)


@given(st.integers(1, 999), seats, st.sampled_from(Vulnerability))
def test_boards_are_read_back(number, dealer, vulnerability):
    line = messages.board_line(number, dealer, vulnerability)
    assert messages.read_board(line) == (number, dealer, vulnerability)
    assert messages.read_board(line.upper()) == (number, dealer, vulnerability)


def test_the_forms_of_the_notes_are_understood():
    assert messages.read_connecting('Connecting "WBridge5" as ANYPL using protocol version 18') == Connecting(
        "WBridge5", None, 18
    )
    assert messages.read_connecting('connecting "B" as west  using protocol version 18 and more').seat is Seat.W
    assert messages.read_seated('WEST ("WBridge5") seated') is Seat.W
    assert messages.read_teams('Teams: N/S "silent" E/W "bidders"') == ("silent", "bidders")
    assert messages.read_teams('Teams : N/S : "a b" E/W : "c"') == ("a b", "c")
    assert messages.read_cards("WEST's cards: S A T 9 5. H K 6 5. D Q J 8 7 6. C -.")[1] == Hand.parse(
        "AT95.K65.QJ876."
    )
    assert messages.read_cards("Dummy's cards : S -. H -. D -. C A K.")[0] == "dummy"
    assert messages.read_ready("WEST ready for  NORTH's bid") == (Seat.W, "north's bid")
    assert messages.is_start("start of board")
    assert messages.is_end("End of Session.")
    assert messages.is_timing("Timing - N/S : this board  [1:15]")
    assert messages.is_to_lead("Dummy to lead")
    assert messages.read_call("WEST PASSES Alert.")[2] == ""
    assert messages.read_card("Dummy plays 10h")[0] is None


READERS = [
    messages.read_connecting, messages.read_seated, messages.read_teams, messages.read_board, messages.read_cards,
    messages.read_call, messages.read_card, messages.read_ready,
]  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
@given(text=st.text(max_size=120))
def test_nonsense_is_an_error_of_ours(reader, text):
    with suppress(BridgeError):  # any other error fails the test
        assert reader(text) is not None
