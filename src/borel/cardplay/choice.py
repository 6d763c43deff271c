"""Choosing between cards that the layouts do not tell apart: the agreed lead, the signal, the cheapest card."""

from __future__ import annotations

from collections.abc import Mapping

from borel.cardplay.agreements import (
    SPOTS,
    Agreements,
    J,
    K,
    Q,
    T,
    lead_from,
    preference_order,
    signal_order,
)
from borel.cardplay.later_leads import later_lead_scores
from borel.cardplay.opening_leads import liked_for, opening_lead_scores
from borel.cardplay.signals import leads_for_a_ruff, meaning_of
from borel.cardplay.worth import CardWorth
from borel.cards import SUIT_MASK, Card, Rank, Suit
from borel.play import Play, trick_winner
from borel.view import PlayView

__all__ = ["choose", "lead_bonus", "small_cards_alike"]

TIE = 0.03  # IMPs: less than any sample can tell
# IMPs for a factor e of experts' preference in opening leads, and for a trick whatever it does to the contract. From
# what leads cost on the experts' boards kept for fitting (benchmarks/opening_bank.py), where much else does as well.
LEAD_WEIGHT, LEAD_TRICK = 0.4, 2.0
# For later leads: IMPs for a factor e of good defenders' preference, and for a trick whatever it does to the contract.
# From what leads cost on the experts' boards kept for fitting (benchmarks/lead_choice.py): without either they cost
# more, if little. The sample's IMPs hang on the few layouts where the contract is at stake; tricks are steadier.
LATER_WEIGHT, TRICK = 0.2, 4.0


def lead_bonus(
    view: PlayView, play: Play, worths: Mapping[Card, CardWorth], agreements: Agreements
) -> dict[Card, float]:
    """For a defender's lead, in IMPs: how much good defenders prefer each card, and tricks beside the score.

    A sample of a few dozen knows no better.
    """
    if play.trick.cards or play.turn.side is view.contract.side:
        return {}
    if not play.cards:
        scores = opening_lead_scores(view.hand, view.contract, view.auction, agreements)
        weight, trick = LEAD_WEIGHT, LEAD_TRICK
    else:
        scores, weight, trick = small_cards_alike(later_lead_scores(view, play)), LATER_WEIGHT, TRICK
    bonus = {card: weight * score + trick * worths[card].tricks for card, score in scores.items()}
    middle = sum(bonus.values()) / len(bonus)  # a gain is told against the mean of all cards
    return {card: value - middle for card, value in bonus.items()}


def small_cards_alike(scores: Mapping[Card, float]) -> dict[Card, float]:
    """Scores with the same for all small cards of a suit: which of them is played is for partner to read."""
    best: dict[Suit, float] = {}
    for card, score in scores.items():
        if 1 << card.rank & SPOTS:
            best[card.suit] = max(score, best.get(card.suit, score))
    return {card: best[card.suit] if 1 << card.rank & SPOTS else score for card, score in scores.items()}


def choose(view: PlayView, play: Play, worths: dict[Card, CardWorth], agreements: Agreements) -> tuple[Card, str]:
    """The best card; of those as good, the one that partner reads best or that costs least; and in what role."""
    if not play.cards:
        return _opening_lead(view, play, worths, agreements)
    return _best(view, play, worths, agreements)


def _opening_lead(
    view: PlayView, play: Play, worths: dict[Card, CardWorth], agreements: Agreements
) -> tuple[Card, str]:
    """The best lead, and what experts would like about it."""
    card, role = _best(view, play, worths, agreements)
    liked = liked_for(view.hand, view.contract, view.auction, card)
    return card, "; ".join(text for text in (role, liked and f"liked as a lead: {liked}") if text)


def _best(view: PlayView, play: Play, worths: dict[Card, CardWorth], agreements: Agreements) -> tuple[Card, str]:
    ranked = list(worths.values())
    level = [w for w in ranked if w.gain >= ranked[0].gain - TIE]
    if len(level) == 1:
        return level[0].card, ""
    cards = [w.card for w in level]
    if play.turn.side is view.contract.side:
        return _for_declarer(play, cards), ""
    if not play.trick.cards:
        return _lead(play, cards, agreements)
    return _follow(play, cards, agreements)


def _for_declarer(play: Play, cards: list[Card]) -> Card:
    """The lowest of the suit that came first; a trick is won as cheaply as possible.

    On lead, what was begun is gone on with: a declarer who turns from suit to suit because nothing speaks against it
    spends entries and lets the defenders ruff. On 641 leads of recorded declarers it costs 0.037 tricks a card where
    the first suit costs 0.042: a hint, no proof.
    """
    first = cards[0].suit
    if not play.trick.cards:
        led = [trick.cards[0].suit for trick in play.tricks if trick.cards and trick.leader.side is play.turn.side]
        first = led[-1] if led and led[-1] in {card.suit for card in cards} else first
    return min(cards, key=lambda card: (card.suit is not first, card.rank))


def _lead(play: Play, cards: list[Card], agreements: Agreements) -> tuple[Card, str]:
    """The agreed card of the best suit; of suits that are as good, the one that partner began."""
    suits = {card.suit for card in cards}
    begun = [suit for suit in _begun_by_partner(play) if suit in suits]
    first, notrump = begun[0] if begun else cards[0].suit, play.strain.suit is None
    if (preferred := _preference(play, [card for card in cards if card.suit is first], agreements)) is not None:
        return preferred, "for a ruff, asking for a suit"
    held = play.held(play.turn).suit_mask(first)
    agreed = Card(first, Rank(lead_from(held, agreements, notrump=notrump, trumps=first is play.strain.suit)))
    if agreed in cards:
        return agreed, "the agreed lead of the suit"
    return next(card for card in cards if card.suit is first), ""


def _begun_by_partner(play: Play) -> list[Suit]:
    """The side suits that partner has led, the latest first."""
    led = [trick.cards[0].suit for trick in play.tricks if trick.cards and trick.leader is play.turn.partner]
    return [suit for suit in reversed(led) if suit is not play.strain.suit]


def _preference(play: Play, cards: list[Card], agreements: Agreements) -> Card | None:
    """Of the cards of a suit that partner will ruff, the one that asks for the suit to come back in."""
    suit, trumps = cards[0].suit, play.strain.suit
    if trumps is None or not leads_for_a_ruff(play, suit):
        return None
    by_rank = {card.rank: card for card in cards}
    order = preference_order(play.held(play.turn), suit, trumps, agreements)
    return next((by_rank[Rank(rank)] for rank in order if rank in by_rank), None)


def _follow(play: Play, cards: list[Card], agreements: Agreements) -> tuple[Card, str]:
    """A signal with a spot card, else the cheapest that does as well."""
    turn, trick = len(play.trick.cards), play.trick.cards
    leads_for_us = play.trick.leader.side is play.turn.side
    winning = [card for card in cards if trick_winner((*trick, card), play.strain) == turn]
    if winning and cards[0] in winning and 1 << cards[0].rank & ~SPOTS & SUIT_MASK:
        return min(winning, key=lambda card: card.rank), ""  # third hand plays the lower of touching honours
    if turn == 1 and (split := _split_honour(play, cards)) is not None:
        return split, "splitting honours"
    suit = _idle_suit(play, cards)
    spots = [card for card in cards if card.suit is suit and 1 << card.rank & SPOTS]
    if not spots:
        return min(cards, key=lambda card: (card.rank, card.suit)), ""
    meaning = meaning_of(trick, turn, spots[0], play.strain, leads_for_us=leads_for_us)
    if meaning is None:
        return min(spots), ""
    order = signal_order(play.held(play.turn).suit_mask(suit), meaning, agreements)
    best = min(spots, key=lambda card: order.index(card.rank))
    return best, f"{'high' if best == max(spots) and len(spots) > 1 else 'low'} as {meaning}" if len(spots) > 1 else ""


def _split_honour(play: Play, cards: list[Card]) -> Card | None:
    """Second hand, from three honours in a row: the lowest of them, so that the trick is not won with a spot card."""
    suit = play.trick.cards[0].suit
    held = play.held(play.turn).suit_mask(suit)
    for row in (K | Q | J, Q | J | T):
        lowest = Card(suit, Rank((row & -row).bit_length() - 1))
        if held & row == row and lowest in cards and lowest.rank > play.trick.cards[0].rank:
            return lowest
    return None


def _idle_suit(play: Play, cards: list[Card]) -> Suit:
    """The suit led; discarding, the suit of the lowest card that guards nothing."""
    hand = play.held(play.turn)

    def needed(card: Card) -> tuple[bool, int, int]:
        rest = hand.suit_mask(card.suit)
        return bool(rest >> 9), -rest.bit_count(), int(card.rank)  # an honour in the suit may be worth a guard

    return min(cards, key=needed).suit
