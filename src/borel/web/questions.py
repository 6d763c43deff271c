"""Questions without a table: what to bid, what an auction says, what the others hold, double dummy, systems, files."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borel import dd
from borel.arena.board_in_play import Told
from borel.auction import Auction
from borel.cards import Hand, Seat
from borel.dd.boards import solve_boards
from borel.deal import Board, Deal, Vulnerability
from borel.decision import Limit
from borel.errors import BridgeError, DealError, IllegalCallError
from borel.formats import FORMATS, Report, jsonl, sniff
from borel.play import Play
from borel.policies.engine import answer
from borel.policies.neural import NeuralModel, shipped, shipped_networks
from borel.record import Record
from borel.sampling import directed, knowledge_of
from borel.sampling.callers import Callers, callers_of, random_hands
from borel.sampling.picture import Picture
from borel.sampling.rules import RuleModel
from borel.scoring import Scoring
from borel.systems import Situation
from borel.systems.card import card_json
from borel.systems.check import check_system
from borel.systems.drawing import option_records
from borel.view import BiddingView
from borel.web.bots import OWN_FILE, Bot, bidder_of, player_of, system

__all__ = ["QUESTIONS"]

CHECK_HANDS = 600  # of a visitor's system: a second or two, not the command line's ten
PICTURED = 400
SECONDS = 4.0  # of advice at most: also when the machine is busy it says what candidates are worth
SAMPLED = 40_000  # hands dealt to see which of them make a call: half a second, and enough for one in a thousand


def view_of(hand: str, auction: str, dealer: str, vul: str, scoring: str) -> BiddingView:
    """The point of an auction that a question is about."""
    cards, so_far = Hand.parse(hand), Auction.parse(dealer, auction)
    if len(cards) != 13:
        raise DealError(f"a hand has 13 cards, not {len(cards)}")
    if so_far.is_over:
        raise IllegalCallError("the auction is over (Law 22)")
    return BiddingView(so_far.turn, cards, so_far, Vulnerability.parse(vul), Scoring.parse(scoring))


def bid(bot: Bot, hand: str, auction: str, dealer: str, vul: str, scoring: str) -> dict[str, Any]:
    """The call for a hand with its candidates, what has been said, and the picture of the hidden hands."""
    from borel.policies.rules import RuleBidder

    view = view_of(hand, auction, dealer, vul, scoring)
    asked = replace(bot, bidding="adviser", seconds=max(SECONDS, bot.seconds)) if bot.bidding == "borel" else bot
    decision = bidder_of(asked).decide(view, rng=Random(0))
    candidates = candidates_of(decision)
    said = RuleBidder(system(bot)).meaning(view.auction, view.vulnerability).as_json()
    return {
        "seat": str(view.seat), "call": str(decision.choice), "symbol": decision.choice.symbol, "why": decision.why,
        "meaning": decision.meaning, "candidates": candidates, "auction": said,
        "picture": picture(bot, view, PICTURED),
    }  # fmt: skip


def candidates_of(decision: Told) -> list[dict[str, Any]]:
    """What was considered, with expected gain and chance where they are known, and how it may go on."""
    return [
        {
            "choice": str(each.choice), "symbol": each.choice.symbol, "value": each.value, "chance": each.chance,
            "why": each.why,
        }
        for each in decision.candidates
    ]  # fmt: skip


@lru_cache(maxsize=2)
def _hands() -> NDArray[np.uint64]:
    return random_hands(SAMPLED, seed=1)


def sampled_meaning(bot: Bot, auction: Auction, vulnerability: Vulnerability) -> dict[str, Any]:
    """Which of many random hands make the last call of an auction: by the rules, and by a network of the system's."""
    found = {"rules": callers_of(RuleModel(system(bot)), auction, vulnerability, _hands())}
    if not bot.text and bot.system in shipped_networks():
        found["network"] = callers_of(NeuralModel(shipped(bot.system)), auction, vulnerability, _hands())
    return {who: _callers_json(each) for who, each in found.items()}


def _callers_json(callers: Callers) -> dict[str, Any]:
    return {
        "words": callers.words(), "frequency": callers.frequency, "hands": len(callers.hands),
        "worth": round(callers.worth, 1), "examples": [hand.pretty() for hand in callers.examples(3)],
        "points": {str(k): round(v, 4) for k, v in callers.distributions()["hcp"].items() if v >= 5e-5}
        if callers.chances.any() else {},
    }  # fmt: skip


def picture(bot: Bot, view: BiddingView, layouts: int) -> dict[str, Any]:
    """What the hidden hands probably hold, from layouts that agree with the auction."""
    model = RuleModel(system(bot))
    limit = Limit(instances=20_000)
    shown = model.shown(view.auction, view.vulnerability)
    found = directed(view, model, shown=shown, layouts=layouts, limit=limit, floor=0.01, rng=Random(1))
    drawn = Picture.of(found, knowledge_of(view).hidden)
    words = drawn.words()
    return {**drawn.as_json(), "words": words, "layouts": len(found), "consistent": bool(found.is_consistent)}


def pictured(bot: Bot, view: BiddingView) -> dict[str, Any]:
    """What a seat at a table may imagine of the others."""
    return picture(bot, view, PICTURED)


def sample(bot: Bot, hand: str, auction: str, dealer: str, vul: str, scoring: str, layouts: int) -> dict[str, Any]:
    """Layouts of the hidden hands in words and figures."""
    return picture(bot, view_of(hand, auction, dealer, vul, scoring), layouts)


def engine(bot: Bot, request: dict[str, Any]) -> dict[str, Any]:
    """A request of the engine protocol: a call or a card with its reasons."""
    return answer(request, bidder_of(bot), player_of(bot), rng=Random(0))


def solve(deal: str, dealer: str, vul: str) -> dict[str, Any]:
    """The double-dummy table and par of a deal."""
    board = Board(Deal.parse(deal), Seat.parse(dealer), Vulnerability.parse(vul))
    if not board.deal.is_complete:
        raise DealError("all 52 cards are needed")
    for found in solve_boards([board], threads=1):
        if isinstance(found, BridgeError):
            raise found
        return found.to_json()
    raise BridgeError("nothing was solved")


def card_values(record: Record, played: int) -> dict[str, Any]:
    """After so many cards of a record: whose turn it is, and declarer's tricks in all after each legal card."""
    whole = record.play
    if whole is None or not whole.deal.is_complete:
        raise DealError("the deal or the contract is not known")
    play = Play(whole.deal, whole.contract, whole.cards[:played])
    if play.is_over:
        return {"turn": None, "tricks": {}}
    won = play.tricks_won(play.contract.side)
    left = 13 - won - play.tricks_won(play.contract.side.other)
    declaring = play.turn.side is play.contract.side
    values = dd.card_values(play)
    return {
        "turn": str(play.turn),
        "tricks": {str(card): won + (tricks if declaring else left - tricks) for card, tricks in values.items()},
    }


def read_file(text: str, most: int) -> dict[str, Any]:
    """The boards of an uploaded file, at most so many, with what could not be read."""
    form = sniff(text)
    if form is None:
        raise BridgeError("this is neither PBN nor LIN, nor any other form that Borel reads")
    problems, records, skipped = list[str](), list[dict[str, Any]](), 0
    report = Report(on_bad=lambda error: problems.append(str(error)) if len(problems) < 20 else None)
    for record in FORMATS[form].load(io.StringIO(text), report):
        if len(records) >= most:
            skipped += 1
            continue
        records.append(jsonl.to_json(record))
    if not records:
        raise BridgeError("no board was found in the file")
    return {"format": form, "records": records, "skipped": skipped, "problems": problems}


def system_card(bot: Bot) -> dict[str, Any]:
    """A system as its convention card."""
    return dict(card_json(system(bot)))


def system_tree(bot: Bot, auction: str) -> dict[str, Any]:
    """What a system's rules say after an auction, call by call; the branches are the calls."""
    loaded, so_far = system(bot), Auction.parse("N", auction)
    if so_far.is_over:
        raise IllegalCallError("the auction is over (Law 22)")
    position = Situation((loaded, loaded)).start().follow(tuple(call.index for call in so_far.calls))
    return {"auction": str(so_far), "options": option_records(position.agreements)}


def system_check(bot: Bot) -> list[dict[str, str]]:
    """What looks wrong with a system; of a visitor's own, with the rules that are the visitor's (the rest is ours)."""
    found = check_system(system(bot), hands=CHECK_HANDS, own=OWN_FILE if bot.text else "")
    return [{"kind": f.kind, "place": f.place, "text": f.text} for f in found if f.kind != "overlap"][:200]


def records_of(values: list[dict[str, Any]]) -> list[Record]:
    """Records as the store keeps them."""
    return [jsonl.from_json(value) for value in values]


QUESTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        bid,
        pictured,
        sample,
        sampled_meaning,
        engine,
        solve,
        card_values,
        read_file,
        system_card,
        system_tree,
        system_check,
    )
}
