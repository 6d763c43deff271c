"""Plots as SVG, drawn by matplotlib where it is installed (the extra ``plots``); otherwise reports have tables."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from io import StringIO
from typing import Any

from borel.arena.report.document import Bars, Curve, Histogram, Plot

__all__ = ["can_plot", "svg"]

INK, BAND, BAR = "#1b4965", "#bee9e8", "#5fa8d3"
SIZE = (7.0, 3.0)  # inches


def can_plot() -> bool:
    """Whether plots can be drawn."""
    return find_spec("matplotlib") is not None


def svg(plot: Plot) -> str:
    """The plot as an SVG element; an empty text where matplotlib is not installed."""
    if not can_plot():
        return ""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "borel", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot()
        axes.spines[["top", "right"]].set_visible(False)
        axes.axhline(0, color="#999999", linewidth=0.8)
        if isinstance(plot, Curve):
            _curve(axes, plot)
        elif isinstance(plot, Histogram):
            _histogram(axes, plot)
        else:
            _bars(axes, plot)
        out = StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def _curve(axes: Any, plot: Curve) -> None:
    if plot.low and plot.high:
        axes.fill_between(plot.x, plot.low, plot.high, color=BAND, linewidth=0)
    marker = "o" if len(plot.x) < 20 else None
    axes.plot(plot.x, plot.y, color=INK, linewidth=1.4, marker=marker)
    axes.set_xlabel(plot.across)
    axes.set_ylabel(plot.up)


def _histogram(axes: Any, plot: Histogram) -> None:
    counts = Counter(round(value) for value in plot.values)
    axes.bar(list(counts), list(counts.values()), color=BAR, width=0.9)
    axes.set_xlabel(plot.across)
    axes.set_ylabel("boards")


def _bars(axes: Any, plot: Bars) -> None:
    errors = plot.errors or None
    axes.bar(range(len(plot.names)), plot.values, yerr=errors, color=BAR, ecolor=INK, capsize=3, width=0.7)
    axes.set_xticks(range(len(plot.names)), plot.names)
    axes.set_ylabel(plot.up)
