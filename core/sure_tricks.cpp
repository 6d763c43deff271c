#include "sure_tricks.h"

#include <algorithm>

namespace borel {

namespace {

// The n-th best card of a set, n >= 1; nothing for n = 0.
inline Lanes nth_best(Lanes cards, int n) { return n == 0 ? 0 : expand(Lanes{1} << (n - 1), cards); }

// Cards of `mine` better than all of `others` (one suit).
inline Lanes top_run(Lanes mine, Lanes others) { return others == 0 ? mine : mine & (best_of(others) - 1); }

// One suit seen from the side on lead.
struct SuitPlan {
  int cashed = 0;   // rounds the leader wins,
  int by_rank = 0;  // the first so many with the best of `run`, the rest by length
  Lanes run = 0;
  int partner = 0;  // further rounds partner wins, once on lead
  int partner_by_rank = 0;
  Lanes partner_run = 0;
  bool entry = false;  // the leader can cross to partner here

  Lanes ranks(int rounds) const { return nth_best(run, std::min(rounds, by_rank)); }
  Lanes partner_ranks(int rounds) const { return nth_best(partner_run, std::min(rounds, partner_by_rank)); }
};

// `rounds` is the number of rounds that no opponent can ruff.
inline SuitPlan plan_suit(const Position& position, int leader, int suit, int rounds) {
  const Lanes mask = lane(suit);
  const Lanes mine = position.hands[leader] & mask;
  const Lanes partners = position.hands[partner_of(leader)] & mask;
  const Lanes all = position.held & mask;
  const int my_length = position.length(leader, suit);
  const int partner_length = position.length(partner_of(leader), suit);
  const int their_length =
      std::max(position.length(next_seat(leader), suit), position.length(next_seat(partner_of(leader)), suit));
  SuitPlan plan;

  plan.run = top_run(mine, all & ~mine);
  const int top = std::popcount(plan.run);
  const int longest_other = std::max(their_length, partner_length);
  plan.cashed = std::min(top >= longest_other ? my_length : top, rounds);
  plan.by_rank = std::min(plan.cashed, top >= longest_other ? longest_other : top);

  const int left = partner_length - plan.cashed;  // partner follows with the lowest
  if (left <= 0 || rounds <= plan.cashed) return plan;
  plan.partner_run = top_run(partners, all & ~partners & ~plan.run);
  int wins = std::min(std::popcount(plan.partner_run), left);
  const int longest = std::max(their_length, my_length);
  plan.partner_by_rank = wins;
  if (plan.cashed + wins >= longest) {
    plan.partner_by_rank = std::max(0, longest - plan.cashed);
    wins = left;
  }
  plan.partner = std::min(wins, rounds - plan.cashed);
  plan.entry = plan.partner > 0 && my_length > plan.cashed;
  return plan;
}

}  // namespace

template <bool Trumps>
Claim sure_tricks(const Position& position, int leader, int enough) {
  const int partner = partner_of(leader), lho = next_seat(leader), rho = next_seat(partner);
  const int cards = position.cards_in(leader);
  Claim claim;
  SuitPlan plans[SUITS];
  bool lho_ruffs = false, rho_ruffs = false;
  int side_limit = cards;  // tricks in side suits before a hand of our own must ruff
  constexpr int FIRST = Trumps ? TRUMP_LANE : SUITS;
  if constexpr (Trumps) {
    SuitPlan& plan = plans[TRUMP_LANE] = plan_suit(position, leader, TRUMP_LANE, cards);
    claim.tricks = plan.cashed;
    claim.ranks = plan.ranks(enough);
    if (claim.tricks >= enough) return claim;
    lho_ruffs = position.length(lho, TRUMP_LANE) > plan.cashed;
    rho_ruffs = position.length(rho, TRUMP_LANE) > plan.cashed;
    const int partner_trumps = position.length(partner, TRUMP_LANE);
    if (partner_trumps > plan.cashed) side_limit = cards - partner_trumps;
  }
  int side_tricks = 0;
  for (int suit = 0; suit < FIRST; ++suit) {
    int rounds = cards;
    if (lho_ruffs) rounds = position.length(lho, suit);
    if (rho_ruffs) rounds = std::min(rounds, position.length(rho, suit));
    SuitPlan& plan = plans[suit] = plan_suit(position, leader, suit, rounds);
    claim.ranks |= plan.ranks(enough - claim.tricks);
    claim.tricks += plan.cashed;
    side_tricks += plan.cashed;
    if (side_tricks > side_limit) {
      claim.tricks -= side_tricks - side_limit;
      return claim;
    }
    if (claim.tricks >= enough) return claim;
  }

  int across = 0;
  while (across < SUITS && !plans[across].entry) ++across;
  if (across == SUITS) return claim;
  // A leader left with only trumps would have to ruff partner's winners and take the lead back.
  int limit = cards - claim.tricks;
  if (Trumps) limit -= std::max(0, position.length(leader, TRUMP_LANE) - plans[TRUMP_LANE].cashed);
  int more = 0;
  const auto add = [&](const SuitPlan& plan) {
    if (plan.partner == 0 || claim.tricks + more >= enough) return;
    claim.ranks |= plan.partner_ranks(enough - claim.tricks - more);
    more += plan.partner;
  };
  add(plans[across]);
  for (int suit = 0; suit < SUITS; ++suit)
    if (suit != across) add(plans[suit]);
  claim.tricks += std::max(0, std::min(more, limit));
  return claim;
}

template Claim sure_tricks<true>(const Position&, int, int);
template Claim sure_tricks<false>(const Position&, int, int);

}  // namespace borel
