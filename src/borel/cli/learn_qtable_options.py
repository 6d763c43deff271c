"""The options of `borel learn qtable`: the thesis's variables (8.7.1 to 9.4), and ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Banked = Annotated[Path, typer.Argument(help="A bank of solved deals (`borel bank build`).")]
Out = Annotated[Path | None, typer.Option(help="A folder for the run: it can be stopped and gone on with.")]
Openings = Annotated[
    str, typer.Option(help="natural, learnt (from nothing) or a file: a table of shapes and strengths.")
]
Shapes = Annotated[int, typer.Option(help="128 (91% of hands) or all 560.")]
Bids = Annotated[int, typer.Option(min=2, max=36, help="Calls to choose from: pass and the next bids.")]
Calls = Annotated[int, typer.Option(min=2, max=7, help="Calls of an auction at most.")]
Epochs = Annotated[int, typer.Option(min=1, help="Each ends with an examination.")]
Deals = Annotated[int, typer.Option(min=1, help="Auctions in an epoch.")]
Test = Annotated[int, typer.Option(min=1, help="Deals at the end of the bank that are kept for examinations.")]
Rate = Annotated[float, typer.Option(min=0.0, max=1.0, help="Learning rate.")]
Rates = Annotated[
    str, typer.Option(help="A learning rate for each position instead, as 0,0.1,0.1,0.02: opening, response ...")
]
Schedule = Annotated[str, typer.Option(help="constant, decreasing, alternating, crossing, random, sine or waiting.")]
Explore = Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance of any call at all.")]
Choice = Annotated[str, typer.Option(help="greedy, boltzmann or roulette.")]
Warm = Annotated[float, typer.Option(min=1e-3, help="Boltzmann's temperature at first, in points.")]
Cold = Annotated[float, typer.Option(min=1e-3, help="The same at the end.")]
Q0 = Annotated[float, typer.Option(help="What a call is thought worth before it is tried, in points.")]
Reward = Annotated[str, typer.Option(help="score, loss, loss+200 or blame: c), a), b), d) of 8.7.1.")]
Gamma = Annotated[float, typer.Option(min=0.0, max=2.0, help="Above 1 makes longer auctions worth more.")]
Fall = Annotated[float, typer.Option(min=0.0, max=1.0, help="Rate of disappointments, as a share.")]
Bound = Annotated[float, typer.Option(min=0.0, help="Keep values within this of zero (8.7.6).")]
Coarse = Annotated[
    float, typer.Option(min=0.0, max=1.0, help="Share of the epochs in which hands are told apart roughly.")
]
Teacher = Annotated[str, typer.Option(help="A system whose auctions are learnt from first, such as sayc.")]
Templates = Annotated[
    bool, typer.Option("--templates", help="Responder begins with the mean hand of each given opening.")
]
Agreed = Annotated[bool, typer.Option("--agreed", help="Partners know when one of them is trying something (8.8.2).")]
Opponents = Annotated[
    bool, typer.Option("--opponents", help="Opponents see all cards and outbid the pair where it pays.")
]
Integers = Annotated[bool, typer.Option("--integers", help="Round as the thesis's program did.")]
Against = Annotated[str, typer.Option(help="Compare with a written system on the deals of the examination.")]
Fresh = Annotated[
    Path | None, typer.Option(help="Another bank, to be examined on at the end: deals that no setting was chosen by.")
]
Seed = Annotated[int, typer.Option(min=0, help="Where the chances come from.")]
Quick = Annotated[bool, typer.Option("--quick", help="2 million auctions: seconds, the same direction.")]
Plot = Annotated[Path | None, typer.Option(help="Draw the learning to this file (extra 'plots').")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
