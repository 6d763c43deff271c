"""The declarer and defence deals of the lessons: how often the student's side gets what double dummy says it can.

Each is played on the lesson's layout and on others that the student, who sees his own hand and dummy and has heard the
auction, could not tell from it, and in which his side can still succeed. The other side is the same for every player.
"""

from __future__ import annotations

import json
import os
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from borel import Auction, Board, Contract, Deal, PlayView, Seat, Vulnerability, dd
from borel.arena.table import Table
from borel.cardplay.hidden import imagine
from borel.clock import processor_time
from borel.errors import BridgeError
from borel.policies.spec import card_player
from borel.view import Systems
from card_play_mistakes import Row, arguments, done, mean, note

SYSTEMS = Systems("two_over_one", "two_over_one")
CATEGORIES = ("Declarer Play", "Defense")
TRIES = 24  # layouts looked at for one in which the student's side can succeed


def lesson_deals() -> list[Row]:
    place = os.environ.get("BOREL_DATA")
    if not place:
        raise SystemExit("BOREL_DATA names no folder with the data")
    lines = (Path(place) / "lessons" / "dev.jsonl").read_text().splitlines()
    return [deal for deal in map(json.loads, lines) if deal["category"] in CATEGORIES]


class Lesson:
    """A deal of the lessons with its contract, and who is to learn from it."""

    def __init__(self, lesson: Row) -> None:
        self.name, self.student = lesson["id"], Seat.parse(lesson["student"])
        self.contract = Contract.parse(lesson["contract"], Seat.parse(lesson["declarer"]))
        self.dealer, self.vulnerability = Seat.parse(lesson["dealer"]), Vulnerability.parse(lesson["vulnerable"])
        auction = Auction.parse(self.dealer, lesson["auction"].replace("pass", "P"))
        self.auction = auction if auction.is_over else auction.all_pass()
        if self.auction.contract != self.contract:
            raise BridgeError(f"the auction ends in {self.auction.contract}")
        self.deal = Deal.parse(lesson["deal"])

    @property
    def declaring(self) -> bool:
        return self.student.side is self.contract.side

    def layouts(self, resampled: int) -> dict[int, Deal]:
        """Those in which the student's side can succeed: number 0 is the lesson's own, the others are dealt."""
        seat = self.contract.declarer if self.declaring else self.student
        view = PlayView(
            seat, self.deal.hand(seat), self.deal.hand(self.contract.dummy), self.contract, self.auction, (),
            self.vulnerability, systems=SYSTEMS,
        )  # fmt: skip
        hidden = imagine(view, view.known_play(), TRIES, rng=Random(self.name)).hands.tolist() if resampled else []
        others = (deal for deal in (Deal.of_masks(tuple(row)) for row in hidden) if self.possible(deal))
        found = {0: self.deal} if self.possible(self.deal) else {}
        return found | dict(enumerate(islice(others, resampled), start=1))

    def possible(self, deal: Deal) -> bool:
        made = 13 - dd.solve(deal, self.contract.strain, self.contract.leader) >= self.contract.tricks_needed
        return made if self.declaring else not made

    def played(self, deal: Deal, spec: str, others: str) -> bool:
        """Whether the student's side succeeds with this player."""
        students = {self.student, self.student.partner}
        players = {seat: card_player(spec if seat in students else others) for seat in Seat}
        table = Table({}, players, systems=SYSTEMS)
        board = Board(deal, self.dealer, self.vulnerability)
        with processor_time():
            play, _ = table.play(board, self.auction, ("",) * len(self.auction), rng=Random(self.name))
        made = play.declarer_tricks >= self.contract.tricks_needed
        return made if self.declaring else not made


def main(words: list[str]) -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--category", choices=CATEGORIES, help="only these lessons")
    parser.add_argument("--resampled", type=int, default=1, help="other layouts of each deal")
    parser.add_argument("--players", nargs="*", default=["borel:seconds=0.2", "monte_carlo:layouts=100,seconds=0.2"])
    parser.add_argument("--others", default="monte_carlo:layouts=12,seconds=0.1")
    given = parser.parse_args(words)
    rows = done(given.out)
    known = {(row["id"], row["layout"], row["player"]) for row in rows}
    deals = [deal for deal in lesson_deals() if given.category in (None, deal["category"])]
    Random(given.seed).shuffle(deals)
    for raw in deals[: given.deals]:
        for row in results(raw, given, known):
            rows.append(row)
            note(given.out, row)
    show(rows, given.players)


def results(raw: Row, given: Any, known: set[tuple[str, int, str]]) -> list[Row]:
    """A row for each layout and player that is not known yet; one with the reason where a lesson cannot be played."""
    if (raw["id"], -1, "") in known:
        return []
    try:
        lesson = Lesson(raw)
        layouts = lesson.layouts(given.resampled)
    except (BridgeError, KeyError) as error:
        return [{"id": raw["id"], "layout": -1, "player": "", "error": str(error)}]
    found = []
    for number, deal in layouts.items():
        for spec in given.players:
            if (lesson.name, number, spec) not in known:
                good = lesson.played(deal, spec, given.others)
                found.append(
                    {"id": lesson.name, "category": raw["category"], "layout": number, "player": spec, "good": good}
                )
    return found


def show(rows: list[Row], players: list[str]) -> None:
    left_out = [row for row in rows if row["layout"] < 0]
    for category in CATEGORIES:
        for title, which in (
            ("the lesson's layout", lambda row: row["layout"] == 0),
            ("others", lambda row: row["layout"] > 0),
        ):
            for spec in players:
                some = [row for row in rows if row["player"] == spec and row["category"] == category and which(row)]
                if not some:
                    continue
                share, half = mean([float(row["good"]) for row in some], [hash(row["id"]) for row in some])
                print(f"{category}, {title}, {spec}: {share:.1%} ± {half:.1%} of {len(some)}")
    print(f"{len(left_out)} lessons were left out: {', '.join(row['id'] + ' ' + row['error'] for row in left_out[:5])}")
