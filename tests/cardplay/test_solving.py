"""Layouts solved within a clock: threads end out of order, and a gap must not be taken for a result."""

import numpy as np

from borel import Contract, Deal, Play, dd
from borel.cardplay.clock import Clock
from borel.cardplay.solving import declarer_tricks
from borel.dd.batch import DeadlineError

DEAL = Deal.parse("N:AQ2.Q43.KJ54.A32 T65.AK72.982.T86 KJ4.865.AQ3.KQJ4 9873.JT9.T76.975")


def test_only_layouts_before_the_first_gap_count(monkeypatch):
    def late(positions, **_):
        raise DeadlineError(1.0, np.array([7, -1, 7], np.int8), np.array([True, False, True]))

    monkeypatch.setattr(dd, "solve", late)
    held = np.array([[hand.mask for hand in DEAL.hands]] * 3, np.uint64)
    tricks, done = declarer_tricks(Play(DEAL, Contract.parse("3NT by S")), held, Clock(1.0), threads=2)
    assert done == 1
    assert 0 <= tricks[0] <= 13
