"""A system as a convention card: its rules by section, in Markdown and HTML."""

from __future__ import annotations

import html
import re

from borel.systems.syntax import Rule
from borel.systems.system import SPECIFIC, BlockRules, System, priority_of

__all__ = ["card_html", "card_json", "card_markdown"]

_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def call_words(text: str) -> str:
    """A call as cards print it: ``2H`` is ``2♥``; variables stay letters."""
    return re.sub(r"(?<=\d)([CDHS])(?![A-Za-z])", lambda match: _SYMBOLS[match.group(1)], text)


def condition_words(rule: Rule) -> str:
    """The conditions of a rule as written, without the call, the meaning and what follows it."""
    text = rule.source.removeprefix(rule.prefix).strip().removeprefix(rule.text).strip()
    text = re.split(
        r'\s*"|(?:^|,?\s+)(?:forcing|game-forcing|asks|alert|announce|convention|priority|named|agrees)\b', text
    )[0]
    return text.strip().rstrip(",")


def remarks(rule: Rule) -> str:
    """Forcing status, announcement and convention of a rule."""
    clauses = {**rule.block.clauses, **rule.clauses}
    parts = [str(clauses[key]) for key in ("force",) if key in clauses]
    parts += ["asks"] if "asks" in clauses else []
    parts += [f"announce: {clauses['announce']}"] if clauses.get("announce") else []
    parts += [f"alert {clauses['alert']}".strip()] if "alert" in clauses else []
    parts += [str(clauses["convention"]).replace("_", " ")] if "convention" in clauses else []
    return ", ".join(parts)


def _sections(system: System) -> dict[str, list[BlockRules]]:
    sections: dict[str, list[BlockRules]] = {}
    for group in system.blocks:
        off = [group.block.clauses.get(key) for key in ("convention", "using", "playing")]
        if any(name is not None and not system.is_on(str(name)) for name in off):
            continue
        rules = [rule for rule in group.rules if _is_on(rule, system)]
        if rules:
            sections.setdefault(group.block.section or "General", []).append(BlockRules(group.block, rules))
    return sections


def _is_on(rule: Rule, system: System) -> bool:
    names = [rule.clauses.get(key) for key in ("convention", "playing")]
    return all(name is None or system.is_on(str(name)) for name in names)


def _rows(group: BlockRules) -> list[tuple[str, str, str, str]]:
    return [(call_words(rule.text), rule.meaning, condition_words(rule), remarks(rule)) for rule in group.rules]


def _is_principle(group: BlockRules) -> bool:
    return all(priority_of(rule) < SPECIFIC for rule in group.rules)


def card_markdown(system: System) -> str:
    """The convention card in Markdown: a heading a section, a table an auction."""
    lines = [f"# {system.title or system.name}", ""]
    on = [(name, text) for name, (switch, text) in sorted(system.switches.items()) if switch and text]
    if on:
        lines += ["## Conventions", "", *(f"- {text}" for _, text in on), ""]
    for section, groups in _sections(system).items():
        agreed = [group for group in groups if not _is_principle(group)]
        if not agreed:
            continue
        lines += [f"## {section}", ""]
        for group in agreed:
            lines += [
                f"### {call_words(group.block.text)}",
                "",
                "| call | meaning | hand | remarks |",
                "|---|---|---|---|",
            ]
            lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in _rows(group)]
            lines.append("")
    return "\n".join(lines)


def card_json(system: System) -> dict[str, object]:
    """The convention card as plain values: sections, auctions, calls."""
    names = ("call", "meaning", "hand", "remarks")
    sections = [
        {
            "title": title,
            "auctions": [
                {"auction": group.block.text, "calls": [dict(zip(names, row, strict=True)) for row in _rows(group)]}
                for group in groups
                if not _is_principle(group)
            ],
        }
        for title, groups in _sections(system).items()
    ]
    return {"system": system.name, "title": system.title, "sections": sections}


_STYLE = (
    "body{font:15px/1.4 Georgia,serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;width:100%}"
    "td,th{border-bottom:1px solid #ddd;padding:.2em .6em;text-align:left;vertical-align:top}"
    "td:first-child{font-weight:bold;white-space:nowrap}h3{margin:1.2em 0 .3em;font-size:1em;color:#063}.r{color:#b00}"
)


def card_html(system: System) -> str:
    """The convention card as one HTML page."""
    title = html.escape(system.title or system.name)
    parts = [f"<!doctype html><meta charset=utf-8><title>{title}</title><style>{_STYLE}</style><h1>{title}</h1>"]
    for section, groups in _sections(system).items():
        agreed = [group for group in groups if not _is_principle(group)]
        if not agreed:
            continue
        parts.append(f"<h2>{html.escape(section)}</h2>")
        for group in agreed:
            parts.append(f"<h3>{_coloured(group.block.text)}</h3><table>")
            for call, *cells in _rows(group):
                row = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
                parts.append(f"<tr><td>{_coloured(call)}</td>{row}</tr>")
            parts.append("</table>")
    return "\n".join(parts) + "\n"


def _coloured(text: str) -> str:
    return re.sub("[♥♦]", lambda match: f'<span class="r">{match.group()}</span>', html.escape(call_words(text)))
