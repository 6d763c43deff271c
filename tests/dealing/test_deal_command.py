"""`borel deal`: its formats, its errors, and what it says where."""

import io
import json
import sys

import pytest

from borel import Deal, Hand, Seat, Vulnerability
from borel.cli import app as cli
from borel.dealing import deals
from borel.formats import FORMATS


def run(capsys, monkeypatch, *arguments):
    """Exit code, standard output and standard error of `borel deal ARGUMENTS`."""
    monkeypatch.setattr(sys, "argv", ["borel", "deal", *arguments])
    code = 0
    try:
        cli.main()
    except SystemExit as stop:
        code = stop.code or 0
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def borel_deal(capsys, monkeypatch):
    return lambda *arguments: run(capsys, monkeypatch, *arguments)


@pytest.mark.parametrize("form", ["pbn", "lin", "jsonl", "url"])
def test_every_format_holds_the_deals_of_the_seed(borel_deal, form):
    code, out, err = borel_deal("-n", "3", "--seed", "5", "--format", form)
    records = list(FORMATS[form].load(io.StringIO(out)))
    assert (code, err) == (0, "")
    assert [record.deal for record in records] == list(deals(3, 5))
    assert [record.number for record in records] == [1, 2, 3]


def test_text_is_a_diagram_with_a_heading(borel_deal):
    _, out, _ = borel_deal("-n", "2", "--seed", "5", "--number-from", "7")
    first, second = deals(2, 5)
    assert out == (
        f"Board 7: South deals, all vulnerable\n{first.diagram()}\n\n"
        f"Board 8: West deals, none vulnerable\n{second.diagram()}\n"
    )


def test_the_same_seed_deals_the_same_boards_and_a_new_one_is_said(borel_deal):
    _, first, said = borel_deal("--where", "hcp(north) > 20")
    seed = said.split()[1]
    assert said == f"--seed {seed} deals these boards again\n"
    assert borel_deal("--where", "hcp(north) > 20", "--seed", seed)[1] == first


def test_json_is_one_document_with_the_boards(borel_deal):
    _, out, _ = borel_deal("-n", "2", "--seed", "5", "--where", "hcp(north) >= 20", "--json")
    document = json.loads(out)
    assert (document["seed"], document["count"]) == (5, 2)
    assert document["tries"] > 2
    found = [Deal.parse(board["deal"]) for board in document["boards"]]
    assert found == list(deals(2, 5, where="hcp(north) >= 20"))


def test_files_are_written_in_the_format_of_their_extension(borel_deal, tmp_path):
    path = tmp_path / "boards.pbn"
    code, out, _ = borel_deal("-n", "4", "--seed", "9", "--out", str(path), "--json")
    assert (code, json.loads(out)["format"], json.loads(out)["out"]) == (0, "pbn", str(path))
    with path.open(encoding="utf-8") as handle:
        assert [record.deal for record in FORMATS["pbn"].load(handle)] == list(deals(4, 9))


def test_given_cards_dealer_and_vulnerability_are_kept(borel_deal):
    arguments = ["-n", "3", "--seed", "1", "--north", "AKQ...", "--south", "♥A", "--dealer", "west", "--vul", "all"]
    _, out, _ = borel_deal(*arguments, "--format", "jsonl")
    for record in FORMATS["jsonl"].load(io.StringIO(out)):
        assert record.deal.hand(Seat.N).mask & Hand.parse("AKQ...").mask == Hand.parse("AKQ...").mask
        assert record.deal.hand(Seat.S).mask & Hand.parse(".A..").mask
        assert (record.dealer, record.vulnerability) == (Seat.W, Vulnerability.ALL)


def test_a_script_sets_count_dealer_vulnerability_cards_and_seed(borel_deal, tmp_path):
    script = tmp_path / "strong.dl"
    script.write_text(
        "produce 2\nseed 42\ndealer east\nvulnerable ew\npredeal south SA\n"
        "strong = hcp(north) >= 18\ncondition strong\naction printpbn\n",
        encoding="utf-8",
    )
    code, out, err = borel_deal("--where", f"@{script}", "--format", "jsonl")
    records = list(FORMATS["jsonl"].load(io.StringIO(out)))
    assert code == 0
    assert "action: left out" in err
    assert len(records) == 2
    for record in records:
        assert (record.dealer, record.vulnerability) == (Seat.E, Vulnerability.EW)
        assert record.deal.hand(Seat.N).hcp >= 18
        assert record.deal.hand(Seat.S).holding(3).startswith("A")
    assert len(borel_deal("--where", f"@{script}", "-n", "3", "--format", "jsonl")[1].splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--where", "hpc(north) > 3"], 'did you mean "hcp"?'),
        (["--where", "hcp(north) > 37", "--max-tries", "5000"], "not met in 5,000 tries after 0 deals"),
        (["--where", "@/no/such/file"], "No such file"),
        (["--north", "AKZ..."], "'Z' is not a rank"),
        (["--north", "A...", "--east", "A..."], "SA is held by North and East"),
        (["--format", "doc"], "no format 'doc'"),
        (["--dealer", "up"], "not a seat"),
        (["--vul", "some"], "not a vulnerability"),
        (["--seed", str(2**64)], "a seed is a number"),
        (["--out", "/no/such/folder/x.pbn"], "No such file"),
    ],
)
def test_an_error_is_one_line_and_exit_code_1(borel_deal, arguments, words):
    seed = [] if "--seed" in arguments else ["--seed", "1"]
    code, out, err = borel_deal(*seed, *arguments)
    assert code == 1
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["--count", "0"], ["--seed", "-1"], ["--number-from", "0"], ["--max-tries", "0"]]
)
def test_a_wrong_command_line_is_exit_code_2(borel_deal, arguments):
    assert borel_deal(*arguments)[0] == 2
