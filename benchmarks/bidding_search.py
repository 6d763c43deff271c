"""What looking ahead gains on the rules it starts from, decision by decision.

    python benchmarks/bidding_search.py [--spec borel:sayc,layouts=64,solve=0] [--deals 50] [--seed 1] [--bank FILE]

Four rule bidders bid random deals. At each of their decisions the search bidder is asked too. Where it prefers another
call, both are followed to the end by the rules on the true deal and scored double dummy: the difference in IMPs is what
that decision gained. Counted as well: how long decisions take (seconds are the processor's), and how often a
preferred call could not be read: partner's sampler gives the actual hand no weight. (Whole matches:
``borel match SPEC rules:sayc``.)

FILE: a bank of solved deals (`borel bank build`); otherwise deals are solved.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel import _core
from borel.auction import Auction, Call
from borel.bidding.search import Search
from borel.cards import Hand, Side
from borel.clock import now, processor_time
from borel.deal import Vulnerability, board_dealer, board_vulnerability
from borel.learning.bank import Bank
from borel.policies.rules import RuleBidder
from borel.policies.spec import bidder
from borel.sampling import evidence_of, knowledge_of
from borel.scoring import imps, ns_score
from borel.view import BiddingView


@dataclass
class Tally:
    """What was found."""

    decisions: int = 0
    searched: int = 0
    unreadable: int = 0
    seconds: list[float] = field(default_factory=list)  # of the processor, a searched decision
    gains: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    worst: list[tuple[float, str]] = field(default_factory=list)


class Boards:
    """Deals, and the tricks in any contract."""

    def __init__(self, count: int, seed: int, bank: Path | None) -> None:
        self.tables: NDArray[np.int8] | None = None
        if bank is None:
            self.deals = _core.deal(count, seed)
        else:
            solved = Bank.open(bank)
            chosen = np.random.default_rng(seed).permutation(len(solved))[:count]
            self.deals, self.tables = solved.hands(chosen), solved.tricks(chosen)

    def ns_score(self, board: int, auction: Auction, vulnerability: Vulnerability) -> int:
        """North-South's points double dummy."""
        contract = auction.contract
        if contract is None:
            return 0
        if self.tables is not None:
            return ns_score(contract, int(self.tables[board, contract.strain, contract.declarer]), vulnerability)
        strain, leader = np.array([contract.strain], np.uint8), np.array([contract.leader], np.uint8)
        none = np.full((1, 3), 255, np.uint8)
        ns = int(np.asarray(_core.dd_solve(self.deals[board : board + 1], strain, leader, none))[0])
        return ns_score(contract, ns if contract.side is Side.NS else 13 - ns, vulnerability)


def finished(deal: NDArray[np.uint64], auction: Auction, vulnerability: Vulnerability, rules: RuleBidder) -> Auction:
    """The auction as the rules end it."""
    while not auction.is_over:
        view = BiddingView(auction.turn, Hand(int(deal[auction.turn])), auction, vulnerability)
        auction = auction.after(rules.decide(view, rng=Random(0)).choice)
    return auction


def is_readable(search: Search, deal: NDArray[np.uint64], view: BiddingView, call: Call) -> bool:
    """Whether partner, who sees his own hand and hears the call, still deals the actual hand to its owner."""
    auction, partner = view.auction.after(call), view.seat.partner
    seen = BiddingView(partner, Hand(int(deal[partner])), auction, view.vulnerability)
    judge = search.judge_for(seen)
    shown = judge.rules.shown(auction, view.vulnerability)
    wide = knowledge_of(seen).limited({seat: [limits.widened(1) for limits in shown[seat]] for seat in shown})
    if not any(limits.admits(view.hand) for limits in wide.limits[view.seat]):
        return False
    heard = [one for one in evidence_of(seen, judge).heard if one.seat is view.seat]
    rows = judge.encode(np.array([view.hand.mask], dtype=np.uint64))
    return all(evidence_of(seen, judge).probabilities(one, rows)[0] > 0 for one in heard)


def consider(search: Search, rules: RuleBidder, boards: Boards, board: int, tally: Tally) -> None:
    """Bid a deal by the rules, asking the search at every turn."""
    deal, vulnerability = boards.deals[board], board_vulnerability(board + 1)
    auction = Auction(board_dealer(board + 1))
    while not auction.is_over:
        view = BiddingView(auction.turn, Hand(int(deal[auction.turn])), auction, vulnerability)
        call = rules.decide(view, rng=Random(0)).choice
        before = search.effort.lookaheads
        with processor_time():
            started = now()
            decision = search.decide(view, rng=Random(f"{board}/{len(auction)}"))
            took = now() - started
        tally.decisions += 1
        if search.effort.lookaheads > before:
            tally.searched += 1
            tally.seconds.append(took)
        if decision.choice != call:
            after = [finished(deal, auction.after(c), vulnerability, rules) for c in (decision.choice, call)]
            ours, theirs = (boards.ns_score(board, end, vulnerability) for end in after)
            gain = imps(ours - theirs) * (1 if view.seat.side is Side.NS else -1)
            tally.gains.append(gain)
            tally.kinds[f"{call}->{decision.choice}"] += 1
            tally.worst.append((gain, f"{view.hand} {auction or '-'}: {decision.choice} for {call}: {decision.why}"))
            tally.unreadable += not is_readable(search, deal, view, decision.choice)
        auction = auction.after(call)


def report(tally: Tally, boards: int, seconds: float, listed: int, limit: float | None) -> None:
    gains = np.array(tally.gains or [0.0])
    error = gains.std(ddof=1) / len(gains) ** 0.5 if len(gains) > 1 else float("nan")
    print(f"{boards} deals, {tally.decisions} decisions, {tally.searched} searched, {len(tally.gains)} calls changed")
    print(f"gain of a changed call: {gains.mean():+.2f} ± {1.96 * error:.2f} IMPs (95%)")
    print(f"a board (both sides): {gains.sum() / boards:+.3f} IMPs; {seconds:.0f} s in all")
    taken = np.array(tally.seconds or [0.0])
    late = f"95% {np.quantile(taken, 0.95):.3f} s, most {taken.max():.3f} s"
    print(f"a searched decision: mean {taken.mean():.3f} s of the processor, {late}")
    if limit is not None:
        shares = ", ".join(f"{q:.0%} {np.quantile(taken, q) / limit:.3f}" for q in (0.5, 0.9, 0.99, 1.0))
        print(f"used of the {limit:g} seconds, quantiles: {shares}; beyond 1.1: {(taken > 1.1 * limit).sum()}")
    print(f"calls that partner cannot read: {tally.unreadable} in {tally.searched} searched decisions")
    print("changed most often:", ", ".join(f"{kind} {n}" for kind, n in tally.kinds.most_common(8)))
    ranked = sorted(tally.worst)
    for gain, text in ranked if len(ranked) <= 2 * listed else ranked[:listed] + ranked[-listed:]:
        print(f"  {gain:+3.0f}  {text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spec", default="borel:sayc,layouts=64,solve=0")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bank", type=Path)
    parser.add_argument("--list", type=int, default=5, help="changed calls shown, of the worst and of the best")
    options = parser.parse_args()
    search = bidder(options.spec)
    assert isinstance(search, Search)
    rules, boards, tally = RuleBidder(search.system), Boards(options.deals, options.seed, options.bank), Tally()
    started = time.perf_counter()
    for board in range(options.deals):
        consider(search, rules, boards, board, tally)
    report(tally, options.deals, time.perf_counter() - started, options.list, search.limit.seconds)


if __name__ == "__main__":
    main()
