"""What tricks are worth: from double-dummy values of every card to the score that a player cares about.

Layouts are solved in batches that grow, so that there is an answer whenever time runs out, and all that was solved
counts. Cards that cannot catch up any more are dropped, and then only the others are solved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from borel.cardplay.clock import Clock
from borel.cardplay.hidden import HiddenHands
from borel.cardplay.solving import card_tricks, declarer_tricks
from borel.cards import Card
from borel.play import Play
from borel.scoring import Scoring, imps, score
from borel.view import PlayView

__all__ = ["ENOUGH", "CardWorth", "Outlook", "card_worths", "look_ahead"]

FIRST_BATCH = 8
ENOUGH = 16  # layouts: with fewer a plan fits the sample and nothing else
HOPELESS = 3.5  # standard errors of the paired difference: a card so far behind is dropped
DOUBT = 0.5  # of the spread of all results, which the difference of two cards may have though it has not shown it
FEW = 3  # cards left at which they are solved one by one rather than all legal ones at once


@dataclass(frozen=True, slots=True)
class CardWorth:
    """One legal card over all layouts, every later card being guessed right."""

    card: Card
    gain: float  # in the form of scoring, against the mean of all cards
    success: float  # how often the contract is made (for a defender: beaten)
    tricks: float  # that the player's side still takes, on average
    error: float = 0.0  # standard error of the difference from the best card


@dataclass(frozen=True, slots=True)
class Outlook:
    """Declarer's tricks in all after each legal card, double dummy: int64[n, cards], -1 where it was not solved."""

    cards: tuple[Card, ...]
    tricks: NDArray[np.int64]
    hidden: HiddenHands  # the layouts that were solved

    def column(self, card: Card) -> NDArray[np.int64]:
        """One card's results."""
        return self.tricks[:, self.cards.index(card)]


def look_ahead(
    view: PlayView,
    play: Play,
    hidden: HiddenHands,
    *,
    clock: Clock | None = None,
    threads: int = 0,
    drop: bool = True,
    share: float = 1.0,
) -> Outlook:
    """Solve layout after layout until all are done or time is over; at least one is solved.

    Only a ``share`` of the time is taken once there are enough layouts to look at more closely.
    """
    clock, legal = clock or Clock(None), play.legal_cards()
    shared = clock.part(share)
    tricks = np.full((len(hidden), len(legal)), -1, np.int64)
    racing = np.ones(len(legal), bool)
    done, size = 0, FIRST_BATCH
    while done < len(hidden) and racing.any():
        limit = shared if done >= ENOUGH else clock
        if done and limit.is_over():
            break
        rows = slice(done, min(done + size, len(hidden)))
        solved, whole = _solve(play, hidden.held[rows], legal, racing, limit, threads, needed=not done)
        tricks[done : done + len(solved)] = solved
        done += len(solved)
        if not whole:
            break
        size = size * 2 if done >= ENOUGH else ENOUGH - done
        if drop and done < len(hidden):
            racing &= ~_hopeless(view, play, Outlook(legal, tricks[:done], hidden.rows(np.arange(done))), racing)
            if _alike(play, legal, racing):
                break
    return Outlook(legal, tricks[:done], hidden.rows(np.arange(done)))


def _solve(
    play: Play,
    held: NDArray[np.uint64],
    legal: tuple[Card, ...],
    racing: NDArray[np.bool_],
    clock: Clock,
    threads: int,
    *,
    needed: bool,
) -> tuple[NDArray[np.int64], bool]:
    """Declarer's tricks for the cards still racing, in the layouts that time allowed; and whether that was all."""
    won, lost = (play.tricks_won(side) for side in (play.contract.side, play.contract.side.other))
    declaring, left = play.turn.side is play.contract.side, 13 - won - lost
    if racing.sum() <= FEW and len(legal) > FEW:
        return _solve_few(play, held, legal, racing, clock, threads)
    values, done = card_tricks(play, held, clock, threads)
    if not done and needed:  # one layout is solved whatever it takes: an answer there must be
        values, done = card_tricks(play, held[:1], Clock(None), threads)
    taken = values[:done, [card.index for card in legal]].astype(np.int64)
    return won + (taken if declaring else left - taken), done == len(held)


def _solve_few(
    play: Play, held: NDArray[np.uint64], legal: tuple[Card, ...], racing: NDArray[np.bool_], clock: Clock, threads: int
) -> tuple[NDArray[np.int64], bool]:
    """The same, a few cards at a time: each is played, and the position after it solved once.

    A few layouts at a time as well, so that little is lost when time runs out before the last card's turn.
    """
    tricks = np.full((len(held), len(legal)), -1, np.int64)
    for first in range(0, len(held), FIRST_BATCH):
        rows = slice(first, first + FIRST_BATCH)
        for i in np.flatnonzero(racing):
            rest = np.ascontiguousarray(held[rows] & ~np.uint64(legal[i].mask))
            tricks[rows, i], done = declarer_tricks(play.after(legal[i]), rest, clock, threads)
            if done < len(rest):
                return tricks[:first], False
    return tricks, True


def _hopeless(view: PlayView, play: Play, outlook: Outlook, racing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cards that are surely behind the best: they have lost in most layouts, or by much in some.

    A few layouts that agree prove little: half the spread of all results is added to the spread that was seen.
    """
    gains = gains_of(view, play, outlook)
    means = np.where(racing, outlook.hidden.weights @ gains, -np.inf)
    ahead = gains[:, [int(np.argmax(means))]] - gains
    mean = outlook.hidden.weights @ ahead
    squares = outlook.hidden.weights**2
    doubt = DOUBT * float(gains[:, racing].std())
    spread = np.sqrt(squares @ (ahead - mean) ** 2 + squares.sum() * doubt**2)
    behind: NDArray[np.bool_] = (mean > HOPELESS * spread) & (mean > 0.5) & racing
    return behind


def _alike(play: Play, legal: tuple[Card, ...], racing: NDArray[np.bool_]) -> bool:
    """Whether all cards still racing are equal."""
    return len({equals_of(play, card) for card, still in zip(legal, racing, strict=True) if still}) == 1


def equals_of(play: Play, card: Card) -> int:
    """A card and its equals as a set: held by the same hand, with nothing but played cards between."""
    mine = play.held(play.turn).suit_mask(card.suit)
    gone = 0
    on_table = {c.rank for c in play.trick.cards if c.suit is card.suit}
    for played in play.cards:
        if played.suit is card.suit and played.rank not in on_table:
            gone |= 1 << played.rank
    rank, found = int(card.rank), 0
    for step in (1, -1):
        at = rank
        while 0 <= at <= 12 and (mine | gone) >> at & 1:
            found |= mine & 1 << at
            at += step
    return found << 13 * card.suit


def gains_of(view: PlayView, play: Play, outlook: Outlook) -> NDArray[np.float64]:
    """[n, cards]: the worth of each result to the side that plays the card, in the form of scoring."""
    sign = 1 if play.turn.side is view.contract.side else -1
    points = _worth_of_tricks(view)
    known = np.maximum(outlook.tricks, 0)
    if view.scoring is Scoring.MATCHPOINTS:
        results = points[known]
        beaten = (results[:, :, None] > results[:, None, :]).mean(axis=2)
        level = (results[:, :, None] == results[:, None, :]).mean(axis=2)
        return np.asarray(sign * 100 * (beaten + level / 2 - 0.5) + 0.01 * sign * known)
    if view.scoring is Scoring.TOTAL:
        return np.asarray(sign * points[known])
    datum = float(outlook.hidden.weights @ points[known].mean(axis=1))
    return np.asarray(sign * smooth_imps(points - datum)[known])


def smooth_imps(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """IMPs without their steps: what a swing is worth when the other table's result is not known to the point.

    With whole IMPs an overtrick of 20 or 30 points would often count nothing, and be thrown away.

    >>> smooth_imps(np.array([-30.0, 0.0, 100.0, 30.0])).round(2).tolist()
    [-0.86, 0.0, 2.75, 0.86]
    """
    return np.asarray(np.sign(points) * np.interp(np.abs(points), _MIDDLES, np.arange(len(_MIDDLES))))


_SWINGS = [next(points for points in range(0, 4010, 10) if imps(points) == count) for count in range(25)]
_MIDDLES = [0.0] + [(low + high) / 2 for low, high in zip(_SWINGS[1:], [*_SWINGS[2:], 4500], strict=True)]


def card_worths(view: PlayView, play: Play, outlook: Outlook) -> dict[Card, CardWorth]:
    """Every legal card with its mean worth; the best comes first, of equals the lowest.

    A card that was dropped is judged by the layouts on which it was still in the race.
    """
    gains, weights = gains_of(view, play, outlook), outlook.hidden.weights
    declaring = play.turn.side is view.contract.side
    left = 13 - sum(play.tricks_won(side) for side in (view.contract.side, view.contract.side.other))
    won = play.tricks_won(view.contract.side)
    whole = (outlook.tricks >= 0).all(axis=0)
    best = int(np.argmax(np.where(whole, weights @ gains, -np.inf)))
    worths = []
    for i, card in enumerate(outlook.cards):
        rows = outlook.tricks[:, i] >= 0
        w = weights[rows] / weights[rows].sum()
        ahead = (gains[rows, i] - gains[rows, best]).astype(float)
        behind = float(w @ ahead)
        tricks = outlook.tricks[rows, i]
        made = tricks >= view.contract.tricks_needed
        mine = tricks - won if declaring else left - (tricks - won)
        worths.append(
            CardWorth(
                card,
                float(weights @ gains[:, best]) + behind,
                float(w[made if declaring else ~made].sum()),
                float(w @ mine),
                float(np.sqrt(w**2 @ (ahead - behind) ** 2)),
            )
        )
    worths.sort(key=lambda x: (-round(x.gain, 6), x.card.rank, x.card.suit))
    return {x.card: x for x in worths}


def with_bonus(worths: dict[Card, CardWorth], bonus: dict[Card, float]) -> dict[Card, CardWorth]:
    """Something added to the gain of some cards, and ranked again."""
    changed = [replace(w, gain=w.gain + bonus.get(w.card, 0.0)) for w in worths.values()]
    changed.sort(key=lambda x: (-round(x.gain, 6), x.card.rank, x.card.suit))
    return {x.card: x for x in changed}


def _worth_of_tricks(view: PlayView) -> NDArray[np.float64]:
    """Declarer's points for 0 to 13 tricks."""
    vulnerable = view.vulnerability.includes(view.contract.side)
    return np.array([score(view.contract, tricks, vulnerable=vulnerable) for tricks in range(14)], float)
