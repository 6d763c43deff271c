"""`borel sample`: what do the others hold?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from borel.cli.show import console, show_json

if TYPE_CHECKING:
    from borel.sampling import Sample
    from borel.view import BiddingView

__all__ = ["sample"]


def sample(
    hand: Annotated[str, typer.Option(help="The hand as spades.hearts.diamonds.clubs, such as AQ5.KJ92.87.AT43.")],
    auction: Annotated[str, typer.Option(help="The calls so far from the dealer on, such as '1C P'.")] = "",
    dealer: Annotated[str, typer.Option(help="Who dealt: N E S W.")] = "N",
    seat: Annotated[str, typer.Option(help="Whose hand it is; whose turn it is, if not given.")] = "",
    vul: Annotated[str, typer.Option(help="Who is vulnerable: None NS EW All.")] = "None",
    system: Annotated[str, typer.Option(help="North-South's system: a name, or a .bid file.")] = "sayc",
    theirs: Annotated[str, typer.Option(help="East-West's system; the same if not given.")] = "",
    layouts: Annotated[int, typer.Option(min=1, help="How many layouts.")] = 1000,
    method: Annotated[str, typer.Option(help="directed, rbmbmc or soft.")] = "directed",
    instances: Annotated[int | None, typer.Option(min=1, help="The most layouts to generate.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.001, help="The most seconds to take.")] = None,
    floor: Annotated[float, typer.Option(min=0, max=1, help="Least probability of any call: room for whims.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.")] = 1,
    show: Annotated[bool, typer.Option("--show", help="Print the layouts too, one a line, N E S W.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Deal the hidden hands so that they agree with the auction, and say what each probably holds."""
    from random import Random

    from borel.decision import Limit
    from borel.sampling import knowledge_of
    from borel.sampling.picture import Picture

    view = _view(hand, auction, dealer, seat, vul)
    limit = Limit(instances=instances, seconds=seconds)
    found = _sample(view, (system, theirs), method, layouts=layouts, limit=limit, floor=floor, rng=Random(seed))
    picture = Picture.of(found, knowledge_of(view).hidden)
    if as_json:
        fields = {"layouts": len(found), "effective_size": round(found.effective_size, 1), "accepted": found.accepted}
        fields |= {"instances": found.instances, "seconds": round(found.seconds, 4)}
        fields |= {"consistent": found.is_consistent, "inconsistency": float(found.inconsistency.mean())}
        deals = {"deals": [str(deal) for deal in found.deals()], "weights": found.weights.tolist()} if show else {}
        show_json({**fields, **picture.as_json(), **deals})
        return
    if show:
        for deal, weight, off in zip(found.deals(), found.weights, found.inconsistency, strict=True):
            console.print(f"{deal}  {weight:.4f}" + (f"  off by {off:g}" if off else ""), markup=False, soft_wrap=True)
    console.print(_heading(found), markup=False, soft_wrap=True)
    for line in picture.words():
        console.print(line, markup=False, soft_wrap=True)


def _view(hand: str, auction: str, dealer: str, seat: str, vul: str) -> BiddingView:
    from borel.auction import Auction
    from borel.cards import Hand, Seat
    from borel.deal import Vulnerability
    from borel.errors import DealError
    from borel.view import BiddingView

    cards = Hand.parse(hand)
    if len(cards) != 13:
        raise DealError(f"a hand has 13 cards, not {len(cards)}: {hand!r}")
    so_far = Auction.parse(dealer, auction)
    return BiddingView(Seat.parse(seat) if seat else so_far.turn, cards, so_far, Vulnerability.parse(vul))


def _sample(view: BiddingView, systems: tuple[str, str], method: str, **options: object) -> Sample:
    from borel.errors import ParseError
    from borel.sampling import directed, rbmbmc, soft
    from borel.sampling.rules import RuleModel

    model = RuleModel(systems[0], systems[1] or None)
    shown = model.shown(view.auction, view.vulnerability)
    if method == "directed":
        return directed(view, model, shown=shown, **options)  # type: ignore[arg-type]
    if method == "rbmbmc":
        return rbmbmc(view, model, **options)  # type: ignore[arg-type]
    if method == "soft":
        options.pop("floor")
        return soft(view, shown, **options)  # type: ignore[arg-type]
    raise ParseError("way to sample (directed, rbmbmc or soft)", method)


def _heading(found: Sample) -> str:
    size = f"worth {found.effective_size:.0f} of equal weight, " if found.effective_size < 0.99 * len(found) else ""
    text = f"{len(found)} layouts, {size}out of {found.instances} dealt in {found.seconds:.2f} s"
    if found.is_consistent:
        return text
    off = found.inconsistency
    share = f"{(off == 0).mean():.0%} of them agree" if (off == 0).any() else "none agrees"
    return f"{text}; {share} with the whole auction (the others are off by {off[off > 0].mean():.1f} on the average)"
