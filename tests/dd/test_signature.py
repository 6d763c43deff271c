"""The signature of the search: its node counts on fixed deals. A commit keeps them, or says that it changes them.

`core/tests/bench.cpp` counts more of them; this is the part that is cheap enough for every run.
"""

from borel import _core
from borel.dd.experiment import count_nodes, sample

CONTRACTS = sample(range(12), seed=2024, sizes=range(13, 14))
ENDINGS = sample(range(60), seed=2024, sizes=range(4, 11))


def signature(many):
    """Tricks, nodes and trick nodes, summed."""
    tricks, nodes, trick_nodes = count_nodes(many, _core.SolverOptions(), threads=1)
    return int(tricks.sum()), int(nodes.sum()), int(trick_nodes.sum())


def test_the_nodes_of_twelve_contracts_are_those_of_the_signature():
    assert signature(CONTRACTS) == (64, 1_591_912, 512_544)


def test_the_nodes_of_sixty_endings_are_those_of_the_signature():
    assert signature(ENDINGS) == (174, 143_075, 46_388)


def test_counting_twice_counts_the_same():
    assert signature(ENDINGS) == signature(ENDINGS)
