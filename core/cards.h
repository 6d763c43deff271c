// The one encoding of the project, as C++: seats N E S W = 0..3; suits C D H S = 0..3; strains C D H S NT = 0..4;
// ranks 2..A = 0..12; card = 13 * suit + rank; a hand is a 52-bit mask in which bit `card` is set.
#pragma once

#include <bit>
#include <cstdint>

namespace borel {

inline constexpr int SEATS = 4;
inline constexpr int SUITS = 4;
inline constexpr int STRAINS = 5;
inline constexpr int RANKS = 13;
inline constexpr int CARDS = SUITS * RANKS;
inline constexpr int NOTRUMP = 4;

using HandMask = std::uint64_t;

inline constexpr HandMask FULL_DECK = (HandMask{1} << CARDS) - 1;

constexpr int card_of(int suit, int rank) { return RANKS * suit + rank; }
constexpr int suit_of(int card) { return card / RANKS; }
constexpr int rank_of(int card) { return card % RANKS; }
constexpr HandMask bit_of(int card) { return HandMask{1} << card; }
constexpr HandMask suit_mask(int suit) { return HandMask{0x1FFF} << (RANKS * suit); }
constexpr int count(HandMask cards) { return std::popcount(cards); }

constexpr int next_seat(int seat) { return (seat + 1) & 3; }
constexpr int partner_of(int seat) { return (seat + 2) & 3; }
constexpr bool is_ns(int seat) { return (seat & 1) == 0; }

}  // namespace borel
