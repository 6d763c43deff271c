"""Mistakes by trick (Ginsberg 2001, figures 4, 5 and 6): our cards and theirs on the same positions.

A mistake makes a makeable contract unmakeable double dummy (for a defender the reverse); tricks lost are beside it.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from borel import Auction, Play, PlayView, dd
from borel.cardplay.hidden import imagine
from borel.cardplay.worth import equals_of
from borel.cards import Card
from borel.clock import processor_time
from borel.deal import Deal
from borel.errors import BridgeError
from borel.formats import FORMATS, Report
from borel.policies.spec import card_player
from borel.record import Record
from borel.view import Systems

FILES = {"wbridge5": "wbridge5/dev.txt", "experts": "experts/dev.pbn"}
ROLES = ("declarer", "defender")
Row = dict[str, Any]


def arguments(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="append results here, and go on from what is here")
    return parser


def done(out: Path | None) -> list[Row]:
    """What an earlier run has written."""
    if out is None or not out.exists():
        return []
    return [json.loads(line) for line in out.read_text().splitlines() if line.strip()]


def note(out: Path | None, row: Row) -> None:
    if out is not None:
        with out.open("a") as handle:
            handle.write(json.dumps(row) + "\n")


def records(name: str) -> list[Record]:
    """The records of a set that have a whole deal, an auction and cards."""
    place = os.environ.get("BOREL_DATA")
    if not place:
        raise SystemExit("BOREL_DATA names no folder with the data")
    report = Report(on_bad=lambda *_: None)
    with (Path(place) / FILES[name]).open(encoding="utf-8", errors="replace") as handle:
        found = list(FORMATS["wbridge5" if name == "wbridge5" else "pbn"].load(handle, report))
    return [r for r in found if r.deal is not None and r.deal.is_complete and r.contract and len(r.cards) >= 8]


def deals_of(every: Sequence[Record]) -> list[int]:
    """The number of each record's deal: a deal is played at many tables, which all belong to one half.

    Even numbers are for fitting, odd ones for testing.
    """
    numbers: dict[Deal | None, int] = {}
    return [numbers.setdefault(record.deal, len(numbers)) for record in every]


def fitting_half(every: Sequence[Record]) -> list[tuple[int, int]]:
    """The records that constants may be fitted to, with the number of their deal."""
    return [(number, deal) for number, deal in enumerate(deals_of(every)) if deal % 2 == 0]


def view_of(record: Record, play: Play, systems: Systems) -> PlayView:
    """What the player of the next card saw."""
    contract = play.contract
    seat = contract.declarer if play.turn is contract.dummy else play.turn
    auction = record.auction if record.auction is not None else Auction(record.dealer or contract.declarer)
    vulnerability = record.vulnerability
    assert vulnerability is not None
    return PlayView(
        seat, play.deal.hand(seat), play.dummy, contract, auction, play.cards, vulnerability, systems=systems
    )


def positions(
    name: str, roles: Sequence[str], seed: int, each: int = 4
) -> Iterator[tuple[str, int, int, Record, Play]]:
    """Points of the play with a real choice, so many of a record for each role.

    Records come in an order that the seed decides; a record's auction is read once for all its positions.
    """
    every, random = records(name), Random(f"{seed}/{name}")
    order = [number for number, deal in enumerate(deals_of(every)) if deal % 2]
    random.shuffle(order)
    for number in order:
        record, left = every[number], dict.fromkeys(ROLES, each)
        for k in random.sample(range(len(record.cards)), len(record.cards)):
            play = choice_at(record, k)
            if play is None:
                continue
            role = ROLES[play.turn.side is not play.contract.side]
            if left[role] and role in roles:
                left[role] -= 1
                yield role, number, k, record, play


def choice_at(record: Record, k: int) -> Play | None:
    """The play before a card that was chosen from cards that are not all equal."""
    assert record.deal is not None
    assert record.contract is not None
    try:
        play = Play(record.deal, record.contract, record.cards[:k])
        play.after(record.cards[k])
    except BridgeError:
        return None
    return play if len({equals_of(play, card) for card in play.legal_cards()}) > 1 else None


def judge(play: Play, record: Record, values: dict[Card, int], ours: Card) -> Row:
    """What both cards cost."""
    best, declaring = max(values.values()), play.turn.side is play.contract.side
    won = play.tricks_won(play.contract.side)
    left = 13 - won - play.tricks_won(play.contract.side.other)
    needed = play.contract.tricks_needed

    def makes(taken: int) -> bool:
        return won + (taken if declaring else left - taken) >= needed

    theirs = record.cards[len(play.cards)]
    row: Row = {"trick": len(play.cards) // 4 + 1, "lead": not play.trick.cards}
    for who, card in (("theirs", theirs), ("ours", ours)):
        row[who] = best - values[card]
        row[f"{who}_flips"] = makes(best) != makes(values[card])
    return row


def main(words: list[str]) -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--set", choices=FILES, default="wbridge5")
    parser.add_argument("--role", choices=ROLES, nargs="*", default=ROLES)
    parser.add_argument("--positions", type=int, default=200, help="of each role")
    parser.add_argument("--player", default="borel:seconds=0.5")
    parser.add_argument("--systems", default="sayc")
    given = parser.parse_args(words)
    rows = done(given.out)
    known = {(row["record"], row["card"]) for row in rows}
    count = Counter(row["role"] for row in rows)
    player, systems = card_player(given.player), Systems(given.systems, given.systems)
    for role, number, k, record, play in positions(given.set, given.role, given.seed):
        if all(count[role] >= given.positions for role in given.role):
            break
        if (number, k) in known or count[role] >= given.positions:
            continue
        values, card = dd.card_values(play), record.cards[k]
        if len(set(values.values())) > 1:  # else no card can be a mistake, and the player need not be asked
            view, random = view_of(record, play, systems), Random(f"{given.seed}/{number}/{k}")
            imagine(view, view.known_play(), 8, rng=random)  # the auction is heard before cards are played
            with processor_time():
                card = player.decide(view, rng=random).choice
        row = {"role": role, "record": number, "card": k, **judge(play, record, values, card)}
        count[role] += 1
        rows.append(row)
        note(given.out, row)
    for role in given.role:
        show([row for row in rows if row["role"] == role], f"{given.player} as {role} on positions of {given.set}")


def mean(values: list[float], groups: list[int] | None = None) -> tuple[float, float]:
    """The mean with half its 95% interval; values of one group (a board) may depend on one another."""
    n = len(values)
    if n < 2:
        return (values[0] if values else 0.0), float("inf")
    middle = sum(values) / n
    sums = defaultdict[int, float](float)
    for value, group in zip(values, groups if groups is not None else range(n), strict=True):
        sums[group] += value - middle
    m = len(sums)
    return middle, 1.96 * sqrt(sum(v**2 for v in sums.values()) * m / max(1, m - 1)) / n


def show(rows: list[Row], title: str) -> None:
    print(f"{title}: {len(rows)} positions; tricks lost a card and contracts thrown (95%)")
    groups = [("all", rows), ("opening lead", [r for r in rows if r["card"] == 0])]
    groups += [(f"trick {t}", [r for r in rows if r["trick"] == t]) for t in range(1, 13)]
    for name, some in groups:
        if not some:
            continue
        boards, parts = [r["record"] for r in some], []
        for who in ("ours", "theirs"):
            cost = mean([r[who] for r in some], boards)
            flips = mean([float(r[f"{who}_flips"]) for r in some], boards)
            parts.append(f"{who} {cost[0]:.4f} ± {cost[1]:.4f}, {flips[0]:.2%} ± {flips[1]:.2%}")
        saved = mean([r["theirs"] - r["ours"] for r in some], boards)
        kept = mean([float(r["theirs_flips"]) - float(r["ours_flips"]) for r in some], boards)
        parts.append(f"saved {saved[0]:+.4f} ± {saved[1]:.4f}, {kept[0]:+.2%} ± {kept[1]:.2%}")
        print(f"{name:>13} ({len(some):5}): " + "; ".join(parts))


def samples(words: list[str]) -> None:
    """Sample sizes of 50, 100 and 500, or other players, compared on the same positions from the third trick on."""
    parser = arguments(samples.__doc__ or "")
    parser.add_argument("--set", choices=FILES, default="wbridge5")
    parser.add_argument("--positions", type=int, default=60, help="of each role")
    parser.add_argument("--players", nargs="*", default=[f"monte_carlo:layouts={size}" for size in (50, 100, 500)])
    given = parser.parse_args(words)
    rows, players = done(given.out), {spec: card_player(spec) for spec in given.players}
    known = {(row["record"], row["card"]) for row in rows}
    count = Counter(row["role"] for row in rows)
    for role, number, k, record, play in positions(given.set, ROLES, given.seed):
        if all(count[role] >= given.positions for role in ROLES):
            break
        if k < 8 or count[role] >= given.positions or (number, k) in known:
            continue  # five hundred whole deals take minutes
        view, row = view_of(record, play, Systems("sayc", "sayc")), {"role": role, "record": number, "card": k}
        values = dd.card_values(play)
        for spec, player in players.items():
            if len(set(values.values())) == 1:
                row[spec] = 0
                continue
            with processor_time():
                choice = player.decide(view, rng=Random(f"{number}/{k}")).choice
            row[spec] = judge(play, record, values, choice)["ours"]
        count[role] += 1
        rows.append(row)
        note(given.out, row)
    for role in ROLES:
        some = [row for row in rows if row["role"] == role]
        for spec in players:
            cost = mean([float(row[spec]) for row in some], [row["record"] for row in some])
            print(f"{role}, {spec}: {cost[0]:.4f} ± {cost[1]:.4f} tricks a card over {len(some)} positions")
