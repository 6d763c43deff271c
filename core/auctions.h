// Many auctions at once: which calls are legal, what a seat sees, which contract was reached.
// Calls are numbered P X XX 1C..7NT = 0..37; an auction is a row of calls, the dealer's first.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "cards.h"

namespace borel {

inline constexpr int CALLS = 38;
inline constexpr int PASS = 0;
inline constexpr int DOUBLE = 1;
inline constexpr int REDOUBLE = 2;
inline constexpr int FIRST_BID = 3;
inline constexpr int BIDS = CALLS - FIRST_BID;

// What the Laws need of the calls so far. Turns are counted from the dealer, 0..3.
struct AuctionState {
  int turn = 0;
  int passes = 0;  // in a row, at the end
  int last_bid = -1;
  int last_bidder = -1;
  int doubled = 0;  // 0, 1 or 2
  int length = 0;
  std::array<std::array<std::int8_t, STRAINS>, 2> first{{{-1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1}}};  // by side

  bool is_over() const { return passes >= (last_bid < 0 ? 4 : 3); }
  bool is_legal(int call) const;
  void make(int call);
};

struct Contract {
  int bid = -1;  // -1: passed out
  int declarer = -1;  // turns after the dealer
  int doubled = 0;
};

// The contract of a finished auction (Law 54).
Contract contract_of(const AuctionState& state);

// The state after a row of calls; length -1 if one of them is illegal or comes after the end.
AuctionState state_after(std::span<const std::uint8_t> calls);

// A seat's observation of the auction: OpenSpiel's layout without its four phase bits.
//   0..3     ours not vulnerable, ours vulnerable, theirs not vulnerable, theirs vulnerable
//   4..7     passed before the opening bid: the seat itself, left, partner, right
//   8..427   for each bid: the four who bid it, the four who doubled it, the four who redoubled it
//   428..479 the seat's cards, in OpenSpiel's order (4 * rank + suit)
inline constexpr int OBSERVATION = 480;
void observe(HandMask hand, std::span<const std::uint8_t> calls, bool ours_vulnerable, bool theirs_vulnerable,
             float* out);

}  // namespace borel
