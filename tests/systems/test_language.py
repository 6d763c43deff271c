"""The rule language: patterns, conditions, overrides, and errors that say where and what."""

import pytest

from borel.auction import CALL_NAMES
from borel.cards import Hand
from borel.systems import Situation, SystemFileError
from borel.systems.constraints import Range, negated
from borel.systems.hand import INDEX, features_of
from borel.systems.loader import read_system
from borel.systems.words import constraint_words


def call(text: str, hand: str, auction: str = "", vulnerable: tuple[bool, bool] = (False, False)) -> str:
    """The first call that a system of these rules makes with a hand, ``-`` if none."""
    system = read_system(text)
    position = Situation((system, system), vulnerable).start()
    position = position.follow(tuple(CALL_NAMES.index(word) for word in auction.split()))
    options = position.choose(features_of(Hand.parse(hand).mask))
    return CALL_NAMES[options[0].call] if options else "-"


STRONG = "AQ5.KJ92.K7.AT43"  # 17 points, balanced
SPADES = "AKJ95.Q8.T974.K3"  # 13 points, five spades
HEARTS = "5.AKJ952.T97.K32"
WEAK = "9532.8752.T4.743"


def test_a_rule_applies_when_all_its_conditions_hold():
    rules = "open\n  1NT  15-17 hcp, balanced\n  1S  5+ S, 12+ points\n  pass  otherwise"
    assert [call(rules, hand) for hand in (STRONG, SPADES, HEARTS, WEAK)] == ["1NT", "1S", "P", "P"]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("13 hcp", True),
        ("12-14 hcp", True),
        ("<13 hcp", False),
        ("<=13 hcp", True),
        ("14+ points", True),
        ("15+ points", False),
        ("5 S", True),
        ("<5 S", False),
        ("S >= H", True),
        ("S > D", True),
        ("D >= S", False),
        ("hcp + S >= 18", True),
        ("2 * hcp + 3 * S >= 41", True),
        ("2 * hcp + 3 * S >= 42", False),
        ("hcp - 2 * H >= 9", True),
        ("hcp - 2 * H >= 10", False),
        ("not 2 * S >= 11", True),
        ("hcp + 4 * opened >= 14", False),
        ("balanced", False),
        ("semibalanced", True),
        ("not balanced", True),
        ("no balanced", True),
        ("shape = 5422", True),
        ("shape = 5332", False),
        ("4+ any minor", True),
        ("2+ each suit", True),
        ("4+ each minor", False),
        ("top3(S) >= 2", True),
        ("stopper(C)", True),
        ("stopper(D)", False),
        ("stopper(H) >= 1", False),
        ("ace(S)", True),
        ("ace(H)", False),
        ("keycards(S) = 2", True),
        ("2 controls or 4 controls", True),
        ("longest(S)", True),
        ("quick >= 2.5", True),
        ("quick > 2.5", False),
        ("5+ S and 4+ D or 6+ H", True),
        ("5+ S, 4+ H or 4+ D", True),
        ("not (5+ S and 4+ D)", False),
        ("4+ other(H)", True),
        ("other(H) >= other(S)", True),
        ("S in majors", True),
        ("C in majors", False),
        ("D in H D", True),
        ("2+ each side S", True),
    ],
)
def test_conditions_read_as_players_write_them(condition, holds):
    assert call(f"open\n  1S  {condition}", SPADES) == ("1S" if holds else "-")


@pytest.mark.parametrize(
    ("header", "auction", "applies"),
    [
        ("after 1NT", "1NT P", True),
        ("after 1NT", "P P 1NT P", True),
        ("after 1NT", "1NT X", False),
        ("after 1NT (X)", "1NT X", True),
        ("after 1NT (P/X)", "1NT X", True),
        ("after 1NT 2C", "1NT P 2C P", True),
        ("after 1NT (P) 2C (P)", "1NT P 2C P", True),
        ("after 1NT 2C or 1NT 2D", "1NT P 2D P", True),
        ("after (1NT)", "1NT", True),
        ("after (1NT)", "1NT P", False),
        ("after (1H) (2H)", "1H P 2H", True),
        ("after (1H) P (P)", "1H P P", True),
        ("after 1M", "1S P", True),
        ("after 1M", "1D P", False),
        ("after 1m 1M 2M", "1C P 1H P 2H P", True),
        ("after 1m 1M 2M", "1C P 1H P 2S P", False),
        ("after 1X (1Y)", "1C 1S", True),
        ("after 1X (2Y)", "1C 2C", False),
        ("after 1X (2X)", "1C 2C", True),
        ("after 1X (1-2Y)", "1S 2H", True),
        ("after 1X (*Y)", "1S 4H", True),
        ("after 1X (2*)", "1S 2NT", True),
        ("after 1X (bid)", "1S 2NT", True),
        ("after 1X (bid)", "1S P", False),
        ("after 1X (*)", "1S P", True),
        ("after 1X (nY) when n >= 2", "1S 2H", True),
        ("after 1X (nY) when n >= 2", "1H 1S", False),
        ("after 1X (jump Y)", "1D 2S", True),
        ("after 1X (jump Y)", "1D 1S", False),
        ("after 1X (double jump Y)", "1D 3S", True),
        ("after ... 2NT", "1C 1H 2NT P", True),
        ("after ... (X)", "1C P 1H X", True),
        ("after 1X ... 2NT", "1C 1H P 1S P 2NT", False),
        ("after 1X ... 2NT", "1C 1H P 1S P P 2NT P", True),
        ("after 1NT when vulnerable", "1NT P", False),
        ("after 1M seats 3-4", "P P 1H P", True),
        ("after 1M seats 3-4", "1H P", False),
        ("after 1M when passed", "P P 1H P", True),
        ("whenever we-opened", "1H P", True),
        ("whenever they-opened", "1H P", False),
        ("after 1X for X in C D", "1H P", False),
    ],
)
def test_patterns_match_the_auctions_they_describe(header, auction, applies):
    rules = f"open\n  1NT 15-17 hcp\n{header}\n  7NT"
    assert call(rules, WEAK, auction) == ("7NT" if applies else "-")


@pytest.mark.parametrize(
    ("spec", "auction", "expected"),
    [
        ("cheapest S", "1H P", "1S"),
        ("jump S", "1H P", "2S"),
        ("double jump S", "1H P", "3S"),
        ("cheapest C", "1H P", "2C"),
        ("game S", "1H P", "4S"),
        ("game C", "1H P", "5C"),
        ("game NT", "1H P", "3NT"),
        ("slam S", "1H P", "6S"),
        ("1C/2C", "1H P", "2C"),
        ("2-4D", "1H P", "2D"),
        ("X", "1H", "X"),
        ("XX", "1H X", "XX"),
    ],
)
def test_calls_may_be_relative(spec, auction, expected):
    assert call(f"whenever opened\n  {spec}", WEAK, auction) == expected


def test_level_arithmetic_follows_the_bound_level():
    assert call("after 1M (nY)\n  n+1Y  4+ M", "Q853.K854.A94.72", "1S 2H") == "3H"


def test_a_free_variable_is_tried_with_every_suit_that_is_not_bound():
    rules = "after 1M\n  2X  5+ X\n  pass  otherwise"
    assert call(rules, "52.K5.AQJ842.A32", "1S P") == "2D"
    assert call(rules, "AQJ842.K5.52.A32", "1S P") == "P"  # X is not M


def test_higher_priority_comes_first_then_the_more_specific_hand_then_the_file():
    rules = "open\n  1C  12+ hcp\n  1D  12+ hcp, 4+ D\n  1H  10+ hcp, 2+ H\n  1S  12+ hcp, 5+ S  priority high"
    assert call(rules, SPADES) == "1S"
    assert call(rules, "KJ95.Q8.AT974.K3") == "1D"
    assert call(rules, "KJ954.Q854..KJ43") == "1H"
    assert call(rules, "KJ95.Q8.T97.AK43") == "1C"


def test_never_takes_calls_from_the_other_rules():
    rules = "open\n  1C  12+ hcp\n  pass\nnever\n  1C  when vulnerable\n  pass  12+ hcp"
    assert call(rules, SPADES) == "1C"
    assert call(rules, SPADES, vulnerable=(True, False)) == "-"


def test_definitions_name_ranges_and_conditions():
    rules = "let strong = 15-17\nlet good(X) = 5+ X and quality(X) >= 5\nopen\n  1NT  strong hcp\n  1M  good(M)"
    assert call(rules, STRONG) == "1NT"
    assert call(rules, SPADES) == "1S"


CONVENTIONS = """
after 1NT
  2C  4+ H or 4+ S   asks, convention stayman
after 1NT 2C  using stayman
  2D  <4 H, <4 S
"""


def test_a_convention_can_be_switched_off_with_its_answers():
    assert call(CONVENTIONS, STRONG, "1NT P") == "2C"
    assert call(CONVENTIONS, "AQ5.KJ9.K72.AT43", "1NT P 2C P") == "2D"
    off = "convention stayman off" + CONVENTIONS
    assert call(off, STRONG, "1NT P") == "-"
    assert call(off, "AQ5.KJ9.K72.AT43", "1NT P 2C P") == "-"


def test_ten_lines_change_a_system(tmp_path):
    from borel.systems import load_system

    (tmp_path / "base.bid").write_text(
        "let nt = 15-17\nopen\n  1NT  nt hcp, balanced\n  2X  6 X  named weak-two, for X in D H S\n  1C  12+ hcp\n"
    )
    (tmp_path / "mine.bid").write_text(
        'system mine "Weak notrump"\ninclude base.bid\nlet nt = 12-14\nopen\n  2D  6 H or 6 S  convention multi\n'
        "  2M  5 M, 5+ any minor  named weak-two\n  replace 1C  16+ hcp\n"
    )
    system = load_system(str(tmp_path / "mine.bid"))
    position = Situation((system, system)).start()

    def choice(hand: str) -> str:
        options = position.choose(features_of(Hand.parse(hand).mask))
        return CALL_NAMES[options[0].call] if options else "-"

    assert choice("AQ5.KJ92.Q7.J843") == "1NT"
    assert choice("AQ9853.92.Q7.J84") == "2D"
    assert choice("AQ985.9.Q7632.84") == "2S"
    assert choice("AQ5.KJ92.A7.AJ43") == "1C"
    assert choice("AQ5.KJ92.7.J8432") == "-"


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("open\n  1NT  15-17 hpc", "2:14", "did you mean hcp?"),
        ("open\n  1NT  balansed", "2:8", "did you mean balanced?"),
        ("open\n  1NT  17-15 hcp", "2:8", "did you mean 15-17?"),
        ("opne\n  1NT", "1:1", "did you mean open?"),
        ("open\n  1NT  quality >= 3", "2:8", "quality needs a suit"),
        ("open\n  1NT  hcp(S, H) = 3", "2:8", "hcp"),
        ("  1NT  balanced", "1:3", "needs a header"),
        ("open\n\t1NT", "2:1", "spaces, not tabs"),
        ("open\n  1NT 15-17 hcp balanced", "2:17", "'balanced' is not understood here"),
        ("open\n  1NT 15-17", "2:12", "ends too early"),
        ("include saycc.bid", "1:1", "did you mean sayc.bid?"),
        ("include sayc.bid\nopne_", "2:1", "not understood"),
        ("open\n  1C  priority hihg", "2:16", "no priority is called"),
        ("open\n  1C  strong hcp", "2:7", "no range is called"),
        ("open\n  replace 1C  12+ hcp", "2:3", "nothing to replace"),
        ("drop nothing-there", "1:1", "no included rule"),
        ("open\n  1C  S", "2:7", "alone says nothing"),
    ],
)
def test_errors_give_the_place_and_a_suggestion(text, place, words):
    with pytest.raises(SystemFileError) as caught:
        read_system(text, "my.bid")
    assert str(caught.value).startswith(f"my.bid:{place}:")
    assert words in str(caught.value)


def test_a_shape_that_is_left_out_is_named():
    flat = Range(((INDEX["shape"], 1.0),), 4333, 4333)
    assert constraint_words(flat) == "shape 4333"
    assert constraint_words(negated(flat)) == "not shape 4333"


def test_a_term_counts_a_whole_number_of_times():
    with pytest.raises(SystemFileError, match="whole number of times"):
        read_system("open\n  1NT  1.5 * hcp >= 20")
