"""What the worker processes do: small functions of plain values, each asked for by its name.

A bot's decision gets a view, never the deal. Tasks that see all four hands (par, the second table, the review) have
answers that nobody is shown before the board is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any

from borel import dd
from borel.arena.board_in_play import Told
from borel.arena.card_review import review_cards
from borel.arena.review import Review, Sampled, review_record
from borel.arena.room import Contestant
from borel.arena.steadfast import SteadfastBidder, SteadfastPlayer
from borel.arena.table import Table
from borel.auction import Auction
from borel.cardplay.claims import accepts
from borel.cards import Hand, Seat, Strain
from borel.deal import Board, Deal, Vulnerability
from borel.dealing import Dealer, as_deals, deals
from borel.errors import BridgeError
from borel.policies.rules import CallMeaning, Meaning, RuleBidder
from borel.policies.spec import card_player
from borel.record import Record
from borel.scoring import Result
from borel.view import BiddingView, PlayView
from borel.web.bots import Bot, bidder_of, player_of, system

__all__ = ["Failed", "Reference", "Task", "make_thinker"]

REVIEW_LAYOUTS = 16


@dataclass(frozen=True, slots=True)
class Task:
    """A request: the name of a function of this module, or of another that is registered, and its arguments."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failed:
    """A task whose input was wrong."""

    message: str


@dataclass(frozen=True, slots=True)
class Reference:
    """What a board is compared with: par, and what four bots made of it at a second table."""

    par: int
    par_text: str
    other: int
    other_text: str
    tricks: dict[str, dict[str, int]]  # strain and declarer, double dummy


def meaning_of(bot: Bot, auction: Auction, vulnerability: Vulnerability) -> dict[str, str]:
    """What the last call of an auction says by agreement."""
    return last_meaning(RuleBidder(system(bot)).meaning(auction, vulnerability).calls[-1])


def last_meaning(call: CallMeaning) -> dict[str, str]:
    """The public meaning of a call as plain values."""
    return {"text": call.text, "alert": call.alert, "status": call.status, "convention": call.convention}


def decide(bot: Bot, view: BiddingView | PlayView, key: str, *, aloud: bool = True) -> tuple[Told, dict[str, str]]:
    """A bot's call or card; with a call goes its public meaning, if somebody is to hear it."""
    if isinstance(view, PlayView):
        return SteadfastPlayer(player_of(bot)).decide(view, rng=Random(key)), {}
    decision = SteadfastBidder(bidder_of(bot)).decide(view, rng=Random(key))
    if not aloud:
        return decision, {}
    if bot.silent:
        return decision, {"text": decision.meaning, "alert": "", "status": "", "convention": ""}
    return decision, meaning_of(bot, view.auction.after(decision.choice), view.vulnerability)


def explain(bot: Bot, auction: Auction, vulnerability: Vulnerability) -> dict[str, object]:
    """Everything that an auction has said."""
    found: Meaning = RuleBidder(system(bot)).meaning(auction, vulnerability)
    return found.as_json()


def judge_claim(views: Sequence[PlayView], claimer: Seat, hand: Hand, tricks: int) -> bool:
    """Whether every one of these opponents accepts a claim."""
    return all(accepts(view, claimer, hand, tricks) for view in views)


def new_deal(where: str, seed: int, first: int, tries: int) -> Deal:
    """A deal that satisfies a condition."""
    for masks in Dealer(seed, where=where or None, first=first, max_tries=tries).blocks(1):
        for deal in as_deals(masks):
            return deal
    raise BridgeError("no deal was found")


def par_of(board: Board) -> tuple[int, str, dict[str, dict[str, int]]]:
    """North-South's par, the contracts that reach it, and the double-dummy table."""
    table = dd.table(board.deal)
    par = table.par(board.vulnerability, board.dealer.side)
    tricks = {str(strain): {str(seat): table[strain, seat] for seat in Seat} for strain in Strain}
    return par.ns_score, par_words(par.results), tricks


def par_words(results: Sequence[Result]) -> str:
    """The contracts that reach par; the same contract by partner is one."""
    seen = {(each.contract.text, each.contract.side, each.over): result_words(each) for each in reversed(results)}
    return ", ".join(reversed(seen.values())) or "passed out"


def result_words(result: Result) -> str:
    """A result for people: ``4♠ by South +1``."""
    over = "made" if result.over == 0 else f"{result.over:+d}".replace("-", "−")
    return f"{result.contract.pretty()} {over}"


def review_board(bot: Bot, record: Record, number: int, layouts: int = REVIEW_LAYOUTS) -> dict[str, Any]:
    """Every call and card of a board priced."""
    spec = f"rules:{bot.system}"
    made = Contestant(spec, _Made(bot)) if bot.text else Contestant.of(spec)
    review = Review(made, (record,), Sampled(layouts))
    found = review_record(made.watched(), record, number, review)
    if not found.void:
        player = None if bot.player == "first" else card_player(bot.player)
        found = replace(found, cards=review_cards(record, player, system="" if bot.text else bot.system))
    return asdict(found)


@dataclass(frozen=True)
class _Made:
    """Makes the rule bidder of a visitor's own system."""

    bot: Bot

    def __call__(self) -> RuleBidder:
        return RuleBidder(system(self.bot))


def warm(boards: int = 3) -> None:
    """Bid a few boards, so that the rules of common auctions are ready."""
    bidder = SteadfastBidder(bidder_of(Bot()))
    for number, deal in enumerate(deals(boards, 1), 1):
        Table(dict.fromkeys(Seat, bidder), systems=Bot().systems).bid(Board.numbered(number, deal), rng=Random(number))


TASKS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (meaning_of, decide, explain, judge_claim, new_deal, par_of, review_board, warm)
}


def make_thinker() -> Callable[[Task], Any]:
    """What a worker does with a task: bad input is an answer, not the end of the worker."""
    from borel.web.questions import QUESTIONS

    known = TASKS | QUESTIONS
    system(Bot())  # read before the first visitor asks

    def think(task: Task) -> Any:
        try:
            return known[task.name](**task.arguments)
        except BridgeError as error:
            return Failed(str(error))

    return think
