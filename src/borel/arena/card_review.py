"""Pricing the cards of a session: what each cost double dummy, and what Borel would have played instead.

The price is on the deal as it was, which knows where every card is: a card that cost a trick may have been the best
that could be seen. So the dearest cards are asked of a card player, from what their player could see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from borel.arena.table import Table
from borel.auction import Auction
from borel.cards import Seat
from borel.dd import play_trace
from borel.deal import Board, Vulnerability
from borel.decision import CardPlayer
from borel.errors import BridgeError
from borel.play import Play
from borel.record import Record
from borel.scoring import imps, score
from borel.view import Systems

__all__ = ["CardReview", "review_cards"]


@dataclass(frozen=True, slots=True)
class CardReview:
    """One card that cost something: the tricks and IMPs, and the player's own choice with its reason."""

    position: int  # cards played before it
    seat: str
    player: str
    card: str
    tricks: int
    cost: float  # IMPs to the side that played it
    better: str = ""
    why: str = ""

    @property
    def trick(self) -> int:
        """The number of the trick, from 1."""
        return self.position // 4 + 1


def review_cards(
    record: Record, player: CardPlayer | None = None, *, system: str = "sayc", seed: int = 0
) -> tuple[CardReview, ...]:
    """Every card that lost a trick double dummy, in the order played; none where nothing was played.

    With a player the same position is put to it, from the view of the seat that played.
    """
    play = record.play
    if play is None or not play.cards or not play.deal.is_complete:
        return ()
    vulnerability = record.vulnerability or Vulnerability.NONE
    found = []
    for position, played in enumerate(play_trace(play)):
        if not played.cost:
            continue
        sign = -1 if played.seat.side is play.contract.side else 1
        before = played.declarer_tricks - sign * played.cost
        vulnerable = vulnerability.includes(play.contract.side)
        points = [score(play.contract, tricks, vulnerable=vulnerable) for tricks in (before, played.declarer_tricks)]
        cost = float(abs(imps(points[0] - points[1])))
        better, why = "", ""
        if player is not None:
            better, why = _asked(record, play, position, player, system, Random(f"{seed}/{position}"))
        decider = play.contract.declarer if played.seat is play.contract.dummy else played.seat
        found.append(
            CardReview(
                position, str(played.seat), record.players[decider], str(played.card), played.cost, cost, better, why
            )
        )
    return tuple(found)


def _asked(record: Record, play: Play, position: int, player: CardPlayer, system: str, rng: Random) -> tuple[str, str]:
    """The player's card and reason at one point of the play."""
    so_far = Play(play.deal, play.contract, play.cards[:position])
    dealer = record.dealer or Seat.N
    auction = record.auction if record.auction is not None else Auction(dealer)
    board = Board(play.deal, dealer, record.vulnerability or Vulnerability.NONE, record.number)
    table = Table({}, None, systems=Systems(system, system))
    try:
        decision = player.decide(table.play_view(board, auction, so_far, ()), rng=rng)
    except BridgeError as error:
        return "", f"not asked: {error}"
    return str(decision.choice), decision.why


def cost_by_player(reviews: Sequence[CardReview]) -> dict[str, tuple[int, int, float]]:
    """For each player: cards that cost something, tricks and IMPs, dearest first."""
    table: dict[str, tuple[int, int, float]] = {}
    for card in reviews:
        count, tricks, cost = table.get(card.player or card.seat, (0, 0, 0.0))
        table[card.player or card.seat] = (count + 1, tricks + card.tricks, cost + card.cost)
    return dict(sorted(table.items(), key=lambda entry: -entry[1][2]))
