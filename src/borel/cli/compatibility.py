"""`borel compatibility`: how good a partner one bidder is to another."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from borel.cli.arena import Boards, Fresh, Json, Out, Place, Seed, Timeout, Workers, check_outs, finish, working
from borel.cli.cluster import Cluster, use_cluster

__all__ = ["compatibility"]


def compatibility(
    bidder: Annotated[str, typer.Argument(metavar="A", help="The bidder that is tried as a partner.")],
    partner: Annotated[str, typer.Option("--with", metavar="W", help="The bidder whose partner it is to be.")],
    boards: Boards = 100,
    seed: Seed = 0,
    workers: Workers = None,
    cluster: Cluster = "",
    timeout: Timeout = 60.0,
    store: Place = None,
    fresh: Fresh = False,
    as_json: Json = False,
    out: Out = None,
) -> None:
    """Measure how good a partner A is to W: IMPs a deal that A gains in each seat of a table of W's.

    Positive: A is a better partner to W than W itself. Deals on which one side never bids are also reported apart.
    """
    from borel.arena.compatibility import Compatibility
    from borel.arena.report import compatibility_document
    from borel.arena.room import Contestant

    use_cluster(cluster)
    check_outs(out, pbn=False)
    setup = Compatibility(Contestant.of(bidder), Contestant.of(partner), seed, timeout)
    with working("boards", store) as (opened, advance):
        found = setup.play(boards, store=opened, workers=workers, fresh=fresh, progress=advance)
    details = {"details": [asdict(board) for board in found.boards]}
    finish(compatibility_document(found), found.json(), details, as_json=as_json, out=out)
