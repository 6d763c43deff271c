"""Tables for `score` and `imps` in conditions."""

from __future__ import annotations

import re

from borel.auction import Contract
from borel.scoring import imps, score

__all__ = ["IMP_STEPS", "scores"]

VULNERABLE = {"vul": True, "all": True, "nonvul": False, "none": False}

IMP_STEPS: tuple[int, ...] = tuple(
    min(difference for difference in range(0, 4010, 10) if imps(difference) >= step) for step in range(1, 25)
)
"""The least difference for each number of IMPs (Law 78B)."""

_CONTRACT = re.compile(r"x([1-7])([cdhsn])t?(x{0,2})", re.IGNORECASE)


def scores(vulnerability: str, contract: str) -> tuple[int, ...] | None:
    """Declarer's score for 0 to 13 tricks in a contract written as dealer does, such as ``x3N``; None if it is none.

    >>> scores("nonvul", "x3N")[8:11], scores("vul", "x4sx")[10], IMP_STEPS[:4]
    ((-50, 400, 430), 790, (20, 50, 90, 130))
    """
    match = _CONTRACT.fullmatch(contract)
    if match is None or vulnerability.lower() not in VULNERABLE:
        return None
    strain = "NT" if match[2].upper() == "N" else match[2].upper()
    parsed = Contract.parse(f"{match[1]}{strain}{match[3].upper()} by N")
    return tuple(score(parsed, tricks, vulnerable=VULNERABLE[vulnerability.lower()]) for tricks in range(14))
