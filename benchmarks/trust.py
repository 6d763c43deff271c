"""What a network's expectations are worth: calls that it prefers to the rules', tried with rules at the other seats.

    python benchmarks/trust.py NETWORK BANK [--boards 4000] [--least 0.4] [--seed 1] [--out FILE]

Boards of the bank that nobody has learnt from are bid by the rules alone. Wherever the network expects another call to
gain so many IMPs, that call is made instead, the rules bid on at all four seats, and the difference is what it was
worth on that deal. Told by what the rules would have called and where, and by how strange the call is to the imitation,
as `bidding/grounded.py` tells decisions apart: its constants are chosen by these tables. `--out` is appended to and
gone on from.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from borel.auction import PASS, Auction, Call
from borel.bidding.grounded import TRUST, GroundedBidder, imitation_of, is_contested, is_high
from borel.cards import Hand, Seat
from borel.deal import Vulnerability
from borel.learning.duplicate import deal_from
from borel.learning.improvement import open_bank
from borel.policies.neural import shipped
from borel.sampling.rules import RuleModel
from borel.scoring import imps, ns_score
from borel.view import BiddingView

BINS = (0.4, 0.8, 1.2, 1.6, 2.0, 3.0, 99.0)
A_NAT = (0.0, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6)  # IMPs that must be gained for each nat of strangeness
Row = dict[str, Any]


class Board:
    """One deal with its double-dummy results, bid by rules."""

    def __init__(self, hands: list[int], dealer: int, vulnerable: list[bool], tricks: Any, rules: RuleModel) -> None:
        self.hands, self.dealer, self.tricks, self.rules = [Hand(mask) for mask in hands], Seat(dealer), tricks, rules
        ns, ew = vulnerable
        self.vulnerability = Vulnerability.parse("All" if ns and ew else "NS" if ns else "EW" if ew else "None")

    def view(self, auction: Auction) -> BiddingView:
        seat = auction.turn
        return BiddingView(seat, self.hands[seat], auction, self.vulnerability)

    def bid_on(self, auction: Auction) -> Auction:
        """To the end, by the rules."""
        while not auction.is_over:
            row = self.rules.encode(np.array([self.hands[auction.turn].mask], np.uint64))
            call = Call(int(self.rules.calls(row, auction, self.vulnerability)[0]))
            auction = auction.after(call if auction.is_legal(call) else PASS)
        return auction

    def score(self, auction: Auction) -> int:
        contract = auction.contract
        if contract is None:
            return 0
        return ns_score(contract, int(self.tricks[contract.strain, contract.declarer]), self.vulnerability)


def kind(auction: Auction, ruled: int) -> str:
    """Where a decision was, as the bidder tells them apart."""
    if auction.last_bid is None:
        return "an opening"
    if is_high(auction):
        return "high in a fight"
    where = "in a fight" if is_contested(auction) else "elsewhere"
    return f"{'a pass' if ruled == PASS.index else 'a bid'} {where}"


def tried(bidder: GroundedBidder, board: Board, least: float) -> Iterator[Row]:
    """Every call of the rules that the network would change, and what that was worth."""
    auction, found = Auction(board.dealer), []
    while not auction.is_over:
        view = board.view(auction)
        opinions = bidder.opinions(view)
        gains = opinions.gains()
        best = int(gains.argmax())
        if best != opinions.ruled and gains[best] >= least:
            row = {"kind": kind(auction, opinions.ruled), "known": opinions.known, "expected": float(gains[best])}
            row["strange"] = float(opinions.strangeness()[best])
            row |= {"auction": str(auction), "hand": str(view.hand), "ruled": str(Call(opinions.ruled))}
            found.append((auction, Call(best), row | {"call": str(Call(best)), "language": bidder.is_language(view)}))
        auction = auction.after(Call(opinions.ruled))
    usual = board.score(auction)
    for before, call, row in found:
        other = board.score(board.bid_on(before.after(call)))
        yield row | {"gained": imps(other - usual) * (1 if before.turn.side == 0 else -1)}


def table(rows: list[Row]) -> str:
    """Mean gain by kind and by what was expected."""
    lines = [f"{'the call of the rules':32}" + "".join(f"{low:>15}+" for low in BINS[:-1]) + f"{'all':>16}"]
    for name in sorted({(row["kind"], row["known"], row["language"]) for row in rows}):
        mine = [row for row in rows if (row["kind"], row["known"], row["language"]) == name]
        words = f"{name[0]}{', known' if name[1] else ''}{', language' if name[2] else ''}"
        cells = [
            _cell([row["gained"] for row in mine if low <= row["expected"] < high]) for low, high in pairwise(BINS)
        ]
        lines.append(f"{words:32}" + "".join(f"{cell:>16}" for cell in [*cells, _cell([r["gained"] for r in mine])]))
    return "\n".join(lines)


def needs(rows: list[Row], boards: int) -> str:
    """What is gained a board if 0.8 IMPs are needed, and so much for each nat of strangeness."""
    lines = [f"{'needed for each nat':32}" + "".join(f"{need:>34}" for need in A_NAT)]
    groups = {
        "a pass, or high in a fight": lambda row: not row["kind"].startswith("a bid"),
        "another bid, known": lambda row: row["kind"].startswith("a bid") and row["known"],
        "another bid, not known": lambda row: row["kind"].startswith("a bid") and not row["known"],
    }
    for name, belongs in groups.items():
        mine = [row for row in rows if belongs(row) and not row["language"] and row["expected"] >= TRUST]
        heard = [[row["gained"] for row in mine if row["expected"] >= need * row["strange"]] for need in A_NAT]
        cells = [f"{_cell(gains)}, {sum(gains) / boards:+.3f} a board" for gains in heard]
        lines.append(f"{name:32}" + "".join(f"{cell:>34}" for cell in cells))
    return "\n".join(lines)


def _cell(gains: list[int]) -> str:
    if len(gains) < 2:
        return f"({len(gains)})"
    return f"{np.mean(gains):+.2f}±{1.96 * np.std(gains, ddof=1) / len(gains) ** 0.5:.2f} ({len(gains)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="a name of the package, or a file with its imitation beside it")
    parser.add_argument("bank", type=Path)
    parser.add_argument("--boards", type=int, default=4000)
    parser.add_argument("--least", type=float, default=BINS[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="append results here, and go on from what is here")
    asked = parser.parse_args()
    network = shipped(asked.network)
    imitation = imitation_of(asked.network, network)
    if imitation is None:
        raise SystemExit(f"{asked.network} has no imitation beside it")
    bidder = GroundedBidder(network, imitation)
    boards, tricks = deal_from(open_bank(asked.bank)[1], asked.boards, np.random.default_rng(asked.seed))
    told = [json.loads(line) for line in asked.out.read_text().splitlines()] if asked.out and asked.out.exists() else []
    rules = RuleModel(bidder.system)
    for number in range(1 + max((row["board"] for row in told), default=-1), asked.boards):
        board = Board(
            [int(mask) for mask in boards.hands[number]], int(boards.dealer[number]),
            [bool(side) for side in boards.vulnerable[number]], tricks[number], rules,
        )  # fmt: skip
        rows = [{"board": number} | row for row in tried(bidder, board, asked.least)] or [{"board": number}]
        told += rows
        if asked.out:
            with asked.out.open("a") as handle:
                handle.writelines(json.dumps(row) + "\n" for row in rows)
    print(f"{asked.boards} boards")
    print(table([row for row in told if "kind" in row]))
    print(needs([row for row in told if "strange" in row], asked.boards))


if __name__ == "__main__":
    main()
