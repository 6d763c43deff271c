"""Decision nets behave as in the paper's figures 4, 5 and 20."""

import numpy as np
import pytest

from borel.systems.box import Box
from borel.systems.constraints import ANYTHING, Range, all_of
from borel.systems.decision_net import DecisionNet, Node, Triplet, refines


def between(feature: int, low: float, high: float) -> Range:
    return Range(((feature, 1.0),), low, high)


def figure_four() -> DecisionNet[str]:
    """The net of figure 4: two attributes; a node for the intersection of two others, and one on an else link."""
    net: DecisionNet[str] = DecisionNet([], ["A", "B", "C"])
    two = Node(between(0, 2, 3), 0, ["A"])
    three = Node(all_of([between(0, 1, 2), between(1, 1, 2)]), 0, ["B"])
    four = Node(all_of([between(0, 0, 1), between(1, 2, 3)]), 0, ["C"])
    for node in (three, four):
        net.insert(node)
    six = net.refine([two, three], ["A", "B"])
    assert refines(six.constraint, three.constraint)
    net.graft(net.root, Node(between(0, 2, 3), 0, ["A"]))
    return net


@pytest.mark.parametrize(
    ("state", "actions"),
    [((0, 2), {"C"}), ((1, 2), {"B", "C"}), ((2, 1), {"A", "B"}), ((3, 3), {"A"}), ((0, 0), {"A", "B", "C"})],
)
def test_states_get_the_actions_of_their_most_specific_nodes(state, actions):
    assert set(figure_four().state_actions([float(value) for value in state])) == actions


def test_else_links_are_followed_only_when_no_regular_link_takes_the_state():
    net = DecisionNet([Triplet("high", between(0, 10, 20), 900), Triplet("low", between(0, 0, 20), 100)], ["default"])
    assert net.state_actions([15.0]) == ["high"]
    assert net.state_actions([5.0]) == ["low"]
    assert net.state_actions([30.0]) == ["default"]


def test_equal_conditions_merge_and_refinements_hang_below_in_either_order():
    wide, narrow = between(0, 0, 20), between(0, 5, 10)
    for triplets in ([("w", wide), ("n", narrow)], [("n", narrow), ("w", wide)]):
        net = DecisionNet([Triplet(action, constraint, 1) for action, constraint in triplets], [])
        assert net.state_actions([7.0]) == ["n"]
        assert net.state_actions([15.0]) == ["w"]
        (top,) = net.root.regular
        assert [child.actions for child in top.regular] == [["n"]]
    merged = DecisionNet([Triplet("a", wide, 1), Triplet("b", wide, 1)], [])
    assert merged.state_actions([7.0]) == ["a", "b"]


def test_a_node_that_refines_two_others_hangs_under_both():
    first, second = between(0, 0, 10), between(1, 0, 10)
    net = DecisionNet(
        [Triplet("1", first, 1), Triplet("2", second, 1), Triplet("both", all_of([first, second]), 1)], []
    )
    assert net.state_actions([5.0, 5.0]) == ["both"]
    assert net.state_actions([5.0, 50.0]) == ["1"]


def test_a_rule_for_all_hands_keeps_its_priority():
    net = DecisionNet([Triplet("pass", ANYTHING, 500), Triplet("bid", between(0, 0, 10), 100)], [])
    assert net.state_actions([5.0]) == ["pass"]


def test_a_partial_state_follows_the_links_that_all_its_states_take():
    net = DecisionNet([Triplet("strong", between(0, 5, 10), 2), Triplet("any", between(0, 0, 10), 1)], ["default"])
    box = Box()
    box.low[0], box.high[0] = 6, 8
    assert net.partial_state_actions(box) == ["strong"]
    box.low[0] = 3
    assert net.partial_state_actions(box) == ["any"]


def test_batches_end_in_the_same_nodes_as_single_states():
    net = figure_four()
    states = np.array([[a, b] for a in range(4) for b in range(4)], dtype=np.float32)
    reached: list[set[str]] = [set() for _ in states]
    for node, members in net.state_actions_batch(states):
        for index in np.flatnonzero(members):
            reached[index] |= set(node.actions)
    assert reached == [set(net.state_actions([float(x) for x in state])) for state in states]


def test_the_inverse_names_the_hands_of_an_action_and_those_taken_before():
    net = DecisionNet([Triplet("2C", between(0, 22, 37), 2), Triplet("1C", between(0, 12, 37), 1)], [])
    ((condition, earlier),) = net.hands_for("1C")
    assert condition == between(0, 12, 37)
    assert between(0, 22, 37) in earlier


def test_nets_can_be_drawn():
    text = figure_four().dot("figure 4")
    assert text.startswith('digraph "figure 4"')
    assert "style=dashed" in text
