"""Hand features: the core against plain Python, the registry against itself."""

from contextlib import suppress
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_features import REFERENCE

from borel import ALL_CARDS, BridgeError, Hand, Suit
from borel.errors import DealError, ParseError
from borel.features import CLASSES, all_features, codes, describe, features, parse_feature, value, values

EXTREMES = [
    "AKQJT98765432...",
    "...AKQJT98765432",
    "AKQ.AKQ.AKQ.AKQJ",
    "AKQJ.AKQ.AKQ.AKQ",
    "432.432.432.5432",
    "AKQJT.AKQJT.AKQ.",
    "KQ.KQ.KQ.KQJT987",
    "A.K.Q.JT98765432",
    "98765432.5432..2",
    "JT98765432.K.Q.A",
]


def random_hands(count, seed):
    random = Random(seed)
    return [Hand.of(random.sample(ALL_CARDS, 13)) for _ in range(count)]


def long_hands(count, seed):
    """Hands with long suits, which random deals seldom have."""
    random, hands = Random(seed), []
    for _ in range(count):
        suit, length = random.choice(list(Suit)), random.randint(6, 13)
        own = random.sample([card for card in ALL_CARDS if card.suit == suit], length)
        rest = random.sample([card for card in ALL_CARDS if card.suit != suit], 13 - length)
        hands.append(Hand.of(own + rest))
    return hands


HANDS = random_hands(150, 1) + long_hands(100, 2) + [Hand.parse(text) for text in EXTREMES]


@pytest.fixture(scope="module")
def many_hands():
    return np.array([hand.mask for hand in HANDS + random_hands(3000, 3) + long_hands(1000, 4)], dtype=np.uint64)


@pytest.mark.parametrize("name", CLASSES)
def test_every_feature_is_what_its_definition_says(name):
    wanted = CLASSES[name].features
    table = features([hand.mask for hand in HANDS], wanted)
    for hand, row in zip(HANDS, table.tolist(), strict=True):
        for feature, number in zip(wanted, row, strict=True):
            expected = Fraction(REFERENCE[name](hand, *feature.arguments)) * feature.scale
            assert number == expected, f"{feature} of {hand}"


@pytest.mark.parametrize("name", CLASSES)
def test_every_feature_stays_in_its_range(name, many_hands):
    wanted = CLASSES[name].features
    table = values(many_hands, wanted)
    for feature, low, high in zip(wanted, table.min(axis=0), table.max(axis=0), strict=True):
        assert feature.low <= low <= high <= feature.high, str(feature)


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_has_a_true_example_and_a_line_of_words(name):
    cls = CLASSES[name]
    feature, hand, expected = cls.entry.example
    assert parse_feature(feature).cls is cls
    assert value(Hand.parse(hand), feature) == expected
    assert cls.doc.endswith(".")
    assert cls.entry.range[0] < cls.entry.range[1]


def test_the_250_features_of_the_paper_are_there_in_35_classes():
    assert len(all_features(bidi=True)) == 250
    assert len({cls.bidi for cls in CLASSES.values() if cls.bidi}) == 35


def test_features_are_written_as_they_are_read():
    for feature in all_features():
        assert parse_feature(str(feature)) == feature


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hpc", "did you mean hcp?"),
        ("length", "length needs a suit"),
        ("length(S,H)", "takes 1 arguments, not 2"),
        ("suits(S)", "takes no arguments"),
        ("difference(S,S)", "two different suits"),
        ("fit(S)", "needs a length"),
        ("fit(S,14)", "not a length from 0 to 13"),
        ("hcp(N)", "not a suit"),
        ("hcp(S", "expected a name"),
        ("", "expected a name"),
        ("x" * 1000, "expected a name"),
    ],
)
def test_a_wrong_feature_is_named(text, words):
    with pytest.raises(ParseError) as caught:
        parse_feature(text)
    assert words in str(caught.value)


@given(st.text(max_size=30) | st.from_regex(r"[a-z_]{1,12}\([SHDCN0-9, ]{0,6}\)"))
def test_any_text_is_a_feature_or_an_error_of_ours(text):
    with suppress(BridgeError):
        assert parse_feature(str(parse_feature(text))) == parse_feature(text)


def test_suits_are_read_in_words_and_symbols():
    assert str(parse_feature("Length( spades )")) == "length(S)"
    assert str(parse_feature("hcp(♥)")) == "hcp(H)"
    assert str(parse_feature("hcp(hand)")) == "hcp"
    assert str(parse_feature("fast_losers(n, c)")) == "fast_losers(NT,C)"


def test_a_batch_is_the_same_as_hand_by_hand():
    names = ["hcp", "kaplan_rubens", "points(S)", "points(S,H)"]
    batch = values([hand.mask for hand in HANDS], names)
    for hand, row in zip(HANDS, batch, strict=True):
        assert describe(hand, names) == pytest.approx(dict(zip(names, row.tolist(), strict=True)))


def test_shapes_and_types_of_batches():
    table = features(np.zeros(3, dtype=np.uint64), codes(["hcp", "losers"]))
    assert (table.shape, table.dtype) == ((3, 2), np.int16)
    assert features([], ["hcp"]).shape == (0, 1)
    assert features([0], []).shape == (1, 0)


def test_a_set_of_more_than_the_deck_is_refused():
    with pytest.raises(DealError, match="52-bit"):
        features([1 << 52], ["hcp"])


@pytest.mark.parametrize("code", [(999, 0, 0), (-1, 0, 0), (0, 5, 0), (0, -1, 0), (15, 4, 0)])
def test_the_core_refuses_codes_of_nothing(code):
    with pytest.raises(ValueError, match="not the code of a feature"):
        features([0], np.array([code], dtype=np.int32))
