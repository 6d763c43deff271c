"""The rule bidder: reasons, candidates, meanings, and legality in any auction."""

from random import Random

import pytest

from borel.auction import Auction, Call
from borel.cards import ALL_CARDS, Hand, Seat, Side
from borel.deal import Vulnerability
from borel.decision import Bidder
from borel.policies.rules import RuleBidder
from borel.systems import load_system
from borel.view import BiddingView, Systems


@pytest.fixture(scope="module")
def bidder() -> RuleBidder:
    return RuleBidder("sayc")


def view(hand: str, auction: str = "", systems: Systems = Systems()) -> BiddingView:
    so_far = Auction.parse(Seat.N, auction)
    return BiddingView(so_far.turn, Hand.parse(hand), so_far, Vulnerability.NONE, systems=systems)


def test_a_decision_names_the_rule_the_meaning_and_the_candidates(bidder: Bidder):
    decision = bidder.decide(view("AQ5.KJ92.K7.AT43"), rng=Random(0))
    assert decision.choice == Call.parse("1NT")
    assert "1NT" in decision.why
    assert "15-17" in decision.meaning
    assert decision.candidates[0].choice == decision.choice
    assert len({candidate.choice for candidate in decision.candidates}) == len(decision.candidates)


def test_a_reason_says_what_this_hand_meets_and_no_other_way_to_the_call(bidder: RuleBidder):
    strong = bidder.decide(view("A5.KQJ942.K7.A43"), rng=Random(0))
    assert strong.why.endswith("/ 1H: five or more hearts (12-21 HCP, 5+♥, more ♥ than ♠, at least as many ♥ as ♣, "
                               "at least as many ♥ as ♦)")  # fmt: skip
    light = bidder.decide(view("5.KQJ92.AT974.43"), rng=Random(0))
    assert light.choice == strong.choice
    assert "rule of 20" in light.why
    assert "12-21" not in light.why


def test_a_pass_for_all_other_hands_says_nothing_of_what_is_forbidden_elsewhere(bidder: RuleBidder):
    declined = bidder.decide(view("AK864.QT3.Q865.Q", "1S P 2C P 2D P 3D P"), rng=Random(0))
    assert declined.why == "after 1X 2Y 2Z 3Z unless game-forced / P: declines"


def test_the_meaning_of_an_auction_tells_what_each_seat_has_shown(bidder: RuleBidder):
    meaning = bidder.meaning(Auction.parse("N", "1NT P 2D"))
    assert [call.call for call in meaning.calls] == [Call.parse("1NT"), Call.parse("P"), Call.parse("2D")]
    north, south = meaning.seats[0], meaning.seats[2]
    assert (north.seat, south.seat) == (Seat.N, Seat.S)
    assert north.hcp[0] >= 14
    assert north.hcp[1] <= 18
    assert south.lengths[2][0] >= 5  # a transfer shows hearts
    assert meaning.forcing[Side.NS] != "not forced"
    assert bidder.may_not_pass(Auction.parse("N", "1NT P 2D P"))


def test_opponents_calls_are_read_by_their_system(tmp_path):
    odd = tmp_path / "odd.bid"
    odd.write_text('system odd "Upside down"\nopen\n  1C  7+ S\n  pass  otherwise\n')
    ours, theirs = RuleBidder("sayc", theirs=str(odd)), RuleBidder("sayc")
    auction = Auction.parse("N", "1C")
    vulnerability = Vulnerability.NONE
    assert ours.position(auction, vulnerability, Side.EW).box(0).low[51] == 7  # spades
    assert theirs.position(auction, vulnerability, Side.EW).box(0).low[51] == 0
    disclosed = theirs.position(auction, vulnerability, Side.EW, Systems(ns=str(odd), ew="sayc"))
    assert disclosed.box(0).low[51] == 7


def test_any_legal_auction_gets_a_legal_call(bidder: Bidder):
    rng = Random(5)
    for _ in range(60):
        auction = Auction(Seat(rng.randrange(4)))
        for _ in range(rng.randrange(14)):
            following = auction.after(rng.choice(auction.legal_calls()[: rng.choice((3, 8, 38))]))
            if following.is_over:
                break
            auction = following
        hand = Hand.of([ALL_CARDS[card] for card in rng.sample(range(52), 13)])
        here = BiddingView(auction.turn, hand, auction, Vulnerability(rng.randrange(4)))
        assert auction.is_legal(bidder.decide(here, rng=rng).choice)


def test_four_bidders_finish_their_auctions_and_never_pass_a_force(bidder: RuleBidder):
    rng, deck = Random(8), list(range(52))
    for number in range(25):
        rng.shuffle(deck)
        hands = [Hand.of([ALL_CARDS[card] for card in deck[i : i + 13]]) for i in (0, 13, 26, 39)]
        auction = Auction(Seat(number % 4))
        vulnerability = Vulnerability(number % 4)
        while not auction.is_over:
            here = BiddingView(auction.turn, hands[auction.turn], auction, vulnerability)
            decision = bidder.decide(here, rng=rng)
            assert decision.choice.index or not bidder.may_not_pass(auction, vulnerability), str(auction)
            auction = auction.after(decision.choice)
            assert len(auction) < 60


def test_a_system_that_changes_another_is_ten_lines(tmp_path):
    """The worked example of docs/systems.md."""
    from pathlib import Path

    text = (Path(__file__).parents[2] / "docs" / "systems.md").read_text(encoding="utf-8")
    example = text.split("```bid\n")[1].split("```")[0]
    assert len([line for line in example.splitlines() if line.strip() and not line.strip().startswith("#")]) <= 12
    file = tmp_path / "weak_notrump.bid"
    file.write_text(example)
    system = load_system(str(file))
    bidder = RuleBidder(system)
    assert bidder.decide(view("AQ5.KJ92.Q75.J43"), rng=Random(0)).choice == Call.parse("1NT")
    opened = bidder.decide(view("6.KQT953.Q75.843"), rng=Random(0))
    assert (str(opened.choice), opened.meaning) == ("2D", "Multi: a weak two in a major")
    assert bidder.decide(view("AQ5.KJ92.87.AQ43"), rng=Random(0)).choice == Call.parse("1C")  # sixteen: no 1NT now
    assert bidder.decide(view("93.Q2.KQT532.K94"), rng=Random(0)).choice == Call.parse("P")  # no weak two in diamonds
    assert bidder.decide(view("AK.A3.KJT8643.A7", "2D P"), rng=Random(0)).choice == Call.parse("2NT")
    assert bidder.decide(view("6.KQT953.Q75.843", "2D P 2H P"), rng=Random(0)).choice == Call.parse("P")
    assert bidder.decide(view("KQT953.6.Q75.843", "2D P 2H P"), rng=Random(0)).choice == Call.parse("2S")


def test_the_example_answers_its_weak_notrump_without_being_told(tmp_path):
    from pathlib import Path

    text = (Path(__file__).parents[2] / "docs" / "systems.md").read_text(encoding="utf-8")
    file = tmp_path / "weak_notrump.bid"
    file.write_text(text.split("```bid\n")[1].split("```")[0])
    bidder = RuleBidder(load_system(str(file)))
    for hand, auction, wanted in [
        ("KJ85.A84.Q73.962", "1NT P", "P"),  # ten points are no invitation opposite 12-14
        ("KJ85.AQ4.Q732.96", "1NT P", "2C"),
        ("KJ8.AQ4.Q7532.Q6", "1NT P", "3NT"),
        ("KJ8.A84.Q753.Q62", "1NT P", "3NT"),
        ("KJ8.A84.Q753.J62", "1NT P", "2NT"),
        ("5.KQ9742.Q73.962", "1NT P", "2D"),  # a transfer, as in SAYC
        ("AQ5.KJ92.Q75.Q43", "1NT P 2NT P", "3NT"),
        ("AQ5.QJ92.Q75.J43", "1NT P 2NT P", "P"),
        ("5.KQ9742.Q73.962", "1NT P 2D P 2H P", "P"),
        ("5.KQ9742.AQ3.962", "1NT P 2D P 2H P", "4H"),
        ("KJ85.AQ4.J732.96", "1NT P 2C P 2D P", "2NT"),
        ("KQ5.KJ92.A75.Q43", "1C P 1S P", "1NT"),  # fifteen: too strong to open 1NT
        ("KQT953.6.Q75.843", "2D P 2NT P", "3S"),
        ("6.KQT953.Q75.843", "2D P 2NT P", "3H"),
    ]:
        assert str(bidder.decide(view(hand, auction), rng=Random(0)).choice) == wanted, (hand, auction)
