"""What speaks for playing a card and against it, by name: following suit, discarding or ruffing, and leading.

A card is looked at among those of its suit only, beside what everybody sees (moments.py): so the many hands that a
player may hold are made of few holdings.
"""

from __future__ import annotations

from collections.abc import Iterator

from borel.cardplay.agreements import HONOURS, SPOTS, A, J, K, Q
from borel.cardplay.moments import Moment
from borel.cards import SUIT_MASK, Rank, Suit

__all__ = ["Notes", "discarding", "following", "leading"]

Notes = dict[int, dict[str, float]]  # what speaks for each rank of a holding; what is not named is zero
TOP = A | K | Q


def following(moment: Moment, suit: Suit, held: int) -> Notes:
    """Of the cards of the suit led."""
    table = moment.on_table(suit)
    winners = held & SUIT_MASK & -1 << moment.to_beat + 1
    cheapest = _run(winners & -winners, held, moment.gone[suit])
    unseen = SUIT_MASK & ~(held | moment.gone[suit] | table)
    found: Notes = {}
    for rank, bit in _bits(held):
        lower = held & bit - 1
        wins = bool(bit & winners)
        notes = _winning(moment, suit, bit, cheapest, unseen) if wins else _losing(moment, held, bit, winners, unseen)
        notes["lowest"], notes["lowest, and wins"] = not lower, wins and not lower
        found[rank] = _told(notes | _height(moment, suit, held, bit))
    return found


def _winning(moment: Moment, suit: Suit, bit: int, cheapest: int, unseen: int) -> dict[str, float]:
    rank, dummy, several = bit.bit_length() - 1, moment.dummy[suit], cheapest.bit_count() > 1
    honour, to_beat = bool(bit & HONOURS), moment.to_beat
    return {
        "wins": 1,
        "over partner": moment.partner_wins,
        "over partner's honour": moment.partner_wins and to_beat >= Rank.JACK,
        "dear": not bit & cheapest,
        "lowest of equals": bool(bit & cheapest) and several and honour and not cheapest & bit - 1,
        "highest of equals": bool(bit & cheapest) and several and honour and not cheapest & ~(2 * bit - 1),
        "master": not unseen & ~(2 * bit - 1),
        "over dummy": moment.dummy_after and bit > dummy,
        "under dummy": moment.dummy_after and bit < dummy,
        "wins with the ace": rank == Rank.ACE,
        "wins with the king": rank == Rank.KING,
        "wins with the queen": rank == Rank.QUEEN,
        "wins with a small card": not honour,
        "honour on an honour": rank >= Rank.JACK and moment.trick[0].rank >= Rank.TEN,
    }


def _losing(moment: Moment, held: int, bit: int, winners: int, unseen: int) -> dict[str, float]:
    dummy, suit = moment.dummy, moment.suit
    assert suit is not None
    lower = held & bit - 1
    return {
        "lets a small card win": bool(winners) and moment.to_beat < Rank.TEN,
        "lets it win, with the ace": bool(winners & A),
        "lets it win, with the master": bool(winners) and unseen < winners,
        "lets dummy play": bool(winners) and moment.dummy_after and dummy[suit] > winners,
        "wasted honour": bool(lower) and bit >= J,
        "wasted honour or ten": bool(lower) and bool(bit & HONOURS),
    }


def _height(moment: Moment, suit: Suit, held: int, bit: int) -> dict[str, float]:
    """How high a small card is among the small cards; what a signal says with it is for agreements."""
    spots = held & SPOTS
    if not bit & spots or spots == bit:
        return {}
    height = (spots & bit - 1).bit_count() / (spots.bit_count() - 1)
    if suit in moment.played_in:
        return {"high, later": height}
    return {"high on partner's lead": height} if moment.partner_led else {"high on their lead": height}


def discarding(moment: Moment, suit: Suit, held: int) -> Notes:
    """Of the cards of a suit where the suit led cannot be followed."""
    found: Notes = {}
    notes = {} if suit is moment.trumps else _short(moment, suit, held)
    for rank, bit in _bits(held):
        more = _ruff(moment, suit, held, bit) if suit is moment.trumps else _discard(moment, suit, held, bit)
        found[rank] = _told(notes | more)
    return found


def _ruff(moment: Moment, suit: Suit, held: int, bit: int) -> dict[str, float]:
    over = SUIT_MASK & -1 << moment.on_table(suit).bit_length()
    wins = bool(bit & over)
    return {
        "ruff": 1,
        "ruff that wins": wins,
        "ruff that loses": not wins,
        "partner's trick ruffed": wins and moment.partner_wins,
        "partner's high card ruffed": wins and moment.partner_wins and moment.to_beat >= Rank.KING,
        "dear ruff": bool(held & bit - 1 & (over if wins else SUIT_MASK)),
        "ruff from length": held.bit_count() >= 4,
        "ruff with an honour": bit >= J,
    }


def _short(moment: Moment, suit: Suit, held: int) -> dict[str, float]:
    """What a discard of any card of the suit does."""
    count, dummy = held.bit_count(), moment.dummy[suit].bit_count()
    unseen = SUIT_MASK & ~(held | moment.gone[suit])
    partner = moment.seat.partner
    return {
        "length": count,
        "last card": count == 1,
        "five or more": count >= 5,
        "king guarded once": count == 2 and held & (A | K) == K,
        "queen guarded twice": count == 3 and held & TOP == Q,
        "jack guarded thrice": count == 4 and held & (TOP | J) == J,
        "from the ace": bool(held & A),
        "from the king": bool(held & K),
        "from the queen": bool(held & Q),
        "from winners": held > unseen,
        "as long as dummy": dummy >= 4 and count == dummy,
        "shorter than dummy": dummy >= 4 and count < dummy,
        "dummy is short": dummy <= 1,
        "i led it": (suit, moment.seat) in moment.led,
        "partner led it": (suit, partner) in moment.led,
        "they led it": moment.has_done(moment.led, suit, ours=False),
        "i bid it": (suit, moment.seat) in moment.bid,
        "partner bid it": (suit, partner) in moment.bid,
        "they bid it": moment.has_done(moment.bid, suit, ours=False),
        "played before": suit in moment.played_in,
    }


def _discard(moment: Moment, suit: Suit, held: int, bit: int) -> dict[str, float]:
    unseen, spots = SUIT_MASK & ~(held | moment.gone[suit]), held & SPOTS
    several = bool(bit & spots) and spots != bit
    return {
        "honour": bit >= J,
        "ten": bit == 1 << Rank.TEN,
        "winner": bit > unseen,
        "not the lowest": bool(held & bit - 1),
        "high discard": (spots & bit - 1).bit_count() / (spots.bit_count() - 1) if several else 0,
    }


def leading(moment: Moment, suit: Suit, held: int) -> Notes:
    """Of the cards of a suit that may be led."""
    found: Notes = {}
    notes = _suit_to_lead(moment, suit, held)
    unseen = SUIT_MASK & ~(held | moment.gone[suit] | moment.dummy[suit])
    for rank, bit in _bits(held):
        found[rank] = _told(notes | _lead(moment, suit, held, bit, unseen))
    return found


def _suit_to_lead(moment: Moment, suit: Suit, held: int) -> dict[str, float]:
    dummy, trumps = moment.dummy[suit], suit is moment.trumps
    unseen = SUIT_MASK & ~(held | moment.gone[suit] | dummy)
    together = held.bit_count() + dummy.bit_count()
    ours = moment.has_done(moment.led, suit, ours=True)
    theirs = moment.has_done(moment.led, suit, ours=False)
    return {
        "trumps": trumps,
        "trumps again": trumps and ours,
        "trumps that are out": min(unseen.bit_count(), 5) if trumps else 0,
        "no trumps are out": trumps and not unseen,
        "length": held.bit_count(),
        "last card": held.bit_count() == 1,
        "length of dummy": dummy.bit_count(),
        "eight together": together >= 8,
        "six together": together <= 6,
        "notrump, eight together": moment.trumps is None and together >= 8,
        "honours out": (unseen & TOP).bit_count(),
        "cards out": unseen.bit_count(),
        "led by us": ours,
        "led by partner": (suit, moment.seat.partner) in moment.led,
        "led by them": theirs,
        "led by them, honours out": theirs * (unseen & TOP).bit_count(),
        "bid by partner": (suit, moment.seat.partner) in moment.bid,
        "bid by them": moment.has_done(moment.bid, suit, ours=False),
    }


def _lead(moment: Moment, suit: Suit, held: int, bit: int, unseen: int) -> dict[str, float]:
    dummy, trumps = moment.dummy[suit], moment.trumps
    ruffs = trumps is not None and suit is not trumps and not dummy and bool(moment.dummy[trumps])
    wins, lower, small = bit > unseen and (moment.defends is False or bit > dummy), held & bit - 1, bool(bit & SPOTS)
    touching = bool(lower) and not (unseen | dummy) & bit - 1 & -1 << lower.bit_length()
    return {
        "winner": wins,
        "winner in trumps": wins and suit is trumps,
        "winner of a long suit": wins * min(held.bit_count(), 6),
        "winner, dummy void": wins and not dummy,
        "dummy ruffs": ruffs,
        "dummy ruffs a loser": ruffs and not wins,
        "to the master": not wins and dummy > unseen,
        "to honours": not wins and small and bool(dummy & (K | Q | J)),
        "to ace and queen": not wins and dummy & TOP == A | Q,
        "to the king": not wins and dummy & (A | K) == K,
        "to small cards": not wins and small and bool(dummy) and not dummy & (TOP | J),
        "honour": not wins and bit >= J,
        "honour under dummy's": not wins and bit >= J and dummy > bit,
        "top of touching honours": not wins and bit >= 1 << Rank.TEN and touching,
        "lowest": not lower and held != bit,
        "small, not the lowest": small and bool(lower),
        "away from the ace": small and bool(held & A),
        "away from the king": small and held & (A | K) == K,
    }


def _run(bit: int, held: int, gone: int) -> int:
    """A card and those above it that are as good, with nothing but cards gone between."""
    found = bit
    while bit and bit < A and (held | gone) & bit << 1:
        bit <<= 1
        found |= held & bit
    return found


def _bits(held: int) -> Iterator[tuple[int, int]]:
    """The ranks of a holding with their bits."""
    while held:
        bit = held & -held
        yield bit.bit_length() - 1, bit
        held ^= bit


def _told(notes: dict[str, float]) -> dict[str, float]:
    return {name: float(value) for name, value in notes.items() if value}
