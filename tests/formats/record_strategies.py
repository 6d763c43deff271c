"""Hypothesis strategies for records: any valid one, with every part present or absent."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from hypothesis import strategies as st

import strategies as bridge
from borel import ALL_CARDS, Auction, Claim, Deal, Hand, Play, Seat
from borel.record import MANDATORY_TAGS, Annotation, Comment, Record, Tag, notes_of

# Everything a record's text may hold, with what the formats give a meaning to more often than chance would.
letters = st.characters(blacklist_categories=["Cs"], blacklist_characters=[chr(c) for c in range(32)] + ["\x7f"])
spices = st.sampled_from(
    ['"', "\\", "#", "##", "{", "}", "[", "]", ";", "%", "|", "=1=", "alert", "alert: ", ":", "\x85", "É", "♠"]
)
texts = st.lists(st.one_of(spices, st.text(letters, max_size=5)), max_size=4).map("".join)
stripped = texts.map(str.strip)
names = st.sampled_from(["A", "Room", "Lin_xx", "ScoreTable", "OptimumResultTable", "X9_", "BidSystemNS"])
table_lines = stripped.filter(lambda line: bool(line) and line[0] not in "[%{;")
annotations = st.builds(Annotation, stripped, st.booleans(), st.lists(st.integers(0, 255), max_size=3).map(tuple))


def _no_tag_after_a_blank_line(text: str) -> str:
    """There a reader takes the comment's closing brace to be forgotten; a blank line may hold any white space."""
    return re.sub(r"(\n\s*)\[", r"\1(", text)


comment_texts = st.one_of(
    stripped.filter(bool),
    st.lists(texts, min_size=2, max_size=4)
    .map(lambda lines: _no_tag_after_a_blank_line("\n".join(lines).replace("}", ")")).strip())
    .filter(bool),
)


@st.composite
def tags(draw: st.DrawFn) -> tuple[Tag, ...]:
    """Texts of the event, others, and tables."""
    known = st.builds(Tag, st.sampled_from(["Event", "Site", "Date", "Scoring"]), texts.filter(bool))
    other = st.builds(Tag, names, texts)
    table = st.builds(Tag, names, texts, st.lists(table_lines, min_size=1, max_size=3).map(tuple))
    return tuple(draw(st.lists(st.one_of(known, other, table), max_size=4, unique_by=lambda tag: tag.name)))


# What a record keeps as it was written because it cannot be understood alone.
leftovers = st.sampled_from([(), (Tag("Board", "12a"),), (Tag("Contract", "4SX"),), (Tag("Declarer", "N"),)])


@st.composite
def sparse_notes(draw: st.DrawFn, count: int) -> tuple[Annotation, ...]:
    """Annotations of a few of so many calls or cards."""
    if not count:
        return ()
    return notes_of(count, draw(st.dictionaries(st.integers(0, count - 1), annotations, max_size=3)))


def hidden(deal: Deal, seats: set[Seat]) -> Deal:
    """The deal with some hands unknown."""
    for seat in seats:
        deal = deal.with_hand(seat, Hand(0))
    return deal


def played(random: Random, deal: Deal, auction: Auction, count: int) -> Play:
    """Legal cards at random to the contract of a finished auction."""
    assert auction.contract is not None
    play = Play(deal, auction.contract)
    for _ in range(count):
        mask = play.legal_mask()
        play = play.after(ALL_CARDS[random.choice([i for i in range(52) if mask >> i & 1])])
    return play


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any valid record."""
    random = draw(bridge.randoms)
    deal = bridge.shuffled_deal(random)
    auction = bridge.random_auction(random, draw(bridge.seats), complete=draw(st.booleans()))
    parts: dict[str, Any] = {"tags": draw(tags())}
    if auction.is_over and auction.contract is not None:
        play = played(random, deal, auction, draw(st.integers(0, 52)))
        left = 13 - len(play.cards) // 4
        tricks = play.declarer_tricks + draw(st.integers(0, left))
        parts["cards"] = play.cards
        parts["contract"] = auction.contract
        parts["card_notes"] = draw(sparse_notes(len(play.cards)))
        ending = draw(st.sampled_from(["claim", "tricks", "open", "adjusted"]))
        if ending == "claim":
            parts["claim"] = Claim(len(play.cards), tricks, draw(st.none() | bridge.seats))
        elif ending == "tricks":
            parts["tricks"] = tricks
        elif ending == "adjusted":
            parts |= {"tricks": draw(st.integers(0, 13)), "adjusted": True}
    if parts.get("contract") is None or draw(st.booleans()):
        parts["auction"] = auction
        parts["call_notes"] = draw(sparse_notes(len(auction)))
    elif draw(st.booleans()):
        parts["dealer"] = auction.dealer
    if draw(st.booleans()):
        parts["deal"] = hidden(deal, draw(st.sets(bridge.seats)))
    parts["number"] = draw(st.none() | st.integers(1, 999_999_999))
    parts["vulnerability"] = draw(st.none() | bridge.vulnerabilities)
    if parts["number"] is None and parts.get("contract") is None and not auction.is_over:
        parts["tags"] += draw(leftovers)
    parts["players"] = draw(st.tuples(*[texts] * 4))
    return Record(**parts, comments=draw(comments(Record(**parts))))


@st.composite
def comments(draw: st.DrawFn, record: Record) -> tuple[Comment, ...]:
    """Comments at places that the record has."""
    places = [("", 0), *((name, 0) for name in MANDATORY_TAGS), *((tag.name, 0) for tag in record.tags)]
    if record.auction is not None:
        places += [("Auction", position) for position in range(len(record.auction) + 1)]
    if record.cards or record.claim is not None:
        places += [("Play", position) for position in range(len(record.cards) + 1)]
    drawn = draw(st.lists(st.tuples(comment_texts, st.sampled_from(places)), max_size=4))
    return tuple(Comment(text, *place) for text, place in drawn)
