"""`borel singledummy`: the best lines of a suit combination or an ending, and their chances."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from borel.cli.show import console, show_json
from borel.errors import BridgeError

if TYPE_CHECKING:
    from borel.cardplay.endings import Ending, EndingLine
    from borel.cardplay.suits import SuitLine

__all__ = ["singledummy"]

Cards = Annotated[
    list[str],
    typer.Argument(
        metavar="DUMMY HAND | DEAL",
        help="A suit, dummy's cards and declarer's, as in AQT2 543; or an ending as in "
        "'N:AT2... 965... KJ3... Q87...', of which the defenders' cards are put together.",
    ),
]
Strain = Annotated[str, typer.Option(help="For an ending: trumps S H D C, or NT.")]
Declarer = Annotated[str, typer.Option(help="For an ending: who declares.")]
Leader = Annotated[str | None, typer.Option(help="For an ending: who leads; declarer unless given.")]
Tricks = Annotated[int | None, typer.Option(min=1, max=13, help="Tricks to take; all that are possible unless given.")]
Seconds = Annotated[float | None, typer.Option(min=0.01, help="Give up after so long, for each number of tricks.")]
Best = Annotated[bool, typer.Option("--best", help="For an ending: the best line alone, found far sooner.")]
Lines = Annotated[int, typer.Option(min=1, help="Lines to show for each number of tricks.")]


def singledummy(
    cards: Cards,
    strain: Strain = "NT",
    declarer: Declarer = "S",
    leader: Leader = None,
    tricks: Tricks = None,
    lines: Lines = 5,
    seconds: Seconds = None,
    best: Best = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show what declarer, who sees two hands, can play for against defenders who see all: exact chances.

    A suit combination is played with entries to spare, as in the textbooks: every round is led from the better hand.
    """
    from borel.cardplay.suits import suit_combination, suit_line

    if len(cards) == 2:
        found = suit_combination(*cards) if tricks is None else [suit_line(cards[0], cards[1], tricks)]
        _show_suit([line for line in found if line is not None], json=json)
    elif len(cards) == 1:
        show = _show_best if best else partial(_show_ending, most=lines)
        show(_ending(cards[0], strain, declarer, leader), tricks, seconds, json=json)
    else:
        raise BridgeError("give a suit (dummy's cards and declarer's) or one ending in quotes")


def _show_suit(found: list[SuitLine], *, json: bool) -> None:
    if json:
        from dataclasses import asdict

        show_json({"lines": [asdict(line) for line in found]})
        return
    if not found:
        console.print("no layout of the missing cards allows that")
    for line in found:
        console.print(f"[bold]{line.tricks}[/] trick{'s' * (line.tricks > 1)}: [bold]{line.chance:.1%}[/]", end="")
        console.print(str(line).partition("%")[2], end="")
        few = line.west if line.chance < 1 - 1e-9 and len(line.west) <= 16 else ()
        console.print(f"; wins against {', '.join(few)} on the left" if few else "", highlight=False)


def _ending(text: str, strain: str, declarer: str, leader: str | None) -> Ending:
    from borel.cardplay.endings import Ending
    from borel.cards import Seat
    from borel.cards import Strain as TheStrain
    from borel.deal import Deal

    seat = Seat.parse(declarer)
    return Ending(Deal.parse(text), TheStrain.parse(strain), seat, seat if leader is None else Seat.parse(leader))


def _numbers(ending: Ending, tricks: int | None) -> list[int]:
    return [tricks] if tricks is not None else list(range(len(ending.deal.hand(ending.leader)), 0, -1))


def _show_best(ending: Ending, tricks: int | None, seconds: float | None, *, json: bool) -> None:
    document = []
    for wanted in _numbers(ending, tricks):
        best = ending.best(wanted, seconds=seconds)
        found = [best.line] if best.line else []
        lines = [_line_document(line) for line in found]
        document.append({"tricks": wanted, "lines": lines, "bound": best.bound, "proved": best.proved})
        if not json:
            _show_lines(wanted, found, 1, proved=best.proved)
            if not best.proved:
                console.print(
                    f"   not proved in {seconds:g} s: no line has more than [bold]{best.bound:.1%}[/]", highlight=False
                )
        if best.line and best.line.chance > 1 - 1e-9:
            break
    if json:
        show_json({"deal": str(ending.deal), "endings": document})


def _show_ending(ending: Ending, tricks: int | None, seconds: float | None, *, most: int, json: bool) -> None:
    document = []
    for wanted in _numbers(ending, tricks):
        try:
            found = ending.lines(wanted, seconds=seconds)
        except TimeoutError:
            said = f"{wanted} tricks: not solved in the {seconds:g} seconds given; --best asks for the best line alone"
            raise BridgeError(said) from None
        document.append({"tricks": wanted, "lines": [_line_document(line) for line in found]})
        if not json:
            _show_lines(wanted, found, most)
        if found and found[0].chance > 1 - 1e-9:
            break
    if json:
        show_json({"deal": str(ending.deal), "endings": document})


def _line_document(line: EndingLine) -> dict[str, Any]:
    cards = [str(card) for card in line.cards]
    return {"chance": line.chance, "cards": cards, "layouts": line.layouts, "fails": line.fails}


def _show_lines(wanted: int, found: list[EndingLine], most: int, *, proved: bool = True) -> None:
    none = "no plan wins in any layout" if proved else "no plan found yet"
    console.print(f"[bold]{wanted}[/] trick{'s' * (wanted > 1)}: " + ("" if found else none))
    for line in found[:most]:
        first = " or ".join(card.symbol for card in line.cards)
        fails = f"; fails when {line.fails}" if line.fails else ""
        console.print(f"   [bold]{line.chance:.1%}[/]  {first or 'whatever is led'}{fails}", highlight=False)
    if len(found) > most:
        console.print(f"   and {len(found) - most} other lines")
