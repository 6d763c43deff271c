"""Batches: order, threads, progress, deadlines, Ctrl-C; and input that cannot be solved."""

import os
import signal
import threading
import time
from random import Random

import numpy as np
import pytest

from borel import Board, BridgeError, Card, Contract, Deal, Play, Seat, Side, Strain, dd
from borel.dd import DeadlineError, InterruptedBatch, Position, Positions
from borel.dd.experiment import sample
from borel.errors import DealError, IllegalCardError

HANDS = sample(range(6), seed=31, sizes=range(10, 11)).hands
FULL = sample(range(2), seed=32, sizes=range(13, 14)).hands
FINESSE = Deal.parse("N:AQ... 54... 32... KJ...")


def test_tables_take_deals_or_masks_and_keep_their_order():
    deals = [Deal.of_masks(tuple(int(mask) for mask in row)) for row in HANDS]
    both = dd.tables(HANDS, threads=2), dd.tables(deals, threads=1)
    assert both[0].shape == (6, 5, 4)
    assert both[0].dtype == np.int8
    assert np.array_equal(*both)
    assert np.array_equal(np.asarray(dd.table(deals[3])), both[0][3])
    assert dd.tables([]).shape == (0, 5, 4)


def test_a_table_reads_as_numbers_as_lists_and_as_text():
    table = dd.table(FINESSE)
    assert table[Strain.NT, Seat.S] == 2
    assert table.tolist()[Strain.NT] == [2, 0, 2, 1]
    assert table == dd.table(FINESSE)
    assert str(table).splitlines()[1].split() == ["NT", "2", "2", "0", "1"]


def test_progress_counts_up_to_the_end_and_its_errors_come_through():
    seen = []
    dd.tables(HANDS, progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (6, 6)

    def give_up(done: int, total: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        dd.tables(np.tile(FULL, (200, 1)), progress=give_up)


def test_a_deadline_carries_what_was_done():
    many = np.tile(HANDS, (50_000, 1))
    start = time.monotonic()
    with pytest.raises(DeadlineError, match="of 300000 positions were solved in the 1 seconds given") as caught:
        dd.tables(many, seconds=1)
    assert time.monotonic() - start < 5
    done, results = caught.value.done, caught.value.results
    assert 0 < done.sum() < 300_000
    assert results.shape == (300_000, 5, 4)
    known = dd.tables(HANDS)
    for i in np.flatnonzero(done)[:50]:
        assert np.array_equal(results[i], known[i % 6])


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_a_long_batch_at_once(threads):
    many = np.tile(FULL, (500, 1))
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        dd.tables(many, threads=threads)
    assert time.monotonic() - start < 5
    results, done = caught.value.results, caught.value.done
    assert isinstance(caught.value, InterruptedBatch)
    assert 0 < done.sum() < len(many)
    known = dd.tables(FULL)
    for i in np.flatnonzero(done):
        assert np.array_equal(results[i], known[i % len(FULL)])
    assert (results[~done] == -1).all()


def test_other_threads_of_python_run_while_the_core_works():
    ticks = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    dd.tables(FULL, threads=1)
    stop.set()
    thread.join()
    assert len(ticks) > 5


def test_leads_are_the_values_of_the_cards_of_the_hand_on_lead():
    values = dd.lead_values([FINESSE, FINESSE], Strain.NT, Seat.W)
    assert values.shape == (2, 52)
    assert {str(Card.of_index(i)) for i in np.flatnonzero(values[0] >= 0)} == {"SK", "SJ"}
    assert values.max() == 0


def test_a_play_is_solved_from_where_it_stands():
    play = Play(FINESSE, Contract.parse("1NT by S")).after("SJ")
    assert dd.solve(play) == 2
    assert dd.card_values(play) == {Card.parse("SA"): 1, Card.parse("SQ"): 2}
    assert dd.solve(play.after("SA").after("S4").after("S2")) == 0
    with pytest.raises(BridgeError, match="play is over"):
        dd.solve(play.claimed(2))


def test_a_trace_names_the_mistakes_and_their_cost():
    play = Play(FINESSE, Contract.parse("1NT by S"), tuple(map(Card.parse, "SJ SA S4 S2 SQ S5 S3 SK".split())))
    trace = dd.play_trace(play)
    assert trace.tricks == (2, 2, 1, 1, 1, 1, 1, 1, 1)
    assert [(p.seat, str(p.card), p.cost) for p in trace.mistakes] == [(Seat.N, "SA", 1)]
    assert (trace.cost(Seat.N, Seat.S), trace.cost(Seat.E, Seat.W)) == (1, 0)


def test_par_is_of_whole_deals_and_dealers_side_bids_first():
    deal = Deal.of_masks(tuple(int(mask) for mask in FULL[0]))
    board = Board.numbered(1, deal)
    assert dd.par(board) == dd.par(board, first=Side.NS)
    with pytest.raises(BridgeError, match="whole deal"):
        dd.par(Board.numbered(1, FINESSE))


ACE, KING, QUEEN, JACK, DEUCE = (1 << Card.parse(text).index for text in ("SA", "SK", "SQ", "SJ", "H2"))


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ([[ACE, KING, QUEEN, 0]], "West holds 0 cards"),
        ([[ACE | DEUCE, KING, QUEEN, JACK]], "holds 1 cards where the others imply 2"),
        ([[ACE, ACE, QUEEN, JACK]], "SA is held twice"),
        ([[0, 0, 0, 0]], "no cards"),
        ([[ACE, KING, QUEEN, 1 << 60]], "beyond the 52 cards"),
        ([[(1 << 14) - 1, 0, 0, 0]], "more than 13"),
        ([[ACE, KING, QUEEN]], r"shape \[deals, 4\]"),
        ([[0.5, 1.0, 2.0, 4.0]], "52-bit sets"),
        ([[-1, 1, 2, 4]], "52-bit sets"),
        ([[ACE, KING, QUEEN, JACK], [ACE]], "four 52-bit sets"),
        ([[ACE, KING, QUEEN, 1 << 70]], "52-bit sets"),
    ],
)
def test_hands_that_cannot_be_solved_are_named(hands, message):
    with pytest.raises(DealError, match=message):
        dd.tables(hands)
    with pytest.raises(DealError, match=message):
        dd.lead_values(hands, Strain.NT, Seat.N)


def test_tricks_that_could_not_have_been_played_are_named():
    three = Deal.parse("N:AQ... 5.4.. 3... KJ...")
    with pytest.raises(IllegalCardError, match="H2 could not be played by West, who still holds diamonds"):
        Position(Deal.parse("N:AQ... 54... 3... ..K."), Strain.NT, Seat.S, (Card.parse("D2"), Card.parse("H2")))
    with pytest.raises(DealError, match="SA is on the table and also elsewhere"):
        Position(three, Strain.NT, Seat.S, (Card.parse("SA"),))
    with pytest.raises(IllegalCardError, match="the trick is over"):
        Position(three, Strain.NT, Seat.S, tuple(map(Card.parse, ("D2", "D3", "D4", "D5"))))
    with pytest.raises(DealError, match="South holds 2 cards, not 1 as West's 2 cards imply"):
        Position(Deal.parse("N:AQ... 54... 32... KJ..."), Strain.NT, Seat.S, (Card.parse("D2"),))


def test_arrays_that_do_not_fit_are_named():
    many = Positions.of_layouts(HANDS, Strain.NT, Seat.N)
    for wrong in (
        Positions(many.hands, many.strain[:2], many.leader, many.trick),
        Positions(many.hands, many.strain + np.uint8(9), many.leader, many.trick),
        Positions(many.hands, many.strain, many.leader + np.uint8(9), many.trick),
        Positions(many.hands, many.strain, many.leader, many.trick - np.uint8(100)),
    ):
        with pytest.raises(DealError):
            dd.solve(wrong)
        with pytest.raises(DealError):
            dd.card_values(wrong)


@pytest.mark.parametrize("wrong", [{"threads": -1}, {"seconds": 0}, {"seconds": float("nan")}, {"memory_mb": 0}])
def test_a_run_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(BridgeError):
        dd.tables(HANDS, **wrong)


@pytest.mark.parametrize("strain", [Strain.NT, Strain.H])
def test_what_one_layout_taught_is_true_of_the_others(strain):
    """Layouts of the same cards share the table; with another deal between them each begins anew."""
    rng = Random(5)
    cards = rng.sample(range(52), 28)
    layouts = []
    for _ in range(40):
        rng.shuffle(cards)
        layouts.append([sum(1 << card for card in cards[seat::4]) for seat in range(4)])
    many = Positions.of_layouts(np.array(layouts, np.uint64), strain, Seat.E)
    alone = []
    for i in range(len(layouts)):
        dd.tables(HANDS[i % 2 : i % 2 + 1], threads=1)
        one = Positions.of_layouts(np.array(layouts[i : i + 1], np.uint64), strain, Seat.E)
        alone.append(dd.card_values(one, threads=1)[0])
    assert np.array_equal(dd.card_values(many, threads=1), np.array(alone))


@pytest.mark.parametrize("memory_mb", [1, 16])
def test_the_answers_do_not_depend_on_the_memory_given(memory_mb):
    deals = sample(range(6), seed=32, sizes=range(13, 14)).hands
    assert np.array_equal(dd.tables(deals, memory_mb=memory_mb), dd.tables(deals))
