"""Matches: duplicate, repeatable, resumable, and not to be upset by what sits at the table."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from toys import LIGHT, LUCKY, SOUND, Tricks, hanging, illegal, nothing, raising, sound

from borel.arena import Contestant, Match, Sequence
from borel.arena.alarm import RINGS, TooSlow, _Bell
from borel.arena.experiment import board_of
from borel.arena.match import BoardScore
from borel.arena.report.records import LONGEST, match_records
from borel.arena.round_robin import round_robin
from borel.arena.scorer import DoubleDummy, PlayedOut
from borel.auction import PASS
from borel.clock import Deadline
from borel.deal import board_dealer, board_vulnerability
from borel.decision import Decision
from borel.errors import BridgeError
from borel.play import Play
from borel.store import Store

BOT = f"cmd:{sys.executable} {Path(__file__).with_name('bot.py')}"


def match(a, b, **options):
    return Match.between(a, b, **{"seed": 5, "scorer": Tricks(), **options})


def play(a, b, boards=20, *, store="none", workers=0, **options):
    with Store(store) as opened:
        return match(a, b).play(boards, store=opened, workers=workers, **options)


def test_equal_bidders_tie_on_every_board_even_when_they_guess():
    assert set(play(LUCKY, LUCKY).result.imps) == {0}


def test_exchanging_the_bidders_changes_the_sign():
    assert play(SOUND, LIGHT).result.imps == tuple(-value for value in play(LIGHT, SOUND).result.imps)
    assert any(play(SOUND, LIGHT).result.imps)


def test_dealer_and_vulnerability_are_those_of_the_board_number():
    for number in (1, 2, 7, 16, 17, 1000):
        board = board_of(3, number)
        assert (board.dealer, board.vulnerability) == (board_dealer(number), board_vulnerability(number))
        assert board.deal.is_complete


@pytest.mark.parametrize("workers", [1, 3])
def test_the_same_seed_gives_the_same_result_whatever_the_number_of_workers(workers):
    assert play(SOUND, LUCKY, workers=workers).boards == play(SOUND, LUCKY).boards


def test_another_seed_gives_other_deals():
    assert board_of(1, 1).deal != board_of(2, 1).deal


def test_a_match_that_was_broken_off_goes_on_without_losing_or_repeating_a_board(tmp_path):
    place, log = tmp_path / "s.sqlite", tmp_path / "log"
    slow = Contestant.of(f"{BOT} good {log}")

    def stop_at_seven(done, total):
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(slow, SOUND, store=place, progress=stop_at_seven)
    asked_before = len(log.read_text().splitlines())
    steps = []
    played = play(slow, SOUND, store=place, progress=lambda done, total: steps.append(done))
    assert steps == list(range(7, 21))
    log.rename(tmp_path / "both")
    assert played.boards == play(slow, SOUND).boards
    asked_in_all = len((tmp_path / "both").read_text().splitlines())
    assert asked_before < asked_in_all == len(log.read_text().splitlines())


def test_a_finished_match_is_played_anew(tmp_path):
    place = tmp_path / "s.sqlite"
    play(SOUND, LIGHT, store=place)
    steps = []
    play(SOUND, LIGHT, store=place, progress=lambda done, total: steps.append(done))
    assert steps[0] == 0
    with Store(place) as store:
        assert len(store.runs("match", finished=True)) == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (raising, "ZeroDivisionError: an ordinary bug"),
        (illegal, r"X is not legal: nothing to double|no decision"),
        (nothing, "answered something that is no decision"),
    ],
)
def test_a_bidder_that_fails_makes_the_board_void_and_the_match_goes_on(make, message):
    played = play(Contestant("broken", make), SOUND, boards=12)
    assert played.voids
    assert played.counted
    assert len(played.voids) + len(played.counted) == 12
    assert {board.at_fault for board in played.voids} == {"broken"}
    for board in played.voids:
        assert re.search(message, board.void)
    good = {board.number: board.imps for board in play(SOUND, SOUND, boards=12).boards}
    assert played.json()["void"] == len(played.voids)
    assert {board.number for board in played.boards} == set(good)


def test_a_bidder_that_hangs_is_given_up_in_time():
    with Store("none") as store:
        played = match(Contestant("hanging", hanging), SOUND, timeout=0.05).play(6, store=store, workers=1)
    assert played.voids
    assert played.counted
    assert "gave no answer within 0.05 seconds" in played.voids[0].void


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("die", "died (exit code 1): 'out of ideas'"),
        ("hang", "gave no answer within 0.5 seconds"),
        ("nonsense", "answered '1NT', which is not JSON"),
        ("illegal", "answered nonsense: not a call: '8S'"),
        ("chatter", "said more than it was asked"),
        ("error", "answered with an error: 'no opinion'"),
        ("endless", "bytes without an end of line"),
    ],
)
def test_a_program_that_fails_makes_the_board_void_and_the_match_goes_on(mode, message):
    patience = 0.5 if mode == "hang" else 60  # on a busy machine a sound program may take half a second to start
    with Store("none") as store:
        played = match(f"{BOT} {mode}", SOUND, timeout=patience).play(8, store=store, workers=0)
    assert played.voids
    assert played.counted
    assert all(message in board.void for board in played.voids), [board.void for board in played.voids]
    sane = {board.number: board.imps for board in play(BOT, SOUND, boards=8).boards}
    assert all(board.imps == sane[board.number] for board in played.counted)


def test_a_program_is_a_bidder_like_any_other():
    played = play(BOT, SOUND, boards=6)
    assert not played.voids
    assert played.time("A").calls > 0
    assert played.time("A").per_call > 0


def test_a_match_of_which_nothing_counts_is_an_error():
    with pytest.raises(BridgeError, match=r"no board could be counted: .*died"):
        play(f"cmd:{shutil.which('false')}", SOUND, boards=2)


def test_a_decided_match_stops_early_at_the_same_board_whatever_the_number_of_workers():
    sequence = Sequence(least=5)
    stopped = [play(SOUND, LIGHT, 400, workers=workers, sequence=sequence) for workers in (0, 3)]
    assert stopped[0].boards == stopped[1].boards
    assert 5 <= len(stopped[0].boards) < 400
    low, high = stopped[0].interval
    assert low > 0 or high < 0
    assert stopped[0].json()["sequential"]["decided"]


def test_swings_are_listed_greatest_first():
    swings = play(SOUND, LIGHT, 40).swings(5)
    sizes = [abs(board.imps) for board in swings]
    assert sizes == sorted(sizes, reverse=True)
    assert len(swings) == 5


def test_contracts_are_scored_by_the_double_dummy_solver():
    board = board_of(1, 1)
    with Store("none") as store:
        played = match(SOUND, LIGHT, scorer=DoubleDummy(), seed=1).play(2, store=store, workers=0)
    assert str(played.boards[0].board.deal) == str(board.deal)
    for room in (room for board in played.boards for room in board.rooms if room.contract):
        assert 0 <= room.tricks <= 13


def test_the_cards_can_be_played_out():
    scorer = PlayedOut("monte_carlo:layouts=1")
    with Store("none") as store:
        played = match(SOUND, LIGHT, scorer=scorer, seed=2).play(1, store=store, workers=0)
    assert len(played.counted) == 1
    for record, room in zip(match_records(played), played.boards[0].rooms, strict=True):
        assert record.cards  # so that a review can price them
        assert Play(record.deal, record.contract, record.cards).is_over or record.tricks == room.tricks  # or a claim
        assert "played" in record.comments[0].text
    again = BoardScore.of_payload(json.loads(json.dumps(played.boards[0].payload())))
    assert again == played.boards[0]


def test_a_reason_that_is_cut_at_a_space_still_makes_a_comment():
    with Store("none") as store:
        played = match(SOUND, LIGHT, seed=2, scorer=Tricks()).play(1, store=store, workers=0)
    room = played.boards[0].rooms[0]
    long = replace(room, whys=("x" * (LONGEST - 1) + " and more", *room.whys[1:]))
    changed = replace(played, boards=(replace(played.boards[0], rooms=(long, *played.boards[0].rooms[1:])),))
    record = next(match_records(changed))
    assert "x" * (LONGEST - 1) in [comment.text for comment in record.comments]


def robin(store, **how):
    options = {"seed": 1, "scorer": Tricks()}
    return round_robin([SOUND, LIGHT, LUCKY], 16, store=store, options=options, workers=0, **how)


def test_a_round_robin_gives_twenty_victory_points_a_match():
    tournament = robin(Store("none"))
    table = tournament.table()
    assert len(tournament.matches) == 3
    assert sum(standing.victory_points for standing in table) == pytest.approx(60)
    assert [s.victory_points for s in table] == sorted((s.victory_points for s in table), reverse=True)
    assert sum(standing.imps.mean for standing in table) == pytest.approx(0)


def test_a_round_robin_that_was_broken_off_goes_on_with_the_match_it_was_in(tmp_path):
    steps = []

    def stop_in_the_second_match(done, total):
        steps.append(done)
        if len(steps) == 25:
            raise KeyboardInterrupt

    with Store(tmp_path / "s") as store:
        with pytest.raises(KeyboardInterrupt):
            robin(store, progress=stop_in_the_second_match)
        again = []
        tournament = robin(store, progress=lambda done, total: again.append(done))
        assert again[:2] == [16, steps[-1]]
        assert len(store.runs("match", finished=True)) == 3
    assert tournament == robin(Store("none"))


def test_nobody_is_entered_twice_in_a_round_robin():
    with pytest.raises(BridgeError, match="twice"):
        round_robin([SOUND, LIGHT, SOUND], 1, store=Store("none"))


def test_opponents_are_told_a_system_that_they_can_read_and_no_other(tmp_path):
    file = tmp_path / "mine.bid"
    file.write_text("system mine\ninclude sayc.bid\n")
    assert Contestant.of(f"rules:{file}").watched().system == str(file)
    assert Contestant.of("rules:sayc").watched().system == "sayc"
    assert SOUND.watched().system == ""


def test_in_a_round_robin_a_board_is_one_observation_however_many_matches_it_was_played_in():
    twin = Contestant("twin", sound)
    options = {"seed": 1, "scorer": Tricks()}
    two = round_robin([LIGHT, SOUND, twin], 16, store=Store("none"), options=options, workers=0)
    one = Match(LIGHT, SOUND, **options).play(16, store=Store("none"), workers=0)
    light = next(standing for standing in two.table() if standing.name == "light")
    assert light.imps.standard_error == pytest.approx(one.result.estimate.standard_error)
    assert light.imps.mean == pytest.approx(one.result.estimate.mean)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes cannot be stopped here")
def test_time_during_which_a_process_is_stopped_does_not_count():
    """Stopped for longer than the limit, it goes on; not stopped, it is too slow."""
    code = (
        "import time; from borel.arena.alarm import time_limit\n"
        "with time_limit(2):\n    print('on', flush=True)\n    time.sleep({})"
    )
    bot = subprocess.Popen([sys.executable, "-c", code.format(0.5)], stdout=subprocess.PIPE)
    assert bot.stdout is not None
    assert bot.stdout.readline() == b"on\n"
    os.kill(bot.pid, signal.SIGSTOP)
    time.sleep(3)
    os.kill(bot.pid, signal.SIGCONT)
    bot.communicate()
    assert bot.returncode == 0
    slow = subprocess.run([sys.executable, "-c", code.format(60)], capture_output=True, text=True, check=False)
    assert "TooSlow" in slow.stderr


class Sleeper:
    """Sleeps through the wall's limit, which in the arena is none."""

    system = ""

    def decide(self, view, *, rng):
        deadline = Deadline.after(0.02)
        time.sleep(0.03)
        return Decision(PASS, "late" if deadline.is_over else "in time")


def test_seconds_of_the_arena_are_those_of_the_processor():
    assert Sleeper().decide(None, rng=None).why == "late"
    played = play(Contestant("sleeper", Sleeper), Contestant("sleeper", Sleeper), boards=1)
    assert {why for room in played.boards[0].rooms for why in room.whys} == {"in time"}
    assert played.time("A").per_call < 0.03


def test_work_counts_as_processor_time_and_sleep_as_it_is():
    bell = _Bell(1.0)
    for _ in range(30):  # rings in which a little was done: a machine with much else to do
        bell.worked = time.process_time() - 0.02 * bell.part
        bell(0, None)
    bell = _Bell(1.0)
    for _ in range(RINGS - 1):  # nothing was done
        bell.worked = time.process_time()
        bell(0, None)
    bell.worked = time.process_time()
    with pytest.raises(TooSlow):
        bell(0, None)


def test_boards_on_which_one_side_never_bids_are_told_apart():
    played = play(SOUND, LUCKY, boards=30)
    for board in played.counted:
        assert board.one_sided == (
            len(set().union(*(sides_that_bid(board.dealer, r.auction) for r in board.rooms))) < 2
        )
    assert 0 < len(played.one_sided.imps) < len(played.result.imps)
    assert played.json()["one_side_silent"]["boards"] == len(played.one_sided.imps)


def sides_that_bid(dealer, auction):
    calls = enumerate(auction.split(), "NESW".index(dealer))
    return {seat % 2 for seat, call in calls if call[0] in "1234567"}
