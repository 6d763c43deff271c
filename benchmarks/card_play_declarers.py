"""Achievable sets against Monte Carlo as declarer: the same contracts, the same defenders, equal time a card.

Contracts are those of the bank or of random deals whose double-dummy result is within a trick of the target. Both
declarers play against the same defence by the same luck; a deal in which they never differ scores zero, so play is
compared from the first card on which they do.
"""

from __future__ import annotations

from random import Random
from time import perf_counter, process_time

from borel import Auction, Board, Contract, Deal, Seat, Strain, Vulnerability, _core, dd
from borel.arena.table import Table
from borel.auction import Call
from borel.policies.rules import RuleBidder
from borel.policies.spec import card_player
from borel.scoring import imps, score
from borel.view import Systems
from card_play_mistakes import arguments, done, mean, note


def close_contract(deal: Deal, random: Random) -> Contract | None:
    """A game or slam in the best strain of a random side that double dummy makes or misses by a trick at most."""
    table = dd.table(deal)
    declarer = Seat(random.randrange(4))
    strains = sorted(Strain, key=lambda strain: -table[strain, declarer])
    for strain in strains:
        tricks = table[strain, declarer]
        game = 9 if strain is Strain.NT else 10 if strain.is_major else 11
        for needed in (12, game):
            if abs(tricks - needed) <= 1:
                return Contract(needed - 6, strain, declarer)
    return None


def auction_of(contract: Contract) -> Auction:
    """The contract bid at once: nothing is told but the contract."""
    auction = Auction(contract.declarer).after(Call.bid(contract.level, contract.strain))
    return auction.all_pass()


def tricks_of(board: Board, auction: Auction, declarer: str, defender: str, seed: str) -> tuple[int, list[str]]:
    """Declarer's tricks, and declarer's cards."""
    contract = auction.contract
    assert contract is not None
    players = {seat: card_player(declarer if seat.side is contract.side else defender) for seat in Seat}
    play, _ = Table({}, players, systems=Systems()).play(board, auction, ("",) * len(auction), rng=Random(seed))
    return play.declarer_tricks, [str(card) for card in play.cards]


def main(words: list[str]) -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--layouts", type=int, default=20)
    parser.add_argument("--options", default="", help="more options of the achievable player, such as ,depth=4")
    given = parser.parse_args(words)
    clock = f"layouts={given.layouts},seconds={given.seconds:g}"
    names = {"achievable": f"achievable:{clock}{given.options}", "monte_carlo": f"monte_carlo:{clock}"}
    rows, number = done(given.out), 0
    number = max((row["deal"] for row in rows), default=0)
    while len(rows) < given.deals:
        number += 1
        random = Random(f"{given.seed}/{number}")
        deal = Deal.of_masks(tuple(_core.deal(1, given.seed * 1_000_003 + number)[0].tolist()))
        contract = close_contract(deal, random)
        if contract is None:
            continue
        board, auction = Board(deal, contract.declarer, Vulnerability.NONE, number), auction_of(contract)
        results = {
            name: tricks_of(board, auction, spec, f"monte_carlo:{clock}", f"{number}") for name, spec in names.items()
        }
        points = {name: score(contract, tricks, vulnerable=False) for name, (tricks, _) in results.items()}
        row = {
            "deal": number, "contract": str(contract), "imps": imps(points["achievable"] - points["monte_carlo"]),
            **{name: tricks for name, (tricks, _) in results.items()},
            "same": results["achievable"][1] == results["monte_carlo"][1],
        }  # fmt: skip
        rows.append(row)
        note(given.out, row)
    gained = mean([float(row["imps"]) for row in rows])
    made = {
        name: mean([float(row[name] >= Contract.parse(row["contract"]).tricks_needed) for row in rows])
        for name in names
    }
    print(
        f"achievable sets against Monte Carlo, {clock}: {gained[0]:+.3f} ± {gained[1]:.3f} IMPs a deal over {len(rows)}"
    )
    for name, (share, half) in made.items():
        print(f"  {name}: {share:.1%} ± {half:.1%} made")


def times(words: list[str]) -> None:
    """Whole boards by four default players, and how well the clock is obeyed."""
    parser = arguments(times.__doc__ or "")
    parser.add_argument("--boards", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    given = parser.parse_args(words)
    cards: list[float] = []
    boards: list[float] = []
    for number in range(1, given.boards + 1):
        deal = Deal.of_masks(tuple(_core.deal(1, given.seed * 7919 + number)[0].tolist()))
        last = [perf_counter()]

        def watch(seat: Seat, decision: object, last: list[float] = last) -> None:
            now = perf_counter()
            if not isinstance(getattr(decision, "choice", None), Call):
                cards.append(now - last[0])
            last[0] = now

        player = card_player(f"borel:seconds={given.seconds:g}")
        table = Table(
            dict.fromkeys(Seat, RuleBidder("sayc")), dict.fromkeys(Seat, player), systems=Systems("sayc", "sayc"),
            watch=watch,
        )  # fmt: skip
        started = process_time()
        table.run(Board.numbered(number, deal), rng=Random(number))
        boards.append(process_time() - started)
    over = [seconds for seconds in cards if seconds > 1.1 * given.seconds]
    print(
        f"{len(boards)} boards: {max(boards):.1f} CPU seconds at most; {len(cards)} cards, slowest {max(cards):.2f} s, "
        f"{len(over)} more than 10% over the {given.seconds:g} s given"
    )
