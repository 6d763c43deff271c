"""`borel play`: a seat at a terminal table with three bots."""

from __future__ import annotations

from random import SystemRandom
from typing import TYPE_CHECKING, Annotated

import typer

from borel.cli.show import console
from borel.errors import BridgeError

if TYPE_CHECKING:
    from borel.arena.session import Session
    from borel.cards import Seat

__all__ = ["play"]

HELP = """A call (P X XX 1C … 7NT) or a card (SA, H10, d7). And:
  hint       what a bot would do in your place, and why
  explain    what every call means and what each seat has shown; explain 3: the third call
  undo       take back your last call or card, and what followed
  claim N    claim N of the tricks that are left (all, without a number)
  show       the table again
  quit       stop"""


def play(
    seat: Annotated[str, typer.Option(help="Your seat: N E S W.")] = "S",
    seed: Annotated[int | None, typer.Option(help="Which board; without it one is picked, and named.")] = None,
    boards: Annotated[int, typer.Option(min=1, help="How many boards.")] = 1,
    bidder: Annotated[str, typer.Option(help="How the bots bid.")] = "rules:sayc",
    player: Annotated[str, typer.Option(help="How the bots play.")] = "borel:seconds=0.5",
) -> None:
    """Play with three bots at the terminal: hint, undo, claim, and an explanation of any call."""
    from borel import _core
    from borel.arena.session import Session
    from borel.cards import Seat as TheSeat
    from borel.deal import Board, Deal
    from borel.policies.spec import bidder as make_bidder
    from borel.policies.spec import card_player, system_of

    person, bidding, playing = TheSeat.parse(seat), make_bidder(bidder), card_player(player)
    first = SystemRandom().randrange(1, 1_000_000) if seed is None else seed
    console.print(HELP + "\n", markup=False)
    for number in range(first, first + boards):
        deal = Deal.of_masks(tuple(_core.deal(1, number)[0].tolist()))
        board = Board.numbered(1 + number % 16, deal)
        session = Session(board, person, bidding, playing, system_of(bidding) or "sayc", number)
        console.print(f"[bold]Board {board.number}[/], dealer {board.dealer.word}, vulnerable: {board.vulnerability}"
                      f"  [dim](borel play --seed {number} --seat {person})[/]")  # fmt: skip
        if not _run(session):
            return


def _run(session: Session) -> bool:
    """Play one board; False when the person stops."""
    _show(session)
    shown = 0
    while not session.is_over:
        if not session.is_persons_turn:
            hand = session.play.turn if session.play is not None else None  # dummy's card is declarer's to choose
            seat, told = session.bot_acts()
            meaning = f"  [dim]{told.meaning}[/]" if told.meaning else ""
            console.print(f"{(hand or seat).word}: [bold]{told.choice.symbol}[/]{meaning}")
            continue
        if len(session.cards) != shown:
            shown = len(session.cards)
            _show(session)
        try:
            words = console.input(f"{_whose(session)}> ").split()
        except EOFError:
            return False
        if words and not _obey(session, words):
            return False
        if words and words[0].lower() == "undo":
            shown = -1  # the table as it was
    _show_result(session)
    return True


def _whose(session: Session) -> str:
    playing = session.play
    if playing is None:
        return f"your call ({session.person.word})"
    from_dummy = playing.turn is not session.person
    return f"your card ({'dummy, ' if from_dummy else ''}{playing.turn.word})"


def _obey(session: Session, words: list[str]) -> bool:
    """One command; False to stop. What is wrong is said, and the person asked again."""
    verb = words[0].lower()
    try:
        if verb in {"quit", "exit", "q"}:
            return False
        if verb in {"help", "?"}:
            console.print(HELP, markup=False)
        elif verb == "hint":
            told = session.hint()
            console.print(f"[bold]{told.choice.symbol}[/]: {told.why}")
        elif verb == "explain":
            _explain(session, words[1:])
        elif verb == "undo":
            session.undo()
        elif verb == "claim":
            _claim(session, words[1:])
        elif verb == "show":
            _show(session)
        else:
            session.act(words[0])
    except BridgeError as error:
        console.print(str(error), style="red", markup=False)
    return True


def _explain(session: Session, words: list[str]) -> None:
    meaning = session.explained()
    chosen = meaning.calls
    if words and words[0].isdecimal():
        if not 1 <= int(words[0]) <= len(chosen):
            raise BridgeError(f"there are {len(chosen)} calls so far, so none is number {words[0]}")
        chosen = (chosen[int(words[0]) - 1],)
    for call in chosen:
        console.print(f"{call.seat.word} {call.call.symbol}: {call.text}", markup=False)
    if not words:
        for seat in meaning.seats:
            console.print(f"{seat.seat.word} has shown: {seat.words}", markup=False)


def _claim(session: Session, words: list[str]) -> None:
    playing = session.play
    if playing is None:
        raise BridgeError("there is nothing to claim before the play")
    left = 13 - sum(playing.tricks_won(side) for side in (session.person.side, session.person.side.other))
    if words and not words[0].isdecimal():
        raise BridgeError(f"not a number of tricks: {words[0][:20]!r}")
    agreed = session.claim(int(words[0]) if words else left)
    console.print("the claim is accepted" if agreed else "the opponents do not agree: play goes on")


def _show(session: Session) -> None:
    """What the person may see: their hand, dummy, the trick, the tricks won."""
    playing, auction = session.play, session.auction
    if playing is None:
        if auction.calls:
            console.print(auction.diagram(), markup=False)
        console.print(f"{session.person.word}: {session.board.deal.hand(session.person).pretty()}")
        return
    contract = playing.contract
    console.print(f"[bold]{contract.pretty()}[/], tricks: declarer {playing.tricks_won(contract.side)}, "
                  f"defenders {playing.tricks_won(contract.side.other)}")  # fmt: skip
    for seat in _visible(session):
        console.print(f"{seat.word:>6}: {playing.held(seat).pretty()}")
    if playing.trick.cards:
        console.print("on the table: " + " ".join(card.symbol for card in playing.trick.cards))


def _visible(session: Session) -> list[Seat]:
    """The person's own hand, dummy's once it is down, and declarer's for a person who plays partner's contract."""
    from borel.cards import Seat as TheSeat

    playing = session.play
    assert playing is not None
    seen = {session.person}
    if playing.dummy is not None:
        seen.add(playing.contract.dummy)
        if session.person is playing.contract.dummy:
            seen.add(playing.contract.declarer)
    return [seat for seat in TheSeat if seat in seen]


def _show_result(session: Session) -> None:
    from borel import dd

    result = session.result()
    console.print(session.board.deal.diagram(), markup=False)
    outcome = result.result
    console.print(f"[bold]{outcome if outcome else 'Passed out'}[/]: North-South {result.ns_score:+d}; "
                  f"par {dd.par(session.board).ns_score:+d}\n")  # fmt: skip
