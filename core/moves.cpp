#include "moves.h"

#include <algorithm>
#include <array>

#include "lead_weights.h"

namespace borel {

namespace {

// The part of a hand's trumps, if it can ruff `suit`.
template <bool Trumps>
Lanes ruffs_of(const Position& position, int seat, int suit) {
  if (!Trumps || suit == TRUMP_LANE || (position.hands[seat] & lane(suit)) != 0) return 0;
  return position.hands[seat] & lane(TRUMP_LANE);
}

// Second, third and last hand, following suit: win as cheaply as will hold, or play low.
template <bool Trumps, int Place>
void order_follow(const Position& position, int seat, const Trick& trick, Lanes choices, MoveList& moves) {
  const Lanes mask = lane(trick.led);
  if ((trick.best & mask) == 0) return moves.add(choices);  // ruffed
  Lanes to_beat = trick.best;
  const bool partner_wins = trick.winner == partner_of(seat);
  if constexpr (Place == 3) {
    if (partner_wins) return moves.add(choices);
  } else {
    const int lho = next_seat(seat);
    const Lanes theirs = position.hands[lho] & mask;
    if (ruffs_of<Trumps>(position, lho, trick.led)) return moves.add(choices);
    if (theirs != 0) to_beat = std::min(to_beat, best_of(theirs));
    if constexpr (Place == 2) {
      if (partner_wins && to_beat == trick.best) return moves.add(choices);
    } else {
      const Lanes partners = position.hands[partner_of(seat)] & mask;
      if (partners != 0 ? best_of(partners) < to_beat
                        : ruffs_of<Trumps>(position, partner_of(seat), trick.led) != 0)
        return moves.add(choices);
    }
  }
  const Lanes winners = choices & (to_beat - 1);
  moves.add(winners);
  moves.add(choices & ~winners);
}

// How willing a seat is to part with its lowest card of a suit.
int discard_weight(const Position& position, int seat, int suit) {
  const Lanes mask = lane(suit);
  const Lanes mine = position.hands[seat] & mask;
  const Lanes all = position.held & mask;
  const int length = std::popcount(mine);
  int weight = length * 4;
  const Lanes best = best_of(all);
  if (mine & best) {
    if (length == 1) weight -= 20;
    else if (length == 2) weight -= 2;
  } else if (length == 2 && (mine & best_of(all & ~best))) {
    weight -= 8;
  }
  return weight;
}

template <bool Trumps>
void order_discards(const Position& position, int seat, Lanes choices, MoveList& moves) {
  int weights[SUITS];
  int suits[SUITS];
  int n = 0;
  for (int suit = 0; suit < (Trumps ? TRUMP_LANE : SUITS); ++suit) {
    if ((choices & lane(suit)) == 0) continue;
    const int weight = discard_weight(position, seat, suit);
    int i = n++;
    for (; i > 0 && weights[i - 1] < weight; --i) weights[i] = weights[i - 1], suits[i] = suits[i - 1];
    weights[i] = weight, suits[i] = suit;
  }
  // The lowest of every suit, then what is left.
  for (int i = 0; i < n; ++i) moves.add(worst_of(choices & lane(suits[i])));
  for (int i = 0; i < n; ++i) moves.add(choices & lane(suits[i]) & ~worst_of(choices & lane(suits[i])));
}

template <bool Trumps, int Place>
void order_void(const Position& position, int seat, const Trick& trick, Lanes choices, MoveList& moves) {
  if constexpr (!Trumps) return order_discards<false>(position, seat, choices, moves);
  const Lanes ruffs = choices & lane(TRUMP_LANE);
  if (ruffs == 0) return order_discards<true>(position, seat, choices, moves);
  const bool ruffed = lane_of(trick.best) == TRUMP_LANE;
  const Lanes over = ruffed ? ruffs & (trick.best - 1) : ruffs;
  const bool partner_wins = trick.winner == partner_of(seat);
  bool discard_first = partner_wins;
  if constexpr (Place == 2) {
    if (partner_wins && !ruffed) {
      const Lanes theirs = position.hands[next_seat(seat)] & lane(trick.led);
      if (theirs != 0 ? best_of(theirs) < trick.best : ruffs_of<Trumps>(position, next_seat(seat), trick.led) != 0)
        discard_first = false;
    }
  }
  if constexpr (Place == 1) {
    const Lanes partners = position.hands[partner_of(seat)] & lane(trick.led);
    const Lanes theirs = position.hands[next_seat(seat)] & lane(trick.led);
    const bool holds = theirs != 0 ? best_of(partners) < best_of(theirs)
                                   : ruffs_of<Trumps>(position, next_seat(seat), trick.led) == 0;
    if (partners != 0 && best_of(partners) < trick.best && holds) discard_first = true;
  }
  if (!discard_first) moves.add(over);
  order_discards<true>(position, seat, choices & ~ruffs, moves);
  if (discard_first) moves.add(over);
  moves.add(ruffs & ~over);
}

Owner owner_of(const Position& position, int seat, Lanes card) {
  if (card == 0) return NOBODY;
  if (position.hands[seat] & card) return LEADER;
  if (position.hands[next_seat(seat)] & card) return LHO;
  return position.hands[partner_of(seat)] & card ? PARTNER : RHO;
}

// The weight of leading a suit: [0] its best card, [1] another card; see lead_weights.h.
template <bool Trumps>
std::array<int, 2> suit_weights(const Position& position, int seat, int suit, LeadContext context, Owner third) {
  const int others[3] = {next_seat(seat), partner_of(seat), (seat + 3) & 3};
  const LengthWeights& lengths = LENGTH_WEIGHTS[context];
  const int weight = THIRD_CARD_WEIGHTS[context][third] +
                     (lengths.leader * position.length(seat, suit) +
                      lengths.opponents * (position.length(others[0], suit) + position.length(others[2], suit)) +
                      lengths.partner * position.length(others[1], suit)) / 4;
  std::array<int, 2> weights = {weight, weight};
  if (context == TRUMP_SUIT) return weights;
  for (int i = 0; i < 3; ++i) {
    if (position.length(others[i], suit) != 0) continue;
    const bool ruffs = Trumps && position.length(others[i], TRUMP_LANE) > 0;
    for (int j = 0; j < 2; ++j) weights[j] += Trumps ? VOID_IN_SIDE_SUIT[i][ruffs][j] : VOID_AT_NOTRUMP[i];
  }
  return weights;
}

template <bool Trumps>
void order_leads(const Position& position, int seat, Lanes choices, MoveList& moves) {
  int weights[RANKS];
  const auto insert = [&](Lanes card, int weight) {
    int i = moves.size++;
    for (; i > 0 && weights[i - 1] < weight; --i) {
      weights[i] = weights[i - 1];
      moves.groups[i] = moves.groups[i - 1];
    }
    weights[i] = weight;
    moves.groups[i] = card;
  };
  for (int suit = 0; suit < SUITS; ++suit) {
    Lanes cards = choices & lane(suit);
    if (cards == 0) continue;
    const Lanes all = position.held & lane(suit);
    const Lanes best = best_of(all), second = best_of(all ^ best), third = best_of(all ^ best ^ second);
    const LeadContext context = !Trumps ? AT_NOTRUMP : suit == TRUMP_LANE ? TRUMP_SUIT : SIDE_SUIT;
    const auto& by_kind = LEAD_WEIGHTS[context][owner_of(position, seat, best)][owner_of(position, seat, second)];
    const auto of_suit = suit_weights<Trumps>(position, seat, suit, context, owner_of(position, seat, third));
    for (LeadKind kind = LOW; cards != 0; kind = HIGH) {
      const Lanes card = worst_of(cards);
      cards ^= card;
      if (card == best) kind = BEST_OF_SUIT;
      insert(card, of_suit[kind != BEST_OF_SUIT] + by_kind[kind]);
    }
  }
}

}  // namespace

template <bool Trumps, int Place>
void order_moves(const Position& position, int seat, const Trick& trick, Lanes choices, MoveList& moves) {
  moves.size = 0;
  if ((choices & (choices - 1)) == 0) return moves.add(choices);
  if constexpr (Place == 0)
    order_leads<Trumps>(position, seat, choices, moves);
  else if ((choices & lane(trick.led)) != 0)
    order_follow<Trumps, Place>(position, seat, trick, choices, moves);
  else
    order_void<Trumps, Place>(position, seat, trick, choices, moves);
}

#define BOREL_INSTANTIATE(T, P) \
  template void order_moves<T, P>(const Position&, int, const Trick&, Lanes, MoveList&);
BOREL_INSTANTIATE(false, 0)
BOREL_INSTANTIATE(false, 1)
BOREL_INSTANTIATE(false, 2)
BOREL_INSTANTIATE(false, 3)
BOREL_INSTANTIATE(true, 0)
BOREL_INSTANTIATE(true, 1)
BOREL_INSTANTIATE(true, 2)
BOREL_INSTANTIATE(true, 3)
#undef BOREL_INSTANTIATE

}  // namespace borel
