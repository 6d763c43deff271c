"""Reports: what a match, a challenge or a review showed, as text, JSON, PBN with comments, or one HTML page."""

from borel.arena.report.document import Bars, Curve, Document, Histogram, Table, Text
from borel.arena.report.documents import (
    challenge_document,
    compatibility_document,
    history_document,
    match_document,
    review_document,
    round_robin_document,
)
from borel.arena.report.files import FORMATS, check_target, write_report
from borel.arena.report.html import html_text
from borel.arena.report.records import match_records, review_records

__all__ = [
    "FORMATS", "Bars", "Curve", "Document", "Histogram", "Table", "Text", "challenge_document", "check_target",
    "compatibility_document", "history_document", "html_text", "match_document", "match_records", "review_document",
    "review_records", "round_robin_document", "write_report",
]  # fmt: skip
