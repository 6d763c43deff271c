// Tricks that the side not on lead must take sooner or later, whatever is played.
#pragma once

#include "sure_tricks.h"

namespace borel {

// A lower bound for the side of the opponents of `leader`. Stops counting at `enough`.
template <bool Trumps>
Claim later_tricks(const Position& position, int leader, int enough);

}  // namespace borel
