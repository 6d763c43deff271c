#include "dealer.h"

#include <bit>

namespace borel {

Hands deal_rest(const Hands& predealt, Random& random) {
  constexpr std::uint64_t DECK = (1ULL << 52) - 1;
  std::uint8_t rest[52];
  int count = 0;
  for (std::uint64_t left = DECK & ~(predealt[0] | predealt[1] | predealt[2] | predealt[3]); left; left &= left - 1)
    rest[count++] = static_cast<std::uint8_t>(std::countr_zero(left));
  Hands hands = predealt;
  for (auto& hand : hands) {
    // A partial Fisher-Yates shuffle: each card is drawn from those that are left.
    for (int missing = 13 - std::popcount(hand); missing > 0; --missing) {
      const auto pick = random.below(static_cast<std::uint32_t>(count));
      hand |= 1ULL << rest[pick];
      rest[pick] = rest[--count];
    }
  }
  return hands;
}

}  // namespace borel
