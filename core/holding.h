// What one suit of a hand is worth, by every measure that looks at one suit at a time.
//
// A holding is a 13-bit set of ranks (2 = bit 0 .. ace = bit 12). There are 8192 of them, so every measure is a table,
// made once; all measures of a holding share one half cache line.
#pragma once

#include <array>
#include <cstdint>

namespace borel {

inline constexpr int HOLDINGS = 1 << 13;

// Units are in the names: `_x2` counts halves, `_x4` quarters, `_x100` hundredths.
struct Holding {
  std::int16_t kaplan_rubens_x100;  // Kaplan and Rubens, The Bridge World, October 1982: one suit's share
  std::int16_t kr_quality_x100;     // the quality term of the same count
  std::uint8_t length;
  std::uint8_t hcp;              // 4-3-2-1
  std::uint8_t losers;           // losing trick count: A, K, Q missing among the first three cards
  std::uint8_t new_losers_x2;    // new losing trick count: ace 1.5, king 1, queen 0.5
  std::uint8_t quick_tricks_x2;  // AK 2, AQ 1.5, A 1, KQ 1, Kx 0.5
  std::uint8_t half_losers;      // expected losers of the first three rounds, in halves
  std::uint8_t trump_half_losers;  // the same where this is our own trump suit: long suits bring the queen down
  std::uint8_t stop_nt;            // 0 none, 1 half, 2 one, 3 one and a half, 4 two
  std::uint8_t stop_trump;         // the same by honours alone in a trump contract
  std::uint8_t fast_nt;            // tricks the opponents can cash at notrump, at most 5
  std::uint8_t fast_trump;         // and with another suit trumps, at most 3
  std::uint8_t quality;            // 0 bad .. 9 excellent
  std::uint8_t suit_quality;       // length + honours, J and T only with a higher one (Klinger)
  std::uint8_t biddable;           // how often the suit can be bid, 0..8
  std::uint8_t bergen_x4;          // 4.5-3-1.5-0.75-0.25
};

extern const std::array<Holding, HOLDINGS> HOLDING;

}  // namespace borel
