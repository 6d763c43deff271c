"""Cards that need no thought: the only legal one, one of equals, and winners to be played out."""

from __future__ import annotations

from borel.cardplay.worth import equals_of
from borel.cards import DECK, SUIT_MASK, Card
from borel.decision import Decision
from borel.play import Play
from borel.view import PlayView

__all__ = ["obvious", "top_winners", "unseen_cards"]


def obvious(view: PlayView, play: Play) -> Decision[Card] | None:
    """The card that any player would play at once, or None."""
    legal = play.legal_cards()
    if len(legal) == 1:
        return Decision(legal[0], "the only legal card")
    if len({equals_of(play, card) for card in legal}) == 1:
        return Decision(min(legal), "all cards are equal: the lowest")
    if not play.trick.cards and (winners := top_winners(view, play)) is not None:
        return Decision(winners[0], "only winners are left")
    return None


def unseen_cards(view: PlayView, play: Play) -> int:
    """The cards that opponents of the hand on play may still hold, as far as the player can see."""
    mine = play.held(view.seat).mask
    gone = sum(card.mask for card in play.cards)
    if view.seat is view.contract.declarer and view.dummy is not None:
        mine |= play.held(view.contract.dummy).mask
    return DECK & ~(mine | gone)


def top_winners(view: PlayView, play: Play) -> tuple[Card, ...] | None:
    """The cards of the hand on lead if every one of them wins a trick whatever the others hold, highest first."""
    hand, unseen = play.held(play.turn), unseen_cards(view, play)
    trumps = view.contract.strain.suit
    for card in hand:
        others = unseen >> 13 * card.suit & SUIT_MASK
        if others >> (card.rank + 1):
            return None
        if trumps is not None and card.suit is not trumps and unseen >> 13 * trumps & SUIT_MASK:
            drawn = hand.suit_mask(trumps).bit_count()
            if drawn < (unseen >> 13 * trumps & SUIT_MASK).bit_count():
                return None
    first = sorted(hand, key=lambda card: (card.suit is not trumps, -card.rank))
    return tuple(first)
