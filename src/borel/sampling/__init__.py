"""Layouts of the hidden cards consistent with a view, given a model of each player's calls."""

from borel.sampling.evidence import Evidence, evidence_of
from borel.sampling.knowledge import Knowledge, Layouts, knowledge_of
from borel.sampling.limits import ANY_HAND, HandLimits
from borel.sampling.methods import directed, rbmbmc, soft
from borel.sampling.sample import Sample, effective_size

__all__ = [
    "ANY_HAND",
    "Evidence",
    "HandLimits",
    "Knowledge",
    "Layouts",
    "Sample",
    "directed",
    "effective_size",
    "evidence_of",
    "knowledge_of",
    "rbmbmc",
    "soft",
]
