// Tricks that can be counted without search.
#pragma once

#include "trump_tricks.h"

namespace borel {

// Tricks that the side of `leader`, on lead, can take at once: top cards of the leader, then, if there is a way
// across, top cards of partner. Or those of the side suits, and trump tricks later. Stops counting at `enough`, so as to
// rest on few ranks. `trumps` are the side's trump_tricks().
template <bool Trumps>
Claim tricks_on_lead(const Position& position, int leader, int enough, const Claim& trumps);

// The same for the side of `ruffer`, who is void in `suit` and ruffs it low when somebody else leads it.
Claim ruff_and_cash(const Position& position, int suit, int ruffer, int enough);

// The same, or crossing to partner first if that is worth more.
template <bool Trumps>
Claim sure_tricks(const Position& position, int leader, int enough);

}  // namespace borel
