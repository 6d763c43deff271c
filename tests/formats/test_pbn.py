"""PBN: what the standard says, what real files do, and what is wrong."""

from pathlib import Path

import pytest

from borel import Auction, Contract, Seat, Vulnerability
from borel.errors import BridgeError
from borel.formats import Report, pbn
from borel.record import Comment, Record

CORPUS = Path(__file__).parent.parent / "data" / "formats"
DEAL = "W:.AQJ85.986.JT973 A8643.97642.Q.Q8 KT9.K3.K75.AK652 QJ752.T.AJT432.4"


def read(text: str) -> tuple[list[Record], Report, list[str]]:
    """The records of a text, the report, and the errors."""
    errors: list[str] = []
    report = Report(on_bad=lambda error: errors.append(str(error)))
    return pbn.loads(text, report), report, errors


def game(auction: str, *, declarer: str = "E", contract: str = "5C", result: str = "12", play: str = "") -> str:
    """A game on one deal, North dealer."""
    tags = f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{DEAL}"]\n[Declarer "{declarer}"]\n'
    section = f'[Auction "N"]\n{auction}\n' if auction else ""
    return f'{tags}[Contract "{contract}"]\n[Result "{result}"]\n{section}' + (f'[Play "S"]\n{play}\n' if play else "")


class TestFeatures:
    """The corpus that uses everything."""

    @pytest.fixture
    def records(self):
        return pbn.loads((CORPUS / "features.pbn").read_text(encoding="utf-8"))

    def test_all_games_are_read(self, records):
        assert [record.number for record in records] == [1, 2, 3, 4]
        assert pbn.loads(pbn.dumps(records)) == records

    def test_escapes_in_strings_are_undone(self, records):
        assert (records[0].tag("Event"), records[0].tag("Site")) == ('Club "night"', "C:\\bridge")

    def test_the_deal_may_begin_with_any_seat(self, records):
        assert str(records[0].deal.hand(Seat.N)) == "A8643.97642.Q.Q8"

    def test_notes_alerts_glyphs_and_suffixes_belong_to_their_calls(self, records):
        notes = records[0].call_notes
        assert (notes[1].explanation, notes[1].alerted, notes[1].nags) == ("14-16", True, (1,))
        assert (notes[2].nags, notes[3].alerted, notes[6].explanation) == ((2,), True, "cue bid")
        assert not notes[6].alerted

    def test_comments_keep_their_places(self, records):
        comments = records[0].comments
        assert Comment("A file that uses\neverything, even\n\nan empty line in a comment") in comments
        assert Comment("the hands as hand-dealt", "Deal") in comments
        assert Comment("rescue", "Auction", 4) in comments
        assert Comment("the last word", "Auction", 10) in comments
        assert Comment("=9= refers to nothing", "Auction", 13) in comments
        assert Comment("computed", "OptimumResultTable") in comments

    def test_a_comment_on_a_card_stays_with_it_though_tricks_are_written_by_seat(self, records):
        # the comment follows East's card, which is the last of the first trick
        assert Comment("a good lead", "Play", 4) in records[0].comments
        assert str(records[0].cards[6]) == "CK"
        assert records[0].card_notes[6].nags == (1,)

    def test_tables_are_kept(self, records):
        table = next(tag for tag in records[0].tags if tag.name == "OptimumResultTable")
        assert (table.value, table.lines) == ("Declarer;Denomination\\2R;Result\\2R", ("N NT 4", "N S 9"))

    def test_a_number_sign_is_the_value_of_the_game_before(self, records):
        assert records[1].tag("Event") == 'Club "night"'
        assert records[1].tag("Site") == ""

    def test_an_unknown_hand_stays_unknown_and_an_unfinished_auction_unfinished(self, records):
        assert not records[1].deal.hand(Seat.S).mask
        assert not records[1].auction.is_over
        assert records[1].contract is None

    def test_all_pass_alone_is_a_board_passed_out(self, records):
        assert records[2].passed_out
        assert records[2].auction == Auction.parse("S", "P P P P")

    def test_a_board_may_have_only_a_result(self, records):
        assert records[3].contract == Contract.parse("3NT by N")
        assert (records[3].tricks, records[3].auction, records[3].deal) == (9, None, None)


class TestRepairs:
    """Files of two tables a board: what they leave out, and nothing more, is filled in and counted."""

    @pytest.fixture
    def corpus(self):
        return read((CORPUS / "two_tables.pbn").read_text(encoding="utf-8"))

    def test_every_table_loads(self, corpus):
        records, _, errors = corpus
        assert errors == []
        assert [(record.number, str(record.contract)) for record in records] == [
            (1, "1NT by W"),
            (1, "1NTX by W"),
            (2, "2D by E"),
            (2, "1HXX by S"),
        ]

    def test_players_are_those_of_the_same_table_on_the_board_before(self, corpus):
        assert [record.players[Seat.N] for record in corpus[0]] == ["N1", "N2", "N1", "N2"]

    def test_event_and_teams_are_inherited_but_results_are_not(self, corpus):
        assert {record.tag("HomeTeam") for record in corpus[0]} == {"Elms"}
        assert [len(record.cards) for record in corpus[0]] == [13, 0, 0, 0]

    def test_repairs_are_counted_by_kind(self, corpus):
        repairs = corpus[1].repairs
        assert repairs["auctions given leading passes"] == 2
        assert repairs["tricks given to the hands that hold the cards"] == 1
        assert repairs["contracts given the doubles of the auction"] == 1

    def test_a_deal_is_not_inherited_by_another_board(self):
        records, _, errors = read(game("") + '\n[Board "2"]\n[Declarer "N"]\n[Contract "4S"]\n[Result "9"]\n')
        assert errors == []
        assert (records[1].deal, records[1].dealer, records[1].vulnerability) == (None, None, None)

    def test_players_are_not_inherited_by_another_match(self):
        first = '[Event "A"]\n[North "Ann"]\n[Board "1"]\n[Contract "Pass"]\n\n'
        records, _, _ = read(first + '[Event "B"]\n[Board "1"]\n[Contract "Pass"]\n')
        assert [record.players[Seat.N] for record in records] == ["Ann", ""]

    def test_no_pass_is_put_before_an_auction_that_begins_with_one(self):
        _, _, errors = read(game("Pass 1C AP", contract="1C", declarer="W", result="7"))
        assert errors == ["contract 1C by W, but the auction ends in 1C by E (line 6)"]

    def test_closing_passes_are_added_when_the_contract_shows_the_end(self):
        records, report, _ = read(game("Pass 1C Pass 5C", declarer="E"))
        assert records[0].auction.is_over
        assert report.repairs["auctions given closing passes"] == 1

    def test_a_result_that_the_play_does_not_lead_to_is_kept_and_marked(self):
        play = "SQ C3 S3 S9\nC4 C7 C8 CK\nCA D2 C9 CQ\nHT H5 H2 HK\n*"
        records, report, _ = read(game("1C Pass 5C AP", result="2", play=play))
        assert (records[0].tricks, records[0].adjusted) == (2, True)
        assert report.repairs["results kept that the play does not lead to"] == 1

    def test_games_without_an_empty_line_between_them_are_still_two(self):
        records, report, _ = read('[Board "1"]\n[Contract "Pass"]\n[Board "2"]\n[Contract "Pass"]\n')
        assert [record.number for record in records] == [1, 2]
        assert report.repairs["empty lines missing between games"] == 1

    def test_an_empty_line_before_a_section_does_not_end_the_game(self):
        records, report, _ = read('[Board "1"]\n[Dealer "N"]\n\n[Auction "N"]\n1C AP\n')
        assert records[0].contract == Contract.parse("1C by N")
        assert report.repairs["empty lines inside a game"] == 1

    def test_a_double_number_sign_holds_for_all_following_games(self):
        records, _, _ = read(
            '[Site "##Oslo"]\n[Board "1"]\n\n[Board "2"]\n\n[Site "Bergen"]\n[Board "3"]\n\n[Board "4"]\n'
        )
        assert [record.tag("Site") for record in records] == ["Oslo", "Oslo", "Bergen", "Bergen"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('[Deal "N:AK.. AK.. - -"]', "not a hand: 'AK..': 3 suits instead of four (line 1)"),
        ('[Board "1"]\n[Deal "N:AKQ.AKQ.AKQ.AKQJ AKJ.J32.J32.T987 - -"]', "SA is held by North and East"),
        ('[Deal "N:AKQ.AKQ.AKQ.AKQJ JT9.JT9.JT9.T98 - -"]', "East has 12 cards instead of 13"),
        ('[Dealer "X"]', "not a seat (N E S W): 'X' (line 1)"),
        ('[Board "1"]\n[Vulnerable "Maybe"]', "'Maybe' (line 2)"),
        ('[Auction "N"]\n1C 1D\n1H 1C', "1C is not legal after 1C 1D 1H: not higher than 1H (Law 18) (line 1)"),
        ('[Auction "N"]\n1C 1D\n1H Foo', "not a call: 'Foo' (line 3)"),
        ('[Auction "N"]\n1C ^I 1D', "irregularity"),
        ('[Declarer "^S"]\n[Contract "4H"]', "irregularity"),
        ('[Auction "N"]\n1C AP AP', "a call after AP"),
        ('[Result "many"]', "not a result"),
        ('[Contract "4H"][Declarer "N"]\n[Auction "N"]\n1C AP', "contract 4H by N, but the auction ends in 1C by N"),
        ('[Dealer "E"]\n[Auction "N"]\n1C AP', "East is dealer, but the auction begins with North"),
        ('[Contract "Pass"]\n[Result "9"]', "passed out, but with 9 tricks"),
        ('[Play "N"]\nSA SK SQ SJ', "cards were played without a contract"),
        ('[Event "A" [Site "B"]', "not a tag pair"),
        ('[Event "A"]\n[Date "B"]\n[Date "C"]', "tag Date twice (line 3)"),
        ('[Event "A"]\n{never closed', "the text ends inside a comment"),
        ("what is this", "text without any tag pair"),
        (
            game("1C Pass 5C AP", play="SQ C3 S3 S9\nC4 C7 - CK\nCA D2 C9 CQ"),
            "trick 2: no card of N, but one of a later hand",
        ),
        (game("1C Pass 5C AP", play="SQ C3 S3 S9\nC4 C7 S4 CK"), "S4 is not legal for N"),
        (game("1C Pass 5C AP", play="SQ C3 S3 S9\nSQ CK C8 C7"), "trick 2: SQ is not legal for S"),
        (game("1C Pass 5C AP", play="SQ C3 S3 S4"), "two cards of N"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, error):
    records, _, errors = read(text)
    assert records == []
    assert len(errors) == 1
    assert error in errors[0]
    assert "(line " in errors[0]


@pytest.mark.parametrize(
    "bad", ['[Deal "N:nonsense"]', '[Auction "N"]\n7NT 1C', "[broken", '[Result "9"]\n{open', '[Note "1"']
)
def test_a_bad_game_does_not_take_good_ones_with_it(bad):
    good = '[Event "E"]\n[Board "1"]\n[Contract "Pass"]\n'
    records, _, errors = read(f'{good}\n[Board "2"]\n{bad}\n\n[Board "3"]\n[Contract "Pass"]\n')
    assert [record.number for record in records] == [1, 3]
    assert len(errors) == 1


def test_without_a_report_the_first_bad_record_raises():
    with pytest.raises(BridgeError, match="not a seat"):
        pbn.loads('[Dealer "X"]')


def test_unknown_values_are_unknown():
    record = pbn.loads('[Board "?"]\n[Dealer "?"]\n[Vulnerable ""]\n[Deal ""]\n[Contract "?"]\n[Result "?"]')[0]
    assert record == Record()


def test_a_board_whose_name_is_no_number_keeps_its_name():
    record = pbn.loads('[Board "12a"]\n[Vulnerable "Both"]')[0]
    assert (record.number, record.tag("Board"), record.vulnerability) == (None, "12a", Vulnerability.ALL)
    assert pbn.loads(pbn.dumps([record])) == [record]
