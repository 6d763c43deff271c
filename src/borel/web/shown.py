"""What one seat is sent: a function of what that seat may know. Nothing else of a table ever leaves the server."""

from __future__ import annotations

from typing import Any

from borel.arena.board_in_play import BoardInPlay, Told
from borel.arena.statistics import Estimate, finite
from borel.auction import Call, Contract
from borel.cards import Card, Hand, Seat, Side, Strain, Suit
from borel.scoring import Result, Scoring, ns_score
from borel.web.bots import STRENGTHS
from borel.web.state import Finished, TableState
from borel.web.tasks import result_words

__all__ = ["shown"]

VULNERABLE = ("nobody", "North-South", "East-West", "everybody")


def shown(state: TableState, viewer: Seat | None, here: frozenset[Seat] = frozenset()) -> dict[str, Any]:
    """The table as a seat sees it; ``None`` is somebody who watches and sees no hidden card."""
    view: dict[str, Any] = {
        "version": state.version,
        "you": _name(viewer),
        "mode": state.settings.mode,
        "scoring": state.settings.scoring,
        "seats": _seats(state, here),
        "note": None if state.note is None else {"kind": state.note[0], "by": state.note[1]},
        "total": _total(state, viewer),
        "trial": _trial(state),
        "board": None,
    }
    game = state.game
    if game is None:
        return view
    over = state.is_over
    view |= {
        "board": {
            "number": game.board.number, "dealer": str(game.board.dealer), "vulnerable": str(game.board.vulnerability),
            "vulnerableWords": VULNERABLE[game.board.vulnerability], "counts": state.counts,
        },
        "phase": "over" if over else "auction" if game.play is None else "play",
        "turn": None if over else str(game.turn),
        "yourTurn": not over and viewer is not None and game.turn is viewer,
        "auction": _auction(state, game),
        "hands": _hands(state, game, viewer),
        "legal": _legal(state, game, viewer),
        "canUndo": can_undo(state, viewer),
        "claim": _claim(state, viewer),
    }  # fmt: skip
    view |= _play(game) if game.play is not None and state.settings.mode == "play" else {"contract": None}
    if over:
        view["result"] = _result(state, viewer)
    return view


def can_undo(state: TableState, viewer: Seat | None) -> bool:
    """Whether the viewer may take something back: not after the board, when all cards have been seen."""
    game = state.game
    if game is None or viewer is None or not state.settings.undo or state.is_over or state.claim is not None:
        return False
    return bool(game.own_decisions(viewer))


def _name(seat: Seat | None) -> str | None:
    return None if seat is None else str(seat)


def _seats(state: TableState, here: frozenset[Seat]) -> dict[str, dict[str, Any]]:
    people = state.settings.seats
    return {
        str(seat): {
            "word": seat.word,
            "person": seat in people,
            "vulnerable": state.game is not None and state.game.board.vulnerability.includes(seat.side),
            "name": state.names.get(seat, seat.word) if seat in people else "Borel",
            "here": seat in here or seat not in people,
        }
        for seat in Seat
    }


def _auction(state: TableState, game: BoardInPlay) -> list[dict[str, Any]]:
    return [
        {"seat": str(game.auction.seat_of(i)), "call": str(call), "symbol": call.symbol, **_public(state.meanings[i])}
        for i, call in enumerate(game.auction.calls)
    ]


def _public(meaning: dict[str, str]) -> dict[str, str]:
    return {key: meaning.get(key, "") for key in ("text", "alert", "status", "convention")}


def _hands(state: TableState, game: BoardInPlay, viewer: Seat | None) -> dict[str, dict[str, Any]]:
    """For each seat how many cards it holds and, if the viewer may see them, which."""
    seen = frozenset(Seat) if state.is_over else game.seen_by(viewer)
    if state.claim is not None:
        seen |= {state.claim.claimer}
    return {str(seat): _hand(game, seat, seen=seat in seen, over=state.is_over) for seat in Seat}


def _hand(game: BoardInPlay, seat: Seat, *, seen: bool, over: bool) -> dict[str, Any]:
    held = game.board.deal.hand(seat) if game.play is None or over else game.play.held(seat)
    if not seen:
        return {"count": len(held), "cards": None}
    original = game.board.deal.hand(seat)
    return {"count": len(held), "cards": _sorted(held, game), "hcp": original.hcp, "text": original.pretty()}


def _sorted(hand: Hand, game: BoardInPlay) -> list[str]:
    """Trumps first, then the suits in alternating colours, high cards first."""
    order = [Suit.S, Suit.H, Suit.C, Suit.D]
    trumps = game.auction.contract.strain.suit if game.play is not None and game.auction.contract else None
    if trumps is not None:
        turn = order.index(trumps)
        order = order[turn:] + order[:turn]
    return [str(card) for suit in order for card in hand if card.suit is suit]


def _legal(state: TableState, game: BoardInPlay, viewer: Seat | None) -> dict[str, Any]:
    """What the viewer may do now, and from which hand."""
    nothing: dict[str, Any] = {"calls": [], "cards": [], "from": None, "claim": 0}
    if viewer is None or state.is_over or state.claim is not None:
        return nothing
    claims = game.tricks_left if _may_claim(state, game, viewer) else 0
    if game.turn is not viewer:
        return nothing | {"claim": claims}
    if game.play is None:
        return nothing | {"calls": [str(call) for call in game.auction.legal_calls()]}
    cards = [str(card) for card in game.play.legal_cards()]
    return {"calls": [], "cards": cards, "from": str(game.play.turn), "claim": claims}


def _may_claim(state: TableState, game: BoardInPlay, viewer: Seat) -> bool:
    """Declarer (or the person who plays for declarer) and the defenders may claim, dummy not (Law 43A)."""
    if game.play is None or not game.play.cards or state.settings.mode == "bid":
        return False
    contract = game.play.contract
    return viewer is not contract.dummy or contract.declarer not in game.people


def _claim(state: TableState, viewer: Seat | None) -> dict[str, Any] | None:
    claim = state.claim
    if claim is None:
        return None
    return {"by": str(claim.claimer), "tricks": claim.tricks, "yours": viewer in claim.waiting}


def _play(game: BoardInPlay) -> dict[str, Any]:
    play = game.play
    assert play is not None
    contract, tricks = play.contract, play.tricks
    complete = [trick for trick in tricks if len(trick.cards) == 4]
    last = complete[-1] if complete else None
    return {
        "contract": {
            "text": contract.text, "symbol": contract.pretty().partition(" by ")[0], "declarer": str(contract.declarer),
            "dummy": str(contract.dummy), "needs": contract.tricks_needed, "words": contract.pretty(),
        },
        "trick": _cards(play.trick.leader, play.trick.cards),
        "trickNumber": len(complete) + 1,
        "lastTrick": None if last is None else {
            "cards": _cards(last.leader, last.cards), "winner": str(last.winner(play.strain)), "number": len(complete),
        },
        "won": {str(side): play.tricks_won(side) for side in Side},
    }  # fmt: skip


def _cards(leader: Seat, cards: tuple[Card, ...]) -> list[dict[str, str]]:
    return [{"seat": str(Seat((leader + turn) % 4)), "card": str(card)} for turn, card in enumerate(cards)]


def _sign(viewer: Seat | None) -> int:
    return -1 if viewer is not None and viewer.side is Side.EW else 1


def _result(state: TableState, viewer: Seat | None) -> dict[str, Any]:
    """Everything about a board that is over: the score, what it is compared with, and why each decision was taken."""
    game, reference = state.playing(), state.reference
    decisions: list[Told] = [*game.calls, *game.cards]
    log = [
        {"seat": str(seat), "choice": str(decision.choice), "symbol": decision.choice.symbol, "why": decision.why,
         "kind": "call" if isinstance(decision.choice, Call) else "card", "person": seat in game.people}
        for seat, decision in zip(game.deciders, decisions, strict=True)
    ]  # fmt: skip
    if reference is None:
        return {"ready": False, "log": log}
    text, points = state.outcome()
    mine = Finished(state.number, text, points, reference.par, reference.other, "")
    sign = _sign(viewer)
    return {
        "ready": True, "text": text, "score": sign * points, "par": sign * reference.par, "parText": reference.par_text,
        "other": sign * reference.other, "otherText": reference.other_text, "againstPar": mine.against_par(sign),
        "best": _best(state, viewer),
        "againstBots": mine.against_bots(sign), "matchpoints": mine.matchpoints(sign), "tricks": reference.tricks,
        "log": log,
    }  # fmt: skip


def _best(state: TableState, viewer: Seat | None) -> str:
    """The contract that scores most for the viewer's side, undoubled and double dummy; none if nothing makes."""
    game, reference = state.playing(), state.reference
    assert reference is not None
    side = Side.NS if viewer is None else viewer.side
    sign, results = _sign(viewer), list[tuple[int, int, str]]()
    for strain in Strain:
        for seat in side.seats:
            tricks = reference.tricks[str(strain)][str(seat)]
            if tricks > 6:
                contract = Contract(tricks - 6, strain, seat)
                points = sign * ns_score(contract, tricks, game.board.vulnerability)
                results.append((points, -contract.level, result_words(Result(contract, tricks))))
    return max(results)[2] if results else ""


def _total(state: TableState, viewer: Seat | None) -> dict[str, Any]:
    sign, boards = _sign(viewer), state.finished
    matchpoints = [board.matchpoints(sign) for board in boards]
    rows = [
        {"number": b.number, "text": b.text, "score": sign * b.ns_score, "againstPar": b.against_par(sign),
         "againstBots": b.against_bots(sign)}
        for b in boards
    ]  # fmt: skip
    return {
        "boards": len(boards),
        "againstPar": sum(board.against_par(sign) for board in boards),
        "againstBots": sum(board.against_bots(sign) for board in boards),
        "percent": round(100 * sum(matchpoints) / len(boards), 1) if boards else None,
        "matchpoints": state.settings.form is Scoring.MATCHPOINTS,
        "rows": rows[-40:],
    }


def _trial(state: TableState) -> dict[str, Any] | None:
    """A blind trial says who was who when it is over, not before (Lockhart et al. 2020, 4.3)."""
    settings = state.settings
    if not settings.trial:
        return None
    done = len(state.finished)
    told: dict[str, Any] = {"done": done, "of": settings.trial_boards, "partners": None}
    if done < settings.trial_boards:
        return told
    sign = -1 if next(iter(settings.seats)).side is Side.EW else 1
    told["partners"] = [_partner(state, strength, sign) for strength in (settings.strength, settings.trial)]
    return told


def _partner(state: TableState, strength: str, sign: int) -> dict[str, Any]:
    boards = [board for board in state.finished if board.partner == strength]
    gains = Estimate.of(board.against_par(sign) for board in boards)
    numbers = [board.number for board in boards]
    return {
        "strength": strength,
        "title": STRENGTHS[strength].title,
        "boards": numbers,
        "imps": gains.mean,
        "error": finite(gains.half_width()),
    }
