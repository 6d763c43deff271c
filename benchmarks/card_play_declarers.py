"""Achievable sets against Monte Carlo as declarer: the same contracts, the same defenders, equal time a card.

Contracts are those of random deals whose double-dummy result is within a trick of the target. Both declarers play
against the same defence by the same luck; a deal in which they never differ scores zero, so play is compared from the
first card on which they do, with the defenders' cards as they lie and in a few other layouts that declarer could not
tell from it (most of the noise is where the cards lie). Seconds are CPU seconds, so a busy machine changes nothing.
Where the one who plans has had no plan to choose by he has averaged, as the other does: both then play his card, for
they could differ by the luck of the clock only.

The defenders see all cards unless --defender names a player: they never give a trick away double dummy, cost next to
nothing, and add no noise of their own; of cards that are as good they play one that tells declarer little.
"""

from __future__ import annotations

from random import Random
from time import process_time

from borel import (
    Auction,
    Board,
    Card,
    Contract,
    Deal,
    Play,
    PlayView,
    Rank,
    Seat,
    Strain,
    Suit,
    Vulnerability,
    _core,
    dd,
)
from borel.arena.table import Table
from borel.auction import Call
from borel.cardplay.claims import accepts
from borel.cardplay.hidden import imagine
from borel.cardplay.worth import equals_of
from borel.clock import processor_time
from borel.decision import CardPlayer, Decision
from borel.policies.rules import RuleBidder
from borel.policies.spec import card_player
from borel.scoring import imps, score
from borel.view import Systems
from card_play_mistakes import Row, arguments, done, mean, note


def close_contract(deal: Deal, random: Random) -> Contract | None:
    """A game or slam in the best strain of a random side that double dummy makes or misses by a trick at most."""
    declarer = Seat(random.randrange(4))
    tricks = {strain: 13 - dd.solve(deal, strain, declarer.lho) for strain in Strain}
    for strain in sorted(Strain, key=lambda strain: -tricks[strain]):
        game = 9 if strain is Strain.NT else 10 if strain.is_major else 11
        for needed in (12, game):
            if abs(tricks[strain] - needed) <= 1:
                return Contract(needed - 6, strain, declarer)
    return None


def auction_of(contract: Contract) -> Auction:
    """The contract bid at once: nothing is told but the contract."""
    auction = Auction(contract.declarer).after(Call.bid(contract.level, contract.strain))
    return auction.all_pass()


class AllSeeing:
    """A defender who sees all cards: of those that are best double dummy, one that breaks no new suit, the lowest."""

    def card(self, play: Play) -> Card:
        """The card for the defender whose turn it is."""
        values = dd.card_values(play)
        best = max(values.values())
        return min((card for card, value in values.items() if value == best), key=lambda card: self.order(play, card))

    def order(self, play: Play, card: Card) -> tuple[bool, bool, Rank, Suit]:
        """On lead a suit that was led before comes first, then one without an honour; an ace is no longer a secret."""
        if play.trick.cards:
            return False, False, card.rank, card.suit
        led = {trick.cards[0].suit for trick in play.tricks if trick.cards}
        honours = [held for held in play.held(play.turn) if held.suit is card.suit and Rank.TEN < held.rank < Rank.ACE]
        return card.suit not in led, bool(honours), card.rank, card.suit


PLANS = "achievable"  # the declarer of the two who plans


def averaged(decision: Decision[Card]) -> bool:
    """Whether a card was chosen without a plan: by averages, or because no other comes into question."""
    return not decision.why.startswith("makes on ")


class Duel:
    """One contract, two declarers, the same defenders: played once until the declarers differ, then twice."""

    def __init__(
        self,
        number: int,
        deal: Deal,
        contract: Contract,
        declarers: dict[str, CardPlayer],
        defender: CardPlayer | AllSeeing,
    ) -> None:
        self.number, self.contract = number, contract
        self.declarers, self.defender = declarers, defender
        self.board, self.auction = Board(deal, contract.declarer, Vulnerability.NONE, number), auction_of(contract)
        self.start = Play(deal, contract)

    def results(self, layouts: int) -> tuple[list[dict[str, int]], int | None]:
        """Each declarer's tricks on so many layouts, and the number of the card at which they parted; None: never."""
        play = self.start
        while not play.is_over:
            if play.turn.side is self.contract.side:
                planned = self.decide(play, self.declarers[PLANS])
                if not averaged(planned):
                    others = {n: self.decide(play, d) for n, d in self.declarers.items() if n != PLANS}
                    choices = {**others, PLANS: planned}
                    if len({equals_of(play, choice.choice) for choice in choices.values()}) > 1:
                        return self.replayed(play, choices, layouts), len(play.cards)
                play = self.after(play, planned)
            else:
                play = self.defended(play)
        return [dict.fromkeys(self.declarers, play.declarer_tricks)], None

    def replayed(self, play: Play, choices: dict[str, Decision[Card]], layouts: int) -> list[dict[str, int]]:
        """The rest of the play, on the deal and on others that look the same to declarer and are as close."""
        hidden = imagine(self.view(play), play, 4 * layouts, rng=Random(f"{self.number}/layouts"))
        deals = [self.board.deal, *(Deal.of_masks(tuple(row)) for row in hidden.hands.tolist())]
        found: list[dict[str, int]] = []
        for deal in deals:
            makeable = 13 - dd.solve(deal, self.contract.strain, self.contract.leader)
            if found and abs(makeable - self.contract.tricks_needed) > 1:
                continue
            duel = Duel(self.number, deal, self.contract, self.declarers, self.defender)
            at = Play(deal, self.contract, play.cards)
            found.append(
                {name: duel.play_on(duel.after(at, choices[name]), player) for name, player in self.declarers.items()}
            )
            if len(found) == layouts:
                break
        return found

    def play_on(self, play: Play, declarer: CardPlayer) -> int:
        while not play.is_over:
            declaring = play.turn.side is self.contract.side
            play = self.after(play, self.decide(play, declarer)) if declaring else self.defended(play)
        return play.declarer_tricks

    def defended(self, play: Play) -> Play:
        """With the defender's next card."""
        if isinstance(self.defender, AllSeeing):
            return play.after(self.defender.card(play))
        return self.after(play, self.decide(play, self.defender))

    def view(self, play: Play, seat: Seat | None = None) -> PlayView:
        return Table({}, {}, systems=Systems()).play_view(
            self.board, self.auction, play, ("",) * len(self.auction), seat
        )

    def decide(self, play: Play, player: CardPlayer) -> Decision[Card]:
        """By luck that belongs to the position, so the same cards bring the same answers in both plays."""
        return player.decide(self.view(play), rng=Random(f"{self.number}/{'.'.join(map(str, play.cards))}"))

    def after(self, play: Play, decision: Decision[Card]) -> Play:
        """With the card, or to the end if it is claimed and both opponents agree."""
        seat = self.contract.declarer if play.turn is self.contract.dummy else play.turn
        if decision.claim is not None:
            faced = self.board.deal.hand(seat)
            others = {s for s in (seat.lho, seat.rho) if s is not self.contract.dummy}
            if all(accepts(self.view(play, other), seat, faced, decision.claim) for other in others):
                return play.claimed(decision.claim, seat)
        return play.after(decision.choice)


def main(words: list[str]) -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=0.2, help="CPU seconds a card of declarer's")
    parser.add_argument("--achievable", default="achievable:layouts=100")
    parser.add_argument("--other", default="monte_carlo:layouts=100")
    parser.add_argument("--layouts", type=int, default=3, help="on which a deal is played after the declarers part")
    parser.add_argument("--defender", help="a card player such as monte_carlo:layouts=8,seconds=0.05")
    given = parser.parse_args(words)
    specs = {"monte_carlo": given.other, PLANS: given.achievable}
    players = {name: card_player(f"{spec},seconds={given.seconds:g}") for name, spec in specs.items()}
    rows, defender = done(given.out), card_player(given.defender) if given.defender else AllSeeing()
    number = max((row["deal"] for row in rows), default=0)
    with processor_time():
        while len(rows) < given.deals:
            number += 1
            deal = Deal.of_masks(tuple(_core.deal(1, given.seed * 1_000_003 + number)[0].tolist()))
            contract = close_contract(deal, Random(f"{given.seed}/{number}"))
            if contract is None:
                continue
            tricks, parted = Duel(number, deal, contract, players, defender).results(given.layouts)
            row = {"deal": number, "contract": str(contract), "imps": gained(contract, tricks), "parted": parted}
            row |= {name: [taken[name] for taken in tricks] for name in specs}
            rows.append(row)
            note(given.out, row)
    show(rows, list(specs), f"{given.achievable} against {given.other}, {given.seconds:g} CPU s a card")


def gained(contract: Contract, tricks: list[dict[str, int]]) -> float:
    """IMPs for achievable sets, the mean of all layouts that were played."""
    points = [{name: score(contract, taken[name], vulnerable=False) for name in taken} for taken in tricks]
    return sum(imps(p[PLANS] - p["monte_carlo"]) for p in points) / len(points)


def show(rows: list[Row], names: list[str], title: str) -> None:
    gain = mean([float(row["imps"]) for row in rows])
    alike = sum(row["parted"] is None for row in rows)
    print(f"{title}: {gain[0]:+.3f} ± {gain[1]:.3f} IMPs a deal over {len(rows)}, {alike} played alike")
    for name in names:
        needed = [Contract.parse(row["contract"]).tricks_needed for row in rows]
        made = [sum(t >= n for t in row[name]) / len(row[name]) for n, row in zip(needed, rows, strict=True)]
        share, half = mean(made)
        print(f"  {name}: {share:.1%} ± {half:.1%} made")


def times(words: list[str]) -> None:
    """Whole boards by four default players, and how well the clock is obeyed; all in CPU seconds."""
    parser = arguments(times.__doc__ or "")
    parser.add_argument("--boards", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    given = parser.parse_args(words)
    cards: list[float] = []
    boards: list[float] = []
    for number in range(1, given.boards + 1):
        deal = Deal.of_masks(tuple(_core.deal(1, given.seed * 7919 + number)[0].tolist()))
        last = [process_time()]

        def watch(seat: Seat, decision: object, last: list[float] = last) -> None:
            now = process_time()
            if not isinstance(getattr(decision, "choice", None), Call):
                cards.append(now - last[0])
            last[0] = now

        player = card_player(f"borel:seconds={given.seconds:g}")
        table = Table(
            dict.fromkeys(Seat, RuleBidder("sayc")), dict.fromkeys(Seat, player), systems=Systems("sayc", "sayc"),
            watch=watch,
        )  # fmt: skip
        started = process_time()
        with processor_time():
            table.run(Board.numbered(number, deal), rng=Random(number))
        boards.append(process_time() - started)
    over = [seconds for seconds in cards if seconds > 1.1 * given.seconds]
    print(
        f"{len(boards)} boards: {max(boards):.1f} CPU seconds at most; {len(cards)} cards, slowest {max(cards):.2f} s, "
        f"{len(over)} more than 10% over the {given.seconds:g} s given"
    )
