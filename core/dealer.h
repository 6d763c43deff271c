// Dealing at random: unbiased, seeded, in batches.
#pragma once

#include <array>
#include <cstdint>

#include "random.h"

namespace borel {

using Hands = std::array<std::uint64_t, 4>;  // 52-bit sets of cards (13 * suit + rank), N E S W

// Whether no card is in two hands and no hand has more than thirteen.
bool is_partial_deal(const Hands& hands);

// Completes a partial deal: the cards in no hand of `predealt` are dealt at random until every hand has thirteen.
Hands deal_rest(const Hands& predealt, Random& random);

}  // namespace borel
