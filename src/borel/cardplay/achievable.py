"""Declarer by achievable sets and squeaky-wheel ordering (Ginsberg 2001, section 7).

A plan is judged by the layouts in which it wins against every defence, not by guesses that will have to be made later:
what cannot be catered for together is not counted together.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

from borel import _core
from borel.cardplay.hidden import HiddenHands, imagine
from borel.cardplay.monte_carlo import decision_of
from borel.cardplay.reasons import caters_to
from borel.cardplay.worth import CardWorth, card_worths
from borel.cards import Card
from borel.decision import Candidate, Decision
from borel.play import Play
from borel.view import PlayView

__all__ = ["AchievableSets", "Plan", "best_plans"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What one card can play for: the chance of the best plan, and what it would be if every guess were right."""

    card: Card
    chance: float
    double_dummy: float
    won: tuple[int, ...]  # numbers of the layouts


@dataclass(frozen=True, slots=True)
class AchievableSets:
    """A card player that plans as declarer, and averages as a defender."""

    layouts: int = 40
    depth: int = 4
    seconds: float = 0.5
    threads: int = 0

    def decide(self, view: PlayView, *, rng: Random) -> Decision[Card]:
        """As declarer the card that begins the best plan for the contract; of equals, the best on average."""
        play = view.known_play()
        legal = play.legal_cards()
        if len(legal) == 1:
            return Decision(legal[0], "the only legal card")
        hidden = imagine(view, play, self.layouts, rng=rng)
        worths = card_worths(view, play, hidden, threads=self.threads)
        ranked = list(worths.values())
        chances = [worth.success for worth in ranked]
        if play.turn.side is not view.contract.side or max(chances) == 0 or min(chances) == 1:
            return decision_of(view, ranked, len(hidden))
        needed = view.contract.tricks_needed - play.tricks_won(view.contract.side)
        try:
            plans = best_plans(view, play, hidden, needed, depth=self.depth, seconds=self.seconds)
        except TimeoutError:  # a crowded machine: what the averages say still stands
            return decision_of(view, ranked, len(hidden))
        return _decide(view, play, hidden, plans, worths)


def best_plans(
    view: PlayView, play: Play, hidden: HiddenHands, needed: int, *, depth: int, seconds: float | None
) -> list[Plan]:
    """The best plan for each of declarer's cards, best first; one of each run of equal cards."""
    declarer, trick = view.contract.declarer, play.trick
    held = hidden.held
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
        hidden.weights,
        depth=depth,
        seconds=seconds,
    )
    return [Plan(Card.of_index(card), weight, dd_weight, tuple(won)) for card, weight, dd_weight, won in plans]


def _decide(
    view: PlayView, play: Play, hidden: HiddenHands, plans: list[Plan], worths: dict[Card, CardWorth]
) -> Decision[Card]:
    """The best chance; within half a layout of it, the best score on average."""
    margin = 0.5 / len(hidden)
    rivals = [plan for plan in plans if plan.chance >= plans[0].chance - margin]
    best = max(rivals, key=lambda plan: worths[plan.card].gain)
    won = np.zeros(len(hidden), bool)
    won[list(best.won)] = True
    why = f"makes on {best.chance:.0%}" + caters_to(view, hidden, won)
    if best.double_dummy > best.chance + margin:
        why += f" ({best.double_dummy:.0%} with every guess right)"
    candidates = tuple(
        Candidate(plan.card, plan.chance, f"{plan.chance:.0%}; {worths[plan.card].gain:+.1f} on average")
        for plan in plans
    )
    return Decision(best.card, why, candidates=candidates)
