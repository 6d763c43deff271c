"""Endings with a name and a known answer: squeezes, coups, throw-ins."""

import pytest

from borel import Card, Contract, Deal, Play, Seat, Strain, dd
from dd.endings import named_endings
from dd.minimax import minimax_cards


@pytest.mark.parametrize("ending", named_endings(), ids=lambda ending: ending.name)
def test_a_named_ending_has_its_known_answer(ending):
    position = ending.position
    values = dd.card_values(position)
    assert dd.solve(position) == ending.tricks == max(values.values())
    best = {card for card, value in values.items() if value == ending.tricks}
    assert best == (set(values) if ending.leads is None else ending.leads)
    if position.tricks_left <= 4:
        assert values == minimax_cards(position)


# Deals that keep searches busy: four voids and long suits in a ring, every suit 4-3-3-3, and one suit to each hand.
FOUR_VOIDS = "N:.KT98.AJ76.Q5432 Q5432..KT98.AJ76 AJ76.Q5432..KT98 KT98.AJ76.Q5432."
SYMMETRIC = "N:AT62.K953.Q84.J7 J7.AT62.K953.Q84 Q84.J7.AT62.K953 K953.Q84.J7.AT62"
ONE_SUIT_EACH = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def test_a_deal_with_one_suit_in_each_hand_takes_all_or_nothing():
    table = dd.table(Deal.parse(ONE_SUIT_EACH))
    for strain in Strain:
        # The hand with the trumps, or in notrump the hand on lead, takes every trick.
        holder = {Strain.S: 0, Strain.H: 1, Strain.D: 2, Strain.C: 3}.get(strain)
        expected = [13 * (seat % 2 == holder % 2) if holder is not None else 0 for seat in Seat]
        assert table[strain].tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("text", [FOUR_VOIDS, SYMMETRIC], ids=["four voids", "symmetric"])
def test_a_famously_slow_deal_is_solved_and_turns_with_its_seats(text):
    """Each of these deals, turned by one seat, is itself with the suits renamed: so all declarers take the same."""
    deal = Deal.parse(text)
    assert deal.is_complete
    table = dd.table(deal)
    assert len(set(table[Strain.NT].tolist())) == 1
    for turn in range(4):
        # North's spades turn to East's hearts, and so on: strain s of one declarer is strain s - 1 of the next.
        suits = [table[Strain((3 - turn) % 4), Seat((seat + turn) % 4)] for seat in Seat]
        assert suits == [table[Strain.S, seat] for seat in Seat]


def test_an_entry_shifting_squeeze_is_won_in_the_hand_that_the_discard_asks_for():
    """South leads the king of clubs: North overtakes if West lets go a heart, and stays low if West lets go a spade."""
    (ending,) = (ending for ending in named_endings() if ending.name == "entry-shifting squeeze")
    play = Play(ending.position.deal, Contract.parse("1NT by E")).after("CK")
    for discard, wins, loses in (("S5", "C2", "CA"), ("H5", "CA", "C2")):
        assert dd.card_values(play.after(discard)) == {Card.parse(wins): 4, Card.parse(loses): 3}
