"""The network protocol of computer bridge: a server that runs a table, and a client that sits down at one."""

from borel.table_manager.client import Client, SocketLines
from borel.table_manager.server import BoardPlayed, TableManager

__all__ = ["BoardPlayed", "Client", "SocketLines", "TableManager"]
