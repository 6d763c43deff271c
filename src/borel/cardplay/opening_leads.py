"""Opening leads: what good defenders lead after such an auction, learnt from experts' records.

A few dozen layouts hardly tell most leads apart. What was bid, by whom, and what stands behind a card says as much; how
much each of these counts was fitted to the leads that experts made (benchmarks/fit_opening_leads.py). Experts have
leads of many kinds: which of the small cards of a suit is led is for the partnership's own agreement to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log

from borel.auction import Auction, Contract
from borel.cardplay.agreements import AGREED, HONOURS, SPOTS, STANDARD, A, Agreements, J, K, Q, T, lead_from
from borel.cardplay.opening_lead_weights import WEIGHTS
from borel.cards import Card, Hand, Seat, Suit

__all__ = ["features_of", "liked_for", "opening_lead_scores"]

SLAM = 6
WORTH_SAYING = 0.5  # a weight that makes a lead two thirds as likely again
LENGTHS = {1: "singleton", 2: "two cards", 3: "three cards", 4: "four cards", 5: "five cards"}


@dataclass(frozen=True, slots=True)
class Heard:
    """What was bid, as the leader heard it."""

    contract: Contract
    bid_by: dict[Suit, frozenset[Seat]]
    doubled_by_partner: frozenset[Suit]  # a bid of this suit, which need not have been one to play

    @classmethod
    def of(cls, contract: Contract, auction: Auction) -> Heard:
        """From the whole auction."""
        bid: dict[Suit, set[Seat]] = {suit: set() for suit in Suit}
        doubled, last = set(), None
        for position, call in enumerate(auction.calls):
            seat, suit = auction.seat_of(position), call.strain.suit if call.is_bid else None
            if suit is not None:
                bid[suit].add(seat)
            if call.is_bid:
                last = suit
            elif str(call) == "X" and seat is contract.leader.partner and last is not None:
                doubled.add(last)
        return cls(contract, {suit: frozenset(seats) for suit, seats in bid.items()}, frozenset(doubled))

    @property
    def trumps(self) -> Suit | None:
        """The trump suit, if there is one."""
        return self.contract.strain.suit


def opening_lead_scores(
    hand: Hand,
    contract: Contract,
    auction: Auction,
    agreements: Agreements = STANDARD,
    weights: Mapping[str, tuple[float, float]] = WEIGHTS,
) -> dict[Card, float]:
    """For each card, the logarithm of the chance that a good defender with these agreements leads it."""
    column = int(contract.strain.suit is None)
    parts = {
        card: exp(sum(value * weights[name][column] for name, value in notes.items() if name in weights))
        for card, notes in features_of(hand, contract, auction).items()
    }
    whole = sum(parts.values())
    for suit in Suit:
        small = [card for card in parts if card.suit is suit and 1 << card.rank & SPOTS]
        together = sum(parts[card] for card in small)
        parts |= {card: together * part for card, part in _agreed(hand, contract, small, agreements).items()}
    return {card: log(part / whole) for card, part in parts.items()}


def liked_for(hand: Hand, contract: Contract, auction: Auction, card: Card) -> str:
    """What speaks most for a lead, in words; empty where nothing does."""
    notes, column = features_of(hand, contract, auction)[card], int(contract.strain.suit is None)
    speaks = {name: value * WEIGHTS[name][column] for name, value in notes.items() if name in WEIGHTS}
    best = sorted((name for name in speaks if speaks[name] >= WORTH_SAYING), key=lambda name: -speaks[name])
    return ", ".join(best[:2])


def _agreed(hand: Hand, contract: Contract, small: list[Card], agreements: Agreements) -> dict[Card, float]:
    """How the small cards of a suit share its chance: most of it is the agreed one's, if that is among them."""
    if not small:
        return {}
    suit, trumps = small[0].suit, contract.strain.suit
    rank = lead_from(hand.suit_mask(suit), agreements, notrump=trumps is None, trumps=suit is trumps)
    if len(small) == 1 or all(card.rank != rank for card in small):
        return dict.fromkeys(small, 1 / len(small))
    return {card: AGREED if card.rank == rank else (1 - AGREED) / (len(small) - 1) for card in small}


def features_of(hand: Hand, contract: Contract, auction: Auction) -> dict[Card, dict[str, float]]:
    """For each card, what speaks for it or against it, by name; what is not named is zero."""
    heard = Heard.of(contract, auction)
    found = {}
    for suit in Suit:
        if mask := hand.suit_mask(suit):
            notes = _bid(heard, suit) | _length(heard, suit, hand) | _holding(heard, suit, mask)
            for card in hand:
                if card.suit is suit:
                    found[card] = notes | _card(heard, card, mask)
    return found


def _bid(heard: Heard, suit: Suit) -> dict[str, float]:
    """Who bid the suit."""
    me, by = heard.contract.leader, heard.bid_by[suit]
    declarer, dummy = heard.contract.declarer, heard.contract.dummy
    if suit is heard.trumps:
        return {
            "trumps": 1,
            "trumps against a slam": heard.contract.level >= SLAM,
            "trumps, doubled": bool(heard.contract.doubled),
            "trumps bid by dummy": dummy in by,
        }
    theirs = bool(by & {declarer, dummy})
    return {
        "bid by partner": me.partner in by,
        "bid by partner and me": me.partner in by and me in by,
        "bid by me": me in by,
        "bid by declarer": declarer in by,
        "bid by dummy": dummy in by,
        "bid by both": declarer in by and dummy in by,
        "doubled by partner": suit in heard.doubled_by_partner and theirs,
        "unbid major": not by and suit in (Suit.H, Suit.S),
        "unbid": not by,
    }


def _length(heard: Heard, suit: Suit, hand: Hand) -> dict[str, float]:
    """How many cards of the suit, and how many trumps beside them."""
    length = hand.suit_mask(suit).bit_count()
    if suit is heard.trumps:
        return {"trumps held": length, "only trump": length == 1}
    found: dict[str, float] = {LENGTHS.get(length, "six cards or more"): 1}
    if heard.trumps is not None:
        trumps = hand.suit_mask(heard.trumps).bit_count()
        found |= {
            "a ruff to come": length == 1 and 1 <= trumps <= 3,
            "a ruff to come, two cards": length == 2 and 2 <= trumps <= 3,
            "long, four trumps": (length - 3) * (trumps >= 4 and length >= 4),
        }
    return found


def _holding(heard: Heard, suit: Suit, mask: int) -> dict[str, float]:
    """What honours the suit has, whichever card is led."""
    if suit is heard.trumps:
        return {"trump honours": (mask & (A | K | Q | J)).bit_count()}
    by_partner = heard.contract.leader.partner in heard.bid_by[suit]
    return {
        "no honour": not mask & HONOURS,
        "honour in partner's suit": by_partner and bool(mask & (A | K | Q)),
    }


def _card(heard: Heard, card: Card, mask: int) -> dict[str, float]:
    """What the card is among those of its suit."""
    bit, count = 1 << card.rank, mask.bit_count()
    rest, honour, trumps = mask & ~bit, bool(bit & HONOURS), card.suit is heard.trumps
    below, above = mask & (bit - 1), mask & ~(2 * bit - 1)
    name = "trump" if trumps else "card"
    touching, slam = bool(honour and mask & bit >> 1), heard.contract.level >= SLAM
    found: dict[str, float] = {
        f"lowest {name}": not below and count > 1 and not honour,
        f"highest {name}": not above and not honour and count > 1,
        f"higher of two {name}s": count == 2 and not above,
        f"bare honour {name}": honour and not touching and count > 1,
    }
    if trumps or count == 1:
        return found | {"bare king": bit == K and not trumps, "bare ace": bit == A and not trumps}
    spot = not honour
    return found | {
        "fourth best": above.bit_count() == 3,
        "third best": above.bit_count() == 2 and count in (3, 4),
        "ace from ace-king": bit == A and bool(mask & K),
        "ace": bit == A and not mask & K,
        "ace against a slam": bit == A and slam,
        "king from king-queen": bit == K and mask & (A | Q) == Q,
        "queen from queen-jack": bit == Q and mask & (A | K | J) == J,
        "jack from jack-ten": bit == J and mask & (A | K | Q | T) == T,
        "top of three in a row": touching and bool(mask & bit >> 2) and not mask & bit << 1,
        "inner sequence": touching and bool(above) and not mask & bit << 1,
        "away from the ace": spot and bool(rest & A),
        "away from the king": spot and rest & (A | K) == K,
        "away from the queen": spot and rest & (A | K | Q) == Q,
        "away from the jack": spot and rest & (A | K | Q | J) == J,
        "away from an honour, slam": spot and slam and bool(rest & (K | Q)),
        "away from two honours": spot and (rest & (A | K | Q | J)).bit_count() >= 2,
    }
