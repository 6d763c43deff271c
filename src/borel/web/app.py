"""The server: pages, the HTTP interface, sockets, headers and limits put together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles

from borel.errors import BridgeError
from borel.web.api import api
from borel.web.hub import Hub
from borel.web.limits import Buckets, BusyError, Limits, NotFoundError, TooManyError
from borel.web.server import Server
from borel.web.sockets import sockets
from borel.web.store import WebStore
from borel.web.tables import tables
from borel.web.thinking import Thinking

__all__ = ["create_app"]

PAGES = Path(str(files("borel.web").joinpath("pages")))
ROUTES = ("/", "/play", "/bid", "/ask", "/review", "/system", "/table/{name}", "/review/{name}", "/system/{name}")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # a table's link is a secret
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
STATUS = {BusyError: 503, TooManyError: 429, NotFoundError: 404}


def create_app(
    *, place: str | None = None, workers: int | None = None, limits: Limits | None = None, warm: bool = True
) -> FastAPI:
    """The application; ``place`` is a file or a database URL, ``none`` keeps nothing; ``warm`` reads rules ahead."""
    chosen = limits or Limits()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store, thinking = WebStore(place), Thinking(workers)
        thinking.start(warm=warm)
        hub = Hub(store, thinking, chosen)
        app.state.server = Server(hub, store, thinking, chosen)
        sweeping = asyncio.create_task(hub.sweep())
        try:
            yield
        finally:
            sweeping.cancel()
            await hub.close()
            await thinking.close()
            store.close()

    app = FastAPI(
        title="Borel", version=version("borel-bridge"), lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json", summary="A contract-bridge engine: bid, explain, sample, solve, play, review",
    )  # fmt: skip
    app.include_router(tables)
    app.include_router(api)
    app.include_router(sockets)
    _add_pages(app)
    _add_errors(app)
    _add_guard(app, chosen)
    return app


def _add_pages(app: FastAPI) -> None:
    """One page for every address: the browser asks for what it shows."""

    async def page() -> FileResponse:
        return FileResponse(PAGES / "index.html", headers={"Cache-Control": "no-cache"})

    for route in ROUTES:
        app.add_api_route(route, page, include_in_schema=False)
    app.add_api_route("/api", page, include_in_schema=False)
    app.mount("/pages", StaticFiles(directory=PAGES), name="pages")


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(BridgeError)
    async def _bridge_error(_: Request, error: BridgeError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, STATUS.get(type(error), 400))

    @app.exception_handler(404)
    async def _nowhere(request: Request, _: Exception) -> Response:
        if request.url.path.startswith(("/api/", "/pages/")):
            return JSONResponse({"error": "there is nothing under this address"}, 404)
        return FileResponse(PAGES / "index.html", 404, headers={"Cache-Control": "no-cache"})

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        reason = first["msg"].removeprefix("Value error, ")
        return JSONResponse({"error": f"{place}: {reason}" if place else reason}, 422)


def _add_guard(app: FastAPI, limits: Limits) -> None:
    """Sizes and rates before anything is read, headers on everything that leaves."""
    buckets = Buckets(limits.requests)

    @app.middleware("http")
    async def _guard(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        client = request.client.host if request.client else ""
        length = request.headers.get("content-length", "0")
        response: Response
        if not buckets.take(client, now=time.monotonic()):
            response = JSONResponse({"error": "too many requests: wait a moment"}, 429)
        elif request.method == "POST" and (not length.isdecimal() or "content-length" not in request.headers):
            response = JSONResponse({"error": "a request says how long it is"}, 411)
        elif length.isdecimal() and int(length) > limits.body:
            response = JSONResponse({"error": f"at most {limits.body:,} bytes"}, 413)
        else:
            response = await call_next(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.url.path.startswith("/api"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response
