"""The table in the browser and the HTTP interface: `create_app` makes the server, `borel serve` runs it."""

from borel.web.app import create_app

__all__ = ["create_app"]
