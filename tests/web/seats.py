"""People made of code: they sit at a table over a real socket."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0  # seconds for anything: a test machine may be busy


def open_table(address: str, **settings: Any) -> tuple[str, dict[str, str]]:
    response = httpx.post(f"{address}/api/tables", json={"strength": "test"} | settings, timeout=PATIENCE)
    assert response.status_code == 200, response.text
    return response.json()["table"], response.json()["keys"]


SLAM = "N:432.432.432.5432 765.J76.JT87.876 AKQJ.AKQ.AKQ.AKQ T98.T985.965.JT9"


def upload(address: str, deal: str) -> str:
    pbn = f'[Board "1"]\n[Dealer "S"]\n[Vulnerable "None"]\n[Deal "{deal}"]\n'
    return str(httpx.post(f"{address}/api/files", json={"text": pbn}, timeout=60).json()["file"])


def made(view: dict[str, Any]) -> int:
    """How many calls and cards; versions also count meanings that are told late."""
    played = 0 if view["phase"] == "auction" else 52 - sum(hand["count"] for hand in view["hands"].values())
    return 1000 if view["phase"] == "over" else len(view["auction"]) + played


class Person:
    """One connection; keeps every text that it was sent."""

    def __init__(self, address: str, table: str, key: str = "") -> None:
        self.frames: list[str] = []
        self.view: dict[str, Any] = {}
        self.number = 0
        self.open = ExitStack()
        place = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        self.socket: ClientConnection = self.open.enter_context(connect(place, close_timeout=2))
        self.socket.send(json.dumps({"key": key}))
        self.until(lambda view: True)

    def hear(self) -> dict[str, Any]:
        text = self.socket.recv(timeout=PATIENCE)
        assert isinstance(text, str)
        self.frames.append(text)
        message: dict[str, Any] = json.loads(text)
        if "view" in message:
            self.view = message["view"]
        return message

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while not self.view or not wanted(self.view):
            self.hear()
        return self.view

    def do(self, what: str, **fields: Any) -> dict[str, Any]:
        self.number += 1
        self.socket.send(json.dumps({"do": what, "id": self.number, **fields}))
        while True:
            message = self.hear()
            if message.get("answer") == self.number:
                return message

    def turn_or_over(self) -> dict[str, Any]:
        """Until it is one's turn or the board is over; a bot's claim is accepted."""
        while True:
            self.until(lambda view: view["yourTurn"] or view["phase"] == "over" or (view["claim"] or {}).get("yours"))
            if not (self.view["claim"] or {}).get("yours"):
                return self.view
            self.accept()

    def accept(self) -> None:
        """Agree to the claim on the table, if one is asked."""
        if self.until(lambda view: view["claim"] is not None)["claim"]["yours"]:
            assert "error" not in self.do("agree", yes=True)
            self.until(lambda view: not (view["claim"] or {}).get("yours"))

    def first_choice(self) -> str:
        """1NT if nobody has bid, else pass; the first legal card."""
        legal = self.view["legal"]
        if legal["cards"]:
            return str(legal["cards"][0])
        bid = any(call["call"] not in ("P", "X", "XX") for call in self.view["auction"])
        return "P" if bid else "1NT"

    def act(self, choice: str) -> int:
        """Make a call or play a card, and wait until it lies on the table; how many there were before."""
        before = made(self.view)
        answer = self.do("act", choice=choice)
        assert "error" not in answer, answer
        self.until(lambda view: made(view) > before)
        return before

    def play_on(self, choose: Callable[[], str] | None = None) -> dict[str, Any]:
        """Act until the board is over and scored."""
        while self.turn_or_over()["phase"] != "over":
            self.act((choose or self.first_choice)())
        return self.until(lambda view: view["result"]["ready"])

    def close(self) -> None:
        self.open.close()

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
