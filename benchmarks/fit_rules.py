"""Which change of which rule would bring a system nearer to another program's calls?

    BOREL_DATA=/path/to/data python benchmarks/fit_rules.py edits
    BOREL_DATA=/path/to/data python benchmarks/fit_rules.py finds --by line
    BOREL_DATA=/path/to/data python benchmarks/fit_rules.py missing

``edits`` moves or drops every bound of every rule, drops rules and exchanges the places of two that conflict, and
counts the cases that become right and wrong; ``finds`` seeks conditions under which another call is better than the
one a rule makes; ``missing`` lists calls for which there is no rule at all. All counts are of the first order: what a
change does to how calls are read is left out. Changes are chosen by the tuned boards (four of five); the held-out ones
stand beside.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))

from bidding import SETS
from bidding_cases import data_folder
from borel.systems.constraints import HALVES, INFINITY, All, Constraint, Either, Range
from borel.systems.hand import RANGES, name_of
from fit_book import Book, Choice, best_of, read_book
from fit_finds import report_finds, report_missing


@dataclass(slots=True)
class Desk:
    """The book opened: which options take each case, what is called, and whether that is right."""

    book: Book
    features: NDArray[np.float32]
    admitted: list[list[Choice]] = field(default_factory=list)
    chosen: list[Choice | None] = field(default_factory=list)
    by_line: dict[str, dict[int, list[tuple[int, Choice]]]] = field(default_factory=dict)  # by condition

    def right(self, case: int, choice: Choice | None) -> bool:
        """Whether an option gives the expected call."""
        call = choice.call if choice is not None else self.book.places[self.book.place_of[case]].resort
        return call == self.book.expected[case]


def opened(book: Book) -> Desk:
    """Every case with the options that take it; conditions that many positions share are asked once."""
    desk = Desk(book, book.features())
    asked: dict[int, tuple[Constraint, list[tuple[int, Choice]]]] = {}
    for case, place in enumerate(book.place_of):
        for choice in book.places[place].choices:
            asked.setdefault(id(choice.constraint), (choice.constraint, []))[1].append((case, choice))
    desk.admitted = [[] for _ in book.place_of]
    for constraint, pairs in asked.values():
        taken = constraint.admits_batch(desk.features[[case for case, _ in pairs]])
        for (case, choice), is_taken in zip(pairs, taken, strict=True):
            if is_taken:
                desk.admitted[case].append(choice)
    desk.chosen = [best_of(admitted) for admitted in desk.admitted]
    for key, (_, pairs) in asked.items():
        for case, choice in pairs:
            chosen = desk.chosen[case]
            if chosen is None or choice.rank <= chosen.rank:  # what is asked later than the rule that speaks is idle
                desk.by_line.setdefault(choice.line, {}).setdefault(key, []).append((case, choice))
    return desk


def atoms(constraint: Constraint, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Range]]:
    """Every range in a condition with the way to it."""
    if isinstance(constraint, Range):
        yield path, constraint
        return
    for number, part in enumerate(constraint.parts):
        yield from atoms(part, (*path, number))


def with_atom(constraint: Constraint, path: tuple[int, ...], new: Constraint) -> Constraint:
    """The condition with the range at the end of a way replaced."""
    if not path:
        return new
    assert not isinstance(constraint, Range)
    parts = list(constraint.parts)
    parts[path[0]] = with_atom(parts[path[0]], path[1:], new)
    return All(tuple(parts)) if isinstance(constraint, All) else Either(tuple(parts))


def moved(atom: Range) -> Iterator[tuple[str, Range]]:
    """The range with a bound moved or dropped, each with its name."""
    first = atom.terms[0][0]
    flag = len(atom.terms) == 1 and RANGES[first][1] == 1
    steps = (0.5, 1.0) if first in HALVES else (1.0, 2.0)
    for end in ("low", "high"):
        value = getattr(atom, end)
        if abs(value) == INFINITY:
            continue
        for step in () if flag else (*steps, *(-step for step in steps)):
            low, high = (value + step, atom.high) if end == "low" else (atom.low, value + step)
            if low <= high:
                yield f"{end} {step:+g}", Range(atom.terms, low, high)
        low, high = (-INFINITY, atom.high) if end == "low" else (atom.low, INFINITY)
        yield f"{end} dropped", Range(atom.terms, low, high)


def named(atom: Range) -> str:
    """What a range is of, whatever the suit."""
    suits: dict[str, str] = {}
    words = []
    for index, weight in atom.terms:
        word, _, suit = name_of(index).partition("(")
        suffix = f"({suits.setdefault(suit, 'XYZW'[len(suits)])})" if suit else ""
        words.append(f"{'' if weight == 1 else f'{weight:g} '}{word}{suffix}")
    return " + ".join(words)


Toggles = dict[int, dict[int, tuple[Choice, bool]]]  # for each case the options that it gains or loses


def edits_of_line(desk: Desk, line: str) -> dict[str, Toggles]:
    """Every local edit of a rule with what it changes: bounds by what they measure and where they stand."""
    edits: dict[str, Toggles] = defaultdict(lambda: defaultdict(dict))
    for pairs in desk.by_line[line].values():
        rows, constraint = desk.features[[case for case, _ in pairs]], pairs[0][1].constraint
        before = constraint.admits_batch(rows)
        for place in np.flatnonzero(before):
            case, choice = pairs[place]
            edits["rule dropped"][case][id(choice)] = (choice, False)
        seen: Counter[str] = Counter()
        for path, atom in atoms(constraint):
            name = named(atom)
            seen[name] += 1
            for words, new in moved(atom):
                changed = with_atom(constraint, path, new).admits_batch(rows) != before
                for place in np.flatnonzero(changed):
                    case, choice = pairs[place]
                    edits[f"{name}#{seen[name]} {words}"][case][id(choice)] = (choice, not before[place])
    return edits


@dataclass(slots=True)
class Score:
    """Cases that become right and wrong, on the boards tuned on and on those held out."""

    gained: list[int] = field(default_factory=lambda: [0, 0])
    lost: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, *, held: bool, was: bool, becomes: bool) -> None:
        """Count one case."""
        self.gained[held] += becomes and not was
        self.lost[held] += was and not becomes

    @property
    def net(self) -> int:
        """Net gain on the tuned boards."""
        return self.gained[0] - self.lost[0]

    def __str__(self) -> str:
        g, lo = self.gained, self.lost
        return f"{self.net:+4d} (+{g[0]} -{lo[0]})  held {g[1] - lo[1]:+d} (+{g[1]} -{lo[1]})"


def score_of(desk: Desk, toggles: Toggles) -> Score:
    """What an edit is worth."""
    score = Score()
    for case, changes in toggles.items():
        admitted = [choice for choice in desk.admitted[case] if id(choice) not in changes]
        admitted += [choice for choice, added in changes.values() if added]
        old = desk.chosen[case]
        new = best_of(admitted)
        if new is not old:
            score.add(held=desk.book.held[case], was=desk.right(case, old), becomes=desk.right(case, new))
    return score


def exchanges(desk: Desk) -> dict[tuple[str, str], Score]:
    """For two rules that want the same hand: what it is worth to ask the other one first."""
    scores: dict[tuple[str, str], Score] = defaultdict(Score)
    for case, chosen in enumerate(desk.chosen):
        if chosen is None:
            continue
        was, held = desk.right(case, chosen), desk.book.held[case]
        for other in {choice.line: choice for choice in desk.admitted[case]}.values():
            if other.line != chosen.line:
                scores[chosen.line, other.line].add(held=held, was=was, becomes=desk.right(case, other))
    return scores


def report_edits(desk: Desk, *, least: int, shown: int) -> None:
    """Print the most profitable edits, those of one line together."""
    texts, found = desk.book.texts, []
    use: Counter[str] = Counter(choice.line for choice in desk.chosen if choice is not None)
    right = Counter(c.line for case, c in enumerate(desk.chosen) if c is not None and desk.right(case, c))
    for line in desk.by_line:
        scored = [(score_of(desk, toggles), edit) for edit, toggles in edits_of_line(desk, line).items()]
        good = sorted((item for item in scored if item[0].net >= least), key=lambda item: -item[0].net)
        if good:
            found.append((good[0][0].net, line, good[:4]))
    for _, line, good in sorted(found, reverse=True)[:shown]:
        print(f"{line} right {right[line]} of {use[line]}   {texts[line]}")
        for score, edit in good:
            print(f"    {score}  {edit}")
    print("\nto be asked first:")
    ranked = sorted(exchanges(desk).items(), key=lambda item: -item[1].net)
    for (chosen, other), score in ranked[:shown]:
        if score.net >= least:
            print(f"    {score}\n        {other} {texts[other]}\n        before {chosen} {texts[chosen]}")


def report_state(desk: Desk) -> None:
    """Agreement as the book has it, to compare with the bidder's own."""
    is_right = np.array([desk.right(case, choice) for case, choice in enumerate(desk.chosen)])
    passes = np.array(desk.book.expected) == 0
    for name, kept in (("tuned", ~np.array(desk.book.held)), ("held", np.array(desk.book.held))):
        bids = is_right[kept & ~passes]
        print(f"{name}: {100 * is_right[kept].mean():.2f}% of {kept.sum()}, not passes {100 * bids.mean():.2f}%")


def main(words: Iterable[str] | None = None) -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("state", "edits", "finds", "missing"))
    parser.add_argument("--set", choices=sorted(SETS), default="wbridge5")
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--by", choices=("line", "pattern", "stage"), default="line", help="group cases for finds")
    parser.add_argument("--grep", help="only cases whose stage, auction or rule matches")
    parser.add_argument("--least", type=int, default=4, help="least net gain on the tuned boards")
    parser.add_argument("--shown", type=int, default=150)
    args = parser.parse_args(None if words is None else list(words))
    desk = opened(read_book(list(SETS[args.set](data_folder())), args.system))
    report_state(desk)
    if args.what == "edits":
        report_edits(desk, least=args.least, shown=args.shown)
    elif args.what == "finds":
        right = [desk.right(case, choice) for case, choice in enumerate(desk.chosen)]
        lines = [choice.line if choice is not None else "none" for choice in desk.chosen]
        report_finds(desk.book, desk.features, right, lines, desk.book.texts, args)
    elif args.what == "missing":
        report_missing(desk.book, desk.features, shown=args.shown)


if __name__ == "__main__":
    main()
