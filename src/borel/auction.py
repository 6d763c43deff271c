"""Calls, auctions and contracts (Laws 17-22)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import SupportsIndex, overload

from borel.cards import Seat, Side, Strain
from borel.errors import IllegalCallError, ParseError

__all__ = ["ALL_CALLS", "DOUBLE", "PASS", "REDOUBLE", "Auction", "Call", "Contract"]


@dataclass(frozen=True, slots=True, order=True)
class Call:
    """A pass, double, redouble or bid, numbered P X XX 1C..7NT = 0..37.

    >>> Call.parse("1nt"), Call.parse("3♥").level, Call.bid(7, Strain.NT).index, str(PASS)
    (Call.parse('1NT'), 3, 37, 'P')
    """

    index: int

    def __post_init__(self) -> None:
        if not 0 <= self.index < 38:
            raise ParseError("call", str(self.index), why="calls are numbered 0..37")

    @classmethod
    def parse(cls, text: str) -> Call:
        """Read ``P``, ``Pass``, ``X``, ``Dbl``, ``XX``, ``Rdbl``, ``1C``..``7NT`` in either case, symbols allowed."""
        call = _CALL_TEXTS.get(text.strip().upper())
        if call is None:
            raise ParseError("call", text)
        return call

    @classmethod
    def bid(cls, level: int, strain: Strain) -> Call:
        """The bid of a level (1..7) and strain."""
        if not 1 <= level <= 7:
            raise ParseError("level (1..7)", str(level))
        return ALL_CALLS[3 + 5 * (level - 1) + strain]

    @property
    def is_bid(self) -> bool:
        """Whether this is a bid, not a pass, double or redouble."""
        return self.index >= 3

    @property
    def level(self) -> int:
        """The level of a bid, 1..7; 0 for other calls."""
        return (self.index + 2) // 5 if self.index >= 3 else 0

    @property
    def strain(self) -> Strain:
        """The strain of a bid; other calls have none and raise."""
        if self.index < 3:
            raise IllegalCallError(f"{self} has no strain")
        return Strain((self.index - 3) % 5)

    @property
    def symbol(self) -> str:
        """The call for people: ``3♥``, ``Pass``, ``X``."""
        if self.index < 3:
            return ("Pass", "X", "XX")[self.index]
        return f"{self.level}{self.strain.symbol}"

    def __str__(self) -> str:
        return CALL_NAMES[self.index]

    def __repr__(self) -> str:
        return f"Call.parse('{self}')"


CALL_NAMES = ("P", "X", "XX", *(f"{level}{strain}" for level in range(1, 8) for strain in Strain))
ALL_CALLS: tuple[Call, ...] = tuple(Call(i) for i in range(38))
PASS, DOUBLE, REDOUBLE = ALL_CALLS[:3]

_CALL_TEXTS: dict[str, Call] = dict(zip(CALL_NAMES, ALL_CALLS, strict=True))
_CALL_TEXTS |= {"PASS": PASS, "--": PASS, "D": DOUBLE, "DBL": DOUBLE, "DOUBLE": DOUBLE}
_CALL_TEXTS |= {"R": REDOUBLE, "RD": REDOUBLE, "RDBL": REDOUBLE, "REDOUBLE": REDOUBLE}
_CALL_TEXTS |= {f"{call.level}{call.strain.symbol}": call for call in ALL_CALLS[3:]}
_CALL_TEXTS |= {f"{call.level}N": call for call in ALL_CALLS[3:] if call.strain is Strain.NT}


@dataclass(frozen=True, slots=True)
class Contract:
    """The final contract: level, strain, declarer and how often it was doubled (0, 1 or 2).

    >>> Contract.parse("4SX by N")
    Contract.parse('4SX by N')
    >>> Contract.parse("3NT W").tricks_needed, Contract.parse("3NT W").pretty()
    (9, '3NT by West')
    """

    level: int
    strain: Strain
    declarer: Seat
    doubled: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.level <= 7:
            raise ParseError("level (1..7)", str(self.level))
        if self.doubled not in (0, 1, 2):
            raise ParseError("doubling (0, 1 or 2)", str(self.doubled))

    @classmethod
    def parse(cls, text: str, declarer: Seat | None = None) -> Contract:
        """Read ``4SX by N`` or ``4SX N``; with a declarer given, ``4SX`` alone."""
        match = _CONTRACT.fullmatch(text.strip().upper())
        if not match:
            raise ParseError("contract", text)
        bid, doubled, seat = match.groups()
        if seat:
            declarer = Seat.parse(seat)
        elif declarer is None:
            raise ParseError("contract", text, why="the declarer is missing, as in 4S by N")
        call = Call.parse(bid)
        return cls(call.level, call.strain, declarer, len(doubled))

    @property
    def bid(self) -> Call:
        """The contract's last bid."""
        return Call.bid(self.level, self.strain)

    @property
    def tricks_needed(self) -> int:
        """Six more than the level."""
        return self.level + 6

    @property
    def side(self) -> Side:
        """Declarer's side."""
        return self.declarer.side

    @property
    def dummy(self) -> Seat:
        """Declarer's partner."""
        return self.declarer.partner

    @property
    def leader(self) -> Seat:
        """The defender who makes the opening lead (Law 41)."""
        return self.declarer.lho

    @property
    def text(self) -> str:
        """The contract without its declarer: ``4SX``."""
        return f"{self.level}{self.strain}{'X' * self.doubled}"

    def pretty(self) -> str:
        """The contract for people: ``4♠X by North``."""
        return f"{self.level}{self.strain.symbol}{'X' * self.doubled} by {self.declarer.word}"

    def __str__(self) -> str:
        return f"{self.text} by {self.declarer}"

    def __repr__(self) -> str:
        return f"Contract.parse('{self}')"


_CONTRACT = re.compile(r"([1-7](?:NT|[CDHSN♣♦♥♠]))(X{0,2})\s*(?:(?:BY)?\s*\b(NORTH|EAST|SOUTH|WEST|N|E|S|W))?")


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls so far, from the dealer on. Always legal: an illegal call raises when it is made.

    >>> auction = Auction(Seat.N).after("1NT").after("P").after("3NT")
    >>> auction.after("2H")
    Traceback (most recent call last):
    borel.errors.IllegalCallError: 2H is not legal after 1NT P 3NT: not higher than 3NT (Law 18)
    >>> Auction.parse("N", "1NT P 3NT P P P").contract
    Contract.parse('3NT by N')
    """

    dealer: Seat
    calls: tuple[Call, ...] = ()

    def __post_init__(self) -> None:
        calls = self.calls
        object.__setattr__(self, "calls", ())
        for call in calls:
            _append(self, call)

    @classmethod
    def parse(cls, dealer: Seat | str, text: str) -> Auction:
        """Read calls separated by white space, commas or dashes; ``AP`` is all pass."""
        seat = Seat.parse(dealer) if isinstance(dealer, str) else dealer
        auction = cls(seat)
        words = re.split(r"[\s,]+|(?<=\w)-(?=\w)", text.strip()) if text.strip() else []
        for word in words:
            auction = auction.all_pass() if word.upper() == "AP" else auction.after(word)
        return auction

    def after(self, call: Call | str) -> Auction:
        """The auction with one more call."""
        auction = _unchecked(self.dealer, self.calls)
        _append(auction, Call.parse(call) if isinstance(call, str) else call)
        return auction

    def all_pass(self) -> Auction:
        """The auction ended by passes."""
        auction = self
        while not auction.is_over:
            auction = auction.after(PASS)
        return auction

    @property
    def turn(self) -> Seat:
        """Who calls next (who would, if the auction is over)."""
        return Seat((self.dealer + len(self.calls)) % 4)

    @property
    def is_over(self) -> bool:
        """Three passes after a bid, or four passes (Law 22)."""
        calls = self.calls
        if len(calls) < 4:
            return False
        return calls[-1] == calls[-2] == calls[-3] == PASS

    @property
    def is_passed_out(self) -> bool:
        """Whether the auction is over without a bid."""
        return self.is_over and self.last_bid is None

    @property
    def last_bid(self) -> Call | None:
        """The highest bid so far."""
        return next((call for call in reversed(self.calls) if call.index >= 3), None)

    @property
    def doubled(self) -> int:
        """How often the last bid stands doubled: 0, 1 or 2."""
        for call in reversed(self.calls):
            if call.index:
                return 0 if call.index >= 3 else call.index
        return 0

    def seat_of(self, position: int) -> Seat:
        """Who made the call at this position (0 is the dealer's first)."""
        return Seat((self.dealer + position) % 4)

    def calls_of(self, seat: Seat) -> tuple[Call, ...]:
        """The calls one seat has made."""
        return self.calls[self.dealer.turns_to(seat) :: 4]

    @property
    def declarer(self) -> Seat | None:
        """Who first bid the last bid's strain for the last bidder's side; None before any bid."""
        last = self.last_bid
        if last is None:
            return None
        position = len(self.calls) - 1 - self.calls[::-1].index(last)
        first = position % 2  # positions of one side have one parity
        for earlier in range(first, position + 1, 2):
            call = self.calls[earlier]
            if call.is_bid and call.strain is last.strain:
                return self.seat_of(earlier)
        raise AssertionError("the last bid names its own strain")

    @property
    def contract(self) -> Contract | None:
        """The contract if all now passed; None before any bid."""
        last, declarer = self.last_bid, self.declarer
        if last is None or declarer is None:
            return None
        return Contract(last.level, last.strain, declarer, self.doubled)

    def why_illegal(self, call: Call) -> str | None:
        """The reason a call is not legal now, citing the Law; None if it is legal."""
        if self.is_over:
            return "the auction is over (Law 22)"
        if call.is_bid:
            last = self.last_bid
            return f"not higher than {last} (Law 18)" if last is not None and call <= last else None
        if call == PASS:
            return None
        position = next((i for i in range(len(self.calls) - 1, -1, -1) if self.calls[i] != PASS), None)
        if position is None:
            return "nothing to double (Law 19)"
        theirs, standing = (len(self.calls) - position) % 2 == 1, self.calls[position]
        if call == DOUBLE:
            return None if theirs and standing.is_bid else "only an opponent's undoubled bid can be doubled (Law 19)"
        return None if theirs and standing == DOUBLE else "only an opponent's double can be redoubled (Law 19)"

    def is_legal(self, call: Call) -> bool:
        """Whether the Laws allow this call now."""
        return self.why_illegal(call) is None

    def legal_calls(self) -> tuple[Call, ...]:
        """Every legal call in the order P X XX 1C..7NT; none when the auction is over."""
        if self.is_over:
            return ()
        last = self.last_bid
        bids = ALL_CALLS[3 if last is None else last.index + 1 :]
        doubles = tuple(call for call in (DOUBLE, REDOUBLE) if self.is_legal(call))
        return (PASS, *doubles, *bids)

    def diagram(self) -> str:
        """The auction in four columns beginning with West, as newspapers print it."""
        cells = [""] * ((self.dealer - Seat.W) % 4) + [call.symbol for call in self.calls]
        rows = [["West", "North", "East", "South"], *(cells[i : i + 4] for i in range(0, len(cells), 4))]
        return "\n".join("".join(cell.ljust(7) for cell in row).rstrip() for row in rows)

    def __len__(self) -> int:
        return len(self.calls)

    def __iter__(self) -> Iterator[Call]:
        return iter(self.calls)

    @overload
    def __getitem__(self, position: SupportsIndex) -> Call: ...
    @overload
    def __getitem__(self, position: slice) -> tuple[Call, ...]: ...
    def __getitem__(self, position: SupportsIndex | slice) -> Call | tuple[Call, ...]:
        return self.calls[position]

    def __str__(self) -> str:
        return " ".join(map(str, self.calls))

    def __repr__(self) -> str:
        return f"Auction.parse('{self.dealer}', '{self}')"


def _unchecked(dealer: Seat, calls: tuple[Call, ...]) -> Auction:
    """An auction whose calls are known to be legal, without checking them again."""
    auction = object.__new__(Auction)
    object.__setattr__(auction, "dealer", dealer)
    object.__setattr__(auction, "calls", calls)
    return auction


def _append(auction: Auction, call: Call) -> None:
    """Add a call to an auction under construction, or raise."""
    reason = auction.why_illegal(call)
    if reason is not None:
        after = f"after {auction}" if auction.calls else "as the first call"
        raise IllegalCallError(f"{call} is not legal {after}: {reason}")
    object.__setattr__(auction, "calls", (*auction.calls, call))
