"""The words about each feature class: meaning, range, an example, and its name in BIDI's appendix A.

Where the paper names a measure without defining it ("expected number of losers"), the definition is ours and is given
here in one line and in core/holding.cpp or core/hand_features.cpp in full.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CATALOGUE", "Entry"]

NOTRUMP = "AQ5.KJ92.87.AT43"  # 14 points, 3=4=2=4
MAJOR = "KQJ95.A8.T974.K3"  # 13 points, five spades
PREEMPT = "4.KQJT985.83.J72"  # seven good hearts
TWO_SUITER = "AKJ84.7.AQT63.95"  # spades and diamonds


@dataclass(frozen=True, slots=True)
class Entry:
    """What there is to say about a class of features."""

    doc: str
    range: tuple[float, float]
    """Least and greatest value in the units people use; of the whole hand where the class has both."""
    example: tuple[str, str, float]
    """A feature of the class, a hand, and its value."""
    bidi: str = ""
    suit_range: tuple[float, float] | None = None
    """The range for a single suit, where that differs."""


CATALOGUE: dict[str, Entry] = {
    # High cards
    "hcp": Entry("High-card points: ace 4, king 3, queen 2, jack 1.",
                 (0, 37), ("hcp", NOTRUMP, 14), "HCP", (0, 10)),
    "controls": Entry("Controls: ace 2, king 1.", (0, 12), ("controls", NOTRUMP, 5), "CONTROLS", (0, 3)),
    "aces": Entry("The number of aces.", (0, 4), ("aces", NOTRUMP, 2), "ACE", (0, 1)),
    "kings": Entry("The number of kings.", (0, 4), ("kings(H)", NOTRUMP, 1), "KING", (0, 1)),
    "queens": Entry("The number of queens.", (0, 4), ("queens", NOTRUMP, 1), "QUEEN", (0, 1)),
    "jacks": Entry("The number of jacks.", (0, 4), ("jacks", NOTRUMP, 1), "JACK", (0, 1)),
    "tens": Entry("The number of tens.", (0, 4), ("tens(C)", NOTRUMP, 1), "TEN", (0, 1)),
    "top2": Entry("The number of aces and kings.", (0, 8), ("top2", NOTRUMP, 3), "", (0, 2)),
    "top3": Entry("The number of aces, kings and queens.", (0, 12), ("top3", NOTRUMP, 4), "HC", (0, 3)),
    "top4": Entry("The number of aces, kings, queens and jacks.", (0, 13), ("top4", NOTRUMP, 5), "", (0, 4)),
    "honours": Entry("The number of cards above the nine.", (0, 13), ("honours(S)", MAJOR, 3), "HONOR", (0, 5)),
    "c13": Entry("Points on the scale ace 6, king 4, queen 2, jack 1.", (0, 49), ("c13", NOTRUMP, 19), "", (0, 13)),
    "keycards": Entry("Key cards for a trump suit: the four aces and its king.",
                      (0, 5), ("keycards(H)", NOTRUMP, 3), "RKCB"),
    "intermediates": Entry("Intermediate cards: ten 2, nine 1, eight a half.",
                           (0, 14), ("intermediates", NOTRUMP, 3.5), "INTER", (0, 3.5)),
    "quick_tricks": Entry("Quick tricks: AK 2, AQ 1½, A 1, KQ 1, guarded king ½.",
                          (0, 8), ("quick_tricks", NOTRUMP, 3), "", (0, 2)),
    # Distribution
    "length": Entry("The number of cards of the suit.", (0, 13), ("length(S)", MAJOR, 5), "SUITLEN", (0, 13)),
    "two_suits": Entry("The number of cards of two suits together.",
                       (0, 13), ("two_suits(S,D)", TWO_SUITER, 10), "SUITLEN2", (0, 13)),
    "difference": Entry("How many more cards of the first suit than of the second.",
                        (-13, 13), ("difference(S,H)", MAJOR, 3), "DIF", (-13, 13)),
    "suits": Entry("The number of suits of four or more cards.", (0, 3), ("suits", MAJOR, 2), "SUITS"),
    "longer_major": Entry("The length of the longer major.", (0, 13), ("longer_major", PREEMPT, 7), "LMAJ"),
    "longer_minor": Entry("The length of the longer minor.", (0, 13), ("longer_minor", PREEMPT, 3), "LMIN"),
    "longest": Entry("1 where no suit is longer.", (0, 1), ("longest(C)", NOTRUMP, 1), "LONGEST"),
    "not_shortest": Entry("1 where some suit is shorter.", (0, 1), ("not_shortest(D)", NOTRUMP, 0), "LONG"),
    "longest_length": Entry("The length of the longest suit.", (0, 13), ("longest_length", PREEMPT, 7)),
    "second_length": Entry("The length of the second longest suit.", (0, 6), ("second_length", TWO_SUITER, 5)),
    "shortest_length": Entry("The length of the shortest suit.", (0, 3), ("shortest_length", TWO_SUITER, 1)),
    "voids": Entry("The number of suits without a card.", (0, 4), ("voids", TWO_SUITER, 0)),
    "singletons": Entry("The number of suits of one card.", (0, 4), ("singletons", TWO_SUITER, 1)),
    "doubletons": Entry("The number of suits of two cards.", (0, 4), ("doubletons", MAJOR, 2)),
    "balance": Entry("0 4333, 1 4432, 2 5332, 3 5422 or 6322, 4 others, 5 ten cards in two suits or a void, "
                     "6 eight cards in one or eleven in two.", (0, 6), ("balance", TWO_SUITER, 5), "BAL"),
    "balanced": Entry("1 for 4333, 4432 and 5332.", (0, 1), ("balanced", NOTRUMP, 1)),
    "semi_balanced": Entry("1 for balanced hands, 5422 and 6322.", (0, 1), ("semi_balanced", MAJOR, 1)),
    "one_suiter": Entry("1 with six or more of a suit and no other of four.", (0, 1), ("one_suiter", PREEMPT, 1)),
    "two_suiter": Entry("1 with five or more of one suit, four or more of just one other.",
                        (0, 1), ("two_suiter", TWO_SUITER, 1)),
    "three_suiter": Entry("1 with four or more of three suits.", (0, 1), ("three_suiter", TWO_SUITER, 0)),
    # Points for strength and distribution
    "short_points": Entry("Short suits other than trumps: doubleton 1, singleton 2, void 3.",
                          (0, 9), ("short_points(S)", TWO_SUITER, 3), "DP", (0, 3)),
    "length_points": Entry("One point for each card beyond the fourth of a suit.",
                           (0, 9), ("length_points", PREEMPT, 3)),
    "total_points": Entry("High-card points and length points.", (0, 37), ("total_points", MAJOR, 14)),
    "points": Entry("High-card points and points for shortness outside trumps.",
                    (0, 37), ("points(S)", TWO_SUITER, 17), "POINTS", (0, 10)),
    "support_points": Entry("In support of a suit: shortness counts 5-3-1 with four trumps, 3-2-1 with three.",
                            (0, 37), ("support_points(H)", "K4.Q873.A9852.J3", 12)),
    # Suits
    "first_bid": Entry("1 for the suit to open playing five-card majors.",
                       (0, 1), ("first_bid(C)", NOTRUMP, 1), "FIRSTBID"),
    "up_the_line": Entry("1 where the first suit is the next of four cards above the second, going round.",
                         (0, 1), ("up_the_line(H,D)", NOTRUMP, 1), "UPLINE"),
    "biddable": Entry("How often a suit can be bid: length less 3, one more with two top honours, one less with none.",
                      (0, 8), ("biddable(H)", PREEMPT, 5), "BIDDBLE"),
    "quality": Entry("Quality of a suit: 2 for each of A K Q, 1 for J and T, 1 for six cards.",
                     (0, 9), ("quality(H)", PREEMPT, 7), "QLTY"),
    "suit_quality": Entry("Length and honours of a suit; jack and ten count with a higher honour (Klinger).",
                          (0, 18), ("suit_quality(H)", PREEMPT, 11)),
    "kr_quality": Entry("Kaplan and Rubens' suit quality, dealer's `quality`.",
                        (0, 13.65), ("kr_quality(S)", MAJOR, 3.25)),
    # Losers, winners, stoppers
    "kaplan_rubens": Entry("Kaplan and Rubens' hand evaluation of 1982 (CCCC).",
                           (-0.5, 36), ("kaplan_rubens", NOTRUMP, 14.65)),
    "losers": Entry("Losing trick count: A, K and Q missing from the first three cards.",
                    (0, 12), ("losers", NOTRUMP, 7), "", (0, 3)),
    "new_losers": Entry("New losing trick count: missing ace 1½, king 1, queen ½.",
                        (0, 12), ("new_losers", NOTRUMP, 7), "", (0, 3)),
    "trump_losers": Entry("Expected losers of a suit or the hand when the first suit is trumps.",
                          (0, 12), ("trump_losers(H)", PREEMPT, 7), "LOSERS", (0, 3)),
    "own_losers": Entry("Losers with a suit as trumps and no help from partner.",
                        (0, 13), ("own_losers(H)", PREEMPT, 7), "UNLOS", (0, 13)),
    "playing_tricks": Entry("Tricks the hand takes by itself.", (0, 13), ("playing_tricks", PREEMPT, 6), "", (0, 13)),
    "stop_nt": Entry("Stopper at notrump: 0 none, 1 half, 2 one, 3 one and a half, 4 two.",
                     (0, 4), ("stop_nt(S)", NOTRUMP, 3), "STOP-NT"),
    "stop_trump": Entry("Stopper in the second suit when the first is trumps; shortness stops with three trumps.",
                        (0, 4), ("stop_trump(S,H)", TWO_SUITER, 2), "STOP-TRUMP"),
    "stopper": Entry("0 no stopper, 1 half a stopper, 2 a full one.", (0, 2), ("stopper(D)", NOTRUMP, 0)),
    "cover": Entry("Cover cards for partner's losers when the first suit is trumps.",
                   (0, 13), ("cover(H)", NOTRUMP, 3.5), "COVER", (0, 3)),
    "fast_losers": Entry("Tricks the opponents can cash at once in a strain.",
                         (0, 13), ("fast_losers(NT)", NOTRUMP, 6), "FAST", (0, 5)),
    # The hand as a whole
    "nt_points": Entry("Points for notrump: 4½-3-1½-¾-¼, length of a fair suit, less a bare honour.",
                       (-4, 50), ("nt_points", NOTRUMP, 14.5), "NTLP"),
    "lindelof": Entry("Points for play in a suit: 4½-3-1½-¾-¼, length beyond four, shortness below three.",
                      (0, 50), ("lindelof", NOTRUMP, 15.5), "LP"),
    "ratio": Entry("The part of the high-card points that lies in the two longest suits.",
                   (0, 1), ("ratio", TWO_SUITER, 1), "RATIO"),
    "rule_of_15": Entry("High-card points and spades: open in fourth seat with 15.",
                        (0, 41), ("rule_of_15", NOTRUMP, 17)),
    "rule_of_20": Entry("High-card points and the two longest suits: open with 20.",
                        (7, 45), ("rule_of_20", MAJOR, 22)),
    "rule_of_22": Entry("Rule of 20 and quick tricks: open with 22.", (7, 55), ("rule_of_22", MAJOR, 24.5)),
    "zar": Entry("Zar points: high cards, controls, the two longest suits, longest less shortest.",
                 (8, 60), ("zar", NOTRUMP, 29)),
    "fit": Entry("Cards of a suit with so many in partner's hand: the tricks of the law of total tricks.",
                 (0, 26), ("fit(S,3)", MAJOR, 8), "", (0, 26)),
    "law_level": Entry("The level the law of total tricks allows, with so many cards in partner's hand.",
                       (0, 7), ("law_level(S,4)", MAJOR, 3), "", (0, 7)),
}  # fmt: skip
