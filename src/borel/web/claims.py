"""Claims at a table (Laws 68 to 71): who claims what, who has to agree, and what bots are asked.

People and bots claim alike. Every person concerned is asked, also the partner of a defender who claims (Law 68B); bots
on the other side judge by double dummy, seeing the claimer's cards, which are faced.
"""

from __future__ import annotations

from borel.arena.board_in_play import BoardInPlay
from borel.cards import Seat
from borel.errors import BridgeError
from borel.web.state import Event
from borel.web.tasks import Task

__all__ = ["bots_claim", "claim_event", "judging", "persons_claim"]


def persons_claim(game: BoardInPlay, seat: Seat, tricks: object) -> Event:
    """A person claims so many of the tricks that are left; raises what the Laws forbid."""
    if not isinstance(tricks, int) or isinstance(tricks, bool):
        raise BridgeError("a claim is a number of tricks")
    declarers = game.claim_for(seat, tricks)
    assert game.play is not None
    contract = game.play.contract
    if not game.play.cards:
        raise BridgeError("there is nothing to claim before the opening lead")
    claimer = contract.declarer if seat is contract.dummy and _for_declarer(game) is seat else seat
    if claimer is contract.dummy:
        raise BridgeError("dummy may not claim (Law 43A)")
    return claim_event(game, claimer, declarers, asker=seat)


def bots_claim(game: BoardInPlay, declarers: int) -> Event:
    """The bot whose turn it is says how many tricks declarer takes in all."""
    return claim_event(game, game.turn, declarers)


def claim_event(game: BoardInPlay, claimer: Seat, declarers: int, asker: Seat | None = None) -> Event:
    """A claim, with the people who have to agree to it."""
    assert game.play is not None
    contract = game.play.contract
    more = declarers - game.play.tricks_won(contract.side)
    tricks = more if claimer.side is contract.side else game.tricks_left - more
    concerned = {_for_declarer(game) if seat in contract.side.seats else seat for seat in Seat} - {claimer, asker}
    people = sorted(str(seat) for seat in concerned & game.people)
    return {
        "kind": "claim", "seat": str(claimer), "tricks": tricks, "declarer_tricks": declarers, "waiting": people
    }  # fmt: skip


def _for_declarer(game: BoardInPlay) -> Seat:
    """Who speaks for declarer's side: dummy does where declarer is a bot and dummy a person, who plays both hands."""
    assert game.play is not None
    contract = game.play.contract
    return (
        contract.dummy if contract.declarer not in game.people and contract.dummy in game.people else contract.declarer
    )


def judging(game: BoardInPlay, claim: Event) -> Task | None:
    """What the bots on the other side are asked; nothing if there are none."""
    play, claimer = game.play, Seat.parse(claim["seat"])
    assert play is not None
    sides = play.contract.side.seats
    opponents = {_for_declarer(game) if seat in sides else seat for seat in (claimer.lho, claimer.rho)}
    bots = sorted(opponents - game.people)
    if not bots:
        return None
    views = [game.table().play_view(game.board, game.auction, play, (), bot) for bot in bots]
    hand = game.board.deal.hand(claimer)
    return Task("judge_claim", {"views": views, "claimer": claimer, "hand": hand, "tricks": claim["declarer_tricks"]})
