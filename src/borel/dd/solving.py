"""The solver's answers: tables, values of positions and of every card, par."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borel import _core, scoring
from borel.cards import Card, Seat, Side, Strain
from borel.dd.batch import DeadlineError, InterruptedBatch, Progress, Run
from borel.dd.positions import NO_CARD, Position, Positions, hands_array
from borel.deal import Board, Deal, Vulnerability
from borel.errors import BridgeError
from borel.play import Play
from borel.scoring import Par

__all__ = ["Table", "card_values", "lead_values", "par", "solve", "table", "tables"]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The twenty results of a deal: ``table[strain, declarer]`` is the number of tricks that declarer takes.

    >>> print(table(Deal.parse("N:AK... QJ... T9... 87...")))
          N  S  E  W
    NT    2  2  0  0
     ♠    2  2  0  0
     ♥    2  2  0  0
     ♦    2  2  0  0
     ♣    2  2  0  0
    """

    tricks: NDArray[np.int8]

    def __getitem__(self, index: Any) -> Any:
        """A number for ``[strain, declarer]``; a row for ``[strain]``."""
        value = self.tricks[index]
        return int(value) if np.ndim(value) == 0 else value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        return np.array(self.tricks, dtype=dtype, copy=True if copy is None else copy)

    def __iter__(self) -> Iterator[NDArray[np.int8]]:
        return iter(self.tricks)

    def __len__(self) -> int:
        return len(self.tricks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and bool(np.array_equal(self.tricks, other.tricks))

    def __hash__(self) -> int:
        return hash(self.tricks.tobytes())

    def tolist(self) -> list[list[int]]:
        """The tricks as plain lists, ``[strain][declarer]``."""
        lists: list[list[int]] = self.tricks.tolist()
        return lists

    def par(self, vulnerability: Vulnerability, first: Side) -> Par:
        """Par when ``first``, dealer's side, may bid first."""
        return scoring.par(self.tolist(), vulnerability, first)

    def __str__(self) -> str:
        order = (Seat.N, Seat.S, Seat.E, Seat.W)
        lines = ["    " + "".join(f"{seat:>3}" for seat in map(str, order))]
        lines += [
            f"{strain.symbol:>2}  " + "".join(f"{self[strain, seat]:>3}" for seat in order)
            for strain in reversed(Strain)
        ]
        return "\n".join(lines)


def table(deal: Deal, *, seconds: float | None = None) -> Table:
    """The twenty results of a deal, or of an ending with fewer cards."""
    return Table(tables([deal], threads=1, seconds=seconds)[0])


def tables(
    deals: ArrayLike | Iterable[Deal],
    *,
    threads: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
    memory_mb: int = 160,
) -> NDArray[np.int8]:
    """Declarer's tricks in every contract of many deals: int8[n, 5, 4], indexed [deal, strain, declarer].

    ``deals`` are `Deal` values or their hands as uint64[n, 4]. After ``seconds`` a `DeadlineError` has what is done.

    >>> tables([Deal.parse("N:A... K... Q... J...")])[0, Strain.NT].tolist()
    [1, 0, 1, 0]
    """
    return Run(threads, seconds, progress, memory_mb)(_core.dd_tables, (hands_array(deals),), (5, 4))


@overload
def solve(position: Deal, strain: Strain, leader: Seat, *, seconds: float | None = None) -> int: ...
@overload
def solve(position: Play | Position, *, seconds: float | None = None) -> int: ...
@overload
def solve(
    position: Positions,
    *,
    threads: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
    memory_mb: int = 160,
) -> NDArray[np.int8]: ...
def solve(
    position: Deal | Play | Position | Positions,
    strain: Strain | None = None,
    leader: Seat | None = None,
    *,
    threads: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
    memory_mb: int = 160,
) -> int | NDArray[np.int8]:
    """The tricks that the side of the seat on turn still takes, the trick in progress included.

    A deal needs its strain and who is on lead. Many `Positions` give int8[n].

    >>> solve(Deal.parse("N:AQ... 54... 32... KJ..."), Strain.NT, Seat.S)
    2
    >>> solve(Deal.parse("N:AQ... 54... 32... KJ..."), Strain.NT, Seat.N)
    1
    """
    many = _positions(position, strain, leader)
    threads = threads if isinstance(position, Positions) else 1
    columns = (many.hands, many.strain, many.leader, many.trick)
    try:
        values = _for_turn(many, Run(threads, seconds, progress, memory_mb)(_core.dd_solve, columns))
    except (DeadlineError, InterruptedBatch) as error:
        error.results = _for_turn(many, error.results)
        raise
    return values if isinstance(position, Positions) else int(values[0])


def _for_turn(many: Positions, north_south: NDArray[np.int8]) -> NDArray[np.int8]:
    """North-South's tricks as those of the side on turn."""
    turn = (many.leader + (many.trick != NO_CARD).sum(axis=1)) % 4
    held = many.hands[np.arange(len(many)), turn]
    left = np.unpackbits(held[:, None].view(np.uint8), axis=1).sum(axis=1)
    return np.where(turn % 2 == 0, north_south, left - north_south).astype(np.int8)


@overload
def card_values(position: Play | Position, *, seconds: float | None = None) -> dict[Card, int]: ...
@overload
def card_values(
    position: Positions,
    *,
    threads: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
    memory_mb: int = 160,
) -> NDArray[np.int8]: ...
def card_values(
    position: Play | Position | Positions,
    *,
    threads: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
    memory_mb: int = 160,
) -> dict[Card, int] | NDArray[np.int8]:
    """For every legal card, the tricks that the side on turn still takes if it is played.

    The trick in progress is included. Many `Positions` give int8[n, 52], -1 for cards that may not be played.

    >>> deal = Deal.parse("N:AQ... 54... 32... KJ...")
    >>> card_values(Position(deal, Strain.NT, Seat.N))
    {Card.parse('SA'): 1, Card.parse('SQ'): 1}
    """
    many = _positions(position)
    threads = threads if isinstance(position, Positions) else 1
    columns = (many.hands, many.strain, many.leader, many.trick)
    values = Run(threads, seconds, progress, memory_mb)(_core.dd_card_values, columns, (52,))
    if isinstance(position, Positions):
        return values
    return {Card.of_index(i): int(values[0, i]) for i in range(51, -1, -1) if values[0, i] >= 0}


def lead_values(
    deals: ArrayLike | Iterable[Deal],
    strain: Strain,
    leader: Seat,
    *,
    threads: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
    memory_mb: int = 160,
) -> NDArray[np.int8]:
    """The defence's tricks after each opening lead in many layouts: int8[n, 52], -1 for cards that leader lacks.

    >>> values = lead_values([Deal.parse("N:AQ... 54... 32... KJ...")], Strain.NT, Seat.W)
    >>> int(values[0, Card.parse("SK").index])
    0
    """
    many = Positions.of_layouts(hands_array(deals), strain, leader)
    return card_values(many, threads=threads, seconds=seconds, progress=progress, memory_mb=memory_mb)


def par(board: Board, *, first: Side | None = None) -> Par:
    """Par of a board; ``first`` is the side that may bid first, dealer's unless given.

    Who bids first matters only where both sides can make the same contract.

    >>> deal = Deal.parse("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    >>> print(par(Board.numbered(1, deal)))
    +1510: 7S by N =, 7S by S =
    """
    if not board.deal.is_complete:
        raise BridgeError("par is of a whole deal: all fifty-two cards must be known")
    return table(board.deal).par(board.vulnerability, board.dealer.side if first is None else first)


def _positions(
    position: Deal | Play | Position | Positions, strain: Strain | None = None, leader: Seat | None = None
) -> Positions:
    """Whatever describes positions, as arrays."""
    if isinstance(position, Positions):
        return position
    if isinstance(position, Deal):
        if strain is None or leader is None:
            raise BridgeError("a deal can be solved only with its strain and the seat on lead")
        position = Position(position, strain, leader)
    return Positions.of([position])
