"""`borel explain`: what an auction has said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from borel.cli.show import console, show_json

if TYPE_CHECKING:
    from borel.auction import Auction
    from borel.deal import Vulnerability
    from borel.sampling.callers import Callers

__all__ = ["explain"]

RULES, NETWORK = "the rules", "the network"
HANDS = 200_000  # dealt to see which of them call so: two seconds, and enough for one in a thousand


def explain(
    auction: Annotated[str, typer.Option(help="The calls from the dealer on, such as '1NT P 2D'.")],
    dealer: Annotated[str, typer.Option(help="Who dealt: N E S W.")] = "N",
    vul: Annotated[str, typer.Option(help="Who is vulnerable: None NS EW All.")] = "None",
    system: Annotated[str, typer.Option(help="The dealer's side's system: a name, or a .bid file.")] = "sayc",
    theirs: Annotated[str, typer.Option(help="The other side's system; the same if not given.")] = "",
    sampled: Annotated[
        bool, typer.Option("--sampled", help="Show which hands make the last call, by the rules and by a network.")
    ] = False,
    network: Annotated[str, typer.Option(help="The network to ask: a name, or FILE.safetensors.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Explain an auction: what each call means and what each seat has shown."""
    from borel.auction import Auction
    from borel.deal import Vulnerability
    from borel.policies.rules import RuleBidder

    so_far = Auction.parse(dealer, auction)
    vulnerability = Vulnerability.parse(vul)
    meaning = RuleBidder(system, theirs=theirs or None).meaning(so_far, vulnerability)
    found = _callers(so_far, vulnerability, (system, theirs), network) if sampled else {}
    if as_json:
        show_json(
            meaning.as_json() | ({"sampled": {who: one.as_json() for who, one in found.items()}} if found else {})
        )
        return
    from rich.table import Table

    table = Table("seat", "call", "meaning", "status", box=None, header_style="bold")
    for call in meaning.calls:
        table.add_row(call.seat.word, call.call.symbol, call.text, call.remarks)
    console.print(table)
    for seat in meaning.seats:
        console.print(f"{seat.seat.word} has shown: {seat.words}", markup=False)
    for side, words in meaning.forcing.items():
        if words != "not forced":
            console.print(f"{side} is {words}", markup=False)
    _show_callers(found, so_far)


def _callers(
    auction: Auction, vulnerability: Vulnerability, systems: tuple[str, str], network: str
) -> dict[str, Callers]:
    """The hands that make the last call, by the rules, and by a network where there is one."""
    from borel.policies.neural import NeuralModel, shipped, shipped_networks
    from borel.sampling.callers import callers_of, random_hands
    from borel.sampling.rules import RuleModel

    dealers, others = systems[0], systems[1] or systems[0]
    pair = (dealers, others) if auction.dealer.side == 0 else (others, dealers)
    hands = random_hands(HANDS, seed=1)
    found = {RULES: callers_of(RuleModel(*pair), auction, vulnerability, hands)}
    caller = dealers if len(auction.calls) % 2 else others
    name = network or (caller if caller in shipped_networks() else "")
    if name:
        found[NETWORK] = callers_of(NeuralModel(shipped(name)), auction, vulnerability, hands)
    return found


def _show_callers(found: dict[str, Callers], auction: Auction) -> None:
    from borel.sampling.callers import LEAST

    call, seat = auction.calls[-1].symbol, auction.seat_of(len(auction.calls) - 1).word
    for who, callers in found.items():
        _show_hands(f"{seat}'s {call}, by {who}", callers)
    if len(found) == 2:
        apart = found[RULES].apart(found[NETWORK])
        console.print(f"The two mean the same by {1 - apart:.0%}.", markup=False)
        for who, other in ((RULES, NETWORK), (NETWORK, RULES)):
            only = found[who].beyond(found[other])
            if only.worth >= LEAST:
                _show_hands(f"By {who}, not by {other}", only)


def _show_hands(what: str, callers: Callers) -> None:
    share = f"{callers.frequency:.2%} of all hands" if callers.frequency >= 1e-4 else "very few hands"
    console.print(f"{what} ({share}): {callers.words()}", markup=False)
    examples = "  ".join(str(hand) for hand in callers.examples(4))
    if examples:
        console.print(f"  such as {examples}", markup=False)
