"""A bidder that is another program: one JSON object a line to its standard input, one back from its standard output.

This is the protocol of ``borel engine``, so any program that speaks it can be matched. A program that dies, is silent
for too long or answers nonsense is ended and raises `ProgramError`; the next question starts it anew.
"""

from __future__ import annotations

import json
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from random import Random
from time import monotonic
from typing import IO, Any
from weakref import finalize

from borel.auction import Call
from borel.decision import Bidder, Candidate, Decision
from borel.errors import BridgeError, ParseError, quote
from borel.policies.spec import Options, SpecError
from borel.view import BiddingView

__all__ = ["ProgramBidder", "ProgramError", "from_spec", "question"]

LONGEST = 1 << 20  # bytes of an answer; more is nonsense
SECONDS = 60.0
_CHUNK = 1 << 16


class ProgramError(BridgeError):
    """The program died, was silent or answered nonsense."""


class ProgramBidder:
    """A program as a bidder. ``seconds`` is how long it may think about one call."""

    def __init__(self, command: str, *, seconds: float = SECONDS) -> None:
        self.command, self.seconds = command, seconds
        self.system = ""
        self._words = shlex.split(command)
        self._process: _Process | None = None

    def decide(self, view: BiddingView, *, rng: Random) -> Decision[Call]:
        """Ask the program; its randomness is its own."""
        if self._process is None:
            self._process = _Process(self._words)
        try:
            return _decision(self._process.ask(question(view), self.seconds))
        except ProgramError:
            self.close()
            raise

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def __repr__(self) -> str:
        return f"ProgramBidder({self.command!r}, seconds={self.seconds:g})"


def from_spec(argument: str, options: Options) -> Bidder:
    """``cmd:PROGRAM --its --options``."""
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise SpecError(f"{quote(options.spec)}: {error}") from None
    if not words:
        raise SpecError(f"{quote(options.spec)} names no program, as in cmd:./mybot --fast")
    if shutil.which(words[0]) is None:
        raise SpecError(f"there is no program {quote(words[0])} to run for bidder {quote(options.spec)}")
    return ProgramBidder(argument)


def question(view: BiddingView) -> dict[str, Any]:
    """A view as the engine protocol writes it; systems are named only where both sides' are known."""
    asked: dict[str, Any] = {
        "hand": str(view.hand),
        "seat": str(view.seat),
        "dealer": str(view.auction.dealer),
        "vul": str(view.vulnerability),
        "auction": [str(call) for call in view.auction],
        "scoring": str(view.scoring),
    }
    if view.systems.ns and view.systems.ew:
        asked["systems"] = {"NS": view.systems.ns, "EW": view.systems.ew}
    return asked


def _decision(answer: Any) -> Decision[Call]:
    """Read an answer; whatever is wrong with it is quoted."""
    if not isinstance(answer, dict):
        raise ProgramError(f"answered {quote(json.dumps(answer))} instead of an object")
    if "error" in answer and "call" not in answer:
        raise ProgramError(f"answered with an error: {quote(str(answer['error']))}")
    try:
        call = Call.parse(str(answer["call"]))
    except KeyError:
        raise ProgramError(f"answered without a call: {quote(json.dumps(answer, ensure_ascii=False))}") from None
    except ParseError as error:
        raise ProgramError(f"answered nonsense: {error}") from None
    return Decision(call, str(answer.get("why", "")), str(answer.get("meaning", "")), _candidates(answer))


def _candidates(answer: dict[str, Any]) -> tuple[Candidate[Call], ...]:
    """The candidates that can be read: they are for people, and not worth a void board."""
    found = []
    listed = answer.get("candidates")
    for entry in listed if isinstance(listed, list) else []:
        with suppress(ParseError, KeyError, TypeError, ValueError):
            value = entry.get("value") if isinstance(entry, dict) else None
            call = Call.parse(str(entry["call"] if isinstance(entry, dict) else entry))
            why = str(entry.get("why", "")) if isinstance(entry, dict) else ""
            found.append(Candidate(call, None if value is None else float(value), why))
    return tuple(found)


class _Process:
    """The running program and its pipes."""

    def __init__(self, words: list[str]) -> None:
        self.complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the program runs
        try:
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.complaints, bufsize=0,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            self.complaints.close()
            raise ProgramError(f"could not be started: {error.strerror or error}") from None
        self.heard = b""
        self._finalizer = finalize(self, _end, self.process, self.complaints)

    def ask(self, message: dict[str, Any], seconds: float) -> Any:
        """One line out, one line back within some seconds."""
        self._overhear()
        if self.heard:
            raise ProgramError(f"said more than it was asked: {quote(self.heard.decode(errors='replace'))}")
        until = monotonic() + seconds
        line = (json.dumps(message, ensure_ascii=False) + "\n").encode()
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line)
        except OSError:
            raise ProgramError(self._last_words()) from None
        answer = self._line(until, seconds)
        try:
            return json.loads(answer)
        except ValueError:
            raise ProgramError(f"answered {quote(answer.decode(errors='replace'))}, which is not JSON") from None

    def _overhear(self) -> None:
        """Take in what came after the last answer: read later, it would pass for the answer to the next question."""
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if selector.select(0.0):
                self.heard += os.read(self.process.stdout.fileno(), _CHUNK)

    def _line(self, until: float, seconds: float) -> bytes:
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.heard:
                if not selector.select(max(0.0, until - monotonic())):
                    raise ProgramError(f"gave no answer within {seconds:g} seconds")
                chunk = os.read(self.process.stdout.fileno(), _CHUNK)
                if not chunk:
                    raise ProgramError(self._last_words())
                self.heard += chunk
                if len(self.heard) > LONGEST:
                    raise ProgramError(f"answered more than {LONGEST} bytes without an end of line")
        line, _, self.heard = self.heard.partition(b"\n")
        return line

    def _last_words(self) -> str:
        """How the program ended, with the last line of its standard error."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1.0)
        code = self.process.returncode
        how = "closed its output" if code is None else f"died (exit code {code})"
        self.complaints.seek(0, os.SEEK_END)
        self.complaints.seek(max(0, self.complaints.tell() - 1000))
        lines = self.complaints.read().decode(errors="replace").strip().splitlines()
        return f"{how}: {quote(lines[-1])}" if lines else how

    def end(self) -> None:
        """Kill the program and close its pipes."""
        self._finalizer()


def _end(process: subprocess.Popen[bytes], complaints: IO[bytes]) -> None:
    """Kill the program and, where there are process groups, whatever it has started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)  # its own session, so its own group
        else:
            process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, complaints):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
