"""Mistakes by trick as a picture (Ginsberg 2001, figures 4, 5 and 6), from what `card_play.py mistakes --out` wrote.

A file is named by its set, such as ``mist-experts.jsonl``: a panel for contracts thrown and one for
tricks lost by each role, our cards against theirs on the same positions, with 95% intervals.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from card_play_mistakes import ROLES, Row, done, mean

MEASURES = {"flips": "cards that throw the contract", "tricks": "tricks lost a card"}
TRICKS = range(1, 13)
LABELS = {"ours": "Borel", "theirs": "as recorded"}


def value_of(row: Row, who: str, measure: str) -> float:
    return float(row[f"{who}_flips"] if measure == "flips" else row[who])


def panel(axes: Any, rows: list[Row], title: str, measure: str) -> None:
    """Both players' curves by trick; tricks with fewer than two positions are left out."""
    by_trick = {t: [row for row in rows if row["trick"] == t] for t in TRICKS}
    tricks = [t for t in TRICKS if len(by_trick[t]) > 1]
    for shift, who in ((-0.1, "ours"), (0.1, "theirs")):
        points = [
            mean([value_of(row, who, measure) for row in by_trick[t]], [row["record"] for row in by_trick[t]])
            for t in tricks
        ]
        axes.errorbar(
            [t + shift for t in tricks], [p[0] for p in points], [p[1] for p in points], label=LABELS[who], capsize=2
        )
    axes.set_title(f"{title} ({len(rows)} positions)")
    axes.set_xlabel("trick")
    axes.set_ylabel(MEASURES[measure])
    axes.set_ylim(bottom=0)
    axes.legend()


def draw(files: list[Path], picture: Path, roles: Sequence[str] = ROLES) -> None:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "borel"  # the same rows give the same file
    import matplotlib.pyplot as plt

    panels = [(path, role) for path in files for role in roles]
    figure, grid = plt.subplots(len(panels), 2, figsize=(11, 3.2 * len(panels)), squeeze=False)
    for line, (path, role) in zip(grid, panels, strict=True):
        rows = [row for row in done(path) if row["role"] == role]
        for axes, measure in zip(line, MEASURES, strict=True):
            panel(axes, rows, f"{' '.join(path.stem.split('-')[1:])}, {role}", measure)
    figure.tight_layout()
    figure.savefig(picture, metadata={"Date": None} if picture.suffix == ".svg" else None)


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--picture", type=Path, required=True, help="an .svg or .png file")
    parser.add_argument("--role", choices=ROLES, nargs="*", default=ROLES)
    given = parser.parse_args(words)
    draw(given.files, given.picture, given.role)
