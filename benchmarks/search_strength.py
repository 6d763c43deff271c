"""What search gains on the same rules without it, against the time it has: a curve of matches.

    python benchmarks/search_strength.py [--seconds 0.1 0.4 1.6] [--boards 300] [--seed 22] [--system sayc]
        [--store strength.sqlite] [--also lookahead:sayc,seconds=0.25 pidm:sayc,seconds=0.25] [--out curve.html]

Every board is stored as it comes: killed and begun again, the matches go on where they stopped, and after each round of
boards the table and the curve are written anew, so that something can be seen before the end. The limits are seconds of
the processor, so other work on the machine changes nothing. IMPs a board with a 95% interval.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from borel.arena import Match
from borel.arena.match import Played
from borel.arena.report.document import Curve
from borel.arena.report.plots import can_plot, svg
from borel.store import Store

ROUND = 20  # boards of each match in turn


def line(played: Played) -> str:
    time = played.time("A")
    pace = f"{time.per_call:.3f} s a call, slowest {time.slowest:.2f}"
    return f"{played.a:36} {played.result}   {pace}, {len(played.voids)} void"


def curve(seconds: list[float], matches: list[Played]) -> Curve:
    intervals = [played.result.estimate.interval() for played in matches]
    return Curve(
        title=f"Borel search against {matches[0].b} (95%)",
        across="processor seconds a call",
        up="IMPs a board",
        x=seconds,
        y=[played.result.estimate.mean for played in matches],
        low=[low for low, _ in intervals],
        high=[high for _, high in intervals],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, nargs="*", default=[0.1, 0.4, 1.6])
    parser.add_argument("--also", nargs="*", default=[], help="other bidders, told but not drawn")
    parser.add_argument("--boards", type=int, default=300)
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--store", default="strength.sqlite")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a page with the curve (needs matplotlib)")
    options = parser.parse_args()
    specs = [f"borel:{options.system},seconds={seconds:g}" for seconds in options.seconds] + options.also
    matches = [Match.between(spec, f"rules:{options.system}", seed=options.seed) for spec in specs]
    with Store(options.store) as store:
        for boards in [*range(ROUND, options.boards, ROUND), options.boards]:
            last = boards == options.boards
            played = [match.play(boards, store=store, workers=options.workers, finish=last) for match in matches]
            print("\n".join(map(line, played)), flush=True)
            if options.out and options.seconds and can_plot():
                picture = svg(curve(options.seconds, played[: len(options.seconds)]))
                options.out.write_text(f"<!doctype html>\n<title>Strength against time</title>\n{picture}\n")


if __name__ == "__main__":
    main()
