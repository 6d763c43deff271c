"""Write the pages of the documentation that are made from the program itself: `python docs/generate.py`.

`tests/test_docs.py` fails when a page no longer says what the program does.
"""

from __future__ import annotations

from pathlib import Path

import typer
from typer.cli import get_docs_for_click

from borel.cli.app import app

HERE = Path(__file__).parent


def command_line() -> str:
    """The command-line reference, from the commands' own help."""
    command = typer.main.get_command(app)
    context = typer.Context(command, info_name="borel")
    text = get_docs_for_click(obj=command, ctx=context, name="borel", title="Command line")
    note = (
        "Made from `borel --help` by `python docs/generate.py`. Exit codes: 0 done, 1 something in the input was wrong"
    )
    return text.replace(
        "# Command line\n",
        f"# Command line\n\n{note}\n(and was said on standard error), 2 a wrong command line, 130 interrupted.\n",
        1,
    )


PAGES = {HERE / "cli.md": command_line}

if __name__ == "__main__":
    for path, make in PAGES.items():
        path.write_text(make(), encoding="utf-8")
