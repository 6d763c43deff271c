import pytest
from hypothesis import given
from hypothesis import strategies as st

from borel import Contract, Result, Scoring, Side, Strain, Vulnerability
from borel.errors import BridgeError, ParseError
from borel.scoring import butler, cross_imps, datum, imps, matchpoints, ns_score, par, score, victory_points
from strategies import contracts, deals, vulnerabilities

# The scores that every player knows, and the corners of Law 77.
KNOWN = [
    ("1C", 7, False, 70), ("1NT", 7, False, 90), ("1NT", 8, True, 120), ("2H", 8, False, 110),
    ("3NT", 9, False, 400), ("3NT", 9, True, 600), ("3NT", 11, True, 660), ("4S", 10, False, 420),
    ("4S", 11, True, 650), ("5C", 11, False, 400), ("6H", 12, False, 980), ("6H", 12, True, 1430),
    ("6NT", 12, True, 1440), ("7NT", 13, False, 1520), ("7NT", 13, True, 2220), ("7C", 13, True, 2140),
    ("2SX", 8, False, 470), ("2SX", 9, True, 870), ("1CX", 7, False, 140), ("1CXX", 7, False, 230),
    ("1CXX", 9, True, 1030), ("2DX", 8, False, 180), ("2NTXX", 8, True, 880), ("7NTXX", 13, True, 2980),
    ("4S", 9, False, -50), ("4S", 9, True, -100), ("4S", 6, True, -400), ("4SX", 9, False, -100),
    ("4SX", 9, True, -200), ("4SX", 8, False, -300), ("4SX", 8, True, -500), ("4SX", 7, False, -500),
    ("4SX", 6, False, -800), ("4SX", 7, True, -800), ("4SXX", 9, False, -200), ("4SXX", 7, True, -1600),
    ("7NTX", 0, False, -3500), ("7NTXX", 0, True, -7600),
]  # fmt: skip


@pytest.mark.parametrize(("contract", "tricks", "vulnerable", "points"), KNOWN)
def test_known_scores(contract, tricks, vulnerable, points):
    assert score(Contract.parse(f"{contract} by N"), tricks, vulnerable=vulnerable) == points


@given(contracts, st.integers(0, 13), vulnerabilities)
def test_north_south_score_is_the_opposite_of_east_wests(contract, tricks, vulnerability):
    points = score(contract, tricks, vulnerable=vulnerability.includes(contract.side))
    assert ns_score(contract, tricks, vulnerability) == (points if contract.side is Side.NS else -points)
    assert (points > 0) == (tricks >= contract.tricks_needed)
    result = Result(contract, tricks)
    assert Result.parse(str(result)) == result
    assert result.ns_score(vulnerability) == ns_score(contract, tricks, vulnerability)


def test_a_board_passed_out_scores_nothing():
    assert ns_score(None, 0, Vulnerability.ALL) == 0


def test_impossible_numbers_of_tricks_are_refused():
    with pytest.raises(BridgeError, match="0 to 13 tricks, not 14"):
        score(Contract.parse("1C by N"), 14, vulnerable=False)
    for text in ("", "4S by N", "4S by N +9", "4S by N 1", "4S by N +x"):
        with pytest.raises(BridgeError):
            Result.parse(text)


def test_the_imp_table_of_law_78b():
    borders = {0: 0, 10: 0, 20: 1, 40: 1, 50: 2, 90: 3, 130: 4, 160: 4, 170: 5, 220: 6, 270: 7, 320: 8, 370: 9, 430: 10}
    borders |= {
        500: 11,
        600: 12,
        750: 13,
        900: 14,
        1100: 15,
        1300: 16,
        1500: 17,
        1750: 18,
        2000: 19,
        2250: 20,
        2500: 21,
    }
    borders |= {3000: 22, 3500: 23, 3990: 23, 4000: 24, 9000: 24}
    for difference, expected in borders.items():
        assert imps(difference) == expected == -imps(-difference)


@given(st.lists(st.integers(-200, 200).map(lambda n: 10 * n), min_size=2, max_size=20))
def test_matchpoints_and_cross_imps_sum_to_what_they_must(scores):
    tables = len(scores)
    assert sum(matchpoints(scores)) == tables * (tables - 1)
    assert abs(sum(cross_imps(scores))) < 1e-6
    assert len(butler(scores)) == tables
    assert min(scores) - 5 <= datum(scores) <= max(scores) + 5


def test_a_datum_needs_scores():
    with pytest.raises(BridgeError, match="no scores"):
        datum([420, 450], drop=1)


# Equal thirds of the blitz margin (15·√16 = 60) are worth 5, then each time the golden ratio less: 5, 3.09, 1.91.
@pytest.mark.parametrize(("margin", "points"), [(0, 10.0), (1, 10.31), (20, 15.0), (40, 18.09), (60, 20.0), (99, 20.0)])
def test_victory_points_of_sixteen_boards(margin, points):
    assert victory_points(margin, 16) == points
    assert victory_points(-margin, 16) == pytest.approx(20 - points)


def test_forms_of_scoring_are_read_by_their_many_names():
    assert Scoring.parse("IMPs") is Scoring.parse("imp") is Scoring.IMPS
    assert Scoring.parse("MP") is Scoring.parse("Matchpoints") is Scoring.MATCHPOINTS
    with pytest.raises(ParseError, match="form of scoring"):
        Scoring.parse("chess")


def table_of(**tricks: tuple[int, int, int, int]) -> list[list[int]]:
    """A double-dummy table: tricks of N E S W in the strains named, otherwise six each."""
    return [list(tricks.get(str(strain), (6, 6, 6, 6))) for strain in Strain]


@pytest.mark.parametrize(
    ("table", "vulnerability", "points", "contracts_text"),
    [
        (table_of(), "None", 0, ""),
        (table_of(S=(10, 3, 10, 3)), "None", 420, "4S by N =, 4S by S ="),
        (table_of(S=(10, 3, 9, 3)), "None", 420, "4S by N ="),
        # five hearts doubled, two down not vulnerable, is cheaper than their game
        (table_of(S=(10, 3, 10, 3), H=(4, 9, 4, 9)), "NS", 300, "5HX by E -2, 5HX by W -2"),
        # the same sacrifice vulnerable costs 500 against 420: they let it play
        (table_of(S=(10, 3, 10, 3), H=(4, 9, 4, 9)), "EW", 420, "4S by N =, 4S by S ="),
    ],
)
def test_par_by_hand(table, vulnerability, points, contracts_text):
    result = par(table, Vulnerability.parse(vulnerability), Side.NS)
    assert result.ns_score == points
    assert ", ".join(map(str, result.results)) == contracts_text


def test_who_bids_first_matters_when_both_can_make_the_same():
    both = table_of(NT=(7, 7, 7, 7))
    assert par(both, Vulnerability.NONE, Side.NS).ns_score == 90
    assert par(both, Vulnerability.NONE, Side.EW).ns_score == -90


@given(deals(), vulnerabilities, st.data())
def test_par_is_symmetric_and_at_least_what_one_side_can_make_above_the_other(deal, vulnerability, data):
    tricks = [[data.draw(st.integers(0, 13)) for _ in range(4)] for _ in Strain]
    turned = [[row[3], row[0], row[1], row[2]] for row in tricks]
    swapped = Vulnerability((vulnerability >> 1) | (vulnerability & 1) << 1)
    assert par(tricks, vulnerability, Side.NS).ns_score == -par(turned, swapped, Side.EW).ns_score
