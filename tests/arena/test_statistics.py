"""Error bars, and a test that may be looked at after every board."""

import math

import numpy as np
import pytest

from borel.arena import Estimate, MatchResult, Sequence
from borel.arena.statistics import Running

# Roughly how often the rules' swings have each size, when there is one.
SWINGS = np.repeat([1, 2, 3, 5, 6, 7, 10, 11, 12, 13, 17], [25, 10, 6, 12, 12, 6, 12, 6, 5, 4, 2])


def matches(count, boards, *, mean, flat, seed):
    rng = np.random.default_rng(seed)
    swings = rng.choice(SWINGS, (count, boards)) * rng.choice([-1, 1], (count, boards))
    return np.where(rng.random((count, boards)) < flat, 0, swings) + mean


def decisions(values, sequence):
    """For each match the board at which it is decided (0: never) and the sign of its mean then."""
    n = np.arange(1, values.shape[1] + 1)
    means = values.cumsum(axis=1) / n
    variances = ((values**2).cumsum(axis=1) - n * means**2) / np.maximum(n - 1, 1)
    errors = np.sqrt(np.maximum(variances, 0) / n)
    unit = np.array([sequence.half_width(Estimate(int(k), 0.0, 1.0)) for k in n])
    out = abs(means) > np.where(np.isinf(unit), np.inf, np.where(np.isinf(unit), 0, unit) * errors)
    first = np.where(out.any(axis=1), out.argmax(axis=1), -1)
    return first + 1, np.sign(means[np.arange(len(values)), first])


def test_a_result_prints_with_its_error():
    assert str(MatchResult.of([3, -1, 0, 5, 2, -4])) == "+0.83 ± 2.55 imps/board over 6 boards (95%)"


def test_a_result_for_programs_has_its_error_too():
    data = MatchResult.of([3, -1, 0, 5, 2, -4]).json()
    assert data["boards"] == 6
    assert data["imps_per_board"] == pytest.approx(5 / 6)
    assert data["standard_error"] == pytest.approx(1.3017, abs=1e-4)
    assert data["interval"] == pytest.approx([5 / 6 - 2.5513, 5 / 6 + 2.5513], abs=1e-3)


def test_one_board_has_no_known_error():
    assert MatchResult.of([3]).json()["standard_error"] is None
    assert str(MatchResult.of([3])) == "+3.00 ± inf imps/board over 1 board (95%)"


def test_running_estimates_equal_those_of_the_whole():
    running, values = Running(), [3, -1, 0, 5, 2, -4, 0, 0, 11]
    for value in values:
        running.add(value)
    whole = Estimate.of(values)
    assert running.estimate.mean == pytest.approx(whole.mean)
    assert running.estimate.standard_error == pytest.approx(whole.standard_error)


@pytest.mark.parametrize("flat", [0.3, 0.6, 0.9])
def test_equal_sides_are_told_apart_in_at_most_one_match_of_twenty_however_often_one_looks(flat):
    boards, _ = decisions(matches(1000, 2000, mean=0, flat=flat, seed=1), Sequence())
    assert (boards > 0).mean() <= 0.05


def test_looking_at_the_ordinary_interval_after_every_board_would_be_wrong_far_more_often():
    class Naive(Sequence):
        def half_width(self, estimate):
            return estimate.half_width() if estimate.count >= self.least else math.inf

    boards, _ = decisions(matches(300, 2000, mean=0, flat=0.5, seed=2), Naive())
    assert (boards > 0).mean() > 0.25


def test_a_clear_difference_is_found_soon_and_never_the_wrong_way_round():
    boards, signs = decisions(matches(300, 2000, mean=1.0, flat=0.5, seed=3), Sequence())
    assert (boards > 0).all()
    assert (signs > 0).all()
    assert boards.mean() < 350


def test_a_margin_stops_when_the_difference_is_surely_small():
    tiny = Estimate(50_000, 0.01, 0.02)
    assert not Sequence().is_decided(tiny)
    assert Sequence().is_decided(tiny, margin=0.2)
