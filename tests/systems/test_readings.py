"""What calls show: ranges from the rules, less what earlier rules take, and how forcing they are."""

import pytest

from borel.auction import CALL_NAMES
from borel.systems import Situation
from borel.systems.hand import FEATURES, HCP, LENGTHS, POINTS, features_of, features_of_batch
from borel.systems.loader import read_system
from borel.systems.position import Position

RULES = """
open
  2C    22+ hcp                         "strong"                game-forcing
  1NT   15-17 hcp, balanced             "15-17 balanced"
  1M    12-21 points, 5+ M              "five-card major"
  1C    12-21 hcp                       "the rest"
  pass  otherwise

after 1NT
  2C    8+ hcp, 4 H or 4 S              "Stayman"               asks, convention stayman
  2D    5+ H                            "transfer"              forcing
  3NT   10+ hcp
  2NT   8-9 hcp
  pass  otherwise

after 1M
  2M    3+ M, 6-10 points(M)            "raise to {M}"
  3M    4+ M, 11-12 points(M)           "limit raise"           invitational
  pass  otherwise
"""


def position(auction: str, rules: str = RULES) -> Position:
    system = read_system(rules)
    start = Situation((system, system)).start()
    return start.follow(tuple(CALL_NAMES.index(call) for call in auction.split()))


def shown(auction: str, call: str) -> dict[str, tuple[float, float]]:
    box = position(auction).meaning(CALL_NAMES.index(call)).box
    names = {"hcp": HCP, "points": POINTS, "C": LENGTHS[0], "D": LENGTHS[1], "H": LENGTHS[2], "S": LENGTHS[3]}
    return {name: (box.low[index], box.high[index]) for name, index in names.items()}


def test_a_call_shows_the_conditions_of_its_rule():
    notrump = shown("", "1NT")
    assert notrump["hcp"] == (15, 17)
    assert notrump["S"] == notrump["C"] == (2, 5)
    assert shown("", "1H")["H"] == (5, 13)


def test_a_call_shows_that_no_earlier_rule_applied():
    assert shown("1NT P", "P")["hcp"] == (0, 7)
    assert shown("1NT P", "2NT")["H"][1] == 4  # five hearts would have transferred


def test_lengths_leave_room_for_thirteen_cards_only():
    assert shown("1H P 2H P", "P")["H"][0] == 5
    assert shown("", "1S")["C"] == (0, 8)


def test_support_points_count_as_points():
    raised = shown("1S P", "2S")
    assert raised["points"] == (6, 10)
    assert raised["hcp"][1] == 10


def test_typical_ranges_lie_within_the_sure_ones_and_are_closer():
    meaning = position("").meaning(CALL_NAMES.index("1C"))
    sure, typical = meaning.box, meaning.typical
    assert sure.low[HCP] <= typical.low[HCP] <= typical.high[HCP] <= sure.high[HCP]
    assert typical.high[HCP] < sure.high[HCP]
    assert typical.high[LENGTHS[3]] <= 4  # five spades would have been opened
    assert sure.high[LENGTHS[3]] > 4


def test_later_calls_add_to_earlier_ones():
    after = position("1NT P 2C P 2D P 2NT P")
    assert after.box(0).low[HCP] == 15
    assert after.box(2).low[HCP] == 8


def test_a_contradiction_keeps_the_strength_and_believes_the_later_length():
    rules = RULES + "\nafter 1NT P ... 3D\n  4D\nafter 1NT 2D\n  3C  7+ C, 15-17 hcp\n"
    box = position("1NT P 2D P 3C P", rules).box(0)
    assert box.low[LENGTHS[0]] == 7
    assert (box.low[HCP], box.high[HCP]) == (15, 17)


def test_forcing_calls_bind_partner_until_the_opponents_bid():
    assert position("1NT P 2C P").context.forced(0)
    assert not position("1NT P 2C X").context.forced(0)
    assert not position("1NT P 3NT P").context.forced(0)
    assert position("2C P 2D P 2H P").context.forced(2)  # game-forcing lasts
    assert not position("2C P 2D P 4H P").context.forced(2)


def test_conventions_agreed_suits_and_limits_are_remembered():
    after = position("1S P 3S P").context
    assert after.agreed[0] == 3
    assert after.limited[2]
    assert after.status[0] == "invitational"
    assert "stayman" in position("1NT P 2C").context.conventions[0]


def test_words_fill_in_the_suit_or_come_from_the_conditions():
    assert position("1S P").meaning(CALL_NAMES.index("2S")).text == "raise to spades"
    assert position("1NT P").meaning(CALL_NAMES.index("2NT")).text == "8-9 HCP"


@pytest.mark.parametrize("auction", ["", "1NT P", "1S P", "1C X 1S 7NT X", "P P P", "7C 7D 7H 7S 7NT X XX"])
def test_every_position_can_be_read(auction):
    for call in range(38):
        if position(auction).context.is_legal(call):
            assert position(auction).meaning(call).text


def test_features_of_a_batch_equal_those_of_each_hand():
    import numpy as np

    from borel.systems.population import bank

    masks = bank().masks[:200]
    single = np.array([features_of(int(mask)) for mask in masks], dtype=np.float32)
    batch = features_of_batch(masks)
    for index, name in enumerate(FEATURES):
        assert (single[:, index] == batch[:, index]).all(), name


def test_a_batch_makes_the_same_calls_as_each_hand():
    from borel.systems.population import bank

    here = position("1S P")
    calls = here.calls_of_batch(bank().features[:300])
    for mask, call in zip(bank().masks[:300], calls, strict=True):
        options = here.choose(features_of(int(mask)))
        assert (options[0].call if options else -1) == call


def test_the_core_and_the_net_choose_alike_in_the_auctions_of_a_whole_system():
    import numpy as np

    from borel.systems import load_system
    from borel.systems.flat_net import FlatNet
    from borel.systems.population import bank

    system = load_system("sayc")
    start = Situation((system, system)).start()
    hands = bank().features[:150]
    for auction in ("", "1NT P", "1C P", "1H 2C", "1S X", "1D P 1H P", "2C P", "3H", "1C 1H 2C 2H"):
        here = start.follow(tuple(CALL_NAMES.index(call) for call in auction.split()))
        for net in (here._upper.net, here._lower.net, here.net):
            fast = FlatNet(net).calls(hands)
            for row, call in zip(hands, fast, strict=True):
                options = sorted(net.state_actions([float(x) for x in row]), key=lambda option: option.order)
                assert (options[0].call if options else -1) == call, auction
    assert np.array_equal(start.calls_of_batch(hands), FlatNet(start.net).calls(hands))


def test_the_core_refuses_tables_that_are_no_net():
    import numpy as np

    from borel import _core

    def make(program, numbers, nodes, links):
        return _core.RuleNet(
            np.array(program, dtype=np.int32),
            np.array(numbers, dtype=np.float64),
            np.array(nodes, dtype=np.int32).reshape(-1, 7),
            np.array(links, dtype=np.int32),
            3,
        )

    leaf = [-1, 0, 0, 0, 0, 0, 0]
    net = make([0, 1, 0], [5, 9], [[-1, 0, -1, 0, 1, 1, 1], [0, 0, 7, 1, 1, 1, 1]], [1])
    rows = np.array([[0, 5, 0], [0, 4, 0]], dtype=np.float32)
    assert net.choose(rows).tolist() == [7, -1]
    for program, numbers, nodes, links in (
        ([], [], [], []),  # no root
        ([0, 3, 0], [5, 9], [[0, 0, 1, 0, 0, 0, 0]], []),  # no such feature
        ([0, 1, 1], [5, 9], [[0, 0, 1, 0, 0, 0, 0]], []),  # bounds cut off
        ([9, 1, 0], [5, 9], [[0, 0, 1, 0, 0, 0, 0]], []),  # no such condition
        ([2, 1, 9, 0, 1, 0], [5, 9], [[0, 0, 1, 0, 0, 0, 0]], []),  # ends elsewhere
        ([], [], [[-1, 0, -1, 0, 1, 1, 1], leaf], [0]),  # a link back
        ([], [], [[-1, 0, -1, 0, 2, 2, 2], leaf], [1]),  # links out of range
    ):
        with pytest.raises(ValueError, match=r"."):
            make(program, numbers, nodes, links)
    with pytest.raises(ValueError, match="width"):
        net.choose(np.zeros((2, 4), dtype=np.float32))
