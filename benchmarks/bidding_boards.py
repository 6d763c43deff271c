"""Boards bid by four equal bidders: what is illegal, unfinished or absurd, and what the result costs against par."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from random import Random
from statistics import fmean, pstdev

from bidding_cases import bank_deals, data_folder
from borel.auction import PASS, Auction, Call, Contract
from borel.cards import Card, Hand, Rank, Side, Strain, Suit
from borel.deal import Board, Deal
from borel.decision import Bidder, Decision
from borel.record import Record
from borel.scoring import imps, ns_score, par
from borel.view import BiddingView

__all__ = ["BidBoard", "bid_board", "report_boards", "report_records"]

LONGEST = 60  # calls; an auction that is longer does not end


@dataclass(slots=True)
class BidBoard:
    """A board, its auction, and everything that was wrong with it."""

    board: Board
    auction: Auction
    faults: list[str] = field(default_factory=list)
    calls: int = 0
    early_calls: int = 0  # in the first three rounds of an uncontested auction
    early_unruled: list[str] = field(default_factory=list)
    looks: int = 0  # calls by a last look
    score: int | None = None
    par: int | None = None
    par_text: str = ""

    @property
    def loss(self) -> int:
        """IMPs between par and the result, whichever side lost them."""
        return 0 if self.score is None or self.par is None else abs(imps(self.score - self.par))


def random_deal(seed: int, number: int) -> Deal:
    """A deal that depends on the seed and the number only."""
    cards = [Card.of_index(i) for i in range(52)]
    Random(f"{seed}/{number}").shuffle(cards)
    n, e, s, w = (Hand.of(cards[i : i + 13]) for i in (0, 13, 26, 39))
    return Deal((n, e, s, w))


@cache
def _solved() -> list[tuple[Deal, list[list[int]]]]:
    return list(bank_deals(data_folder(), 60_000))


def bid_board(bidder: Bidder, seed: int, number: int, *, solved: bool) -> BidBoard:
    """Bid one board at four seats with the same bidder."""
    tricks = None
    if solved:
        deals = _solved()
        deal, tricks = deals[(seed * 1_000_003 + number) % len(deals)]
    else:
        deal = random_deal(seed, number)
    board = Board.numbered((number - 1) % 16 + 1, deal)
    result = BidBoard(board, Auction(board.dealer))
    _bid(bidder, result)
    if result.auction.is_over:
        result.faults += absurdities(board.deal, result.auction.contract)
        if tricks is not None:
            _settle(result, tricks)
    return result


def _bid(bidder: Bidder, result: BidBoard) -> None:
    board, rng = result.board, Random(0)
    while not result.auction.is_over:
        auction = result.auction
        if len(auction) >= LONGEST:
            result.faults.append("unfinished auction")
            return
        seat = auction.turn
        try:
            decision = bidder.decide(BiddingView(seat, board.deal.hand(seat), auction, board.vulnerability), rng=rng)
        except Exception as error:
            result.faults.append(f"exception {type(error).__name__}: {str(error)[:80]}")
            return
        if not auction.is_legal(decision.choice):
            result.faults.append("illegal call")
            return
        result.calls += 1
        result.looks += decision.why.startswith("last look")
        if len(auction) < 12 and is_uncontested(auction):
            result.early_calls += 1
            if not is_specific(decision):
                result.early_unruled.append(f"{auction} -> {decision.choice}: {decision.why}")
        if decision.choice == PASS and is_forcing(bidder, auction, board):
            result.faults.append("passed a force")
        result.auction = auction.after(decision.choice)


def is_uncontested(auction: Auction) -> bool:
    """Whether only one side has called anything but passes."""
    sides = {i % 2 for i, call in enumerate(auction.calls) if call != PASS}
    return len(sides) <= 1


def is_specific(decision: Decision[Call]) -> bool:
    """Whether a rule for this auction was found: bidders mark general principles in their reasons."""
    return not decision.why.startswith(("principle", "fallback"))


def is_forcing(bidder: Bidder, auction: Auction, board: Board) -> bool:
    """Whether partner's last call may not be passed, as far as the bidder can tell."""
    forcing = getattr(bidder, "may_not_pass", None)
    return bool(forcing and forcing(auction, board.vulnerability))


def absurdities(deal: Deal, contract: Contract | None) -> list[str]:
    """What no pair of sane players would end in."""
    if contract is None:
        return []
    faults = []
    hands = [deal.hand(seat) for seat in contract.side.seats]
    if contract.strain is not Strain.NT and contract.level >= 3:
        fit = sum(hand.length(Suit(contract.strain.value)) for hand in hands)
        if fit < 7:
            faults.append(f"trump fit of {fit} at level {contract.level}")
    if contract.level >= 6:
        aces = sum(Card(suit, Rank.ACE) in hand for hand in hands for suit in Suit)
        if aces <= 2 and contract.doubled == 0:
            faults.append("slam off two aces")
    return faults


def _settle(result: BidBoard, tricks: list[list[int]]) -> None:
    """Score the contract double dummy and compare it with par."""
    contract, board = result.auction.contract, result.board
    made = tricks[contract.strain][contract.declarer] if contract else 0
    result.score = ns_score(contract, made, board.vulnerability)
    best = par(tricks, board.vulnerability, board.dealer.side)
    result.par, result.par_text = best.ns_score, str(best)


def in_thousand(number: int, count: int) -> str:
    """A rate with its 95% error: ``2.10 ± 0.90 in 1,000``."""
    rate = number / count
    return f"{1000 * rate:.2f} ± {1960 * sqrt(rate * (1 - rate) / count):.2f} in 1,000"


def report_records(name: str, records: Iterable[Record]) -> None:
    """Count the same faults in auctions that others have bid."""
    boards, faults = 0, Counter[str]()
    for record in records:
        if record.deal is not None and record.deal.is_complete and (record.contract or record.passed_out):
            boards += 1
            kinds = {fault.split(" of ")[0] for fault in absurdities(record.deal, record.contract)}
            faults.update(kinds | ({"boards with a fault"} if kinds else set()))
    print(f"{name}: {boards} boards")
    for fault, number in faults.most_common():
        print(f"  {fault}: {number} ({in_thousand(number, boards)})")


def report_boards(results: list[BidBoard], *, shown: int) -> None:
    """Print the counts, the rates and the most expensive boards."""
    count = max(1, len(results))
    faults = Counter(fault for result in results for fault in result.faults)
    print(f"{len(results)} boards, {sum(result.calls for result in results)} calls")
    for fault, number in faults.most_common(40):
        print(f"  {fault}: {number} ({in_thousand(number, count)})")
    absurd = sum(any("exception" not in fault for fault in result.faults) for result in results)
    print(f"  boards with a fault: {absurd} ({in_thousand(absurd, count)})")
    print(f"calls by a last look: {sum(result.looks for result in results)}")
    early, unruled = sum(r.early_calls for r in results), [text for r in results for text in r.early_unruled]
    print(f"first three rounds, uncontested: {len(unruled)} of {early} calls without a specific rule")
    kinds = Counter(text.split(" -> ")[0] for text in unruled)
    for auction, number in kinds.most_common(shown):
        print(f"  {number:5d}  {auction}")
    for result in [r for r in results if r.faults][:shown]:
        print(f"  {', '.join(result.faults)}: {result.board.deal} {result.board.dealer}: {result.auction}")
    settled = [result for result in results if result.score is not None]
    if settled:
        losses = [result.loss for result in settled]
        error = 1.96 * pstdev(losses) / sqrt(len(losses))
        print(f"mean loss to par: {fmean(losses):.3f} ± {error:.3f} IMPs a board over {len(settled)}")
        for result in sorted(settled, key=lambda r: -r.loss)[:shown]:
            print(_row(result))


def _row(result: BidBoard) -> str:
    contract: Contract | None = result.auction.contract
    side = "" if contract is None else ("NS" if contract.side is Side.NS else "EW")
    head = f"{result.loss:3d} IMPs  {result.board.deal}  vul {result.board.vulnerability}"
    return f"{head}\n    {result.board.dealer}: {result.auction} [{side}] {result.score:+d}; par {result.par_text}"
