"""Judgement as a count: which sum of hand and auction says that another program would not pass?

    BOREL_DATA=/path/to/data python benchmarks/fit_counts.py double --theirs
    BOREL_DATA=/path/to/data python benchmarks/fit_counts.py fit --theirs
    BOREL_DATA=/path/to/data python benchmarks/fit_counts.py fit

All cases where the rules pass are one table, whatever the auction. For a kind of call (``double``; ``fit``: the
cheapest bid of our known fit; ``own``: of the suit this hand has shown; ``new``: of the longest suit nobody has shown;
``blackwood``) and each level a logistic regression weighs what the rule language can say of hand and auction. Weak
terms are dropped, the others rounded to whole numbers, and the least sum is chosen on the tuned boards, where a call
that becomes right is worth one and a pass that becomes wrong costs ``--cost``. The held-out boards stand beside. Gains
are of the first order.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))

from bidding import SETS
from bidding_cases import data_folder
from borel.systems.context import Context
from borel.systems.hand import HCP, INDEX, LENGTHS, POINTS
from fit_book import Book, Place, read_book
from fit_finds import Floats, _in_suit
from fit_rules import Desk, opened

SUITS = "CDHS"
HAND = ("hcp", "losers", "controls", "quick", "shortest", "second-suit")
FACTS = tuple(
    "partner.bid partner.doubled rho.bid i-opened partner-opened balancing waited we-agreed passed limited "
    "partner.limited partner.notrump".split()
)


def _facts(context: Context) -> list[float]:
    """Truths of the auction as 1 and 0, in the order of FACTS."""
    calls, me = context.calls, context.turn
    back = [calls[-i] if len(calls) >= i else 0 for i in (1, 2, 3, 4)]
    opener = (context.opening - me) % 4
    bids = [call for i, call in enumerate(calls) if i % 4 == (me + 2) % 4 and call >= 3]
    found = (
        back[1] >= 3,
        back[1] == 1,
        back[0] >= 3,
        opener == 0,
        opener == 2,
        not back[0] and not back[1],
        len(calls) >= 4 and not back[3],
        context.agreed[me % 2] >= 0,
        context.passed[me],
        context.limited[me],
        context.limited[(me + 2) % 4],
        any((call - 3) % 5 == 4 for call in bids),
    )
    return [float(value) for value in found]


def _middle(low: float, high: float) -> float:
    return low + min(high - low, 6.0) / 2


def _suit(kind: str, place: Place, hand: Floats) -> int:
    """The suit that a kind of call bids; 4 for notrump, -1 where there is none."""
    context = place.context
    me, partner = context.turn, (context.turn + 2) % 4
    theirs = context.natural[(me + 1) % 4] | context.natural[(me + 3) % 4]
    ours = context.natural[me] | context.natural[partner]
    length = [float(hand[LENGTHS[suit]]) for suit in range(4)]
    both = [length[suit] + context.shown[partner].low[LENGTHS[suit]] for suit in range(4)]
    if kind == "fit":
        return max(
            (s for s in range(4) if ours >> s & 1 and not theirs >> s & 1 and both[s] >= 8),
            key=lambda s: (both[s], s),
            default=-1,
        )
    if kind == "own":
        return max(
            (s for s in range(4) if context.natural[me] >> s & 1 and not theirs >> s & 1),
            key=lambda s: (length[s], s),
            default=-1,
        )
    return max((s for s in range(4) if not (ours | theirs) >> s & 1), key=lambda s: (length[s], s), default=-1)


def _call(kind: str, place: Place, hand: Floats) -> tuple[int, int]:
    """The call of a kind and its suit; no call is -1."""
    if kind == "double":
        return (1 if place.legal >> 1 & 1 else -1), -1
    if kind == "blackwood":
        return (22 if place.legal >> 22 & 1 else -1), -1
    suit = _suit(kind, place, hand)
    return (_in_suit(place, suit, 0), suit) if suit >= 0 else (-1, -1)


def _words(suit: int, strain: int) -> list[str]:
    """The names of the columns, as the rule language has them."""
    words = [
        *HAND,
        "combined.mid(hcp)",
        "combined.min(hcp)",
        "partner.min",
        "theirs.min",
        "contract.level",
        "round",
        *FACTS,
    ]
    if 0 <= strain < 4:
        words += ["T", "hcp(T)", "quality(T)"]
    if suit >= 0:
        words += ["F", "quality(F)", "combined.min(F)", "combined.mid(points(F))", "F - me.min(F)"]
    return words


def _row(place: Place, hand: Floats, suit: int) -> list[float]:
    """The columns of a case."""
    context = place.context
    me, partner = context.shown[context.turn], context.shown[(context.turn + 2) % 4]
    sides = [context.shown[(context.turn + i) % 4] for i in (1, 3)]
    hcp, strain = float(hand[INDEX["hcp"]]), (context.last_bid - 3) % 5
    row = [float(hand[INDEX[name]]) for name in HAND]
    row += [hcp + _middle(partner.low[HCP], partner.high[HCP]), hcp + partner.low[HCP], partner.low[POINTS]]
    row += [
        sum(side.low[POINTS] for side in sides),
        (context.last_bid + 2) // 5,
        len(context.calls) // 4 + 1,
        *_facts(context),
    ]
    if strain < 4:
        row += [float(hand[INDEX[f"{name}({SUITS[strain]})"]]) for name in ("length", "hcp", "quality")]
    if suit >= 0:
        length, letter = float(hand[LENGTHS[suit]]), SUITS[suit]
        support = float(hand[INDEX[f"points({letter})"]]) + _middle(partner.low[POINTS], partner.high[POINTS])
        row += [length, float(hand[INDEX[f"quality({letter})"]]), length + partner.low[LENGTHS[suit]], support]
        row.append(length - me.low[LENGTHS[suit]])
    return row


def logistic(columns: Floats, answer: NDArray[np.bool_], ridge: float = 3.0) -> Floats:
    """Weights of a logistic regression of standardized columns, the constant last, by Newton's method."""
    design = np.column_stack([columns, np.ones(len(columns))])
    weights = np.zeros(design.shape[1])
    penalty = np.full(len(weights), ridge)
    penalty[-1] = 1e-6
    for _ in range(25):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (answer - chance) - penalty * weights
        curve = (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return np.asarray(weights, dtype=np.float32)


def count_of(columns: Floats, answer: NDArray[np.bool_], terms: int) -> NDArray[np.int64]:
    """Whole weights of the columns: the weakest is dropped until so many are left; the median weight becomes three."""
    scale = columns.std(axis=0) + 1e-6
    standard, kept = (columns - columns.mean(axis=0)) / scale, list(np.flatnonzero(scale > 0.01))
    while True:
        weights = logistic(standard[:, kept], answer)[:-1]
        if len(kept) <= terms:
            break
        kept.pop(int(np.abs(weights).argmin()))
    slopes = weights / scale[kept]
    unit = np.median(np.abs(slopes)) / 3
    whole = np.zeros(columns.shape[1], dtype=np.int64)
    whole[kept] = np.round(slopes / unit)
    return whole


def report(
    name: str, words: list[str], rows: list[tuple[list[float], bool, bool, bool]], args: argparse.Namespace
) -> None:
    """Fit a count and print it with what several least sums would gain and lose."""
    columns = np.array([row[0] for row in rows], dtype=np.float32)
    right, was, held = (np.array([row[i] for row in rows]) for i in (1, 2, 3))
    if right[~held].sum() < 20:
        return
    whole = count_of(columns[~held], right[~held], args.terms)
    total = columns @ whole
    worth = [
        ((right & (total >= t) & ~held).sum() - args.cost * (was & (total >= t) & ~held).sum(), t)
        for t in np.unique(total)
    ]
    best = max(worth)[1]
    spread = max(1.0, float(total.std()) / 8)
    print(
        f"{name}: {len(rows)} cases, {right.sum()} such calls\n    "
        + " ".join(f"{w:+d} * {word}" for w, word in zip(whole, words, strict=True) if w)
    )
    for least in (best - spread, best, best + spread):
        inside = total >= least
        counts = [int((what & inside & fold).sum()) for fold in (~held, held) for what in (right, was)]
        print(f"    >= {least:g}: tuned +{counts[0]} -{counts[1]}, held +{counts[2]} -{counts[3]}")


def table(
    desk: Desk, args: argparse.Namespace
) -> dict[tuple[int, int, int], list[tuple[list[float], bool, bool, bool]]]:
    """The cases where the rules pass, by level, suit and contract: columns, right now, right before, held out."""
    book: Book = desk.book
    groups: dict[tuple[int, int, int], list[tuple[list[float], bool, bool, bool]]] = {}
    for case, number in enumerate(book.place_of):
        place, choice, context = book.places[number], desk.chosen[case], book.places[number].context
        if (
            (choice.call if choice is not None else place.resort)
            or context.last_bid < 3
            or context.forced(context.turn)
        ):
            continue
        if ((context.last_bidder - context.turn) % 2 == 1) != args.theirs or context.doubled:
            continue
        call, suit = _call(args.kind, place, desk.features[case])
        if call < 0 or not place.legal >> call & 1:
            continue
        level = (context.last_bid + 2) // 5 if call < 3 else (call + 2) // 5
        key = (level, int(suit >= 2) if suit >= 0 else -1, int((context.last_bid - 3) % 5 == 4))
        row = (
            _row(place, desk.features[case], suit),
            call == book.expected[case],
            not book.expected[case],
            book.held[case],
        )
        groups.setdefault(key, []).append(row)
    return groups


def main(words: Iterable[str] | None = None) -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("double", "fit", "own", "new", "blackwood"))
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--theirs", action="store_true", help="over their contract; else over ours")
    parser.add_argument("--terms", type=int, default=7, help="most terms of a count")
    parser.add_argument("--cost", type=float, default=0.6, help="of a pass that becomes wrong")
    parser.add_argument("--stride", type=int, default=1, help="take every so many-th call: a quick look")
    args = parser.parse_args(None if words is None else list(words))
    desk = opened(read_book(list(SETS["wbridge5"](data_folder()))[:: args.stride], args.system))
    for (level, major, notrump), rows in sorted(table(desk, args).items()):
        suit = {-1: "", 0: ", a minor", 1: ", a major"}[major]
        names = _words(major, 4 if notrump else 0)
        report(f"{args.kind} at level {level}{suit}{', over notrump' if notrump else ''}", names, rows, args)


if __name__ == "__main__":
    main()
