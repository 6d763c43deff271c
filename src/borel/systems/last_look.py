"""A last look before a call that may end the auction: is this where we want to play?

The rules speak of what partner has promised. What he probably has is in the bank of hands (`population.py`): those
that have bid as he has, weighed by how well they go with this hand. Where these say that a suit contract at the three
level or above may well have fewer than seven trumps, the other places are compared by what they may be expected to
score, and the auction goes on if one is better. A slam that is probably off two aces is not bid if there is a lower
place.

Such ends are so many that mending them one by one did not make them rarer: each comes once in ten thousand boards. All
that is asked here depends on the point of the auction and on a few numbers of the hand, so single decisions and batches
see the same. How a call is *read* does not change: partner reads it by the agreements, and a new suit as natural.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from borel.auction import Contract
from borel.cards import Seat, Strain
from borel.scoring import score
from borel.systems.constraints import ANYTHING
from borel.systems.context import Context, Force
from borel.systems.errors import Place
from borel.systems.hand import HCP, LENGTHS, index_of
from borel.systems.options import Option
from borel.systems.patterns import GAME_LEVEL
from borel.systems.population import bank
from borel.systems.syntax import Block, CallSpec, Rule
from borel.systems.system import SPECIFIC

if TYPE_CHECKING:
    from borel.systems.position import Position

Numbers = Sequence[float] | NDArray[np.float32]  # of a hand, as `hand.py` counts them

__all__ = ["LONG", "LastLook", "leaves_partner", "looked_at", "may_end"]

PASS, NOTRUMP, FOUR_NOTRUMP = 0, 4, 22
ENOUGH_TRUMPS, ENOUGH_ACES = 7, 3
LOWEST, SLAM = 3, 6  # levels from which suit contracts, and all contracts, are looked at
HIGHEST, HIGHEST_NOTRUMP = 5, 3  # levels of other places
ASKED = 300  # of partner's hands
STOPPED = 2
# Chosen on tuning boards (seeds 9301 and 9821): the chance of too few trumps from which on other places are compared
# (more for a jump or an agreed bid, which tells of strength too), what too few trumps cost beyond their tricks, and the
# points by which another place must be better. `docs/bidding-notes.md` has the gain.
DOUBTFUL, DOUBTFUL_AGREED, SHORT_OF_TRUMPS, BETTER = 0.10, 0.12, 500.0, 15.0
# Five cards of one's own do at the four (five) level if the chance of too few trumps here is so great, and with so
# many points.
LOST, QUITE_LOST, SOME = 0.35, 0.6, 8
LONG, SHORTEST = 6, 4  # cards of a suit that partner has not bid: above the three level, and anywhere
OPENING = 12  # points; a hand with fewer and six cards of a suit has preempted and does not choose notrump
HONEST = 5  # cards are enough for a suit of one's own where there is no better place, though six may be read
NEW_AND_HIGH = 20.0  # points that a new suit at the five level must be better by: a judgement, not measured
TWO_ACES_OFF = HALF = 0.5
TWO_ACES_OFF_NT = 0.3  # of six notrump on an invitation that may be passed
DOUBTFUL_INSISTED, NEVER = 0.5, 2.0  # of partner's suit that he has bid twice, with a singleton or void; with more

# Double-dummy tricks with four to eleven trumps: so many with 20 points and trumps evenly divided, so much for each
# point more, and for each card by which one hand's trumps are longer (`benchmarks/trump_tricks.py`: 12,000 deals, sides
# with 16 to 30 points; a residual is 1.1 tricks). Six trumps are worth a trick and a half less than seven.
TRICKS = np.array(
    [
        (3.33, 3.33, 3.33, 3.33, 3.33, 3.86, 5.10, 6.73, 8.11, 8.88, 9.37, 9.84),
        (0.34, 0.34, 0.34, 0.34, 0.34, 0.39, 0.43, 0.43, 0.37, 0.31, 0.28, 0.25),
        (0.18, 0.18, 0.18, 0.18, 0.18, 0.29, 0.25, 0.16, 0.06, 0.07, 0.09, 0.07),
    ]
)
NOTRUMP_TRICKS = (6.03, 0.52)
UNSTOPPED = 2.0  # tricks fewer in notrump where they run their suit: a judgement
SPREAD = 1.1
STEPS = 10  # in one trick

ACES = index_of("aces")
HONOURS = tuple(index_of(name, suit) for name in ("ace", "king") for suit in range(4))
STOPPERS = tuple(index_of("stopper", suit) for suit in range(4))
_DIGITS = np.array((1, 14, 14**2, 14**3))  # lengths as one number


def _level(call: int) -> int:
    return (call + 2) // 5


def _strain(call: int) -> int:
    return (call - 3) % 5


def our_contract(context: Context) -> int:
    """The last bid, if it is ours; -1 if not."""
    return context.last_bid if context.last_bidder >= 0 and context.last_bidder % 2 == context.turn % 2 else -1


def may_end(context: Context, call: int) -> bool:
    """Whether a call leaves us in a suit at the three level or above, or bids a slam."""
    if call == PASS:
        place = our_contract(context)
        return place >= 0 and LOWEST <= _level(place) < HIGHEST and _strain(place) != NOTRUMP
    return call >= 3 and _level(call) >= (SLAM if _strain(call) == NOTRUMP else LOWEST)


def leaves_partner(context: Context, call: int) -> bool:
    """Whether a call takes us out of partner's suit at the three level or above into another."""
    now = our_contract(context)
    if call < 3 or now < 0 or context.last_bidder == context.turn or _level(now) < LOWEST:
        return False
    return _strain(now) != NOTRUMP and _strain(call) not in (NOTRUMP, _strain(now))


class LastLook:
    """What partner and the opponents can hold at one point of an auction, and the places where we might play."""

    def __init__(self, position: Position) -> None:
        self._of, self._context = ref(position), position.context  # which keeps this look: no circle of references
        me = self._context.turn
        members = position.seen_by_look((me + 2) % 4)
        features = bank().features[:ASKED] if members is None else bank().features[members[:ASKED]]
        self._lengths, self._points = features[:, LENGTHS].astype(np.int8), features[:, HCP]
        self._honours = features[:, HONOURS].astype(np.int8)
        self._stoppers = features[:, STOPPERS]
        theirs = [self._context.shown[seat] for seat in range(4) if seat % 2 != me % 2]
        self._their_cards = [int(sum(box.low[index] for box in theirs)) for index in LENGTHS]
        self._their_points = sum(box.low[HCP] for box in theirs)
        self._their_suits = self._context.natural[(me + 1) % 4] | self._context.natural[(me + 3) % 4]
        self._to_stop = [suit for suit in range(4) if self._their_suits >> suit & 1]
        self._known: dict[tuple[int, ...], int] = {}
        self._doubted: dict[tuple[int, ...], bool] = {}

    @property
    def _position(self) -> Position:
        position = self._of()
        assert position is not None
        return position

    def revised(self, call: int, hand: Numbers) -> int:
        """The call itself, or a better one."""
        if call != PASS and _level(call) >= SLAM:
            return self._looked(call, hand)  # seldom
        lengths = tuple([int(hand[index]) for index in LENGTHS])
        if not self._is_doubtful(call, lengths):
            return call
        key = (call, *lengths, int(hand[HCP]), *self._stopped(hand))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._looked(call, hand)
        return known

    def revised_batch(self, call: int, hands: NDArray[np.float32]) -> NDArray[np.int64]:
        """[n]: what becomes of the call for each of [n, features] hands; those that are alike are asked together."""
        if call != PASS and _level(call) >= SLAM:
            return np.array([self.revised(call, hand) for hand in hands], dtype=np.int64)
        calls = np.full(len(hands), call, dtype=np.int64)
        codes = hands[:, LENGTHS].astype(np.int64) @ _DIGITS
        _, first, which = np.unique(codes, return_index=True, return_inverse=True)
        lengths = hands[first][:, LENGTHS].astype(np.int64).tolist()
        doubtful = np.array([self._is_doubtful(call, tuple(shape)) for shape in lengths], dtype=np.bool_)
        rows = np.flatnonzero(doubtful[which.reshape(-1)])
        alike = codes[rows] * 40 + hands[rows, HCP].astype(np.int64)
        for suit in self._to_stop:
            alike = alike * (STOPPED + 1) + np.minimum(hands[rows, STOPPERS[suit]], STOPPED).astype(np.int64)
        _, first, which = np.unique(alike, return_index=True, return_inverse=True)
        found = np.array([self.revised(call, hands[rows[place]]) for place in first], dtype=np.int64)
        calls[rows] = found[which.reshape(-1)] if len(rows) else call
        return calls

    def _stopped(self, hand: Numbers) -> list[int]:
        """How well each of their suits is stopped: 0, 1 half, 2."""
        return [min(int(hand[STOPPERS[suit]]), STOPPED) for suit in self._to_stop]

    def _is_doubtful(self, call: int, lengths: tuple[int, ...]) -> bool:
        """Whether there may well be too few trumps."""
        key = (call, *lengths)
        known = self._doubted.get(key)
        if known is None:
            strain = _strain(call if call != PASS else our_contract(self._context))
            short = self._too_few(strain, lengths[strain], self._fitting(lengths))
            least = DOUBTFUL_AGREED if self._is_agreed(call) else DOUBTFUL
            if call == PASS and self._insisted():
                signed_off = self._context.status[self._context.turn % 2] == "sign-off"
                least = DOUBTFUL_INSISTED if lengths[strain] <= 1 and not signed_off else NEVER
            known = self._doubted[key] = short >= least
        return known

    def _is_agreed(self, call: int) -> bool:
        """Whether a bid tells partner more than where we might play: a jump, or an agreement of this auction."""
        jumps = call != PASS and call > self._lowest(_strain(call))
        return jumps or (call != PASS and any(option.call == call for option in self._position.agreements))

    def _lowest(self, strain: int) -> int:
        """The lowest bid of a strain."""
        return self._context.last_bid + 1 + (strain - _strain(self._context.last_bid + 1)) % 5

    def _too_few(self, strain: int, mine: int, weights: NDArray[np.float64]) -> float:
        """The chance that so many trumps and partner's are too few."""
        total = float(weights.sum())
        return float(weights[self._lengths[:, strain] + mine < ENOUGH_TRUMPS].sum()) / total if total else 0.0

    def _looked(self, call: int, hand: Numbers) -> int:
        weights = self._fitting([int(hand[index]) for index in LENGTHS])
        weights *= self._points + hand[HCP] + self._their_points <= 40
        total = float(weights.sum())
        if total == 0:
            return call
        weights /= total
        if call != PASS and _level(call) >= SLAM:
            return self._below_slam(call, hand, weights)
        if not self._may_be_passed(call):
            return call
        now = our_contract(self._context)
        place = call if call != PASS else now
        short = self._too_few(_strain(place), int(hand[LENGTHS[_strain(place)]]), weights)
        best, most = call, self._worth(place, hand, weights) + BETTER
        for other in self._others(call, hand, short):
            suit = _strain(other) if other != PASS else NOTRUMP
            if suit != NOTRUMP and self._too_few(suit, int(hand[LENGTHS[suit]]), weights) >= min(short, HALF):
                continue  # no better: it is short of trumps itself
            value = self._worth(other if other != PASS else now, hand, weights)
            value -= NEW_AND_HIGH if _level(other) == HIGHEST and not self._ours(other) else 0
            if value > most:
                best, most = other, value
        return best

    def _fitting(self, lengths: Sequence[int]) -> NDArray[np.float64]:
        """[n]: how well each of partner's hands goes with these lengths: the share of deals without a common card."""
        weights = np.ones(len(self._lengths))
        for suit, mine in enumerate(lengths):
            weights *= _none_in_common(13)[min(13, mine + self._their_cards[suit]), self._lengths[:, suit]]
        return weights

    def _may_be_passed(self, call: int) -> bool:
        """Whether we may be left there, and it is judgement, not an answer: a natural call that does not force."""
        context, side = self._context, self._context.turn % 2
        if call == PASS:
            strain = _strain(our_contract(context))
            artificial = not context.natural[context.last_bidder] >> strain & 1
            takes_himself_out = artificial and context.doubled > 0 and context.last_bidder != context.turn
            takes_himself_out = takes_himself_out and not context.answered[side]
            return not takes_himself_out and not context.forced(context.turn)
        if context.asked[side] or not any(context.calls[(context.turn + 2) % 4 :: 4]):
            return False  # an answer; or partner has not bid: the rules know best what to show first
        if context.force[side] == Force.GAME and _level(call) < GAME_LEVEL[_strain(call)]:
            return False
        return self._is_plain(call) and (self._shows_length(call) or self._has_named(_strain(call)))

    def _insisted(self) -> bool:
        """Whether partner has bid his suit twice from the three level on, or again at game: he knows what we have."""
        context, strain = self._context, _strain(our_contract(self._context))
        his = [call for i, call in enumerate(context.calls) if i % 4 == (context.turn + 2) % 4 and call >= 3]
        levels = [_level(call) for call in his if _strain(call) == strain]
        return len(levels) > 1 and (levels[-2] >= LOWEST or levels[-1] >= GAME_LEVEL[strain])

    def _others(self, call: int, hand: Numbers, short: float) -> Iterator[int]:
        """The other places: notrump, and the suits that are not theirs, as low as possible; and a pass."""
        context, now = self._context, our_contract(self._context)
        for strain in range(5):
            other = self._lowest(strain)
            if strain == _strain(call if call != PASS else now) or other > 37 or self._their_suits >> strain & 1:
                continue
            highest = HIGHEST if strain != NOTRUMP else HIGHEST_NOTRUMP
            if _level(other) > highest or self._is_guess(other, hand, short) or not self._is_plain(other):
                continue
            if self._is_honest(other, hand):
                yield other
        if call != PASS and now >= 0 and not context.forced(context.turn):
            yield PASS

    def _is_guess(self, call: int, hand: Numbers, short: float) -> bool:
        """Whether a bid above the three level is on too little: a suit of one's own, and fewer than six cards of it.

        Five do for a hand of some strength where the present place may very well have too few trumps.
        """
        strain = _strain(call)
        if strain == NOTRUMP or _level(call) <= LOWEST or hand[LENGTHS[strain]] >= LONG:
            return False
        lost = short >= (LOST if _level(call) < HIGHEST else QUITE_LOST)
        return not self._is_his(call) and (not lost or hand[HCP] < SOME)

    def _is_honest(self, call: int, hand: Numbers) -> bool:
        """Whether a suit is about as long as it is read, and notrump no preemptor's choice."""
        strain, shown = _strain(call), self._position.meaning(call).typical.low
        if strain == NOTRUMP:
            mine = self._context.shown[self._context.turn]
            preempted = mine.high[HCP] < OPENING and max(mine.low[index] for index in LENGTHS) >= LONG
            return not preempted
        if hand[LENGTHS[strain]] < SHORTEST and not self._has_named(strain):
            return False  # what he probably has in a suit that he has not bid is no promise
        if self._context.natural[self._context.turn] >> strain & 1 and not self._has_named(strain):
            return bool(hand[LENGTHS[strain]] >= HONEST)  # a suit that is bid again is longer than it was
        return bool(hand[LENGTHS[strain]] >= min(shown[LENGTHS[strain]], HONEST))

    def _is_his(self, call: int) -> bool:
        """Whether partner has shown the suit of a bid: to bid it is to prefer it, whatever else it shows."""
        return bool(self._context.natural[(self._context.turn + 2) % 4] >> _strain(call) & 1)

    def _has_named(self, suit: int) -> bool:
        """Whether to bid a suit is to prefer it: partner has bid it, or shown it with another one."""
        partner = (self._context.turn + 2) % 4
        named = any(call >= 3 and _strain(call) == suit for call in self._context.calls[partner::4])
        return self._is_his(3 + suit) and (named or self._context.natural[partner].bit_count() >= 2)

    def _ours(self, call: int) -> bool:
        """Whether one of us has shown the suit of a bid; a new one may be taken for something else."""
        me = self._context.turn
        return bool((self._context.natural[me] | self._context.natural[(me + 2) % 4]) >> _strain(call) & 1)

    def _is_plain(self, call: int) -> bool:
        """Whether a bid would be read as an offer to play."""
        meaning = self._position.meaning(call)
        if meaning.asks or meaning.conventions or meaning.force != Force.NONE or meaning.status == "forcing":
            return False
        return _strain(call) == NOTRUMP or not meaning.options or self._shows_length(call) or self._is_his(call)

    def _shows_length(self, call: int) -> bool:
        return self._position.meaning(call).typical.low[LENGTHS[_strain(call)]] >= 3

    def _worth(self, place: int, hand: Numbers, weights: NDArray[np.float64]) -> float:
        """The score that a contract may be expected to bring, less a fine for too few trumps."""
        points, strain, fine = self._points + hand[HCP] - 20, _strain(place), 0.0
        if strain == NOTRUMP:
            tricks = NOTRUMP_TRICKS[0] + NOTRUMP_TRICKS[1] * points - UNSTOPPED * self._open(hand)
        else:
            mine, his = int(hand[LENGTHS[strain]]), self._lengths[:, strain]
            base, by_point, uneven = TRICKS[:, np.minimum(mine + his, 11)]
            tricks = base + by_point * points + uneven * np.abs(mine - his)
            fine = SHORT_OF_TRUMPS * float(weights[mine + his < ENOUGH_TRUMPS].sum())
        doubled = self._context.doubled > 0 and our_contract(self._context) >= 0
        scores = _scores(place, vulnerable=self._position.scene.vulnerable[0], doubled=doubled)
        steps = np.clip(np.rint(tricks * STEPS), 0, 13 * STEPS).astype(np.int64)
        return float(weights @ scores[steps]) - fine

    def _open(self, hand: Numbers) -> NDArray[np.bool_]:
        """[n]: whether one of their suits is stopped by neither hand."""
        stopped = np.ones(len(self._stoppers), dtype=np.bool_)
        for suit in self._to_stop:
            stopped &= self._stoppers[:, suit] + hand[STOPPERS[suit]] >= STOPPED
        return ~stopped

    def _below_slam(self, call: int, hand: Numbers, weights: NDArray[np.float64]) -> int:
        """The slam, or a lower place in the same suit where two aces are probably missing; a void needs no ace."""
        mine = np.array([hand[index] for index in HONOURS])
        fitting = weights * (self._honours @ mine == 0)  # no ace or king is in both hands: it tells keycards from aces
        total, strain = float(fitting.sum()), _strain(call)
        voids = sum(hand[index] == 0 for index in LENGTHS)
        off = self._honours[:, :4].sum(axis=1) + hand[ACES] + voids < ENOUGH_ACES
        context, now = self._context, our_contract(self._context)
        invited = strain == NOTRUMP and now == FOUR_NOTRUMP and not context.forced(context.turn)
        if total == 0 or float(fitting[off].sum()) < (TWO_ACES_OFF_NT if invited else TWO_ACES_OFF) * total:
            return call
        if strain == NOTRUMP and not invited:
            return call
        if now >= 0 and _strain(now) == strain and not context.forced(context.turn):
            return PASS
        lower = self._lowest(strain)
        return lower if _level(lower) < SLAM and self._is_plain(lower) else call


@cache
def _none_in_common(cards: int) -> NDArray[np.float64]:
    """[gone, held]: the chance that so many of these cards are none of those that are gone."""
    table = np.zeros((cards + 1, cards + 1))
    for gone in range(cards + 1):
        chance = 1.0
        for held in range(cards + 1):
            table[gone, held] = chance
            chance *= max(0, cards - gone - held) / max(1, cards - held)
    return table


@cache
def _scores(place: int, *, vulnerable: bool, doubled: bool) -> NDArray[np.float64]:
    """[steps]: the mean score of a contract by the mean number of tricks. Two down are doubled half of the time."""
    contracts = [Contract(_level(place), Strain(_strain(place)), Seat.N, times) for times in (0, 1)]
    plain, double = ([score(c, made, vulnerable=vulnerable) for made in range(14)] for c in contracts)
    down = contracts[0].tricks_needed - np.arange(14)
    values = np.array(double) if doubled else np.where(down >= 2, (np.array(plain) + double) / 2, plain)
    means = np.arange(13 * STEPS + 1)[:, None] / STEPS
    chances = np.exp(-(((np.arange(14) - means) / SPREAD) ** 2) / 2)
    return np.asarray((chances * values).sum(axis=1) / chances.sum(axis=1))


_PLACE = Place("last_look.py", 1)
_BLOCK = Block("whenever", "last look", _PLACE)
_RULE = Rule(_BLOCK, "", (CallSpec("any"),), "a better place", _PLACE, clauses={"named": "last look"})


@cache
def looked_at(call: int) -> Option:
    """The option that a last look gives in place of the rules' own."""
    words = "nothing better" if call == PASS else "the other place has probably too few trumps, or aces"
    return Option(call, ANYTHING, SPECIFIC, 0, _RULE, {}, ANYTHING, meaning=words)
