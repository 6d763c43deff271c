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
  int cashed = 0;        // rounds the leader wins
  int partner = 0;       // further rounds partner wins, once on lead
  bool entry = false;    // the leader can cross to partner here
  Lanes ranks = 0;       // what `cashed` rests on
  Lanes partner_ranks = 0;
};

// `rounds` is the number of rounds that no opponent can ruff.
SuitPlan plan_suit(const Position& position, int leader, int suit, int rounds) {
  const Lanes mask = lane(suit);
  const Lanes mine = position.hands[leader] & mask;
  const Lanes partners = position.hands[partner_of(leader)] & mask;
  const Lanes all = position.held & mask;
  const int my_length = position.length(leader, suit);
  const int partner_length = position.length(partner_of(leader), suit);
  const int their_length =
      std::max(position.length(next_seat(leader), suit), position.length(next_seat(partner_of(leader)), suit));
  SuitPlan plan;

  const Lanes run = top_run(mine, all & ~mine);
  int top = std::popcount(run);
  const int longest_other = std::max(their_length, partner_length);
  if (top >= longest_other) {
    plan.cashed = std::min(my_length, rounds);
    plan.ranks = nth_best(run, std::min(plan.cashed, longest_other));
  } else {
    plan.cashed = std::min(top, rounds);
    plan.ranks = nth_best(run, plan.cashed);
  }

  const int left = partner_length - plan.cashed;  // partner follows with the lowest
  if (left <= 0 || rounds <= plan.cashed || plan.cashed < top) return plan;
  const Lanes next = top_run(partners, all & ~partners & ~run);
  int wins = std::min(std::popcount(next), left);
  const int longest = std::max(their_length, my_length);
  int needed = wins;
  if (plan.cashed + wins >= longest) {
    needed = std::max(0, longest - plan.cashed);
    wins = left;
  }
  if (wins > rounds - plan.cashed) wins = rounds - plan.cashed;
  plan.partner = wins;
  plan.partner_ranks = nth_best(next, std::min(needed, wins));
  plan.entry = wins > 0 && my_length > plan.cashed;
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
  int first_side = SUITS;
  if constexpr (Trumps) {
    first_side = TRUMP_LANE;
    SuitPlan& plan = plans[TRUMP_LANE] = plan_suit(position, leader, TRUMP_LANE, cards);
    claim.tricks = plan.cashed;
    claim.ranks = plan.ranks;
    if (claim.tricks >= enough) {
      return claim;
    }
    lho_ruffs = position.length(lho, TRUMP_LANE) > plan.cashed;
    rho_ruffs = position.length(rho, TRUMP_LANE) > plan.cashed;
    const int partner_trumps = position.length(partner, TRUMP_LANE);
    if (partner_trumps > plan.cashed) side_limit = cards - partner_trumps;
  }
  const int trump_tricks = claim.tricks;
  for (int suit = 0; suit < first_side; ++suit) {
    int rounds = cards;
    if (lho_ruffs) rounds = position.length(lho, suit);
    if (rho_ruffs) rounds = std::min(rounds, position.length(rho, suit));
    SuitPlan& plan = plans[suit] = plan_suit(position, leader, suit, rounds);
    claim.tricks += plan.cashed;
    claim.ranks |= plan.ranks;
    if (claim.tricks - trump_tricks > side_limit) {
      claim.tricks = trump_tricks + side_limit;
      return claim;
    }
    if (claim.tricks >= enough) return claim;
  }

  bool across = false;
  for (int suit = 0; suit < SUITS && !across; ++suit)
    if (plans[suit].entry) across = true, claim.ranks |= plans[suit].partner_ranks;
  if (!across) return claim;
  // A leader left with only trumps would have to ruff partner's winners and take the lead back.
  int limit = cards - claim.tricks;
  if (Trumps) {
    const int my_trumps = position.length(leader, TRUMP_LANE) - plans[TRUMP_LANE].cashed;
    if (my_trumps > 0) limit -= my_trumps;
  }
  int more = 0;
  for (int suit = 0; suit < SUITS && claim.tricks + std::min(more, limit) < enough; ++suit) {
    if (plans[suit].partner == 0) continue;
    more += plans[suit].partner;
    claim.ranks |= plans[suit].partner_ranks;
  }
  claim.tricks += std::max(0, std::min(more, limit));
  return claim;
}

template Claim sure_tricks<true>(const Position&, int, int);
template Claim sure_tricks<false>(const Position&, int, int);

}  // namespace borel
