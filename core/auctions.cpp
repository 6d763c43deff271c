#include "auctions.h"

#include <algorithm>

namespace borel {

bool AuctionState::is_legal(int call) const {
  if (is_over() || call < 0 || call >= CALLS) return false;
  if (call == PASS) return true;
  const bool opponents_bid = last_bid >= 0 && ((turn - last_bidder) & 1) != 0;
  if (call == DOUBLE) return last_bid >= 0 && doubled == 0 && opponents_bid;  // Law 19A
  if (call == REDOUBLE) return doubled == 1 && !opponents_bid;                // Law 19B
  return call - FIRST_BID > last_bid;                                         // Law 18
}

void AuctionState::make(int call) {
  if (call == PASS) {
    ++passes;
  } else {
    passes = 0;
    if (call == DOUBLE || call == REDOUBLE) {
      doubled = call;
    } else {
      last_bid = call - FIRST_BID;
      last_bidder = turn;
      doubled = 0;
      std::int8_t& named = first[turn & 1][last_bid % STRAINS];
      if (named < 0) named = static_cast<std::int8_t>(turn);
    }
  }
  turn = next_seat(turn);
  ++length;
}

Contract contract_of(const AuctionState& state) {
  if (state.last_bid < 0) return {};
  return {state.last_bid, state.first[state.last_bidder & 1][state.last_bid % STRAINS], state.doubled};
}

AuctionState state_after(std::span<const std::uint8_t> calls) {
  AuctionState state;
  for (const int call : calls) {
    if (!state.is_legal(call)) {
      state.length = -1;
      return state;
    }
    state.make(call);
  }
  return state;
}

void observe(HandMask hand, std::span<const std::uint8_t> calls, bool ours_vulnerable, bool theirs_vulnerable,
             float* out) {
  std::fill_n(out, OBSERVATION, 0.0F);
  out[ours_vulnerable ? 1 : 0] = 1;
  out[theirs_vulnerable ? 3 : 2] = 1;
  constexpr int passed = 4;
  constexpr int bids = passed + SEATS;
  constexpr int cards = bids + 3 * SEATS * BIDS;
  const int me = static_cast<int>(calls.size());
  int last_bid = -1;
  for (int at = 0; at < me; ++at) {
    const int caller = (at - me) & 3;  // 0 the seat itself, 1 left, 2 partner, 3 right
    const int call = calls[static_cast<std::size_t>(at)];
    if (call >= FIRST_BID) last_bid = call - FIRST_BID;
    if (call == PASS) {
      if (last_bid < 0) out[passed + caller] = 1;
    } else {
      const int kind = call >= FIRST_BID ? 0 : call;
      out[bids + 3 * SEATS * last_bid + SEATS * kind + caller] = 1;
    }
  }
  for (HandMask left = hand; left != 0; left &= left - 1) {
    const int card = std::countr_zero(left);
    out[cards + SUITS * rank_of(card) + suit_of(card)] = 1;
  }
}

}  // namespace borel
