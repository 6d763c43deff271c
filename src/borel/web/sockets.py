"""A seat's line to its table: the first message says which key one has, then views come and clicks go."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from borel.errors import BridgeError
from borel.web.limits import Buckets
from borel.web.live import Guest, LiveTable
from borel.web.server import Server

__all__ = ["sockets"]

sockets = APIRouter()
PATIENCE = 10.0  # seconds that a new connection has to say who it is
GONE, REFUSED, TOO_MUCH = 1001, 4404, 4429


@sockets.websocket("/api/tables/{name}/socket")
async def table_socket(socket: WebSocket, name: str) -> None:
    """Serve one browser. The key comes as a message and not in the address, which proxies and logs would see."""
    server: Server = socket.app.state.server
    client = socket.client.host if socket.client else ""
    origin, host = socket.headers.get("origin"), socket.headers.get("host")
    await socket.accept()
    if origin is not None and origin.partition("://")[2] != host:
        await socket.close(REFUSED, "another site's page")
        return
    if server.sockets[client] >= server.limits.sockets:
        await socket.close(TOO_MUCH, "too many connections")
        return
    server.sockets[client] += 1
    try:
        await _serve(server, socket, name)
    finally:
        server.sockets[client] -= 1
        if not server.sockets[client]:
            del server.sockets[client]


async def _serve(server: Server, socket: WebSocket, name: str) -> None:
    try:
        first = await asyncio.wait_for(_receive(socket, server.limits.message), PATIENCE)
        table = await server.hub.table(name)
        guest = Guest(table.seat_of(str(first.get("key", ""))))
        table.join(guest)
    except (BridgeError, TimeoutError) as error:
        with suppress(RuntimeError):
            await socket.close(REFUSED, str(error)[:100] or "nothing was said")
        return
    except WebSocketDisconnect:
        return
    writing = asyncio.create_task(_write(socket, guest))
    try:
        await _read(server, socket, table, guest)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        table.leave(guest)
        writing.cancel()


async def _write(socket: WebSocket, guest: Guest) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await guest.outbox.get()) is not None:
            await socket.send_text(message)
        await socket.close(GONE)


async def _read(server: Server, socket: WebSocket, table: LiveTable, guest: Guest) -> None:
    rate = Buckets(server.limits.messages)
    while True:
        message: dict[str, Any] = {}
        try:
            message = await _receive(socket, server.limits.message)
            if not rate.take(""):
                raise BridgeError("too many messages: wait a moment")
            answer = await table.obey(guest, message)
        except BridgeError as error:
            answer = {"error": str(error)}
        guest.send({"answer": message.get("id"), **answer})


async def _receive(socket: WebSocket, most: int) -> dict[str, Any]:
    text = await socket.receive_text()
    if len(text) > most:
        raise BridgeError(f"a message has at most {most} characters")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise BridgeError("not JSON") from None
    if not isinstance(message, dict):
        raise BridgeError("a message is a JSON object")
    return message
