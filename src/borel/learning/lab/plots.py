"""Pictures of experiments, SVG or PNG by the file's name; letters stay letters, so that an SVG is small."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["save"]


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the same figure gives the same file."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "borel"}):
        figure.savefig(path, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg" else None)
