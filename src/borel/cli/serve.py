"""`borel serve`: the table in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from borel.cli.show import console

__all__ = ["serve"]


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8080,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes that think; one for each processor unless given.")
    ] = None,
    store: Annotated[
        str | None, typer.Option(help="Where tables are kept: a file, a database URL, or none. BOREL_STORE otherwise.")
    ] = None,
) -> None:
    """Serve the table in the browser, and the HTTP interface behind it, until Ctrl-C."""
    import socket
    import threading
    import webbrowser

    import uvicorn

    from borel.errors import BridgeError
    from borel.web import create_app

    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        raise BridgeError(f"cannot listen on {host}:{port}: {error.strerror}") from None
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    address = f"http://{shown}:{listening.getsockname()[1]}/"
    console.print(f"Borel is at [bold]{address}[/]  (Ctrl-C ends it)")
    if browser:
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    app = create_app(place=store, workers=workers)
    # Access logs would show table links, which are secret; proxies' headers are believed only from this machine.
    config = uvicorn.Config(app, log_level="warning", access_log=False, ws_max_size=16_384, server_header=False)
    uvicorn.Server(config).run(sockets=[listening])
