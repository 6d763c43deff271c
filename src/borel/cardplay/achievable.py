"""Declarer by achievable sets and squeaky-wheel ordering (Ginsberg 2001, section 7).

A plan is judged by the layouts in which it wins against every defence, not by guesses that will have to be made later:
what cannot be catered for together is not counted together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import numpy as np

from borel import _core
from borel.cardplay.agreements import STANDARD, Agreements
from borel.cardplay.choice import choose, lead_bonus
from borel.cardplay.claims import Thinker
from borel.cardplay.clock import Clock
from borel.cardplay.hidden import HiddenHands
from borel.cardplay.monte_carlo import decision_of, imagined
from borel.cardplay.reasons import caters_to
from borel.cardplay.worth import ENOUGH, CardWorth, Outlook, card_worths, equals_of, look_ahead, with_bonus
from borel.cards import Card
from borel.decision import Candidate, Decision
from borel.errors import BridgeError
from borel.play import Play
from borel.view import PlayView

__all__ = ["AchievableSets", "Plan", "best_plans"]

MOST_LAYOUTS = 200  # the search of the core holds 256, and a sample is of about as many as are asked for
NODES = 4_000  # of the search at each depth, where no clock ends it
# How often a layout that is won with every guess right, but by no plan, is really won, against one of the plan:
# 26 of 59 against 30 of 39 in all, 6 of 17 against 10 of 12 with the search as it is (benchmarks/fit_hope.py).
HOPE = 0.5
AVERAGING = 0.7  # of the time, at most, until the averages are known
PLANNING = 0.9  # and until the search ends: what it has learnt takes a moment to be given back


@dataclass(frozen=True, slots=True)
class Plan:
    """What one card can play for: the chance of the best plan, and what it would be if every guess were right."""

    card: Card
    chance: float
    double_dummy: float
    won: tuple[int, ...]  # numbers of the layouts


@dataclass(frozen=True, slots=True)
class AchievableSets(Thinker):
    """A card player that plans as declarer, and averages as a defender.

    ``seconds`` is for the whole decision; a plan is looked for in what dealing and averaging leave of it. Without, the
    search ends at ``depth`` choices of declarer's own, and the same seed plays the same card. ``spare`` layouts are not
    averaged: a plan takes them in when they are like those it was made for (Algorithm 7.1.7).
    """

    layouts: int = 100
    depth: int = 24
    seconds: float | None = 1.0
    threads: int = 0
    reads: bool = True
    agreements: Agreements = STANDARD
    spare: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.layouts <= MOST_LAYOUTS - max(self.spare, 0) or self.spare < 0:
            raise BridgeError(f"achievable sets have 1 to {MOST_LAYOUTS} layouts, spare ones included")

    def think(self, view: PlayView, play: Play, *, rng: Random) -> Decision[Card]:
        """As declarer the card that begins the best plan for the contract; of equals, the best on average."""
        clock = Clock(self.seconds)
        declaring = play.turn.side is view.contract.side
        agreements = self.agreements if self.reads else None
        spare = self.spare if declaring else 0
        dealt = imagined(view, play, self.layouts + spare, clock=clock, agreements=agreements, rng=rng)
        hidden = dealt.rows(np.arange(max(1, len(dealt) - spare))) if spare else dealt
        share = AVERAGING if declaring else 1.0
        outlook = look_ahead(view, play, hidden, clock=clock, threads=self.threads, share=share)
        worths = card_worths(view, play, outlook)
        worths = with_bonus(worths, lead_bonus(view, play, worths, self.agreements))
        needed = view.contract.tricks_needed - play.tricks_won(view.contract.side)
        hopeless = not any(worth.success for worth in worths.values())
        if not declaring or needed <= 0 or hopeless or len(outlook.hidden) < ENOUGH or clock.is_over():
            return decision_of(view, play, worths, outlook, self.agreements)
        try:
            extra = dealt.rows(np.arange(len(hidden), len(dealt))) if len(hidden) < len(dealt) else None
            plans = best_plans(view, play, outlook, needed, depth=self.depth, clock=clock, spare=extra)
        except TimeoutError:  # a crowded machine: what the averages say still stands
            return decision_of(view, play, worths, outlook, self.agreements)
        worths = between(card_worths(view, play, as_planned(view, play, outlook, plans)), worths)
        return _decide(view, play, outlook.hidden, plans, worths, choose(view, play, worths, self.agreements)[0])


def best_plans(
    view: PlayView,
    play: Play,
    outlook: Outlook,
    needed: int,
    *,
    depth: int,
    clock: Clock,
    spare: HiddenHands | None = None,
) -> list[Plan]:
    """The best plan for each of declarer's cards, best first; one of each run of equal cards."""
    declarer, trick, hidden = view.contract.declarer, play.trick, outlook.hidden
    held, weights = hidden.held, hidden.weights
    if spare is not None:
        held = np.concatenate([held, spare.held])
        weights = np.concatenate([weights * len(hidden), spare.weights * len(spare)]) / len(held)
    unseen = int(held[0, declarer.lho] | held[0, declarer.rho])
    plans, _, _ = _core.squeaky_wheel(
        int(declarer),
        [int(held[0, declarer]), int(held[0, declarer.partner])],
        unseen,
        int(play.strain),
        int(trick.leader),
        [card.index for card in trick.cards],
        needed,
        np.ascontiguousarray(held[:, declarer.lho]),
        weights,
        depth=depth,
        spare=len(held) - len(hidden),
        known=[] if spare else _winners(view, outlook),
        node_limit=NODES if clock.seconds is None else 0,
        seconds=clock.left(PLANNING),
    )
    dropped = _dropped(view, outlook)
    return [
        Plan(
            Card.of_index(card), weight, dropped.get(card, dd_weight),
            tuple(layout for layout in won if layout < len(hidden)),
        )
        for card, weight, dd_weight, won in plans
    ]  # fmt: skip


def _winners(view: PlayView, outlook: Outlook) -> list[tuple[int, list[int]]]:
    """For each card the layouts in which it makes the contract with all cards seen; none of a card that was dropped."""
    whole = (outlook.tricks >= 0).all(axis=0)
    makes = (outlook.tricks >= view.contract.tricks_needed) & whole
    return [(card.index, np.flatnonzero(makes[:, i]).tolist()) for i, card in enumerate(outlook.cards)]


def _dropped(view: PlayView, outlook: Outlook) -> dict[int, float]:
    """The cards that were dropped from the race, with their chance in the layouts before: no plan is looked for."""
    chances = {}
    for i, card in enumerate(outlook.cards):
        rows = outlook.tricks[:, i] >= 0
        if not rows.all():
            weights = outlook.hidden.weights[rows]
            makes = outlook.tricks[rows, i] >= view.contract.tricks_needed
            chances[card.index] = float(weights @ makes / weights.sum())
    return chances


def as_planned(view: PlayView, play: Play, outlook: Outlook, plans: list[Plan]) -> Outlook:
    """The outlook with every contract down that the best plan of a card does not make, whatever double dummy says.

    So overtricks and undertricks still count, at their price: a plan that makes one layout more may cost several.
    """
    tricks = outlook.tricks.copy()
    down = view.contract.tricks_needed - 1
    for plan in plans:
        lost = np.ones(len(tricks), bool)
        lost[list(plan.won)] = False
        for column, card in enumerate(outlook.cards):
            if equals_of(play, plan.card) & card.mask:
                tricks[lost, column] = np.minimum(tricks[lost, column], down)
    return replace(outlook, tricks=tricks)


def between(planned: dict[Card, CardWorth], averaged: dict[Card, CardWorth]) -> dict[Card, CardWorth]:
    """Each card between what its plan makes against every defence and what it makes with every guess right.

    The first is too dark, for defenders do not see all cards and declarer learns from what they play; the second is too
    bright. Where plans are level, the card that leaves more open comes first.
    """
    gains = {card: (1 - HOPE) * worth.gain + HOPE * averaged[card].gain for card, worth in planned.items()}
    mixed = [replace(planned[card], gain=gain) for card, gain in gains.items()]
    mixed.sort(key=lambda worth: (-round(worth.gain, 6), worth.card.rank, worth.card.suit))
    return {worth.card: worth for worth in mixed}


def _decide(
    view: PlayView, play: Play, hidden: HiddenHands, plans: list[Plan], worths: dict[Card, CardWorth], chosen: Card
) -> Decision[Card]:
    """The card with its plan as the reason."""
    best = next(plan for plan in plans if equals_of(play, plan.card) & chosen.mask)
    won = np.zeros(len(hidden), bool)
    won[list(best.won)] = True
    why = f"makes on {best.chance:.0%}" + caters_to(view, hidden, won)
    if best.double_dummy > best.chance + 0.5 / len(hidden):
        why += f" ({best.double_dummy:.0%} with every guess right)"
    if hidden.note:
        why += f"; {hidden.note}"
    ranked = sorted(plans, key=lambda plan: (plan is not best, -worths[plan.card].gain))
    return Decision(chosen, why, candidates=tuple(_candidate(plan, worths[plan.card]) for plan in ranked))


def _candidate(plan: Plan, worth: CardWorth) -> Candidate[Card]:
    """A card that could not come first even with every guess right was not planned for."""
    chance = f"{plan.chance:.0%}" if plan.won else f"{plan.double_dummy:.0%} at most"
    return Candidate(plan.card, worth.gain, f"{chance}; {worth.gain:+.1f} on average", plan.chance)
