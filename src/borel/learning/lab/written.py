"""Rules read off what a pair has learnt, as a `.bid` file that any bidder can use.

The thesis has a commercial program read rules off its openings (9.1) and doubts that a player can use them. Here each
sequence of calls gets a small tree of lengths and points, grown by what the calls are worth; a leaf is a rule. A tree
is grown from the hands that come there by the rules before it, not by the tables: so every rule can be reached. The
opponents' part is silent: where they bid, the system says nothing and passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS
from borel.learning.lab.learnt import NO_CALL, Situation, Values, renamed_hands
from borel.learning.lab.natural import silent_scores
from borel.learning.lab.openings import STRENGTHS
from borel.learning.lab.pairs import PairDeals
from borel.learning.lab.qtable import QPair
from borel.learning.lab.trees import Leaf, Ranges, Tree, actions_of, grow, leaves

__all__ = ["Written", "read_off"]

FEATURES = ("S", "H", "D", "C", "hcp")
EVERYTHING: Ranges = {0: (0, 13), 1: (0, 13), 2: (0, 13), 3: (0, 13), 4: (0, 37)}
DEPTH = 8  # of a situation's tree, at most
MANY = 6_000  # deals from which rules are read off, each in 24 renamings of the suits


@dataclass(frozen=True, slots=True)
class Written:
    """For each sequence of the pair's calls its tree, and the calls that the tree's actions stand for."""

    pair: QPair
    trees: dict[tuple[int, ...], tuple[Tree, tuple[int, ...]]] = field(default_factory=dict)

    def text(self, name: str = "learnt") -> str:
        """The system in the language of rules."""
        lines = [
            f'system {name} "Learnt from results alone"',
            "# Read off the tables of a pair that learnt without opponents; where they bid, it passes.",
            "",
        ]
        for calls in sorted(self.trees, key=lambda calls: (len(calls), calls)):
            lines += [_header(calls), *_rules(*self.trees[calls]), ""]
        return "\n".join(lines).rstrip() + "\n"

    def calls_of(self, calls: tuple[int, ...], hands: NDArray[np.int64]) -> NDArray[np.int64]:
        """[n]: what hands call after a sequence; a pass where the rules say nothing."""
        if calls not in self.trees:
            return np.zeros(len(hands), np.int64)
        tree, options = self.trees[calls]
        return np.asarray(np.array(options)[actions_of(tree, _seen(self.pair, hands))])

    def scores(self, deals: PairDeals) -> NDArray[np.float32]:
        """[n]: what the rules score, suits as they were dealt."""
        hands = deals.hands.astype(np.int64)
        bid = np.full((len(deals), self.pair.settings.calls), NO_CALL, np.uint8)
        waiting: list[tuple[tuple[int, ...], NDArray[np.int64]]] = [((), np.arange(len(deals)))]
        while waiting:
            calls, rows = waiting.pop()
            made = self.calls_of(calls, hands[rows, len(calls) % 2])
            bid[rows, len(calls)] = made
            waiting += _followed(calls, rows, made, self.pair.settings.calls)
        return silent_scores(bid, deals.tricks)


def read_off(pair: QPair, *, deals: int = MANY, least: float = 0.0002, worth: float = 0.01) -> Written:
    """Rules for every sequence that comes up so often by the rules before; a split gains ``worth`` points a deal."""
    some = pair.training.of(slice(0, deals))
    hands = renamed_hands(pair, some).reshape(-1, 2)
    written, table = Written(pair), Values(pair)
    waiting: list[tuple[tuple[int, ...], NDArray[np.int64]]] = [((), np.arange(len(hands)))]
    while waiting:
        calls, rows = waiting.pop()
        met, counts = np.unique(hands[rows, len(calls) % 2], return_counts=True)
        one = _given(pair, met, counts / len(hands)) if not calls else None
        one = table.situation(calls, met, counts, len(hands)) if one is None else one
        if len(one.hands) < 2 or one.weight < least:
            written.trees[calls] = (Leaf(0, one.weight), (0,))  # too rare to have learnt anything: a pass
            continue
        tree = grow(
            _seen(pair, one.hands), one.values, one.weights,
            worth=worth, depth=DEPTH if calls else 2 * DEPTH, least=least / 10,
        )  # fmt: skip
        written.trees[calls] = (tree, one.options)
        made = written.calls_of(calls, hands[rows, len(calls) % 2])
        waiting += _followed(calls, rows, made, pair.settings.calls)
        if len(calls) + 1 == pair.settings.calls:  # "a pass was automatically added" (9.1)
            ends = np.unique(made[made > 0]).tolist()
            written.trees.update({(*calls, call): (Leaf(0, 0.0), (0,)) for call in ends})
    return written


def _followed(
    calls: tuple[int, ...], rows: NDArray[np.int64], made: NDArray[np.int64], most: int
) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64]]]:
    """The sequences that go on after some calls, with their deals."""
    for call in np.unique(made).tolist():
        is_over = (call == 0 and len(calls) > 0) or len(calls) + 1 == most
        if not is_over:
            yield (*calls, call), rows[made == call]


def _given(pair: QPair, hands: NDArray[np.int64], weights: NDArray[np.float64]) -> Situation | None:
    """The given openings as a situation: a tree of it is wrong nowhere that matters. None where they are learnt."""
    openings = pair.openings.openings(pair.shapes).astype(np.int64)
    if (openings == NO_CALL).any():
        return None
    options = tuple(np.unique(openings[hands]).tolist())
    values = (openings[hands][:, None] == np.array(options)[None, :]) * 100.0
    return Situation((), hands, weights, values, options)


def _seen(pair: QPair, hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """[n, 5]: lengths of spades, hearts, diamonds and clubs, and points."""
    return np.concatenate([np.array(pair.shapes)[hands // STRENGTHS], (hands % STRENGTHS)[:, None]], axis=1)


def _header(calls: tuple[int, ...]) -> str:
    if not calls:
        return "open unless partner.passed"
    passed = calls[0] == 0
    # Who of the two has passed tells P 1C from 1C: then opener, who is to call after an even number of calls.
    who = "passed" if (len(calls) % 2 == 0) == passed else "partner.passed"
    bids = " ".join(str(ALL_CALLS[call]) for call in calls[passed:])
    return f"{f'after {bids}' if bids else 'open'} {'when' if passed else 'unless'} {who}"


def _rules(tree: Tree, options: tuple[int, ...]) -> Iterator[str]:
    for ranges, leaf in sorted(leaves(tree, EVERYTHING), key=lambda one: options[one[1].action]):
        call = options[leaf.action]
        words = ", ".join(
            _condition(feature, *limits) for feature, limits in ranges.items() if limits != EVERYTHING[feature]
        )
        yield f"  {str(ALL_CALLS[call]) if call else 'pass':<5} {words or 'hcp >= 0'}"


def _condition(feature: int, low: int, high: int) -> str:
    least, most = EVERYTHING[feature]
    amount = (
        f"{low}+" if high == most else f"<={high}" if low == least else str(low) if low == high else f"{low}-{high}"
    )
    return f"{amount} {FEATURES[feature]}"
