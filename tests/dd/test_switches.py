"""Every pruning keeps the answer and saves work."""

from random import Random

import numpy as np
import pytest

from borel import _core
from borel.dd.experiment import count_nodes, full_deals, options, sample

DEFAULTS = _core.SolverOptions()
SWITCHES = [name for name in dir(DEFAULTS) if isinstance(getattr(DEFAULTS, name), bool)]
DEALS = sample(range(60), seed=7, sizes=range(7, 9))


def nodes(**switches: object) -> tuple[list[int], int]:
    tricks, counts, _ = count_nodes(DEALS, _core.SolverOptions(**switches))
    return tricks.tolist(), int(counts.sum())


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_pruning_keeps_the_answer_and_saves_work(switch):
    with_it, fewer = nodes()
    without_it, more = nodes(**{switch: False})
    assert with_it == without_it
    assert fewer < more, f"{switch} has no effect"


def test_each_table_saves_work_over_the_one_before():
    kinds = [_core.TableKind.none, _core.TableKind.exact, _core.TableKind.partition]
    small = sample(range(20), seed=9, sizes=range(5, 7))
    runs = [count_nodes(small, options(kind)) for kind in kinds]
    assert all(np.array_equal(run[0], runs[0][0]) for run in runs)
    none, exact, partition = (int(run[1].sum()) for run in runs)
    assert none > exact > partition


def test_every_switch_is_on_by_default():
    assert len(SWITCHES) >= 5
    assert all(getattr(DEFAULTS, name) for name in SWITCHES)


def test_any_combination_of_switches_gives_the_same_answer():
    rng, small = Random(4), sample(range(40), seed=8, sizes=range(4, 7))
    expected = count_nodes(small, _core.SolverOptions())[0]
    for _ in range(20):
        chosen = {name: rng.random() < 0.5 for name in SWITCHES}
        table = rng.choice([_core.TableKind.none, _core.TableKind.exact, _core.TableKind.partition])
        assert np.array_equal(count_nodes(small, _core.SolverOptions(table=table, **chosen))[0], expected), chosen


def test_a_node_limit_is_reported_and_not_guessed():
    many = sample([0], seed=1, sizes=range(13, 14))
    tricks, counts, _ = count_nodes(many, _core.SolverOptions(node_limit=50))
    assert tricks.tolist() == [255]
    assert 50 < counts[0] <= 54  # looked at when a trick begins


def test_all_prunings_together_save_most_on_full_deals():
    assert full_deals(2, seed=2, everything=True)[0].sum() < full_deals(2, seed=2)[0].sum()
