"""Whole boards: the table, par, the opening leads and the cost of every card, as one value, which JSON can hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel.auction import Contract
from borel.cards import Card, Seat, Strain
from borel.dd.batch import Progress
from borel.dd.positions import Positions
from borel.dd.solving import Table, card_values, tables
from borel.dd.trace import Trace, play_trace
from borel.deal import Board, Deal, Vulnerability
from borel.errors import BridgeError, DealError
from borel.play import Play
from borel.record import Record
from borel.scoring import Par

__all__ = ["Solution", "solve_boards"]

BATCH = 64  # boards solved together: enough to keep all cores busy, few enough to show them soon


@dataclass(frozen=True, slots=True)
class Solution:
    """What double dummy says about a board: ``leads`` are the defence's tricks after each lead against ``contract``."""

    board: Board
    table: Table
    par: Par | None = None
    contract: Contract | None = None
    leads: dict[Card, int] | None = None
    trace: Trace | None = None

    @property
    def best_leads(self) -> tuple[Card, ...]:
        """The opening leads that give the defence the most tricks."""
        leads = self.leads or {}
        return tuple(card for card, tricks in leads.items() if tricks == max(leads.values()))

    def to_json(self) -> dict[str, Any]:
        """The solution as a JSON object; tricks are declarer's, except after a lead, where they are the defence's."""
        board = self.board
        tricks = {str(s): {str(d): self.table[s, d] for d in Seat} for s in Strain}
        out: dict[str, Any] = {"board": board.number, "dealer": str(board.dealer)}
        out |= {"vulnerable": str(board.vulnerability), "deal": str(board.deal), "tricks": tricks}
        if self.par is not None:
            out["par"] = {"ns": self.par.ns_score, "contracts": [str(result) for result in self.par.results]}
        if self.contract is not None and self.leads is not None:
            out["contract"] = str(self.contract)
            out["leads"] = {str(card): tricks for card, tricks in self.leads.items()}
        if self.trace is not None:
            out["start"] = self.trace.tricks[0]
            out["play"] = [
                {"seat": str(p.seat), "card": str(p.card), "tricks": p.declarer_tricks, "cost": p.cost}
                for p in self.trace
            ]
        return out


def solve_boards(
    boards: Iterable[Board | Record],
    *,
    contract: Contract | None = None,
    trace: bool = False,
    threads: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Iterator[Solution | BridgeError]:
    """Solve boards as they come, a few dozen at a time; one that cannot be solved gives its error instead.

    Leads are against ``contract``, else the record's contract, else the cheapest par contract. With ``trace`` every
    card that a record has is valued. ``seconds`` and ``progress`` are for each few dozen.
    """
    stream = iter(boards)
    while chunk := list(islice(stream, BATCH)):
        found = [_prepare(item) for item in chunk]
        good = [item for item in found if not isinstance(item, BridgeError)]
        results = tables([board.deal for board, _ in good], threads=threads, seconds=seconds, progress=progress)
        drafts = iter(
            _draft(board, Table(tricks), contract or (record.contract if record else None))
            for (board, record), tricks in zip(good, results, strict=True)
        )
        solved = iter(_with_leads(list(drafts), threads))
        for item in found:
            if isinstance(item, BridgeError):
                yield item
                continue
            solution = next(solved)
            yield _traced(solution, item[1]) if trace else solution


def _prepare(item: Board | Record) -> tuple[Board, Record | None] | BridgeError:
    """The board to solve, or why it cannot be."""
    if isinstance(item, Board):
        board, record = item, None
    else:
        deal = item.deal or Deal.parse("N:- - - -")
        board = Board(deal, item.dealer or Seat.N, item.vulnerability or Vulnerability.NONE, item.number)
        record = item
    sizes = [len(hand) for hand in board.deal]
    if len(set(sizes)) > 1 or not sizes[0]:
        name = f"board {board.number}: " if board.number is not None else ""
        held = ", ".join(f"{seat.word} {size}" for seat, size in zip(Seat, sizes, strict=True))
        return DealError(f"{name}all four hands must be known and equally long, not {held}")
    return board, record


def _draft(board: Board, table: Table, contract: Contract | None) -> Solution:
    """The solution without its leads."""
    par = table.par(board.vulnerability, board.dealer.side) if board.deal.is_complete else None
    if contract is None and par is not None and par.results:
        contract = par.results[0].contract
    return Solution(board, table, par, contract)


def _with_leads(drafts: list[Solution], threads: int) -> list[Solution]:
    """The opening leads of all boards that have a contract, solved together."""
    asked = [(draft, draft.contract) for draft in drafts if draft.contract is not None]
    plays = [Play(draft.board.deal, contract) for draft, contract in asked]
    values: Iterator[NDArray[np.int8]] = iter(card_values(Positions.of(plays), threads=threads))
    done = []
    for draft in drafts:
        if draft.contract is None:
            done.append(draft)
            continue
        row = next(values)
        leads = {Card.of_index(int(i)): int(row[i]) for i in reversed(np.flatnonzero(row >= 0))}
        done.append(Solution(draft.board, draft.table, draft.par, draft.contract, leads))
    return done


def _traced(solution: Solution, record: Record | None) -> Solution:
    """With the cost of each card, where cards were played."""
    if record is None or not record.cards:
        return solution
    trace = play_trace(record)
    return Solution(solution.board, solution.table, solution.par, solution.contract, solution.leads, trace)
