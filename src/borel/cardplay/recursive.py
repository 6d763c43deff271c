"""Each layout seen from the other players' views (Ginsberg 2001, section 8.2).

The plain average believes that partner and declarer see all cards. Here, for the cards that come out best, the rest of
the trick and the next one are played in a few layouts by players who see only their own hands, and only then is the
position solved: a card that leaves partner a guess is worth less, one that leaves declarer a guess more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import numpy as np

from borel.cardplay.agreements import STANDARD, Agreements
from borel.cardplay.choice import lead_bonus
from borel.cardplay.claims import Thinker
from borel.cardplay.clock import Clock
from borel.cardplay.hidden import HiddenHands
from borel.cardplay.monte_carlo import MonteCarlo, decision_of, imagined
from borel.cardplay.worth import CardWorth, Outlook, card_worths, equals_of, gains_of, look_ahead, with_bonus
from borel.cards import Card
from borel.dd import solve
from borel.deal import Deal
from borel.decision import Decision
from borel.play import Play
from borel.view import PlayView

__all__ = ["Recursive"]

RIVALS = 3  # cards that are looked at from all sides
CARDS_AHEAD = 6  # played by players who see their own hands only; double dummy after that


@dataclass(frozen=True, slots=True)
class Recursive(Thinker):
    """A card player whose partner and opponents, in its imagination, see only what they see."""

    layouts: int = 20
    seconds: float | None = 2.0
    threads: int = 0
    imagined: int = 4  # layouts that each imagined player imagines
    agreements: Agreements = STANDARD

    def think(self, view: PlayView, play: Play, *, rng: Random) -> Decision[Card]:
        """The best on average, the closest rivals compared again by play from everybody's own view."""
        clock = Clock(self.seconds)
        hidden = imagined(view, play, self.layouts, clock=clock, agreements=self.agreements, rng=rng)
        half = clock.part(0.5)
        outlook = look_ahead(view, play, hidden, clock=half, threads=self.threads)
        worths = card_worths(view, play, outlook)
        worths = with_bonus(worths, lead_bonus(view, play, worths, self.agreements))
        rivals = _rivals(play, list(worths.values()))
        if len(rivals) > 1:
            worths = self._from_all_sides(view, play, outlook, worths, rivals, clock, rng)
        return decision_of(view, play, worths, outlook, self.agreements)

    def _from_all_sides(
        self,
        view: PlayView,
        play: Play,
        outlook: Outlook,
        worths: dict[Card, CardWorth],
        rivals: list[Card],
        clock: Clock,
        rng: Random,
    ) -> dict[Card, CardWorth]:
        """The rivals' worth when the next cards are played by people who do not see all hands."""
        tricks = np.full((len(outlook.hidden), len(rivals)), -1, np.int64)
        done = 0
        for row in range(len(outlook.hidden)):
            if done and clock.is_over(0.95):
                break
            for column, card in enumerate(rivals):
                tricks[row, column] = self._play_on(view, play, outlook.hidden, row, card, rng)
            done += 1
        seen = Outlook(tuple(rivals), tricks[:done], outlook.hidden.rows(np.arange(done)))
        gains = seen.hidden.weights @ gains_of(view, play, seen)
        middle = sum(worths[card].gain for card in rivals) / len(rivals) - float(gains.mean())
        changed = {
            card: replace(worths[card], gain=float(gain) + middle) for card, gain in zip(rivals, gains, strict=True)
        }
        return with_bonus({**worths, **changed}, {})

    def _play_on(self, view: PlayView, play: Play, hidden: HiddenHands, row: int, card: Card, rng: Random) -> int:
        """Declarer's tricks in one layout after this card and a few more, each chosen from its player's view."""
        n, e, s, w = (int(mask) for mask in hidden.hands[row])
        now = Play(Deal.of_masks((n, e, s, w)), view.contract, play.cards).after(card)
        other = MonteCarlo(self.imagined, threads=1, reads=False, agreements=self.agreements)
        for _ in range(CARDS_AHEAD):
            if now.is_over:
                break
            now = now.after(other.decide(_view_of(view, now), rng=rng).choice)
        won, lost = (now.tricks_won(side) for side in (view.contract.side, view.contract.side.other))
        if now.is_over:
            return won
        taken = solve(now)
        return won + (taken if now.turn.side is view.contract.side else 13 - won - lost - taken)


def _rivals(play: Play, ranked: list[CardWorth]) -> list[Card]:
    """The best few cards that are not equal, and within reach of the best."""
    found, seen = list[Card](), set[int]()
    for worth in ranked:
        group = equals_of(play, worth.card)
        if group not in seen and worth.gain >= ranked[0].gain - max(0.5, 2 * worth.error):
            seen.add(group)
            found.append(worth.card)
    return found[:RIVALS]


def _view_of(view: PlayView, play: Play) -> PlayView:
    """What the seat that plays next sees of an imagined layout; the auction is not read again, to save time."""
    contract = view.contract
    seat = contract.declarer if play.turn is contract.dummy else play.turn
    return replace(
        view, seat=seat, hand=play.deal.hand(seat), dummy=play.dummy, played=play.cards, systems=type(view.systems)()
    )
