"""Where search most often overrules the rules: how the author of the paper found holes in his database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from borel import _core
from borel.auction import Auction
from borel.bidding.search import Search
from borel.cards import Hand
from borel.deal import board_dealer, board_vulnerability
from borel.view import BiddingView

__all__ = ["Gap", "find_gaps"]


@dataclass(slots=True)
class Gap:
    """An auction at which the search preferred other calls than the rules."""

    auction: Auction
    searched: int = 0
    overruled: int = 0
    gain: float = 0.0  # expected, summed over the changed calls, in the unit of the scoring
    examples: list[str] = field(default_factory=list)


def find_gaps(search: Search, deals: int, seed: int, *, progress: Callable[[int], object] | None = None) -> list[Gap]:
    """Bid random deals with the search at all seats; the auctions it overruled the rules at, the costliest first.

    Auctions are told from the first bid on, as they go on the same way whoever passed before.
    """
    gaps: dict[tuple[object, ...], Gap] = {}
    for number, row in enumerate(_core.deal(deals, seed)):
        auction, vulnerability = Auction(board_dealer(number + 1)), board_vulnerability(number + 1)
        while not auction.is_over:
            view = BiddingView(auction.turn, Hand(int(row[auction.turn])), auction, vulnerability)
            decision = search.decide(view, rng=Random(f"{seed}/{number}/{len(auction)}"))
            values = {candidate.choice: candidate.value for candidate in decision.candidates}
            if len(values) > 1:
                gap = gaps.setdefault(_from_the_first_bid(auction), Gap(auction))
                gap.searched += 1
                own = search.rules_call(view)
                if own != decision.choice:
                    gap.overruled += 1
                    gap.gain += (values[decision.choice] or 0.0) - (values.get(own) or 0.0)
                    gap.examples.append(f"{view.hand}: {decision.choice} for {own}")
            auction = auction.after(decision.choice)
        if progress is not None:
            progress(number + 1)
    return sorted((gap for gap in gaps.values() if gap.overruled), key=lambda gap: (-gap.gain, -gap.overruled))


def _from_the_first_bid(auction: Auction) -> tuple[object, ...]:
    first = next((i for i, call in enumerate(auction.calls) if call.is_bid), len(auction))
    return auction.calls[first:] if first < len(auction) else ("nobody has bid", len(auction))
