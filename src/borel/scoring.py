"""Scores: Laws of Duplicate Bridge 2017, Laws 77 and 78; the WBF victory-point scale; par.

A score is in points: declarer's side's where a function takes a contract, North-South's where its name says so.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from borel.auction import ALL_CALLS, Call, Contract
from borel.cards import Side, Strain, _Named
from borel.deal import Vulnerability
from borel.errors import BridgeError, ParseError

__all__ = [
    "Par",
    "Result",
    "Scoring",
    "butler",
    "cross_imps",
    "datum",
    "imps",
    "matchpoints",
    "ns_score",
    "par",
    "score",
    "victory_points",
]


class Scoring(_Named):
    """The form of scoring, which decides what a player aims for.

    >>> Scoring.parse("MP"), str(Scoring.IMPS)
    (Scoring.MATCHPOINTS, 'IMPs')
    """

    IMPS = 0
    MATCHPOINTS = 1
    TOTAL = 2

    @classmethod
    def parse(cls, text: str) -> Scoring:
        """Read ``IMPs``, ``MP`` or ``total``; PBN's and BBO's names too."""
        scoring = _SCORINGS.get(text.strip().upper().partition(";")[0])
        if scoring is None:
            raise ParseError("form of scoring (IMPs, matchpoints or total)", text)
        return scoring

    def __str__(self) -> str:
        return ("IMPs", "matchpoints", "total")[self]


_SCORINGS = dict.fromkeys(("IMP", "IMPS", "I", "BUTLER", "CAVENDISH"), Scoring.IMPS)
_SCORINGS |= dict.fromkeys(("MP", "MATCHPOINTS", "PAIRS", "P", "BAM", "B"), Scoring.MATCHPOINTS)
_SCORINGS |= {"TOTAL": Scoring.TOTAL, "RUBBER": Scoring.TOTAL}

# Law 77. Trick values by strain; the first notrump trick is worth ten more.
TRICK_VALUE = {Strain.C: 20, Strain.D: 20, Strain.H: 30, Strain.S: 30, Strain.NT: 30}
GAME_BONUS = {False: 300, True: 500}
PART_SCORE_BONUS = 50
SMALL_SLAM_BONUS = {False: 500, True: 750}
GRAND_SLAM_BONUS = {False: 1000, True: 1500}
DOWN_DOUBLED = {False: (100, 200, 200), True: (200, 300, 300)}  # 1st, 2nd, 3rd; then 300 each


def score(contract: Contract, tricks: int, *, vulnerable: bool) -> int:
    """Declarer's side's points for taking this many tricks.

    >>> score(Contract.parse("4SX by N"), 10, vulnerable=True), score(Contract.parse("3NT by W"), 7, vulnerable=False)
    (790, -100)
    """
    if not 0 <= tricks <= 13:
        raise BridgeError(f"declarer takes 0 to 13 tricks, not {tricks}")
    over = tricks - contract.tricks_needed
    return _made(contract, over, vulnerable=vulnerable) if over >= 0 else -_down(contract, -over, vulnerable=vulnerable)


def _made(contract: Contract, overtricks: int, *, vulnerable: bool) -> int:
    level, strain, doubled = contract.level, contract.strain, contract.doubled
    trick_points = (level * TRICK_VALUE[strain] + (10 if strain is Strain.NT else 0)) << doubled
    points = trick_points + (GAME_BONUS[vulnerable] if trick_points >= 100 else PART_SCORE_BONUS)
    if level == 6:
        points += SMALL_SLAM_BONUS[vulnerable]
    if level == 7:
        points += GRAND_SLAM_BONUS[vulnerable]
    if doubled:
        return points + 50 * doubled + overtricks * 100 * doubled * (2 if vulnerable else 1)
    return points + overtricks * TRICK_VALUE[strain]


def _down(contract: Contract, undertricks: int, *, vulnerable: bool) -> int:
    if not contract.doubled:
        return undertricks * (100 if vulnerable else 50)
    first_three = sum(DOWN_DOUBLED[vulnerable][:undertricks])
    return contract.doubled * (first_three + 300 * max(0, undertricks - 3))


def ns_score(contract: Contract | None, tricks: int, vulnerability: Vulnerability) -> int:
    """North-South's points; a board passed out (no contract) scores zero."""
    if contract is None:
        return 0
    points = score(contract, tricks, vulnerable=vulnerability.includes(contract.side))
    return points if contract.side is Side.NS else -points


@dataclass(frozen=True, slots=True)
class Result:
    """A contract with the tricks declarer took.

    >>> result = Result(Contract.parse("4S by N"), 11)
    >>> str(result), result.ns_score(Vulnerability.NONE), Result.parse("3NTX by E -2").tricks
    ('4S by N +1', 450, 7)
    """

    contract: Contract
    tricks: int

    @classmethod
    def parse(cls, text: str) -> Result:
        """Read ``4S by N +1``, ``4S by N =`` or ``4S by N -2``."""
        contract_text, _, over = text.strip().rpartition(" ")
        contract = Contract.parse(contract_text) if contract_text else None
        sign, digits = over[:1], over[1:]
        if contract is None or sign not in ("+", "-", "=") or (sign != "=") != digits.isdecimal() or len(digits) > 2:
            raise ParseError("result", text, why="expected a contract and =, +1 or -1")
        return cls(contract, contract.tricks_needed + (0 if sign == "=" else int(over)))

    def __post_init__(self) -> None:
        if not 0 <= self.tricks <= 13:
            raise BridgeError(f"declarer takes 0 to 13 tricks, not {self.tricks}")

    @property
    def over(self) -> int:
        """Tricks above the contract; negative when it went down."""
        return self.tricks - self.contract.tricks_needed

    def ns_score(self, vulnerability: Vulnerability) -> int:
        """North-South's points."""
        return ns_score(self.contract, self.tricks, vulnerability)

    def __str__(self) -> str:
        return f"{self.contract} {'=' if self.over == 0 else format(self.over, '+d')}"


# Law 78B: the least difference in points for 1, 2, ... 24 IMPs.
_IMP_STEPS: tuple[int, ...] = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500),
    *(3000, 3500, 4000),
)


def imps(difference: float) -> int:
    """International match points for a difference in points (Law 78B).

    >>> imps(430), imps(-10), imps(-4000)
    (10, 0, -24)
    """
    size = bisect_right(_IMP_STEPS, abs(difference))
    return size if difference >= 0 else -size


def matchpoints(scores: Sequence[float]) -> list[float]:
    """Each score's matchpoints: two for each other score that it beats, one for a tie (Law 78A).

    >>> matchpoints([420, 450, 420, -50])
    [3, 6, 3, 0]
    """
    return [sum(2 * (mine > other) + (mine == other) for other in scores) - 1 for mine in scores]


def datum(scores: Sequence[float], *, drop: int = 0) -> int:
    """The mean score rounded to tens, with the extreme ``drop`` scores at each end left out.

    >>> datum([420, 450, 420, -50]), datum([420, 450, 420, -50], drop=1)
    (310, 420)
    """
    kept = sorted(scores)[drop : len(scores) - drop]
    if not kept:
        raise BridgeError("no scores are left to take a datum of")
    return round(sum(kept) / len(kept) / 10) * 10


def butler(scores: Sequence[float], *, drop: int = 0) -> list[int]:
    """IMPs of each score against the datum.

    >>> butler([420, 450, 420, -50])
    [3, 4, 3, -8]
    """
    middle = datum(scores, drop=drop)
    return [imps(mine - middle) for mine in scores]


def cross_imps(scores: Sequence[float]) -> list[float]:
    """The mean IMPs of each score against every other.

    >>> cross_imps([420, 420, -50])
    [5.0, 5.0, -10.0]
    """
    others = max(1, len(scores) - 1)
    return [sum(imps(mine - other) for other in scores) / others for mine in scores]


_GOLDEN: float = (sqrt(5) - 1) / 2


def victory_points(margin: float, boards: int) -> float:
    """Victory points out of 20 on the WBF's continuous scale of 2013, for a margin in IMPs over so many boards.

    >>> victory_points(0, 16), victory_points(10, 16), victory_points(-10, 16), victory_points(60, 16)
    (10.0, 12.8, 7.2, 20.0)
    """
    if boards < 1:
        raise BridgeError(f"a match has at least one board, not {boards}")
    blitz = 15 * sqrt(boards)
    share = min(1.0, (1 - pow(_GOLDEN, 3 * abs(margin) / blitz)) / (1 - pow(_GOLDEN, 3)))
    points: float = round(10 + 10 * share, 2)
    return points if margin >= 0 else round(20 - points, 2)


@dataclass(frozen=True, slots=True)
class Par:
    """The score that best bidding by both sides leads to (in North-South's points), and the contracts that reach it."""

    ns_score: int
    results: tuple[Result, ...]

    def __str__(self) -> str:
        return f"{self.ns_score:+d}: " + (", ".join(map(str, self.results)) if self.results else "passed out")


def par(tricks: Sequence[Sequence[int]], vulnerability: Vulnerability, first: Side) -> Par:
    """Par when ``first`` (dealer's side) may bid first; ``tricks[strain][declarer]`` is the double-dummy table.

    Each side in turn may stop, or bid anything higher that it likes; contracts that fail are doubled. Solved from 7NT
    downwards. Who may bid first matters only when both sides can make the same contract.
    """
    best = {side: [max(tricks[strain][seat] for seat in side.seats) for strain in Strain] for side in Side}
    # above[side]: the best that `side` can get by bidding higher than the bid under consideration; None: no bid is left
    above: dict[Side, int | None] = {Side.NS: None, Side.EW: None}
    settled: list[tuple[Call, Side]] = []  # where the other side does best to let the bid stand
    for bid in reversed(ALL_CALLS[3:]):
        values = {}
        for side in Side:
            stop = _par_score(bid, side, best[side][bid.strain], vulnerability)
            raised = above[side.other]
            values[side] = stop if raised is None else _better(side.other, stop, raised)
            # A bid that the other side may raise at no cost, to be overbid in turn, is not where the auction ends.
            if values[side] == stop != raised:
                settled.append((bid, side))
        above = {side: _better(side, values[side], above[side]) for side in Side}
    opened = {side: above[side] or 0 for side in Side}
    passed = _better(first.other, 0, opened[first.other])  # what comes of the first side's pass
    value = _better(first, passed, opened[first])
    return Par(value, _par_results(value, reversed(settled), tricks, vulnerability) if value else ())


def _better(side: Side, a: int, b: int | None) -> int:
    if b is None:
        return a
    return max(a, b) if side is Side.NS else min(a, b)


def _par_score(bid: Call, side: Side, tricks: int, vulnerability: Vulnerability) -> int:
    """North-South's points when a side plays this bid, doubled if it fails."""
    return ns_score(Contract(bid.level, bid.strain, side.seats[0], int(tricks < bid.level + 6)), tricks, vulnerability)


def _par_results(
    value: int, settled: Iterable[tuple[Call, Side]], tricks: Sequence[Sequence[int]], vulnerability: Vulnerability
) -> tuple[Result, ...]:
    """The contracts that stand and score par, cheapest first."""
    results = []
    for bid, side in settled:
        for seat in side.seats:
            taken = int(tricks[bid.strain][seat])
            contract = Contract(bid.level, bid.strain, seat, int(taken < bid.level + 6))
            if ns_score(contract, taken, vulnerability) == value:
                results.append(Result(contract, taken))
    return tuple(results)
