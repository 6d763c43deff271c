"""`borel system`: read, check and draw bidding systems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from borel.cli.show import console, progress_bar, show_json

__all__ = ["app"]

app = typer.Typer(help="Read, check and draw bidding systems.", no_args_is_help=True)


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list")
def list_systems(as_json: AsJson = False) -> None:
    """The systems that come with Borel."""
    from borel.systems import load_system, system_names

    systems = [load_system(name) for name in system_names()]
    if as_json:
        show_json([{"name": each.name, "title": each.title, "rules": len(each.rules)} for each in systems])
        return
    for each in systems:
        console.print(f"{each.name:16} {each.title} ({len(each.rules)} rules)", markup=False)


@app.command()
def card(
    system: Annotated[str, typer.Argument(help="A system's name, or a .bid file.")] = "sayc",
    out: Annotated[Path | None, typer.Option(help="Where to write the card: a .md or .html file.")] = None,
    html: Annotated[bool, typer.Option("--html", help="HTML instead of Markdown.")] = False,
    as_json: AsJson = False,
) -> None:
    """The convention card as Markdown or HTML."""
    from borel.systems import load_system
    from borel.systems.card import card_html, card_json, card_markdown

    as_html = html or (out is not None and out.suffix in (".html", ".htm"))
    loaded = load_system(system)
    if as_json:
        show_json(card_json(loaded))
        return
    text = card_html(loaded) if as_html else card_markdown(loaded)
    if out is None:
        print(text)
    else:
        out.write_text(text, encoding="utf-8")
        console.print(f"wrote {out}")


@app.command()
def check(
    file: Annotated[str, typer.Argument(help="A system's name, or a .bid file.")],
    hands: Annotated[int, typer.Option(help="How many random hands to try.", min=4)] = 3000,
    kind: Annotated[str, typer.Option(help="Only this kind: unanswered convention unreachable pass gap overlap.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a finding.")] = False,
) -> None:
    """Find overlaps, gaps, unreachable rules, strong passes, unanswered calls, conventions without follow-ups."""
    from borel.systems import load_system
    from borel.systems.check import check_system

    loaded = load_system(file)
    with progress_bar() as bar:
        task = bar.add_task(f"{loaded.name}: auctions and headers", total=None)
        every = check_system(
            loaded, hands=hands, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
    findings = [f for f in every if (f.kind == kind if kind else f.kind != "overlap" or as_json)]
    for finding in findings:
        if as_json:
            show_json({"kind": finding.kind, "place": finding.place, "text": finding.text})
        else:
            console.print(f"{finding.place}: {finding.kind}: {finding.text}", markup=False, soft_wrap=True)
    if not as_json:
        overlaps = sum(finding.kind == "overlap" for finding in every)
        more = f" and {overlaps} overlaps, where the first rule wins (--kind overlap)" if overlaps and not kind else ""
        console.print(f"{loaded.name}: {len(loaded.rules)} rules, {len(findings)} remarks{more}")


@app.command()
def show(
    system: Annotated[str, typer.Argument(help="A system's name, or a .bid file.")] = "sayc",
    auction: Annotated[str, typer.Option(help="The calls so far, such as '1NT P'.")] = "",
    dot: Annotated[bool, typer.Option("--dot", help="The decision net as graphviz DOT.")] = False,
    svg: Annotated[bool, typer.Option("--svg", help="The decision net as an SVG picture.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="General principles too.")] = False,
    as_json: AsJson = False,
) -> None:
    """What the rules say after an auction, written out; or the decision net made of them."""
    from borel.auction import Auction
    from borel.systems import Situation, load_system
    from borel.systems.drawing import net_svg, option_lines, option_records
    from borel.systems.position import net_of

    loaded = load_system(system)
    calls = tuple(call.index for call in Auction.parse("N", auction).calls)
    position = Situation((loaded, loaded)).start().follow(calls)
    options = position.options if everything else position.agreements
    if as_json:
        show_json(option_records(options))
        return
    if dot or svg:
        net = net_of(options)
        print(net.dot(auction or "open") if dot else net_svg(net))
        return
    for line in option_lines(options):
        console.print(line, markup=False, soft_wrap=True)
