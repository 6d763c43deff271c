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

namespace {

// What the opponents of `leader` take if he leads one suit or another, as far as it can be counted.
template <bool Trumps>
class Replies {
 public:
  Replies(const Position& position, int leader, int enough)
      : position_(position), leader_(leader), partner_(partner_of(leader)), enough_(enough) {}

  Claim to_lead_of(int suit) {
    // An opponent with nothing but trumps would have to ruff his partner's trick and take the lead.
    if (Trumps && suit != TRUMP_LANE && (only_trumps(next_seat(leader_)) || only_trumps(next_seat(partner_)))) return {};
    if (const Claim claim = by_ruff(suit); claim.tricks >= enough_) return claim;
    return by_best_card(suit);
  }

 private:
  bool holds(int seat, int suit) const { return (position_.hands[seat] & lane(suit)) != 0; }
  bool only_trumps(int seat) const { return (position_.hands[seat] & ~lane(TRUMP_LANE)) == 0; }

  // They ruff, and the leader's partner must follow.
  Claim by_ruff(int suit) const {
    if (!Trumps || suit == TRUMP_LANE || !holds(partner_, suit)) return {};
    for (const int seat : {next_seat(leader_), next_seat(partner_)}) {
      if (holds(seat, suit) || !holds(seat, TRUMP_LANE)) continue;
      const Claim claim = ruff_and_cash(position_, suit, seat, enough_);
      if (claim.tricks >= enough_) return claim;
    }
    return {};
  }

  // The owner of the best card wins with it and goes on to cash his other tricks.
  Claim by_best_card(int suit) {
    const Lanes best = best_of(position_.held & lane(suit));
    if ((position_.hands[leader_] | position_.hands[partner_]) & best) return {};
    if (Trumps && suit != TRUMP_LANE && !holds(partner_, suit) && holds(partner_, TRUMP_LANE)) return {};
    const int owner = (position_.hands[next_seat(leader_)] & best) ? next_seat(leader_) : next_seat(partner_);
    Claim& claim = claims_[owner >> 1];
    if (!known_[owner >> 1]) {
      known_[owner >> 1] = true;
      claim = tricks_from_top<Trumps>(position_, owner, enough_);
    }
    return {claim.tricks, claim.ranks | best};
  }

  const Position& position_;
  const int leader_, partner_, enough_;
  Claim claims_[2];
  bool known_[2] = {false, false};
};

}  // namespace

template <bool Trumps>
Hopeless hopeless_leads(const Position& position, int leader, int enough) {
  Replies<Trumps> replies(position, leader, enough);
  Hopeless hopeless;
  for (int suit = 0; suit < SUITS; ++suit) {
    if ((position.hands[leader] & lane(suit)) == 0) continue;
    const Claim claim = replies.to_lead_of(suit);
    if (claim.tricks < enough) continue;
    hopeless.suits |= lane(suit);
    hopeless.ranks |= claim.ranks;
  }
  return hopeless;
}

template Hopeless hopeless_leads<true>(const Position&, int, int);
template Hopeless hopeless_leads<false>(const Position&, int, int);
template Claim later_tricks<true>(const Position&, int, int);
template Claim later_tricks<false>(const Position&, int, int);

}  // namespace borel
