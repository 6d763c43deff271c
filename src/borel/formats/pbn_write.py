"""Writing PBN's export format (PBN 2.1 §4): every mandatory tag in its order, then tags, auction, play and tables."""

from __future__ import annotations

from borel.auction import PASS
from borel.cards import ALL_CARDS, Seat
from borel.formats.pbn_sections import note_text
from borel.record import MANDATORY_TAGS, Annotation, Comment, Record
from borel.view import played_by

__all__ = ["HEADER", "game_text"]

CARD_TEXTS = tuple(str(card) for card in ALL_CARDS)
HEADER = "% PBN 2.1\n% EXPORT\n"


def game_text(record: Record) -> str:
    """One game, ending with the empty line that separates it from the next."""
    comments = _CommentWriter(record.comments)
    parts = comments.block("")
    values = _mandatory_values(record)
    for name in MANDATORY_TAGS:
        parts.append(_pair(name, values[name]))
        parts += comments.block(name)
    for tag in record.tags:
        if tag.name not in values and not tag.lines:
            parts += [_pair(tag.name, tag.value), *comments.block(tag.name)]
    parts += _auction_parts(record, comments)
    parts += _play_parts(record, comments)
    for tag in record.tags:
        if tag.lines:
            parts += [_pair(tag.name, tag.value), *tag.lines, *comments.block(tag.name)]
    return "\n".join(parts) + "\n\n"


def _mandatory_values(record: Record) -> dict[str, str]:
    values = dict.fromkeys(MANDATORY_TAGS, "")
    values |= {tag.name: tag.value for tag in record.tags if tag.name in values}
    values |= {seat.word: record.players[seat] for seat in Seat}
    if record.number is not None:
        values["Board"] = str(record.number)
    if record.dealer is not None:
        values["Dealer"] = record.dealer.name
    if record.vulnerability is not None:
        values["Vulnerable"] = str(record.vulnerability)
    if record.deal is not None:
        values["Deal"] = record.deal.text(record.dealer or Seat.N)
    if record.contract is not None:
        values |= {"Declarer": record.contract.declarer.name, "Contract": record.contract.text}
    elif record.passed_out:
        values["Contract"] = "Pass"
    if record.tricks is not None:
        values["Result"] = str(record.tricks)
    return values


def _pair(name: str, value: str) -> str:
    if "\\" in value or '"' in value:
        value = value.replace("\\", "\\\\").replace('"', '\\"')
    if value == "#" or value.startswith("##"):  # these would mean the value of the previous game
        value = "\\" + value
    return f'[{name} "{value}"]'


class _CommentWriter:
    """The comments of a record, by place."""

    def __init__(self, comments: tuple[Comment, ...]) -> None:
        self.places: dict[tuple[str, int], list[str]] = {}
        for comment in comments:
            self.places.setdefault((comment.after, comment.position), []).append(_comment(comment.text))

    def block(self, after: str, position: int = 0) -> list[str]:
        """The comments at a place, each ready to be a line."""
        return self.places.get((after, position), [])


def _comment(text: str) -> str:
    """In braces; to the end of the line where the text has a closing brace itself."""
    return f"{{{text}}}" if "}" not in text else f";{text}"


class _Cells:
    """The cells of a section with their notes and comments, set in rows of four."""

    def __init__(self) -> None:
        self.rows: list[str] = []
        self.row: list[str] = []
        self.count = 0
        self.numbers: dict[str, int] = {}

    def add(self, cell: str, note: Annotation | None, comments: list[str]) -> None:
        """One cell; a comment ends its line, for those with a semicolon must."""
        if note:
            if text := note_text(note):
                number = self.numbers.setdefault(text, len(self.numbers) + 1)
                cell += f" ={number}="
            cell += "".join(f" ${nag}" for nag in note.nags)
        self.row.append(cell)
        self.count += 1
        if comments or self.count % 4 == 0:
            self.end_row()
        self.rows += comments

    def end_row(self) -> None:
        """Begin another line."""
        if self.row:
            self.rows.append(" ".join(self.row))
            self.row = []

    def finish(self, end: str) -> list[str]:
        """The lines of the section with its end mark and the texts of its notes."""
        if end:
            self.row.append(end)
        self.end_row()
        return [*self.rows, *(_pair("Note", f"{number}:{text}") for text, number in self.numbers.items())]


def _auction_parts(record: Record, comments: _CommentWriter) -> list[str]:
    auction = record.auction
    if auction is None:
        return []
    cells = _Cells()
    calls, notes = auction.calls, record.call_notes
    length = len(calls)
    closing = auction.is_over and auction.last_bid is not None and not any(notes[-3:])
    closing = closing and not any(comments.block("Auction", place) for place in range(length - 3, length))
    written = length - 3 if closing else length
    for position in range(written):
        call = calls[position]
        text = "Pass" if call == PASS else str(call)
        cells.add(text, notes[position] if notes else None, comments.block("Auction", position + 1))
    if closing:
        cells.add("AP", None, comments.block("Auction", length))
    head = [_pair("Auction", auction.dealer.name), *comments.block("Auction")]
    return head + cells.finish("" if auction.is_over else "+")


def _play_parts(record: Record, comments: _CommentWriter) -> list[str]:
    """Each trick is a row, each column a seat, beginning with the opening leader (PBN 2.1 §3.5.2)."""
    contract = record.contract
    if contract is None or not (record.cards or record.claim):
        return _claim_parts(record)
    cells = _Cells()
    seats = played_by(contract, record.cards)
    texts = [CARD_TEXTS[13 * card.suit + card.rank] for card in record.cards]
    for start in range(0, len(record.cards), 4):
        places = {int(seats[place]): place for place in range(start, min(start + 4, len(record.cards)))}
        for column in range(4):
            place = places.get((contract.leader + column) % 4)
            if place is None:
                cells.add("-", None, [])
                continue
            note = record.card_notes[place] if record.card_notes else None
            cells.add(texts[place], note, comments.block("Play", place + 1))
    is_open = record.tricks is None and len(record.cards) < 52
    head = [_pair("Play", contract.leader.name), *comments.block("Play")]
    return _claim_parts(record) + head + cells.finish("+" if is_open else "*")


def _claim_parts(record: Record) -> list[str]:
    """Borel's own tag for what PBN cannot say: that the play ended with a claim, and whose."""
    if record.claim is None:
        return []
    return [_pair("Claim", record.claim.claimer.name if record.claim.claimer is not None else "?")]
