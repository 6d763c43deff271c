#include "dealer.h"

#include <bit>

namespace borel {

bool is_partial_deal(const Hands& hands) {
  std::uint64_t seen = 0;
  for (const std::uint64_t hand : hands) {
    if (hand >> 52 || hand & seen || std::popcount(hand) > 13) return false;
    seen |= hand;
  }
  return true;
}

Hands deal_rest(const Hands& predealt, Random& random) {
  constexpr std::uint64_t DECK = (1ULL << 52) - 1;
  std::uint8_t rest[52];
  std::uint64_t left = DECK & ~(predealt[0] | predealt[1] | predealt[2] | predealt[3]);
  int count = 0;
  for (std::uint64_t cards = left; cards; cards &= cards - 1)
    rest[count++] = static_cast<std::uint8_t>(std::countr_zero(cards));
  Hands hands = predealt;
  for (auto& hand : hands) {
    const int missing = 13 - std::popcount(hand);
    if (missing == count) {  // the last hand to be filled takes what is left
      hand |= left;
      break;
    }
    // A partial Fisher-Yates shuffle: each card is drawn from those that are left.
    for (int drawn = 0; drawn < missing; ++drawn) {
      const auto pick = random.below(static_cast<std::uint32_t>(count));
      const std::uint64_t card = 1ULL << rest[pick];
      hand |= card;
      left &= ~card;
      rest[pick] = rest[--count];
    }
  }
  return hands;
}

}  // namespace borel
