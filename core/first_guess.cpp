#include "first_guess.h"

#include <algorithm>
#include <cmath>

namespace borel {

template <bool Trumps>
int first_guess(const Position& position, int leader, int tricks) {
  const Lanes ns = position.hands[0] | position.hands[2];
  constexpr int HIGH_CARDS[] = {6, 4, 2, 1};  // best, second, third and fourth card of a suit
  int high_cards = 0;                         // NS minus EW
  for (int suit = 0; suit < SUITS; ++suit) {
    Lanes all = position.held & lane(suit);
    for (const int points : HIGH_CARDS) {
      const Lanes card = best_of(all);
      if (card == 0) break;
      high_cards += ns & card ? points : -points;
      all ^= card;
    }
  }
  const int lead = is_ns(leader) ? 1 : -1;
  double more = Trumps ? 0.13 * high_cards + 0.2 * lead : 0.18 * high_cards + 0.5 * lead;
  if constexpr (Trumps) {
    for (int seat = 0; seat < SEATS; ++seat) {
      const int trumps = position.length(seat, TRUMP_LANE);
      int short_suits = 0;
      for (int suit = 0; suit < TRUMP_LANE; ++suit) short_suits += std::max(0, 3 - position.length(seat, suit));
      const double strength = 0.42 * trumps + 0.22 * std::min(short_suits, trumps);
      more += is_ns(seat) ? strength : -strength;
    }
  }
  // A guess too high for the side on lead costs more than one too low: it has to be refuted at every one of its leads.
  const double caution = -0.5 * lead;
  const double scale = tricks < RANKS ? 0.5 + tricks / 26.0 : 1;  // in an ending fewer tricks follow from a high card
  return std::clamp(static_cast<int>(std::lround(tricks / 2.0 + more * scale + caution)), 0, tricks);
}

template int first_guess<true>(const Position&, int, int);
template int first_guess<false>(const Position&, int, int);

}  // namespace borel
