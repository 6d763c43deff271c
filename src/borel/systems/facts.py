"""The words of the auction that rules may use: who has bid what, shown what, is forced, vulnerable, limited."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from borel.systems.context import Context, Force
from borel.systems.hand import LENGTHS, index_of

__all__ = ["FACTS", "Scene", "suit_set"]


@dataclass(frozen=True, slots=True)
class Scene:
    """The auction as the seat that is to call sees it."""

    context: Context
    vulnerable: tuple[bool, bool]  # ours, theirs
    memo: dict[object, object] = field(default_factory=dict, compare=False)  # what has been worked out already

    @property
    def me(self) -> int:
        """The seat to call."""
        return self.context.turn

    def seat(self, who: str) -> int:
        """The seat called me, lho, partner or rho."""
        return (self.context.turn + ("me", "lho", "partner", "rho").index(who)) % 4

    @property
    def side(self) -> int:
        """Our side, 0 or 1."""
        return self.context.turn % 2


def _bids_of(scene: Scene, seat: int) -> list[int]:
    return [call for i, call in enumerate(scene.context.calls) if i % 4 == seat and call >= 3]


def _suits(scene: Scene, *seats: str) -> int:
    natural = scene.context.natural
    result = 0
    for who in seats:
        result |= natural[scene.seat(who)]
    return result


SUIT_SETS: dict[str, Callable[[Scene], int]] = {
    "major": lambda s: 0b1100,
    "majors": lambda s: 0b1100,
    "minor": lambda s: 0b0011,
    "minors": lambda s: 0b0011,
    "red": lambda s: 0b0110,
    "black": lambda s: 0b1001,
    "suit": lambda s: 0b1111,
    "suits": lambda s: 0b1111,
    "theirs": lambda s: _suits(s, "lho", "rho"),
    "ours": lambda s: _suits(s, "me", "partner"),
    "unbid": lambda s: 0b1111 & ~_suits(s, "me", "partner", "lho", "rho"),
}


def suit_set(words: tuple[str, ...], scene: Scene) -> int:
    """The suits that all the words allow, as a bit set."""
    result = 0b1111
    for word in words:
        result &= SUIT_SETS[word](scene)
    return result


def _strain_of(call: int) -> int:
    return (call - 3) % 5


def _level_of(call: int) -> int:
    return (call + 2) // 5 if call >= 3 else 0


def _round(scene: Scene) -> int:
    return len(scene.context.calls) // 4 + 1


def _contested(scene: Scene) -> bool:
    calls = scene.context.calls
    ours = [any(calls[i] for i in range(len(calls)) if i % 2 == side) for side in (0, 1)]
    return all(ours)


def _our_contract(scene: Scene) -> bool:
    last = scene.context.last_bidder
    return last >= 0 and last % 2 == scene.side


def _last_call(scene: Scene, who: str) -> int:
    calls, seat = scene.context.calls, scene.seat(who)
    return next((calls[i] for i in range(len(calls) - 1, -1, -1) if i % 4 == seat), 0)


def _balancing(scene: Scene) -> bool:
    """Whether a pass now would end the auction."""
    calls = scene.context.calls
    return len(calls) >= 3 and not calls[-1] and not calls[-2] and any(calls)


def _agreed_fit(scene: Scene, suit: int) -> bool:
    context = scene.context
    if context.agreed[scene.side] >= 0:
        return context.agreed[scene.side] == suit
    me, partner = context.shown[scene.me], context.shown[scene.seat("partner")]
    return me.low[LENGTHS[suit]] + partner.low[LENGTHS[suit]] >= 8


# facts without an argument; numbers or truths
FACTS: dict[str, Callable[[Scene], float]] = {
    "vulnerable": lambda s: s.vulnerable[0],
    "opponents-vulnerable": lambda s: s.vulnerable[1],
    "favorable": lambda s: s.vulnerable[1] and not s.vulnerable[0],
    "unfavorable": lambda s: s.vulnerable[0] and not s.vulnerable[1],
    "passed": lambda s: s.context.passed[s.me],
    "partner.passed": lambda s: s.context.passed[s.seat("partner")],
    "lho.passed": lambda s: s.context.passed[s.seat("lho")],
    "rho.passed": lambda s: s.context.passed[s.seat("rho")],
    "partner.limited": lambda s: s.context.limited[s.seat("partner")],
    "limited": lambda s: s.context.limited[s.me],
    "lho.limited": lambda s: s.context.limited[s.seat("lho")],
    "rho.limited": lambda s: s.context.limited[s.seat("rho")],
    "captain": lambda s: s.context.limited[s.seat("partner")] and not s.context.limited[s.me],
    "forced": lambda s: s.context.forced(s.me),
    "game-forced": lambda s: s.context.force[s.side] == Force.GAME,
    "below-game": lambda s: s.context.below_game,
    "at-game": lambda s: not s.context.below_game,
    "asked": lambda s: s.context.asked[s.side],
    "invited": lambda s: s.context.status[s.side] == "invitational",
    "signed-off": lambda s: s.context.status[s.side] in ("sign-off", "to-play"),
    "contested": lambda s: _contested(s),
    "uncontested": lambda s: not _contested(s),
    "our-contract": lambda s: _our_contract(s),
    "their-contract": lambda s: s.context.last_bidder >= 0 and not _our_contract(s),
    "partner-contract": lambda s: s.context.last_bidder == s.seat("partner"),
    "my-contract": lambda s: s.context.last_bidder == s.me,
    "doubled": lambda s: s.context.doubled == 1,
    "redoubled": lambda s: s.context.doubled == 2,
    "opened": lambda s: s.context.last_bidder >= 0,
    "we-opened": lambda s: s.context.opening < len(s.context.calls) and s.context.opening % 2 == s.side,
    "they-opened": lambda s: s.context.opening < len(s.context.calls) and s.context.opening % 2 != s.side,
    "i-opened": lambda s: s.context.opening < len(s.context.calls) and s.context.opening % 4 == s.me,
    "partner-opened": lambda s: s.context.opening < len(s.context.calls) and s.context.opening % 4 == s.seat("partner"),
    "balancing": lambda s: _balancing(s),
    "round": _round,
    "seat": lambda s: s.context.turn + 1,
    "contract.level": lambda s: _level_of(s.context.last_bid),
    "contract.notrump": lambda s: s.context.last_bid >= 3 and _strain_of(s.context.last_bid) == 4,
    "rho.bid": lambda s: _last_call(s, "rho") >= 3,
    "rho.doubled": lambda s: _last_call(s, "rho") == 1,
    "rho.redoubled": lambda s: _last_call(s, "rho") == 2,
    "rho.called": lambda s: _last_call(s, "rho") > 0,
    "lho.bid": lambda s: bool(_bids_of(s, s.seat("lho"))),
    "partner.bid": lambda s: _last_call(s, "partner") >= 3,
    "partner.doubled": lambda s: _last_call(s, "partner") == 1,
    "partner.silent": lambda s: (
        not any(s.context.calls[i] for i in range(len(s.context.calls)) if i % 4 == s.seat("partner"))
    ),
    "silent": lambda s: not any(s.context.calls[i] for i in range(len(s.context.calls)) if i % 4 == s.me),
    "waited": lambda s: len(s.context.calls) >= 4 and not s.context.calls[-4],
    "they-bid": lambda s: any(s.context.calls[i] for i in range(len(s.context.calls)) if i % 2 != s.side),
    "partner.notrump": lambda s: any(_strain_of(c) == 4 for c in _bids_of(s, s.seat("partner"))),
    "we-agreed": lambda s: s.context.agreed[s.side] >= 0,
}

_CONTROLS = tuple(tuple(index_of(name, suit) for name in ("first", "second", "ace")) for suit in range(4))


def _controlled(scene: Scene, suit: int) -> bool:
    """Whether partner has shown first- or second-round control of a suit, by a control bid or otherwise."""
    box = scene.context.shown[scene.seat("partner")]
    return any(box.low[index] >= 1 for index in _CONTROLS[suit])


# facts about one suit
SUIT_FACTS: dict[str, Callable[[Scene, int], float]] = {
    "agreed": _agreed_fit,
    "controlled": _controlled,
    "bid": lambda s, suit: bool(_suits(s, "me") >> suit & 1),
    "mine": lambda s, suit: bool(_suits(s, "me") >> suit & 1),
    "partner.bid": lambda s, suit: any(_strain_of(c) == suit for c in _bids_of(s, s.seat("partner"))),
    "partner.showed": lambda s, suit: bool(_suits(s, "partner") >> suit & 1),
    "lho.bid": lambda s, suit: bool(_suits(s, "lho") >> suit & 1),
    "rho.bid": lambda s, suit: bool(_suits(s, "rho") >> suit & 1),
    "theirs": lambda s, suit: bool(_suits(s, "lho", "rho") >> suit & 1),
    "ours": lambda s, suit: bool(_suits(s, "me", "partner") >> suit & 1),
    "unbid": lambda s, suit: not _suits(s, "me", "partner", "lho", "rho") >> suit & 1,
    "contract": lambda s, suit: s.context.last_bid >= 3 and _strain_of(s.context.last_bid) == suit,
    "major": lambda s, suit: suit >= 2,
    "minor": lambda s, suit: suit < 2,
    "rank": lambda s, suit: suit,
    "partner.last": lambda s, suit: _last_call(s, "partner") >= 3 and _strain_of(_last_call(s, "partner")) == suit,
    "rho.last": lambda s, suit: _last_call(s, "rho") >= 3 and _strain_of(_last_call(s, "rho")) == suit,
}
