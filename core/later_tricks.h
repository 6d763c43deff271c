// Tricks that the side not on lead must take sooner or later, whatever is played.
#pragma once

#include "sure_tricks.h"

namespace borel {

// A lower bound for the side of the opponents of `leader`, whose trump_tricks() are given. Stops counting at `enough`.
template <bool Trumps>
Claim later_tricks(const Position& position, int leader, int enough, const Claim& trumps);

// Suits that it is hopeless to lead: the opponent with the best card of the suit wins the trick and can go on to
// take `enough` tricks for his side.
struct Hopeless {
  Lanes suits = 0;
  Lanes ranks = 0;
};
template <bool Trumps>
Hopeless hopeless_leads(const Position& position, int leader, int enough, const Claim& trumps);

}  // namespace borel
