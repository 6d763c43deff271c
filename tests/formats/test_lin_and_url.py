"""LIN in its several shapes, and the URLs of the hand viewer."""

from pathlib import Path

import pytest

from borel import Auction, Claim, Contract, Seat, Vulnerability
from borel.formats import Report, lin, url
from borel.record import Comment

CORPUS = Path(__file__).parent.parent / "data" / "formats"
BOARD = "md|3SQJ752HTDAJT432C4,SHAQJ85D986CJT973,SA8643H97642DQCQ8|"


def load(name):
    return {".lin": lin, ".url": url}[Path(name).suffix].loads((CORPUS / name).read_text(encoding="utf-8"))


def errors_of(module, text):
    errors = []
    records = module.loads(text, Report(on_bad=lambda error: errors.append(str(error))))
    return records, errors


class TestVugraph:
    def test_both_rooms_of_each_board_are_records(self):
        records = load("vugraph.lin")
        assert [(record.number, record.tag("Room")) for record in records] == [
            (1, "Open"),
            (1, "Closed"),
            (2, "Open"),
            (2, "Closed"),
        ]

    def test_the_head_gives_names_teams_and_scoring(self):
        record = load("vugraph.lin")[1]
        assert record.players == ("Nc", "Ec", "Sc", "Wc")
        assert (record.tag("Event"), record.tag("HomeTeam"), record.tag("VisitTeam")) == ("Friendly", "Elms", "Oaks")
        assert (record.tag("Scoring"), record.tag("VisitCarry")) == ("IMP", "3")

    def test_alerts_explanations_comments_and_claims_are_read(self):
        record = load("vugraph.lin")[0]
        assert (record.call_notes[1].alerted, record.call_notes[1].explanation) == (True, "14-16, no major")
        assert Comment("A surprise.", "Auction", 5) in record.comments
        assert (record.claim, record.tricks) == (Claim(8, 12), 12)

    def test_the_fourth_hand_is_what_is_left(self):
        assert str(load("vugraph.lin")[0].deal.hand(Seat.E)) == "KT9.K3.K75.AK652"

    def test_a_result_in_the_head_completes_a_board_without_play(self):
        assert (load("vugraph.lin")[2].tricks, load("vugraph.lin")[2].cards) == (5, ())

    def test_the_closed_room_shares_the_deal_of_the_open_room(self):
        open_room, closed = load("vugraph.lin")[2:]
        assert closed.deal == open_room.deal
        assert closed.dealer is open_room.dealer is Seat.E

    def test_a_result_in_the_head_that_contradicts_the_auction_is_an_error(self):
        text = (CORPUS / "vugraph.lin").read_text(encoding="utf-8").replace("rs|5CE+1", "rs|4CE+1")
        records, errors = errors_of(lin, text)
        assert errors == ["the file's results say 4C by E, but the auction ends in 5C by E (line 5)"]
        assert len(records) == 3


class TestSeveralBoards:
    def test_boards_without_qx_are_told_apart(self):
        records = load("boards.lin")
        assert [record.number for record in records] == [1, 2, None]
        assert [record.passed_out for record in records] == [False, True, False]

    def test_dealers_are_numbered_from_south(self):
        assert [record.dealer for record in load("boards.lin")] == [Seat.N, Seat.E, Seat.S]

    def test_a_name_that_is_no_number_is_kept(self):
        record = load("boards.lin")[2]
        assert (record.tag("Lin_ah"), record.auction) == ("A hand to remember", None)
        assert "ah|A hand to remember|" in lin.dumps([record])

    def test_names_stand_from_south_on(self):
        assert load("boards.lin")[0].players == ("Nan", "Ed", "Sue", "Wes")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (BOARD + "mb|1C|mb|1C|", "1C is not legal after 1C"),
        (BOARD + "mb|8C|", "not a call: '8C' (line 1)"),
        (BOARD + "mb|1C|mb|p|mb|p|mb|p|pc|H9|", "H9 is not legal for E"),
        (BOARD + "mb|1C|mb|p|mb|p|mb|p|mc|14|", "a claim of 14 tricks"),
        (BOARD.replace("SHAQ", "SQHA"), "SQ is held by"),
        (BOARD + "sv|x|", "not a vulnerability"),
        ("md|3SAKQ", "the text ends inside a command"),
        (BOARD + "mb|1C", "the text ends inside a command"),
        (BOARD + "this is not LIN|", "not a command"),
        (BOARD + "mc|9|", "a claim without a contract"),
        ("md|0SAK,,,|mb|1C|", "an auction without a dealer"),
    ],
)
def test_what_is_wrong_in_lin_is_said(text, error):
    records, errors = errors_of(lin, text)
    assert records == []
    assert len(errors) == 1
    assert error in errors[0]


def test_a_value_that_is_not_closed_does_not_swallow_the_next_board():
    good = f"qx|o3|{BOARD}sv|b|"
    records, errors = errors_of(lin, f"qx|o1|{BOARD}an|never closed\nqx|o2|{BOARD}an||no command here|\n{good}\n")
    assert [record.number for record in records] == [3]
    assert [error.split(" (")[0] for error in errors] == [
        "the value of 'an' is not closed",
        "not a command: 'no command here'",
    ]


def test_several_calls_in_one_command():
    assert lin.loads(BOARD + "mb|1cp1hdrpp|")[0].auction == Auction.parse("N", "1C P 1H X XX P P")


class TestUrl:
    def test_the_form_with_lin(self):
        record = load("links.url")[0]
        assert (record.number, record.contract, record.tricks) == (1, Contract.parse("3NT by E"), 9)
        assert record.call_notes[1].explanation == "14-16"

    def test_the_form_with_hands(self):
        record = load("links.url")[1]
        assert (record.number, record.dealer, record.vulnerability) == (7, Seat.E, Vulnerability.ALL)
        assert (str(record.auction), record.call_notes[2].explanation) == ("P P 1NT P P P", "15-17")
        assert (record.claim, record.players) == (Claim(4, 8), ("Nan", "", "Sue", ""))

    def test_one_hand_is_enough(self):
        record = load("links.url")[2]
        assert len(record.deal.unknown) == 39

    @pytest.mark.parametrize(
        ("text", "error"),
        [
            ("https://example.org/", "no lin=, no hands and no auction"),
            ("nonsense", "no lin=, no hands and no auction"),
            ("http://[bad?n=sa", "Invalid IPv6 URL"),
            ("x?d=n&a=1cfoo", "no call at 'foo'"),
            ("x?d=n&a=1cppp&p=zz", "no card at 'zz'"),
            ("x?n=sa&n=sk", "a field is given twice"),
            ("x?lin=md|3SAK", "the text ends inside a command (line 1)"),
            ("x?a=1c", "an auction without a dealer"),
            ("x?" + "&".join(f"k{i}=1" for i in range(300)), "Max number of fields exceeded"),
        ],
    )
    def test_what_is_wrong_in_a_url_is_said(self, text, error):
        records, errors = errors_of(url, text)
        assert records == []
        assert len(errors) == 1
        assert error in errors[0]
