"""The condition language: what it means, what it refuses, and how it says so."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_conditions import evaluate

from borel import BridgeError, Deal, Seat, Strain, Vulnerability, _core, dd
from borel.dealing import compile_condition, deals, read_condition
from borel.errors import ConditionError
from borel.features import CLASSES, value
from borel.scoring import imps

DEALS = list(deals(100, 11))
SEATS = ["north", "east", "south", "west"]
SUITS = ["spades", "hearts", "diamonds", "clubs"]
COUNTS = [
    "hcp",
    "controls",
    "losers",
    "tens",
    "jacks",
    "queens",
    "kings",
    "aces",
    "top2",
    "top3",
    "top4",
    "top5",
    "c13",
]


def values(text):
    masks = np.array([deal.masks for deal in DEALS], dtype=np.uint64)
    return _core.evaluate_condition(compile_condition(text).core, masks).tolist()


@pytest.mark.parametrize("name", COUNTS)
def test_every_function_counts_what_it_says_in_a_suit_and_in_the_hand(name):
    for text in [f"{name}(east)", *(f"{name}(south, {suit})" for suit in SUITS)]:
        assert values(text) == [evaluate(text, deal) for deal in DEALS], text


@pytest.mark.parametrize(
    "text",
    [
        "hcp(north) >= 15 && shape(north, any 4333 + any 4432 + any 5332)",
        "shape(south, 5xxx + any 4441 - 5431)",
        "shape(west, xxxx - any 4333)",
        "hearts(south) >= 5 || spades(south) > 4",
        "hascard(north, AS) or hascard(east, 10H) or hascard(west, C2)",
        "not hascard(north, AS) and hcp(south) != 10",
        "hcp(north) + hcp(south) > hcp(east) + hcp(west)",
        "2 * hearts(north) - 3 * spades(west) + 7",
        "hcp(north) % 5 == 2",
        "(hcp(north) + 1) * (hcp(south) - 4) >= 0 && !(clubs(east) == 3)",
        "hcp(north) - hcp(south) - hcp(east)",
        "-hcp(north) + - 3",
        "1 + 2 * 3 < 4 || 5 > 6 && 7 > 8",
    ],
)
def test_expressions_mean_what_plain_evaluation_says(text):
    expected = [evaluate(text.replace("10H", "TH"), deal) for deal in DEALS]
    assert values(text) == expected


def test_comparisons_bind_tighter_than_equality():
    equal = [(deal.hand(Seat.N).hcp > 10) == (deal.hand(Seat.S).hcp > 10) for deal in DEALS]
    assert values("hcp(north) > 10 == hcp(south) > 10") == equal


def test_choices_and_variables_are_computed_as_written():
    script = """
        points = hcp(north) + hearts(north)   // strength and length
        strong = points > 18                  # a lot
        /* more than
           one line */
        strong ? points : -points
    """
    assert values(script) == [
        total if total > 18 else -total
        for total in (deal.hand(Seat.N).hcp + deal.hand(Seat.N).lengths[2] for deal in DEALS)
    ]


def test_variables_may_use_variables_many_times_over():
    script = "a0 = hcp(west)\n" + "\n".join(f"a{i} = a{i - 1} + a{i - 1}" for i in range(1, 41)) + "\na40"
    assert values(script) == [deal.hand(Seat.W).hcp * 2**40 for deal in DEALS]


def test_division_is_that_of_whole_numbers_towards_zero():
    assert values("-7 / 2")[0] == -3
    assert values("-7 % 2")[0] == -1
    assert values("7 / -2")[0] == -3


def test_what_need_not_be_computed_is_not_computed():
    assert values("0 && 1 / 0")[0] == 0
    assert values("1 || 1 / 0")[0] == 1
    assert values("1 ? 5 : 1 / 0")[0] == 5


def test_division_by_zero_is_an_error_when_it_happens():
    with pytest.raises(ConditionError, match="division by zero"):
        compile_condition("1 / (hcp(north) - hcp(north))").holds(DEALS[0])
    with pytest.raises(ConditionError, match="division by zero"):
        list(deals(1, 1, where="1 % 0"))


def test_names_are_read_in_any_case_and_seats_and_suits_by_their_letters():
    assert values("HCP(North, Spades) >= 4 AND NOT Hearts(s) < 3") == values("hcp(n,s)>=4 && !hearts(south)<3")
    assert values("heart(n) + control(n) + loser(n) + ace(n)") == values("hearts(n)+controls(n)+losers(n)+aces(n)")


def test_point_counts_by_number_are_those_by_name():
    names = ["tens", "jacks", "queens", "kings", "aces", "top2", "top3", "top4", "top5", "c13"]
    for number, name in enumerate(names):
        assert values(f"pt{number}(north)") == values(f"{name}(north)")


def test_scales_can_be_changed_by_pointcount_and_altcount():
    assert values("pointcount 6 4 2 1 hcp(north)") == values("c13(north)")
    assert values("altcount 3 4 3 2 1 pt3(north, hearts) + kings(north)") == values("hcp(north, hearts) + hcp(north)")
    assert values("altcount 8 0 0 0 0 1 top5(west)") == values("tens(west)")


def test_quality_and_cccc_count_hundredths():
    hands = [deal.hand(Seat.N) for deal in DEALS]
    assert values("cccc(north)") == [round(100 * value(hand, "kaplan_rubens")) for hand in hands]
    assert values("quality(north, hearts)") == [round(100 * value(hand, "kr_quality(H)")) for hand in hands]


def test_tricks_are_those_of_the_solver():
    few = DEALS[:5]
    for declarer, word in ((Seat.N, "notrump"), (Seat.E, "spades")):
        condition = compile_condition(f"tricks({declarer.word}, {word})")
        strain = Strain.NT if word == "notrump" else Strain.S
        assert [condition.value(deal) for deal in few] == [dd.table(deal)[strain][declarer] for deal in few]


def test_scores_and_imps_are_those_of_the_laws():
    assert values("score(vul, x3N, 9)")[0] == 600
    assert values("score(nonvul, x4SX, 8)")[0] == -300
    assert [values(f"imps({n})")[0] for n in (0, 10, 20, -50, 430, 4000, -9000)] == [0, 0, 1, -2, 10, 24, -24]
    assert values("imps(score(vul, x4H, 10) - score(vul, x3N, 8))")[0] == imps(620 + 100)
    with pytest.raises(ConditionError, match="tricks above 13"):
        compile_condition("score(vul, x3N, 14)").holds(DEALS[0])


def test_every_feature_is_a_function():
    forms = {"": "", "A": "", "S": ", hearts", "TS": ", hearts, clubs", "TA": ", hearts", "T*A": ", notrump",
             "2S": ", hearts, clubs", "SN": ", hearts, 4"}  # fmt: skip
    written = {"": "", "A": "", "S": "(H)", "TS": "(H,C)", "TA": "(H)", "T*A": "(NT)", "2S": "(H,C)", "SN": "(H,4)"}
    for name, cls in CLASSES.items():
        if name == "quality":  # dealer's quality is another
            continue
        text, feature = f"{name}(east{forms[cls.arguments]})", name + written[cls.arguments]
        assert values(text) == [round(cls.scale * value(deal.hand(Seat.E), feature)) for deal in DEALS], text


def test_a_script_says_what_else_it_asks_for():
    condition = compile_condition(
        """produce 25
        generate 100000
        dealer west
        vulnerable NS
        predeal north SAKQ, H2 south C234
        title "strong"
        condition hcp(south) > 3
        action printall, average "points" hcp(south), frequency (hcp(north), 0, 37)
        """
    )
    assert (condition.produce, condition.dealer, condition.vulnerability) == (25, Seat.W, Vulnerability.NS)
    assert str(condition.predealt) == "N:AKQ.2.. - ...432 -"
    assert [note.split(":")[0].split()[0] for note in condition.notes] == ["action", "generate", "title"]


def test_an_action_in_the_middle_hides_nothing_that_follows():
    assert values('action printes "condition 0", hcp(north)\nx = 5\ncondition x') == [5] * len(DEALS)


def test_lengths_can_be_predealt_as_conditions():
    assert values("predeal spades(north) == 4, hearts(north) == 3") == values("spades(north)==4 && hearts(north)==3")


def test_no_condition_is_always_true():
    assert values("") == values("  # nothing\n") == [1] * len(DEALS)
    assert compile_condition("produce 3").is_trivial


@pytest.mark.parametrize(
    ("text", "words", "column"),
    [
        ("hpc(north) >= 15", "unknown function 'hpc'; did you mean \"hcp\"?", 1),
        ("1 + shap(north, any 4333)", 'did you mean "shape"?', 5),
        ("hcp(nort) > 3", "'nort' is not a seat", 5),
        ("hcp(north, spaeds) > 3", "'spaeds' is not a suit", 12),
        ("hcp(north) = 15", 'did you mean "=="?', 12),
        ("hcp(north) > 3 & 1", 'did you mean "&&"?', 16),
        ("hcp(north", "ends too soon", 10),
        ("hcp(north) >", "ends too soon", 13),
        ("hascard(north, XS)", "expected a card such as AS", 16),
        ("shape(north, any 433)", "expected a shape such as 4333", 18),
        ("shape(north, 4334)", "the shape 4334 has 14 cards", 14),
        ("strenght > 3", "unknown name 'strenght'", 1),
        ("hcp > 3", "hcp needs a seat", 1),
        ("north > 3", "by itself is not a number", 1),
        ("hcp() > 3", "hcp needs a seat", 1),
        ("hcp(north, spades, hearts)", "hcp takes 1 to 2 arguments, not 3", 1),
        ("quality(north)", "quality takes 2 arguments, not 1", 1),
        ("spades(north, hearts)", "spades takes 1 arguments, not 2", 1),
        ("tricks(north) > 9", "tricks takes 2 arguments, not 1", 1),
        ("tricks(north, nothing) > 9", "'nothing' is not a strain", 15),
        ("score(vul, x8N, 9)", "expected score(vul or nonvul, a contract such as x3N", 1),
        ("score(3, x3N, 9)", "expected score(", 1),
        ("rnd(10) > 5", "random numbers are not available", 1),
        ("cccc(north) > 12.5", "whole numbers only", 15),
        ("hcp(north) > 99999999999", "a number above", 14),
        ("hcp(3) > 3", "expected a seat", 5),
        ("1 2", "a second condition", 3),
        ("hcp(north) > 3 §", "unexpected '§'", 16),
        ("altcount 10 1 2", "altcount goes from 0 to 9", 10),
        ("dealer up", "'up' is not a seat", 8),
        ("vulnerable maybe", "'maybe' is not a vulnerability", 12),
        ("predeal north SA south SA", "SA is dealt twice", 24),
        ("predeal north SAKQJT98765432,H2", "more than 13 cards for North", 30),
        ("fit(north, spades, 20)", "a length from 0 to 13", 20),
        ("1" + " + (1" * 100 + ")" * 100, "nested too deeply", None),
    ],
)
def test_a_wrong_condition_is_named_with_its_place(text, words, column):
    with pytest.raises(ConditionError) as caught:
        compile_condition(text)
    assert words in str(caught.value)
    assert column is None or caught.value.column == column


def test_errors_in_scripts_name_the_line():
    with pytest.raises(ConditionError, match=r"^line 3: unknown name 'y' in condition '  x \+ y' \(column 7\)$"):
        compile_condition("# comment\nx = 3\n  x + y")


def test_a_variable_is_defined_once():
    with pytest.raises(ConditionError, match="'x' is defined twice"):
        compile_condition("x = 3\nx = 4\nx")


def test_absurdly_long_conditions_are_refused_and_long_ones_are_not():
    assert values(" || ".join(f"hcp(north) == {n}" for n in range(2000)))[0] == 1
    with pytest.raises(ConditionError, match="characters"):
        compile_condition("1 +" * 100_000 + "1")
    with pytest.raises(ConditionError, match="more than 250 variables"):
        compile_condition("\n".join(f"v{i} = {i}" for i in range(300)) + "\n1")


def test_parentheses_signs_and_choices_may_nest_without_end():
    assert values("(" * 5000 + "1" + ")" * 5000)[0] == 1
    assert values("!" * 5000 + "1")[0] == 1
    assert values("1 ? 2 : " * 3000 + "3")[0] == 2


def test_conditions_are_read_from_files_in_old_encodings(tmp_path):
    path = tmp_path / "one.dl"
    path.write_bytes("# d'apr\xe8s\nhcp(north) >= 20\r\nproduce 4\r\n".encode("latin-1"))
    condition = read_condition(f"@{path}")
    assert condition.produce == 4
    assert not condition.is_trivial


numbers = st.integers(0, 20).map(str)
leaves = numbers | st.sampled_from(
    [f"{name}({seat})" for name in ("hcp", "controls", "losers", "aces") for seat in SEATS]
    + [f"{suit}({seat})" for suit in SUITS for seat in SEATS]
    + ["shape(north, any 4333 + 5xxx)", "hascard(west, QD)", "top3(south, hearts)"]
)
operators = st.sampled_from(["+", "-", "*", "<", "<=", ">", ">=", "==", "!="])
expressions = st.recursive(
    leaves,
    lambda inner: (
        st.tuples(inner, operators, inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
        | st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(lambda t: f"(({t[0]} {t[1]} {t[2]}) != 0)")
        | inner.map(lambda text: f"(!{text})")
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(expressions, st.integers(0, len(DEALS) - 1))
def test_any_expression_is_computed_as_in_plain_python(text, index):
    assert compile_condition(text).value(DEALS[index]) == evaluate(text, DEALS[index])


PIECES = st.sampled_from(
    ["hcp", "shape", "hascard", "(", ")", ",", "north", "s", "any", "4333", "5xxx", "+", "-", "&&", "||", "!", "=",
     "==", "?", ":", "x", "3", "AS", "SAK", "predeal", "action", "condition", "produce", "altcount", "dealer", '"a"',
     "\n", "//", "/*", "*/", "#", "%", "1.5", "tricks", "é", "\x00", "pt3", "vulnerable", "ew"]
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=25).map(" ".join) | st.text(max_size=40))
def test_any_text_is_a_condition_or_an_error_of_ours(text):
    with suppress(BridgeError):
        compile_condition(text).holds(DEALS[0])


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [(999, 0, 0, 0, 0)],
        [(0, 4, 0, 0, 0)],
        [(1, 0, 10_000, 0, 0)],
        [(2, 0, 0, 0, 0)],
        [(3, 0, 52, 0, 0)],
        [(5, 0, 5, 0, 0)],
        [(6, 0, 0, 0, 0)],
        [(8, 0, 0, 0, 0)],
        [(0, 0, 1, 0, 0), (10, 0, 0, 0, 0)],
        [(0, 0, 1, 0, 0), (0, 0, 1, 0, 0)],
        [(0, 0, 1, 0, 0), (23, 0, 5, 0, 0)],
        [(0, 0, 1, 0, 0), (23, 0, -1, 0, 0)],
        [(0, 0, 1, 0, 0)] * 65 + [(18, 0, 0, 0, 0)] * 64,
    ],
)
def test_the_core_refuses_programs_that_would_run_wild(rows):
    with pytest.raises(ValueError):
        _core.Condition([rows], [], [], [])


def test_a_condition_keeps_its_text_and_can_be_asked_about_a_deal():
    condition = compile_condition("hcp(north) == 37")
    deal = Deal.parse("N:AKQ.AKQ.AKQ.AKQJ .JT9.JT98765.T98 JT98.8765432.4.2 765432..32.76543")
    assert condition.text == "hcp(north) == 37"
    assert condition.holds(deal)
    assert not condition.holds(deal.rotated(1))
