#include "later_tricks.h"

#include <algorithm>

namespace borel {

namespace {

// Top trumps win whenever they are played: the side takes as many tricks as it holds of the top trumps, as long
// as one hand is long enough to keep them apart.
Claim trump_tricks(const Position& position, int leader, int enough) {
  const int lho = next_seat(leader), rho = next_seat(partner_of(leader));
  const Lanes theirs = (position.hands[lho] | position.hands[rho]) & lane(TRUMP_LANE);
  const Lanes ours = (position.held & lane(TRUMP_LANE)) & ~theirs;
  const Lanes run = ours == 0 ? theirs : theirs & (best_of(ours) - 1);
  const int longest = std::max(position.length(lho, TRUMP_LANE), position.length(rho, TRUMP_LANE));
  const int tricks = std::min({std::popcount(run), longest, enough});
  if (tricks <= 0) return {};
  return {tricks, ours == 0 ? 0 : expand(Lanes{1} << (tricks - 1), run)};
}

// At notrump, if they hold the best card of every suit the leader can lead, they win the first trick, and the
// hand that wins it can cash its other top cards.
Claim notrump_tricks(const Position& position, int leader, int enough) {
  const int lho = next_seat(leader), rho = next_seat(partner_of(leader));
  const Lanes theirs = position.hands[lho] | position.hands[rho];
  int top_cards[2] = {0, 0};
  Lanes ranks[2] = {0, 0};
  int least = enough;
  unsigned needed = 0;
  for (int suit = 0; suit < SUITS; ++suit) {
    const Lanes all = position.held & lane(suit);
    if (all == 0) continue;
    const Lanes best = best_of(all);
    if ((theirs & best) == 0) {
      if (position.hands[leader] & lane(suit)) return {};
      continue;
    }
    const int who = (position.hands[rho] & best) != 0;
    const Lanes mine = position.hands[who ? rho : lho] & lane(suit);
    const Lanes others = all & ~mine;
    const Lanes run = others == 0 ? mine : mine & (best_of(others) - 1);
    top_cards[who] += std::popcount(run);
    ranks[who] |= worst_of(run);
    if (position.hands[leader] & lane(suit)) needed |= 1u << who;
  }
  Lanes all_ranks = 0;
  for (int who = 0; who < 2; ++who)
    if (needed >> who & 1) least = std::min(least, top_cards[who]), all_ranks |= ranks[who];
  return {least, all_ranks};
}

}  // namespace

template <bool Trumps>
Claim later_tricks(const Position& position, int leader, int enough) {
  return Trumps ? trump_tricks(position, leader, enough) : notrump_tricks(position, leader, enough);
}

template <bool Trumps>
Hopeless hopeless_leads(const Position& position, int leader, int enough) {
  const int partner = partner_of(leader);
  const Lanes partners = position.hands[partner];
  Hopeless hopeless;
  Claim claims[2];
  bool known[2] = {false, false};
  for (int suit = 0; suit < SUITS; ++suit) {
    const Lanes mask = lane(suit);
    if ((position.hands[leader] & mask) == 0) continue;
    // An opponent with nothing but trumps would have to ruff his partner's trick and take the lead.
    const auto must_ruff = [&](int seat) {
      const Lanes hand = position.hands[seat];
      return Trumps && suit != TRUMP_LANE && (hand & ~lane(TRUMP_LANE)) == 0 && hand != 0;
    };
    if (must_ruff(next_seat(leader)) || must_ruff(next_seat(partner))) continue;
    if (Trumps && suit != TRUMP_LANE && (partners & mask) != 0) {
      bool beaten = false;
      for (const int seat : {next_seat(leader), next_seat(partner)}) {
        if ((position.hands[seat] & mask) != 0 || (position.hands[seat] & lane(TRUMP_LANE)) == 0) continue;
        const Claim claim = ruff_and_cash(position, suit, seat, enough);
        if (claim.tricks < enough) continue;
        hopeless.suits |= mask;
        hopeless.ranks |= claim.ranks;
        beaten = true;
        break;
      }
      if (beaten) continue;
    }
    const Lanes best = best_of(position.held & mask);
    if ((position.hands[leader] | partners) & best) continue;
    if (Trumps && suit != TRUMP_LANE && (partners & mask) == 0 && (partners & lane(TRUMP_LANE)) != 0) continue;
    const int owner = (position.hands[next_seat(leader)] & best) ? next_seat(leader) : next_seat(partner);
    const int i = owner >> 1;
    if (!known[i]) {
      known[i] = true;
      claims[i] = tricks_from_top<Trumps>(position, owner, enough);
    }
    if (claims[i].tricks < enough) continue;
    hopeless.suits |= mask;
    hopeless.ranks |= claims[i].ranks | best;
  }
  return hopeless;
}

template Hopeless hopeless_leads<true>(const Position&, int, int);
template Hopeless hopeless_leads<false>(const Position&, int, int);
template Claim later_tricks<true>(const Position&, int, int);
template Claim later_tricks<false>(const Position&, int, int);

}  // namespace borel
