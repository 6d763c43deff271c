"""Which card is played where sums do not decide, and how plans and averages are put together."""

import numpy as np

from borel import Auction, Board, Card, Contract, Deal, Play, PlayView, Vulnerability
from borel.arena.table import Table
from borel.cardplay import Agreements
from borel.cardplay import worth as worth_module
from borel.cardplay.achievable import HOPE, between
from borel.cardplay.choice import choose
from borel.cardplay.clock import Clock
from borel.cardplay.hidden import HiddenHands
from borel.cardplay.worth import ENOUGH, CardWorth, Outlook, _hopeless, look_ahead

# West has led a diamond to the ace, and East is on lead.
PLAY = Play(
    Deal.parse("N:AQ7.KJ5.KJ8.QJT4 65.A43.A9742.K32 KJT984.T2.QT63.A 32.Q9876.5.98765"), Contract.parse("4S by S")
).after_all(map(Card.parse, ("D5", "D8", "DA", "D3")))


def view_of(play: Play) -> PlayView:
    auction = Auction(play.contract.declarer).after(str(play.contract.bid)).all_pass()
    return Table({}, {}).play_view(
        Board(play.deal, play.contract.declarer, Vulnerability.NONE), auction, play, ("",) * len(auction)
    )


def worth(text: str, gain: float) -> CardWorth:
    return CardWorth(Card.parse(text), gain, 0.5, 3.0)


def test_of_suits_as_good_partners_is_led_back():
    level = {w.card: w for w in (worth("C2", 0.0), worth("H3", 0.0), worth("D7", 0.0), worth("D4", 0.0))}
    card, _ = choose(view_of(PLAY), PLAY, level, Agreements())
    assert card.suit is Card.parse("D7").suit
    better = {w.card: w for w in (worth("C2", 1.0), worth("D7", 0.0))}
    assert choose(view_of(PLAY), PLAY, better, Agreements())[0] == Card.parse("C2")


def test_declarer_goes_on_with_what_he_began():
    """A spade to the ace has just been played; dummy has clubs, hearts and spades that are as good to lead."""
    play = PLAY.after_all(map(Card.parse, ("C2", "CA", "C5", "C4", "S4", "S2", "SA", "S5")))
    level = {w.card: w for w in (worth("C4", 0.0), worth("H5", 0.0), worth("S7", 0.0), worth("SQ", 0.0))}
    assert choose(view_of(play), play, level, Agreements())[0] == Card.parse("S7")
    better = {w.card: w for w in (worth("H5", 1.0), worth("S7", 0.0))}
    assert choose(view_of(play), play, better, Agreements())[0] == Card.parse("H5")


def test_second_hand_splits_three_honours_in_a_row():
    """From a board that was played: declarer leads towards small cards, and South may have to win this trick."""
    deal = Deal.parse("N:874.KQ64.982.Q98 KQJ9532.J97.AT7. T.85.KQJ63.AK652 A6.AT32.54.JT743")
    play = Play(deal, Contract.parse("4S by E")).after_all(map(Card.parse, ("CK", "C3", "C9", "S2", "D7")))
    level = {w.card: w for w in (worth("D3", 0.0), worth("D6", 0.0), worth("DJ", 0.0), worth("DQ", 0.0))}
    assert choose(view_of(play), play, level, Agreements())[0] == Card.parse("DJ")
    low_is_better = {w.card: w for w in (worth("D3", 0.5), worth("D6", 0.5), worth("DJ", 0.0))}
    assert choose(view_of(play), play, low_is_better, Agreements())[0] == Card.parse("D3")


def test_of_plans_as_good_the_card_that_leaves_more_open_comes_first():
    planned = {w.card: w for w in (worth("H2", 1.0), worth("S2", 1.0))}
    averaged = {w.card: w for w in (worth("S2", 3.0), worth("H2", 1.5))}
    mixed = between(planned, averaged)
    assert next(iter(mixed)) == Card.parse("S2")
    assert mixed[Card.parse("H2")].gain == (1 - HOPE) * 1.0 + HOPE * 1.5


def test_a_plan_that_makes_more_comes_before_a_guess_put_off():
    """Line D of the paper's section 3 against line C: the contract is made with every guess right, or for certain."""
    planned = {w.card: w for w in (worth("S2", 0.0), worth("H2", 5.0))}
    averaged = {w.card: w for w in (worth("S2", 5.0), worth("H2", 5.0))}
    assert next(iter(between(planned, averaged))) == Card.parse("H2")


def test_a_few_layouts_that_agree_do_not_settle_a_choice():
    """One card is a trick better everywhere: four layouts leave the others in the race, two hundred do not."""
    legal, every = PLAY.legal_cards(), np.ones(len(PLAY.legal_cards()), bool)
    for layouts, settled in ((4, False), (200, True)):
        hands = np.array([[hand.mask for hand in PLAY.deal]] * layouts, np.uint64)
        tricks = np.repeat(8 + np.arange(layouts)[:, None] % 3, len(legal), axis=1)
        tricks[:, 0] -= 1
        outlook = Outlook(legal, tricks, HiddenHands.of(hands, np.ones(layouts)))
        dropped = _hopeless(view_of(PLAY), PLAY, outlook, every)
        assert dropped.tolist() == [False, *[settled] * (len(legal) - 1)]


def test_layouts_solved_before_time_ran_out_count_when_few_cards_are_left(monkeypatch):
    """Two cards are in the race, twenty layouts are solved eight at a time, and the clock stops the third eight."""
    legal = PLAY.legal_cards()
    racing = np.zeros(len(legal), bool)
    racing[:2] = True
    held = np.array([[hand.mask for hand in PLAY.deal]] * 20, np.uint64)
    calls = []

    def solved(play, rows, clock, threads):
        calls.append(len(rows))
        return np.full(len(rows), 9, np.int64), len(rows) if len(calls) < 5 else 1

    monkeypatch.setattr(worth_module, "declarer_tricks", solved)
    tricks, whole = worth_module._solve_few(PLAY, held, legal, racing, Clock(None), 1)
    assert not whole
    assert calls == [8, 8, 8, 8, 4]
    assert len(tricks) == 16
    assert (tricks[:, :2] == 9).all()
    assert (tricks[:, 2:] == -1).all()


def test_only_a_share_of_the_time_is_taken_once_there_are_enough_layouts(monkeypatch):
    hands = np.array([[hand.mask for hand in PLAY.deal]] * 60, np.uint64)
    hidden = HiddenHands.of(hands, np.ones(60), sum(card.mask for card in PLAY.cards))
    time = [0.0]

    def tick() -> float:
        time[0] += 0.05
        return time[0]

    monkeypatch.setattr("borel.cardplay.clock.now", tick)
    solved = len(look_ahead(view_of(PLAY), PLAY, hidden, clock=Clock(100.0), share=1e-6, drop=False).tricks)
    assert solved == ENOUGH
    assert len(look_ahead(view_of(PLAY), PLAY, hidden, clock=Clock(1000.0), drop=False).tricks) == 60
