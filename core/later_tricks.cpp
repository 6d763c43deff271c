#include "later_tricks.h"

#include <algorithm>

namespace borel {

namespace {

// At notrump, the opponents of the leader keep the best cards of the suits they head and win when one of these suits is
// led, at the latest when all others have been played out; the winner then cashes his other top cards.
class Notrump {
 public:
  Notrump(const Position& position, int leader) : left_(position.cards_in(leader)) {
    const int seats[2] = {next_seat(leader), next_seat(partner_of(leader))};
    const Lanes ours = position.hands[leader] | position.hands[partner_of(leader)];
    for (int suit = 0; suit < SUITS; ++suit) {
      const Lanes all = position.held & lane(suit);
      if (all == 0) continue;
      const Lanes best = best_of(all);
      const bool leads = (position.hands[leader] & all) != 0;
      if (ours & best) {
        rounds_ += std::max(position.length(leader, suit), position.length(partner_of(leader), suit));
        leader_heads_ |= leads;
        continue;
      }
      const int who = (position.hands[seats[1]] & best) != 0;
      const Lanes mine = position.hands[seats[who]] & all;
      const Lanes others = all & ~mine;
      const Lanes run = others == 0 ? mine : mine & (best_of(others) - 1);
      top_cards_[who] += std::popcount(run);
      ranks_[who] |= worst_of(run);
      best_ |= best;
      if (leads) at_once_ |= 1u << who;
      if (ours & all) headed_[who] += 1;
    }
  }

  Claim claim(int enough) const {
    if (!leader_heads_) return won_at_once(enough);
    // What they keep while all rounds of our own suits are played.
    const int kept = left_ - rounds_;
    if (kept < std::max({headed_[0], headed_[1], 1})) return {};
    if (enough == 1) return {1, best_};
    int least = enough;
    for (int who = 0; who < 2; ++who) {
      // He may also get in with a lower card of one of our suits.
      const int cashed = std::min(top_cards_[who], kept);
      least = std::min(least, headed_[who] ? cashed : cashed + 1);
    }
    return {least, ranks_[0] | ranks_[1]};
  }

 private:
  // They head every suit that the leader can lead.
  Claim won_at_once(int enough) const {
    Claim claim{enough, 0};
    for (int who = 0; who < 2; ++who)
      if (at_once_ >> who & 1) claim = {std::min(claim.tricks, top_cards_[who]), claim.ranks | ranks_[who]};
    return claim;
  }

  const int left_;
  int rounds_ = 0;  // that can be played of the suits we head
  bool leader_heads_ = false;
  int top_cards_[2] = {0, 0};
  int headed_[2] = {0, 0};  // suits in which they have the best card and we have cards
  Lanes ranks_[2] = {0, 0};
  Lanes best_ = 0;
  unsigned at_once_ = 0;
};

}  // namespace

template <bool Trumps>
Claim later_tricks(const Position& position, int leader, int enough, const Claim& trumps) {
  if (Trumps && (position.held & lane(TRUMP_LANE)) != 0) return trumps;
  return Notrump(position, leader).claim(enough);
}

namespace {

// What the opponents of `leader` take if he leads one suit or another, as far as it can be counted.
template <bool Trumps>
class Replies {
 public:
  Replies(const Position& position, int leader, int enough, const Claim& trumps)
      : position_(position),
        leader_(leader),
        partner_(partner_of(leader)),
        enough_(enough),
        trumps_(trumps),
        limit_(cash_limit<Trumps>(position, next_seat(leader), trumps.tricks)) {}

  Claim to_lead_of(int suit) {
    // An opponent with nothing but trumps would have to ruff his partner's trick and take the lead.
    if (Trumps && suit != TRUMP_LANE && (only_trumps(next_seat(leader_)) || only_trumps(next_seat(partner_)))) return {};
    if (const Claim claim = by_ruff(suit); claim.tricks >= enough_) return claim;
    return limit_ >= enough_ ? by_best_card(suit) : Claim{};
  }

 private:
  bool holds(int seat, int suit) const { return (position_.hands[seat] & lane(suit)) != 0; }
  bool only_trumps(int seat) const { return (position_.hands[seat] & ~lane(TRUMP_LANE)) == 0; }

  // They ruff, and the leader's partner must follow.
  Claim by_ruff(int suit) const {
    if (!Trumps || suit == TRUMP_LANE || !holds(partner_, suit)) return {};
    for (const int seat : {next_seat(leader_), next_seat(partner_)}) {
      if (holds(seat, suit) || !holds(seat, TRUMP_LANE)) continue;
      if (ruff_limit(position_, suit, seat, limit_) < enough_) continue;
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
    const bool trump_led = Trumps && suit == TRUMP_LANE;
    Claim& claim = claims_[trump_led][owner >> 1];
    if (!known_[trump_led][owner >> 1]) {
      known_[trump_led][owner >> 1] = true;
      // On a trump lead, two of the trumps counted may fall together.
      claim = tricks_on_lead<Trumps>(position_, owner, enough_, trump_led ? Claim{} : trumps_);
    }
    return {claim.tricks, claim.ranks | best};
  }

  const Position& position_;
  const int leader_, partner_, enough_;
  const Claim trumps_;  // of their side
  const int limit_;     // of what they can cash
  Claim claims_[2][2];  // [trumps led][owner of the best card]
  bool known_[2][2] = {};
};

}  // namespace

template <bool Trumps>
Hopeless hopeless_leads(const Position& position, int leader, int enough, const Claim& trumps) {
  Replies<Trumps> replies(position, leader, enough, trumps);
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

template Hopeless hopeless_leads<true>(const Position&, int, int, const Claim&);
template Hopeless hopeless_leads<false>(const Position&, int, int, const Claim&);
template Claim later_tricks<true>(const Position&, int, int, const Claim&);
template Claim later_tricks<false>(const Position&, int, int, const Claim&);

}  // namespace borel
