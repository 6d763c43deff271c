"""What good defenders lead after the first trick, as a table of names, and how it decides between level cards."""

from random import Random

import pytest
from test_judgement import view_at

from borel import Card, Contract, Deal, Play, PlayView, Seat
from borel.cardplay.agreements import STANDARD
from borel.cardplay.choice import LATER_WEIGHT, TRICK, lead_bonus
from borel.cardplay.later_lead_weights import WEIGHTS
from borel.cardplay.later_leads import features_of, later_lead_scores
from borel.cardplay.monte_carlo import MonteCarlo
from borel.cardplay.worth import CardWorth

# South plays four spades; West led a diamond to East's ace. Dummy: strong hearts, small clubs.
DEAL = Deal.parse("N:K963.AQJ5.8432.7 J2.T763.AQ5.KT98 AQT87.K8.K7.A652 54.942.JT96.QJ43")


def after(cards: str, seat: Seat, contract: str = "4S by S") -> tuple[PlayView, Play]:
    play = Play(DEAL, Contract.parse(contract))
    for card in cards.split():
        play = play.after(card)
    view = view_at(play, seat)
    return view, view.known_play()


def features(cards: str, seat: Seat, card: str, contract: str = "4S by S") -> dict[str, float]:
    return {
        name: value for name, value in features_of(*after(cards, seat, contract))[Card.parse(card)].items() if value
    }


def test_a_lead_is_described_by_what_all_have_seen():
    # East's dummy is on the right: a club goes up to the singleton seven
    club = features("DJ D2 DA D7", Seat.E, "C8")
    assert club == {
        "nobody led it": 1, "length": 4, "length of dummy": 1, "up to small cards": 1,
        "away from the king": 1, "lowest": 1,
    }  # fmt: skip
    diamond = features("DJ D2 DA D7", Seat.E, "D5")
    assert {"partner led it first", "partner led it", "just led by us", "away from the queen", "lowest"} < set(diamond)
    heart = features("DJ D2 DA D7", Seat.E, "HT")
    assert (heart["up to honours"], heart["bare honour"]) == (2, 1)


def test_a_suit_that_dummy_ruffs_is_known_and_disliked():
    view, play = after("CQ C7 CK CA C2 C3 S3 C8 D2 D5 DK D6 C5 CJ S6 C9 D3 DA D7 D9", Seat.E)
    ruffed, other = (features_of(view, play)[Card.parse(card)] for card in ("CT", "H3"))
    assert ruffed["dummy ruffs"] == 1
    assert not other["dummy ruffs"]
    assert WEIGHTS["dummy ruffs"][0] == min(weight for weight, _ in WEIGHTS.values())


def test_scores_are_logarithms_of_chances():
    for contract in ("4S by S", "3NT by S"):
        view, play = after("DJ D2 DA D7", Seat.E, contract)
        scores = later_lead_scores(view, play)
        assert sum(2.718281828459045**score for score in scores.values()) == pytest.approx(1)
        assert set(scores) == set(play.legal_cards())


def test_a_partners_signal_and_discard_are_features():
    view, play = after("DJ D2 D5 DK SA S4 S3 S2 SQ S5 S6 SJ C2 CJ C7 C8", Seat.W)
    assert play.turn is Seat.W
    notes = features_of(view, play)
    assert notes[Card.parse("DT")]["partner followed high"] == -0.25  # the five, under partner's lead
    assert notes[Card.parse("C3")].get("partner threw it") is None


def test_good_defenders_decide_only_what_the_layouts_leave_open():
    view, play = after("DJ D2 DA D7", Seat.E)
    worths = {card: CardWorth(card, 0.0, 0.5, 4.0) for card in play.legal_cards()}
    bonus, scores = lead_bonus(view, play, worths, STANDARD), later_lead_scores(view, play)
    best = max(scores, key=lambda card: scores[card])
    assert bonus[best] == max(bonus.values())
    assert sum(bonus.values()) == pytest.approx(0)  # gains stay those against the mean of all cards
    assert bonus[best] - bonus[Card.parse("HT")] == pytest.approx(
        LATER_WEIGHT * (scores[best] - scores[Card.parse("HT")])
    )
    better = lead_bonus(view, play, worths | {best: CardWorth(best, 0.0, 0.5, 4.5)}, STANDARD)
    assert better[best] - bonus[best] == pytest.approx(0.5 * TRICK * (1 - 1 / len(bonus)))
    assert bonus[Card.parse("C8")] == bonus[Card.parse("C9")]  # which of them is for partner to read
    spread = LATER_WEIGHT * (max(scores.values()) - min(scores.values()))
    assert spread < 2  # IMPs: a contract is worth more than any habit
    following, at = after("DJ D2", Seat.E)
    assert lead_bonus(following, at, worths, STANDARD) == {}


def test_the_player_says_how_often_a_later_lead_beats_the_contract():
    view, play = after("DJ D2 DA D7", Seat.E)
    decision = MonteCarlo(layouts=12, threads=1).decide(view, rng=Random(1))
    assert decision.choice in play.legal_cards()
    assert "beats the contract on" in decision.why
