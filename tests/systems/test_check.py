"""The system check finds planted faults, each of its kind and with its place, and nothing in a sound system."""

from __future__ import annotations

import pytest

from borel.errors import BridgeError
from borel.systems.check import Finding, check_system
from borel.systems.loader import read_system

SOUND = """
open
  1NT   15-17 hcp, balanced            "15-17 balanced"
  1S    12+ hcp, 5+ S                  "spades"
  pass  otherwise
after 1NT
  2C    8+ hcp, 4 any H S              "Stayman"          asks, convention stayman
  3NT   10+ hcp                        "game"             sign-off
  pass  otherwise
after 1NT 2C using stayman
  2H    4+ H                           "four hearts"
  2S    4+ S                           "four spades"
  2D    otherwise                      "no major"
after 1NT 2C 2D/2H/2S using stayman
  4H    4+ H, partner.last(H)          "a fit"            sign-off
  4S    4+ S, partner.last(S)          "a fit"            sign-off
  3NT   otherwise                      "no fit"           sign-off
after 1NT 3NT or 1NT 2C 2D 3NT or 1NT 2C 2H 3NT or 1NT 2C 2S 3NT or 1NT 2C 2H 4H or 1NT 2C 2S 4S
  pass  otherwise
after 1S
  2S    3+ S                           "raise"
  3NT   13+ hcp, <3 S                  "game"             sign-off
  pass  otherwise
after 1S 2S
  pass  otherwise
"""


def findings(text: str, kind: str = "") -> list[Finding]:
    every = check_system(read_system(text, "my.bid"), hands=1200)
    return [finding for finding in every if finding.kind == kind or (not kind and finding.kind != "overlap")]


def test_a_sound_system_has_no_faults():
    assert findings(SOUND) == []


def changed(old: str, new: str) -> str:
    assert old in SOUND
    return SOUND.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "kind", "line", "words"),
    [
        # a rule whose hands another takes
        (
            '  1S    12+ hcp, 5+ S                  "spades"\n',
            '  1S    12+ hcp, 5+ S                  "spades"\n  1S    13+ hcp, 6+ S, 9+ S "never"      priority low\n'
            '  1H    14+ hcp, 6+ S "dead"           priority 490\n',
            "unreachable",
            6,
            "other rules take all its hands",
        ),
        # a rule that contradicts what the seat has shown
        (
            '  2S    4+ S                           "four spades"\n',
            '  2S    4+ S                           "four spades"\n  2NT   20+ hcp "strong"\n',
            "unreachable",
            13,
            "no hand that has bid so can satisfy it",
        ),
        # a rule under an auction that our own calls never reach
        (
            "after 1S\n",
            'after 1NT 3H\n  4H    3+ H  "support"\n  pass otherwise\nafter 1S\n',
            "unreachable",
            21,
            "its auction does not arise",
        ),
        # hands without an agreed call
        ('  2D    otherwise                      "no major"\n', "", "gap", 10, "have no agreed call"),
        # strong hands that pass an opening bid
        (
            '  3NT   13+ hcp, <3 S                  "game"             sign-off\n',
            "",
            "pass",
            22,
            "hands pass with the strength for game, such as",
        ),
        # a question that nobody answers
        (
            '  2S    3+ S                           "raise"\n',
            '  2S    3+ S                           "raise"\n  4NT   18+ hcp "keycards?"  asks\n',
            "unanswered",
            22,
            "4NT after 1S P asks, but no rule answers it",
        ),
        # a convention that rules follow up, but no call belongs to
        ("asks, convention stayman\n", "asks\n", "convention", 11, "uses stayman, but no call belongs to"),
        # a convention that is switched on and does not exist
        ("\nopen\n", '\nconvention drury on "Drury"\nopen\n', "convention", 0, "drury is switched on, but no call"),
    ],
    ids=["dead", "contradiction", "no-auction", "gap", "strong-pass", "unanswered", "no-call", "switched-on"],
)
def test_a_planted_fault_is_found_with_its_kind_and_place(old, new, kind, line, words):
    found = findings(changed(old, new), kind)
    assert any(words in each.text for each in found), found
    if line:
        places = [each.place for each in found if words in each.text]
        assert any(place.startswith(f"my.bid:{line}:") for place in places), places


@pytest.mark.parametrize(
    "more",
    [
        # they have the contract and we need not bid: a header adds a call, the principles of competition have the rest
        'after 1S (2C) P (P)\n  X     15+ hcp, <3 C                  "takeout"\n',
        # the header asks for a convention that was not used: it does not speak there
        'after 1S\n  2NT   11-12 hcp, <3 S    "natural"\nafter 1S 2NT using stayman\n  3C    4+ C   "clubs"\n',
        # no hand of partner's has bid so: what it "promised" is nothing
        "after 1NT 2C 2NT\n  pass  otherwise\n"
        'after 1NT 2C using stayman\n  2NT   20+ hcp  "no hand has this"  priority 460\n',
    ],
    ids=["contested", "not-in-force", "nobody"],
)
def test_what_is_no_fault_is_not_called_one(more):
    kinds = {finding.kind for finding in findings(SOUND + more)}
    assert not kinds & {"gap", "pass"}, findings(SOUND + more)


def test_hands_without_a_call_are_a_gap_when_the_contract_is_ours_though_they_have_bid():
    more = 'after 1S (2C)\n  2S    3+ S                           "raise"\n  pass  otherwise\n'
    more += 'after 1S (2C) 2S (P)\n  4S    16+ hcp                        "game"      sign-off\n'
    assert any("after 1S 2C 2S P" in each.text for each in findings(SOUND + more, "gap"))


def test_hands_that_two_rules_want_are_an_overlap_and_the_first_wins():
    text = changed(
        '  3NT   10+ hcp                        "game"', '  2NT   9-12 hcp "invites"\n  3NT   10+ hcp "game"'
    )
    found = findings(text, "overlap")
    assert any("2NT and 3NT both fit" in each.text and "the first wins" in each.text for each in found)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("15-17 hcp", "15-17 hpc", "my.bid:3:15: no feature or fact is called 'hpc' (did you mean hcp?)"),
        ("asks, convention", "aks, convention", "my.bid:7:59: 'aks' is not understood here (did you mean asks?)"),
        ("after 1NT\n", "afer 1NT\n", "my.bid:6:1: 'afer' is not understood here (did you mean after?)"),
        ("4+ H   ", "4+ quality", "my.bid:11:12: quality needs a suit (did you mean quality(M)?)"),
    ],
)  # fmt: skip
def test_an_error_gives_file_line_column_and_a_suggestion(old, new, message):
    with pytest.raises(BridgeError) as caught:
        read_system(changed(old, new), "my.bid")
    assert str(caught.value).startswith(message), str(caught.value)
    assert "\n" not in str(caught.value)
