"""`borel bid`: what would you bid, and why?"""

from __future__ import annotations

from typing import Annotated

import typer

from borel.cli.show import console, show_json

__all__ = ["bid"]

SYSTEM, SECONDS = "sayc", 1.0


def bid(
    hand: Annotated[str, typer.Option(help="The hand as spades.hearts.diamonds.clubs, such as AQ5.KJ92.87.AT43.")],
    auction: Annotated[str, typer.Option(help="The calls so far from the dealer on, such as '1C P'.")] = "",
    dealer: Annotated[str, typer.Option(help="Who dealt: N E S W.")] = "N",
    vul: Annotated[str, typer.Option(help="Who is vulnerable: None NS EW All.")] = "None",
    system: Annotated[str, typer.Option(help="Our system: a name, or a .bid file.")] = SYSTEM,
    theirs: Annotated[str, typer.Option(help="The opponents' system; if it is not ours, the rules alone answer.")] = "",
    seconds: Annotated[float, typer.Option(min=0, max=600, help="Time to judge; 0: by the rules alone.")] = SECONDS,
    by: Annotated[
        str,
        typer.Option(
            "--bidder",
            help="Who answers, with system and time, as in borel match: neural-search:FILE.safetensors,seconds=1 …",
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Choose a call for a hand, with the reasons, its meaning and the other candidates."""
    from random import Random

    from borel.auction import Auction
    from borel.cards import Hand
    from borel.deal import Vulnerability
    from borel.errors import BridgeError, DealError, IllegalCallError
    from borel.policies.rules import RuleBidder
    from borel.policies.spec import bidder as make_bidder
    from borel.policies.spec import system_of, usual_bidder
    from borel.view import BiddingView

    cards = Hand.parse(hand)
    if len(cards) != 13:
        raise DealError(f"a hand has 13 cards, not {len(cards)}: {hand!r}")
    so_far = Auction.parse(dealer, auction)
    if so_far.is_over:
        raise IllegalCallError(f"the auction {so_far} is over (Law 22)")
    if by and (system, theirs, seconds) != (SYSTEM, "", SECONDS):
        raise BridgeError("--bidder says system and time itself; leave out --system, --theirs and --seconds")
    strangers = theirs not in ("", system)
    bidder = RuleBidder(system, theirs=theirs) if strangers else make_bidder(by or usual_bidder(system, seconds))
    view = BiddingView(so_far.turn, cards, so_far, Vulnerability.parse(vul))
    decision = bidder.decide(view, rng=Random(0))
    others = [c for c in decision.candidates if c.choice != decision.choice]
    if as_json:
        candidates = [{"call": str(c.choice), "why": c.why} for c in decision.candidates]
        fields = {"call": str(decision.choice), "why": decision.why, "meaning": decision.meaning}
        fields |= {"sampled": decision.sampled} if decision.sampled else {}
        show_json({**fields, "candidates": candidates, "seat": str(so_far.turn), "system": system_of(bidder)})
        return
    console.print(f"{cards.pretty()}   {so_far.turn.word} to call after {so_far or 'no calls'}", markup=False)
    console.print(f"[bold]{decision.choice.symbol}[/bold]   {decision.meaning}")
    console.print(f"why: {decision.why}", markup=False)
    if decision.sampled:
        console.print(f"hands that call so: {decision.sampled}", markup=False)
    for other in others:
        console.print(f"or {other.choice.symbol}: {other.why}", markup=False)
