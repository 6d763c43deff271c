"""The bidder that is asked for advice: it plays by the same rules and tells what every candidate is worth."""

from __future__ import annotations

from collections.abc import Sequence

from borel.auction import Call
from borel.bidding.borel import BorelBidder
from borel.bidding.comparison import Comparison
from borel.bidding.projection import Ends
from borel.bidding.search import Thought
from borel.decision import Candidate, Decision

__all__ = ["Adviser"]


class Adviser(BorelBidder):
    """Compares also where the search bidder makes the rules' call without comparing, and then stays with that call."""

    searches_language = True

    def chosen(
        self,
        thought: Thought,
        comparison: Comparison,
        ends: list[list[Ends]],
        dropped: Sequence[Candidate[Call]] = (),
    ) -> Decision[Call]:
        """The figures of all candidates; openings and answers to questions are language, whatever the figures say."""
        rules, language = thought.calls[0], self._is_language(thought.view, thought.judge)
        decision = super().chosen(thought, comparison, ends, dropped)
        if not language or decision.choice == rules:
            return decision
        candidates = sorted(decision.candidates, key=lambda candidate: candidate.choice != rules)
        return self.told(thought, rules, f"the rules' call: {language} are language", tuple(candidates))
