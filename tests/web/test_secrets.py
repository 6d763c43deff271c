"""What a seat is sent is a function of what it may know: with other hidden hands, the same bytes."""

import json
from dataclasses import asdict
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import Nowhere, Recorded, Thoughts, in_virtual_time, scripted, until

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


def sent_to_south(deal: Deal, thinking_times: list[float]) -> list[tuple[float, str]]:
    """Everything that South is sent while a scripted auction goes on, and when; the bots take these times to think."""

    async def sit() -> list[tuple[float, str]]:
        bots = [Decision(PASS, SECRET, SECRET, (Candidate(PASS, 2.0, SECRET),)) for _ in range(12)]
        table = scripted(deal, "S", Thoughts(bots, thinking_times))
        guest = Recorded(table.seat_of("S"))
        assert table.seat_of("not S") is None
        table.join(guest)
        await until(lambda: shown(table.state, Seat.S)["yourTurn"])
        guest.send({"answer": 1, **await table.obey(guest, {"do": "act", "choice": "1NT"})})
        await until(lambda: len(table.state.playing().calls) >= 7)
        await table.close()
        return [(round(when, 9), text) for when, text in guest.told]  # sums of waits are rounded

    return in_virtual_time(sit())


@settings(max_examples=20)
@given(deals(), randoms, st.lists(st.floats(0, 0.29), min_size=12, max_size=12))
def test_a_socket_carries_the_same_bytes_at_the_same_times_whatever_the_others_hold(deal, random, times):
    other = swapped(BoardInPlay(Board(deal, Seat.W, Vulnerability.NONE, 1), frozenset({Seat.S})), Seat.S, random)
    once = sent_to_south(deal, [0.0] * 12)
    assert once == sent_to_south(other, times)
    assert len({when for when, _ in once}) > 4
    assert SECRET not in "".join(text for _, text in once)


QUESTIONS = ({"do": "hint"}, {"do": "explain"}, {"do": "meaning", "position": 0}, {"do": "analyse"}, {"do": "next"})


def asked_of_workers(state: TableState, viewer: Seat | None) -> tuple[list[str], list[object]]:
    """What the workers are told when a seat (or a watcher) asks everything that can be asked, and the answers."""
    thinking, answers = Thoughts([]), list[object]()
    table = LiveTable("t", {}, state, [], Nowhere(), thinking, UNLIMITED)

    async def ask() -> None:
        for message in QUESTIONS:
            try:
                answers.append(await table.obey(Guest(viewer), message))
            except BridgeError as error:
                answers.append(str(error))

    in_virtual_time(ask())
    return [repr(task) for task in thinking.tasks], answers


@settings(max_examples=60)
@given(deals(), randoms, st.sampled_from(["S", "NS", "E"]), st.integers(0, 50))
def test_hints_and_explanations_are_asked_for_with_what_the_asker_knows(deal, random, people, length):
    state, events = some_board(deal, random, people, length)
    if state.is_over:
        return
    for viewer in (None, *sorted(state.settings.seats)):
        other = replayed(state, swapped(state.playing(), viewer, random), events)
        if other is not None:
            assert asked_of_workers(other, viewer) == asked_of_workers(state, viewer)
        if viewer is None:
            answers = asked_of_workers(state, viewer)[1]
            assert answers[0] == answers[3] == answers[4] == "you are watching this table"
