"""Suit combinations: the core against an enumeration of all plans, and against what every textbook says."""

from pathlib import Path

import pytest

from borel.cardplay.suits import suit_combination, suit_line
from borel.errors import BridgeError
from cardplay.suit_oracle import best_chance

FILE = Path(__file__).parent.parent / "data" / "suit_combinations.tsv"
KNOWN = [
    (dummy, hand, int(tricks), float(chance))
    for dummy, hand, tricks, chance in (
        line.split("\t") for line in FILE.read_text().splitlines() if not line.startswith("#")
    )
]


def name(known: tuple[str, str, int, float]) -> str:
    return f"{known[0]}-{known[1]}-{known[2]}"


def test_there_are_sixty_different_combinations():
    assert len({(dummy, hand) for dummy, hand, _, _ in KNOWN}) >= 60


@pytest.mark.parametrize("known", KNOWN, ids=name)
def test_the_core_gives_the_chance_that_enumeration_gave(known):
    dummy, hand, tricks, chance = known
    line = suit_line(dummy, hand, tricks)
    assert line is not None
    assert line.chance == pytest.approx(chance, abs=1e-8)


LONG = [known for known in KNOWN if len(known[0] + known[1]) >= 10]
SHORT = [known for known in KNOWN if len(known[0] + known[1]) < 10]


@pytest.mark.parametrize("known", LONG, ids=name)
def test_the_file_says_what_enumeration_says(known):
    dummy, hand, tricks, chance = known
    assert best_chance(dummy, hand, tricks) == pytest.approx(chance, abs=1e-8)
    assert best_chance(dummy, hand, tricks, merge=False) == pytest.approx(chance, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("known", SHORT, ids=name)
def test_the_file_says_what_enumeration_says_where_many_cards_are_missing(known):
    dummy, hand, tricks, chance = known
    assert best_chance(dummy, hand, tricks) == pytest.approx(chance, abs=1e-8)


def test_textbook_lines():
    finesse = suit_line("AQ", "32", 2)
    assert finesse is not None
    assert (finesse.hand, finesse.lead, finesse.then) == ("hand", "2", "Q")
    assert finesse.chance == pytest.approx(0.5)
    nine = suit_line("AJ954", "KT32", 5)  # with nine cards the queen is played to drop
    assert nine is not None
    assert nine.chance == pytest.approx(0.5783, abs=1e-3)
    assert nine.then in ("A", "K")
    assert suit_line("32", "54", 1) is None


def test_what_is_certain_ends_the_list():
    lines = suit_combination("AKQ", "32")
    assert [line.tricks for line in lines] == [3]
    assert lines[0].chance == pytest.approx(1)


@pytest.mark.parametrize("cards", [("AQ", "A2"), ("", ""), ("A", "2"), ("AZ", "2")])
def test_bad_suits_are_refused(cards):
    with pytest.raises(BridgeError):
        suit_combination(*cards)
