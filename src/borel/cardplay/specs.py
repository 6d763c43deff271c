"""Card players by name: what `borel.policies.spec.card_player` makes.

A match has a process for each core, so players made here use one thread each unless they are told otherwise.
"""

from __future__ import annotations

from borel.cardplay.achievable import AchievableSets
from borel.cardplay.agreements import CHOICES, Agreements
from borel.cardplay.monte_carlo import MonteCarlo
from borel.cardplay.recursive import Recursive
from borel.decision import CardPlayer
from borel.policies.spec import Options

__all__ = ["achievable", "monte_carlo", "recursive"]


def _agreements(options: Options) -> Agreements:
    chosen = {name: options.text(name) for name in CHOICES}
    return Agreements(**{name: value for name, value in chosen.items() if value is not None})


def _whole(options: Options, key: str, default: int) -> int:
    return options.integer(key, default, low=1) or default


def _reads(options: Options) -> bool:
    return options.number("reads", 1, low=0, high=1) == 1


def monte_carlo(argument: str, options: Options) -> CardPlayer:
    """``monte_carlo:layouts=20``; without ``seconds`` it can be repeated exactly."""
    options.no_argument(argument)
    return MonteCarlo(
        _whole(options, "layouts", 50), options.number("seconds", None, low=0.01), _whole(options, "threads", 1),
        _reads(options), _agreements(options),
    )  # fmt: skip


def achievable(argument: str, options: Options) -> CardPlayer:
    """``achievable:layouts=100,depth=24,seconds=1,spare=0``; ``seconds=0`` has no clock and can be repeated exactly."""
    options.no_argument(argument)
    return AchievableSets(
        _whole(options, "layouts", 100), _whole(options, "depth", 24), options.number("seconds", 1.0, low=0) or None,
        _whole(options, "threads", 1), _reads(options), _agreements(options), options.integer("spare", 0, low=0) or 0,
    )  # fmt: skip


def recursive(argument: str, options: Options) -> CardPlayer:
    """``recursive:layouts=20,seconds=2``."""
    options.no_argument(argument)
    return Recursive(
        _whole(options, "layouts", 20), options.number("seconds", 2.0, low=0) or None, _whole(options, "threads", 1),
        _whole(options, "imagined", 4), _agreements(options),
    )  # fmt: skip
