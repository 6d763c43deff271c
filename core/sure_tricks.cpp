#include "sure_tricks.h"

#include <algorithm>

namespace borel {

namespace {

// The n-th best card of a set, n >= 1; nothing for n = 0.
inline Lanes nth_best(Lanes cards, int n) { return n <= 0 ? 0 : expand(Lanes{1} << (n - 1), cards); }

// One suit seen from the side on lead.
struct SuitPlan {
  int cashed = 0;   // rounds the leader wins,
  int by_rank = 0;  // the first so many with top cards, the rest by length
  int partner = 0;  // further rounds partner wins, once on lead
  int partner_by_rank = 0;
};

// The tricks of the side on lead, suit by suit: first the leader cashes, then, if there is a way across, partner.
template <bool Trumps>
class Cashing {
 public:
  Cashing(const Position& position, int leader, Lanes suits = ALL_LANES)
      : mine_(position.lengths >> length_shift(leader, 0) & 0xFFFF),
        partners_(position.lengths >> length_shift(partner_of(leader), 0) & 0xFFFF),
        lhos_(position.lengths >> length_shift(next_seat(leader), 0) & 0xFFFF),
        rhos_(position.lengths >> length_shift((leader + 3) & 3, 0) & 0xFFFF),
        cards_(position.cards_in(leader)) {
    const Lanes hand = position.hands[leader], partners_hand = position.hands[partner_of(leader)];
    run_ = hand & above_best(position.held & ~hand);
    partner_run_ = partners_hand & above_best(position.held & ~partners_hand & ~run_);
    suits_ = (run_ | partner_run_) & suits;
  }

  Claim claim(int enough) {
    if (!leader_cashes(enough)) partner_cashes(enough);
    return claim_;
  }

 private:
  static int length(unsigned lengths, int suit) { return lengths >> 4 * suit & 15; }

  // `rounds` is the number of rounds that no opponent can ruff while the leader cashes, `later` that when partner
  // does, who may have drawn more trumps.
  void plan(int suit, int rounds, int later) {
    SuitPlan& plan = plans_[suit];
    const int my_length = length(mine_, suit), partner_length = length(partners_, suit);
    const int their_length = std::max(length(lhos_, suit), length(rhos_, suit));
    const int top = std::popcount(run_ & lane(suit));
    const int longest_other = std::max(their_length, partner_length);
    plan.cashed = std::min(top >= longest_other ? my_length : top, rounds);
    plan.by_rank = std::min(plan.cashed, longest_other);

    const int left = partner_length - plan.cashed;  // partner follows with the lowest
    const Lanes partner_run = partner_run_ & lane(suit);
    // A top card that the leader could not cash would later take partner's trick and the lead.
    if (left <= 0 || later <= plan.cashed || partner_run == 0 || plan.cashed < top) return;
    int wins = std::min(std::popcount(partner_run), left);
    const int longest = std::max(their_length, my_length);
    plan.partner_by_rank = wins;
    if (plan.cashed + wins >= longest) {
      plan.partner_by_rank = std::max(0, longest - plan.cashed);
      wins = left;
    }
    plan.partner = std::min(wins, later - plan.cashed);
    if (rounds > plan.cashed && my_length > plan.cashed) entry_ = suit;
  }

  void cash(int suit, int enough) {
    const SuitPlan& plan = plans_[suit];
    claim_.ranks |= nth_best(run_ & lane(suit), std::min(enough - claim_.tricks, plan.by_rank));
    claim_.tricks += plan.cashed;
  }

  // True if nothing is left to add.
  bool leader_cashes(int enough) {
    bool lho_ruffs = false, rho_ruffs = false, still_ruff = false;
    int most = RANKS;  // tricks before partner, with only trumps left, must ruff
    if constexpr (Trumps) {
      if (suits_ & lane(TRUMP_LANE)) plan(TRUMP_LANE, cards_, cards_), cash(TRUMP_LANE, enough);
      if (claim_.tricks >= enough) return true;
      const int drawn = plans_[TRUMP_LANE].cashed, partner_trumps = length(partners_, TRUMP_LANE);
      lho_ruffs = length(lhos_, TRUMP_LANE) > drawn;
      rho_ruffs = length(rhos_, TRUMP_LANE) > drawn;
      still_ruff = std::max(length(lhos_, TRUMP_LANE), length(rhos_, TRUMP_LANE)) > drawn + plans_[TRUMP_LANE].partner;
      if (partner_trumps > drawn) most = drawn + cards_ - partner_trumps;
    }
    for (int suit = 0; suit < (Trumps ? TRUMP_LANE : SUITS); ++suit) {
      if ((suits_ & lane(suit)) == 0) continue;
      int rounds = cards_;
      if (lho_ruffs) rounds = length(lhos_, suit);
      if (rho_ruffs) rounds = std::min(rounds, length(rhos_, suit));
      plan(suit, rounds, still_ruff ? rounds : cards_);
      cash(suit, enough);
      if (claim_.tricks > most) {
        claim_.tricks = most;
        return true;
      }
      if (claim_.tricks >= enough) return true;
    }
    return entry_ < 0;
  }

  void partner_cashes(int enough) {
    int most = cards_;
    // A leader left with only trumps would have to ruff partner's winners and take the lead back.
    if (Trumps) most -= std::max(0, length(mine_, TRUMP_LANE) - plans_[TRUMP_LANE].cashed);
    if (most <= claim_.tricks) return;
    // Partner's side suits may count on partner drawing trumps first.
    if (Trumps) claim_.ranks |= nth_best(partner_run_ & lane(TRUMP_LANE), plans_[TRUMP_LANE].partner_by_rank);
    add_partners(entry_, enough);
    for (int suit = 0; suit < SUITS; ++suit)
      if (suit != entry_) add_partners(suit, enough);
    claim_.tricks = std::min(claim_.tricks, most);
  }

  void add_partners(int suit, int enough) {
    const SuitPlan& plan = plans_[suit];
    if (plan.partner == 0 || claim_.tricks >= enough) return;
    claim_.ranks |= nth_best(partner_run_ & lane(suit), std::min(enough - claim_.tricks, plan.partner_by_rank));
    claim_.tricks += plan.partner;
  }

  unsigned mine_, partners_, lhos_, rhos_;  // suit lengths, four bits a suit
  int cards_;
  Lanes run_;          // cards of the leader that no other hand can beat
  Lanes partner_run_;  // cards of partner that only these can beat
  Lanes suits_;
  SuitPlan plans_[SUITS];
  int entry_ = -1;  // a suit in which the leader can cross to partner
  Claim claim_;
};

// A suit in which partner, not the leader, has the best card, and the leader can lead to it.
template <bool Trumps>
Lanes way_to_partner(const Position& position, int leader) {
  const Lanes partners = position.hands[partner_of(leader)];
  for (Lanes tops = best_of_each(position.held) & partners; tops != 0; tops &= tops - 1) {
    const Lanes mask = lane(lane_of(tops));
    if ((position.hands[leader] & mask) == 0) continue;
    const auto ruffs = [&](int seat) {
      return Trumps && mask != lane(TRUMP_LANE) && (position.hands[seat] & mask) == 0 &&
             (position.hands[seat] & lane(TRUMP_LANE)) != 0;
    };
    if (!ruffs(next_seat(leader)) && !ruffs((leader + 3) & 3)) return best_of(tops);
  }
  return 0;
}

}  // namespace

template <bool Trumps>
int cash_limit(const Position& position, int seat, int trump_tricks) {
  const int lho = next_seat(seat), rho = (seat + 3) & 3;
  const Lanes theirs = position.hands[lho] | position.hands[rho];
  const Lanes tops = position.held & ~theirs & above_best(theirs);
  const auto rounds = [&](int suit) {
    const int top = std::popcount(tops & lane(suit));
    const int longest = std::max(position.length(seat, suit), position.length(partner_of(seat), suit));
    return top >= std::max(position.length(lho, suit), position.length(rho, suit)) ? longest : std::min(top, longest);
  };
  int all = 0, side = 0;  // with trumps drawn first; with the trumps kept
  int lho_trumps = 0, rho_trumps = 0;
  if constexpr (Trumps) {
    if (tops & lane(TRUMP_LANE)) all = rounds(TRUMP_LANE);
    lho_trumps = position.length(lho, TRUMP_LANE), rho_trumps = position.length(rho, TRUMP_LANE);
  }
  const int drawn = all;
  for (int suit = 0; suit < (Trumps ? TRUMP_LANE : SUITS); ++suit) {
    if ((tops & lane(suit)) == 0) continue;
    const int most = rounds(suit);
    const int by_lho = position.length(lho, suit), by_rho = position.length(rho, suit);
    all += std::min({most, lho_trumps > drawn ? by_lho : RANKS, rho_trumps > drawn ? by_rho : RANKS});
    side += std::min({most, lho_trumps != 0 ? by_lho : RANKS, rho_trumps != 0 ? by_rho : RANKS});
  }
  return Trumps && trump_tricks != 0 ? std::max(all, side + trump_tricks) : all;
}

int ruff_limit(const Position& position, int suit, int ruffer, int cash_limit) {
  // The ruff itself, and the suit may become good, all but the card played to the ruff.
  return cash_limit + std::max(1, position.length(partner_of(ruffer), suit));
}

Claim ruff_and_cash(const Position& position, int suit, int ruffer, int enough) {
  Position next = position;
  for (int seat = 0; seat < SEATS; ++seat) {
    const Lanes cards = position.hands[seat] & lane(seat == ruffer ? TRUMP_LANE : suit);
    if (cards != 0) next.play(seat, worst_of(cards));
  }
  const Claim trumps = trump_tricks(next, ruffer, enough - 1);
  if (cash_limit<true>(next, ruffer, trumps.tricks) < enough - 1) return {};
  Claim claim = tricks_on_lead<true>(next, ruffer, enough - 1, trumps);
  ++claim.tricks;
  return claim;
}

template <bool Trumps>
Claim tricks_on_lead(const Position& position, int leader, int enough, const Claim& trumps) {
  if (Trumps && trumps.tricks >= enough) return trumps;
  const Claim top = Cashing<Trumps>(position, leader).claim(enough);
  if (!Trumps || trumps.tricks == 0 || top.tricks >= enough) return top;
  // Tricks to which neither hand of the side contributes a trump leave it all its trump tricks.
  const int most = position.cards_in(leader) - std::max(position.length(leader, TRUMP_LANE),
                                                        position.length(partner_of(leader), TRUMP_LANE));
  if (most + trumps.tricks < enough) return top;
  const Claim side = Cashing<true>(position, leader, ALL_LANES & ~lane(TRUMP_LANE)).claim(enough - trumps.tricks);
  const int tricks = std::min(side.tricks, most) + trumps.tricks;
  return tricks > top.tricks ? Claim{tricks, side.ranks | trumps.ranks} : top;
}

namespace {

// The best of giving partner a ruff that no opponent can overruff.
Claim ruff_by_partner(const Position& position, int leader, int enough, int limit) {
  const int partner = partner_of(leader);
  const auto holds = [&](int seat, int suit) { return (position.hands[seat] & lane(suit)) != 0; };
  Claim best;
  if (!holds(partner, TRUMP_LANE)) return best;
  for (int suit = 0; suit < TRUMP_LANE && best.tricks < enough; ++suit) {
    if (!holds(leader, suit) || holds(partner, suit)) continue;
    const auto ruffs = [&](int seat) { return !holds(seat, suit) && holds(seat, TRUMP_LANE); };
    if (ruffs(next_seat(leader)) || ruffs((leader + 3) & 3)) continue;
    if (ruff_limit(position, suit, partner, limit) < enough) continue;
    const Claim claim = ruff_and_cash(position, suit, partner, enough);
    if (claim.tricks > best.tricks) best = claim;
  }
  return best;
}

}  // namespace

template <bool Trumps>
Claim sure_tricks(const Position& position, int leader, int enough) {
  const Claim trumps = Trumps ? trump_tricks(position, leader, enough) : Claim{};
  if (trumps.tricks >= enough) return trumps;
  const int limit = cash_limit<Trumps>(position, leader, trumps.tricks);
  if (limit >= enough) {
    const Claim claim = tricks_on_lead<Trumps>(position, leader, enough, trumps);
    if (claim.tricks >= enough) return claim;
    // Perhaps it is better to cross to partner before anything else.
    if (const Lanes way = way_to_partner<Trumps>(position, leader)) {
      // Crossing in trumps, two of the trumps counted may fall together.
      const Claim still = (way & lane(TRUMP_LANE)) != 0 ? Claim{} : trumps;
      const Claim other = tricks_on_lead<Trumps>(position, partner_of(leader), enough, still);
      if (other.tricks >= enough) return {other.tricks, other.ranks | way};
    }
  }
  return Trumps ? ruff_by_partner(position, leader, enough, limit) : Claim{};
}

template int cash_limit<true>(const Position&, int, int);
template int cash_limit<false>(const Position&, int, int);
template Claim tricks_on_lead<true>(const Position&, int, int, const Claim&);
template Claim tricks_on_lead<false>(const Position&, int, int, const Claim&);
template Claim sure_tricks<true>(const Position&, int, int);
template Claim sure_tricks<false>(const Position&, int, int);

}  // namespace borel
