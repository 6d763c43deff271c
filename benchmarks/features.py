"""Hands a second for batches of features, on one core. `python benchmarks/features.py`."""

from __future__ import annotations

import time

from rich.console import Console
from rich.table import Table

from borel.dealing import deal_masks
from borel.features import all_features, codes, features

TEN = [
    "hcp", "length(S)", "length(H)", "length(D)", "length(C)",
    "controls", "losers", "quick_tricks", "balanced", "kaplan_rubens",
]  # fmt: skip


def main() -> None:
    hands = deal_masks(250_000, 1).reshape(-1)
    table = Table(title="Hand features, one core")
    for heading in ("features", "number", "hands/s", "values/s"):
        table.add_column(heading, justify="left" if heading == "features" else "right")
    sets = {"the ten commonest": TEN, "BIDI's appendix A": all_features(bidi=True), "all": all_features()}
    for name, wanted in sets.items():
        coded = codes(wanted)
        batch = hands if len(wanted) == len(TEN) else hands[:100_000]
        features(batch[:1000], coded)
        start = time.perf_counter()
        features(batch, coded)
        seconds = time.perf_counter() - start
        speed = len(batch) / seconds
        table.add_row(name, str(len(wanted)), f"{speed:,.0f}", f"{speed * len(wanted):,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
