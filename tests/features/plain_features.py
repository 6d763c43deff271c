"""Every feature written out plainly in Python, from its definition in words: the oracle of the core's tables."""

from __future__ import annotations

from fractions import Fraction

from borel import Hand, Strain, Suit

HALF = Fraction(1, 2)
SUITS = list(Suit)


def suits_of(suit):
    return SUITS if suit is None else [suit]


def has(hand, suit, *ranks):
    return all(rank in hand.holding(suit) for rank in ranks)


def count(hand, suit, ranks):
    return sum(hand.holding(s).count(rank) for s in suits_of(suit) for rank in ranks)


def lengths(hand):
    return sorted(hand.lengths, reverse=True)


def per_suit(function):
    return lambda hand, suit=None: sum(function(hand, s) for s in suits_of(suit))


def points_scale(scale):
    return lambda hand, suit=None: sum(count(hand, suit, rank) * Fraction(value) for rank, value in scale.items())


hcp = points_scale({"A": 4, "K": 3, "Q": 2, "J": 1})
controls = points_scale({"A": 2, "K": 1})
intermediates = points_scale({"T": 2, "9": 1, "8": "1/2"})


@per_suit
def quick_tricks(hand, suit):
    cards = hand.holding(suit)
    for start, tricks in (("AK", 2), ("AQ", 3 * HALF), ("A", 1), ("KQ", 1)):
        if cards.startswith(start):
            return tricks
    return HALF if cards.startswith("K") and len(cards) > 1 else 0


@per_suit
def losers(hand, suit):
    return sum(1 for rank in "AKQ"[: hand.length(suit)] if rank not in hand.holding(suit))


@per_suit
def new_losers(hand, suit):
    missing = {"A": 3 * HALF, "K": 1, "Q": HALF}
    return sum(missing[rank] for rank in "AKQ"[: hand.length(suit)] if rank not in hand.holding(suit))


def expected_losers(hand, suit, *, trump):
    value, length = Fraction(losers(hand, suit)), hand.length(suit)
    tops = count(hand, suit, "AK")
    if length >= 3 and has(hand, suit, "Q") and tops == 0 and not has(hand, suit, "J"):
        value += HALF
    if length >= 3 and not has(hand, suit, "Q") and has(hand, suit, "J"):
        value -= HALF if tops == 2 or (tops == 1 and has(hand, suit, "T")) else 0
    if trump and length >= 6 and not has(hand, suit, "Q"):
        value = max(Fraction(0), value - (1 if length >= 7 else HALF))
    return value


def trump_losers(hand, trump, suit=None):
    return sum(expected_losers(hand, s, trump=s == trump) for s in suits_of(suit))


def own_losers(hand, trump):
    side = sum(HALF * max(0, hand.length(s) - 3) for s in SUITS if s != trump)
    return trump_losers(hand, trump) + side


@per_suit
def playing_tricks(hand, suit):
    length = hand.length(suit)
    return length - expected_losers(hand, suit, trump=False) - (HALF if length == 4 else 0)


def kr_quality(hand, suit):
    cards, length = hand.holding(suit), hand.length(suit)
    tops = count(hand, suit, "AKQJ")
    value = (
        count(hand, suit, "A") * 4 + count(hand, suit, "K") * 3 + count(hand, suit, "Q") * 2 + count(hand, suit, "J")
    )
    value += HALF * count(hand, suit, "T")
    if length >= 7:
        value += "Q" not in cards or "J" not in cards
        value += length >= 8 and "Q" not in cards
        value += length >= 9 and "Q" not in cards and "J" not in cards
    elif length >= 2:
        if "T" in cards and ("J" in cards or tops >= 2):
            value += HALF
        if "9" in cards and ("8" in cards or "T" in cards or tops == 2 or (length >= 4 and tops == 3)):
            value += HALF
    return value * length / 10


def kaplan_rubens(hand):
    total = sum(kr_quality(hand, s) + kr_honours(hand, s) + max(0, 3 - hand.length(s)) for s in SUITS) - 1
    return total + HALF if lengths(hand) == [4, 3, 3, 3] else total


def kr_honours(hand, suit):
    cards, length = hand.holding(suit), hand.length(suit)
    value = Fraction(3 if "A" in cards else 0)
    if "K" in cards:
        value += 2 if length > 1 else HALF
    if "Q" in cards and length > 1:
        table = {True: (HALF, 1), False: (HALF / 2, 3 * HALF / 2)}[count(hand, suit, "AK") > 0]
        value += table[length > 2]
    if "J" in cards:
        value += {1: HALF / 2, 2: HALF}.get(count(hand, suit, "AKQ"), 0)
    if "T" in cards:
        tops = count(hand, suit, "AKQJ")
        value += HALF / 2 if tops == 2 or (tops == 1 and "9" in cards) else 0
    return value


def stop_nt(hand, suit):
    cards, n = hand.holding(suit), hand.length(suit)

    def held(*ranks):
        return all(rank in cards for rank in ranks)

    if held(*"AK") or (n >= 3 and any(held(*c) for c in ("AQJ", "AQT", "AJT", "KQJ"))):
        return 4
    if held(*"AQ") or (n >= 3 and any(held(*c) for c in ("AJ", "KQ", "KJT"))):
        return 3
    if held("A") or (held("K") and n >= 2) or (held("Q") and n >= 3) or (held("J") and n >= 4):
        return 2
    return int(cards == "K" or (held("Q") and n == 2) or (held("J") and n == 3) or (held("T") and n >= 4))


def stop_trump(hand, trump, suit):
    cards, n = hand.holding(suit), hand.length(suit)
    if cards.startswith("A"):
        value = 4 if cards.startswith("AK") or n == 1 else 3 if cards.startswith("AQ") else 2
    elif cards.startswith("K") and n >= 2:
        value = 2 if cards.startswith("KQ") else 1
    else:
        value = int(cards.startswith("Q") and n >= 3)
    ruff = {0: 4, 1: 2, 2: 1}.get(n, 0) if suit != trump and hand.length(trump) >= 3 else 0
    return max(value, ruff)


def quality(hand, suit):
    return 2 * count(hand, suit, "AKQ") + count(hand, suit, "JT") + (hand.length(suit) >= 6)


def suit_quality(hand, suit):
    cards = hand.holding(suit)
    value = len(cards) + count(hand, suit, "AKQ")
    value += "J" in cards and cards[0] != "J"
    return value + ("T" in cards and cards[0] != "T")


def biddable(hand, suit):
    tops, length = count(hand, suit, "AKQ"), hand.length(suit)
    return 0 if length < 4 else min(8, length - 3 + (tops >= 2) - (tops == 0))


def balance(hand):
    shape = lengths(hand)
    table = {(4, 3, 3, 3): 0, (4, 4, 3, 2): 1, (5, 3, 3, 2): 2, (5, 4, 2, 2): 3, (6, 3, 2, 2): 3}
    if tuple(shape) in table:
        return table[tuple(shape)]
    if shape[0] >= 8 or shape[0] + shape[1] >= 11:
        return 6
    return 5 if shape[0] + shape[1] >= 10 or shape[3] == 0 else 4


def first_bid(hand, suit):
    longest = max(hand.lengths)
    if longest >= 5:
        opened = max(s for s in SUITS if hand.length(s) == longest)
    elif hand.length(Suit.D) != hand.length(Suit.C):
        opened = Suit.D if hand.length(Suit.D) > hand.length(Suit.C) else Suit.C
    else:
        opened = Suit.D if hand.length(Suit.D) == 4 else Suit.C
    return opened == suit


def up_the_line(hand, suit, last):
    above = [Suit((last + step) % 4) for step in (1, 2, 3)]
    return next((s for s in above if hand.length(s) >= 4), None) == suit


def short_points(hand, trump, suit=None):
    return sum({0: 3, 1: 2, 2: 1}.get(hand.length(s), 0) for s in suits_of(suit) if s != trump)


def support_points(hand, trump):
    trumps = hand.length(trump)
    scale = {0: 5, 1: 3, 2: 1} if trumps >= 4 else {0: 3, 1: 2, 2: 1} if trumps == 3 else {}
    return hcp(hand) + sum(scale.get(hand.length(s), 0) for s in SUITS if s != trump)


def cover(hand, trump, suit=None):
    total = Fraction(0)
    for s in suits_of(suit):
        cards = count(hand, s, "AK") + count(hand, s, "Q") * (1 if s == trump else HALF)
        ruff = max(0, 2 - hand.length(s)) if s != trump and hand.length(trump) >= 3 else 0
        total += max(cards, Fraction(ruff))
    return total


def fast_losers(hand, strain, suit=None):
    def fast(s):
        cards, n = hand.holding(s), hand.length(s)
        if "A" in cards:
            return 0
        if strain is Strain.NT:
            guarded = [place for place, rank in enumerate("KQJ", start=2) if rank in cards and n >= place]
            return min(guarded) - 1 if guarded else 5
        missing = 1 if "K" in cards else 2 if "Q" in cards else 3
        return min(n, missing)

    return min(13, sum(fast(s) for s in suits_of(suit)))


BERGEN = {"A": "9/2", "K": 3, "Q": "3/2", "J": "3/4", "T": "1/4"}


def nt_points(hand):
    total = points_scale(BERGEN)(hand)
    for s in SUITS:
        total -= hand.length(s) == 1 and hcp(hand, s) > 0
        total += hand.length(s) - 4 if hand.length(s) >= 5 and hcp(hand, s) >= 3 else 0
    return total


def lindelof(hand):
    return points_scale(BERGEN)(hand) + length_points(hand) + sum(max(0, 3 - n) for n in hand.lengths)


def ratio(hand):
    best = sorted(((hand.length(s), hcp(hand, s)) for s in SUITS), reverse=True)[:2]
    return Fraction(int(100 * sum(points for _, points in best) / hcp(hand)), 100) if hcp(hand) else 0


def length_points(hand):
    return sum(max(0, n - 4) for n in hand.lengths)


def zar(hand):
    a, b, _, d = lengths(hand)
    return hcp(hand) + controls(hand) + (a + b) + (a - d)


def shaped(*shapes):
    return lambda hand: "".join(str(n) for n in lengths(hand)) in shapes


BALANCED = ("4333", "4432", "5332")

REFERENCE = {
    "hcp": hcp,
    "controls": controls,
    **{name: points_scale({rank: 1}) for name, rank in zip(
        ("aces", "kings", "queens", "jacks", "tens"), "AKQJT", strict=True)},
    **{name: points_scale(dict.fromkeys("AKQJT"[:n], 1)) for name, n in (
        ("top2", 2), ("top3", 3), ("top4", 4), ("honours", 5))},
    "c13": points_scale({"A": 6, "K": 4, "Q": 2, "J": 1}),
    "keycards": lambda hand, trump: count(hand, None, "A") + count(hand, trump, "K"),
    "intermediates": intermediates,
    "quick_tricks": quick_tricks,
    "length": Hand.length,
    "two_suits": lambda hand, one, other: hand.length(one) + hand.length(other),
    "difference": lambda hand, one, other: hand.length(one) - hand.length(other),
    "suits": lambda hand: sum(n > 3 for n in hand.lengths),
    "longer_major": lambda hand: max(hand.length(Suit.S), hand.length(Suit.H)),
    "longer_minor": lambda hand: max(hand.length(Suit.D), hand.length(Suit.C)),
    "longest": lambda hand, suit: hand.length(suit) == max(hand.lengths),
    "not_shortest": lambda hand, suit: hand.length(suit) != min(hand.lengths),
    "longest_length": lambda hand: lengths(hand)[0],
    "second_length": lambda hand: lengths(hand)[1],
    "shortest_length": lambda hand: lengths(hand)[3],
    "voids": lambda hand: hand.lengths.count(0),
    "singletons": lambda hand: hand.lengths.count(1),
    "doubletons": lambda hand: hand.lengths.count(2),
    "balance": balance,
    "balanced": shaped(*BALANCED),
    "semi_balanced": shaped(*BALANCED, "5422", "6322"),
    "one_suiter": lambda hand: lengths(hand)[0] >= 6 and lengths(hand)[1] <= 3,
    "two_suiter": lambda hand: lengths(hand)[0] >= 5 and lengths(hand)[1] >= 4 and lengths(hand)[2] <= 3,
    "three_suiter": shaped("4441", "5440"),
    "short_points": short_points,
    "length_points": length_points,
    "total_points": lambda hand: hcp(hand) + length_points(hand),
    "points": lambda hand, trump, suit=None: hcp(hand, suit) + short_points(hand, trump, suit),
    "support_points": support_points,
    "first_bid": first_bid,
    "up_the_line": up_the_line,
    "biddable": biddable,
    "quality": quality,
    "suit_quality": suit_quality,
    "kr_quality": kr_quality,
    "kaplan_rubens": kaplan_rubens,
    "losers": losers,
    "new_losers": new_losers,
    "trump_losers": trump_losers,
    "own_losers": own_losers,
    "playing_tricks": playing_tricks,
    "stop_nt": stop_nt,
    "stop_trump": stop_trump,
    "stopper": lambda hand, suit: min(2, stop_nt(hand, suit)),
    "cover": cover,
    "fast_losers": fast_losers,
    "nt_points": nt_points,
    "lindelof": lindelof,
    "ratio": ratio,
    "rule_of_15": lambda hand: hcp(hand) + hand.length(Suit.S),
    "rule_of_20": lambda hand: hcp(hand) + sum(lengths(hand)[:2]),
    "rule_of_22": lambda hand: hcp(hand) + sum(lengths(hand)[:2]) + quick_tricks(hand),
    "zar": zar,
    "fit": lambda hand, suit, partner: hand.length(suit) + partner,
    "law_level": lambda hand, suit, partner: min(7, max(0, hand.length(suit) + partner - 6)),
}  # fmt: skip
