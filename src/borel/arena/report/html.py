"""A report as one HTML page that needs nothing else: styles and plots are inside."""

from __future__ import annotations

from html import escape

from borel.arena.report.document import Document, Part, Table, Text, cell
from borel.arena.report.plots import svg

__all__ = ["html_text"]

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; }
h1 { font-size: 1.4rem; margin-bottom: 0; } h2 { font-size: 1.05rem; margin: 2rem 0 0.4rem; }
.lead { font-size: 1.15rem; margin-top: 0.3rem; }
table { border-collapse: collapse; font-size: 0.92rem; } svg { max-width: 100%; height: auto; }
th, td { text-align: left; padding: 0.15rem 0.9rem 0.15rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } th, td { border-color: #444; }
  svg { background: #fff; } }
""".strip()


def html_text(document: Document) -> str:
    """The page."""
    parts = "\n".join(map(_part, document.parts))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(document.title)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n"
        f'<h1>{escape(document.title)}</h1>\n<p class="lead">{escape(document.lead)}</p>\n{parts}\n</body>\n</html>\n'
    )


def _part(part: Part) -> str:
    if isinstance(part, Text):
        return f"<p>{escape(part.text)}</p>"
    if isinstance(part, Table):
        return _table(part)
    drawing = svg(part)
    if not drawing:
        return ""
    return f"<h2>{escape(part.title)}</h2>\n{drawing}"


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(heading)}</th>" for heading in table.headings)
    rows = "\n".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in table.rows)
    return f"<h2>{escape(table.title)}</h2>\n<table>\n<tr>{head}</tr>\n{rows}\n</table>"


def _cell(value: str | int | float) -> str:
    kind = "" if isinstance(value, str) else ' class="number"'
    return f"<td{kind}>{escape(cell(value))}</td>"
