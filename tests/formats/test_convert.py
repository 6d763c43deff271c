"""`borel convert`, from the outside: files in, files out, what is said, and the exit code."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from borel.cli.app import app
from borel.formats import convert as conversion
from borel.formats import jsonl, pbn

CORPUS = Path(__file__).parent.parent / "data" / "formats"
GOOD = '[Event "E"]\n[Board "1"]\n[Contract "Pass"]\n'
BAD = '[Board "2"]\n[Dealer "X"]\n'


def run(*arguments, given=None):
    return CliRunner().invoke(app, ["convert", *map(str, arguments)], input=given)


@pytest.mark.parametrize("name", ["features.pbn", "vugraph.lin", "links.url", "schema.jsonl", "bots.txt"])
def test_every_format_becomes_json_lines_by_its_extension(name, tmp_path):
    result = run(CORPUS / name, tmp_path / "out.jsonl")
    assert result.exit_code == 0, result.output
    count = len(jsonl.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8")))
    assert count > 0
    assert f"{count} records" in result.stdout


def test_good_records_are_kept_and_bad_ones_said(tmp_path):
    (tmp_path / "in.pbn").write_text(f"{GOOD}\n{BAD}\n{GOOD.replace('1', '3')}")
    result = run(tmp_path / "in.pbn", tmp_path / "out.jsonl")
    assert result.exit_code == 1
    assert "in.pbn: not a seat (N E S W): 'X' (line 6)" in result.stderr.replace("\n", "")
    assert "2 records, 1 bad" in result.stdout
    assert [record.number for record in jsonl.loads((tmp_path / "out.jsonl").read_text())] == [1, 3]


def test_strict_stops_at_the_first_bad_record_and_leaves_the_target(tmp_path):
    (tmp_path / "in.pbn").write_text(f"{GOOD}\n{BAD}")
    (tmp_path / "out.jsonl").write_text("precious")
    result = run(tmp_path / "in.pbn", tmp_path / "out.jsonl", "--strict")
    assert str(result.exception) == "not a seat (N E S W): 'X' (line 6)"
    assert (tmp_path / "out.jsonl").read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.pbn", "out.jsonl"], "no temporary file is left"


def test_a_failure_while_writing_leaves_the_target(tmp_path, monkeypatch):
    (tmp_path / "in.pbn").write_text(GOOD)
    (tmp_path / "out.jsonl").write_text("precious")

    def full_disk(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(jsonl, "to_json", full_disk)
    with pytest.raises(OSError, match="No space"):
        conversion.convert(str(tmp_path / "in.pbn"), str(tmp_path / "out.jsonl"))
    assert (tmp_path / "out.jsonl").read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_can_be_converted_onto_itself(tmp_path):
    path = tmp_path / "in.pbn"
    path.write_text(GOOD)
    assert run(path, path).exit_code == 0
    assert path.read_text() == pbn.dumps(pbn.loads(GOOD))


def test_standard_input_and_output(tmp_path):
    result = run("-", "-", "--from", "pbn", "--to", "jsonl", given=GOOD)
    assert result.stdout == '{"board": 1, "contract": "Pass", "tags": [["Event", "E"]]}\n'
    assert "1 records" in result.stderr


def test_the_summary_as_json(tmp_path):
    result = run(CORPUS / "two_tables.pbn", tmp_path / "out.lin", "--json")
    summary = json.loads(result.stdout)
    assert (summary["from"], summary["to"], summary["records"], summary["bad"]) == ("pbn", "lin", 4, 0)
    assert summary["repairs"]["auctions given leading passes"] == 2
    assert summary["losses"]["records without some of their tags"] == 4


@pytest.mark.parametrize(
    ("raw", "encoding", "name"),
    [
        ('[North "Sören"]'.encode(), "utf-8", "Sören"),
        (b"\xef\xbb\xbf" + '[North "Sören"]'.encode(), "utf-8", "Sören"),
        ('[North "Sören"]\r\n[Board "1"]\r\n'.encode("latin-1"), "latin-1", "Sören"),
        ('[North "Sören"]'.encode("utf-16"), "utf-16", "Sören"),
    ],
)
def test_encodings_are_found_and_said(raw, encoding, name, tmp_path):
    (tmp_path / "in.pbn").write_bytes(raw)
    summary = conversion.convert(str(tmp_path / "in.pbn"), str(tmp_path / "out.jsonl"))
    assert summary.encoding == encoding
    assert len(summary.repairs) == (encoding != "utf-8")
    assert jsonl.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))[0].players[0] == name


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("in.pbn", "out.doc"), "the extension names no format; say --to"),
        (("in.pbn", "out.jsonl", "--from", "word"), "no format 'word': the formats are pbn, lin, url, jsonl, wbridge5"),
        (("letter.txt", "out.jsonl"), "not recognised by extension or content; say --from"),
        (("missing.pbn", "out.jsonl"), "No such file or directory"),
        (("in.pbn", "."), "the extension names no format"),
        (("in.pbn", "folder.pbn"), "is a folder"),
    ],
)
def test_a_wrong_request_is_one_clear_error(arguments, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.pbn").write_text(GOOD)
    Path("letter.txt").write_text("Dear all,")
    Path("folder.pbn").mkdir()
    result = run(*arguments)
    assert result.exit_code == 1
    assert error in str(result.exception)


def test_a_record_that_the_target_cannot_hold_is_bad_with_its_line(tmp_path):
    (tmp_path / "in.pbn").write_text("\n\n" + GOOD)
    result = run(tmp_path / "in.pbn", tmp_path / "out.lin")
    assert result.exit_code == 1
    assert "cannot be written as LIN: no deal (line 3)" in result.stderr
    assert "0 records, 1 bad" in result.stdout


def test_a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path):
    (tmp_path / "in.pbn").write_text(GOOD)
    (tmp_path / "old.jsonl").touch()
    (tmp_path / "old.jsonl").chmod(0o640)
    (tmp_path / "plain").touch()
    for name in ("new.jsonl", "old.jsonl"):
        run(tmp_path / "in.pbn", tmp_path / name)
    assert (tmp_path / "new.jsonl").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert (tmp_path / "old.jsonl").stat().st_mode & 0o777 == 0o640
