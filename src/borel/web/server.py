"""What every route needs: the tables, the store, the thinking, and who may ask how often."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request

from borel.web.hub import Hub
from borel.web.limits import Buckets, Limits, TooManyError
from borel.web.store import WebStore
from borel.web.tasks import Task
from borel.web.thinking import Thinking

__all__ = ["Asked", "Server", "client_of"]


@dataclass(slots=True)
class Server:
    """One running server."""

    hub: Hub
    store: WebStore
    thinking: Thinking
    limits: Limits
    sockets: Counter[str] = field(default_factory=Counter)
    costly: Buckets = field(init=False)
    openings: Buckets = field(init=False)

    def __post_init__(self) -> None:
        self.costly, self.openings = Buckets(self.limits.thinking), Buckets(self.limits.new_tables)

    async def think(self, client: str, name: str, *, seconds: float | None = None, **arguments: Any) -> Any:
        """Ask a worker on behalf of a client, who may not do so too often."""
        if not self.costly.take(client):
            raise TooManyError("too many questions at once: wait a moment")
        return await self.thinking.ask(
            f"client {client}", Task(name, arguments), seconds=seconds or self.limits.job_seconds
        )


def server_of(request: Request) -> Server:
    """The server that a request came to."""
    server: Server = request.app.state.server
    return server


Asked = Annotated[Server, Depends(server_of)]


def client_of(request: Request) -> str:
    """Who asks."""
    return request.client.host if request.client else ""
