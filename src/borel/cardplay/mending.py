"""A record of the play with a revoke in it, mended: the nearest one that is legal.

Who failed to follow and played the suit later is taken to have played the two cards the other way round. Of a hand that
is seen, and that has not followed since, another card is taken to have been played, its lowest of the suit led; the one
that it discarded stands for that. Both only if every trick keeps its winner; where neither will do, the lowest card is
played. The Laws adjust the tricks (Law 64); a card player only needs to go on from somewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from borel.cards import Card, Hand, Seat, Suit
from borel.decision import Decision
from borel.errors import BridgeError, IllegalCardError
from borel.play import Play
from borel.view import PlayView, played_by

__all__ = ["Mended", "lowest_card", "mended"]

MOST_REVOKES = 4


@dataclass(frozen=True, slots=True)
class Mended:
    """A view with a legal play, what was wrong with the one given, and which cards stand for others in it."""

    view: PlayView
    wrong: str = ""
    stands_for: tuple[tuple[Card, Card], ...] = ()

    def told(self, decision: Decision[Card], given: PlayView) -> Decision[Card]:
        """The decision as one of the play that was given: with a card that is really held, and may be played."""
        if not self.wrong:
            return decision
        why = f"{decision.why}; {self.wrong}"
        if not self.stands_for:
            return replace(decision, why=why)
        card = dict(self.stands_for).get(decision.choice, decision.choice)
        legal = _really_legal(given)
        return Decision(card if card in legal else min(legal, key=lambda one: one.rank), why, decision.meaning)


def mended(view: PlayView) -> Mended:
    """The view with a legal play, and what was wrong with it; a play that cannot be mended raises as it is."""
    found = Mended(view)
    for _ in range(MOST_REVOKES):
        try:
            found.view.known_play()
        except IllegalCardError as error:
            better = _followed_later(found.view) or _followed_at_once(found.view)
            if better is None:
                raise
            wrong = "; ".join(filter(None, (found.wrong, str(error))))
            found = Mended(better.view, wrong, (*found.stands_for, *better.stands_for))
        else:
            break
    found.view.known_play()
    return found


def lowest_card(view: PlayView, error: IllegalCardError) -> Decision[Card]:
    """After a revoke that no legal play is like, such as one that won its trick: the lowest card that may be played."""
    legal = _really_legal(view)
    if not legal or _first_revoke(view) is None:
        raise error
    lowest = min(legal, key=lambda card: (card.rank, card.suit))
    return Decision(lowest, f"the lowest card, for no legal play is like the one that was recorded: {error}")


def _followed_later(view: PlayView) -> Mended | None:
    """With the first revoke exchanged for the next card of the suit led by the same hand."""
    if (revoke := _first_revoke(view)) is None:
        return None
    first, led = revoke
    cards, seats = view.played, played_by(view.contract, view.played)
    for later in range(first + 1, len(cards)):
        if seats[later] is seats[first] and cards[later].suit is led:
            changed = list(cards)
            changed[first], changed[later] = changed[later], changed[first]
            return _with(view, changed)
    return None


def _followed_at_once(view: PlayView) -> Mended | None:
    """With the lowest card of the suit led that a hand still holds, one that is seen, in the place of its revoke."""
    if (revoke := _first_revoke(view)) is None:
        return None
    first, led = revoke
    could = [card for card in _left(view, played_by(view.contract, view.played)[first]) if card.suit is led]
    if not could:
        return None
    lowest, changed = min(could, key=lambda card: card.rank), list(view.played)
    revoked, changed[first] = changed[first], lowest
    return _with(view, changed, ((revoked, lowest),))


def _with(view: PlayView, played: list[Card], stands_for: tuple[tuple[Card, Card], ...] = ()) -> Mended | None:
    """The view with other cards played, if everybody led and won as before, the last trick included."""
    other = replace(view, played=tuple(played))
    same = played_by(view.contract, other.played) == played_by(view.contract, view.played) and other.turn is view.turn
    return Mended(other, "", stands_for) if same else None


def _seen(view: PlayView, seat: Seat) -> Hand | None:
    """The thirteen cards of a seat, if it is the player's own or dummy's."""
    if seat is view.seat:
        return view.hand
    return view.dummy if seat is view.contract.dummy else None


def _left(view: PlayView, seat: Seat) -> list[Card]:
    """The cards that a hand which is seen has not played."""
    hand = _seen(view, seat)
    return [] if hand is None else [card for card in hand if card not in view.played]


def _really_legal(view: PlayView) -> list[Card]:
    """The cards that may be played now, whatever was done before (Law 44C)."""
    held, trick = _left(view, view.turn), view.played[len(view.played) - len(view.played) % 4 :]
    return [card for card in held if trick and card.suit is trick[0].suit] or held


def _first_revoke(view: PlayView) -> tuple[int, Suit] | None:
    """Where the first card is that is not legal, and the suit that was led; None where it is a lead."""
    first = _first_illegal(view)
    return None if first is None or first % 4 == 0 else (first, view.played[first - first % 4].suit)


def _first_illegal(view: PlayView) -> int | None:
    deal = view.visible_deal()
    play = Play(deal, view.contract)
    for position, card in enumerate(view.played):
        try:
            play = play.after(card)
        except BridgeError:
            return position
    return None
