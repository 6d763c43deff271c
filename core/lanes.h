// The solver's own card layout: four lanes of 16 bits, one a suit, ace in the lowest bit of its lane.
//
//   lane 3 (trumps, if any)   lane 2             lane 1             lane 0
//   ...23456789TJQKA          ...23456789TJQKA   ...23456789TJQKA   ...23456789TJQKA
//
// Aces low makes the questions of the search one instruction each: the best card of a set is its lowest bit,
// "a beats b" in a suit is a < b, and the cards above b are b - 1. The three spare bits of a lane stop carries.
// Suits are renumbered so that trumps are always lane 3; the others are interchangeable.
#pragma once

#include <immintrin.h>

#include <bit>
#include <cstdint>

#include "cards.h"

namespace borel {

using Lanes = std::uint64_t;

inline constexpr Lanes LANE = 0x1FFF;
inline constexpr Lanes ALL_LANES = 0x1FFF'1FFF'1FFF'1FFF;
inline constexpr Lanes LANE_TOPS = 0x0001'0001'0001'0001;
inline constexpr Lanes LANE_GUARDS = 0x8000'8000'8000'8000;
inline constexpr int TRUMP_LANE = 3;

constexpr Lanes lane(int suit) { return LANE << (16 * suit); }
constexpr int lane_of(Lanes card) { return std::countr_zero(card) >> 4; }
constexpr Lanes best_of(Lanes cards) { return cards & -cards; }
constexpr Lanes worst_of(Lanes cards) { return cards == 0 ? 0 : Lanes{1} << (63 - std::countl_zero(cards)); }

// The best card of each suit. The guard bit keeps the subtraction from borrowing across an empty lane.
constexpr Lanes best_of_each(Lanes cards) {
  const Lanes guarded = cards | LANE_GUARDS;
  return cards & ~(guarded - LANE_TOPS);
}
// In each suit, all ranks above the best card of `cards`; the whole lane if there is none.
constexpr Lanes above_best(Lanes cards) {
  const Lanes guarded = cards | LANE_GUARDS;
  return (guarded & ~(guarded - LANE_TOPS)) - LANE_TOPS;
}

// The best card of every run of cards of `hand` with no card of `alive` between them: such cards are equals,
// and one of them stands for all. Adding `hand << 1` to the gaps carries each card to the next card alive below it.
constexpr Lanes tops_of_equals(Lanes hand, Lanes alive) {
  const Lanes gaps = ALL_LANES & ~alive;
  const Lanes next_below = ((hand << 1) + gaps) & alive;
  return hand & ~next_below;
}

// All bits up to the highest of `cards`, which lie in one suit: the ranks from the ace down to the lowest card.
constexpr Lanes ranks_down_to(Lanes cards) { return cards == 0 ? 0 : ~Lanes{0} >> std::countl_zero(cards); }

// In every suit, all ranks from the ace down to the lowest card of `cards`.
constexpr Lanes down_to_lowest(Lanes cards) {
  cards |= (cards >> 1) & 0x7FFF'7FFF'7FFF'7FFF;
  cards |= (cards >> 2) & 0x3FFF'3FFF'3FFF'3FFF;
  cards |= (cards >> 4) & 0x0FFF'0FFF'0FFF'0FFF;
  cards |= (cards >> 8) & 0x00FF'00FF'00FF'00FF;
  return cards;
}

#ifdef __BMI2__
inline std::uint64_t compress(std::uint64_t bits, std::uint64_t mask) { return _pext_u64(bits, mask); }
inline std::uint64_t expand(std::uint64_t bits, std::uint64_t mask) { return _pdep_u64(bits, mask); }
#else
// The bits of `bits` under `mask`, moved together to the low end.
inline std::uint64_t compress(std::uint64_t bits, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (int i = 0; mask != 0; ++i, mask &= mask - 1)
    if (bits & mask & -mask) out |= std::uint64_t{1} << i;
  return out;
}
// The inverse: low bits of `bits` spread over the set bits of `mask`.
inline std::uint64_t expand(std::uint64_t bits, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (; mask != 0; bits >>= 1, mask &= mask - 1)
    if (bits & 1) out |= mask & -mask;
  return out;
}
#endif

// How the suits of the encoding map to lanes for a strain: trumps go to lane 3, the rest keep their order.
struct LaneOrder {
  explicit constexpr LaneOrder(int strain) {
    int next = 0;
    for (int suit = 0; suit < SUITS; ++suit) lane_of_suit[suit] = suit == strain ? TRUMP_LANE : next++;
    for (int suit = 0; suit < SUITS; ++suit) suit_of_lane[lane_of_suit[suit]] = suit;
  }
  constexpr Lanes bit(int card) const {
    return Lanes{1} << (16 * lane_of_suit[suit_of(card)] + (RANKS - 1 - rank_of(card)));
  }
  constexpr int card(Lanes bit) const {
    const int index = std::countr_zero(bit);
    return card_of(suit_of_lane[index >> 4], RANKS - 1 - (index & 15));
  }
  constexpr Lanes lanes(HandMask hand) const {
    Lanes out = 0;
    for (; hand != 0; hand &= hand - 1) out |= bit(std::countr_zero(hand));
    return out;
  }
  int lane_of_suit[SUITS]{};
  int suit_of_lane[SUITS]{};
};

}  // namespace borel
