#include "moves.h"

#include <algorithm>

namespace borel {

namespace {

// Bigger is tried earlier. Cards are at most 13, so insertion sort is the fastest sort.
struct Sorter {
  explicit Sorter(MoveList& list) : moves(list) { moves.size = 0; }
  void add(Lanes card, int weight) {
    int i = moves.size++;
    for (; i > 0 && weights[i - 1] < weight; --i) {
      weights[i] = weights[i - 1];
      moves.cards[i] = moves.cards[i - 1];
    }
    weights[i] = weight;
    moves.cards[i] = card;
  }
  MoveList& moves;
  int weights[RANKS];
};

int rank_in_lane(Lanes card) { return std::countr_zero(card) & 15; }  // 0 = ace

template <bool Trumps>
int lead_weight(const Position& position, int seat, Lanes card) {
  const int suit = lane_of(card);
  const Lanes mask = lane(suit);
  const int partner = partner_of(seat), lho = next_seat(seat), rho = next_seat(partner);
  const Lanes all = position.held & mask;
  const Lanes mine = position.hands[seat] & mask, partners = position.hands[partner] & mask;
  const Lanes best = best_of(all);
  int weight = rank_in_lane(card);
  if constexpr (Trumps) {
    if (suit != TRUMP_LANE) {
      const Lanes trumps = lane(TRUMP_LANE);
      if ((position.hands[lho] & mask) == 0 && (position.hands[lho] & trumps)) weight -= 40;
      if ((position.hands[rho] & mask) == 0 && (position.hands[rho] & trumps)) weight -= 40;
      if (partners == 0 && (position.hands[partner] & trumps)) weight += 60;
    }
  }
  if (card == best) return weight + 80;
  if (partners & best) return weight + 60;
  if ((mine & best) == 0 && (position.hands[rho] & best)) weight += 20;  // through... up to the weak hand
  if ((position.hands[lho] & best)) weight += 30;                       // through strength
  return weight;
}

template <bool Trumps, int Place>
int follow_weight(const Position& position, int seat, const Trick& trick, Lanes card, bool following) {
  const int rank = rank_in_lane(card);
  const bool partner_wins = trick.winner == partner_of(seat);
  if (!following) {
    if (Trumps && lane_of(card) == TRUMP_LANE) {
      const bool wins = lane_of(trick.best) != TRUMP_LANE || card < trick.best;
      if (!wins) return rank - 60;
      return partner_wins ? rank : 60 + rank;
    }
    const Lanes suit = position.hands[seat] & lane(lane_of(card));
    return rank + 2 * std::popcount(suit);
  }
  const bool wins = lane_of(trick.best) == trick.led && card < trick.best;
  if (!wins) return rank;  // low first
  if (Place == 3) return partner_wins ? rank - 20 : 40 + rank;
  const Lanes left_over = position.held & lane(trick.led) & ~position.hands[seat];
  const Lanes behind = Place == 1 ? position.hands[next_seat(seat)] | position.hands[(seat + 2) & 3]
                                  : position.hands[next_seat(seat)];
  const Lanes lho = position.hands[next_seat(seat)] & lane(trick.led);
  (void)left_over;
  (void)behind;
  const bool holds = lho == 0 || card < best_of(lho);
  if (Place == 2) {
    if (partner_wins && (lho == 0 || trick.best < best_of(lho))) return rank - 20;
    return holds ? 40 + rank : rank - 20;
  }
  return holds ? 30 + rank : rank - 20;
}

}  // namespace

template <bool Trumps, int Place>
void order_moves(const Position& position, int seat, const Trick& trick, Lanes choices, MoveList& moves) {
  Sorter sorter(moves);
  const bool following = Place > 0 && (choices & lane(trick.led)) != 0;
  for (; choices != 0; choices &= choices - 1) {
    const Lanes card = best_of(choices);
    int weight;
    if constexpr (Place == 0)
      weight = lead_weight<Trumps>(position, seat, card);
    else
      weight = follow_weight<Trumps, Place>(position, seat, trick, card, following);
    sorter.add(card, weight);
  }
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
