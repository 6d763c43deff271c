"""`borel learn qtable`: a bidding system from nothing but results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from borel.cli import learn_qtable_options as o
from borel.cli.show import console, progress_bar, show_json
from borel.errors import BridgeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from borel.learning.bank import Bank
    from borel.learning.lab.openings import OpeningTable
    from borel.learning.lab.pairs import PairDeals
    from borel.learning.lab.qtable import Epoch, QPair, QTableSettings

QUICK = {"epochs": 10, "deals": 200_000, "test": 100}
LAST = 10  # examinations whose mean is the result, as in tables 9 and 10


def qtable(
    bank: o.Banked,
    out: o.Out = None,
    openings: o.Openings = "natural",
    shapes: o.Shapes = 128,
    bids: o.Bids = 16,
    calls: o.Calls = 4,
    epochs: o.Epochs = 200,
    deals: o.Deals = 10_000_000,
    test: o.Test = 2000,
    rate: o.Rate = 20 / 1024,
    rates: o.Rates = "",
    schedule: o.Schedule = "constant",
    explore: o.Explore = 0.05,
    choice: o.Choice = "greedy",
    warm: o.Warm = 100.0,
    cold: o.Cold = 5.0,
    q0: o.Q0 = -200.0,
    reward: o.Reward = "score",
    gamma: o.Gamma = 1.0,
    fall: o.Fall = 1.0,
    limit: o.Bound = 1e9,
    coarse: o.Coarse = 0.0,
    teacher: o.Teacher = "",
    templates: o.Templates = False,
    agreed: o.Agreed = False,
    opponents: o.Opponents = False,
    integers: o.Integers = False,
    against: o.Against = "",
    fresh: o.Fresh = None,
    seed: o.Seed = 1,
    quick: o.Quick = False,
    plot: o.Plot = None,
    as_json: o.Json = False,
) -> None:
    """Let opener and responder learn a system from double-dummy results, each hand and auction a learner of its own.

    With --out the run's folder also gets the system in words: tables.txt (shape by strength) and learnt.bid, rules
    read off by decision trees, which `rules:FOLDER/learnt.bid` seats at a table.
    """
    from borel.learning.lab.qtable import QTableSettings
    from borel.systems import load_system

    asked: dict[str, Any] = {"epochs": epochs, "deals": deals, "test": test, **(QUICK if quick else {})}
    settings = QTableSettings(
        shapes=shapes, bids=bids, calls=calls, rate=rate, rates=_rates(rates), schedule=schedule, explore=explore,
        choice=choice, temperatures=(warm, cold), q0=q0, reward=reward, gamma=gamma, fall=fall, limit=limit,
        integers=integers, coarse=coarse, teacher=teacher, templates=templates, agreed=agreed, opponents=opponents,
        seed=seed, **asked,
    )  # fmt: skip
    other = None if fresh is None else _bank(fresh)
    if against:
        load_system(against)  # an unknown one is said before the learning, not after
    pair, told = _learnt(settings, bank, _openings(openings, shapes), out)
    more = _examined(pair, out, against, other)
    if plot is not None:
        _plot(told, plot)
    _show(pair, settings, told, more, as_json)


def _learnt(
    settings: QTableSettings, bank: Path, openings: OpeningTable, folder: Path | None
) -> tuple[QPair, list[Epoch]]:
    from borel.learning.lab.qtable import learn_system

    with progress_bar() as bar:
        task = bar.add_task("learning", total=settings.epochs)
        return learn_system(
            settings,
            _bank(bank),
            openings=openings,
            folder=folder,
            progress=lambda epoch: bar.update(task, completed=epoch.number, description=f"{epoch.test:.1f} points"),
        )


def _bank(path: Path) -> Bank:
    from borel.learning.bank import Bank

    return Bank.open(path)


def _rates(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in text.split(",")) if text else ()
    except ValueError:
        raise BridgeError(f"not learning rates separated by commas: {text[:60]!r}") from None


def _openings(asked: str, shapes: int) -> OpeningTable:
    from borel.learning.lab.openings import (
        OpeningTable,
        OpeningTableError,
        learnt_openings,
        natural_openings,
        shapes_of,
    )

    wanted = shapes_of(shapes)
    if asked in ("natural", "learnt"):
        return (natural_openings if asked == "natural" else learnt_openings)(wanted)
    try:
        return OpeningTable.parse(Path(asked).read_text(encoding="utf-8"), wanted)
    except UnicodeDecodeError:
        raise BridgeError(f"{asked} is not text in UTF-8") from None
    except OpeningTableError as error:
        raise BridgeError(f"{asked}: {error}") from None


def _examined(pair: QPair, out: Path | None, against: str, fresh: Bank | None) -> dict[str, tuple[float, float]]:
    """What is said besides the pair's own score: of its rules and of a written system, on the same or fresh deals."""
    from borel.learning.lab.pairs import pair_deals

    deals, masks = pair.examination, pair.masks[1]
    more: dict[str, tuple[float, float]] = {}
    if fresh is not None:
        deals, masks = pair_deals(fresh, slice(None), pair.shapes, opponents=pair.settings.opponents), fresh.hands()
        more["fresh deals"] = pair.examine(deals)
    if out is not None:
        more |= _write(pair, out, deals)
    return more | (_compared(pair, against, deals, masks) if against else {})


def _write(pair: QPair, out: Path, deals: PairDeals) -> dict[str, tuple[float, float]]:
    """Tables and rules for people, and what the rules score on some deals."""
    from borel.learning.lab.learnt import matrix, situations
    from borel.learning.lab.written import read_off

    written = read_off(pair)
    (out / "openings.txt").write_text(str(pair.openings))
    (out / "tables.txt").write_text("\n".join(matrix(pair, one) for one in situations(pair)))
    (out / "learnt.bid").write_text(written.text())
    return {"learnt.bid": deals.mean_and_error(written.scores(deals)[:, None])}


def _compared(pair: QPair, name: str, deals: PairDeals, masks: NDArray[np.uint64]) -> dict[str, tuple[float, float]]:
    """What a written system scores on the same deals, suits as dealt, and what the pair gains on it, deal by deal."""
    from borel.learning.lab.natural import hands_of, silent_auctions, silent_scores
    from borel.systems import load_system

    theirs = silent_scores(silent_auctions(load_system(name), *hands_of(deals, masks)), deals.tricks)
    own = pair.table.evaluate(*deals.results)[0][:, 0]
    return {name: deals.mean_and_error(theirs[:, None]), "gain": deals.mean_and_error((own - theirs)[:, None])}


def _plot(told: list[Epoch], path: Path) -> None:
    from matplotlib.figure import Figure

    from borel.learning.lab.plots import save

    figure = Figure(figsize=(7, 4))
    axes = figure.add_subplot()
    axes.plot([one.number for one in told], [one.training for one in told], label="learning, with exploration")
    axes.plot([one.number for one in told], [one.test for one in told], label="examined on other deals")
    axes.set_xlabel("epoch")
    axes.set_ylabel("points a deal")
    axes.legend()
    axes.grid(visible=True, alpha=0.3)
    save(figure, path)


def _show(
    pair: QPair, settings: QTableSettings, told: list[Epoch], more: dict[str, tuple[float, float]], as_json: bool
) -> None:
    last = told[-LAST:]
    mean, (lost, error) = sum(one.test for one in last) / len(last), pair.lost()
    if as_json:
        show_json(
            {
                "test": round(mean, 2),
                "plus_minus": round(last[-1].error, 2),
                "training": round(told[-1].training, 2),
                "lost": round(lost, 2),
                "lost_plus_minus": round(error, 2),
                "learners": told[-1].learners,
                "auctions": settings.epochs * settings.deals,
                "along": [[one.number, round(one.test, 2)] for one in told],
                **{name: [round(number, 2) for number in numbers] for name, numbers in more.items()},
            }
        )
        return
    console.print(f"{mean:.1f} ± {last[-1].error:.1f} points a deal, examined (mean of the last {len(last)} epochs)")
    console.print(f"{lost:.1f} ± {error:.1f} below the best contract; {told[-1].learners:,} learners")
    for name, (points, plus_minus) in more.items():
        console.print(f"{name}: {points:.1f} ± {plus_minus:.1f}")
