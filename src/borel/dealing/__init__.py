"""Dealing: seeded, unbiased, fast, with predealt cards and the condition language of the classic `dealer` program.

>>> from borel import Seat
>>> opener = next(deals(1, 2024, where="hcp(north) >= 15 && hcp(north) <= 17 && balanced(north)")).hand(Seat.N)
>>> 15 <= opener.hcp <= 17
True
"""

from borel.dealing.conditions import Condition, compile_condition, read_condition
from borel.dealing.dealer import MAX_TRIES, Dealer, as_deals, deal, deal_masks, deals, join_predealt

__all__ = [
    "MAX_TRIES",
    "Condition",
    "Dealer",
    "as_deals",
    "compile_condition",
    "deal",
    "deal_masks",
    "deals",
    "join_predealt",
    "read_condition",
]
