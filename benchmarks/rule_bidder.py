"""How fast the rule bidder is: decisions, readings, batched checks. `python benchmarks/rule_bidder.py --system sayc`.

Times are of the processor, not of the clock, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
from random import Random
from time import process_time

from borel.auction import Auction
from borel.cards import ALL_CARDS, Hand, Seat
from borel.deal import Vulnerability
from borel.policies.rules import RuleBidder
from borel.systems.hand import features_of_batch
from borel.systems.population import bank
from borel.view import BiddingView


def bid_boards(bidder: RuleBidder, boards: int) -> list[BiddingView]:
    """Every view of some random boards bid by four such bidders; their nets are then warm."""
    rng, deck, views = Random(3), list(range(52)), []
    for number in range(boards):
        rng.shuffle(deck)
        hands = [Hand.of([ALL_CARDS[card] for card in deck[i : i + 13]]) for i in (0, 13, 26, 39)]
        auction = Auction(Seat(number % 4))
        while not auction.is_over:
            view = BiddingView(auction.turn, hands[auction.turn], auction, Vulnerability(number % 4))
            views.append(view)
            auction = auction.after(bidder.decide(view, rng=rng).choice)
    return views


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--boards", type=int, default=60)
    options = parser.parse_args()
    began = process_time()
    bidder = RuleBidder(options.system)
    bank()
    print(f"loading {options.system}: {process_time() - began:.2f} s, {len(bidder.system.rules)} rules")
    began = process_time()
    views = bid_boards(bidder, options.boards)
    print(f"cold: {1000 * (process_time() - began) / len(views):.1f} ms a decision over {len(views)} decisions")
    began, count, rng = process_time(), 0, Random(0)
    while process_time() - began < 2:
        for view in views:
            bidder.decide(view, rng=rng)
        count += len(views)
    print(f"warm: {count / (process_time() - began):,.0f} decisions a second")
    began = process_time()
    for view in views:
        bidder.meaning(view.auction, view.vulnerability)
    print(f"meaning: {1000 * (process_time() - began) / len(views):.3f} ms")
    masks = bank().masks
    began = process_time()
    rows = features_of_batch(masks)
    print(f"features: {len(masks) / (process_time() - began):,.0f} hands a second")
    began = process_time()
    for view in views:
        bidder.calls_made(rows, view.auction, view.vulnerability)
    print(f"batched: {len(views) * len(rows) / (process_time() - began):,.0f} checks a second of 'this call?'")


if __name__ == "__main__":
    main()
