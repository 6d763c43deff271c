"""Monte Carlo card play (Ginsberg 2001, Algorithm 3.0.1).

Deal the hidden cards many times, solve each layout double dummy for every legal card, and play the best on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel import _core, dd
from borel.cards import SUIT_MASK, Card, Seat
from borel.decision import Candidate, Decision
from borel.errors import ImpossibleError
from borel.play import Play
from borel.scoring import Scoring, imps, score
from borel.view import PlayView

__all__ = ["MonteCarlo", "unseen_layouts"]

Layouts = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class MonteCarlo:
    """A card player that averages over so many layouts of the hidden cards."""

    layouts: int = 50
    threads: int = 0

    def decide(self, view: PlayView, *, rng: Random) -> Decision[Card]:
        """Play the card with the best mean score over the layouts; of equals, the lowest."""
        play = view.known_play()
        legal = play.legal_cards()
        if len(legal) == 1:
            return Decision(legal[0], "the only legal card")
        layouts = unseen_layouts(view, play, self.layouts, rng)
        trick = play.trick
        positions = dd.Positions.of_layouts(layouts, play.strain, trick.leader, trick.cards)
        values = dd.card_values(positions, threads=self.threads)
        tricks = {card: values[:, card.index] for card in legal}
        return _decide(view, play, tricks)


def _decide(view: PlayView, play: Play, tricks: dict[Card, NDArray[np.int8]]) -> Decision[Card]:
    """Choose by mean score; the reason says how often the contract makes."""
    ours = play.turn.side is view.contract.side
    won = play.tricks_won(view.contract.side)
    left = 13 - won - play.tricks_won(view.contract.side.other)
    declarers = {card: won + (taken if ours else left - taken) for card, taken in tricks.items()}
    points = {card: _points(view, taken) for card, taken in declarers.items()}
    datum = float(np.mean([np.mean(p) for p in points.values()]))
    gains = {card: _gain(view.scoring, p, datum) * (1 if ours else -1) for card, p in points.items()}
    best = min(gains, key=lambda card: (-round(gains[card], 6), card.rank, card.suit))
    success = {card: _success(view, taken, ours=ours) for card, taken in declarers.items()}
    aim = "makes" if ours else "beats"
    count = len(next(iter(tricks.values())))
    why = f"{aim} the contract on {success[best]:.0%} of {count} layouts, {np.mean(tricks[best]):.1f} tricks to come"
    ranked = sorted(gains, key=lambda card: -gains[card])
    candidates = tuple(Candidate(card, gains[card], f"{aim} on {success[card]:.0%}") for card in ranked)
    return Decision(best, why, candidates=candidates)


def _points(view: PlayView, declarer_tricks: NDArray[np.int8]) -> NDArray[np.float64]:
    """Declarer's points for each number of tricks."""
    vulnerable = view.vulnerability.includes(view.contract.side)
    worth = np.array([score(view.contract, tricks, vulnerable=vulnerable) for tricks in range(14)], float)
    points: NDArray[np.float64] = worth[declarer_tricks]
    return points


def _gain(scoring: Scoring, points: NDArray[np.float64], datum: float) -> float:
    """What a card is worth in the form of scoring, against the mean of all cards."""
    if scoring is Scoring.IMPS:
        return float(np.mean([imps(p - datum) for p in points]))
    return float(np.mean(points)) - datum


def _success(view: PlayView, declarer_tricks: NDArray[np.int8], *, ours: bool) -> float:
    made = float(np.mean(declarer_tricks >= view.contract.tricks_needed))
    return made if ours else 1 - made


def unseen_layouts(view: PlayView, play: Play, count: int, rng: Random) -> Layouts:
    """Cards still held in layouts of the hidden hands, all as likely, that agree with the suits shown out."""
    predealt = play.deal.masks
    played = sum(card.mask for card in view.played)
    seed, found, first = rng.getrandbits(63), list[Layouts](), 0
    batch = 4 * count
    while sum(map(len, found)) < count:
        if first > 5_000_000:
            raise ImpossibleError(f"no layout agrees with the cards played, in {first} tries")
        hands = _core.deal(batch, seed, first, list(predealt)) & np.uint64(~played & (1 << 52) - 1)
        first, batch = first + batch, min(2 * batch, 1 << 16)
        found.append(hands[_agrees(play, hands)])
    return np.ascontiguousarray(np.concatenate(found)[:count])


def _agrees(play: Play, hands: Layouts) -> NDArray[np.bool_]:
    """Which layouts give nobody a card of a suit that they have shown out of."""
    agrees = np.ones(len(hands), bool)
    for seat in Seat:
        for suit in play.shown_out(seat):
            agrees &= hands[:, seat] & np.uint64(SUIT_MASK << 13 * suit) == 0
    return agrees
