"""One point of an auction: the options the rules give there, the net made of them, and what each call would show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from borel.systems.box import Box
from borel.systems.constraints import Constraint
from borel.systems.context import Context, Force
from borel.systems.decision_net import DecisionNet
from borel.systems.facts import Scene
from borel.systems.flat_net import SharedNet, net_of, shared_net
from borel.systems.hand import LENGTHS
from borel.systems.interpret import Interpretation, interpret, updated
from borel.systems.last_look import LONG, LastLook, leaves_partner, looked_at, may_end
from borel.systems.options import Option, collect_options
from borel.systems.population import FEW, KEPT, Bank, bank, members_of_box, tightened
from borel.systems.system import System
from borel.systems.words import ANY_HAND, box_words

__all__ = ["Position", "Situation", "net_of", "start_of"]

Members = tuple[
    NDArray[np.int64] | None, NDArray[np.int64] | None, NDArray[np.int64] | None, NDArray[np.int64] | None
]  # for each seat the hands of the bank that have bid like it; None: all
EVERYBODY: Members = (None, None, None, None)


@dataclass(frozen=True, slots=True)
class Situation:
    """What does not change during an auction: both sides' systems and vulnerability, the dealer's side first."""

    systems: tuple[System, System]
    vulnerable: tuple[bool, bool] = (False, False)

    def start(self) -> Position:
        """The position before the first call."""
        return Position(self, Context())


@dataclass(slots=True)
class _Atlas:
    """The positions that were read, shared by all bidders of a process; forgotten when there are too many.

    They are forgotten a few at a time: all at once takes half a second, which some decision would have to pay.
    """

    starts: dict[tuple[int, int, tuple[bool, bool]], Position] = field(default_factory=dict)
    made: int = 0
    forgotten: list[Position] = field(default_factory=list)

    def begin_anew(self) -> None:
        """Forget everything, by and by."""
        self.forgotten += self.starts.values()
        self.starts.clear()
        self.made = 0

    def forget(self) -> None:
        """Let go of some of what was forgotten."""
        for _ in range(min(AT_ONCE, len(self.forgotten))):
            position = self.forgotten.pop()
            self.forgotten += position._after.values()
            position._after.clear()


MOST_POSITIONS = 8_000  # about 30 kB each; most of those deep in an auction are never met again
AT_ONCE = 4
TELLING = 3  # hands: fewer that would run say nothing of one that did
_atlas = _Atlas()


def start_of(systems: tuple[System, System], vulnerable: tuple[bool, bool]) -> Position:
    """The position before the first call, from which those that were read before are remembered."""
    if _atlas.made > MOST_POSITIONS:
        _atlas.begin_anew()
    if _atlas.forgotten:
        _atlas.forget()
    key = (id(systems[0]), id(systems[1]), vulnerable)
    known = _atlas.starts.get(key)
    if known is None:
        known = _atlas.starts[key] = Situation(systems, vulnerable).start()
    return known


class Position:
    """A point of an auction. Positions are made once and kept by the one before, so a known auction costs nothing."""

    def __init__(
        self, situation: Situation, context: Context, members: Members = EVERYBODY, ran: Members = EVERYBODY
    ) -> None:
        self.situation, self.context, self._members, self._ran = situation, context, members, ran
        self._after: dict[int, Position] = {}
        _atlas.made += 1
        self._meanings: dict[int, Interpretation] = {}

    @property
    def system(self) -> System:
        """The system of the side that is to call."""
        return self.situation.systems[self.context.turn % 2]

    @cached_property
    def scene(self) -> Scene:
        """The auction as the seat to call sees it."""
        side, vulnerable = self.context.turn % 2, self.situation.vulnerable
        return Scene(self.context, (vulnerable[side], vulnerable[1 - side]))

    @cached_property
    def agreements(self) -> list[Option]:
        """What specific agreements give here, with variables bound and conditions compiled."""
        return collect_options(self.system, self.scene, specific=True)

    @cached_property
    def principles(self) -> list[Option]:
        """What general principles give here; looked at only where no agreement takes the hand or gives the call."""
        return collect_options(self.system, self.scene, specific=False)

    @property
    def options(self) -> list[Option]:
        """Every rule that may give a call here."""
        return self.agreements + self.principles

    @cached_property
    def net(self) -> DecisionNet[Option]:
        """All the options as one decision net."""
        return net_of(self.options)

    @cached_property
    def _upper(self) -> SharedNet:
        """The upper part of the net, built first; its last else link leads to the lower part."""
        return shared_net(self.agreements)

    @cached_property
    def _lower(self) -> SharedNet:
        return shared_net(self.principles)

    @property
    def _bank(self) -> Bank:
        return bank(wide=self.system.wide)

    def choose(self, hand: list[float]) -> list[Option]:
        """The options the net gives a hand, the plain bidder's choice first: file order decides what conflicts."""
        found = self._upper.net.state_actions(hand) or self._lower.net.state_actions(hand)
        if len(found) > 1:
            found = sorted(found, key=lambda option: option.order)
        if not found or not self._may_end(found[0].call):
            return found
        call = self._look.revised(found[0].call, hand)
        return found if call == found[0].call else [looked_at(call), *found]

    def _may_end(self, call: int) -> bool:
        return self.system.looks_last and may_end(self.context, call)

    @cached_property
    def _look(self) -> LastLook:
        return LastLook(self)

    def members(self, seat: int) -> NDArray[np.int64] | None:
        """The hands of the bank that have bid like a seat (counted from the dealer); None: all of them."""
        return self._members[seat]

    def seen_by_look(self, seat: int) -> NDArray[np.int64] | None:
        """The same for a last look: of a seat that left its partner's suit those that do so by a look too."""
        ran = self._ran[seat]
        return self._members[seat] if ran is None else ran

    def calls_of_batch(self, hands: NDArray[np.float32]) -> NDArray[np.int64]:
        """[n]: the call each of [n, features] hands would make here; -1 where no rule applies."""
        calls = self._upper.flat.calls(hands)
        left = np.flatnonzero(calls < 0)
        if len(left):
            calls[left] = self._lower.flat.calls(hands[left])
        looked = [(call, np.flatnonzero(calls == call)) for call in np.unique(calls) if self._may_end(call)]
        for call, rows in looked:
            calls[rows] = self._look.revised_batch(int(call), hands[rows])
        return calls

    def options_of_batch(self, hands: NDArray[np.float32]) -> tuple[NDArray[np.int64], list[Option]]:
        """[n]: the place in a list of options of the one that each hand follows here; -1 where no rule applies.

        Principles are in the list only if some hand is left to them: to read them is dear.
        """
        upper = self._upper.flat
        chosen = upper.choices(hands).astype(np.int64)
        left = np.flatnonzero(chosen < 0)
        if not len(left):
            return chosen, list(upper.options)
        lower = self._lower.flat
        general = lower.choices(hands[left]).astype(np.int64)
        chosen[left] = np.where(general < 0, -1, general + len(upper.options))
        return chosen, [*upper.options, *lower.options]

    def meaning(self, call: int) -> Interpretation:
        """What a call would show here."""
        if call not in self._meanings:
            agreed = any(option.call == call for option in self.agreements)
            read = interpret(self.agreements if agreed else self.options, self.scene, call)
            before = self.context.shown[self.context.turn]
            typical = tightened(read.box, before, self._making(call))
            agrees = self._suit_agreed(call, read)
            text = read.text if read.text != ANY_HAND else box_words(typical) or "nothing more to say"
            self._meanings[call] = replace(read, typical=typical, text=text, agrees=agrees)
        return self._meanings[call]

    def _suit_agreed(self, call: int, read: Interpretation) -> int:
        """The suit that a call agrees: where its rules leave several, the one that most hands mean."""
        suits = {option.agrees for option in read.options if option.agrees >= 0}
        if len(suits) < 2:
            return read.agrees
        members = self._members[self.context.turn]
        hands = self._bank.features if members is None else self._bank.features[members]
        flat = self._upper.flat if any(option.call == call for option in self.agreements) else self._lower.flat
        meant = [flat.options[i] for i in flat.choices(hands) if i >= 0]
        votes: Counter[int] = Counter(
            option.agrees for option in meant if option.call == call and option.agrees in suits
        )
        if votes:
            return votes.most_common(1)[0][0]
        shown = self.context.shown
        me, partner = shown[self.context.turn], shown[(self.context.turn + 2) % 4]
        longest: int = max(suits, key=lambda suit: (me.low[LENGTHS[suit]] + partner.low[LENGTHS[suit]], suit))
        return longest

    def after(self, call: int) -> Position:
        """The position after one more call, which is read by the system of the side that makes it."""
        if call not in self._after:
            meaning, seat = self.meaning(call), self.context.turn
            members = list(self._members)
            making = self._making(call)[:KEPT]
            members[seat] = making if len(making) >= FEW else members_of_box(meaning.typical)
            following = (members[0], members[1], members[2], members[3])
            ran = list(self._ran)
            ran[seat] = self._running(call)
            context, those = updated(self.context, call, meaning), (ran[0], ran[1], ran[2], ran[3])
            self._after[call] = Position(self.situation, context, following, those)
        return self._after[call]

    def _running(self, call: int) -> NDArray[np.int64] | None:
        """The hands that leave partner's suit for this one, a last look included; None where that tells nothing."""
        plain = self.meaning(call).force == Force.NONE and self.context.agreed[self.context.turn % 2] < 0
        if not (plain and self.system.looks_last and leaves_partner(self.context, call)):
            return None
        members = self._members[self.context.turn]
        asked = np.arange(KEPT) if members is None else members
        features = self._bank.features[asked]
        found = asked[self.calls_of_batch(features) == call]
        if len(found) < TELLING:  # nobody in the bank runs from here: six cards, and one of partner's at most
            left = (self.context.last_bid - 3) % 5
            found = asked[(features[:, LENGTHS[(call - 3) % 5]] >= LONG) & (features[:, LENGTHS[left]] <= 1)]
        return found if len(found) >= TELLING else None

    def _making(self, call: int) -> NDArray[np.int64]:
        """The hands of the bank that have bid like the seat to call so far and would make this call now."""
        members = self._members[self.context.turn]
        everyone = np.arange(len(bank().masks)) if members is None else members
        if any(option.call == call for option in self.agreements):
            return np.asarray(everyone[self._agreed_calls == call])
        if not any(option.call == call for option in self.principles):
            return everyone[:0]
        left = self._agreed_calls < 0
        return np.asarray(everyone[left][self._general_calls == call])

    @cached_property
    def _agreed_calls(self) -> NDArray[np.int64]:
        members = self._members[self.context.turn]
        hands = self._bank.features if members is None else self._bank.features[members]
        return self._upper.flat.calls(hands)

    @cached_property
    def _general_calls(self) -> NDArray[np.int64]:
        members = self._members[self.context.turn]
        hands = self._bank.features if members is None else self._bank.features[members]
        return self._lower.flat.calls(hands[self._agreed_calls < 0])

    def follow(self, calls: tuple[int, ...]) -> Position:
        """The position after several more calls."""
        position = self
        for call in calls:
            position = position.after(call)
        return position

    def shows(self, call: int) -> Constraint:
        """The hands a call allows, as the disjunction of its rules' conditions."""
        return self.meaning(call).constraint

    def box(self, seat: int) -> Box:
        """What a seat (counted from the dealer) has surely shown so far: no hand outside would have bid so."""
        return self.context.bounds[seat]

    def typical(self, seat: int) -> Box:
        """Where nearly all the hands are that would have bid like a seat: what `partner.min` and its like speak of."""
        return self.context.shown[seat]
