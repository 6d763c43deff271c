"""How likely players' calls are to a model learnt from their records: `python benchmarks/player_model.py RECORDS.pbn`.

For each partnership some of its boards, and some boards at which none of them sat, give the models; a quarter of the
partnership's boards is kept apart. The figure is the mean log-likelihood of the calls there, in nats a call.
"""

from __future__ import annotations

import argparse
from math import sqrt
from pathlib import Path
from random import Random

from borel.cli.arena import read_records
from borel.learning.lab.model import Likelihood, decisions_of, fit_player, fit_players, kept_apart, likelihood
from borel.sampling.rules import RuleModel

PAIRS = ("Meckstroth/Rodwell", "Hamman/Zia", "Helgemo/Helness", "Fantoni/Nunes")


def main() -> None:
    """Print the figures of every partnership."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=Path)
    parser.add_argument("--pairs", nargs="*", default=PAIRS)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--boards", type=int, default=110, help="of each partnership")
    parser.add_argument("--others", type=int, default=300)
    options = parser.parse_args()
    pairs = [tuple(pair.split("/")) for pair in options.pairs]
    records = [one for one in read_records(options.records) if one.auction is not None]
    chosen: dict[int, None] = {}
    for pair in pairs:
        theirs = [i for i, one in enumerate(records) if all(name in one.players for name in pair)]
        chosen |= dict.fromkeys(theirs[: options.boards])
    names = {name for pair in pairs for name in pair}
    rest = [i for i, one in enumerate(records) if not names & set(one.players)]
    chosen |= dict.fromkeys(Random(1).sample(rest, min(len(rest), options.others)))
    rules = RuleModel(options.system)
    decisions = decisions_of([records[i] for i in chosen], rules)
    measured: list[Likelihood] = []
    for pair in pairs:
        general = fit_players(rules, [one for one in decisions if one.player not in pair])
        learnt, kept = kept_apart([one for one in decisions if one.player in pair])
        found = likelihood(general, fit_player(general, learnt, pair), kept)
        measured.append(found)
        print(
            f"{'/'.join(pair)}: {found.decisions} calls; plain {found.plain:.3f}, players {found.players:.3f}, "
            f"own {found.player:.3f}; gained on plain {found.gain:+.3f} ± {found.gain_error:.3f}, "
            f"on players {found.own_gain:+.3f} ± {found.own_gain_error:.3f}"
        )
    print(
        f"all: {sum(one.decisions for one in measured)} calls; "
        f"gained on plain {pooled([(one.decisions, one.gain, one.gain_error) for one in measured])}, "
        f"on players {pooled([(one.decisions, one.own_gain, one.own_gain_error) for one in measured])}"
    )


def pooled(parts: list[tuple[int, float, float]]) -> str:
    """The mean of several means with their ±, each of so many calls."""
    calls = sum(count for count, _, _ in parts)
    mean = sum(count * value for count, value, _ in parts) / calls
    error = sqrt(sum((count * error) ** 2 for count, _, error in parts)) / calls
    return f"{mean:+.3f} ± {error:.3f}"


if __name__ == "__main__":
    main()
