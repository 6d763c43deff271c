"""Conditions against endplay's interpreter of the same language, on random deals."""

import pytest
from endplay.dealer.constraint import ConstraintInterpreter
from endplay.types import Deal as EndplayDeal

from borel.dealing import compile_condition, deals

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # endplay's use of its parser

DEALS = [(deal, EndplayDeal(str(deal))) for deal in deals(60, 99)]

CONDITIONS = [
    "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)",
    "hcp(south, spades) > 3 || hcp(west, clubs) == 0",
    "spades(north) >= 5 && hearts(north) >= 4",
    "shape(south, 5xxx + any 4441 - 5431)",
    "shape(east, any 5xxx - any 5332)",
    "controls(north) >= 4 && controls(north, hearts) < 2",
    "losers(west) <= 7 && losers(west, diamonds) != 2",
    "hascard(north, AS) || hascard(east, KH)",
    "top3(north, spades) >= 2 || top5(south) > 6",
    "aces(east) + kings(east) * 2 - queens(east) >= 3",
    "tens(north) + jacks(south, clubs) == 2",
    "hcp(north) + hcp(south) > 25 || hcp(north) + hcp(south) < 15",
    "c13(north) >= 20",
    "hcp(north) % 3 == 1",
    "diamonds(west) < 3 && !hascard(west, QD)",
    "cccc(north) >= 11 && hcp(north) < 100",
]


@pytest.mark.parametrize("text", CONDITIONS)
def test_the_same_deals_satisfy_the_condition(text):
    theirs = ConstraintInterpreter().lambdify(text)
    ours = compile_condition(text.replace("cccc(north) >= 11", "cccc(north) >= 1100"))  # dealer counts hundredths
    for deal, other in DEALS:
        assert ours.holds(deal) == bool(theirs(other)), str(deal)
