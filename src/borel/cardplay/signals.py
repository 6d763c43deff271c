"""Leads and signals of the hidden hands, read: how likely each layout makes the cards that were chosen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from borel.cardplay.agreements import SPOTS, Agreements, Leads, preference_order, signal_order, wants_high
from borel.cardplay.hidden import HiddenHands, hidden_seats
from borel.cards import DECK, SUIT_MASK, Card, Hand, Seat, Strain, Suit
from borel.play import Play, trick_winner
from borel.view import PlayView, played_by

__all__ = ["by_value", "leads_for_a_ruff", "meaning_of", "read_lead", "read_signals"]

# How often a spot card that could signal was chosen to, the others falling as they may: from the shares of agreed
# cards among WBridge5's first spot cards of a suit, 500 boards (benchmarks/fit_card_reading.py): attitude 44% of 555 on
# partner's lead and 46% of 604 discards where chance gives 39%, count 71% of 1,280 where chance gives 42%.
TRUST = {"attitude": 0.1, "count": 0.5}
PREFERENCE = 0.5  # the same for suit preference: too rare in the records to be fitted
LEAST = 0.02  # of a lead: people lead anything


def meaning_of(trick: tuple[Card, ...], turn: int, card: Card, strain: Strain, *, leads_for_us: bool) -> str | None:
    """What a spot card says at its turn: attitude on partner's lead and in a discard, count on their lead."""
    if turn == 0 or not 1 << card.rank & SPOTS:
        return None
    if card.suit is not trick[0].suit:
        return None if card.suit is strain.suit else "attitude"
    if trick_winner((*trick[:turn], card), strain) == turn and turn == 3:
        return None  # it won the trick: it had to be played
    return "attitude" if leads_for_us else "count"


def leads_for_a_ruff(play: Play, suit: Suit) -> bool:
    """Whether the defender on lead gives partner a ruff with this suit, as all have seen: the card prefers a suit."""
    trumps = play.strain.suit
    return trumps is not None and suit is not trumps and suit in play.shown_out(play.turn.partner)


def read_lead(view: PlayView, play: Play, hidden: HiddenHands, agreements: Agreements) -> NDArray[np.float64]:
    """[n]: the chance of the opening lead in each layout; ones where the leader's hand is seen."""
    leader = view.contract.leader
    if not play.cards or leader not in hidden_seats(view):
        return np.ones(len(hidden))
    lead, leads = play.cards[0], Leads.against(view.contract, view.auction, agreements)

    def chance(mask: int) -> float:
        return LEAST + leads.chance(Hand(mask), lead)

    return by_value(hidden.hands[:, leader], chance)


def read_signals(view: PlayView, play: Play, hidden: HiddenHands, agreements: Agreements) -> NDArray[np.float64]:
    """[n]: how likely the hidden defenders' spot cards are in each layout, by what they agreed to say with them."""
    factors = np.ones(len(hidden))
    players = played_by(view.contract, play.cards)
    unread = {seat for seat in hidden_seats(view) if seat.side is not view.contract.side}
    gone, said = 0, set[tuple[Seat, int]]()
    for i, (seat, card) in enumerate(zip(players, play.cards, strict=True)):
        first = i - i % 4
        if seat in unread and i == first and i > 0:
            before = Play(play.deal, play.contract, play.cards[:i])
            if leads_for_a_ruff(before, card.suit) and 1 << card.rank & SPOTS:
                factors *= _preference_factor(hidden.hands[:, seat] & np.uint64(DECK & ~gone), card, play, agreements)
        if seat in unread and (seat, card.suit) not in said:
            ours = players[first].side is seat.side
            trick = play.cards[first : first + 4]
            meaning = meaning_of(trick, i % 4, card, play.strain, leads_for_us=ours)
            if meaning is not None:
                said.add((seat, card.suit))  # the first spot card of a suit is the one that speaks
                factors *= _signal_factor(hidden.hands[:, seat], gone, card, meaning, agreements)
        gone |= card.mask
    return factors


def _preference_factor(
    hands: NDArray[np.uint64], card: Card, play: Play, agreements: Agreements
) -> NDArray[np.float64]:
    """How likely hands are to lead this card for a ruff, among the spot cards of the suit."""
    trumps = play.strain.suit
    assert trumps is not None

    def chance(mask: int) -> float:
        hand = Hand(mask)
        order = preference_order(hand, card.suit, trumps, agreements)
        if len(order) <= 1:
            return 1 / max(1, (hand.suit_mask(card.suit) & SPOTS).bit_count())
        return PREFERENCE * (order[0] == card.rank) + (1 - PREFERENCE) / len(order)

    return by_value(hands, chance)


def _signal_factor(
    hands: NDArray[np.uint64], gone: int, card: Card, meaning: str, agreements: Agreements
) -> NDArray[np.float64]:
    trust = TRUST[meaning]
    held = hands >> np.uint64(13 * card.suit) & np.uint64(SUIT_MASK & ~(gone >> 13 * card.suit))

    def chance(mask: int) -> float:
        order = signal_order(mask, meaning, agreements)
        if len(order) <= 1 or wants_high(mask, meaning, agreements) is None:
            return 1.0 / max(1, len(order))
        return trust * (order[0] == card.rank) + (1 - trust) / len(order)

    return by_value(held, chance)


def by_value(values: NDArray[np.uint64], chance: Callable[[int], float]) -> NDArray[np.float64]:
    """A function of each value, computed once for equal ones."""
    different, places = np.unique(values, return_inverse=True)
    return np.array([chance(int(value)) for value in different])[places]
