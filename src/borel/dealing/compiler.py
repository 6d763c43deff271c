"""From the syntax tree of a condition to the stack program that the core runs.

Each expression becomes a list of instructions that leaves its value on the stack; ``&&``, ``||`` and ``?:`` jump over
what need not be computed; variables are programs of their own, run at most once a deal.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, ClassVar, cast

from lark import Token, Transformer, v_args
from lark.visitors import Transformer_NonRecursive

from borel import _core
from borel.cards import Card, Hand, Rank, Seat, Suit
from borel.deal import Deal, Vulnerability
from borel.dealing.functions import FEATURES, LENGTHS, POINT_SCALES, SEATS, STRAINS, SUITS, UNSUPPORTED
from borel.dealing.program import BINARY, OPS, WHOLE_HAND, Code, Item, Row, Word, place, row
from borel.dealing.scores import IMP_STEPS, scores
from borel.dealing.script import error_at
from borel.dealing.shapes import shape_set
from borel.errors import BridgeError, ConditionError
from borel.features import CLASSES

__all__ = ["Compiler"]

LARGEST = 10**9


class Statements:
    """What the statements of a script other than conditions set."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.notes: list[str] = []
        self.settings: dict[str, Any] = {}
        self.predealt = [Hand(0)] * 4

    def wrong(self, what: str, token: Token) -> ConditionError:
        """The error of a place."""
        return error_at(what, self.text, *place(token))

    def setting(self, name: str, value: object) -> None:
        """Keep what a statement sets."""
        self.settings[name] = value

    def whole_number(self, token: Token) -> int:
        """A number of the text, if it is not absurd."""
        if len(token) > 10 or int(token) > LARGEST:
            raise self.wrong(f"a number above {LARGEST}", token)
        return int(token)

    def add_predealt(self, seat: Seat, holdings: list[Token]) -> None:
        """Give a seat the cards of ``SAKQ`` and ``H2``."""
        for holding in holdings:
            suit = Suit.parse(holding[0])
            for letter in holding[1:]:
                card = Card(suit, Rank.parse(letter))
                if any(card in hand for hand in self.predealt):
                    raise self.wrong(f"{card} is dealt twice", holding)
                if len(self.predealt[seat]) == 13:
                    raise self.wrong(f"more than 13 cards for {seat.word}", holding)
                self.predealt[seat] = Hand(self.predealt[seat].mask | card.mask)

    def predealt_deal(self) -> Deal:
        """The predealt cards as a partial deal."""
        north, east, south, west = self.predealt
        return Deal((north, east, south, west))


@v_args(inline=True)
class Compiler(Transformer_NonRecursive[Token, Any], Statements):
    """Walks the tree from the leaves up. Method names are the grammar's rules."""

    ALWAYS: ClassVar[tuple[Row, ...]] = (row("NUMBER", x=1),)

    def __init__(self, text: str) -> None:
        Transformer.__init__(self)
        Statements.__init__(self, text)
        self.variables: dict[str, int] = {}
        self.codes: list[Code] = []
        self.main: Code | None = None
        self.extra: list[Code] = []
        self.shape_sets: list[bytes] = []
        self.scales: list[tuple[int, ...]] = []
        self.scale_of: dict[str, int] = {}
        self.tables: list[tuple[int, ...]] = []

    def programs(self) -> tuple[tuple[Row, ...], ...]:
        """The variables' programs and, last, the condition's."""
        conditions = ([self.main] if self.main else []) + self.extra
        if not conditions:
            return (*(tuple(code.rows) for code in self.codes), self.ALWAYS)
        whole = conditions[0]
        for code in conditions[1:]:
            whole = self.both(whole, code)
        return tuple(tuple(code.rows) for code in [*self.codes, whole])

    # Statements

    def condition(self, item: Item) -> None:
        """A bare expression, or one after the word ``condition``."""
        if self.main is not None:
            raise error_at("a second condition: join them with &&", self.text, *item.place)
        self.main = self._code(item)

    def assign(self, name: Token, item: Item) -> None:
        """A variable."""
        if name.lower() in self.variables:
            raise self.wrong(f"{name.value!r} is defined twice", name)
        if len(self.codes) == _core.CONDITION_VARIABLES:
            raise self.wrong(f"more than {_core.CONDITION_VARIABLES} variables", name)
        self.codes.append(self._code(item))
        self.variables[name.lower()] = len(self.codes) - 1

    def produce(self, number: Token) -> None:
        """How many deals."""
        self.setting("produce", self.whole_number(number))

    def generate(self, number: Token) -> None:
        """How many tries in all; ours are limited deal by deal."""
        self.notes.append(
            f"generate {self.whole_number(number)}: left out, for --max-tries limits the tries of each deal"
        )

    def seed(self, number: Token) -> None:
        """Which deals."""
        self.setting("seed", self.whole_number(number))

    def dealer(self, word: Word) -> None:
        """Who deals every board."""
        self.setting("dealer", self._seat(word))

    def vulnerable(self, word: Word) -> None:
        """Who is vulnerable on every board."""
        try:
            self.setting("vulnerability", Vulnerability.parse(word.token))
        except BridgeError:
            raise self.wrong(f"{word.token.value!r} is not a vulnerability (none, NS, EW, all)", word.token) from None

    def title(self, _text: Token) -> None:
        """A heading, which boards do not have."""
        self.notes.append("title: left out")

    def pointcount(self, *numbers: Token) -> None:
        """Another scale for hcp, ace first."""
        self._rescale("hcp", numbers)

    def altcount(self, which: Token, *numbers: Token) -> None:
        """Another scale for one of the point counts 0..9."""
        number = self.whole_number(which)
        if number >= len(POINT_SCALES):
            raise self.wrong("altcount goes from 0 to 9", which)
        self._rescale(FEATURES[POINT_SCALES[number]], numbers)

    def predeal_hand(self, seat: Token, *holdings: Token) -> None:
        """Cards of one seat."""
        self.add_predealt(SEATS[seat.lower()], list(holdings))

    def predeal(self, *_hands: None) -> None:
        """The hands have been taken one by one."""

    def predeal_lengths(self, *items: Item) -> None:
        """``predeal spades(north) == 5``: one more condition."""
        self.extra += [self._code(item) for item in items]

    # Expressions

    def word(self, token: Token) -> Word:
        """A name: what it means is decided where it is used."""
        return Word(token)

    def number(self, token: Token) -> Code:
        """A number."""
        return Code([row("NUMBER", x=self.whole_number(token))], place(token))

    def binary(self, left: Item, op: Token, right: Item) -> Code:
        """An operation on two numbers."""
        code = self._code(left).then([], self._code(right), kept=1)
        code.rows.append(row(BINARY[op]))
        return self._checked(code, op)

    def both(self, left: Item, right: Item) -> Code:
        """``&&``: the right side is computed only if the left is true."""
        return self._lazy("AND_SKIP", self._code(left), self._code(right))

    def either(self, left: Item, right: Item) -> Code:
        """``||``: the right side is computed only if the left is false."""
        return self._lazy("OR_SKIP", self._code(left), self._code(right))

    def _lazy(self, op: str, left: Code, right: Code) -> Code:
        code = left.then([row(op, x=len(right.rows))], right, kept=0)
        code.rows.append(row("AS_TRUTH"))
        return code

    def choose(self, condition: Item, yes: Item, no: Item) -> Code:
        """``condition ? yes : no``."""
        test, first, second = self._code(condition), self._code(yes), self._code(no)
        code = test.then([row("SKIP_IF_ZERO", x=len(first.rows) + 1)], first, kept=0)
        return code.then([row("JUMP", x=len(second.rows))], second, kept=0)

    def negation(self, item: Item) -> Code:
        """``!``."""
        return self._after(item, "NOT")

    def minus(self, _sign: Token, item: Item) -> Code:
        """A negative number."""
        return self._after(item, "NEGATE")

    def _after(self, item: Item, op: str) -> Code:
        code = self._code(item)
        code.rows.append(row(op))
        return code

    def shape(self, word: Word, patterns: bytes) -> Code:
        """``shape(seat, any 4333 + 5xxx)``."""
        if patterns not in self.shape_sets:
            self.shape_sets.append(patterns)
        return Code([row("SHAPE", self._seat(word), self.shape_sets.index(patterns))], word.place)

    def pattern(self, any_order: Token | None, shape: Token) -> tuple[Token, bool]:
        """One shape, in any order of the suits or as it stands."""
        return shape, any_order is not None

    def shapes(self, *items: tuple[Token, bool] | Token) -> bytes:
        """Shapes added and taken away from left to right."""
        signs = ["+", *(str(sign) for sign in items[1::2])]
        patterns = cast("tuple[tuple[Token, bool], ...]", items[::2])
        for pattern, _ in patterns:
            cards = sum(int(digit) for digit in pattern if digit.isdigit())
            if cards > 13 or ("x" not in pattern.lower() and cards != 13):
                raise self.wrong(f"the shape {pattern.value} has {cards} cards", pattern)
        return shape_set([(sign, str(p).lower(), free) for sign, (p, free) in zip(signs, patterns, strict=True)])

    def hascard(self, word: Word, card: Token) -> Code:
        """``hascard(seat, AS)``."""
        return Code([row("HAS_CARD", self._seat(word), Card.parse(card).index)], word.place)

    def call(self, name: Token, *items: Item | None) -> Code:
        """A function of a hand."""
        function, arguments = name.lower(), [item for item in items if item is not None]
        if function in UNSUPPORTED:
            raise self.wrong(f"{function}: {UNSUPPORTED[function]}", name)
        if function in ("score", "imps", "imp"):
            return self._score(name, arguments) if function == "score" else self._imps(name, arguments)
        if not arguments:
            raise self.wrong(f"{function} needs a seat", name)
        seat = self._seat(arguments[0])
        if function in LENGTHS:
            self._count(name, arguments, 1, 1)
            return Code([row("FEATURE", seat, CLASSES["length"].index, LENGTHS[function])], place(name))
        if function in ("tricks", "trick"):
            self._count(name, arguments, 2, 2)
            return Code([row("TRICKS", seat, self._strain(arguments[1]))], place(name))
        return self._feature(name, seat, arguments)

    def _score(self, name: Token, arguments: list[Item]) -> Code:
        """``score(vul, x3N, tricks(north, notrump))``: what a contract brings its declarer."""
        self._count(name, arguments, 3, 3)
        vulnerability, contract = (item.name if isinstance(item, Word) else "" for item in arguments[:2])
        table = scores(vulnerability, contract)
        if table is None:
            raise self.wrong("expected score(vul or nonvul, a contract such as x3N or x4SX, tricks)", name)
        return self._looked_up("LOOK_UP", table, arguments[2])

    def _imps(self, name: Token, arguments: list[Item]) -> Code:
        """``imps(difference)``."""
        self._count(name, arguments, 1, 1)
        return self._looked_up("STEPS", IMP_STEPS, arguments[0])

    def _looked_up(self, op: str, table: tuple[int, ...], item: Item) -> Code:
        if table not in self.tables:
            self.tables.append(table)
        code = self._code(item)
        code.rows.append(row(op, x=self.tables.index(table)))
        return code

    # What a function's arguments mean

    def _feature(self, name: Token, seat: Seat, arguments: list[Item]) -> Code:
        cls = CLASSES[FEATURES[name.lower()]]
        kinds = {"": "", "A": "a", "S": "s", "TS": "ss", "TA": "sa", "T*A": "na", "2S": "ss", "SN": "sl"}[cls.arguments]
        self._count(name, arguments, 1 + len(kinds) - kinds.count("a"), 1 + len(kinds))
        readers: dict[str, Callable[[Item], int]] = {
            "a": self._suit, "s": self._suit, "n": self._strain, "l": self._length,
        }  # fmt: skip
        given = [readers[kind](item) for kind, item in zip(kinds, arguments[1:], strict=False)]
        if len(given) < len(kinds):
            given.append(WHOLE_HAND)
        scale = self.scale_of.get(cls.name)
        if scale is not None:
            return Code([row("POINTS", seat, scale, given[0])], place(name))
        return Code([row("FEATURE", seat, cls.index, *given)], place(name))

    def _count(self, name: Token, arguments: list[Item], least: int, most: int) -> None:
        if not least <= len(arguments) <= most:
            takes = f"{least}" if least == most else f"{least} to {most}"
            raise self.wrong(f"{name.lower()} takes {takes} arguments, not {len(arguments)}", name)

    def _rescale(self, name: str, numbers: tuple[Token, ...]) -> None:
        if len(numbers) > 13:
            raise self.wrong("more than thirteen ranks", numbers[13])
        values = [self.whole_number(number) for number in numbers]
        self.scale_of[name] = len(self.scales)
        self.scales.append(tuple(reversed(values + [0] * (13 - len(values)))))

    def _seat(self, item: Item) -> Seat:
        return cast("Seat", self._named(item, SEATS, "a seat (north, east, south, west)"))

    def _suit(self, item: Item) -> int:
        return self._named(item, SUITS, "a suit (spades, hearts, diamonds, clubs)")

    def _strain(self, item: Item) -> int:
        return self._named(item, STRAINS, "a strain (spades, hearts, diamonds, clubs, notrump)")

    def _length(self, item: Item) -> int:
        if (
            isinstance(item, Code)
            and len(item.rows) == 1
            and item.rows[0][0] == OPS["NUMBER"]
            and item.rows[0][2] <= 13
        ):
            return item.rows[0][2]
        raise error_at("expected a length from 0 to 13", self.text, *item.place)

    def _named(self, item: Item, names: Any, what: str) -> int:
        if isinstance(item, Word) and item.name in names:
            return cast("int", names[item.name])
        if isinstance(item, Word):
            raise self.wrong(f"{item.token.value!r} is not {what}", item.token)
        raise error_at(f"expected {what}", self.text, *item.place)

    def _code(self, item: Item) -> Code:
        """The code of an expression; a word here is a variable."""
        if isinstance(item, Code):
            return item
        if item.name in self.variables:
            return Code([row("VARIABLE", x=self.variables[item.name])], item.place)
        if item.name in SEATS or item.name in SUITS:
            raise self.wrong(
                f"{item.token.value!r} by itself is not a number; did you mean hcp({item.name})?", item.token
            )
        if item.name in FEATURES or item.name in LENGTHS:
            raise self.wrong(f"{item.name} needs a seat, such as {item.name}(north)", item.token)
        close = get_close_matches(item.name, [*self.variables, *FEATURES], n=1)
        hint = f'; did you mean "{close[0]}"?' if close else ""
        raise self.wrong(f"unknown name {item.token.value!r}{hint}", item.token)

    def _checked(self, code: Code, token: Token) -> Code:
        if code.height > _core.CONDITION_STACK:
            raise self.wrong("nested too deeply", token)
        return code
