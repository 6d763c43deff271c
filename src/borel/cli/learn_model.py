"""`borel learn model`: a partner or an opponent, learnt from records."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from borel.cli.show import console, progress_bar, show_json
from borel.errors import BridgeError

if TYPE_CHECKING:
    from borel.learning.lab.model import Judged, Likelihood
    from borel.record import Record
    from borel.sampling.players import PlayerModel
    from borel.sampling.rules import RuleModel


def model(
    file: Annotated[Path, typer.Argument(help="Records: PBN or LIN.")],
    player: Annotated[
        list[str], typer.Option(help="Whose calls; two players who play the same system may be learnt together.")
    ],
    system: Annotated[str, typer.Option(help="The system that the model starts from.")] = "sayc",
    out: Annotated[Path | None, typer.Option(help="Write the model: partner=FILE in a bidder's specification.")] = None,
    others: Annotated[
        int, typer.Option(min=0, help="Boards of other players that say what players do in general.")
    ] = 600,
    seed: Annotated[int, typer.Option(min=0, help="Which boards of the others.")] = 1,
    quick: Annotated[bool, typer.Option("--quick", help="40 boards of the players and 60 of others at most.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Learn how a player's calls depart from a system, and measure it on a quarter of the boards, kept apart.

    The measure is the mean log-likelihood of the calls, in nats: of the plain system model (which departs from its call
    as often as players do, to any other alike), of players in general, and of this player. The model that is written
    has learnt from all of the boards.
    """
    from borel.cli.arena import read_records
    from borel.learning.lab.model import fit_player, fit_players
    from borel.sampling.rules import RuleModel

    records = list(read_records(file))
    theirs = [one for one in records if any(name in player for name in one.players)]
    _check_known(records, player)
    rest = [one for one in records if one.auction is not None and not any(name in player for name in one.players)]
    rest = Random(seed).sample(rest, min(len(rest), 60 if quick else others))
    theirs = theirs[:40] if quick else theirs
    rules = RuleModel(system)
    own, general = _decisions(theirs, rest, player, rules)
    players = fit_players(rules, general)
    found = _measured(players, own, tuple(player))
    if out is not None:
        fit_player(players, own, tuple(player)).save(out)
    if as_json:
        show_json({"players": player, "boards": len(theirs), "calls": len(own), **found.as_json()})
        return
    console.print(f"{' and '.join(player)}: {len(own)} calls on {len(theirs)} boards, {found.decisions} kept apart")
    console.print(
        f"log-likelihood a call: {found.plain:.3f} plain, {found.players:.3f} players, {found.player:.3f} own"
    )
    console.print(f"gained on the plain system model: {found.gain:+.3f} ± {found.gain_error:.3f}")
    console.print(f"gained on players in general: {found.own_gain:+.3f} ± {found.own_gain_error:.3f}")


def _decisions(
    theirs: list[Record], rest: list[Record], player: list[str], rules: RuleModel
) -> tuple[list[Judged], list[Judged]]:
    """The player's decisions, and those of others: at other tables, and opponents at the same."""
    from borel.learning.lab.model import decisions_of

    with progress_bar() as bar:
        task = bar.add_task("reading auctions", total=len(theirs) + len(rest))
        found = decisions_of([*theirs, *rest], rules, progress=lambda done: bar.update(task, completed=done))
    return [one for one in found if one.player in player], [one for one in found if one.player not in player]


def _measured(players: PlayerModel, own: list[Judged], names: tuple[str, ...]) -> Likelihood:
    from borel.learning.lab.model import fit_player, kept_apart, likelihood

    learnt, kept = kept_apart(own)
    if not kept:
        raise BridgeError(f"{' and '.join(names)}: too few boards to keep some apart")
    return likelihood(players, fit_player(players, learnt, names), kept)


def _check_known(records: list[Record], player: list[str]) -> None:
    from borel.learning.lab.model import names_in

    known = names_in(records)
    for name in player:
        if name not in known:
            near = get_close_matches(name, list(known), n=3, cutoff=0.5)
            usual = [one for one, _ in known.most_common(5)]
            hint = f"did you mean {' or '.join(near)}?" if near else f"the most frequent are {', '.join(usual)}"
            raise BridgeError(f"no player {name[:40]!r} in these records; {hint if known else 'they name nobody'}")
