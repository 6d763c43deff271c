"""Pictures of decision nets and lists of options, for people."""

from __future__ import annotations

import html

from borel.auction import ALL_CALLS
from borel.systems.decision_net import DecisionNet, Node
from borel.systems.interpret import option_text
from borel.systems.options import Option
from borel.systems.words import constraint_words

__all__ = ["net_svg", "option_lines", "option_records"]

WIDTH, ROW, INDENT = 960, 34, 26


def option_lines(options: list[Option]) -> list[str]:
    """One line an option: priority, call, hands, meaning, and where the rule stands."""
    ordered = sorted(options, key=lambda option: (-option.priority, option.order))
    return [
        f"{option.priority:4} {ALL_CALLS[option.call].symbol:5} {constraint_words(option.constraint)}"
        f"   “{option_text(option)}”   {option.rule.place}"
        for option in ordered
    ]


def option_records(options: list[Option]) -> list[dict[str, object]]:
    """The options as plain values, in the order in which they are asked."""
    ordered = sorted(options, key=lambda option: (-option.priority, option.order))
    return [
        {"call": str(ALL_CALLS[option.call]), "priority": option.priority, "hand": constraint_words(option.constraint)}
        | {"meaning": option_text(option), "rule": option.rule.name, "place": str(option.rule.place)}
        for option in ordered
    ]


def net_svg(net: DecisionNet[Option]) -> str:
    """The net as an SVG picture, children indented under their parents; else links are dashed."""
    boxes: list[str] = []
    links: list[str] = []

    def draw(node: Node[Option], depth: int, kind: str, parent: tuple[int, int] | None) -> None:
        x, y = 10 + INDENT * depth, 10 + ROW * len(boxes)
        calls = " ".join(ALL_CALLS[option.call].symbol for option in node.actions) or "—"
        text = html.escape(f"{calls}:  {constraint_words(node.constraint)}"[:150])
        boxes.append(
            f'<rect x="{x}" y="{y}" width="{WIDTH - x - 10}" height="{ROW - 10}" rx="4" fill="#f6f4ea" stroke="#888"/>'
            f'<text x="{x + 8}" y="{y + 16}" font-size="12" font-family="sans-serif">{text}</text>'
        )
        if parent is not None:
            dash = ' stroke-dasharray="4 3"' if kind == "else" else ""
            px, py = parent
            links.append(f'<path d="M{px + 6},{py + ROW - 10} V{y + 12} H{x}" fill="none" stroke="#444"{dash}/>')
        for child in node.regular:
            draw(child, depth + 1, "regular", (x, y))
        for child in node.otherwise:
            draw(child, depth, "else", (x, y))

    draw(net.root, 0, "", None)
    height = 20 + ROW * len(boxes)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}">'
    return "\n".join([head, *links, *boxes, "</svg>"])
