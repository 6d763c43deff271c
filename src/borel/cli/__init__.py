"""The command line: a command parses its options, calls one library function, and shows the result."""

from borel.cli.app import main

__all__ = ["main"]
