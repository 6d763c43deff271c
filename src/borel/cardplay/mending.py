"""A record of the play with a revoke in it, mended: the nearest one that is legal.

Who failed to follow and played the suit later is taken to have played the two cards the other way round, if that leaves
every trick with its winner. The Laws adjust the tricks (Law 64); a card player only needs to go on from somewhere.
"""

from __future__ import annotations

from dataclasses import replace

from borel.cards import Card
from borel.errors import BridgeError, IllegalCardError
from borel.play import Play
from borel.view import PlayView, played_by

__all__ = ["mended"]

MOST_REVOKES = 4


def mended(view: PlayView) -> tuple[PlayView, str]:
    """The view with a legal play, and what was wrong with it; a play that cannot be mended raises as it is."""
    remarks = []
    for _ in range(MOST_REVOKES):
        try:
            view.known_play()
        except IllegalCardError as error:
            better = _exchanged(view)
            if better is None:
                raise
            remarks.append(str(error))
            view = replace(view, played=better)
        else:
            break
    view.known_play()
    return view, "; ".join(remarks)


def _exchanged(view: PlayView) -> tuple[Card, ...] | None:
    """The cards with the first revoke exchanged for the next card of the suit led by the same hand."""
    cards, seats = view.played, played_by(view.contract, view.played)
    first = _first_illegal(view)
    if first is None or first % 4 == 0:
        return None
    led = cards[first - first % 4].suit
    for later in range(first + 1, len(cards)):
        if seats[later] is seats[first] and cards[later].suit is led:
            changed = list(cards)
            changed[first], changed[later] = changed[later], changed[first]
            return tuple(changed) if played_by(view.contract, tuple(changed)) == seats else None
    return None


def _first_illegal(view: PlayView) -> int | None:
    deal = view.visible_deal()
    play = Play(deal, view.contract)
    for position, card in enumerate(view.played):
        try:
            play = play.after(card)
        except BridgeError:
            return position
    return None
