"""Showing results: text for people, JSON for programs, progress on standard error so that pipes stay clean."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

console = Console(highlight=False)
errors_console = Console(stderr=True, highlight=False)


def show_json(value: Any) -> None:
    """Print one JSON document, as it is, on standard output."""
    print(json.dumps(value, ensure_ascii=False))


def progress_bar(**options: Any) -> Progress:
    """A progress bar with an estimate of the time left; nothing is drawn where standard error is not a terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=errors_console,
        transient=True,
        disable=not errors_console.is_terminal,
        **options,
    )
