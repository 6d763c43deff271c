"""One board at one table, as it was played: deal, auction with explanations, contract, play, claim and result.

A `Record` holds only what its source says, so any part may be absent. What is there agrees: the contract is the
auction's, the cards are legal, the tricks were won or claimed; a contradiction raises. What follows from the rest (the
contract from a finished auction, the tricks from a finished play) is filled in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from borel.auction import ALL_CALLS, Auction, Contract
from borel.cards import SUIT_MASK, Card, Seat
from borel.deal import Board, Deal, Vulnerability
from borel.errors import IllegalCardError, ParseError, RecordError
from borel.play import Claim, Play
from borel.scoring import Scoring, ns_score
from borel.view import Systems, played_by

__all__ = ["MANDATORY_TAGS", "Annotation", "Comment", "Record", "Tag"]

# PBN 2.1 §3.4: these tags open every exported game, in this order.
MANDATORY_TAGS = (
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Scoring"),
    *("Declarer", "Contract", "Result"),
)
_TEXT_TAGS = ("Event", "Site", "Date", "Scoring")  # mandatory and free text: a record keeps them among its tags
_OWN_PLACE = frozenset(MANDATORY_TAGS) - frozenset(_TEXT_TAGS) | {"Auction", "Play", "Note"}

MAX_NAGS = 16
_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_TAG_IN_COMMENT = re.compile(r"\n\s*\n\s*\[")  # where a reader must assume that the closing brace was forgotten
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


@dataclass(frozen=True, slots=True)
class Annotation:
    """What is said about one call or card: its public explanation, the alert, and PBN's glyphs ($1 is ``!``)."""

    explanation: str = ""
    alerted: bool = False
    nags: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.nags) > MAX_NAGS or not all(0 <= nag <= 255 for nag in self.nags):
            raise RecordError(f"at most {MAX_NAGS} annotation glyphs, from $0 to $255")
        if self.explanation != self.explanation.strip():
            object.__setattr__(self, "explanation", self.explanation.strip())

    def __bool__(self) -> bool:
        return self.alerted or bool(self.explanation or self.nags)


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark and its place: after a tag (``""`` is before the first), or after so many calls or cards.

    ``position`` counts calls where ``after`` is ``"Auction"`` and cards where it is ``"Play"``; elsewhere it is zero.
    """

    text: str
    after: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True)
class Tag:
    """A named text, with the lines of its table if it has one (PBN 2.1 §3.6, such as OptimumResultTable)."""

    name: str
    value: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One board at one table.

    ``adjusted`` says that the tricks are meant although the cards played do not lead to them: after a revoke (Law 64),
    a ruling, or a slip in the source that nobody can now correct. Without it such a result raises.

    >>> record = Record(dealer=Seat.N, auction=Auction.parse("N", "1NT P 3NT AP"), tricks=10)
    >>> record.contract, record.tricks, record.passed_out
    (Contract.parse('3NT by N'), 10, False)
    >>> Record(dealer=Seat.N, auction=record.auction, contract=Contract.parse("4H by N"))
    Traceback (most recent call last):
    borel.errors.RecordError: contract 4H by N, but the auction ends in 3NT by N
    """

    number: int | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None
    deal: Deal | None = None
    players: tuple[str, str, str, str] = ("", "", "", "")
    auction: Auction | None = None
    call_notes: tuple[Annotation, ...] = ()
    contract: Contract | None = None
    passed_out: bool = False
    cards: tuple[Card, ...] = ()
    card_notes: tuple[Annotation, ...] = ()
    claim: Claim | None = None
    tricks: int | None = None
    adjusted: bool = False
    tags: tuple[Tag, ...] = ()
    comments: tuple[Comment, ...] = ()

    def __post_init__(self) -> None:
        if self.number is not None and not 0 < self.number < 10**9:
            raise RecordError(f"board numbers are 1 to 999999999, not {self.number}")
        if self.deal is not None:
            _check_deal(self)
        if self.auction is not None:
            _check_auction(self)
        _check_result(self)
        _check_notes(self)
        _check_texts(self)

    @property
    def board(self) -> Board | None:
        """The board, where dealer and vulnerability are known; its deal may be empty."""
        if self.dealer is None or self.vulnerability is None:
            return None
        return Board(self.deal or EMPTY_DEAL, self.dealer, self.vulnerability, self.number)

    @property
    def play(self) -> Play | None:
        """The play, where there is a contract. Of hands that the record does not give, it has the cards played.

        A claim is part of it only when all four hands are given: otherwise the tricks left cannot be counted.
        """
        if self.contract is None:
            return None
        claim = self.claim if self.deal and all(self.deal.masks) else None
        return Play(self._played_deal(self.contract), self.contract, self.cards, claim)

    def _played_deal(self, contract: Contract) -> Deal:
        deal = self.deal or EMPTY_DEAL
        masks = list(deal.masks)
        if not all(masks):
            for seat, card in zip(played_by(contract, self.cards), self.cards, strict=True):
                if not deal.hands[seat].mask:
                    masks[seat] |= card.mask
        return Deal.of_masks((masks[0], masks[1], masks[2], masks[3]))

    @property
    def explanations(self) -> tuple[str, ...]:
        """The public meaning of each call, an empty text where none was given."""
        if self.auction is None:
            return ()
        return tuple(note.explanation for note in self.call_notes) or ("",) * len(self.auction)

    @property
    def ns_score(self) -> int | None:
        """North-South's points; None where contract, tricks or vulnerability are unknown."""
        if self.contract is None or self.tricks is None or self.vulnerability is None:
            return 0 if self.passed_out else None
        return ns_score(self.contract, self.tricks, self.vulnerability)

    @property
    def scoring(self) -> Scoring | None:
        """The form of scoring, where the Scoring tag names one that Borel knows."""
        try:
            return Scoring.parse(self.tag("Scoring"))
        except ParseError:
            return None

    @property
    def systems(self) -> Systems:
        """The bidding systems by name, from PBN's tags BidSystemNS and BidSystemEW."""
        return Systems(self.tag("BidSystemNS"), self.tag("BidSystemEW"))

    def tag(self, name: str) -> str:
        """The value of a tag; an empty text if the record does not have it."""
        return next((tag.value for tag in self.tags if tag.name == name), "")

    def with_tag(self, name: str, value: str) -> Record:
        """The record with a tag added or exchanged."""
        return replace(self, tags=(*(tag for tag in self.tags if tag.name != name), Tag(name, value)))


EMPTY_DEAL = Deal.of_masks((0, 0, 0, 0))


def _check_deal(record: Record) -> None:
    """Either no hand has thirteen cards (an ending), or every hand that is given has (no card is missing)."""
    assert record.deal is not None
    sizes = [len(hand) for hand in record.deal.hands]
    if sizes == [13, 13, 13, 13]:
        return
    if not any(sizes):
        object.__setattr__(record, "deal", None)
    for seat, size in zip(Seat, sizes, strict=True):
        if 13 in sizes and 0 < size < 13:
            raise RecordError(f"{seat.word} has {size} cards instead of 13")


def _check_auction(record: Record) -> None:
    """The auction begins with the dealer and, once over, decides the contract."""
    auction = record.auction
    assert auction is not None
    if record.dealer is None:
        object.__setattr__(record, "dealer", auction.dealer)
    elif record.dealer is not auction.dealer:
        raise RecordError(f"{record.dealer.word} is dealer, but the auction begins with {auction.dealer.word}")
    if not auction.is_over:
        if record.contract is not None or record.passed_out:
            named = f"contract {record.contract}" if record.contract else "passed out"
            raise RecordError(f"{named}, but the auction is not over")
        return
    contract = auction.contract
    if record.contract is not None and record.contract != contract:
        raise RecordError(f"contract {record.contract}, but the auction ends in {contract or 'four passes'}")
    if record.passed_out and contract is not None:
        raise RecordError(f"passed out, but the auction ends in {contract}")
    object.__setattr__(record, "contract", contract)
    object.__setattr__(record, "passed_out", contract is None)


def _check_result(record: Record) -> None:
    """The cards are legal; the tricks are possible after them, and exact when the play is over."""
    contract, claim, tricks, adjusted = record.contract, record.claim, record.tricks, record.adjusted
    object.__setattr__(record, "adjusted", False)  # until the tricks turn out not to be those of the play
    if record.passed_out and (contract or tricks is not None):
        raise RecordError("passed out, but with " + (f"contract {contract}" if contract else f"{tricks} tricks"))
    if tricks is not None and not 0 <= tricks <= 13:
        raise RecordError(f"declarer takes 0 to 13 tricks, not {tricks}")
    if contract is None:
        if record.cards or claim is not None:
            raise RecordError(f"{'cards were played' if record.cards else 'a claim'} without a contract")
        return
    low, high = tricks_range(record.deal, contract, record.cards)
    if claim is not None:
        if claim.after_cards != len(record.cards):
            raise RecordError(f"a claim after {claim.after_cards} cards, but {len(record.cards)} were played")
        if not low <= claim.declarer_tricks <= high:
            raise RecordError(_impossible(f"a claim of {claim.declarer_tricks} tricks", low, high))
        if tricks is not None and tricks != claim.declarer_tricks:
            raise RecordError(f"{tricks} tricks, but the claim was {claim.declarer_tricks}")
        object.__setattr__(record, "tricks", claim.declarer_tricks)
    elif tricks is not None and not low <= tricks <= high:
        if not adjusted:
            raise RecordError(_impossible(f"a result of {tricks} tricks", low, high))
        object.__setattr__(record, "adjusted", True)
    elif record.cards and low == high:  # every trick was played
        object.__setattr__(record, "tricks", low)


def _impossible(wrong: str, low: int, high: int) -> str:
    return f"{wrong} for declarer, who has {low} " + (
        f"and can reach {high}" if high > low else "at the end of the play"
    )


def tricks_range(deal: Deal | None, contract: Contract, cards: tuple[Card, ...]) -> tuple[int, int]:
    """The least and the most tricks declarer can have in the end after these cards; an illegal card raises.

    The same rules as `Play`, in one pass over integers because every record that is read goes through it. A hand that
    the deal does not give can play any card that nobody else holds.
    """
    held = list(deal.masks) if deal is not None else [0, 0, 0, 0]
    total = max(13 if not mask else mask.bit_count() for mask in held)
    unknown = [not mask for mask in held]
    taken = held[0] | held[1] | held[2] | held[3]  # cards that an unknown hand cannot have
    strain, turn, won, declarer_side = int(contract.strain), int(contract.leader), [0, 0], contract.declarer % 2
    if len(cards) > 52:
        raise IllegalCardError(f"{len(cards)} cards were played")
    led = best_suit = best_rank = winner = 0
    for position, card in enumerate(cards):
        suit, rank = card.suit, card.rank
        bit = 1 << 13 * suit + rank
        if unknown[turn]:
            if taken & bit:
                raise _illegal(card, turn, position, cards, "held by another hand or played before")
            taken |= bit
        elif not held[turn] & bit:
            raise _illegal(card, turn, position, cards, "not held")
        elif position % 4 and suit != led and held[turn] >> 13 * led & SUIT_MASK:
            why = f"a revoke, {cards[position - position % 4].suit.word} were led (Law 44C)"
            raise _illegal(card, turn, position, cards, why)
        held[turn] &= ~bit
        if position % 4 == 0:
            led = best_suit = suit
            best_rank, winner = rank, turn
        elif (suit == best_suit and rank > best_rank) or (suit != best_suit and suit == strain):
            best_suit, best_rank, winner = suit, rank, turn
        if position % 4 == 3:
            won[winner % 2] += 1
            turn = winner
        else:
            turn = (turn + 1) % 4
    return won[declarer_side], total - won[1 - declarer_side]


def _illegal(card: Card, turn: int, position: int, cards: tuple[Card, ...], why: str) -> IllegalCardError:
    after = f" after {' '.join(map(str, cards[max(0, position - 8) : position]))}" if position else ""
    return IllegalCardError(f"trick {position // 4 + 1}: {card} is not legal for {Seat(turn)}{after}: {why}")


def _check_notes(record: Record) -> None:
    """Notes are one for each call or card, or none at all."""
    calls = len(record.auction) if record.auction is not None else 0
    for name, count, what in (("call_notes", calls, "calls"), ("card_notes", len(record.cards), "cards")):
        notes = getattr(record, name)
        if notes and len(notes) != count:
            raise RecordError(f"{len(notes)} annotations for {count} {what}")
        if notes and not any(notes):
            object.__setattr__(record, name, ())
    for comment in record.comments:
        most = {"Auction": calls, "Play": len(record.cards)}.get(comment.after, 0)
        if not 0 <= comment.position <= most:
            raise RecordError(f"a comment after {comment.position} of {most} calls or cards")


def _check_texts(record: Record) -> None:
    """Texts have no control characters; tags have distinct names, and the order in which PBN exports them."""
    if record.tags:
        ordered = tuple(sorted(record.tags, key=_tag_order))
        if ordered != record.tags:
            object.__setattr__(record, "tags", ordered)
        _check_tags(record)
    if record.comments:
        for comment in record.comments:
            _check_comment(comment, record)
        places = ["", *MANDATORY_TAGS, *(tag.name for tag in record.tags), "Auction", "Play"]
        ordered_comments = sorted(record.comments, key=lambda comment: (places.index(comment.after), comment.position))
        object.__setattr__(record, "comments", tuple(ordered_comments))
    texts = [*record.players, *(note.explanation for note in (*record.call_notes, *record.card_notes) if note)]
    texts += [text for tag in record.tags for text in (tag.value, *tag.lines)]
    if wrong := next(filter(_CONTROL.search, texts), None):
        raise RecordError(f"a control character in {wrong[:80]!r}")


def _tag_order(tag: Tag) -> int:
    if tag.name in MANDATORY_TAGS:
        return MANDATORY_TAGS.index(tag.name)
    return len(MANDATORY_TAGS) + bool(tag.lines)


def _check_tags(record: Record) -> None:
    names = set()
    for tag in record.tags:
        if not _NAME.fullmatch(tag.name):
            raise RecordError(f"not the name of a tag: {tag.name[:80]!r}")
        if tag.name in names:
            raise RecordError(f"tag {tag.name} twice")
        names.add(tag.name)
        if tag.name in _OWN_PLACE and not _is_kept_text(tag, record):
            raise RecordError(f"{tag.name} has a place of its own in a record and is not among its tags")
        if tag.name == "Claim" and tag.value in ("N", "E", "S", "W", "?"):  # how PBN says that the record has a claim
            raise RecordError("a claim is a part of its own in a record, not a tag")
        if tag.name in _TEXT_TAGS and (not tag.value or tag.lines):
            raise RecordError(f"tag {tag.name} is one text, and absent where that is empty")
        for line in tag.lines:
            if not line or line != line.strip() or line[0] in "[%{;":
                raise RecordError(f"not a line of a table: {line[:80]!r}")


def _is_kept_text(tag: Tag, record: Record) -> bool:
    """A board's name that is no number, a contract without its declarer, or a declarer alone: kept as written."""
    if tag.lines or not tag.value:
        return False
    if tag.name == "Board":
        return record.number is None and not is_board_number(tag.value)
    if record.contract is not None or record.passed_out or (record.auction is not None and record.auction.is_over):
        return False
    if tag.name == "Declarer":
        return tag.value in Seat.__members__ and not record.tag("Contract")
    return tag.name == "Contract" and tag.value in _CONTRACTS


def is_board_number(text: str) -> bool:
    """Whether a text is a number from 1 to 999999999."""
    return text.isascii() and text.isdecimal() and len(text) < 10 and int(text) > 0


def _check_comment(comment: Comment, record: Record) -> None:
    """A comment may span lines, but one with ``}`` must fit on a line: PBN's other form ends with the line."""
    text = comment.text
    if not text or text != text.strip() or _CONTROL.search(text.replace("\n", "")):
        raise RecordError(f"not a comment: {text[:80]!r}")
    if "\n" in text and ("}" in text or _TAG_IN_COMMENT.search(text)):
        raise RecordError(f"a comment of several lines contains a brace, or a tag after an empty line: {text[:80]!r}")
    after = comment.after
    if after == "Auction" and record.auction is None:
        raise RecordError("a comment on the auction of a record that has none")
    if after == "Play" and not record.cards and record.claim is None:
        raise RecordError("a comment on the play of a record that has none")
    if after not in _COMMENTED and all(tag.name != after for tag in record.tags):
        raise RecordError(f"a comment after {after[:80]!r}, which the record does not have")


_CONTRACTS = frozenset(f"{call}{'X' * doubled}" for call in ALL_CALLS[3:] for doubled in range(3))
_COMMENTED = frozenset({"", *MANDATORY_TAGS, "Auction", "Play"})


def notes_of(count: int, notes: dict[int, Annotation]) -> tuple[Annotation, ...]:
    """One annotation for each of so many calls or cards, from those at some positions; none if there are none."""
    nothing = Annotation()
    return tuple(notes.get(position, nothing) for position in range(count)) if any(notes.values()) else ()
