#include "hand_features.h"

#include <bit>

#include "shape.h"

namespace borel {
namespace {

using Hand = const HandParts&;

constexpr std::uint64_t SUIT_CARDS = HOLDINGS - 1;
constexpr std::uint64_t EVERY_SUIT = 1 | 1ULL << 13 | 1ULL << 26 | 1ULL << 39;
constexpr std::array<std::uint64_t, 5> SCOPE = {SUIT_CARDS, SUIT_CARDS << 13, SUIT_CARDS << 26, SUIT_CARDS << 39,
                                                (1ULL << 52) - 1};

// The sum of a one-suit measure over a suit or the hand.
template <auto Measure>
int total(Hand hand, int suit) {
  if (suit != WHOLE_HAND) return hand.suits[suit]->*Measure;
  return hand.suits[0]->*Measure + hand.suits[1]->*Measure + hand.suits[2]->*Measure + hand.suits[3]->*Measure;
}

template <auto Measure>
int by_suit(Hand hand, int suit, int) {
  return total<Measure>(hand, suit);
}

// The sum of a function of a suit over a suit or the hand.
template <class Function>
int sum(int suit, Function value) {
  return suit != WHOLE_HAND ? value(suit) : value(0) + value(1) + value(2) + value(3);
}

// How many cards of these ranks are held in a suit or the hand.
template <unsigned Ranks>
int count(Hand hand, int suit, int) {
  return std::popcount(hand.mask & SCOPE[suit] & Ranks * EVERY_SUIT);
}

constexpr unsigned ACE = 1 << 12, KING = 1 << 11, QUEEN = 1 << 10, JACK = 1 << 9, TEN = 1 << 8, NINE = 1 << 7, EIGHT = 1 << 6;
constexpr unsigned TOP2 = ACE | KING, TOP3 = TOP2 | QUEEN, TOP4 = TOP3 | JACK, TOP5 = TOP4 | TEN;

// High cards

int hcp(Hand hand, int suit, int) { return total<&Holding::hcp>(hand, suit); }
int controls(Hand hand, int suit, int) { return count<ACE>(hand, suit, 0) + count<TOP2>(hand, suit, 0); }
int c13(Hand hand, int suit, int) {
  return 6 * count<ACE>(hand, suit, 0) + 4 * count<KING>(hand, suit, 0) + 2 * count<QUEEN>(hand, suit, 0) +
         count<JACK>(hand, suit, 0);
}
int keycards(Hand hand, int trump, int) { return count<ACE>(hand, WHOLE_HAND, 0) + count<KING>(hand, trump, 0); }
int intermediates(Hand hand, int suit, int) {
  return 4 * count<TEN>(hand, suit, 0) + 2 * count<NINE>(hand, suit, 0) + count<EIGHT>(hand, suit, 0);
}

// Distribution

int shortage(int length) { return std::max(0, 3 - length); }
int short_points(Hand hand, int trump, int suit) {
  return sum(suit, [&](int s) { return s == trump ? 0 : shortage(hand.length(s)); });
}
int length_points(Hand hand, int, int) {
  return sum(WHOLE_HAND, [&](int s) { return std::max(0, hand.length(s) - 4); });
}
int difference(Hand hand, int one, int other) { return hand.length(one) - hand.length(other); }
int two_suits(Hand hand, int one, int other) { return hand.length(one) + hand.length(other); }
int suits(Hand hand, int, int) {
  return sum(WHOLE_HAND, [&](int s) { return hand.length(s) > 3 ? 1 : 0; });
}
int longer_major(Hand hand, int, int) { return std::max(hand.length(2), hand.length(3)); }
int longer_minor(Hand hand, int, int) { return std::max(hand.length(0), hand.length(1)); }
int is_longest(Hand hand, int suit, int) { return hand.length(suit) == Shape(hand).n[0]; }
int is_not_shortest(Hand hand, int suit, int) { return hand.length(suit) > Shape(hand).n[3]; }

template <int Nth>
int sorted_length(Hand hand, int, int) {
  return Shape(hand).n[Nth];
}
template <int Length>
int suits_of_length(Hand hand, int, int) {
  return sum(WHOLE_HAND, [&](int s) { return hand.length(s) == Length ? 1 : 0; });
}
template <auto Class>
int is_shape(Hand hand, int, int) {
  return (Shape(hand).*Class)();
}
int balance(Hand hand, int, int) { return Shape(hand).wildness(); }

// The suit to open with five-card majors: the longest, the higher of two long ones; without a five-card suit a minor,
// diamonds with four each and clubs with three each.
int opening_suit(Hand hand) {
  int best = 0;
  for (int suit = 1; suit < 4; ++suit)
    if (hand.length(suit) >= 5 && hand.length(suit) >= hand.length(best)) best = suit;
  if (hand.length(best) >= 5) return best;
  return hand.length(1) > hand.length(0) || (hand.length(1) == hand.length(0) && hand.length(1) >= 4) ? 1 : 0;
}
int first_bid(Hand hand, int suit, int) { return opening_suit(hand) == suit; }

// Bidding up the line: the first suit of four cards above the one bid last (going round after spades).
int up_the_line(Hand hand, int suit, int last) {
  if (hand.length(suit) < 4) return 0;
  for (int next = (last + 1) % 4; next != suit; next = (next + 1) % 4)
    if (hand.length(next) >= 4) return 0;
  return 1;
}

// Suits and strength together

int kaplan_rubens(Hand hand, int, int) {
  const int points = total<&Holding::kaplan_rubens_x100>(hand, WHOLE_HAND);
  return points - (Shape(hand).n[3] >= 3 ? 50 : 100);
}
int trump_losers(Hand hand, int trump, int suit) {
  return sum(suit, [&](int s) {
    return s == trump ? hand.suits[s]->trump_half_losers : hand.suits[s]->half_losers;
  });
}
int stop_trump(Hand hand, int trump, int suit) {
  const int honours = hand.suits[suit]->stop_trump;
  if (suit == trump || hand.length(trump) < 3 || hand.length(suit) > 2) return honours;
  constexpr int RUFFING[] = {4, 2, 1};
  return std::max(honours, RUFFING[hand.length(suit)]);
}
int stopper(Hand hand, int suit, int) { return std::min<int>(2, hand.suits[suit]->stop_nt); }

// What does not lose: the first three rounds as in trump_losers, the fourth card half a trick, further ones a trick.
int playing_tricks(Hand hand, int suit, int) {
  return sum(suit, [&](int s) {
    const int length = hand.length(s);
    return 2 * length - hand.suits[s]->half_losers - (length == 4 ? 1 : 0);
  });
}
// Without help from partner: our trumps are drawn by our own length, every side card beyond the third loses a half.
int own_losers(Hand hand, int trump, int) {
  return sum(WHOLE_HAND, [&](int s) {
    return s == trump ? hand.suits[s]->trump_half_losers : hand.suits[s]->half_losers + std::max(0, hand.length(s) - 3);
  });
}

// Bergen's scale with Lindelöf's intent: notrump counts length in a fair suit, and takes off for bare honours.
int nt_points(Hand hand, int, int) {
  return sum(WHOLE_HAND, [&](int s) {
    const Holding& suit = *hand.suits[s];
    const int bare = suit.length == 1 && suit.hcp > 0 ? 4 : 0;
    const int length = suit.length >= 5 && suit.hcp >= 3 ? 4 * (suit.length - 4) : 0;
    return suit.bergen_x4 - bare + length;
  });
}
int lindelof(Hand hand, int, int) {
  return sum(WHOLE_HAND, [&](int s) {
    const Holding& suit = *hand.suits[s];
    return suit.bergen_x4 + 4 * std::max(0, suit.length - 4) + 4 * shortage(suit.length);
  });
}
// Per cent of the high cards that are in the two longest suits; of equally long suits, the stronger ones.
int ratio(Hand hand, int, int) {
  const int all = hcp(hand, WHOLE_HAND, 0);
  if (all == 0) return 0;
  std::array<int, 4> keys;
  for (int s = 0; s < 4; ++s) keys[s] = hand.length(s) * 16 + hand.suits[s]->hcp;
  std::sort(keys.begin(), keys.end());
  return 100 * (keys[3] % 16 + keys[2] % 16) / all;
}
int points(Hand hand, int trump, int suit) { return hcp(hand, suit, 0) + short_points(hand, trump, suit); }
int total_points(Hand hand, int, int) { return hcp(hand, WHOLE_HAND, 0) + length_points(hand, 0, 0); }

// Raising partner's suit: void 5, singleton 3, doubleton 1 with four trumps; 3, 2, 1 with three.
int support_points(Hand hand, int trump, int) {
  constexpr int LONG[] = {5, 3, 1}, SHORT[] = {3, 2, 1};
  const int trumps = hand.length(trump);
  int value = hcp(hand, WHOLE_HAND, 0);
  for (int s = 0; s < 4; ++s)
    if (s != trump && hand.length(s) <= 2 && trumps >= 3) value += (trumps >= 4 ? LONG : SHORT)[hand.length(s)];
  return value;
}

// Cards that cover partner's losers: aces, kings, the trump queen; other queens a half; or a ruff where we are short.
int cover(Hand hand, int trump, int suit) {
  return sum(suit, [&](int s) {
    const int honours = 2 * count<TOP2>(hand, s, 0) + (s == trump ? 2 : 1) * count<QUEEN>(hand, s, 0);
    if (s == trump || hand.length(trump) < 3) return honours;
    return std::max(honours, 2 * std::max(0, 2 - hand.length(s)));
  });
}
int fast_losers(Hand hand, int strain, int suit) {
  const int lost = sum(suit, [&](int s) {
    return strain == NOTRUMP ? hand.suits[s]->fast_nt : hand.suits[s]->fast_trump;
  });
  return std::min(lost, 13);
}

int rule_of_20(Hand hand, int, int) {
  const Shape shape(hand);
  return hcp(hand, WHOLE_HAND, 0) + shape.n[0] + shape.n[1];
}
int rule_of_22(Hand hand, int, int) {
  return 2 * rule_of_20(hand, 0, 0) + total<&Holding::quick_tricks_x2>(hand, WHOLE_HAND);
}
int rule_of_15(Hand hand, int, int) { return hcp(hand, WHOLE_HAND, 0) + hand.length(3); }
int zar(Hand hand, int, int) {
  const Shape shape(hand);
  return hcp(hand, WHOLE_HAND, 0) + controls(hand, WHOLE_HAND, 0) + 2 * shape.n[0] + shape.n[1] - shape.n[3];
}
int fit(Hand hand, int suit, int partner) { return hand.length(suit) + partner; }
int law_level(Hand hand, int suit, int partner) { return std::clamp(fit(hand, suit, partner) - 6, 0, 7); }

using enum Arguments;

constexpr FeatureClass CLASSES[] = {
    {"hcp", SUIT_OR_HAND, 1, hcp},
    {"controls", SUIT_OR_HAND, 1, controls},
    {"aces", SUIT_OR_HAND, 1, count<ACE>},
    {"kings", SUIT_OR_HAND, 1, count<KING>},
    {"queens", SUIT_OR_HAND, 1, count<QUEEN>},
    {"jacks", SUIT_OR_HAND, 1, count<JACK>},
    {"tens", SUIT_OR_HAND, 1, count<TEN>},
    {"top2", SUIT_OR_HAND, 1, count<TOP2>},
    {"top3", SUIT_OR_HAND, 1, count<TOP3>},
    {"top4", SUIT_OR_HAND, 1, count<TOP4>},
    {"honours", SUIT_OR_HAND, 1, count<TOP5>},
    {"c13", SUIT_OR_HAND, 1, c13},
    {"keycards", SUIT, 1, keycards},
    {"intermediates", SUIT_OR_HAND, 2, intermediates},
    {"quick_tricks", SUIT_OR_HAND, 2, by_suit<&Holding::quick_tricks_x2>},
    {"length", SUIT, 1, by_suit<&Holding::length>},
    {"two_suits", TWO_SUITS, 1, two_suits},
    {"difference", TWO_SUITS, 1, difference},
    {"suits", NONE, 1, suits},
    {"longer_major", NONE, 1, longer_major},
    {"longer_minor", NONE, 1, longer_minor},
    {"longest", SUIT, 1, is_longest},
    {"not_shortest", SUIT, 1, is_not_shortest},
    {"longest_length", NONE, 1, sorted_length<0>},
    {"second_length", NONE, 1, sorted_length<1>},
    {"shortest_length", NONE, 1, sorted_length<3>},
    {"voids", NONE, 1, suits_of_length<0>},
    {"singletons", NONE, 1, suits_of_length<1>},
    {"doubletons", NONE, 1, suits_of_length<2>},
    {"balance", NONE, 1, balance},
    {"balanced", NONE, 1, is_shape<&Shape::balanced>},
    {"semi_balanced", NONE, 1, is_shape<&Shape::semi_balanced>},
    {"one_suiter", NONE, 1, is_shape<&Shape::one_suiter>},
    {"two_suiter", NONE, 1, is_shape<&Shape::two_suiter>},
    {"three_suiter", NONE, 1, is_shape<&Shape::three_suiter>},
    {"short_points", TRUMP_SUIT_OR_HAND, 1, short_points},
    {"length_points", NONE, 1, length_points},
    {"total_points", NONE, 1, total_points},
    {"points", TRUMP_SUIT_OR_HAND, 1, points},
    {"support_points", SUIT, 1, support_points},
    {"first_bid", SUIT, 1, first_bid},
    {"up_the_line", TWO_SUITS, 1, up_the_line},
    {"biddable", SUIT, 1, by_suit<&Holding::biddable>},
    {"quality", SUIT, 1, by_suit<&Holding::quality>},
    {"suit_quality", SUIT, 1, by_suit<&Holding::suit_quality>},
    {"kr_quality", SUIT, 100, by_suit<&Holding::kr_quality_x100>},
    {"kaplan_rubens", NONE, 100, kaplan_rubens},
    {"losers", SUIT_OR_HAND, 1, by_suit<&Holding::losers>},
    {"new_losers", SUIT_OR_HAND, 2, by_suit<&Holding::new_losers_x2>},
    {"trump_losers", TRUMP_SUIT_OR_HAND, 2, trump_losers},
    {"own_losers", SUIT, 2, own_losers},
    {"playing_tricks", SUIT_OR_HAND, 2, playing_tricks},
    {"stop_nt", SUIT, 1, by_suit<&Holding::stop_nt>},
    {"stop_trump", TRUMP_SUIT, 1, stop_trump},
    {"stopper", SUIT, 1, stopper},
    {"cover", TRUMP_SUIT_OR_HAND, 2, cover},
    {"fast_losers", STRAIN_SUIT_OR_HAND, 1, fast_losers},
    {"nt_points", NONE, 4, nt_points},
    {"lindelof", NONE, 4, lindelof},
    {"ratio", NONE, 100, ratio},
    {"rule_of_15", NONE, 1, rule_of_15},
    {"rule_of_20", NONE, 1, rule_of_20},
    {"rule_of_22", NONE, 2, rule_of_22},
    {"zar", NONE, 1, zar},
    {"fit", SUIT_LENGTH, 1, fit},
    {"law_level", SUIT_LENGTH, 1, law_level},
};

bool within(int value, int last) { return 0 <= value && value <= last; }

}  // namespace

std::span<const FeatureClass> feature_classes() { return CLASSES; }

bool is_valid(const Feature& feature) {
  if (!within(feature.index, static_cast<int>(std::size(CLASSES)) - 1)) return false;
  const auto [one, two] = [&]() -> std::array<int, 2> {
    switch (CLASSES[feature.index].arguments) {
      case NONE: return {0, 0};
      case SUIT_OR_HAND: return {WHOLE_HAND, 0};
      case SUIT: return {3, 0};
      case TRUMP_SUIT: return {3, 3};
      case TRUMP_SUIT_OR_HAND: return {3, WHOLE_HAND};
      case STRAIN_SUIT_OR_HAND: return {NOTRUMP, WHOLE_HAND};
      case TWO_SUITS: return {3, 3};
      case SUIT_LENGTH: return {3, 13};
    }
    return {-1, -1};
  }();
  return within(feature.first, one) && within(feature.second, two);
}

void compute_features(std::span<const std::uint64_t> hands, std::span<const Feature> features, std::int16_t* out) {
  for (const std::uint64_t mask : hands) {
    const HandParts hand(mask);
    for (const Feature& feature : features)
      *out++ = static_cast<std::int16_t>(CLASSES[feature.index].value(hand, feature.first, feature.second));
  }
}

}  // namespace borel
