"""Hand features: the numbers that rules, networks and dealing conditions speak of, computed in the core.

>>> from borel import Hand
>>> describe(Hand.parse("AQ5.KJ92.87.AT43"), ["hcp", "length(H)", "kaplan_rubens", "stopper(S)"])
{'hcp': 14.0, 'length(H)': 4.0, 'kaplan_rubens': 14.65, 'stopper(S)': 2.0}
"""

from borel.features.compute import codes, describe, features, value, values
from borel.features.registry import CLASSES, Feature, FeatureClass, all_features, parse_feature

__all__ = [
    "CLASSES",
    "Feature",
    "FeatureClass",
    "all_features",
    "codes",
    "describe",
    "features",
    "parse_feature",
    "value",
    "values",
]
