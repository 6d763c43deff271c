"""Players whom a search bidder reads by a model of their own: ``borel:sayc,partner=FILE,lho=FILE,rho=FILE``.

`borel learn model` writes such files. Everybody else is read as usual. What the rules say a call shows does not bind a
player who has his own ways, so his hands are not limited by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from borel.cards import Seat
from borel.decision import CallModel
from borel.sampling.limits import HandLimits
from borel.sampling.players import load_player

if TYPE_CHECKING:
    from borel.policies.spec import Options

__all__ = ["Players", "players_of", "read_by", "unlimited"]

Players = Mapping[str, CallModel]
WHO = ("partner", "lho", "rho")


def players_of(options: Options) -> dict[str, CallModel]:
    """The models that a specification names."""
    return {who: load_player(Path(file)) for who in WHO if (file := options.text(who)) is not None}


def read_by(seat: Seat, usual: CallModel, players: Players) -> CallModel | dict[Seat, CallModel]:
    """Everybody's model, as one seat reads them."""
    if not players:
        return usual
    return dict.fromkeys(Seat, usual) | {_seat(seat, who): model for who, model in players.items()}


def unlimited(
    shown: Mapping[Seat, Sequence[HandLimits]], seat: Seat, players: Players
) -> dict[Seat, Sequence[HandLimits]]:
    """What calls have shown, of those who bid by the rules."""
    own_ways = {_seat(seat, who) for who in players}
    return {one: limits for one, limits in shown.items() if one not in own_ways}


def _seat(seat: Seat, who: str) -> Seat:
    return {"partner": seat.partner, "lho": seat.lho, "rho": seat.rho}[who]
