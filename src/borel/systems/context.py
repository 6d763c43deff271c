"""What the auction has said so far: what each seat has shown; each side's suit, force and conventions."""

from __future__ import annotations

from dataclasses import dataclass, field

from borel.systems.box import Box
from borel.systems.hand import LENGTHS
from borel.systems.patterns import GAME_LEVEL

__all__ = ["Context", "Force"]


class Force:
    """How far a side is forced: not, for one round, to game."""

    NONE = 0
    ROUND = 1
    GAME = 2


@dataclass(slots=True)
class Context:
    """The state of an auction. Seats are counted from the dealer (0..3), sides are 0 (the dealer's) and 1."""

    calls: tuple[int, ...] = ()
    shown: tuple[Box, Box, Box, Box] = field(default_factory=lambda: (Box(), Box(), Box(), Box()))  # as a rule
    bounds: tuple[Box, Box, Box, Box] = field(default_factory=lambda: (Box(), Box(), Box(), Box()))  # at the outside
    agreed: tuple[int, int] = (-1, -1)
    force: tuple[int, int] = (Force.NONE, Force.NONE)
    conventions: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    natural: tuple[int, int, int, int] = (0, 0, 0, 0)  # bit set of the suits each seat has shown
    passed: tuple[bool, bool, bool, bool] = (False, False, False, False)  # passed before anyone bid
    limited: tuple[bool, bool, bool, bool] = (False, False, False, False)
    asked: tuple[bool, bool] = (False, False)  # the side's last call asks and must be answered
    answered: tuple[bool, bool] = (False, False)  # the side's last call answered a question
    status: tuple[str, str] = ("", "")  # what the side's last call said of itself: invitational, sign-off …

    @property
    def turn(self) -> int:
        """The seat to call, counted from the dealer."""
        return len(self.calls) % 4

    @property
    def last_bid(self) -> int:
        """The last bid by number, 2 when there is none."""
        return next((call for call in reversed(self.calls) if call >= 3), 2)

    @property
    def last_bidder(self) -> int:
        """The seat of the last bid, -1 when there is none."""
        return next((i % 4 for i in range(len(self.calls) - 1, -1, -1) if self.calls[i] >= 3), -1)

    @property
    def doubled(self) -> int:
        """0, 1 or 2: how often the last bid stands doubled."""
        for call in reversed(self.calls):
            if call:
                return 0 if call >= 3 else call
        return 0

    @property
    def opening(self) -> int:
        """The position of the first call that is not a pass; the number of calls when all have passed."""
        return next((i for i, call in enumerate(self.calls) if call), len(self.calls))

    @property
    def is_over(self) -> bool:
        """Whether the auction has ended."""
        return len(self.calls) >= 4 and not any(self.calls[-3:])

    def is_legal(self, call: int) -> bool:
        """Whether the Laws allow a call."""
        if call >= 3:
            return call > self.last_bid
        if call == 0:
            return True
        theirs = (len(self.calls) - self.last_bidder) % 2 == 1
        if self.last_bidder < 0:
            return False
        return (theirs and self.doubled == 0) if call == 1 else (not theirs and self.doubled == 1)

    @property
    def below_game(self) -> bool:
        """Whether the last bid is below game."""
        last = self.last_bid
        return last < 3 or (last + 2) // 5 < GAME_LEVEL[(last - 3) % 5]

    def forced(self, seat: int) -> bool:
        """Whether a seat may not pass now: partner's call forces it and the next hand has not relieved it of that.

        In a game force below game one may pass only an opponents' bid, for partner still has a turn.
        """
        side, right = seat % 2, self.calls[-1] if self.calls else 0
        if self.force[side] == Force.GAME and self.below_game:
            return self.last_bidder % 2 == side or (right == 0 and len(self.calls) > 1 and self.calls[-2] == 0)
        return right == 0 and (self.force[side] == Force.ROUND or self.status[side] == "forcing")

    def known_length(self, seat: int, suit: int) -> tuple[int, int]:
        """The least and greatest length a seat has shown in a suit."""
        box = self.shown[seat]
        return int(box.low[LENGTHS[suit]]), int(box.high[LENGTHS[suit]])
