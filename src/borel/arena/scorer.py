"""What a contract is worth when the cards are not played: declarer's tricks double dummy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from borel import dd
from borel.auction import Contract
from borel.deal import Deal, Vulnerability
from borel.scoring import ns_score

__all__ = ["DoubleDummy", "Scorer", "ns_scores"]


class Scorer(Protocol):
    """Tells how many tricks declarer takes."""

    def tricks(self, deal: Deal, contracts: Sequence[Contract]) -> list[int]:
        """Declarer's tricks in each contract."""
        ...


@dataclass(frozen=True, slots=True)
class DoubleDummy:
    """Best play by all four with all cards in sight."""

    def tricks(self, deal: Deal, contracts: Sequence[Contract]) -> list[int]:
        """Declarer's tricks in each contract, each strain and declarer solved once."""
        wanted = {(contract.strain, contract.declarer): contract.leader for contract in contracts}
        found = {key: 13 - dd.solve(deal, key[0], leader) for key, leader in wanted.items()}
        return [found[contract.strain, contract.declarer] for contract in contracts]


def ns_scores(
    scorer: Scorer, deal: Deal, vulnerability: Vulnerability, contracts: Sequence[Contract | None]
) -> list[tuple[int | None, int]]:
    """For each contract declarer's tricks and North-South's points; None is passed out."""
    bid = [contract for contract in contracts if contract is not None]
    tricks = iter(scorer.tricks(deal, bid) if bid else [])
    found: list[tuple[int | None, int]] = []
    for contract in contracts:
        taken = None if contract is None else next(tricks)
        found.append((taken, ns_score(contract, taken or 0, vulnerability)))
    return found
