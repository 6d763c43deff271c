"""Reading a new point of an auction from memory: the same options as afresh, with less work."""

from copy import deepcopy
from random import Random

import numpy as np
import pytest

from borel import _core
from borel.systems import Situation, compiler, load_system
from borel.systems.flat_net import FlatNet, net_of
from borel.systems.hand import features_of_batch
from borel.systems.patterns import match, may_end
from borel.systems.position import MOST_POSITIONS, _atlas, start_of

DEALS = _core.deal(8, 31)


def own(name):
    """A system of its own, which shares no memory with others."""
    return deepcopy(load_system(name))


def walk(system, deals, rng):
    """Bid deals by the rules, with an odd call now and then; yields every position and the call made there."""
    for i, deal in enumerate(deals):
        position = Situation((system, system), (bool(i & 1), bool(i & 2))).start()
        while not position.context.is_over and len(position.context.calls) < 24:
            row = features_of_batch(deal[position.context.turn : position.context.turn + 1])
            call = max(0, int(position.calls_of_batch(row)[0]))
            if rng.random() < 0.2:
                call = rng.choice(sorted({option.call for option in position.options} or {0}))
            call = call if position.context.is_legal(call) else 0
            yield position, call
            position = position.after(call)


def described(position):
    return [(o.call, str(o.constraint), str(o.shows), o.priority, o.order, o.agrees) for o in position.options]


@pytest.mark.parametrize("name", ["sayc", "two_over_one"])
def test_what_is_recalled_is_what_would_be_read_afresh(name):
    with_memory, without = own(name), own(name)
    without.memo.is_on = False
    pairs = zip(walk(with_memory, DEALS, Random(1)), walk(without, DEALS, Random(1)), strict=True)
    for (position, call), (afresh, same_call) in pairs:
        assert call == same_call
        assert described(position) == described(afresh)
        assert position.meaning(call).text == afresh.meaning(call).text


def test_memory_saves_work(monkeypatch):
    work = {}
    for is_on in (True, False):
        system = own("sayc")
        system.memo.is_on = is_on
        count, plain = [0], compiler._compile
        monkeypatch.setattr(compiler, "_compile", lambda *a, count=count, plain=plain: count.append(1) or plain(*a))
        for position, _ in walk(system, DEALS, Random(2)):
            assert position.options is not None
        monkeypatch.setattr(compiler, "_compile", plain)
        work[is_on] = len(count)
    assert work[True] < work[False] / 3


def test_the_quick_look_at_the_end_of_a_pattern_never_refuses_one_that_fits():
    system, seen = load_system("sayc"), 0
    indices = (system.specific, system.general, system.negative)
    patterns = [pattern for index in indices for entries in index.by_length.values() for _, pattern in entries]
    patterns += [pattern for index in indices for _, pattern in index.floating if pattern is not None]
    for position, _ in walk(system, DEALS, Random(3)):
        calls, opening = position.context.calls, position.context.opening
        for pattern in patterns:
            if opening < len(calls) and next(iter(match(pattern, calls, opening)), None) is not None:
                seen += 1
                assert may_end(pattern, calls)
    assert seen > 20


def test_positions_are_shared_and_forgotten_when_there_are_too_many(monkeypatch):
    system = load_system("sayc")
    first = start_of((system, system), (False, False))
    assert start_of((system, system), (False, False)) is first
    assert start_of((system, system), (True, False)) is not first
    first.after(0).after(8)
    monkeypatch.setattr(_atlas, "made", MOST_POSITIONS + 1)
    assert start_of((system, system), (False, False)) is not first
    for _ in range(MOST_POSITIONS):
        start_of((system, system), (False, False))
    assert not _atlas.forgotten
    assert not first._after


def test_points_with_the_same_options_share_a_net_that_chooses_as_one_made_afresh():
    hands = features_of_batch(DEALS.reshape(-1).copy())
    nets, seen = set(), 0
    for position, _ in walk(own("sayc"), DEALS, Random(4)):
        for shared, options in ((position._upper, position.agreements), (position._lower, position.principles)):
            nets.add(id(shared))
            seen += 1
            assert [option.order for option in shared.options] == [option.order for option in options]
            assert np.array_equal(shared.flat.calls(hands), FlatNet(net_of(options)).calls(hands))
    assert len(nets) < 0.9 * seen
