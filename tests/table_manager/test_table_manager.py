"""Programs at a table over real sockets: the same match as in process, and whatever goes wrong is survived."""

import asyncio
import socket
import threading
from dataclasses import dataclass, replace
from random import Random

import pyspiel
import pytest
from open_spiel.python.bots import bluechip_bridge

from borel import Board, Seat
from borel.arena.table import Table
from borel.cardplay import MonteCarlo
from borel.errors import BridgeError
from borel.policies.rules import RuleBidder
from borel.table_manager import Client, SocketLines, TableManager
from borel.view import Systems
from strategies import shuffled_deal

BOARDS = [Board.numbered(number, shuffled_deal(Random(number))) for number in (1, 2)]
RULES, PLAYER = RuleBidder("sayc"), MonteCarlo(1, threads=1, reads=False)


class FirstCard:
    def decide(self, view, *, rng):
        return replace(PLAYER.decide(view, rng=rng), claim=None)


class Served:
    """A table manager in a thread."""

    def __init__(self, boards=BOARDS, **options):
        self.notes, self.result, self.error = [], None, None
        self.listening = threading.Event()
        self.manager = TableManager(boards, watch=self.note, **{"seconds": 20.0, "patience": 20.0} | options)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        assert self.listening.wait(20)

    def note(self, text):
        self.notes.append(text)
        if text.startswith("listening"):
            self.listening.set()

    def run(self):
        try:
            self.result = asyncio.run(self.manager.run())
        except BridgeError as error:
            self.error = error

    def lines(self):
        return SocketLines.connect("127.0.0.1", self.manager.port)

    def join(self, seat, **options):
        def play():
            lines = self.lines()
            wrap = options.pop("wrap", lambda each: each)
            try:
                Client(wrap(lines), RULES, FirstCard(), seat, **options).run()
            except (BridgeError, OSError):
                pass  # the server hung up: its record says why
            finally:
                lines.close()

        thread = threading.Thread(target=play, daemon=True)
        thread.start()
        return thread

    def finish(self):
        self.thread.join(300)  # five seconds' work, of a machine that may be very busy
        assert not self.thread.is_alive()
        if self.error:
            raise self.error
        return self.result


@dataclass
class Seeded:
    """The same chance at every point as a client has."""

    inner: object
    board: Board

    def decide(self, view, *, rng):
        cards = len(getattr(view, "played", ()))
        return self.inner.decide(view, rng=Random(f"0/{self.board.number}/{len(view.auction.calls)}/{cards}"))


def in_process(board):
    bidders, players = dict.fromkeys(Seat, Seeded(RULES, board)), dict.fromkeys(Seat, Seeded(FirstCard(), board))
    return Table(bidders, players, systems=Systems("sayc", "sayc")).run(board, rng=Random(0))


def test_four_clients_play_the_same_match_as_in_process():
    served = Served()
    for seat in Seat:
        served.join(seat, name=f"Borel {seat}")
    for played in served.finish():
        expected = in_process(played.board)
        assert played.record.auction == expected.auction
        assert played.record.cards == (expected.play.cards if expected.play else ())
        assert played.record.ns_score == expected.ns_score
        assert played.record.players[Seat.E] == "Borel E"


class Loud:
    """A program that writes capitals and doubles its spaces."""

    def __init__(self, lines):
        self.lines = lines

    def read_line(self):
        return self.lines.read_line()

    def send_line(self, line):
        self.lines.send_line(line.upper().replace(" ", "  "))


def test_programs_that_spell_otherwise_are_understood():
    served = Served(BOARDS[:1])
    served.join(None, name="any", wrap=Loud)
    for _ in range(3):
        served.join(None)
    (played,) = served.finish()
    assert played.record.ns_score == in_process(BOARDS[0]).ns_score


def say(served, *lines):
    """Connect, say some lines, and give back the first answer."""
    with socket.create_connection(("127.0.0.1", served.manager.port), 20) as connection:
        for line in lines:
            connection.sendall(line if isinstance(line, bytes) else line.encode() + b"\r\n")
        return connection.recv(200).decode()


def test_strangers_are_refused_and_the_match_goes_on():
    served = Served(BOARDS[:1])
    assert "version" in say(served, 'Connecting "old" as North using protocol version 17')
    assert say(served, "GET / HTTP/1.1").startswith("Error")
    assert say(served, b"\xff" * 5000).startswith("Error")
    keep = served.lines()
    keep.send_line('Connecting "first" as North using protocol version 18')
    assert keep.read_line() == 'North ("first") seated'
    assert "taken" in say(served, 'Connecting "second" as North using protocol version 18')
    keep.close()
    served.join(Seat.E)
    served.join(Seat.S)
    served.join(Seat.W)
    while not any(note.startswith("lost North") for note in served.notes):
        served.thread.join(0.05)
    served.join(Seat.N)
    assert served.finish()[0].record is not None


class Leaves:
    """Hangs up, or says something else, when it should make its first call."""

    def __init__(self, lines, words):
        self.lines, self.words = lines, words

    def read_line(self):
        return self.lines.read_line()

    def send_line(self, line):
        if any(verb in line for verb in ("bids", "passes")):
            if self.words is None:
                self.lines.close()
                raise OSError("left")
            line = self.words
        self.lines.send_line(line)


@pytest.mark.parametrize("words", [None, "North bids 8NT", "East passes", "x" * 3000])
def test_a_program_that_leaves_or_talks_nonsense_can_be_replaced(words):
    served = Served(BOARDS[:1])
    for seat in (Seat.E, Seat.S, Seat.W):
        served.join(seat)
    served.join(Seat.N, wrap=lambda lines: Leaves(lines, words))
    while not any(note.startswith("lost North") for note in served.notes):
        assert served.thread.is_alive()
        served.thread.join(0.05)
    served.join(Seat.N)
    (played,) = served.finish()
    assert played.record.ns_score == in_process(BOARDS[0]).ns_score


def test_silence_ends_and_an_empty_seat_is_not_waited_for_for_ever():
    served = Served(BOARDS[:1], seconds=0.5, patience=1.0)
    for seat in (Seat.E, Seat.S, Seat.W):
        served.join(seat)
    silent = served.lines()
    silent.send_line('Connecting "silent" as North using protocol version 18')
    with pytest.raises(BridgeError, match="seat of"):
        served.finish()
    assert any("silent for" in note for note in served.notes)
    silent.close()


class Controller:
    """OpenSpiel's end of a wire to a Borel client."""

    def __init__(self, seed):
        mine, theirs = socket.socketpair()
        self.lines, self.client_lines = SocketLines(mine), SocketLines(theirs)
        client = Client(self.client_lines, RULES, FirstCard(), None, "Borel", seed=seed)
        self.thread = threading.Thread(target=client.run, daemon=True)
        self.thread.start()

    def read_line(self):
        return self.lines.read_line()

    def send_line(self, line):
        self.lines.send_line(line)

    def terminate(self):
        self.lines.close()
        self.thread.join(20)
        self.client_lines.close()


@pytest.mark.parametrize("seat", [0, 1])
def test_open_spiels_controller_drives_a_client_through_whole_boards(seat):
    game = pyspiel.load_game(bluechip_bridge.GAME_STR)
    bot = bluechip_bridge.BlueChipBridgeBot(game, seat, lambda: Controller(1))
    chance, played = Random(seat), 0
    for _ in range(3):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chance.choice(state.legal_actions()))
            elif state.current_player() == seat:
                action = bot.step(state)
                assert action in state.legal_actions()
                state.apply_action(action)
            else:
                legal = state.legal_actions()
                state.apply_action(52 if 52 in legal and chance.random() < 0.8 else chance.choice(legal))
        bot.inform_state(state)
        played += len(state.history()) > 100
        bot.restart()
    bot.terminate()
    assert played
