// Trump tricks that a side must take sooner or later, whoever leads and whatever is played.
#pragma once

#include "position.h"

namespace borel {

// A number of tricks and the ranks it rests on: it holds wherever the shape and the owners of the cards down to
// the lowest of `ranks` in each suit are the same.
struct Claim {
  int tricks = 0;
  Lanes ranks = 0;
};

// Take the best k trumps: n of them held by the side of `seat`, m by the others, and let l be the length of the longer
// trump holding of the side. Then it takes at least min(n, l) - m tricks. For it can play so that this number falls only
// when it wins a trick: whenever it must play a trump, it puts in one of the n (from either hand, the other plays small
// if it can) unless one of the m is on the table already. Whatever beats a card of the n is one of the m; and if both
// hands hold nothing but cards of the n, there are more than l of these, so that two falling together cost only one.
// The best such bound, by few ranks; stops counting at `enough`.
inline Claim trump_tricks(const Position& position, int seat, int enough) {
  const Lanes one = position.hands[seat] & lane(TRUMP_LANE);
  const Lanes other = position.hands[partner_of(seat)] & lane(TRUMP_LANE);
  const Lanes ours = one | other;
  Lanes rest = position.held & lane(TRUMP_LANE);
  const int longest = std::popcount(one) > std::popcount(other) ? std::popcount(one) : std::popcount(other);
  const int by_length = longest - std::popcount(rest ^ ours);  // k = all: rests on no rank
  Claim best{by_length > 0 ? by_length : 0, 0};
  for (int n = 0, m = 0; best.tricks < enough && m + best.tricks < longest && rest != 0; rest &= rest - 1) {
    const Lanes card = best_of(rest);
    ++(ours & card ? n : m);
    const int tricks = (n < longest ? n : longest) - m;
    if (tricks > best.tricks) best = {tricks, card};
  }
  return best;
}

}  // namespace borel
