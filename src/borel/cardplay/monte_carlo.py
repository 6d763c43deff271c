"""Monte Carlo card play (Ginsberg 2001, Algorithm 3.0.1).

Deal the hidden cards many times in agreement with the auction and the play, weight the layouts by what the cards played
say, solve each double dummy for every legal card, and play the best on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel.cardplay.agreements import STANDARD, Agreements
from borel.cardplay.belief import DOUBT
from borel.cardplay.choice import choose, lead_bonus
from borel.cardplay.claims import Thinker
from borel.cardplay.clock import Clock
from borel.cardplay.habits import read_habits
from borel.cardplay.hidden import REVOKE, HiddenHands, imagine
from borel.cardplay.reading import read_play
from borel.cardplay.signals import read_lead, read_signals
from borel.cardplay.worth import CardWorth, Outlook, card_worths, look_ahead, with_bonus
from borel.cards import Card
from borel.decision import Candidate, Decision
from borel.play import Play
from borel.view import PlayView

__all__ = ["MonteCarlo", "decision_of", "imagined"]

# How far a defender reads an opening lead by the book, and how much less likely a card is where it gives a trick away:
# from where the unseen cards were (benchmarks/lead_bank.py). Less than MISTAKE, which is of cards with all
# others in view: people play for what they think is there, and a card may cost nothing whatever else was played.
BY_THE_BOOK, NO_MISTAKE = 0.7, 0.4
# The same for cards by habit (benchmarks/fit_habits.py --read): less than they say, for cards of one player are alike.
BY_HABIT = 0.8
POOL = 3  # layouts dealt for each one that is solved: the likeliest leads, signals and plays are chosen from them


@dataclass(frozen=True, slots=True)
class MonteCarlo(Thinker):
    """A card player that averages over so many layouts of the hidden cards.

    Without ``seconds`` all layouts are solved, and the same seed plays the same card. ``reads`` says whether leads,
    signals and mistakes not made are evidence.
    """

    layouts: int = 50
    seconds: float | None = None
    threads: int = 0
    reads: bool = True
    agreements: Agreements = STANDARD

    def think(self, view: PlayView, play: Play, *, rng: Random) -> Decision[Card]:
        """Play the card with the best mean score over the layouts; of equals, the one that says or costs least."""
        clock = Clock(self.seconds)
        hidden = self.imagine(view, play, clock, rng=rng)
        outlook = look_ahead(view, play, hidden, clock=clock, threads=self.threads)
        worths = card_worths(view, play, outlook)
        worths = with_bonus(worths, lead_bonus(view, play, worths, self.agreements))
        return decision_of(view, play, worths, outlook, self.agreements)

    def imagine(self, view: PlayView, play: Play, clock: Clock, *, rng: Random) -> HiddenHands:
        """The layouts that this player believes in."""
        return imagined(
            view, play, self.layouts, clock=clock, agreements=self.agreements if self.reads else None, rng=rng
        )


def imagined(
    view: PlayView, play: Play, layouts: int, *, clock: Clock, agreements: Agreements | None, rng: Random
) -> HiddenHands:
    """Layouts consistent with auction and play; with agreements, weighted by leads, signals and mistakes not made."""
    pool = POOL * layouts if agreements and play.cards else layouts  # before the opening lead there is nothing to read
    hidden = imagine(view, play, pool, clock=clock, rng=rng)
    if agreements is None or hidden.note == REVOKE:
        return hidden.trimmed(layouts, rng)
    lead, signals = read_lead(view, play, hidden, agreements), read_signals(view, play, hidden, agreements)
    if view.seat.side is view.contract.side:
        return read_play(view, play, hidden.weighted(lead * signals), layouts, clock, rng=rng)
    told = lead**BY_THE_BOOK * hedged(hidden, signals) * read_habits(view, play, hidden) ** BY_HABIT
    return read_play(view, play, hidden.weighted(told), layouts, clock, rng=rng, mistake=NO_MISTAKE)


def hedged(hidden: HiddenHands, factors: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a partner's cards say by the agreements, if he has them; he may have others, as with his calls."""
    return np.asarray((1 - DOUBT) * factors / (hidden.weights @ factors) + DOUBT)


def decision_of(
    view: PlayView, play: Play, worths: dict[Card, CardWorth], outlook: Outlook, agreements: Agreements
) -> Decision[Card]:
    """The best card with its reason, and the others."""
    aim = "makes" if play.turn.side is view.contract.side else "beats"
    chosen, role = choose(view, play, worths, agreements)
    best, layouts = worths[chosen], len(outlook.hidden)
    noun = "layout" if layouts == 1 else "layouts"
    why = f"{aim} the contract on {best.success:.0%} of {layouts} {noun}, {best.tricks:.1f} tricks to come"
    extras = [text for text in (role, outlook.hidden.note) if text]
    ranked = sorted(worths.values(), key=lambda w: w.card != chosen)
    candidates = tuple(
        Candidate(w.card, w.gain, f"{aim} on {w.success:.0%}, {w.tricks:.1f} tricks", w.success) for w in ranked
    )
    return Decision(chosen, "; ".join([why, *extras]), candidates=candidates)
