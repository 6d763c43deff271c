"""The arena's commands: what they print, what they refuse, and what is left when they are interrupted or killed."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from borel.cli.app import app
from borel.errors import BridgeError

BOT = f"cmd:{sys.executable} {Path(__file__).with_name('bot.py')}"
DEAL = "N:AQ5.KJ92.K7.AT43 JT98.Q54.T98.982 K42.A83.Q62.KQ75 763.T76.AJ543.J6"
SESSION = f"""[Board "1"][North "Nan"][East "Ed"][South "Sue"][West "Wes"][Dealer "N"][Vulnerable "None"]
[Deal "{DEAL}"]
[Declarer "S"][Contract "3NT"][Result "10"]
[Auction "N"]
Pass Pass 3NT Pass
Pass Pass
"""


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("BOREL_STORE", str(tmp_path / "store.sqlite"))


def run(*words):
    result = CliRunner().invoke(app, [*map(str, words), "--workers", "0"])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_match_prints_its_result_with_error_bars(tmp_path):
    result = run("match", "uniform:passes=0.95", "uniform:passes=1", "--boards", 4, "--out", tmp_path / "r.html")
    assert "imps/board over 4 boards (95%)" in result.stdout
    assert (tmp_path / "r.html").exists()


def test_a_match_for_programs():
    result = run("match", "uniform:passes=1", "uniform:passes=1", "--boards", 3, "--seed", 4, "--json")
    data = json.loads(result.stdout)
    assert (data["imps_per_board"], data["standard_error"], data["boards"], data["void"]) == (0, 0, 3, 0)


def test_three_bidders_play_a_round_robin():
    bots = ["uniform:passes=1", "uniform:passes=0.99", "uniform:passes=0.98"]
    data = json.loads(run("match", *bots, "--boards", 2, "--json").stdout)
    assert len(data["matches"]) == 3
    assert sum(standing["victory_points"] for standing in data["standings"]) == pytest.approx(60)


def test_a_match_on_the_deals_of_a_file(tmp_path):
    session, report = tmp_path / "session.pbn", tmp_path / "r.json"
    session.write_text(SESSION + "\n" + SESSION.replace('Board "1"', 'Board "7"').replace('"None"', '"EW"'))
    bots = ["uniform:passes=1", "uniform:passes=0.9"]
    data = json.loads(run("match", *bots, "--deals", session, "--json", "--out", report).stdout)
    assert data["boards"] == 2
    boards = json.loads(report.read_text())["details"]
    assert [board["deal"] for board in boards] == [DEAL, DEAL]
    assert [(board["number"], board["vulnerability"]) for board in boards] == [(1, "None"), (2, "EW")]
    fewer = json.loads(run("match", *bots, "--deals", session, "--boards", 1, "--json").stdout)
    assert fewer["boards"] == 1


def test_a_file_without_whole_deals_is_refused(tmp_path):
    half = tmp_path / "half.pbn"
    half.write_text(SESSION.replace(DEAL, "N:AQ5.KJ92.K7.AT43 - K42.A83.Q62.KQ75 -").partition("[Declarer")[0] + "\n")
    with pytest.raises(BridgeError, match="board 1 has no complete deal"):
        run("match", "uniform", "uniform", "--deals", half)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["match", "uniform"], "a match needs two bidders"),
        (["match", "uniform", "rulez:sayc"], "unknown kind of bidder 'rulez'"),
        (["match", "uniform", "uniform", "--out", "x.doc"], "a report is one of"),
        (["match", "uniform", "uniform", "--play", "nobody"], "unknown kind of card player"),
        (["match", "uniform", "uniform", "--store", "nosuch://x"], "store nosuch://x"),
        (["challenge"], "give a file of problems, or --random N"),
        (["challenge", "--random", "1", "--side", "XY"], "a side is NS or EW"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(words, message):
    with pytest.raises(BridgeError, match=message) as error:
        run(*words)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_an_error():
    with pytest.raises(FileNotFoundError):
        run("review", "nowhere.pbn", "--bidder", "uniform")


def test_history_lists_the_matches_that_were_played():
    for seed in (1, 2):
        run("match", "uniform:passes=1", "uniform:passes=1", "--boards", 2, "--seed", seed)
    result = CliRunner().invoke(app, ["history"])
    assert "2 matches" in result.stdout
    assert len(json.loads(CliRunner().invoke(app, ["history", "--json"]).stdout)["matches"]) == 2


def test_compatibility_of_a_bidder_with_itself_is_nothing():
    words = ["compatibility", "uniform:passes=1", "--with", "uniform:passes=1", "--boards", 2, "--json"]
    data = json.loads(run(*words).stdout)
    assert data["imps_per_board"] == 0
    assert data["one_side_silent"]["boards"] == 2


def test_a_challenge_with_random_problems():
    data = json.loads(run("challenge", "--random", 1, "--bidder", BOT, "--layouts", 1, "--json").stdout)
    assert data["problems"] == 1
    assert data["imps_per_problem"] <= 0


def test_a_contest_file(tmp_path):
    file = tmp_path / "contest.pbn"
    hands = DEAL.split()
    two = f"{hands[0]} - {hands[2]} -"
    file.write_text(f'[Board "1"][Dealer "N"][Vulnerable "None"][Deal "{two}"]\n{{Awards: 1NT 4, 3NT 10}}\n')
    data = json.loads(run("challenge", file, "--bidder", BOT, "--json").stdout)
    assert data["awards"] == {"won": 4, "most": 10}


def test_a_session_is_reviewed(tmp_path):
    file = tmp_path / "session.pbn"
    file.write_text(SESSION)
    outs = ["--out", tmp_path / "r.pbn", "--out", tmp_path / "r.html"]
    result = run("review", file, "--bidder", BOT, "--layouts", 0, *outs)
    assert "Nan" in result.stdout
    assert "the actual deal, double dummy" in result.stdout
    assert "1NT" in (tmp_path / "r.pbn").read_text()


def start(*words, **environment):
    command = [sys.executable, "-c", "from borel.cli import main; main()", *map(str, words)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )


def stored(place):
    if not place.exists():
        return 0
    try:
        with closing(sqlite3.connect(place)) as connection:
            return connection.execute("SELECT COUNT(*) FROM borel_results").fetchone()[0]
    except sqlite3.OperationalError:  # not yet made
        return 0


def test_a_match_that_is_interrupted_and_then_killed_goes_on_each_time(tmp_path):
    place = tmp_path / "store.sqlite"
    words = ["match", f"{BOT} slow", "uniform:passes=1", "--boards", 60, "--json", "--workers", 2, "--store", place]
    for how, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        before = stored(place)
        with start(*words) as process:
            while stored(place) < before + 2:
                time.sleep(0.02)
            process.send_signal(how)
            _, errors = process.communicate(timeout=60)
            assert process.returncode == code
        if how == signal.SIGINT:
            assert "of 60 boards are done; the same command goes on from there" in errors
    kept = stored(place)
    assert 4 <= kept < 60
    with start(*words) as process:
        output, errors = process.communicate(timeout=120)
    assert f"going on: {kept} of 60 boards are already there" in errors
    data = json.loads(output)
    assert (data["boards"], data["void"], data["imps_per_board"]) == (60, 0, 0)
