"""`borel challenge`: bidding problems for a pair."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from borel.cli.arena import Fresh, Json, Out, Place, Seed, Timeout, Workers, check_outs, finish, working
from borel.cli.cluster import Cluster, use_cluster
from borel.errors import BridgeError

__all__ = ["challenge"]


def challenge(
    file: Annotated[
        Path | None, typer.Argument(help="Problems in PBN: two hands each; awards in a comment; opponents' calls.")
    ] = None,
    random: Annotated[int | None, typer.Option(min=1, help="Instead of a file: so many random problems.")] = None,
    bidder: Annotated[str, typer.Option(help="The bidder at both seats.")] = "rules:sayc",
    layouts: Annotated[int, typer.Option(min=1, help="Ways to deal the opponents' cards that value a contract.")] = 20,
    side: Annotated[str, typer.Option(help="The pair whose hands are looked at: NS or EW.")] = "NS",
    seed: Seed = 0,
    workers: Workers = None,
    cluster: Cluster = "",
    timeout: Timeout = 60.0,
    store: Place = None,
    fresh: Fresh = False,
    as_json: Json = False,
    out: Out = None,
) -> None:
    """Set a pair bidding problems: IMPs a problem against the best contract, or points of a contest.

    The opponents pass, or follow the calls that the file gives them. A contract is worth its expected score over
    layouts of the opponents' cards; in a contest, the award that a comment lists, such as
    "Awards: 6H 10, 6NT 9, 4H/5H 5".
    """
    from borel.arena.challenge import Challenge
    from borel.arena.problems import problems_of
    from borel.arena.report import challenge_document
    from borel.arena.room import Contestant
    from borel.cards import Side
    from borel.cli.arena import read_records

    if (file is None) == (random is None):
        raise BridgeError("give a file of problems, or --random N")
    if side.upper() not in Side.__members__:
        raise BridgeError(f"a side is NS or EW, not {side!r}")
    use_cluster(cluster)
    check_outs(out, pbn=False)
    problems = tuple(problems_of(read_records(file), side=Side[side.upper()])) if file is not None else ()
    setup = Challenge(Contestant.of(bidder), problems, seed, layouts, timeout)
    with working("problems", store) as (opened, advance):
        count = random if random is not None else len(problems)
        solved = setup.solve(count, store=opened, workers=workers, fresh=fresh, progress=advance)
    details = {"details": [asdict(problem) for problem in solved.problems]}
    finish(challenge_document(solved), solved.json(), details, as_json=as_json, out=out)
