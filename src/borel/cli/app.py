"""The `borel` command: its table of contents and its way with errors."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from borel.cli.show import errors_console
from borel.errors import BridgeError

EXIT_BAD_INPUT = 1  # something in the input was wrong, and was said; 2 is a wrong command line; 130 is Ctrl-C

app = typer.Typer(
    name="borel",
    help="Contract bridge: deal, bid, play, solve, convert, and say why.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"borel {version('borel-bridge')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Contract bridge: deal, bid, play, solve, convert, and say why."""


def main() -> None:
    """Run the command line. Every known error is one line on standard error and exit code 1, never a traceback."""
    try:
        app()
    except BridgeError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        errors_console.print("interrupted")
        sys.exit(130)


def fail(message: str) -> None:
    """One line on standard error, and exit code 1."""
    if isinstance(sys.exc_info()[1], BrokenPipeError):  # the reader has gone, as in `borel deal | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_BAD_INPUT)
    errors_console.print(f"borel: {message}", style="red", markup=False, highlight=False, soft_wrap=True)
    sys.exit(EXIT_BAD_INPUT)


# The table of contents. A command imports what it needs when it runs, so `borel --help` stays quick.
from borel.cli import (  # noqa: E402
    auction,
    bank,
    bench,
    bid,
    challenge,
    compatibility,
    convert,
    deal,
    demo,
    engine,
    explain,
    gaps,
    learn,
    match,
    play,
    review,
    sample,
    serve,
    singledummy,
    solve,
    system,
    tablemanager,
    train,
)

app.command(rich_help_panel="First steps")(demo.demo)
app.command(rich_help_panel="First steps")(play.play)
app.command(rich_help_panel="First steps")(serve.serve)
app.command(rich_help_panel="Boards and files")(deal.deal)
app.command(rich_help_panel="Boards and files")(convert.convert)
app.command(rich_help_panel="Bidding")(bid.bid)
app.command(rich_help_panel="Bidding")(explain.explain)
app.command(rich_help_panel="Bidding")(sample.sample)
app.command(rich_help_panel="Bidding")(auction.auction)
system.app.command()(gaps.gaps)
app.add_typer(system.app, name="system", rich_help_panel="Bidding")
app.command(rich_help_panel="Bidding")(engine.engine)
app.command(rich_help_panel="Double dummy")(solve.solve)
app.command(rich_help_panel="Double dummy")(singledummy.singledummy)
app.add_typer(bench.app, name="bench", rich_help_panel="Double dummy")
app.command(rich_help_panel="Arena", cls=match.WithPlayAlone)(match.match)
app.command(rich_help_panel="Arena")(challenge.challenge)
app.command(rich_help_panel="Arena")(compatibility.compatibility)
app.command(rich_help_panel="Arena")(review.review)
app.command(rich_help_panel="Arena")(match.history)
app.add_typer(tablemanager.app, name="tablemanager", rich_help_panel="Arena")
app.add_typer(train.app, name="train", rich_help_panel="Learning")
app.add_typer(learn.app, name="learn", rich_help_panel="Learning")
app.add_typer(bank.app, name="bank", rich_help_panel="Learning")
