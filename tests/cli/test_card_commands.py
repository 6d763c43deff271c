"""`borel singledummy` and `borel play` at the command line."""

import json

from typer.testing import CliRunner

from borel.cli.app import app
from borel.errors import BridgeError


def run(*words: str, given: str | None = None) -> str:
    result = CliRunner().invoke(app, list(words), input=given)
    if isinstance(result.exception, BridgeError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_a_suit_combination_as_a_textbook_has_it():
    text = run("singledummy", "AQ", "32")
    assert "2 tricks: 50.0%, lead the 2 from hand to the Q" in " ".join(text.split())
    lines = json.loads(run("singledummy", "AQ", "32", "--json"))["lines"]
    assert [(line["tricks"], round(line["chance"], 3)) for line in lines] == [(2, 0.5), (1, 1.0)]


def test_an_ending_with_its_two_lines():
    ending = "N:AT2... 965... KJ3... Q87..."
    document = json.loads(run("singledummy", ending, "--tricks", "3", "--json"))
    lines = document["endings"][0]["lines"]
    assert [round(line["chance"], 3) for line in lines] == [0.5, 0.5]
    assert {line["fails"] for line in lines} == {"East has ♠Q", "West has ♠Q"}
    assert "fails when" in run("singledummy", ending, "--tricks", "3")


def test_the_best_line_alone_says_whether_it_is_proved():
    ending = "N:AT2... 965... KJ3... Q87..."
    document = json.loads(run("singledummy", ending, "--tricks", "3", "--best", "--json"))["endings"][0]
    assert (round(document["bound"], 3), document["proved"], len(document["lines"])) == (0.5, True, 1)
    assert "not proved" not in run("singledummy", ending, "--tricks", "3", "--best")
    hard = "N:K4.J83.QT.9 QJ.AT.K9.32 A6.Q5.J8.T7 T9.K94.A6.J"  # 32 cards: more than a hundredth of a second
    text = " ".join(run("singledummy", hard, "--tricks", "4", "--best", "--seconds", "0.01").split())
    assert "not proved in 0.01 s: no line has more than" in text


def test_a_board_at_the_terminal_until_the_person_leaves():
    text = run("play", "--seed", "5", "--player", "monte_carlo:layouts=1", given="hint\nexplain\n9NT\nundo\nP\nquit\n")
    assert "not a call: '9NT'" in text
    assert "nothing of yours to take back" in text
    assert "has shown" in text


def test_dummys_card_is_named_by_dummy_and_undo_shows_the_table_once():
    # South passes throughout, and leads against East's contract: West is dummy
    given = "P\nP\nSK\nundo\nquit\n"
    text = run("play", "--seed", "3", "--player", "monte_carlo:layouts=1", given=given)
    after = text.split("1NT by East")
    assert len(after) == 3  # after the first trick, and after undo
    lead = [line.split("> ")[-1].split(":")[0] for line in after[0].splitlines() if "♠" in line]
    assert lead[-3:] == ["West", "North", "East"]
