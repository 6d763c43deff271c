"""What partners agree on: the card led from a holding, and what high and low spot cards say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp

from borel.auction import Auction, Contract
from borel.cards import Card, Hand, Rank, Suit
from borel.errors import BridgeError

__all__ = [
    "STANDARD",
    "Agreements",
    "Leads",
    "lead_chances",
    "lead_from",
    "preference_order",
    "signal_order",
    "wants_high",
]

A, K, Q, J, T, NINE = (1 << r for r in (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN, Rank.TEN - 1))
HONOURS = A | K | Q | J | T
EIGHT = Rank.TEN - 2
SPOTS = 0x1FFF & ~HONOURS
CHOICES = {
    "leads": ("fourth", "third_fifth"),
    "ace_king": ("ace", "king"),
    "attitude": ("standard", "upside_down", "none"),
    "count": ("standard", "upside_down", "none"),
    "suit_preference": ("standard", "none"),
}


@dataclass(frozen=True, slots=True)
class Agreements:
    """Leads and signals of a side.

    >>> Agreements.parse("leads=third_fifth attitude=upside_down") == Agreements("third_fifth", attitude="upside_down")
    True
    """

    leads: str = "fourth"  # spot cards: fourth best, or third from even and lowest from odd
    ace_king: str = "ace"  # which of the two is led
    attitude: str = "standard"  # a high spot card encourages
    count: str = "standard"  # high then low shows an even number
    suit_preference: str = "standard"  # a high card to be ruffed asks for the higher suit

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise BridgeError(f"{name} is one of {', '.join(choices)}, not {getattr(self, name)!r}")

    @classmethod
    def parse(cls, text: str) -> Agreements:
        """Read ``key=value`` words."""
        values = {}
        for word in text.split():
            key, _, value = word.partition("=")
            if key not in CHOICES:
                raise BridgeError(f"not an agreement: {key!r}; there are {', '.join(CHOICES)}")
            values[key] = value
        return cls(**values)


STANDARD = Agreements()


def ranks_of(mask: int) -> list[int]:
    """The ranks of a holding, highest first."""
    return [rank for rank in range(12, -1, -1) if mask >> rank & 1]


def lead_from(mask: int, agreements: Agreements = STANDARD, *, notrump: bool, trumps: bool = False) -> int:
    """The rank that is led from a suit: top of a sequence, low from honours, top of nothing; the lowest trump.

    >>> [Rank(lead_from(Hand.parse(f"{held}...").suit_mask(Suit.S), notrump=True)).letter
    ...  for held in ("KQJ4", "K9742", "84", "AJT5", "973", "AK4")]
    ['K', '4', '8', 'J', '9', 'A']
    """
    ranks = ranks_of(mask)
    if trumps and not mask & HONOURS:
        return ranks[-1]  # a middle trump may be worth a trick, and partner needs no count of small ones
    if len(ranks) <= 2:
        return K.bit_length() - 1 if mask == A | K and agreements.ace_king == "king" else ranks[0]
    if mask & (A | K) == A | K:
        return Rank.ACE if agreements.ace_king == "ace" else Rank.KING
    if mask & A and not notrump:  # an ace is not underled against a suit
        return Rank.ACE
    if (touching := _sequence(mask, notrump=notrump)) is not None:
        return touching
    if not mask & HONOURS and len(ranks) == 3:
        return ranks[0]  # top of nothing
    if agreements.leads == "third_fifth":
        return ranks[2] if len(ranks) % 2 == 0 else ranks[min(4, len(ranks) - 1)]
    return ranks[min(3, len(ranks) - 1)]


def _sequence(mask: int, *, notrump: bool) -> int | None:
    """The honour that is led from a sequence, solid or inner."""
    solid = [(K | Q | J, K), (K | Q | T, K), (Q | J | T, Q), (Q | J | NINE, Q), (J | T | NINE, J)]
    if not notrump:
        solid += [(K | Q, K), (Q | J, Q), (J | T, J)]
    inner = [(A | J | T, J), (K | J | T, J), (K | T | NINE, T), (Q | T | NINE, T), (A | T | NINE, T)]
    if notrump:
        inner.insert(0, (A | Q | J, Q))
    for held, lead in solid + inner:
        if mask & held == held:
            return lead.bit_length() - 1
    return None


AGREED = 0.78  # of the leads of a suit are the agreed card: 78.4% ± 1.6 of 2,492 leads of WBridge5


def lead_chances(
    hand: Hand, contract: Contract, auction: Auction, agreements: Agreements = STANDARD
) -> dict[Card, float]:
    """How likely a player who thinks as textbooks do leads each card: a model to read leads by, and to break ties."""
    return Leads.against(contract, auction, agreements).chances(hand)


@dataclass(frozen=True, slots=True)
class Leads:
    """The opening leads of any hand against one contract: read in hundreds of layouts, the auction is read once."""

    contract: Contract
    liked: tuple[float, ...]  # by suit, as the logarithm of how often it is chosen: partner's suit, not theirs
    agreements: Agreements = STANDARD

    @classmethod
    def against(cls, contract: Contract, auction: Auction, agreements: Agreements = STANDARD) -> Leads:
        """Against a contract reached by this auction."""
        return cls(contract, tuple(_bid_score(suit, contract, auction) for suit in Suit), agreements)

    def suits(self, hand: Hand) -> dict[Suit, float]:
        """The chance that each suit of the hand is led."""
        trumps = self.contract.strain.suit
        drawn = -1 if trumps is None else hand.suit_mask(trumps).bit_count()
        scores = {
            suit: self.liked[suit] + _holding_score(mask, drawn, trumps=suit is trumps)
            for suit in Suit
            if (mask := hand.suit_mask(suit))
        }
        highest = max(scores.values())
        parts = {suit: exp(score - highest) for suit, score in scores.items()}
        total = sum(parts.values())
        return {suit: part / total for suit, part in parts.items()}

    def of_suit(self, mask: int, suit: Suit, rank: int) -> float:
        """The chance of this card of a suit once the suit is chosen."""
        trumps = self.contract.strain.suit
        count = mask.bit_count()
        agreed = lead_from(mask, self.agreements, notrump=trumps is None, trumps=suit is trumps)
        return 1.0 if count == 1 else AGREED if rank == agreed else (1 - AGREED) / (count - 1)

    def chance(self, hand: Hand, lead: Card) -> float:
        """The chance of one lead; zero for a card that is not held."""
        mask = hand.suit_mask(lead.suit)
        return self.suits(hand)[lead.suit] * self.of_suit(mask, lead.suit, lead.rank) if mask >> lead.rank & 1 else 0.0

    def chances(self, hand: Hand) -> dict[Card, float]:
        """The chance of every card."""
        found = {}
        for suit, chance in self.suits(hand).items():
            mask = hand.suit_mask(suit)
            for rank in ranks_of(mask):
                found[Card(suit, Rank(rank))] = chance * self.of_suit(mask, suit, rank)
        return found


@lru_cache(maxsize=1 << 16)
def _holding_score(mask: int, drawn: int, *, trumps: bool) -> float:
    """How much textbooks like the lead from a holding, with so many trumps beside it; -1 in notrump."""
    length = mask.bit_count()
    touching = mask & (A | K) == A | K or mask & (K | Q) == K | Q or mask & (Q | J | T) == Q | J | T
    if drawn < 0:
        return 0.8 * (length - 3) + 0.8 * touching + 0.1 * bool(mask & HONOURS) - 0.6 * (mask & (A | K) == A)
    if trumps:
        return -0.8 - 0.8 * bool(mask & (A | K | Q))
    if length == 1:
        return 1.2 if 1 <= drawn <= 3 and not mask & K else 0.0
    score = 1.8 * (mask & (A | K) == A | K) + 1.0 * touching + 0.5 * (mask & (Q | J) == Q | J)
    return score - 1.2 * (bool(mask & A) and not mask & K) - 0.4 * (bool(mask & K) and not mask & (A | Q))


def _bid_score(suit: Suit, contract: Contract, auction: Auction) -> float:
    """Partner's suit is liked, the opponents' is not."""
    leader, score = contract.leader, 0.0
    for position, call in enumerate(auction.calls):
        if call.is_bid and call.strain.suit is suit:
            seat = auction.seat_of(position)
            if seat is leader.partner:
                score = 1.5
            elif seat.side is contract.side and score <= 0:
                score = -1.0
    return score


def wants_high(mask: int, meaning: str, agreements: Agreements = STANDARD) -> bool | None:
    """Whether a holding asks for a high spot card: it likes the suit, or has an even number; None: nothing is said."""
    way = agreements.attitude if meaning == "attitude" else agreements.count
    if way == "none":
        return None
    high = bool(mask & (A | K | Q)) if meaning == "attitude" else mask.bit_count() % 2 == 0
    return high if way == "standard" else not high


def signal_order(mask: int, meaning: str, agreements: Agreements = STANDARD) -> list[int]:
    """The spot cards of a holding, the one that says it best first.

    A nine or an eight below honours may be worth a trick, which a count is not.

    >>> [Rank(rank).letter for rank in signal_order(Hand.parse("K852...").suit_mask(Suit.S), "attitude")]
    ['8', '5', '2']
    >>> [Rank(rank).letter for rank in signal_order(Hand.parse("AJ95...").suit_mask(Suit.S), "count")]
    ['5', '9']
    """
    spots = ranks_of(mask & SPOTS)
    if not wants_high(mask, meaning, agreements):
        return spots[::-1]
    if meaning == "count" and mask & HONOURS:
        return [rank for rank in spots if rank < EIGHT] + [rank for rank in spots[::-1] if rank >= EIGHT]
    return spots


def preference_order(hand: Hand, led: Suit, trumps: Suit, agreements: Agreements = STANDARD) -> list[int]:
    """The spot cards of a suit led for partner to ruff, the one that asks for the better entry first; [] if none does.

    A high card asks for the higher of the other two suits (trumps aside), a low one for the lower.

    >>> [Rank(r).letter for r in preference_order(Hand.parse("5.A82.742.K96"), Suit.D, Suit.S)]
    ['7', '4', '2']
    """
    low, high = (suit for suit in Suit if suit not in (led, trumps))
    entries = {suit: hand.suit_mask(suit) & (A | K) for suit in (low, high)}
    if agreements.suit_preference == "none" or entries[low] == entries[high]:
        return []
    spots = ranks_of(hand.suit_mask(led) & SPOTS)
    return spots if entries[high] > entries[low] else spots[::-1]
