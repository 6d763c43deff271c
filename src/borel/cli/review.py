"""`borel review`: a second opinion on every call of a session."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from borel.cli.arena import Fresh, Json, Out, Place, Seed, Timeout, Workers, check_outs, finish, working

__all__ = ["review"]


def review(
    file: Annotated[Path, typer.Argument(help="The session: PBN or LIN.")],
    bidder: Annotated[str, typer.Option(help="Whose opinion.")] = "rules:sayc",
    layouts: Annotated[
        int, typer.Option(min=0, help="Layouts on which a call is judged, sampled by the auction; 0: the actual deal.")
    ] = 16,
    player: Annotated[
        str, typer.Option(help="Who is asked about the cards that cost a trick: borel:seconds=0.5 …, or none.")
    ] = "borel:seconds=0.5",
    worst: Annotated[int, typer.Option(min=0, help="How many of the dearest calls to list.")] = 20,
    seed: Seed = 0,
    workers: Workers = None,
    timeout: Timeout = 60.0,
    store: Place = None,
    fresh: Fresh = False,
    as_json: Json = False,
    out: Out = None,
) -> None:
    """Review a session: for every call what the bidder would do, and what the difference cost in IMPs.

    Both calls are continued with the bidder at all seats, on layouts that agree with the auction so far, and scored
    double dummy. Cards are priced double dummy on the deal as it was, and those that cost a trick are put to a player
    who sees what their own player saw.
    """
    from borel.arena.report import review_document, review_records
    from borel.arena.review import ActualDeal, Review, Sampled
    from borel.arena.room import Contestant
    from borel.cli.arena import read_records
    from borel.policies.spec import card_player

    check_outs(out, pbn=True)
    records = tuple(read_records(file))
    where = Sampled(layouts) if layouts else ActualDeal()
    chosen = "" if player == "none" else player
    if chosen:
        card_player(chosen)
    setup = Review(Contestant.of(bidder), records, where, seed, timeout, player=chosen)
    with working("boards", store) as (opened, advance):
        found = setup.run(store=opened, workers=workers, fresh=fresh, progress=advance)
    finish(
        review_document(found, worst=worst), found.json(), {}, as_json=as_json, out=out,
        records=lambda: review_records(found, records),
    )  # fmt: skip
