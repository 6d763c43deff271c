"""Card players choose legal cards from what they see, and plan where the choice of a plan matters."""

from random import Random

import numpy as np
import pytest

from borel import Auction, Board, Contract, Deal, Hand, Play, PlayView, Seat, Strain, Vulnerability, _core
from borel.arena.table import Table
from borel.cardplay import AchievableSets, MonteCarlo
from borel.cardplay.hidden import HiddenHands, imagine
from borel.cardplay.reasons import caters_to
from borel.view import Systems
from strategies import shuffled_deal


def view_of(play: Play, auction: Auction, systems: Systems = Systems()) -> PlayView:
    """What declarer or the defender on play sees."""
    table = Table({}, {}, systems=systems)
    return table.play_view(Board(play.deal, Seat.N, Vulnerability.NONE), auction, play, ())


@pytest.mark.parametrize("player", [MonteCarlo(6), AchievableSets(6, depth=2, seconds=0.2)], ids=["average", "plan"])
def test_a_whole_board_is_played_legally_with_reasons(player):
    deal, contract = shuffled_deal(Random(5)), Contract.parse("1NT by S")
    auction = Auction.parse("S", "1NT AP")
    table = Table({}, dict.fromkeys(Seat, player))
    play, decisions = table.play(Board(deal, Seat.S, Vulnerability.NONE), auction, (), rng=Random(1))
    assert play.is_over
    assert len(play.cards) == 52 or play.claim is not None
    assert play.contract == contract
    assert all(decision.why for decision in decisions)
    for decision in decisions:
        if decision.candidates:
            assert decision.choice in [candidate.choice for candidate in decision.candidates]


def test_the_same_seed_plays_the_same_card():
    deal = shuffled_deal(Random(8))
    play = Play(deal, Contract.parse("2H by E")).after(next(iter(deal.hand(Seat.S))))
    view = view_of(play, Auction.parse("E", "2H AP"))
    assert MonteCarlo(8).decide(view, rng=Random(3)) == MonteCarlo(8).decide(view, rng=Random(3))


def test_imagined_hands_hold_the_unseen_cards_and_agree_with_suits_shown_out():
    deal = shuffled_deal(Random(11))
    play = Play(deal, Contract.parse("3NT by S"))
    random = Random(2)
    while len(play.cards) < 30:
        play = play.after(random.choice(play.legal_cards()))
    view = view_of(play, Auction.parse("S", "3NT AP"))
    hidden = imagine(view, play, 30, rng=Random(1))
    left = play.remaining
    for row in hidden.held:
        for seat in Seat:
            assert int(row[seat]).bit_count() == len(left.hand(seat))
            for suit in play.shown_out(seat):
                assert not int(row[seat]) & 0x1FFF << 13 * suit
        assert int(row[view.seat]) == left.hand(view.seat).mask
        assert int(np.bitwise_or.reduce(row)) == left.known
    assert hidden.weights.sum() == pytest.approx(1)


def test_the_auction_is_heard_when_the_systems_are_known():
    deal = Deal.parse("N:T982.K73.Q84.T52 AQJ3.AQ2.K53.K84 764.J654.AT2.A93 K5.T98.J976.QJ76")
    auction = Auction.parse("E", "1NT P 2NT P 3NT AP")
    play = Play(deal, auction.contract)
    hidden = imagine(view_of(play, auction, Systems("sayc", "sayc")), play, 40, rng=Random(1))
    strength = [Hand(int(row[Seat.E])).hcp for row in hidden.held]
    heavy = hidden.weights[[14 <= hcp <= 18 for hcp in strength]].sum()
    assert heavy > 0.8


# South to lead needs all three tricks: the queen must be finessed, and either defender may have it.
TWO_WAY = Deal.parse("N:AT2... - KJ3... -")


def hidden_queen() -> HiddenHands:
    """The queen third with West, or with East."""
    layouts = []
    for west, east in (("Q87...", "965..."), ("965...", "Q87...")):
        hands = [TWO_WAY.hand(Seat.N), Hand.parse(east), TWO_WAY.hand(Seat.S), Hand.parse(west)]
        layouts.append([hand.mask for hand in hands])
    return HiddenHands.of(np.array(layouts, np.uint64), np.full(2, 0.5))


def test_a_guess_is_not_counted_as_a_certainty():
    hidden = hidden_queen()
    unseen = int(hidden.held[0, Seat.E] | hidden.held[0, Seat.W])
    seen = [TWO_WAY.hand(Seat.S).mask, TWO_WAY.hand(Seat.N).mask]
    west = np.ascontiguousarray(hidden.held[:, Seat.W])
    start = (int(Seat.S), seen, unseen, int(Strain.NT), int(Seat.S), [], 3, west, hidden.weights)
    lines, _, _ = _core.single_dummy(*start)
    plans, _, _ = _core.squeaky_wheel(*start, depth=8)
    assert sorted(won for _, won, _ in lines) == [[0], [1]]  # play for one or for the other, not for both
    assert plans[0][1] == pytest.approx(0.5)
    assert plans[0][2] == pytest.approx(1.0)  # with the cards seen it always makes


def ending(seed, *, size):
    """A random ending with South on play, who needs some tricks, and all its layouts, as the core is asked about it."""
    random = Random(seed)
    deal = shuffled_deal(random, size=size)
    strain, unseen = random.randrange(5), deal.masks[1] | deal.masks[3]
    layouts = np.array(_halves(unseen), np.uint64)
    weights = np.full(len(layouts), 1 / len(layouts))
    return 2, [deal.masks[2], deal.masks[0]], unseen, strain, 2, [], 1 + random.randrange(3), layouts, weights


@pytest.mark.parametrize("seed", range(25))
def test_the_best_plan_is_what_the_exact_value_says(seed):
    """With enough depth the squeaky wheel finds a set that weighs nine tenths of the best at least, and never more."""
    start = ending(seed, size=4)
    exact, _, _ = _core.single_dummy(*start)
    plans, _, _ = _core.squeaky_wheel(*start, depth=8, rounds=12)
    best = max(weight for weight, _, _ in exact)
    assert plans[0][1] <= best + 1e-9
    assert plans[0][1] >= 0.9 * best
    assert plans[0][1] <= plans[0][2] + 1e-9  # never more than double dummy


@pytest.mark.parametrize("seed", range(8))
def test_the_best_line_is_the_heaviest_of_all_lines(seed):
    """Found by conflicts, and the same as the heaviest set of the antichain; the cards given do begin it."""
    start = ending(seed, size=5)
    every, _, _ = _core.single_dummy(*start)
    found, _, _ = _core.single_dummy(*start, best_only=True)
    heaviest = max((weight for weight, _, _ in every), default=0.0)
    assert sum(weight for weight, _, _ in found) == pytest.approx(heaviest)
    for _, won, cards in found:
        assert cards
        assert any(set(won) <= set(all_won) and set(cards) <= set(all_cards) for _, all_won, all_cards in every)


@pytest.mark.parametrize("seed", range(8))
def test_a_search_that_is_stopped_says_between_which_chances_the_best_line_lies(seed):
    start = ending(seed, size=6)
    ((best, _, _),) = _core.best_line(*start)[0] or [(0.0, [], [])]
    for seconds in (0.0001, 0.001, 0.01):
        found, bound, proved = _core.best_line(*start, seconds=seconds)
        reached = sum(weight for weight, _, _ in found)
        assert reached <= best + 1e-9 <= bound + 2e-9
        assert not proved or reached == pytest.approx(best)


@pytest.mark.parametrize("seed", range(5))
def test_what_is_known_of_first_cards_need_not_be_solved_again(seed):
    random = Random(seed)
    deal = shuffled_deal(random, size=5)
    strain, unseen = random.randrange(5), deal.masks[1] | deal.masks[3]
    layouts = np.array(_halves(unseen)[:40], np.uint64)
    weights = np.full(len(layouts), 1 / len(layouts))
    start = (2, [deal.masks[2], deal.masks[0]], unseen, strain, 2, [], 2, layouts, weights)
    plain, depth, nodes = _core.squeaky_wheel(*start, depth=8)
    first, _, _ = _core.squeaky_wheel(*start, depth=1)  # with all cards seen from the second card on
    known = [(card, won) for card, _, chance, won in first if sum(weights[won]) == pytest.approx(chance)]
    assert known
    assert _core.squeaky_wheel(*start, depth=8, known=known) == (plain, depth, nodes)
    nothing = [(card, []) for card, _ in known]  # it is taken at its word
    told, _, _ = _core.squeaky_wheel(*start, depth=8, known=nothing)
    assert all(chance == 0 for card, _, chance, _ in told if card in dict(known))


def _halves(cards: int) -> list[int]:
    """Every way to give a defender half of the cards."""
    size, found, part = cards.bit_count() // 2, [], cards
    while True:
        if part.bit_count() == size:
            found.append(part)
        if part == 0:
            return found
        part = (part - 1) & cards


def test_reasons_name_the_card_that_matters():
    hidden = hidden_queen()
    deal = Deal.of_masks(tuple(int(mask) for mask in hidden.held[0]))
    view = view_of(Play(deal, Contract(1, Strain.NT, Seat.S)), Auction.parse("S", "1NT AP"))
    won = np.array([True, False])
    assert caters_to(view, hidden, won) == ": loses when East has ♠Q"
    assert caters_to(view, hidden, np.ones(2, bool)) == ": whatever the lie of the cards"


def test_bad_positions_are_refused():
    start = (2, [3, 12], 0b11110000, 4, 2, [], 1)
    with pytest.raises(ValueError, match="one weight"):
        _core.single_dummy(*start, np.array([0b110000], np.uint64), np.array([0.5, 0.5]))
    with pytest.raises(ValueError, match="held twice"):
        _core.single_dummy(*start, np.array([0b11], np.uint64), np.array([1.0]))
