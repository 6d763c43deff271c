"""The HTTP interface: what it answers, what it refuses, and what it says on every answer."""

import re

import httpx
import pytest
from running import Running
from seats import Person, open_table
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from borel.web.app import HEADERS, PAGES
from borel.web.limits import Limits


def post(server, path, timeout=60, **body):
    return httpx.post(f"{server.address}/api/{path}", json=body, timeout=timeout)


def test_every_page_and_file_has_the_headers_and_names_no_other_host(server):
    for path in ("/", "/ask", "/bid", "/review", "/system", "/table/x", "/api", "/pages/main.js", "/api/options"):
        response = httpx.get(server.address + path)
        assert response.status_code == 200, path
        for name, value in HEADERS.items():
            assert response.headers[name] == value, (path, name)
    nowhere = httpx.get(f"{server.address}/nowhere")
    assert nowhere.status_code == 404
    assert "<main" in nowhere.text  # a page that says so and leads back
    assert httpx.get(f"{server.address}/api/nowhere").json()["error"]
    for file in PAGES.iterdir():
        hosts = set(re.findall(r"https?://([\w.]+)", file.read_text(encoding="utf-8"))) - {"www.w3.org"}
        assert not hosts, f"{file.name} names {hosts}"
    assert httpx.get(f"{server.address}/pages/../app.py").status_code == 404
    assert httpx.get(f"{server.address}/pages/%2e%2e/app.py").status_code == 404


def test_questions_are_answered(server):
    hand = {"hand": "AQ5.KJ92.87.AT43", "auction": "1C P", "strength": "quick"}
    answer = post(server, "bid", **hand).json()
    assert answer["call"] == "1H"
    assert answer["candidates"]
    assert set(answer["picture"]["seats"]) == {"N", "E", "W"}
    said = post(server, "explain", auction="1NT P 2D").json()
    assert said["turn"] == "W"
    assert "2H" in said["legal"]
    assert said["calls"][2]["alert"]
    meant = post(server, "meaning", auction="1NT").json()["rules"]
    assert 0.02 < meant["frequency"] < 0.06  # a strong notrump is one hand in twenty-five
    assert sum(share for points, share in meant["points"].items() if 15 <= int(points) <= 17) > 0.99
    priced = post(server, "bid", hand="AKQ952.A43.3.J82", strength="strong").json()
    assert priced["call"] == "1S"
    assert all(0 <= c["chance"] <= 1 and c["value"] is not None for c in priced["candidates"])
    assert post(server, "sample", **hand, layouts=50).json()["words"]
    deal = "N:432.432.432.5432 765.J76.JT87.876 AKQJ.AKQ.AKQ.AKQ T98.T985.965.JT9"
    assert post(server, "solve", deal=deal).json()["tricks"]["NT"]["S"] == 13
    request = {"hand": "AQ5.KJ92.87.AT43", "auction": "1C P"}
    assert post(server, "play", request=request).json()["call"] == "1H"
    schema = httpx.get(f"{server.address}/api/openapi.json").json()
    assert {"/api/bid", "/api/explain", "/api/sample", "/api/solve", "/api/play", "/api/review"} <= set(schema["paths"])


BAD = [
    ("bid", {"hand": "AKQ..."}, "13"),
    ("bid", {"hand": "AQ5.KJ92.87.AT43", "auction": "1C 1C"}, "Law 18"),
    ("bid", {"hand": "AQ5.KJ92.87.AT43", "system": "/etc/passwd"}, "no system"),
    ("bid", {"hand": "A" * 300}, "hand"),
    ("bid", {}, "hand"),
    ("explain", {"auction": "9C"}, "9C"),
    ("solve", {"deal": "N:AK... - - -"}, "52"),
    ("files", {"text": "Dear all,"}, "neither"),
    ("files", {"text": '[Board "1"]\n[Deal "nonsense"]\n'}, "no board"),
    ("review", {"file": "nothing", "number": 1}, "no file"),
    ("tables", {"strength": "cmd:rm -rf"}, "no strength"),
    ("tables", {"people": "X"}, "seat"),
    ("tables", {"where": "hpc(north) > 1"}, "condition"),
    ("tables", {"where": "hcp(north) >= 38"}, "not met"),
    ("tables", {"file": "nothing"}, "no file"),
    ("system/card", {"text": "include /etc/passwd"}, "only Borel's own"),
    ("system/card", {"text": "include ../../../x"}, "only Borel's own"),
    ("system/check", {"text": "open\n  1NT  15-17 hpc"}, "hpc"),
]


@pytest.mark.parametrize(("path", "body", "said"), BAD)
def test_bad_input_is_one_sentence(server, path, body, said):
    response = post(server, path, **body)
    assert 400 <= response.status_code < 500
    assert said in response.json()["error"]
    assert "\n" not in response.json()["error"].strip()


def test_ones_own_system_is_checked_saved_and_played(server):
    text = 'system mine "Mine"\ninclude sayc\n\nopen\n  1NT  12-14 hcp, balanced  "weak notrump"\n'
    saved = post(server, "system/save", text=text).json()["system"]
    assert httpx.get(f"{server.address}/api/system/saved/{saved}").json()["text"] == text
    dead = text + '  2C   38+ hcp              "nobody holds it"\n'
    found = post(server, "system/check", text=dead).json()
    assert [each["place"].split(":")[:2] for each in found if each["kind"] == "unreachable"] == [["yours", "6"]]
    tree = post(server, "system/tree", text=text).json()
    assert any(option["call"] == "1NT" and "weak" in option["meaning"] for option in tree["options"])
    table, keys = open_table(server.address, own_system=saved, mode="bid")
    with Person(server.address, table, keys["S"]) as person:
        assert person.turn_or_over()


def test_links_cannot_be_guessed_and_wrong_ones_open_nothing(server):
    table, keys = open_table(server.address)
    assert len(table) >= 22
    assert len(keys["S"]) >= 22
    with pytest.raises(ConnectionClosed):
        Person(server.address, "A" * 22, keys["S"])
    with Person(server.address, table, "A" * 22) as stranger:
        assert stranger.view["you"] is None
    watched = httpx.get(f"{server.address}/api/tables/{table}").json()
    assert watched["you"] is None
    assert all(hand["cards"] is None for hand in watched["hands"].values())
    assert httpx.get(f"{server.address}/api/tables/nothing").status_code == 404


def test_who_asks_too_much_is_told_so(tmp_path):
    limits = Limits(body=1000, requests=(0.001, 6.0), messages=(0.001, 2.0), new_tables=(0.001, 2.0))
    running = Running(str(tmp_path / "tables.sqlite"), limits=limits)
    try:
        assert post(running, "files", text="x" * 2000).status_code == 413
        table, keys = open_table(running.address, mode="bid", people="NESW")
        with Person(running.address, table, keys["S"]) as person:
            answers = [person.do("jump") for _ in range(4)]
            assert "too many messages" in answers[-1]["error"]
        assert post(running, "tables", strength="test").status_code == 200
        assert post(running, "tables", strength="test").status_code == 429
        codes = [httpx.get(f"{running.address}/api/options").status_code for _ in range(6)]
        assert codes[-1] == 429
    finally:
        running.close()


BOARD = (
    '[Board "{0}"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{1}"]\n[Declarer "S"]\n[Contract "7NT"]\n[Result "13"]\n'
)
SLAM = "N:432.432.432.5432 765.J76.JT87.876 AKQJ.AKQ.AKQ.AKQ T98.T985.965.JT9"
AUCTION = '[Auction "N"]\nPass Pass 7NT Pass\nPass Pass\n\n'


def test_files_have_so_many_boards_at_most_and_reviews_are_kept_under_their_link(server):
    most = Limits().boards
    text = "".join(BOARD.format(number, SLAM) + AUCTION for number in range(1, most + 4))
    found = post(server, "files", text=text).json()
    assert len(found["records"]) == most
    assert found["skipped"] == 3
    first = post(server, "review", file=found["file"], number=2, layouts=2)
    assert len(first.json()["calls"]) == 6
    before = len(server.app.state.server.thinking.waits)
    assert post(server, "review", file=found["file"], number=2, layouts=2).json() == first.json()
    assert len(server.app.state.server.thinking.waits) == before  # nobody had to think again
    assert post(server, "review", file=found["file"], number=most, layouts=2).status_code == 200


HANGING = [
    "open\n  1NT  " + "(" * 60_000,
    "open\n  1NT  " + " or ".join(["15-17 hcp"] * 8_000),
    "open\n" + "  1NT  15-17 hcp\n" * 12_000,
]


@pytest.mark.parametrize("number", range(len(HANGING)))
def test_no_text_of_a_system_hangs_the_server(server, number):
    began = post(server, "system/check", text=HANGING[number], timeout=90)
    assert began.status_code in (200, 400, 422)
    assert "defect" not in began.text
    assert post(server, "explain", auction="1NT").status_code == 200


def test_questions_that_cost_a_worker_are_rationed_in_number_and_time_and_bodies_say_their_length(tmp_path):
    limits = Limits(thinking=(0.001, 3.0), sockets=1, system_seconds=1.0)
    running = Running(str(tmp_path / "tables.sqlite"), limits=limits)
    try:
        assert post(running, "explain", auction="1NT").status_code == 200
        endless = post(running, "system/check", text="include sayc\n" * 10_000)  # takes minutes to read
        assert "not finished within 1 seconds" in endless.json()["error"]
        codes = [post(running, "explain", auction="1NT").status_code for _ in range(2)]
        assert codes == [200, 429]
        chunks = httpx.post(f"{running.address}/api/explain", content=iter([b"{}"]))
        assert chunks.status_code == 411
        table, keys = open_table(running.address, mode="bid", people="NESW")
        with Person(running.address, table, keys["S"]), pytest.raises(ConnectionClosed):
            Person(running.address, table, keys["N"])
        place = f"ws://127.0.0.1:{running.port}/api/tables/{table}/socket"
        with connect(place, origin="http://elsewhere.example") as stranger, pytest.raises(ConnectionClosed):
            stranger.recv(timeout=60)
    finally:
        running.close()
