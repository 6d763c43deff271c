"""The command line as a whole: help for everything, one-line errors, exit codes that scripts can use."""

import subprocess
import sys

import pytest
import typer

from borel.cli import app as cli


def run(capsys, monkeypatch, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `borel ARGUMENTS`."""
    monkeypatch.setattr(sys, "argv", ["borel", *arguments])
    code = 0
    try:
        cli.main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    out, err = capsys.readouterr()
    return code, out, err


def commands() -> dict[str, object]:
    """Every command by its words, such as `system check`."""
    found = {}

    def walk(command, words):
        for name, child in getattr(command, "commands", {}).items():
            walk(child, (*words, name))
        if not getattr(command, "commands", None):
            found[" ".join(words)] = command

    walk(typer.main.get_command(cli.app), ())
    return found


COMMANDS = commands()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does_and_what_each_option_means(name):
    command = COMMANDS[name]
    assert command.help
    for parameter in command.params:
        if parameter.param_type_name == "option":
            assert parameter.help, f"borel {name} {parameter.opts[0]} has no help"


# Commands that write a file, answer on a protocol of their own or run until stopped have no document to print.
WITHOUT_JSON = {"engine", "bench partition", "play", "serve"}


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - WITHOUT_JSON))
def test_every_command_that_prints_a_result_can_print_json(name):
    assert any("--json" in parameter.opts for parameter in COMMANDS[name].params)


def test_help_lists_every_command(capsys, monkeypatch):
    code, out, _ = run(capsys, monkeypatch, "--help")
    assert code == 0
    for name in COMMANDS:
        assert name.split()[0] in out


BAD = {
    "convert nowhere.pbn out.jsonl": "nowhere.pbn",
    "convert nowhere.xyz out.jsonl": "nowhere.xyz",
    "deal --where hpc(north)>=15": "hcp",
    "deal --where 1=": "condition",
    "deal --north AKQJ --count 1": "not a hand",
    "deal --count 1 --max-tries 1000 --where hcp(north)>=38": "1",
    "bid --hand AKQ --auction 1C": "not a hand",
    "bid --hand AQ5.KJ92.87.A1043 --auction 1C-1C": "Law 18",
    "bid --hand AQ5.KJ92.87.A1043 --system nonsense": "nonsense",
    "explain --auction 9C": "9C",
    "solve N:AK": "deal",
    "solve nowhere.pbn": "nowhere.pbn",
    "match rules:nonsense rules:sayc --boards 1": "nonsense",
    "review nowhere.pbn": "nowhere.pbn",
    "system check nowhere.bid": "nowhere.bid",
    "sample --hand AKQ --auction 1C": "not a hand",
}


@pytest.mark.parametrize("line", [line for line in BAD if line.split()[0] in {c.split()[0] for c in COMMANDS}])
def test_bad_input_is_one_line_and_exit_code_1(capsys, monkeypatch, tmp_path, tmp_path_factory, line):
    monkeypatch.setenv("BOREL_STORE", str(tmp_path_factory.mktemp("store") / "store.sqlite"))  # not the user's own
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, monkeypatch, *line.split())
    assert code == 1
    assert err.startswith("borel: ")
    assert len(err.strip().splitlines()) == 1
    assert BAD[line] in err
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_command_line_is_exit_code_2(capsys, monkeypatch):
    assert run(capsys, monkeypatch, "demo", "--no-such-option")[0] == 2
    assert run(capsys, monkeypatch, "no-such-command")[0] == 2


def test_a_reader_that_goes_away_is_no_error_message():
    """As in `borel deal --count 100000 | head -1`."""
    with subprocess.Popen(
        [sys.executable, "-m", "borel.cli", "deal", "--count", "100000", "--seed", "1", "--format", "pbn"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
