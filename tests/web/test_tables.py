"""Tables over real sockets: whole boards, several people, taking back, claims, coming back, a killed server."""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack

import httpx
import pytest
from seats import SLAM, Person, made, open_table, upload


@pytest.mark.parametrize("seat", ["N", "W"])
def test_a_board_is_bid_and_played_to_its_score(server, seat):
    table, keys = open_table(server.address, people=seat, name="Ada")
    with Person(server.address, table, keys[seat]) as person:
        assert person.view["you"] == seat
        assert person.view["seats"][seat]["name"] == "Ada"
        view = person.play_on()
        result = view["result"]
        assert result["againstPar"] == view["total"]["againstPar"]
        assert len(view["hands"]) == 4
        assert all(len(hand["cards"]) == 13 for hand in view["hands"].values())
        assert view["total"]["boards"] == 1
        assert {entry["why"] for entry in result["log"] if not entry["person"]} != {""}
        assert person.do("next") == {"answer": person.number}
        assert person.until(lambda v: v["board"]["number"] == 2)["phase"] == "auction"


def test_two_friends_play_and_one_watches(server):
    table, keys = open_table(server.address, people="NS", undo=False)
    with (
        Person(server.address, table, keys["N"]) as north,
        Person(server.address, table, keys["S"]) as south,
        Person(server.address, table) as watcher,
    ):
        assert watcher.view["you"] is None
        assert all(hand["cards"] is None for hand in watcher.view["hands"].values())
        assert "error" in watcher.do("act", choice="1NT")
        assert north.view["hands"]["S"]["cards"] is None
        assert south.view["seats"]["N"]["here"]
        while watcher.view["phase"] != "over":
            if watcher.view["claim"] is not None:  # a bot's
                for person in (north, south):
                    person.accept()
                watcher.until(lambda v: v["claim"] is None)
                continue
            person = {"N": north, "S": south}.get(watcher.view["turn"])
            if person is None:
                watcher.hear()
                continue
            person.until(lambda v: v["yourTurn"])
            before = person.act(person.first_choice())
            watcher.until(lambda v, before=before: made(v) > before)
        assert "error" in south.do("undo")
        assert south.until(lambda v: v["phase"] == "over")["hands"]["N"]["cards"]


def test_what_is_wrong_is_said_and_changes_nothing(server):
    table, keys = open_table(server.address)
    with Person(server.address, table, keys["S"]) as person:
        person.turn_or_over()
        before = person.view
        again = "X" if "X" in [call["call"] for call in before["auction"]] else "XX"  # nothing to redouble, or doubled
        for choice in ("8NT", "SA", again, None, "1NT" * 99):
            assert "error" in person.do("act", choice=choice)
        assert "moved on" in person.do("act", choice="P", version=-1)["error"]
        assert "error" in person.do("claim", tricks=3)
        assert "error" in person.do("claim", tricks="all")
        assert "error" in person.do("jump")
        assert "error" in person.do("next")
        person.socket.send("not JSON")
        assert "error" in person.hear()
        person.socket.send("[1]")
        assert "error" in person.hear()
        assert person.view == before


def test_taking_back_returns_to_the_own_decision_and_the_bots_decide_again_alike(server):
    table, keys = open_table(server.address)
    with Person(server.address, table, keys["S"]) as person:
        person.turn_or_over()
        start = [call["call"] for call in person.view["auction"]]
        assert not person.view["canUndo"]
        person.do("act", choice="7NT")
        person.until(lambda v: v["phase"] == "play" or v["yourTurn"])
        once = [call["call"] for call in person.view["auction"]]
        person.do("undo")
        person.until(lambda v: v["yourTurn"] and v["phase"] == "auction")
        assert [call["call"] for call in person.view["auction"]] == start
        person.do("act", choice="7NT")
        person.until(lambda v: len(v["auction"]) == len(once) and (v["phase"] == "play" or v["yourTurn"]))
        assert [call["call"] for call in person.view["auction"]] == once


def test_a_hint_says_what_candidates_are_worth_and_meanings_are_public(server):
    table, keys = open_table(server.address)
    with Person(server.address, table, keys["S"]) as person:
        person.turn_or_over()
        hint = person.do("hint")["hint"]
        assert hint["choice"] in person.view["legal"]["calls"]
        assert hint["why"]
        assert hint["candidates"]
        person.do("act", choice="1NT" if "1NT" in person.view["legal"]["calls"] else "P")
        mine = lambda v: next((c for c in reversed(v["auction"]) if c["seat"] == "S"), {"text": ""})  # noqa: E731
        assert mine(person.until(lambda v: mine(v)["text"]))["text"]
        told = person.do("explain")
        assert set(told["said"]["seats"]) == set("NESW")
        assert [line.split(":")[0] for line in told["picture"][:3]] == ["North", "East", "West"]
        with Person(server.address, table) as watcher:
            assert watcher.do("explain")["picture"] == []
            assert watcher.do("meaning", position=0)["sampled"]["rules"]["words"]
            assert "error" in watcher.do("meaning", position=99)
            assert "error" in watcher.do("hint")


def test_claims_are_judged(server):
    table, keys = open_table(server.address, file=upload(server.address, SLAM))
    with Person(server.address, table, keys["S"]) as person:
        while person.turn_or_over()["phase"] == "auction":
            version = person.view["version"]
            person.do("act", choice="7NT" if "7NT" in person.view["legal"]["calls"] else "P")
            person.until(lambda v, version=version: v["version"] != version)
        assert person.do("claim", tricks=13)["agreed"]
        view = person.until(lambda v: v["phase"] == "over" and v["result"]["ready"])
        assert view["result"]["score"] == 1520
        assert person.do("again") == {"answer": person.number}
        assert not person.until(lambda v: v["phase"] == "auction")["board"]["counts"]


def test_people_judge_claims_of_people_and_see_the_claimers_cards(server):
    table, keys = open_table(server.address, people="NESW", file=upload(server.address, SLAM))
    with ExitStack() as stack:
        people = {seat: stack.enter_context(Person(server.address, table, keys[seat])) for seat in "NESW"}
        for seat, choice in (("S", "7NT"), ("W", "P"), ("N", "P"), ("E", "P")):
            people[seat].until(lambda v: v["yourTurn"])
            assert "error" not in people[seat].do("act", choice=choice)
        people["W"].until(lambda v: v["yourTurn"] and v["phase"] == "play")
        assert "error" in people["S"].do("claim", tricks=13)  # not before the opening lead
        people["W"].do("act", choice=people["W"].view["legal"]["cards"][0])
        south, east, west = people["S"], people["E"], people["W"]
        south.until(lambda v: v["yourTurn"])
        assert "dummy" in people["N"].do("claim", tricks=13)["error"]
        south.do("claim", tricks=13)
        assert east.until(lambda v: v["claim"] is not None)["claim"]["yours"]
        assert east.view["hands"]["S"]["cards"]
        assert "error" in people["N"].do("agree", yes=True)
        assert "claim" in south.do("act", choice="C2")["error"]
        east.do("agree", yes=False)
        assert south.until(lambda v: v["claim"] is None and v["note"])["note"] == {"kind": "refused", "by": "E"}
        assert east.until(lambda v: v["claim"] is None)["hands"]["S"]["cards"] is None
        south.do("claim", tricks=13)
        for opponent in (east, west):
            opponent.until(lambda v: v["claim"] is not None and v["claim"]["yours"])
            opponent.do("agree", yes=True)
        assert people["N"].until(lambda v: v["phase"] == "over" and v["result"]["ready"])["result"]["score"] == 1520


def test_bidding_practice_ends_with_the_auction_and_prices_it(server):
    table, keys = open_table(server.address, mode="bid", silent=True, wish="games")
    with Person(server.address, table, keys["S"]) as person:
        while person.turn_or_over()["phase"] != "over":
            version = person.view["version"]
            person.do("act", choice=person.first_choice())
            person.until(lambda v, version=version: v["version"] != version)
        view = person.until(lambda v: v["result"]["ready"])
        assert view["result"]["tricks"]["NT"].keys() == set("NESW")
        assert all(call["call"] == "P" for call in view["auction"] if call["seat"] in "EW")
        review = person.do("analyse")["review"]
        assert len(review["calls"]) == len(view["auction"])


def test_a_blind_trial_tells_who_was_who_only_at_its_end(server):
    table, keys = open_table(server.address, trial="quick", trial_boards=2, mode="bid")
    with Person(server.address, table, keys["S"]) as person:
        for board in (1, 2):
            person.until(lambda v, board=board: v["board"]["number"] == board)
            assert person.view["trial"]["partners"] is None
            person.play_on()
            if board == 1:
                person.do("next")
        partners = person.view["trial"]["partners"]
        assert sorted(len(partner["boards"]) for partner in partners) == [1, 1]


def test_a_finished_board_is_a_file(server):
    table, keys = open_table(server.address, mode="bid")
    path = f"{server.address}/api/tables/{table}/file"
    assert httpx.get(f"{path}.pbn").status_code == 400  # the board is not over: its deal is a secret
    with Person(server.address, table, keys["S"]) as person:
        person.play_on()
        assert "[Deal" in httpx.get(f"{path}.pbn").text
        assert httpx.get(f"{path}.exe").status_code == 400


def test_a_killed_server_loses_nothing_that_was_acknowledged(tmp_path):
    place, log, told = str(tmp_path / "tables.sqlite"), (tmp_path / "log").open("w+"), []
    command = [sys.executable, "-m", "borel.cli", "serve", "--no-browser", "--port", "0", "--workers", "1"]

    def begin():
        process = subprocess.Popen(
            [*command, "--store", place],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        line = process.stdout.readline()
        told.append(line)
        return process, line.split()[3].rstrip("/")

    process, address = begin()
    try:
        wait_for(address)
        table, keys = open_table(address, strength="quick", people="NESW")
        people = {seat: Person(address, table, keys[seat]) for seat in "NESW"}
        for seat, call in (("N", "1NT"), ("E", "P"), ("S", "3NT")):
            people[seat].until(lambda v: v["yourTurn"])
            assert "error" not in people[seat].do("act", choice=call)
        process.send_signal(signal.SIGKILL)
        process.wait(20)
        process.stdout.close()
        process, address = begin()
        wait_for(address)
        with Person(address, table, keys["W"]) as west:
            assert [call["call"] for call in west.view["auction"]] == ["1NT", "P", "3NT"]
            assert west.view["yourTurn"]
            assert west.view["hands"]["W"]["cards"] == people["W"].view["hands"]["W"]["cards"]
    finally:
        process.kill()
        process.wait(20)
        told.append(process.stdout.read())
        process.stdout.close()
        log.seek(0)
        written = log.read() + "".join(told)
        log.close()
    for secret in (table, *keys.values(), *(person.view["hands"][seat]["text"] for seat, person in people.items())):
        assert secret not in written  # nor is anything of it in what the server prints or logs


def wait_for(address: str) -> None:
    for _ in range(600):
        try:
            httpx.get(f"{address}/api/options", timeout=5)
            return
        except httpx.TransportError:
            continue
    raise AssertionError("the server did not start")
