// Features of a hand: numbers that bidding rules, dealing conditions and networks speak of.
//
// A feature is a class ("hcp") with up to two arguments (a suit, a trump suit and a suit, a suit and a length). Every
// value is an integer; classes that count halves or hundredths say so by their scale. Meanings, ranges and examples are
// in src/borel/features/registry.py, under the same names.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "cards.h"
#include "holding.h"

namespace borel {

inline constexpr int WHOLE_HAND = 4;  // in place of a suit: all four

// A hand looked up suit by suit, once for all features.
struct HandParts {
  explicit HandParts(std::uint64_t cards) : mask(cards) {
    for (int suit = 0; suit < 4; ++suit) suits[suit] = &HOLDING[cards >> 13 * suit & (HOLDINGS - 1)];
  }
  int length(int suit) const { return suits[suit]->length; }
  std::uint64_t mask;
  std::array<const Holding*, 4> suits;
};

using FeatureFunction = int (*)(const HandParts& hand, int first, int second);

enum class Arguments {
  NONE,
  SUIT_OR_HAND,         // A of BIDI's appendix: a suit, or nothing for the hand
  SUIT,                 // S
  TRUMP_SUIT,           // TS
  TRUMP_SUIT_OR_HAND,   // TA
  STRAIN_SUIT_OR_HAND,  // T*A
  TWO_SUITS,            // 2S: different ones
  SUIT_LENGTH,          // a suit and how many cards of it partner has
};

struct FeatureClass {
  const char* name;
  Arguments arguments;
  int scale;  // the value is this many times the number people say: 2 where halves are counted
  FeatureFunction value;
};

// Every class; a feature's code is its index here and its two arguments.
std::span<const FeatureClass> feature_classes();

struct Feature {
  int index, first, second;
};

// Whether the index exists and its arguments are in range.
bool is_valid(const Feature& feature);

// The values of every feature for every hand, hand by hand.
void compute_features(std::span<const std::uint64_t> hands, std::span<const Feature> features, std::int16_t* out);

}  // namespace borel
