"""Write the pages of the documentation that are made from the program itself: `python docs/generate.py`.

`tests/test_docs.py` fails when a page no longer says what the program does.
"""

from __future__ import annotations

from pathlib import Path

import typer
from typer.cli import get_docs_for_click

from borel.cli.app import app
from borel.features import CLASSES

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


def hand_features() -> str:
    """The catalogue of hand features, from their registry."""
    rows = [
        "| feature | what it says | range | BIDI | example |",
        "|---|---|---|---|---|",
    ]
    for cls in CLASSES.values():
        name, hand, value = cls.entry.example
        suit, whole = cls.entry.suit_range, cls.entry.range
        spans = [f"{low:g} to {high:g}" for low, high in ([suit] if suit and suit != whole else []) + [whole]]
        scale = "" if cls.scale == 1 else f" (×{cls.scale})"
        written = f"`{cls.name}{FORMS[cls.arguments]}`{scale}"
        rows.append(f"| {written} | {cls.doc} | {'; '.join(spans)} | {cls.bidi} | `{name}` of `{hand}` is {value:g} |")
    return (HERE / "features.head").read_text(encoding="utf-8") + "\n".join(rows) + "\n"


FORMS = {
    "": "", "A": "[(suit)]", "S": "(suit)", "TS": "(trump,suit)", "TA": "(trump[,suit])", "T*A": "(strain[,suit])",
    "2S": "(suit,suit)", "SN": "(suit,length)",
}  # fmt: skip

PAGES = {HERE / "cli.md": command_line, HERE / "features.md": hand_features}

if __name__ == "__main__":
    for path, make in PAGES.items():
        path.write_text(make(), encoding="utf-8")
