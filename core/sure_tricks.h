// Tricks that can be counted without search.
#pragma once

#include "trump_tricks.h"

namespace borel {

// Tricks that the side of `leader`, on lead, can take at once: top cards of the leader, then, if there is a way
// across, top cards of partner. Or those of the side suits, and trump tricks later. Stops counting at `enough`, so as to
// rest on few ranks. `trumps` are the side's trump_tricks().
template <bool Trumps>
Claim tricks_on_lead(const Position& position, int leader, int enough, const Claim& trumps);

// No fewer than tricks_on_lead counts for the side of `seat`, whichever of its hands leads, in a fraction of the time.
// A suit gives a trick for every card above the opponents' best; if these outlast the opponents, one for every card of
// the longer hand; and no more than an opponent follows who can still ruff. `trump_tricks` of the side come on top
// where the trumps are kept.
template <bool Trumps>
int cash_limit(const Position& position, int seat, int trump_tricks);

// The same for the side of `ruffer`, who is void in `suit` and ruffs it low when somebody else leads it. No claim (none
// at all) if it falls short of `enough`.
Claim ruff_and_cash(const Position& position, int suit, int ruffer, int enough);
// No fewer than that, from the cash_limit of the side.
int ruff_limit(const Position& position, int suit, int ruffer, int cash_limit);

// The tricks of the side on lead: the above, or crossing to partner first, or giving partner a ruff. A claim that
// falls short of `enough` says nothing.
template <bool Trumps>
Claim sure_tricks(const Position& position, int leader, int enough);

}  // namespace borel
