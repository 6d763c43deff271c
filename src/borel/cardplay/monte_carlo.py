"""Monte Carlo card play (Ginsberg 2001, Algorithm 3.0.1).

Deal the hidden cards many times, solve each layout double dummy for every legal card, and play the best on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from borel.cardplay.hidden import imagine
from borel.cardplay.worth import CardWorth, card_worths
from borel.cards import Card
from borel.decision import Candidate, Decision
from borel.view import PlayView

__all__ = ["MonteCarlo", "decision_of"]


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
        hidden = imagine(view, play, self.layouts, rng=rng)
        worths = card_worths(view, play, hidden, threads=self.threads)
        return decision_of(view, list(worths.values()), len(hidden))


def decision_of(view: PlayView, ranked: list[CardWorth], layouts: int) -> Decision[Card]:
    """The first of the ranked cards, with the reason and the others."""
    aim = "makes" if view.turn.side is view.contract.side else "beats"
    best = ranked[0]
    why = f"{aim} the contract on {best.success:.0%} of {layouts} layouts, {best.tricks:.1f} tricks to come"
    candidates = tuple(Candidate(w.card, w.gain, f"{aim} on {w.success:.0%}") for w in ranked)
    return Decision(best.card, why, candidates=candidates)
