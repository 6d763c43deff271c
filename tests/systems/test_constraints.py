"""Conditions: what a hand meets one by."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from borel.sampling.callers import random_hands
from borel.systems.constraints import Constraint, Range, all_of, any_of, met_by
from borel.systems.hand import INDEX, LENGTHS, features_of_batch
from borel.systems.words import constraint_words

HANDS = features_of_batch(random_hands(300, seed=3))
HCP, HEARTS, MAJORS = ((INDEX["hcp"], 1.0),), ((LENGTHS[2], 1.0),), ((LENGTHS[2], 1.0), (LENGTHS[3], 1.0))


def conditions() -> st.SearchStrategy[Constraint]:
    """Conditions on hearts, the majors together and high cards, nested at will."""
    terms = st.sampled_from([HCP, HEARTS, MAJORS])
    ranges = st.builds(lambda t, low, more: Range(t, low, low + more), terms, st.integers(0, 12), st.integers(0, 9))
    return st.recursive(
        ranges,
        lambda parts: st.one_of(
            st.lists(parts, min_size=1, max_size=4).map(all_of), st.lists(parts, min_size=1, max_size=4).map(any_of)
        ),
    )


@given(conditions(), st.integers(0, len(HANDS) - 1))
def test_what_a_hand_meets_a_condition_by_is_met_by_it_and_part_of_the_condition(condition, row):
    hand = HANDS[row].tolist()
    if not condition.admits(hand):
        return
    met = met_by(condition, hand)
    assert met.admits(hand)
    assert not np.any(met.admits_batch(HANDS) & ~condition.admits_batch(HANDS))


def test_ranges_of_one_quantity_overlap_and_alternatives_of_one_stay_whole():
    hand = next(row.tolist() for row in HANDS if row[LENGTHS[2]] == 5 and row[INDEX["hcp"]] == 13)
    opening = any_of([Range(HCP, 12, 37), all_of([Range(HCP, 10, 37), Range(HEARTS, 6, 13)])])
    whole = all_of([opening, Range(HCP, 0, 21), Range(HEARTS, 5, 13)])
    assert constraint_words(met_by(whole, hand)) == "12-21 HCP, 5+♥"
    odd = any_of([Range(HEARTS, 3, 3), Range(HEARTS, 5, 5)])
    assert met_by(odd, hand) == odd
    assert met_by(any_of([Range(HCP, 14, 37), Range(HCP, 13, 37)]), hand) == Range(HCP, 13, 37)
