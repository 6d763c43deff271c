"""How fast layouts come that agree with an auction, and whether they are the right ones.

    python benchmarks/sampling.py [--layouts 2000] [--system sayc] [--unbiased]

Ten typical auctions, from an opening pass to a slam auction of seven rounds. Accepted: layouts in which every player,
by the system, calls as he did. The time is processor time of one core, so that a busy machine does not matter; reading
the rules for an auction never met before is shown apart, for it is done once. With ``--unbiased``: chi-square of
lengths and points of every hidden hand against plain rejection.
"""

from __future__ import annotations

import argparse
import time
from random import Random

import numpy as np

from borel import _core
from borel.auction import Auction
from borel.cards import Hand
from borel.deal import Vulnerability
from borel.decision import Limit
from borel.sampling import Sample, directed, evidence_of, knowledge_of
from borel.sampling.rules import RuleModel
from borel.view import BiddingView

WANTED = 2000  # accepted layouts a second on one core

CASES = [
    ("P", "AQ5.KJ92.87.AT43"),
    ("1NT P", "KT852.A4.Q83.J72"),
    ("1S P", "K84.AQ72.KT83.75"),
    ("1H 1S", "Q4.K973.AJ84.762"),
    ("P P 1D P", "K983.QJ72.K5.J62"),
    ("1C P 1H P", "AQ52.K4.93.KQJ62"),
    ("1S P 2S P", "AKJ83.K52.A74.63"),
    ("1NT P 2C P 2H P", "KJ84.AT72.Q5.863"),
    ("1D 1S X P", "K4.AQ83.KQ972.63"),
    ("1S P 2NT P 3S P 4NT P 5H P 5NT P 6H P", "Q863.A4.K9763.AK"),
]


def view_of(text: str, hand: str) -> BiddingView:
    auction = Auction.parse("N", text)
    return BiddingView(auction.turn, Hand.parse(hand), auction, Vulnerability.NONE)


def sample(view: BiddingView, model: RuleModel, layouts: int, seed: int = 1) -> Sample:
    shown = model.shown(view.auction, view.vulnerability)
    return directed(view, model, layouts=layouts, shown=shown, limit=Limit(instances=2_000_000), rng=Random(seed))


def speed(model: RuleModel, layouts: int) -> None:
    print(f"{'auction':<42}{'reading':>9}{'dealt':>9}{'accepted':>10}{'share':>7}{'a second':>10}")
    slowest = float("inf")
    for text, hand in CASES:
        view = view_of(text, hand)
        started = time.process_time()
        sample(view, model, 50)
        reading = time.process_time() - started
        started = time.process_time()
        found = sample(view, model, layouts)
        rate = found.accepted / (time.process_time() - started)
        slowest = min(slowest, rate)
        share = found.accepted / found.instances
        print(f"{text:<42}{reading * 1000:>6.0f} ms{found.instances:>9}{found.accepted:>10}{share:>7.0%}{rate:>10,.0f}")
    print(
        f"slowest: {slowest:,.0f} accepted layouts a second ({'meets' if slowest >= WANTED else 'misses'} {WANTED:,})"
    )


def unbiased(model: RuleModel, layouts: int) -> None:
    print(f"\n{'auction':<42}{'plain':>8}{'directed':>10}   worst z of chi-square over hidden hands")
    for text, hand in CASES:
        view = view_of(text, hand)
        fixed = [0, 0, 0, 0]
        fixed[view.seat] = view.hand.mask
        plain = _core.deal(150_000, 7, 0, fixed)
        plain = plain[evidence_of(view, model).inconsistent(plain, 1) == 0]
        if len(plain) < 300:
            print(f"{text:<42}{len(plain):>8}   too rare for plain rejection")
            continue
        ours = sample(view, model, layouts).hands
        worst = max(
            surprise(*(_core.hand_numbers(hands[:, seat])[:, column].astype(int) for hands in (plain, ours)))
            for seat in knowledge_of(view).hidden
            for column in range(5)
        )
        print(f"{text:<42}{len(plain):>8}{len(ours):>10}   {worst:+.1f}")


def surprise(first: np.ndarray, second: np.ndarray) -> float:
    """How many standard deviations a two-sample chi-square is above its mean (Wilson and Hilferty)."""
    a, b = (np.bincount(values, minlength=64).astype(float) for values in (first, second))
    common = a + b >= 40
    a, b = (np.append(counts[common], counts[~common].sum()) for counts in (a, b))
    a, b = a[(both := a + b > 0)], b[both]
    k = (len(second) / len(first)) ** 0.5
    chi_square, degrees = float(((k * a - b / k) ** 2 / (a + b)).sum()), max(1, len(a) - 1)
    return ((chi_square / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / (2 / (9 * degrees)) ** 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layouts", type=int, default=2000)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--unbiased", action="store_true")
    options = parser.parse_args()
    model = RuleModel(options.system)
    speed(model, options.layouts)
    if options.unbiased:
        unbiased(model, options.layouts)


if __name__ == "__main__":
    main()
