"""Random boards from deal to score, call by call and card by card, against OpenSpiel's bridge.

    python benchmarks/laws.py [--boards 10000] [--seed 1]

Checked at every step: whose turn it is, the legal actions, and at the end declarer, contract and both sides' returns.
"""

from __future__ import annotations

import argparse
import time
from random import Random
from typing import Any

import pyspiel
from rich.progress import track

from borel import PASS, Auction, Card, Contract, Deal, Hand, Play, Result, Seat, Side, Vulnerability
from borel.cards import ALL_CARDS

FIRST_CALL = 52  # OpenSpiel numbers cards 0..51 (suit + 4 * rank), then calls in our order


def spiel_card(card: Card) -> int:
    """OpenSpiel's number of a card."""
    return card.suit + 4 * card.rank


CARDS = {spiel_card(card): card for card in ALL_CARDS}


def spiel_game(vulnerability: Vulnerability) -> Any:
    """OpenSpiel's bridge with North as dealer."""
    names = {True: "true", False: "false"}
    dealer, other = (names[vulnerability.includes(side)] for side in Side)
    return pyspiel.load_game(f"bridge(use_double_dummy_result=false,dealer_vul={dealer},non_dealer_vul={other})")


def check_board(game: Any, vulnerability: Vulnerability, random: Random) -> int:
    """Play one random board in both programs; returns the number of decisions compared."""
    state = game.new_initial_state()
    deck = random.sample(ALL_CARDS, 52)
    for card in deck:
        state.apply_action(spiel_card(card))
    n, e, s, w = (Hand.of(deck[seat::4]) for seat in Seat)
    auction, decisions = Auction(Seat.N), 0
    while not auction.is_over:
        assert state.current_player() == auction.turn
        assert [a - FIRST_CALL for a in state.legal_actions()] == [call.index for call in auction.legal_calls()]
        legal = auction.legal_calls()
        call = PASS if random.random() < 0.6 else random.choice(legal[: 1 + min(12, len(legal))])
        auction, decisions = auction.after(call), decisions + 1
        state.apply_action(FIRST_CALL + call.index)
    contract = auction.contract
    if contract is None:
        assert state.is_terminal()
        assert list(state.returns()) == [0.0] * 4
        return decisions
    check_contract(game, state, contract)
    play = Play(Deal((n, e, s, w)), contract)
    while not play.is_over:
        mover = contract.declarer if play.turn is contract.dummy else play.turn
        assert state.current_player() == mover
        assert state.legal_actions() == sorted(map(spiel_card, play.legal_cards()))
        card = random.choice(play.legal_cards())
        play, decisions = play.after(card), decisions + 1
        state.apply_action(spiel_card(card))
    points = Result(contract, play.declarer_tricks).ns_score(vulnerability)
    assert state.is_terminal()
    assert list(state.returns()) == [points, -points, points, -points]
    return decisions


def check_contract(game: Any, state: Any, contract: Contract) -> None:
    """OpenSpiel writes ``4SX N``, and one letter for notrump."""
    ours = f"{contract.text} {contract.declarer}".replace("NT", "N")
    assert game.contract_string(state.contract_index()) == ours


def compare(boards: int, seed: int) -> tuple[int, float]:
    """Compare so many boards, the four vulnerabilities in turn; returns decisions compared and seconds taken."""
    games = {vulnerability: spiel_game(vulnerability) for vulnerability in Vulnerability}
    started, decisions = time.perf_counter(), 0
    for number in track(range(boards), description="boards", transient=True):
        vulnerability = Vulnerability(number % 4)
        decisions += check_board(games[vulnerability], vulnerability, Random(f"{seed}/{number}"))
    return decisions, time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    decisions, seconds = compare(options.boards, options.seed)
    print(f"{options.boards:,} boards agree with OpenSpiel: {decisions:,} decisions compared in {seconds:.0f} s")


if __name__ == "__main__":
    main()
