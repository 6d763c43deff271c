"""Opening tables over HTTP, and what the pages need to know before there is one."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

from borel.errors import BridgeError
from borel.formats import lin, pbn
from borel.web.bots import STRENGTHS, system_titles
from borel.web.hints import record_of
from borel.web.limits import TooManyError
from borel.web.server import Asked, client_of
from borel.web.settings import WISHES, NewTable
from borel.web.shown import shown

__all__ = ["tables"]

tables = APIRouter(prefix="/api", tags=["tables"])


class Opened(BaseModel):
    """A new table: its link, and the key of each seat that a person may take."""

    table: str
    keys: dict[str, str]


@tables.get("/options")
def options() -> dict[str, Any]:
    """What can be chosen for a table."""
    return {
        "systems": system_titles(),
        "strengths": {name: strength.title for name, strength in STRENGTHS.items()},
        "wishes": list(WISHES),
    }


@tables.post("/tables")
async def open_table(settings: NewTable, request: Request, server: Asked) -> Opened:
    """Open a table. The rest is said over its socket, `/api/tables/{table}/socket` (docs/web.md)."""
    if not server.openings.take(client_of(request)):
        raise TooManyError("too many tables at once: wait a moment")
    table, keys = await server.hub.open(settings)
    return Opened(table=table.name, keys={str(seat): key for seat, key in keys.items()})


@tables.get("/tables/{name}")
async def see_table(name: str, server: Asked) -> dict[str, Any]:
    """A table as somebody who watches sees it."""
    return shown((await server.hub.table(name)).state, None)


@tables.get("/tables/{name}/file.{form}")
async def board_file(name: str, form: str, server: Asked) -> PlainTextResponse:
    """The last finished board as a PBN or LIN file."""
    state = (await server.hub.table(name)).state
    if not state.is_over:
        raise BridgeError("the board is not over")
    if form not in ("pbn", "lin"):
        raise BridgeError("boards are given as pbn or lin")
    text = (pbn if form == "pbn" else lin).dumps([record_of(state)])
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="board.{form}"'})
