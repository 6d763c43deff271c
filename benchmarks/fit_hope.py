"""How often layouts are really won after a card of the planning declarer's (`HOPE` in cardplay/achievable.py).

A plan has the layouts that it wins against every defence; others are won only with every guess right. Points at which
there are both kinds are taken from close contracts played against defenders who see all cards, and the play goes on
from there in one layout of the plan and in two others: how often is each kind made? Their ratio is the hope.

    python benchmarks/fit_hope.py --points 60 --out FILE
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random

from borel import Card, Deal, Play, _core, dd
from borel.cardplay import achievable
from borel.cardplay.achievable import Plan
from borel.cardplay.hidden import HiddenHands
from borel.cardplay.worth import CardWorth, equals_of
from borel.clock import processor_time
from borel.decision import Decision
from borel.policies.spec import card_player
from borel.view import PlayView
from card_play_declarers import AllSeeing, Duel, close_contract
from card_play_mistakes import Row, arguments, done, mean, note

KINDS = {"plan": 1, "hope": 2}  # layouts of each kind that a point is played on in
Seen = tuple[Play, HiddenHands, Plan, Card]


class Watched:
    """The planning declarer, with the plan of each choice kept beside it."""

    def __init__(self, spec: str) -> None:
        self.player = card_player(spec)
        self.plans: list[Seen] = []
        self.decide_plainly = achievable._decide
        achievable._decide = self.keep

    def keep(
        self, view: PlayView, play: Play, hidden: HiddenHands, plans: list[Plan], worths: dict[Card, CardWorth],
        chosen: Card,
    ) -> Decision[Card]:  # fmt: skip
        plan = next(plan for plan in plans if equals_of(play, plan.card) & chosen.mask)
        self.plans.append((play, hidden, plan, chosen))
        return self.decide_plainly(view, play, hidden, plans, worths, chosen)


def duels(seed: int) -> Iterator[Duel]:
    """Close contracts, as in `card_play.py declarers`."""
    for number in range(1, sys.maxsize):
        deal = Deal.of_masks(tuple(_core.deal(1, seed * 1_000_003 + number)[0].tolist()))
        if (contract := close_contract(deal, Random(f"{seed}/{number}"))) is not None:
            yield Duel(number, deal, contract, {}, AllSeeing())


def played_on(duel: Duel, declarer: Watched, point: Seen, random: Random) -> list[Row]:
    """One point: whether layouts of both kinds are made when the play goes on in them."""
    play, hidden, plan, card = point
    count, rows = dict.fromkeys(KINDS, 0), []
    for i in random.sample(range(len(hidden)), len(hidden)):
        deal = Deal.of_masks(tuple(hidden.hands[i].tolist()))
        after = Play(deal, duel.contract, play.cards).after(card)
        kind = "plan" if i in plan.won else "hope"
        if count[kind] == KINDS[kind] or (kind == "hope" and not makes(after)):
            continue
        count[kind] += 1
        taken = Duel(duel.number, deal, duel.contract, {}, AllSeeing()).play_on(after, declarer.player)
        made = taken >= duel.contract.tricks_needed
        rows.append({"deal": duel.number, "card": len(play.cards), "kind": kind, "made": made})
    return rows


def makes(play: Play) -> bool:
    """Whether the contract is made double dummy."""
    won, lost = (play.tricks_won(side) for side in (play.contract.side, play.contract.side.other))
    taken = dd.solve(play) if won + lost < 13 else 0
    mine = taken if play.turn.side is play.contract.side else 13 - won - lost - taken
    return won + mine >= play.contract.tricks_needed


def main(words: list[str]) -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--points", type=int, default=60)
    parser.add_argument("--player", default="achievable:seconds=0.2")
    given = parser.parse_args(words)
    rows, declarer = done(given.out), Watched(given.player)
    known = {row["deal"] for row in rows}
    with processor_time():
        for duel in duels(given.seed):
            if len({(row["deal"], row["card"]) for row in rows}) >= given.points:
                break
            if duel.number in known:
                continue
            declarer.plans.clear()
            duel.play_on(duel.start, declarer.player)
            points = [p for p in declarer.plans if p[2].double_dummy > p[2].chance + 1e-6]
            random = Random(f"{given.seed}/{duel.number}")
            for point in random.sample(points, min(2, len(points))):
                for row in played_on(duel, declarer, point, random):
                    rows.append(row)
                    note(given.out, row)
    for kind in KINDS:
        some = [row for row in rows if row["kind"] == kind]
        share, half = mean([float(row["made"]) for row in some], [row["deal"] for row in some])
        print(f"{kind}: {share:.0%} ± {half:.0%} of {len(some)} layouts made")


if __name__ == "__main__":
    main(sys.argv[1:])
