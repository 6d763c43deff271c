"""`borel solve` and `borel bench partition`."""

import json

import pytest
from typer.testing import CliRunner

from borel import Deal
from borel.cli.app import app
from borel.dd.experiment import Measured, fit, read_measured, sample
from borel.errors import BridgeError, ParseError

ENDING = "N:AQ... 54... 32... KJ..."
FULL = str(Deal.of_masks(tuple(int(mask) for mask in sample([3], seed=41, sizes=range(13, 14)).hands[0])))
PBN = """[Board "3"]
[Dealer "S"]
[Vulnerable "EW"]
[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
[Declarer "S"]
[Contract "7S"]
[Play "W"]
CA S2 H3 D2
-
"""


def run(*words: str, stdin: str | None = None):
    return CliRunner().invoke(app, ["solve", *words], input=stdin)


def test_a_deal_is_shown_with_its_table_par_and_leads():
    result = run(FULL)
    assert result.exit_code == 0
    for expected in ("Dealer North", "NT", "Par ", "leads against"):
        assert expected in result.output


def test_an_ending_as_json_has_its_twenty_results():
    solved = json.loads(run(ENDING, "--json", "--contract", "1NT by E").stdout)
    assert solved["tricks"]["NT"] == {"N": 2, "E": 0, "S": 2, "W": 1}
    assert solved["leads"] == {"S3": 2, "S2": 2}
    assert "par" not in solved


def test_standard_input_may_hold_deals_one_on_a_line():
    result = run("-", "--json", stdin=f"{ENDING}\n\n# a remark\n{ENDING}\nN:AA... - - -\n")
    assert [json.loads(line)["tricks"]["NT"]["S"] for line in result.stdout.splitlines()] == [2, 2]
    assert result.exit_code == 1
    assert "line 5" in result.stderr


def test_a_file_of_records_gives_the_cost_of_each_card(tmp_path):
    path = tmp_path / "boards.pbn"
    path.write_text(PBN)
    result = run(str(path), "--trace", "--json")
    assert result.exit_code == 0, result.output
    solved = json.loads(result.stdout)
    assert (solved["board"], solved["dealer"], solved["vulnerable"]) == (3, "S", "EW")
    assert solved["contract"] == "7S by S"
    assert [played["cost"] for played in solved["play"]] == [0, 0, 0, 0]
    assert "Given away: declarer 0, the defence 0" in run(str(path), "--trace").output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["N:AK... QJ... T9..."], "not a deal"),
        (["N:AKQ... QJ... T9... 87..."], "SQ is held by North and East"),
        ([ENDING, "--contract", "8S by N"], "not a contract"),
        ([ENDING, "--dealer", "Q"], "not a seat"),
    ],
)
def test_bad_input_raises_one_error_that_says_what_is_wrong(words, message):
    result = run(*words)
    assert result.exit_code == 1
    assert isinstance(result.exception, BridgeError)
    assert message in str(result.exception)


def test_hands_of_unequal_length_are_reported():
    result = run("N:AK3... QJ... T9... 87...")
    assert result.exit_code == 1
    assert "equally long, not North 3, East 2, South 2, West 2" in result.stderr.replace("\n", " ")


def bench(*words: str):
    return CliRunner().invoke(app, ["bench", "partition", *words])


def test_the_partition_experiment_is_resumed_where_it_stopped(tmp_path):
    out = tmp_path / "points.jsonl"
    words = ["--node-limit", "2000", "--full", "0", "--out", str(out)]
    first = bench("--deals", "10", *words, "--json")
    assert first.exit_code == 0, first.output
    with out.open("a") as handle:
        handle.write('{"number": 10, "cards_ea')  # a run that was killed while it wrote
    second = bench("--deals", "20", *words)
    assert second.exit_code == 0, second.output
    points = read_measured(out)
    assert sorted(point.number for point in points) == list(range(20))
    assert any(point.table_nodes is None for point in points), "nothing was censored"
    assert "the paper: y = 1.57 x^0.76" in second.output.replace("\n", " ")


def test_the_fit_finds_the_curve_it_was_given():
    points = [Measured(i, 5, x, round(1.57 * x**0.76)) for i, x in enumerate([10**3, 10**4, 10**5, 10**6])]
    curve = fit([*points, Measured(9, 12, None, 500)])
    assert (round(curve.factor, 1), round(curve.power, 2), curve.deals) == (1.6, 0.76, 4)
    with pytest.raises(BridgeError, match="three deals"):
        fit(points[:2])


def test_a_broken_file_of_measurements_is_named(tmp_path):
    path = tmp_path / "points.jsonl"
    path.write_text('{"a": 1}\n{"b": 2}\n')
    with pytest.raises(ParseError, match="line 1"):
        read_measured(path)
