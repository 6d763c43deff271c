"""One program at the server's table: its lines, its patience, its faults."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from borel.cards import Seat
from borel.table_manager.messages import MAX_LINE, ProtocolError, read_ready

__all__ = ["Gone", "Seated"]


class Gone(Exception):  # noqa: N818  # not an error of ours
    """A program has left its seat, said nonsense or been silent too long."""

    def __init__(self, seat: Seat, why: str) -> None:
        self.seat, self.why = seat, why
        super().__init__(f"{seat.word}: {why}")


class Seated:
    """A connection that has a seat."""

    def __init__(
        self, seat: Seat, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float
    ) -> None:
        self.seat, self.name, self.reader, self.writer, self.seconds = seat, name, reader, writer, seconds
        self.thinking = 0.0
        self.board_thinking = 0.0

    async def send(self, line: str) -> None:
        """Say a line."""
        try:
            self.writer.write(line.encode() + b"\r\n")
            await asyncio.wait_for(self.writer.drain(), self.seconds)
        except (OSError, TimeoutError):
            raise Gone(self.seat, "does not listen") from None

    async def hear(self) -> str:
        """The next line that is not blank; who is silent too long is gone."""
        begun = asyncio.get_running_loop().time()
        try:
            while True:
                raw = await asyncio.wait_for(self.reader.readuntil(b"\n"), self.seconds)
                if line := raw.decode("utf-8", "replace").strip():
                    return line
        except TimeoutError:
            raise Gone(self.seat, f"silent for {self.seconds:g} seconds") from None
        except asyncio.LimitOverrunError:
            raise Gone(self.seat, f"a line of more than {MAX_LINE} characters") from None
        except (asyncio.IncompleteReadError, OSError):
            raise Gone(self.seat, "has left") from None
        finally:
            spent = asyncio.get_running_loop().time() - begun
            self.thinking += spent
            self.board_thinking += spent

    async def ready(self, what: str) -> None:
        """Wait until the program says that it is ready for this; for somebody's bid any such words will do."""
        told = await self._told()
        if told != what and not (what.endswith("bid") and told.endswith("bid")):
            raise Gone(self.seat, f"is ready for {told!r}, not for {what!r}")

    async def ready_for_card(self, *, is_dummy: bool) -> None:
        """Wait for a card of another hand.

        Some programs, as dummy, say that they are ready for cards of their own hand and others do not; they are told
        anyhow, so such a line is passed over.
        """
        while True:
            told = await self._told()
            if "card to trick" not in told:
                raise Gone(self.seat, f"is ready for {told!r}, not for a card")
            if not (is_dummy and told.startswith((f"{self.seat.word.lower()}'s", "dummy's"))):
                return

    async def _told(self) -> str:
        try:
            seat, told = read_ready(await self.hear())
        except ProtocolError as error:
            raise Gone(self.seat, str(error)) from None
        if seat is not self.seat:
            raise Gone(self.seat, f"speaks for {seat.word}")
        return " ".join(told.split())

    async def close(self) -> None:
        """Hang up."""
        with suppress(OSError):
            self.writer.close()
            await self.writer.wait_closed()
