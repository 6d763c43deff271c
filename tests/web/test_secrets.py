"""What a seat is sent is a function of what it may know: with other hidden hands, the same bytes."""

import asyncio
import json
from dataclasses import asdict
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from borel import PASS, Board, Deal, Decision, Seat, Vulnerability
from borel.arena.board_in_play import BoardInPlay
from borel.decision import Candidate
from borel.errors import BridgeError
from borel.view import BiddingView
from borel.web.limits import UNLIMITED
from borel.web.live import Guest, LiveTable
from borel.web.settings import NewTable
from borel.web.shown import shown
from borel.web.state import TableState, act_event, board_event
from borel.web.tasks import Reference
from strategies import deals, randoms

SECRET = "the queen of spades is with East"


def swapped(game: BoardInPlay, viewer: Seat | None, random: Random) -> Deal | None:
    """Another deal in which the viewer has seen the same: hidden cards that were not played change hands.

    None if some card that was played would then have been a revoke.
    """
    seen = game.seen_by(viewer)
    hidden = [seat for seat in Seat if seat not in seen]
    held = {seat: list(game.board.deal.hand(seat)) for seat in Seat}
    played = set(game.play.cards) if game.play else set()
    pool = [card for seat in hidden for card in held[seat] if card not in played]
    random.shuffle(pool)
    masks = list(game.board.deal.masks)
    for seat in hidden:
        kept = [card for card in held[seat] if card in played]
        cards = kept + [pool.pop() for _ in range(13 - len(kept))]
        masks[seat] = sum(card.mask for card in cards)
    return Deal.of_masks((masks[0], masks[1], masks[2], masks[3]))


def replayed(state: TableState, deal: Deal, events: list[dict]) -> TableState | None:
    """The same calls and cards with another deal."""
    other = TableState(state.settings, state.seed, state.text)
    try:
        for event in events:
            other.apply(event | {"deal": str(deal)} if event["kind"] == "board" else event)
    except BridgeError:
        return None
    return other


def some_board(deal: Deal, random: Random, people: str, length: int) -> tuple[TableState, list[dict]]:
    """A table some way into a board; every decision has thoughts that are nobody else's business."""
    state, events = TableState(NewTable(people=people), "1"), [board_event(Board(deal, Seat.W, Vulnerability.EW, 3))]
    state.apply(events[0])
    game = state.playing()
    for _ in range(length):
        if state.is_over:
            break
        view = game.view()
        if isinstance(view, BiddingView):
            choice = random.choice(view.auction.legal_calls()[:9]) if random.random() < 0.3 else PASS
        else:
            choice = random.choice(view.legal_cards())
        decision = Decision(choice, SECRET, candidates=(Candidate(choice, 1.0, SECRET),))
        events.append(act_event(decision, {"text": "public", "alert": "", "status": "", "convention": ""}))
        state.apply(events[-1])
        if random.random() < 0.1 and state.reference is None:
            told = Reference(
                420, SECRET, 450, SECRET, {s: dict.fromkeys("NESW", 7) for s in ("C", "D", "H", "S", "NT")}
            )
            events.append({"kind": "reference", "reference": asdict(told)})
            state.apply(events[-1])
    return state, events


@settings(max_examples=150)
@given(deals(), randoms, st.sampled_from(["S", "NS", "NESW", "E"]), st.integers(0, 50))
def test_bytes_do_not_depend_on_hidden_cards_or_secret_reasons(deal, random, people, length):
    state, events = some_board(deal, random, people, length)
    if state.is_over:
        return
    for viewer in (None, *sorted(state.settings.seats)):
        sent = json.dumps(shown(state, viewer))
        assert SECRET not in sent
        other_deal = swapped(state.playing(), viewer, random)
        other = replayed(state, other_deal, events)
        if other is not None:
            assert json.dumps(shown(other, viewer)) == sent
        # Nor on what the second table and par have found so far.
        without = replayed(state, deal, [event for event in events if event["kind"] != "reference"])
        assert json.dumps(shown(without, viewer)) == sent


@given(deals(), randoms)
@settings(max_examples=30)
def test_when_the_board_is_over_everything_is_told(deal, random):
    state, _ = some_board(deal, random, "S", 400)
    assert state.is_over
    sent = shown(state, None)
    assert all(len(hand["cards"]) == 13 for hand in sent["hands"].values())
    assert SECRET in json.dumps(sent)


class Thoughts:
    """Thinking that answers each bot's decision by a script, whatever the deal."""

    waiting, size = 0, 1

    def __init__(self, script: list[Decision]) -> None:
        self.script = list(script)

    async def ask(self, key, task, **_):
        if task.name == "decide":
            return self.script.pop(0), {"text": "public", "alert": "", "status": "", "convention": ""}
        if task.name == "meaning_of":
            return {"text": "public", "alert": "", "status": "", "convention": ""}
        raise BridgeError("not asked here")


class Nowhere:
    async def append(self, *_):
        return None


def frames(deal: Deal, acts: list[str]) -> list[str]:
    """Everything that South is sent while a scripted auction goes on."""

    async def sit() -> list[str]:
        state = TableState(NewTable(people="S"), "1")
        state.apply(board_event(Board(deal, Seat.W, Vulnerability.NONE, 1)))
        bots = [Decision(PASS, SECRET, SECRET, (Candidate(PASS, 2.0, SECRET),)) for _ in range(12)]
        table = LiveTable("t", {Seat.S: "k"}, state, [], Nowhere(), Thoughts(bots), UNLIMITED)
        guest, told = Guest(table.seat_of("k")), []
        assert table.seat_of("not k") is None
        table.join(guest)
        for act in acts:
            while not shown(state, Seat.S)["yourTurn"]:
                await asyncio.sleep(0)
            answer = await table.obey(guest, {"do": "act", "choice": act})
            guest.send({"answer": 1, **answer})
            for _ in range(40):
                await asyncio.sleep(0)
        await table.close()
        while (text := guest.outbox.get_nowait()) is not None:
            told.append(text)
        return told

    return asyncio.run(sit())


@settings(max_examples=20)
@given(deals(), randoms)
def test_a_socket_carries_the_same_bytes_whatever_the_others_hold(deal, random):
    other = swapped(BoardInPlay(Board(deal, Seat.W, Vulnerability.NONE, 1), frozenset({Seat.S})), Seat.S, random)
    once = frames(deal, ["1NT"])
    assert once == frames(other, ["1NT"])
    assert len(once) >= 5
    assert SECRET not in "".join(once)
