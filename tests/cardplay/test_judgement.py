"""Agreements, reading, obvious cards, worth and claims: each where the right answer is known."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from borel import (
    ALL_CARDS,
    Auction,
    Board,
    Card,
    Contract,
    Deal,
    Hand,
    Play,
    PlayView,
    Seat,
    Strain,
    Suit,
    Vulnerability,
    dd,
)
from borel.arena.table import Table
from borel.cardplay import Agreements, MonteCarlo
from borel.cardplay.agreements import lead_chances, lead_from, signal_order
from borel.cardplay.choice import choose
from borel.cardplay.claims import accepts, claim_of, possible_layouts, without_thinking
from borel.cardplay.clock import Clock
from borel.cardplay.hidden import hidden_seats, imagine
from borel.cardplay.obvious import obvious
from borel.cardplay.reading import MISTAKE, costs_of_cards, read_play
from borel.cardplay.signals import read_lead, read_signals
from borel.cardplay.worth import CardWorth, card_worths, equals_of, look_ahead, smooth_imps
from borel.errors import BridgeError, ImpossibleError
from borel.scoring import Scoring
from borel.view import Systems, played_by
from strategies import shuffled_deal


def view_at(play: Play, seat: Seat | None = None, scoring: Scoring = Scoring.IMPS) -> PlayView:
    auction = Auction(play.contract.declarer).after(str(play.contract.bid)).all_pass()
    board = Board(play.deal, play.contract.declarer, Vulnerability.NONE)
    return Table({}, {}, scoring=scoring).play_view(board, auction, play, (), seat)


def random_play(seed: int, cards: int, contract: str = "3NT by S") -> Play:
    random = Random(seed)
    play = Play(shuffled_deal(random), Contract.parse(contract))
    while len(play.cards) < cards:
        play = play.after(random.choice(play.legal_cards()))
    return play


def holding(text: str) -> int:
    return Hand.parse(f"{text}...").suit_mask(Suit.S)


@pytest.mark.parametrize(
    ("held", "notrump", "suit"),
    [
        ("KQJ4", "K", "K"), ("QJT4", "Q", "Q"), ("AKQ", "A", "A"), ("K9742", "4", "4"), ("A9742", "4", "A"),
        ("84", "8", "8"), ("973", "9", "9"), ("KJT5", "J", "J"), ("KQ64", "4", "K"), ("AQJ5", "Q", "A"),
    ],
)  # fmt: skip
def test_leads_are_those_of_the_textbooks(held, notrump, suit):
    letters = "23456789TJQKA"
    assert letters[lead_from(holding(held), notrump=True)] == notrump
    assert letters[lead_from(holding(held), notrump=False)] == suit


def test_small_trumps_are_led_from_below():
    assert lead_from(holding("753"), notrump=False, trumps=True) == holding("3").bit_length() - 1
    assert lead_from(holding("QJT"), notrump=False, trumps=True) == holding("Q").bit_length() - 1


def test_lead_chances_add_up_and_prefer_partners_suit():
    hand = Hand.parse("K862.Q73.J52.984")
    contract = Contract.parse("3NT by E")
    silent = lead_chances(hand, contract, Auction.parse("E", "1NT P 3NT AP"))
    told = lead_chances(hand, contract, Auction.parse("N", "1H 1NT P 3NT AP"))
    assert sum(silent.values()) == pytest.approx(1)
    hearts = [sum(p for card, p in chances.items() if card.suit is Suit.H) for chances in (silent, told)]
    assert hearts[1] > 2 * hearts[0]


def test_signals_can_be_turned_upside_down():
    upside_down = Agreements(attitude="upside_down")
    assert signal_order(holding("K852"), "attitude")[0] > signal_order(holding("K852"), "attitude", upside_down)[0]
    assert signal_order(holding("8542"), "count")[0] == holding("8").bit_length() - 1
    with pytest.raises(BridgeError, match="attitude"):
        Agreements(attitude="sideways")
    with pytest.raises(BridgeError, match="not an agreement"):
        Agreements.parse("leads=fourth colour=blue")


def test_a_lead_and_a_signal_change_what_is_believed():
    """West leads top of a sequence: layouts without one are less likely; so is a low card from a liked suit."""
    deal = Deal.parse("N:AQ2.Q43.KJ54.A32 T65.AK72.982.T86 KJ4.865.AQ3.KQJ4 9873.JT9.T76.975")
    play = Play(deal, Contract.parse("3NT by S")).after("HJ").after("H3").after("H2")
    view = view_at(play)
    sample = imagine(view, play, 60, rng=Random(1))
    led = read_lead(view, play, sample, Agreements())
    from_sequence = np.array([bool(int(row[Seat.W]) & Card.parse("HT").mask) for row in sample.hands])
    assert led[from_sequence].mean() > led[~from_sequence].mean()
    said = read_signals(view, play, sample, Agreements())
    likes = np.array([bool(int(row[Seat.E]) >> 26 & 0x1C00) for row in sample.hands])
    spots = np.array([(int(row[Seat.E]) >> 26 & 0xFF).bit_count() > 1 for row in sample.hands])
    assert said[likes & spots].mean() < said[~likes & spots].mean()


def ruff_to_come() -> Play:
    """West has ruffed a diamond and put East in again, whose entry is now in clubs, the lower suit."""
    deal = Deal.parse("N:AQ7.KJ5.KJ8.QJT4 65.A43.A9742.K32 KJT984.T2.QT63.A 32.Q9876.5.98765")
    play = Play(deal, Contract.parse("4S by S"))
    for card in "D5 D8 DA D3 D2 D6 S2 DJ H7 H5 HA H2".split():
        play = play.after(card)
    return play


def test_a_card_led_for_a_ruff_asks_for_a_suit():
    play = ruff_to_come()
    alike = {Card.parse(text): CardWorth(Card.parse(text), 0.0, 0.5, 3.0) for text in ("D9", "D7", "D4")}
    view = view_at(play)
    assert choose(view, play, alike, Agreements()) == (Card.parse("D4"), "for a ruff, asking for a suit")
    assert choose(view, play, alike, Agreements(suit_preference="none"))[1] != "for a ruff, asking for a suit"
    before = Play(play.deal, play.contract, play.cards[:4])  # West has not shown out yet
    assert choose(view_at(before), before, alike, Agreements())[1] != "for a ruff, asking for a suit"


def test_a_card_led_for_a_ruff_is_read():
    play = ruff_to_come().after("D4")
    view = view_at(play)
    sample = imagine(view, play, 80, rng=Random(2))
    entry = np.array([bool(int(row[Seat.E]) & Card.parse("CK").mask) for row in sample.hands])
    asked, silent = (
        read_signals(view, play, sample, Agreements(attitude="none", count="none", suit_preference=way))
        for way in ("standard", "none")
    )
    assert asked[entry].mean() > asked[~entry].mean()
    assert (asked[entry] > silent[entry]).all()


def test_an_auction_that_fits_no_layout_is_not_believed(monkeypatch):
    def nothing(*_args, **_options):
        raise ImpossibleError("no layout found with so many aces and kings")

    monkeypatch.setattr("borel.cardplay.hidden.directed", nothing)
    play = random_play(4, 21)
    view = replace(view_at(play), systems=Systems("sayc", "sayc"))
    hidden = imagine(view, play, 12, rng=Random(1))
    assert len(hidden) == 12
    assert "contradict" in hidden.note
    for seat in Seat:  # the cards are: nobody holds a suit that he has shown out of
        for suit in play.shown_out(seat):
            assert not (hidden.held[:, seat] >> np.uint64(13 * suit) & np.uint64(0x1FFF)).any()


def test_a_card_that_was_no_mistake_makes_other_layouts_less_likely():
    """The costs in each layout are what double dummy says before and after the card."""
    play = random_play(3, 34)
    view = view_at(play)
    hidden = imagine(view, play, 6, rng=Random(1))
    costs = costs_of_cards(view, play, hidden.hands, 28, 34, Clock(None))
    for row, cost in zip(hidden.hands, costs, strict=True):
        n, e, s, w = (int(mask) for mask in row)
        trace = dd.play_trace(Play(Deal.of_masks((n, e, s, w)), play.contract, play.cards))
        assert [played.cost for played in trace][28:34] == cost.tolist()
    read = read_play(view, play, hidden, 6, Clock(None), rng=Random(1))
    given_away = np.log(read.weights / read.weights.max()) / np.log(MISTAKE)
    assert np.allclose(given_away, given_away.round())  # a factor for each trick


def test_of_many_layouts_read_those_are_kept_in_which_the_cards_were_no_mistakes():
    play = random_play(3, 34)
    view = view_at(play)
    hidden = imagine(view, play, 60, rng=Random(1))
    costs = costs_of_cards(view, play, hidden.hands, 24, 28, Clock(None))
    assert costs is not None
    players = played_by(play.contract, play.cards)
    hidden_ones = [i - 24 for i in range(24, 28) if players[i] in hidden_seats(view)]
    cost = {row.tobytes(): c[hidden_ones].sum() for row, c in zip(hidden.hands, costs, strict=True)}
    read = read_play(view, play, hidden, 20, Clock(None), rng=Random(1))
    assert len(read) < 40
    assert np.mean([cost[row.tobytes()] for row in read.hands]) < np.mean(list(cost.values()))


def test_calls_that_the_cards_seen_speak_against_are_not_believed():
    """South, who passed throughout by the rules, turns up with two aces and a king by the third trick."""
    deal = Deal.parse("N:QJT9.432.5432.32 8765.KQJ.KQJ.K54 AK.A65.A76.A9876 432.T987.T98.QJT")
    auction = Auction.parse("S", "P 1C P P P")
    contract = auction.contract
    assert contract is not None
    play = Play(deal, contract)
    for card in "SQ S5 SA S2 SK S3 S9 S6 HA H7 H2 HJ DA".split():
        play = play.after(card)
    board = Board(deal, Seat.S, Vulnerability.NONE)
    view = Table({}, {}, systems=Systems("sayc", "sayc")).play_view(board, auction, play, ("",) * len(auction))
    hidden = imagine(view, play, 30, rng=Random(1))
    assert "South's calls are not believed" in hidden.note
    strong = np.array([Hand(int(row[Seat.S])).hcp for row in hidden.hands])
    assert strong.max() > 15  # not the least that these cards leave
    opening = replace(view, played=play.cards[:4])
    assert not imagine(opening, opening.known_play(), 30, rng=Random(1)).note


def test_equals_are_one_card():
    deal = Deal.parse("N:AK2... QJ4... T98... 765...")
    play = Play(deal, Contract.parse("1NT by S")).after("S5").after("SA").after("SQ")
    assert equals_of(play, Card.parse("ST")) == equals_of(play, Card.parse("S8")) != 0
    assert Hand(equals_of(play, Card.parse("S9"))) == Hand.parse("T98...")
    assert obvious(view_at(play), play).choice == Card.parse("S8")  # type: ignore[union-attr]


def test_overtricks_are_not_thrown_away():
    """From a board of WBridge5's: in whole IMPs an overtrick of 20 points counted nothing, and was thrown away."""
    play = random_play(21, 44, "2C by S")
    view = view_at(play)
    outlook = look_ahead(view, play, imagine(view, play, 20, rng=Random(1)), threads=1, drop=False)
    ranked = list(card_worths(view, play, outlook).values())
    assert ranked[0].tricks == pytest.approx(max(worth.tricks for worth in ranked))
    assert smooth_imps(np.array([20.0]))[0] > 0.3


@pytest.mark.parametrize("scoring", list(Scoring))
def test_every_form_of_scoring_prefers_more_tricks(scoring):
    deal = shuffled_deal(Random(4), size=13)
    play = random_play(4, 40)
    view = view_at(play, scoring=scoring)
    hidden = imagine(view, play, 10, rng=Random(2))
    outlook = look_ahead(view, play, hidden, threads=1, drop=False)
    worths = card_worths(view, play, outlook)
    best = max(worths.values(), key=lambda worth: worth.tricks)
    dominated = [w for w in worths.values() if (outlook.column(w.card) == outlook.column(best.card)).all()]
    assert next(iter(worths)) in [w.card for w in dominated] or worths[next(iter(worths))].success >= best.success
    assert deal.is_complete


@pytest.mark.parametrize("seed", range(12))
def test_what_is_claimed_is_what_every_layout_gives(seed):
    """Claims are compared with double dummy on every layout that is still possible."""
    play = random_play(seed, 36, "2S by S")
    while play.trick.cards or play.turn.side is not play.contract.side:
        if len(play.cards) >= 48:
            return
        play = play.after(Random(seed).choice(play.legal_cards()))
    view = view_at(play)
    claim = claim_of(view, play)
    layouts = possible_layouts(view, play)
    if claim is None or layouts is None:
        return
    claimed, card = claim
    cards = dd.card_values(dd.Positions.of_layouts(layouts, play.strain, play.turn))
    assert (cards[:, card.index] == cards.max(axis=1)).all()  # a refused claim must not cost the tricks claimed
    values = dd.solve(dd.Positions.of_layouts(layouts, play.strain, play.turn))
    assert set(values.tolist()) == {claimed - play.tricks_won(play.contract.side)}
    for seat in (Seat.W, Seat.E):
        assert accepts(view_at(play, seat), Seat.S, play.deal.hand(Seat.S), claimed)
        if claimed < 13 - play.tricks_won(play.contract.side.other):
            assert not accepts(view_at(play, seat), Seat.S, play.deal.hand(Seat.S), claimed + 1)


def test_the_card_of_a_claim_keeps_what_is_claimed():
    """North must take the diamond king first; the trump, once played, loses a trick (WBridge5's board 2986)."""
    ends = [Hand.parse(text) for text in ("7..K4.", ".T.J8.", "T.Q8..", ".K.T9.")]
    others = [card for card in ALL_CARDS if not any(card in hand for hand in ends)]
    for seed in range(2000):
        Random(seed).shuffle(others)
        hands = [Hand.of([*hand, *others[10 * i : 10 * i + 10]]) for i, hand in enumerate(ends)]
        play = Play(Deal((hands[0], hands[1], hands[2], hands[3])), Contract.parse("6S by N"))
        kept = [set(hand) for hand in ends]
        while len(play.cards) < 40:
            free = [card for card in play.legal_cards() if card not in kept[play.turn]]
            if not free:
                break
            play = play.after(free[0])
        if len(play.cards) == 40 and play.turn is Seat.N:
            break
    else:
        pytest.fail("no way to the ending was found")
    claim = claim_of(view_at(play), play)
    if claim is not None:
        assert dd.card_values(play)[claim[1]] == claim[0] - play.tricks_won(play.contract.side)


def test_a_claim_ends_the_board_and_the_tricks_are_the_same():
    deal = Deal.parse("N:AKQJ.AKQJ.AKQ.AK T98.T98.JT98.QJT 765.765.765.9876 432.432.432.5432")
    play = Play(deal, Contract.parse("7NT by N")).after("ST")
    view = view_at(play)
    decision = without_thinking(view, play)
    assert decision is None or decision.claim is None  # the trick is not over
    table = Table({}, dict.fromkeys(Seat, MonteCarlo(2, threads=1)))
    board = Board(deal, Seat.N, Vulnerability.NONE)
    played, _ = table.play(board, Auction.parse("N", "7NT AP"), (), rng=Random(1))
    assert played.claim is not None
    assert played.declarer_tricks == 13
    assert Strain.NT is played.strain


def test_a_revoke_of_a_hidden_hand_is_said_and_play_goes_on():
    """East discards a heart on the first spade and plays a spade on the second."""
    hand, dummy = Hand.parse("AK32.432.432.432"), Hand.parse("QJ4.AK5.AK5.AK65")
    played = tuple(Card.parse(c) for c in "D6 DA D7 D2 SQ H6 S2 S5 SJ S6 S3 S7".split())
    auction = Auction.parse("S", "3NT AP")
    view = PlayView(Seat.S, hand, dummy, Contract.parse("3NT by S"), auction, played, Vulnerability.NONE)
    decision = MonteCarlo(4, threads=1).decide(view, rng=Random(1))
    assert decision.choice in dummy  # North won the last trick
    assert "revoke" in decision.why
    with pytest.raises(BridgeError, match="DK is held by North and East"):
        MonteCarlo(4).decide(replace(view, played=(*played[:2], Card.parse("DK"))), rng=Random(1))


@pytest.mark.parametrize(
    ("played", "legal"),
    [
        ("DQ C7 D6 DA", "AKQ2.K32.32.K32"),  # dummy discards a club on the diamond and declarer leads on
        ("DQ C7 D6 DA D2 D7", "..K54."),  # and must follow now
        ("DQ D4 D6 S2 DJ D5 D7", "..A32."),  # declarer himself
        ("DQ C7 D6 DA S2 S5", "J43..."),
        ("DQ C7 D6 DA C2 C8", "...65"),
        ("DQ C7 D6 DA C2 C8 C6 C9 H8", ".K32.."),
    ],
)
def test_a_revoke_of_a_hand_that_is_seen_is_said_and_a_card_that_is_held_is_played(played, legal):
    hand, dummy = Hand.parse("AKQ2.K32.A32.K32"), Hand.parse("J43.AQ54.K54.765")
    cards = tuple(Card.parse(card) for card in played.split())
    view = PlayView(
        Seat.S, hand, dummy, Contract.parse("3NT by S"), Auction.parse("S", "3NT AP"), cards, Vulnerability.NONE
    )
    decision = MonteCarlo(4, threads=1).decide(view, rng=Random(1))
    assert "a revoke, diamonds were led" in decision.why
    assert decision.choice not in cards
    assert str(decision.choice)[1] in legal.split(".")["SHDC".index(str(decision.choice)[0])]


def test_after_a_revoke_that_won_its_trick_the_lowest_card_is_played():
    """Declarer ruffed a diamond with two diamonds in hand: to have followed would have put the defenders on lead."""
    hand, dummy = Hand.parse("AQJT9.Q875.97.K7"), Hand.parse("K872.A3.KQ52.Q42")
    cards = tuple(Card.parse(card) for card in ("DA", "D2", "D3", "S9"))
    auction = Auction.parse("S", "P 1S P 4S AP")
    view = PlayView(Seat.W, hand, dummy, Contract.parse("4S by W"), auction, cards, Vulnerability.NONE)
    decision = MonteCarlo(4, threads=1).decide(view, rng=Random(1))
    assert str(decision.choice) == "H5"
    assert "a revoke, diamonds were led" in decision.why


def test_the_clock_is_obeyed_and_something_is_always_solved():
    play = random_play(9, 12)
    view = view_at(play)
    hidden = imagine(view, play, 200, rng=Random(1))
    outlook = look_ahead(view, play, hidden, clock=Clock(0.02), threads=1)
    assert 1 <= len(outlook.hidden) <= 200
    assert (outlook.tricks[0] >= 0).all()
