"""What trumps are worth double dummy: the table of `borel.systems.last_look`.

    BOREL_DATA=/path/to/data python benchmarks/trump_tricks.py

For each number of trumps of a side: tricks with 20 points and trumps evenly divided, what each point more adds, and
each card by which one hand's trumps are longer (least squares over the solved deals).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))

from bidding_cases import bank_deals, data_folder
from borel.cards import Seat, Suit

POINTS = (16, 30)  # of the sides that count


def sides(deals: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """[n, 4]: points, longer and shorter trumps, tricks by suit; and [m, 2]: points, tricks of notrump."""
    suits, notrump = [], []
    for deal, tricks in bank_deals(data_folder(), deals):
        for a, b in ((Seat.N, Seat.S), (Seat.E, Seat.W)):
            one, two = deal.hand(a), deal.hand(b)
            points = one.hcp + two.hcp
            if not POINTS[0] <= points <= POINTS[1]:
                continue
            for suit in Suit:
                long, short = sorted((one.length(suit), two.length(suit)), reverse=True)
                suits.append((points, long, short, (tricks[suit][a] + tricks[suit][b]) / 2))
            notrump.append((points, (tricks[4][a] + tricks[4][b]) / 2))
    return np.array(suits, dtype=np.float64), np.array(notrump, dtype=np.float64)


def main() -> None:
    """Print a row for each number of trumps, and one for notrump."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=12_000)
    suits, notrump = sides(parser.parse_args().deals)
    print("trumps  sides  tricks  a point  a longer card  residual")
    for trumps in range(4, 12):
        rows = suits[suits[:, 1] + suits[:, 2] == trumps]
        causes = np.column_stack((np.ones(len(rows)), rows[:, 0] - 20, rows[:, 1] - rows[:, 2]))
        found = np.linalg.lstsq(causes, rows[:, 3], rcond=None)[0]
        rest = np.std(rows[:, 3] - causes @ found)
        print(f"{trumps:6} {len(rows):6}  {found[0]:6.2f}  {found[1]:7.2f}  {found[2]:13.2f}  {rest:8.2f}")
    causes = np.column_stack((np.ones(len(notrump)), notrump[:, 0] - 20))
    found = np.linalg.lstsq(causes, notrump[:, 1], rcond=None)[0]
    print(f"    NT {len(notrump):6}  {found[0]:6.2f}  {found[1]:7.2f}")


if __name__ == "__main__":
    main()
