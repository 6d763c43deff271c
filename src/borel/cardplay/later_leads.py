"""Leads after the first: what good defenders lead in such a place, learnt from experts' records.

Layouts solved double dummy hardly tell most leads apart, and where they do not, partner's lead is returned, dummy's
strength is led through, declarer's suits are left alone, and winners are cashed when it is time. How much each of these
counts was fitted to the leads that experts made (benchmarks/fit_later_leads.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

from borel.cardplay.agreements import HONOURS, SPOTS, A, J, K, Q, T
from borel.cardplay.later_lead_weights import WEIGHTS
from borel.cards import SUIT_MASK, Card, Rank, Seat, Suit
from borel.play import Play
from borel.view import PlayView, played_by

__all__ = ["features_of", "later_lead_scores"]

Weights = dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class SuitFacts:
    """One suit as the defender on lead sees it; cards as bits of ranks."""

    suit: Suit
    mine: int  # still held
    dummy: int
    out: int  # held by partner and declarer between them
    gone: int
    led_by: frozenset[Seat]
    bid_by: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits where, and every suit."""

    view: PlayView
    play: Play
    players: tuple[Seat, ...]  # of the cards played
    suits: dict[Suit, SuitFacts]

    @classmethod
    def of(cls, view: PlayView, play: Play) -> Table:
        """As the defender on lead sees it."""
        players = tuple(played_by(view.contract, play.cards))
        gone = sum(card.mask for card in play.cards)
        mine, dummy = play.held(play.turn).mask, play.held(view.contract.dummy).mask
        led = {(play.cards[i].suit, players[i]) for i in range(0, len(play.cards), 4)}
        calls = enumerate(view.auction.calls)
        bid = {(call.strain.suit, view.auction.seat_of(i)) for i, call in calls if call.is_bid}
        suits = {}
        for suit in Suit:
            held, theirs, past = (mask >> 13 * suit & SUIT_MASK for mask in (mine, dummy, gone))
            by = [frozenset(seat for s, seat in pairs if s is suit) for pairs in (led, bid)]
            suits[suit] = SuitFacts(suit, held, theirs, SUIT_MASK & ~(held | theirs | past), past, *by)
        return cls(view, play, players, suits)

    @property
    def partner(self) -> Seat:
        """Of the defender on lead."""
        return self.play.turn.partner

    @property
    def trumps(self) -> SuitFacts | None:
        """The trump suit, if there is one."""
        suit = self.view.contract.strain.suit
        return None if suit is None else self.suits[suit]

    def may_ruff(self, seat: Seat, suit: Suit) -> bool:
        """Whether a hidden player is known to be out of a suit, and may have trumps."""
        trumps = self.trumps
        if trumps is None or trumps.suit is suit or suit not in self.play.shown_out(seat):
            return False
        return bool(trumps.out) and trumps.suit not in self.play.shown_out(seat)


def later_lead_scores(view: PlayView, play: Play, weights: Weights = WEIGHTS) -> dict[Card, float]:
    """For each card that may be led, the logarithm of the chance that a good defender leads it."""
    column = int(view.contract.strain.suit is None)
    scores = {
        card: sum(value * weights[name][column] for name, value in notes.items() if name in weights)
        for card, notes in features_of(view, play).items()
    }
    whole = log(sum(exp(score) for score in scores.values()))
    return {card: score - whole for card, score in scores.items()}


def features_of(view: PlayView, play: Play) -> dict[Card, dict[str, float]]:
    """For each card that may be led, what speaks for it or against it, by name; what is not named is zero."""
    table = Table.of(view, play)
    notes = {
        suit: _history(table, fact) | _dummy(table, fact) | _ruffs(table, fact) | _signals(table, fact)
        for suit, fact in table.suits.items()
        if fact.mine
    }
    return {card: notes[card.suit] | _card(table, table.suits[card.suit], card) for card in play.legal_cards()}


def _history(table: Table, fact: SuitFacts) -> dict[str, float]:
    """Who led the suit, and who bid it."""
    me, partner, cards = table.play.turn, table.partner, table.play.cards
    declarer, dummy = table.view.contract.declarer, table.view.contract.dummy
    leader, trumps = table.view.contract.leader, fact is table.trumps
    return {
        "trumps": trumps,
        "partner led it first": fact.suit is cards[0].suit and leader is partner,
        "i led it first": fact.suit is cards[0].suit and leader is me,
        "partner led it": partner in fact.led_by,
        "i led it": me in fact.led_by,
        "declarer led it": declarer in fact.led_by or dummy in fact.led_by,
        "just led by us": fact.suit is cards[-4].suit and table.players[-4].side is me.side,
        "nobody led it": not fact.led_by,
        "bid by partner": partner in fact.bid_by,
        "bid by me": me in fact.bid_by,
        "bid by declarer": declarer in fact.bid_by and not trumps,
        "bid by dummy": dummy in fact.bid_by and not trumps,
        "length": fact.mine.bit_count(),
    }


def _dummy(table: Table, fact: SuitFacts) -> dict[str, float]:
    """What dummy has in the suit, which is led through dummy or up to it."""
    way = "through" if table.play.turn.lho is table.view.contract.dummy else "up to"
    top = fact.dummy & (A | K | Q)
    found: dict[str, float] = {"length of dummy": fact.dummy.bit_count()}
    if top:
        return found | {f"{way} honours": top.bit_count()}
    if fact.dummy & (J | T):
        return found | {f"{way} the ten or jack": 1}
    return found | {f"{way} small cards": 1} if fact.dummy else found


def _ruffs(table: Table, fact: SuitFacts) -> dict[str, float]:
    """Who is out of the suit."""
    trumps, through = table.trumps, table.play.turn.lho is table.view.contract.dummy
    dummy = trumps is not None and fact is not trumps and not fact.dummy and bool(trumps.dummy)
    partner = table.may_ruff(table.partner, fact.suit)
    declarer = table.may_ruff(table.view.contract.declarer, fact.suit)
    return {
        "dummy ruffs": dummy,
        "partner ruffs": partner,
        "declarer ruffs": declarer,
        "both ruff": dummy and declarer,
        "through a void": through and not fact.dummy and not dummy,
        "partner is out": fact.suit in table.play.shown_out(table.partner) and not partner,
    }


def _signals(table: Table, fact: SuitFacts) -> dict[str, float]:
    """What partner's first card of a suit, followed or thrown, may have said."""
    cards, players = table.play.cards, table.players
    for i, card in enumerate(cards):
        if players[i] is not table.partner or card.suit is not fact.suit or i % 4 == 0:
            continue
        spot = 1 << card.rank & SPOTS
        height = (card.rank - Rank.SIX) / 4 if spot else 0.0
        if cards[i - i % 4].suit is not fact.suit:
            return {"partner threw it": 1, "partner threw it high": height}
        if players[i - i % 4].side is table.partner.side:
            return {"partner followed high": height, "partner played an honour": not spot}
        return {}
    return {}


def _card(table: Table, fact: SuitFacts, card: Card) -> dict[str, float]:
    """What the card is among those of its suit."""
    bit, mine, count = 1 << card.rank, fact.mine, fact.mine.bit_count()
    below, above = mine & (bit - 1), SUIT_MASK & ~(2 * bit - 1)
    honour, rest = bool(bit & HONOURS), mine & ~bit
    winner = not (fact.out | fact.dummy) & above
    touching = _next_below(fact, card)
    contract, play = table.view.contract, table.play
    beats = play.tricks_won(contract.side.other) + 1 > 13 - contract.tricks_needed
    return {
        "winner": winner,
        "winner that beats the contract": winner and beats and fact is not table.trumps,
        "winner of a long suit": winner * min(count, 5) / 5,
        "last card": count == 1 and fact is not table.trumps,
        "top of two": count == 2 and bool(below) and not winner,
        "top of a sequence": honour and touching and not winner,
        "bare honour": honour and not touching and not winner and count > 1,
        "away from the ace": not honour and bool(rest & A) and not winner,
        "away from the king": not honour and rest & (A | K) == K,
        "away from the queen": not honour and rest & (A | K | Q) == Q,
        "lowest": not honour and not below and count > 1,
        "highest small card": not honour and not mine & above & ~HONOURS and bool(below),
    }


def _next_below(fact: SuitFacts, card: Card) -> bool:
    """Whether the next card below that is not gone is held as well."""
    left = (1 << card.rank) - 1 & ~fact.gone
    return bool(left and fact.mine >> (left.bit_length() - 1) & 1)
