"""What experts lead first, as a table of names; the partnership's agreement says which small card."""

from math import exp
from random import Random

import pytest

from borel import Auction, Card, Contract, Hand, Play, PlayView, Rank, Suit, Vulnerability
from borel.cardplay.agreements import STANDARD, Agreements
from borel.cardplay.choice import LEAD_TRICK, LEAD_WEIGHT, lead_bonus
from borel.cardplay.monte_carlo import MonteCarlo
from borel.cardplay.opening_lead_weights import WEIGHTS
from borel.cardplay.opening_leads import features_of, liked_for, opening_lead_scores
from borel.cardplay.worth import CardWorth
from borel.view import Systems

SILENT = Auction.parse("E", "1NT P 3NT P P P")  # by East: South leads


def scores(hand: str, auction: Auction, agreements: Agreements = STANDARD) -> dict[str, float]:
    contract = auction.contract
    assert contract is not None
    return {
        str(card): score for card, score in opening_lead_scores(Hand.parse(hand), contract, auction, agreements).items()
    }


def likeliest(hand: str, auction: str, dealer: str = "E", agreements: Agreements = STANDARD) -> str:
    found = scores(hand, Auction.parse(dealer, auction), agreements)
    return max(found, key=lambda card: found[card])


@pytest.mark.parametrize(
    ("hand", "auction", "lead"),
    [
        ("K9742.Q83.T64.A3", "1NT P 3NT P P P", "S4"),  # fourth best of the longest suit
        ("QJT4.K83.T64.A32", "1NT P 3NT P P P", "SQ"),  # top of a sequence
        ("K974.83.T654.A32", "1C P 1D 1H 1NT P 3NT P P P", "H8"),  # partner's suit, the higher of two
        ("AK42.Q83.J64.T32", "1H P 4H P P P", "SA"),  # ace from ace-king
        ("Q8742.963.K64.5", "1H P 4H P P P", "C5"),  # a singleton, and trumps to ruff with
        ("J742.963.KQ4.A53", "1H P 4H P P P", "DK"),  # king from king-queen
        ("J742.963.QJ94.A3", "1H P 4H P P P", "DQ"),
        ("J7432.96.Q764.A3", "1H P 6H P P P", "CA"),  # against a slam
    ],
)
def test_experts_like_the_leads_of_the_textbooks(hand, auction, lead):
    assert likeliest(hand, auction) == lead


def test_the_small_card_is_the_agreed_one():
    hand, auction = "K9742.Q83.T64.A3", "1NT P 3NT P P P"
    assert likeliest(hand, auction) == "S4"
    assert likeliest(hand, auction, agreements=Agreements("third_fifth")) == "S2"
    by_agreement = [scores(hand, SILENT, Agreements(leads)) for leads in ("fourth", "third_fifth")]
    spades = [sum(exp(score) for card, score in found.items() if card[0] == "S") for found in by_agreement]
    assert spades[0] == pytest.approx(spades[1])  # the suit is as likely


@pytest.mark.parametrize("hand", ["K9742.Q83.T64.A3", "AKQJT98765432...", ".A65432.KT98.J43", "2.3.K.AQJT987654"])
@pytest.mark.parametrize("auction", ["1NT P 3NT P P P", "1H P 4H P P P", "1D X XX 1S 2C P 6D X P P P"])
def test_scores_are_logarithms_of_chances(hand, auction):
    found = scores(hand, Auction.parse("E", auction))
    assert set(found) == {str(card) for card in Hand.parse(hand)}
    assert sum(exp(score) for score in found.values()) == pytest.approx(1)


def test_partners_double_of_a_suit_is_heard():
    hand, contract = Hand.parse("K974.Q83.T64.J32"), Contract.parse("3NT by E")
    doubled, silent = (Auction.parse("E", f"1NT P 2D {call} 2H P 3NT P P P") for call in ("X", "P"))
    lead = Card.parse("D4")
    assert features_of(hand, contract, doubled)[lead]["doubled by partner"]
    assert not features_of(hand, contract, silent)[lead]["doubled by partner"]
    assert scores(str(hand), doubled)["D4"] > scores(str(hand), silent)["D4"] + 0.5


def test_every_weight_is_of_a_feature():
    hands = ["K9742.Q83.T64.A3", "AK2.KQJT.5.QJ985", ".A65432.KT9.J432"]
    auctions = [Auction.parse("E", auction) for auction in ("1NT P 3NT P P P", "1H P 4H P P P", "1D P 6D P P P")]
    names = {
        name
        for hand in hands
        for auction in auctions
        for notes in features_of(Hand.parse(hand), auction.contract, auction).values()
        for name in notes
    }
    assert names == set(WEIGHTS)


def view_of(hand: str, auction: Auction) -> tuple[PlayView, Play]:
    contract = auction.contract
    assert contract is not None
    view = PlayView(
        contract.leader, Hand.parse(hand), None, contract, auction, (), Vulnerability.NONE,
        systems=Systems("sayc", "sayc"),
    )  # fmt: skip
    return view, view.known_play()


def test_preferences_decide_only_what_the_layouts_leave_open():
    view, play = view_of("K9742.Q83.T64.A3", SILENT)
    worths = {card: CardWorth(card, 0.0, 0.5, 4.0) for card in play.legal_cards()}
    bonus = lead_bonus(view, play, worths, STANDARD)
    assert max(bonus, key=lambda card: bonus[card]) == Card.parse("S4")
    found = scores(str(view.hand), SILENT)
    ahead = bonus[Card.parse("S4")] - bonus[Card.parse("H3")]
    assert ahead == pytest.approx(LEAD_WEIGHT * (found["S4"] - found["H3"]))
    better = worths | {Card.parse("H3"): CardWorth(Card.parse("H3"), 0.0, 0.5, 4.5)}
    again = lead_bonus(view, play, better, STANDARD)
    assert again[Card.parse("S4")] - again[Card.parse("H3")] == pytest.approx(ahead - 0.5 * LEAD_TRICK)
    assert sum(again.values()) == pytest.approx(0)  # gains stay those against the mean of all cards
    suits = [max(bonus[card] for card in bonus if card.suit is suit) for suit in Suit]
    assert max(suits) - min(suits) < 4  # IMPs: a contract is worth more than any habit


def test_the_reason_says_what_is_liked():
    view, play = view_of("QJT42.Q83.T64.A3", SILENT)
    assert liked_for(view.hand, view.contract, view.auction, Card(Suit.S, Rank.QUEEN)).startswith(
        "queen from queen-jack"
    )
    decision = MonteCarlo(layouts=12, threads=1).decide(view, rng=Random(1))
    assert decision.choice in play.legal_cards()
    assert "beats the contract on" in decision.why
    assert decision.choice.suit is not Suit.S or "liked as a lead" in decision.why
