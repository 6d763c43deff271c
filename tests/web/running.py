"""A server on a free port of this machine, with bots that take the first card."""

from __future__ import annotations

import socket
import threading

import uvicorn

from borel.web import create_app
from borel.web.bots import STRENGTHS, Strength
from borel.web.limits import UNLIMITED, Limits

STRENGTHS["test"] = Strength("For tests: bids by the rules, plays the first card", "rules", 0.0, "first")


class Running:
    """A server in a thread."""

    def __init__(self, place: str, limits: Limits = UNLIMITED) -> None:
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        self.app = create_app(place=place, workers=1, limits=limits, warm=False)
        self.server = uvicorn.Server(uvicorn.Config(self.app, log_level="error", access_log=False))
        self.thread = threading.Thread(target=self.server.run, args=([listening],), daemon=True)
        self.thread.start()
        while not self.server.started:
            self.thread.join(0.02)
            assert self.thread.is_alive(), "the server did not start"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self.server.should_exit = True
        self.thread.join(20)
