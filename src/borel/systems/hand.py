"""The hand features that rules speak of, as one vector of numbers a hand; whole batches by table look-up.

The first BASE numbers are those that most rules use, and what a call shows is kept for these. After them come all the
features of `borel.features` by their names there, computed in the core, in its whole numbers (so many times the number
people say as the feature's scale); a vector has them only where a system speaks of one (`wide`).

Each suit's thirteen-bit holding looks up its own numbers; the features of the hand are put together from those. Points
are those of the American textbooks: high cards plus one for each card over four in a suit; ``points(M)`` in support of
a suit counts shortness instead (5-3-1 with four trumps, 3-2-1 with three).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from borel.features import all_features, codes, features

__all__ = [
    "BASE",
    "FEATURES",
    "HAND_FEATURES",
    "RANGES",
    "REGISTRY",
    "SUIT_FEATURES",
    "WIDTH",
    "features_of",
    "features_of_batch",
    "index_of",
    "name_of",
    "scale_of",
]

# name: (lowest, highest) of a feature of one suit, in table order
SUIT_FEATURES: dict[str, tuple[float, float]] = {
    "length": (0, 13),
    "hcp": (0, 10),
    "ace": (0, 1),
    "king": (0, 1),
    "queen": (0, 1),
    "jack": (0, 1),
    "ten": (0, 1),
    "top3": (0, 3),  # A K Q
    "honors": (0, 5),  # A K Q J T
    "controls": (0, 3),
    "quick": (0, 2),
    "losers": (0, 3),
    "stopper": (0, 4),  # 0 none, 1 half (Qx, Jxx), 2 sure, 3 good, 4 double
    "quality": (0, 9),
    "solid": (0, 1),
    "first": (0, 1),  # ace or void
    "second": (0, 1),  # king or singleton, or better
}
# name: range of a feature of the whole hand
HAND_FEATURES: dict[str, tuple[float, float]] = {
    "hcp": (0, 37),
    "points": (0, 40),
    "aces": (0, 4),
    "kings": (0, 4),
    "queens": (0, 4),
    "tens": (0, 4),
    "controls": (0, 12),
    "quick": (0, 8),
    "losers": (0, 12),
    "balanced": (0, 1),
    "semibalanced": (0, 1),
    "longest": (4, 13),
    "shortest": (0, 3),
    "second-suit": (2, 6),
    "shape": (0, 9999),
    "suits": (1, 3),
    "rule20": (0, 50),
    "rule15": (0, 50),
    "opening": (0, 50),
    "playing": (0, 13),
}
SUPPORT_FEATURES: dict[str, tuple[float, float]] = {
    "points": (0, 50),  # in support of the suit
    "keycards": (0, 5),
    "longest": (0, 1),
    "trump-losers": (0, 12),
    "shortness": (0, 3),
}


def _names() -> list[str]:
    suits = "CDHS"
    names = [f"{name}({suit})" for suit in suits for name in SUIT_FEATURES]
    names += list(HAND_FEATURES)
    return names + [f"{name}({suit})" for suit in suits for name in SUPPORT_FEATURES]


FEATURES: tuple[str, ...] = tuple(_names())
INDEX: dict[str, int] = {name: i for i, name in enumerate(FEATURES)}
_WIDTH = len(SUIT_FEATURES)
_HAND = 4 * _WIDTH
_SUPPORT = _HAND + len(HAND_FEATURES)
BASE = len(FEATURES)
REGISTRY = all_features()
WIDTH = BASE + len(REGISTRY)
RANGES: tuple[tuple[float, float], ...] = (
    *(SUIT_FEATURES[name] for _ in range(4) for name in SUIT_FEATURES),
    *HAND_FEATURES.values(),
    *(SUPPORT_FEATURES[name] for _ in range(4) for name in SUPPORT_FEATURES),
    *((feature.low * feature.scale, feature.high * feature.scale) for feature in REGISTRY),
)
_CODES = codes(REGISTRY)
LENGTHS = tuple(suit * _WIDTH for suit in range(4))
HCP, POINTS = INDEX["hcp"], INDEX["points"]


def index_of(name: str, suit: int | None = None) -> int:
    """The position of a feature in the vector; -1 where there is none.

    >>> FEATURES[index_of("quality", 3)], FEATURES[index_of("hcp")], index_of("beauty")
    ('quality(S)', 'hcp', -1)
    """
    return INDEX.get(name if suit is None else f"{name}({'CDHS'[suit]})", -1)


def name_of(index: int) -> str:
    """The name of a number of the vector.

    >>> name_of(index_of("quality", 3)), name_of(BASE)
    ('quality(S)', 'hcp(C)')
    """
    return FEATURES[index] if index < BASE else str(REGISTRY[index - BASE])


def scale_of(index: int) -> int:
    """How many times the number people say the vector has: 1, but 100 for Kaplan-Rubens points and the like."""
    return 1 if index < BASE else REGISTRY[index - BASE].scale


def _suit_row(holding: int) -> list[float]:
    """The features of one holding of thirteen bits."""
    length = holding.bit_count()
    ace, king, queen, jack, ten, nine = (holding >> rank & 1 for rank in (12, 11, 10, 9, 8, 7))
    hcp = 4 * ace + 3 * king + 2 * queen + jack
    quick = (
        2.0
        if ace and king
        else 1.5
        if ace and queen
        else 1.0
        if ace or (king and queen)
        else 0.5 * (king and length > 1)
    )
    wins = [ace, king if length > 1 else 0, queen if length > 2 else 0]
    losers = min(length, 3) - sum(wins)
    return [
        length, hcp, ace, king, queen, jack, ten, ace + king + queen, ace + king + queen + jack + ten,
        2 * ace + king, quick, losers, _stopper(length, ace, king, queen, jack, ten),
        _quality(length, ace, king, queen, jack, ten, nine), int(ace and king and queen and (jack or length > 6)),
        int(ace or length == 0), int(ace or length == 0 or (king and length > 1) or length == 1),
    ]  # fmt: skip


def _stopper(length: int, ace: int, king: int, queen: int, jack: int, ten: int) -> int:
    """0 no stopper, 1 half a stopper, 2 sure enough, 3 good, 4 double."""
    if (
        (ace and king)
        or (ace and queen and length > 2)
        or (king and queen and jack and length > 3)
        or (ace and jack and ten)
    ):
        return 4
    if ace or (king and queen and length > 2):
        return 3
    if (
        (king and length > 1)
        or (queen and jack and length > 2)
        or (queen and ten and length > 2)
        or (queen and length > 3)
    ):
        return 2
    return int(
        (queen and length > 2) or (king and length == 1) or (jack and length > 3) or (queen and length == 2 and jack)
    )


def _quality(length: int, ace: int, king: int, queen: int, jack: int, ten: int, nine: int) -> int:
    """0 bad to 9 excellent: two for each of A K Q, one for J and T that have company, a card for length over five."""
    tops = ace + king + queen
    score = 2 * tops + (jack if tops else 0) + (ten if tops or jack else 0) + (nine if tops and ten else 0)
    return min(9, max(0, score + (1 if length >= 6 else 0) + (1 if length >= 7 else 0)))


@cache
def suit_table() -> NDArray[np.float32]:
    """[8192, suit features]: every holding."""
    return np.array([_suit_row(holding) for holding in range(1 << 13)], dtype=np.float32)


@cache
def _suit_rows() -> list[list[float]]:
    return [_suit_row(holding) for holding in range(1 << 13)]


_SHAPES_BALANCED = {(4, 3, 3, 3), (4, 4, 3, 2), (5, 3, 3, 2)}
_SHAPES_SEMI = _SHAPES_BALANCED | {(5, 4, 2, 2), (6, 3, 2, 2)}


@cache
def _shape_row(lengths: tuple[int, int, int, int]) -> tuple[tuple[float, ...], tuple[tuple[int, ...], ...]]:
    """What depends on lengths (C D H S) alone."""
    ordered = tuple(sorted(lengths, reverse=True))
    long_points = sum(max(0, n - 4) for n in lengths)
    row = (
        long_points,
        int(ordered in _SHAPES_BALANCED),
        int(ordered in _SHAPES_SEMI),
        ordered[0],
        ordered[3],
        ordered[1],
        int("".join(map(str, (min(n, 9) for n in ordered)))),
        sum(n > 3 for n in lengths),
        ordered[0] + ordered[1],
        lengths[3],
    )
    support = tuple(_support(lengths, suit) for suit in range(4))
    return row, support


def _support(lengths: tuple[int, int, int, int], trumps: int) -> tuple[int, ...]:
    """Shortness points for a raise, whether the suit is the longest, and the number of short suits."""
    held = lengths[trumps]
    scale = {0: 5, 1: 3, 2: 1} if held >= 4 else {0: 3, 1: 2, 2: 1} if held == 3 else {}
    short = sum(scale.get(n, 0) for suit, n in enumerate(lengths) if suit != trumps)
    return short, int(held == max(lengths)), sum(n < 2 for suit, n in enumerate(lengths) if suit != trumps)


def features_of(mask: int, *, wide: bool = False) -> list[float]:
    """The feature vector of one hand, given as a 52-bit set; with those of the registry when it is to be wide."""
    if wide:
        return [*features_of(mask), *map(float, features([mask], _CODES)[0])]
    rows = _suit_rows()
    c, d, h, s = (rows[mask >> shift & 8191] for shift in (0, 13, 26, 39))
    shape, support = _shape_row((int(c[0]), int(d[0]), int(h[0]), int(s[0])))
    hcp, aces, kings, queens = (
        c[1] + d[1] + h[1] + s[1],
        c[2] + d[2] + h[2] + s[2],
        c[3] + d[3] + h[3] + s[3],
        c[4] + d[4] + h[4] + s[4],
    )
    quick, losers = c[10] + d[10] + h[10] + s[10], c[11] + d[11] + h[11] + s[11]
    longest = max((c, d, h, s), key=lambda suit: (suit[0], suit[13]))
    hand = [
        hcp, hcp + shape[0], aces, kings, queens, c[6] + d[6] + h[6] + s[6], c[9] + d[9] + h[9] + s[9], quick, losers,
        *shape[1:8], hcp + shape[8], hcp + shape[9], _opening(hcp, shape[8], quick, shape[0]),
        _playing(longest, quick),
    ]  # fmt: skip
    result = [*c, *d, *h, *s, *hand]
    for suit, row in enumerate((c, d, h, s)):
        short, long, singles = support[suit]
        result += [hcp + (short or 0), aces + row[3], long, losers, singles]
    return result


def _opening(hcp: float, two_longest: float, quick: float, long_points: float) -> float:
    """Opening strength: points, with a rule-of-twenty hand of 10-11 and two quick tricks counted as twelve."""
    points = hcp + long_points
    if points < 12 and hcp >= 10 and hcp + two_longest >= 20 and quick >= 2:
        return 12
    return points


def _playing(longest: list[float], quick: float) -> float:
    """Playing tricks of a one-suited hand: the long suit's length less its losers, and the side's quick tricks."""
    return max(0.0, longest[0] - longest[11]) + max(0.0, quick - longest[10])


@cache
def _shape_table() -> NDArray[np.float32]:
    """[14 * 14 * 14, 22]: what depends on lengths alone, at clubs + 14 * diamonds + 196 * hearts."""
    table = np.zeros((14**3, 22), dtype=np.float32)
    for clubs in range(14):
        for diamonds in range(14 - clubs):
            for hearts in range(14 - clubs - diamonds):
                row, support = _shape_row((clubs, diamonds, hearts, 13 - clubs - diamonds - hearts))
                table[clubs + 14 * diamonds + 196 * hearts] = [*row, *(x for suit in support for x in suit)]
    return table


def features_of_batch(masks: NDArray[np.uint64], *, wide: bool = False) -> NDArray[np.float32]:
    """[n, features]: the feature vectors of many hands of thirteen cards, all at once."""
    table, n = suit_table(), len(masks)
    result = np.empty((n, WIDTH if wide else BASE), dtype=np.float32)
    if wide:
        result[:, BASE:] = features(masks, _CODES)
    for suit in range(4):
        holdings = ((masks >> np.uint64(13 * suit)) & np.uint64(8191)).astype(np.intp)
        result[:, suit * _WIDTH : (suit + 1) * _WIDTH] = table[holdings]
    suits = result[:, :_HAND].reshape(n, 4, _WIDTH)
    lengths = suits[:, :, 0].astype(np.intp)
    shape = _shape_table()[lengths[:, 0] + 14 * lengths[:, 1] + 196 * lengths[:, 2]]
    total = suits.sum(axis=1)
    hcp, quick, losers = total[:, 1], total[:, 10], total[:, 11]
    hand = result[:, _HAND:_SUPPORT]
    for column, values in enumerate((hcp, hcp + shape[:, 0], *(total[:, i] for i in (2, 3, 4, 6, 9)), quick, losers)):
        hand[:, column] = values
    hand[:, 9:16] = shape[:, 1:8]
    hand[:, 16], hand[:, 17] = hcp + shape[:, 8], hcp + shape[:, 9]
    points = hcp + shape[:, 0]
    light = (points < 12) & (hcp >= 10) & (hcp + shape[:, 8] >= 20) & (quick >= 2)
    hand[:, 18] = np.where(light, 12, points)
    best = np.argmax(suits[:, :, 0] * 16 + suits[:, :, 13], axis=1)
    longest = suits[np.arange(n), best]
    hand[:, 19] = np.maximum(0, longest[:, 0] - longest[:, 11]) + np.maximum(0, quick - longest[:, 10])
    for suit in range(4):
        start = _SUPPORT + 5 * suit
        short, long, singles = (shape[:, 10 + 3 * suit + i] for i in range(3))
        columns = (hcp + short, total[:, 2] + suits[:, suit, 3], long, losers, singles)
        for column, values in enumerate(columns):
            result[:, start + column] = values
    return result
